//! `tablut openings`: balanced starts for matches, found by search.

use std::{
    io::{self, IsTerminal, Write},
    sync::Arc,
};

use anyhow::Result;
use clap::Args;
use tablut_arena::opening::{self, Balancing, Opening, Seen};
use tablut_engine::{Engine, EngineOptions};
use tablut_rules::{Random, Rules};

use crate::{Status, input};

/// Make a file of balanced openings for matches
#[derive(Args)]
#[command(after_help = "\
Random openings are kept if a search finds neither side much better. Under rules that favour one side
there are few of these: with `--play-on` the side that is ahead plays more random moves and the other
side good ones, until neither is. Positions that are rotations or reflections of each other are kept
once. The same numbers give the same file.

Example:
  tablut openings -n 20 --nodes 20000 > openings.txt")]
pub(crate) struct Arguments {
    #[command(flatten)]
    rules: input::RulesFlag,
    /// How many openings
    #[arg(long, short = 'n', value_name = "N", default_value_t = 200,
          value_parser = clap::value_parser!(u16).range(1..=10_000))]
    count: u16,
    /// The shortest opening, in plies
    #[arg(long, value_name = "N", default_value_t = 4,
          value_parser = clap::value_parser!(u8).range(1..=40))]
    shortest: u8,
    /// The longest opening, in plies
    #[arg(long, value_name = "N", default_value_t = 8,
          value_parser = clap::value_parser!(u8).range(1..=40))]
    longest: u8,
    /// Positions to search for each opening
    #[arg(long, value_name = "N", default_value_t = 1_000_000)]
    nodes: u64,
    /// How much better a side may be, in hundredths of an attacking man
    #[arg(long, value_name = "N", default_value_t = 40,
          value_parser = clap::value_parser!(i32).range(0..=10_000))]
    within: i32,
    /// The most plies that are added to an opening until neither side is much better
    #[arg(long, value_name = "N", default_value_t = 0,
          value_parser = clap::value_parser!(u8).range(0..=40))]
    play_on: u8,
    /// The seed of the random moves
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let rules = self.rules.load()?;
        let mut seen = Seen::new(&rules);
        let mut engine = Engine::new(EngineOptions::default());
        let (mut kept, mut tried) = (0, 0);
        let id = rules.set().id();
        writeln!(
            out,
            "# Balanced starts under {id}: {} nodes each, within {}, seed {}{}.",
            self.nodes,
            self.within,
            self.seed,
            match self.play_on {
                0 => String::new(),
                plies => format!(", played on for up to {plies} plies"),
            }
        )?;
        let balancing = Balancing {
            wanted: -self.within..=self.within,
            nodes: self.nodes,
            plies: self.play_on.into(),
        };
        let mut random = Random::new(self.seed);
        // A new seed for every round, so that any number can be found.
        for round in 0.. {
            let before = tried;
            for opening in self.candidates(&rules, round) {
                if kept == self.count {
                    return Ok(Status::Good);
                }
                tried += 1;
                let Ok(game) = opening.game(&rules) else {
                    continue;
                };
                engine.clear();
                if let Some(game) = balancing.play_on(game, &mut engine, &mut random)
                    && seen.insert(&game)
                {
                    kept += 1;
                    writeln!(out, "{}", Opening::of(&game))?;
                    out.flush()?;
                }
                let mut talk = io::stderr();
                if talk.is_terminal() {
                    write!(talk, "\r\x1b[K{kept} of {} kept, {tried} tried", self.count)?;
                }
            }
            if tried == before {
                break;
            }
        }
        Ok(Status::Good)
    }

    /// Some random openings of every length, shuffled together.
    fn candidates(&self, rules: &Arc<Rules>, round: u64) -> Vec<Opening> {
        const EACH: usize = 20;
        let lengths = self.shortest..=self.longest.max(self.shortest);
        let mut all: Vec<(usize, Opening)> = lengths
            .flat_map(|plies| {
                let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(round);
                let openings = opening::random(rules, usize::from(plies), EACH, seed);
                openings.into_iter().enumerate()
            })
            .collect();
        all.sort_by_key(|(n, _)| *n);
        all.into_iter().map(|(_, opening)| opening).collect()
    }
}
