//! The page speaks every language of the registry.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{collections::BTreeSet, env, fs};

use tablut_rules::text::Lang;

const TEXTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/page/text");

#[test]
fn the_page_lists_the_languages_of_the_registry() {
    let path = format!("{TEXTS}/languages.js");
    let text = fs::read_to_string(&path).unwrap();
    let (before, list) = text.split_once("([\n").unwrap();
    let (list, after) = list.split_once("]);").unwrap();
    let rows = Lang::ALL.iter();
    let rows: String = rows
        .map(|lang| format!("  ['{}', '{}'],\n", lang.code(), lang.native_name()))
        .collect();
    if env::var_os("TABLUT_WRITE_TYPES").is_some() {
        fs::write(&path, format!("{before}([\n{rows}]);{after}")).unwrap();
    }
    assert_eq!(
        list, rows,
        "{path} does not list the languages of the registry; write it anew: \
         TABLUT_WRITE_TYPES=1 cargo test --release -p tablut-web --test languages"
    );
}

#[test]
fn the_page_has_a_file_of_texts_for_each_language() {
    let files = fs::read_dir(TEXTS)
        .unwrap()
        .map(|file| file.unwrap().file_name());
    let files: BTreeSet<String> = files.map(|name| name.into_string().unwrap()).collect();
    let codes = Lang::ALL.iter().map(|lang| format!("{}.js", lang.code()));
    let expected: BTreeSet<String> = codes.chain(["languages.js".into()]).collect();
    assert_eq!(files, expected, "in {TEXTS}");
}
