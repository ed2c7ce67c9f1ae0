//! A match between two versions: `duel A B PAIRS [SEED] [SET]`.
//!
//! A player is `random`, `baseline:DEPTH`, `level:N`, or a list of settings: `nodes=20000` or `time=0.2`, and parameters
//! by name, as in `nodes=20000,null_depth=99`. Openings are random moves that a short search calls
//! balanced; each is played twice with sides swapped. Results are per colour.

use std::{sync::Arc, time::Duration};

use tablut_engine::{Control, Engine, Level, Limits, Options, Parameters, Score, baseline};
use tablut_rules::{Game, Move, Random, Rules, Side};

const MOST_PLIES: usize = 160;

enum Player {
    Random,
    Baseline(u32),
    Level(Level, Box<Engine>),
    Engine(Box<Engine>, Limits),
}

impl Player {
    fn new(text: &str) -> Self {
        if let Some(depth) = text.strip_prefix("baseline:") {
            return Self::Baseline(depth.parse().expect("a depth"));
        }
        let options = Options {
            hash_mb: 16,
            threads: 1,
        };
        if text == "random" {
            return Self::Random;
        }
        if let Some(level) = text.strip_prefix("level:") {
            let level = level.parse().expect("a level");
            return Self::Level(level, Box::new(Engine::new(options)));
        }
        let mut limits = Limits::default();
        let mut parameters = Parameters::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (name, value) = part.split_once('=').expect("name=value");
            match name {
                "nodes" => limits.nodes = Some(value.parse().expect("a number")),
                "depth" => limits.depth = Some(value.parse().expect("a number")),
                "time" => {
                    let seconds = value.parse().expect("seconds");
                    limits.time = Some(Duration::from_secs_f64(seconds));
                }
                name => {
                    let value = value.parse().expect("an integer");
                    assert!(parameters.set(name, value), "no parameter {name}");
                }
            }
        }
        Self::Engine(
            Box::new(Engine::with_parameters(options, parameters)),
            limits,
        )
    }

    fn choose(&mut self, game: &Game, seed: u64) -> (Option<Move>, u32) {
        match self {
            Self::Random => {
                let moves = game.rules().moves(game.position());
                (Some(moves[Random::new(seed).below(moves.len())]), 0)
            }
            Self::Level(level, engine) => {
                let report = level.choose(engine, game, seed, &Control::new());
                (report.best, report.depth)
            }
            Self::Baseline(depth) => (baseline::choose(game, *depth, seed, None), *depth),
            Self::Engine(engine, limits) => {
                let report = engine.search(game, limits, &Control::new(), &mut |_| {});
                (report.best, report.depth)
            }
        }
    }

    fn clear(&mut self) {
        if let Self::Engine(engine, _) | Self::Level(_, engine) = self {
            engine.clear();
        }
    }
}

/// A game of some random moves that a short search does not call decided.
fn opening(rules: &Arc<Rules>, random: &mut Random, judge: &mut Engine) -> Game {
    loop {
        let mut game = Game::new(rules.clone());
        let plies = 4 + random.below(5);
        while game.plies().len() < plies && game.outcome().is_none() {
            let moves = rules.moves(game.position());
            let _ = game.play(moves[random.below(moves.len())]);
        }
        if game.outcome().is_some() {
            continue;
        }
        let report = judge.search(&game, &Limits::nodes(40_000), &Control::new(), &mut |_| {});
        if matches!(
            report.lines.first().map(|line| line.score),
            Some(Score::Units(-70..=70))
        ) {
            return game;
        }
    }
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [a, b, pairs, rest @ ..] = &arguments[..] else {
        panic!("duel A B PAIRS [SEED] [SET]");
    };
    let pairs: u64 = pairs.parse().expect("a number of pairs");
    let seed: u64 = rest.first().map_or(1, |seed| seed.parse().expect("a seed"));
    let rules = Rules::builtin(rest.get(1).map_or("ashton", String::as_str)).expect("a set");
    let rules = Arc::new(rules);
    let mut players = [Player::new(a), Player::new(b)];
    let mut judge = Engine::new(Options::default());
    let mut random = Random::new(seed);
    // Wins, draws and losses of A with attackers and defenders.
    let mut results = [[0u32; 3]; 2];
    let (mut depths, mut moves, mut plies) = ([0u64; 2], [0u64; 2], 0);
    let mut pair_points = Vec::new();
    for pair in 0..pairs {
        let start = opening(&rules, &mut random, &mut judge);
        let mut points = 0;
        for side in Side::ALL {
            players.iter_mut().for_each(Player::clear);
            let mut game = start.clone();
            while game.outcome().is_none() && game.plies().len() < MOST_PLIES {
                let mover = usize::from(game.position().side() != side);
                let (step, depth) = players[mover].choose(&game, pair * 1000 + plies);
                depths[mover] += u64::from(depth);
                moves[mover] += 1;
                game.play(step.expect("a move")).expect("a legal move");
                plies += 1;
            }
            let index = match game.outcome().and_then(|outcome| outcome.winner) {
                None => 1,
                Some(winner) if winner == side => 0,
                Some(_) => 2,
            };
            points += 2 - index;
            results[side.index()][index] += 1;
            if std::env::var("SHOW").is_ok() {
                let text: Vec<String> = game.plies().iter().map(|p| p.step.to_string()).collect();
                println!("{side:?} {index} {:?} {}", game.outcome(), text.join(" "));
            }
        }
        pair_points.push(points as f64 / 4.0);
        if (pair + 1) % 10 == 0 || pair + 1 == pairs {
            report(&results, &pair_points);
        }
    }
    println!(
        "depth A {:.1}, B {:.1}; {:.0} plies a game",
        depths[0] as f64 / moves[0].max(1) as f64,
        depths[1] as f64 / moves[1].max(1) as f64,
        plies as f64 / (2 * pairs) as f64
    );
}

fn report(results: &[[u32; 3]; 2], pairs: &[f64]) {
    let score = |[wins, draws, losses]: [u32; 3]| {
        let games = f64::from(wins + draws + losses);
        100.0 * (f64::from(wins) + 0.5 * f64::from(draws)) / games
    };
    let mean = pairs.iter().sum::<f64>() / pairs.len() as f64;
    let variance = pairs.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / pairs.len() as f64;
    let error = 1.96 * (variance / pairs.len() as f64).sqrt();
    let [black, white] = *results;
    println!(
        "pairs {:>4}  A black {black:?} {:.1} %  A white {white:?} {:.1} %  all {:.1} ± {:.1} %",
        pairs.len(),
        score(black),
        score(white),
        100.0 * mean,
        100.0 * error
    );
}
