//! temporary
use std::time::{Duration, Instant};
use tablut_engine::{Control, Engine, EngineOptions, SearchLimits};
use tablut_rules::{BuiltIn, Game};
fn main() {
    let nodes: u64 = std::env::args()
        .nth(1)
        .map_or(1_000_000, |n| n.parse().unwrap());
    let text = include_str!("../src/bench.rs");
    let mut total = 0;
    let mut time = Duration::ZERO;
    for line in text.lines() {
        let line = line.trim().trim_matches(|c| c == '"' || c == ',');
        let words: Vec<&str> = line.split(' ').collect();
        if words.len() < 10 || !words.iter().all(|w| w.len() == 4) {
            continue;
        }
        let rules = BuiltIn::Ashton.rules();
        let mut game = Game::new(rules);
        for w in words {
            game.play(w.parse().unwrap()).unwrap();
        }
        let mut engine = Engine::new(EngineOptions {
            hash_mb: std::env::args().nth(2).map_or(64, |n| n.parse().unwrap()),
            threads: 1,
        });
        let mut limits = SearchLimits::default();
        match std::env::args().nth(3) {
            Some(d) => limits.depth = Some(d.parse().unwrap()),
            None => limits.nodes = Some(nodes),
        }
        let begin = Instant::now();
        let report = engine.search(&game, &limits, &Control::default(), &mut |_| {});
        time += begin.elapsed();
        total += report.nodes;
        eprintln!("depth {} nodes {}", report.depth, report.nodes);
    }
    println!(
        "{time:?} {total} nodes {:.2} M/s",
        total as f64 / time.as_secs_f64() / 1e6
    );
}
