//! The recorded data of the reference referee and of the Berkeley model, replayed whole.

#![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]

use std::{fs::File, io::BufRead, io::BufReader, path::Path};

use flate2::read::GzDecoder;
use tablut_rules::conformance::{Case, Compared};

/// The cases of a file.
fn cases(file: &Path) -> impl Iterator<Item = Case> {
    let reader = BufReader::new(GzDecoder::new(File::open(file).unwrap()));
    reader
        .lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
}

#[test]
fn every_recorded_case_has_the_same_moves_results_and_counts_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut total = Compared::default();
    for entry in folder.read_dir().unwrap() {
        let file = entry.unwrap().path();
        for (line, case) in cases(&file).enumerate() {
            let set = case.built_in().unwrap();
            let (compared, differences) = case.compare(&set.rules());
            total += compared;
            if let Some(difference) = differences.first() {
                panic!("{}:{}: {set}: {difference}", file.display(), line + 1);
            }
        }
    }
    let expected = Compared {
        positions: 24_962,
        results: 201_668,
        sequences: 258,
        counts: 166,
    };
    assert_eq!(total, expected);
}
