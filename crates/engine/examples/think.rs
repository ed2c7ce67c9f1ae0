//! Searches a position and prints what it finds: `think SECONDS [SET] [POSITION]`.

use std::time::Duration;

use tablut_engine::{Control, Engine, Limits, Options, evaluate};
use tablut_rules::{Game, Rules, Setup};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let seconds: f64 = arguments
        .first()
        .and_then(|s| s.parse().ok())
        .unwrap_or(2.0);
    let set = arguments.get(1).map_or("ashton", String::as_str);
    let rules = Rules::builtin(set).expect("a built-in set");
    let position = match arguments.get(2) {
        None => rules.start(),
        Some(text) => {
            let setup: Setup = text.parse().expect("a position");
            rules.position(&setup).expect("a sound position")
        }
    };
    println!("{}", evaluate(&rules, &position));
    let laws = rules.laws();
    let game = Game::from_position(rules, position, laws);
    let mut engine = Engine::new(Options::default());
    let limits = Limits::time(Duration::from_secs_f64(seconds));
    engine.search(&game, &limits, &Control::new(), &mut |info| {
        let moves: Vec<String> = info.line.moves.iter().map(ToString::to_string).collect();
        println!(
            "{:>3}/{:<3} {:>9} {:>10} nodes {:>8.3} s {:>6.2} M/s {:>4} full  {}",
            info.depth,
            info.selective,
            info.line.score.to_string(),
            info.nodes,
            info.time.as_secs_f64(),
            info.nodes as f64 / info.time.as_secs_f64() / 1e6,
            info.hash_full,
            moves.join(" ")
        );
    });
}
