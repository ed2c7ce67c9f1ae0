//! `tablut-train`: see `--help`, and "Tuning" in docs/engine.md.

use std::{fs, num::NonZeroUsize, path::PathBuf, sync::Arc};

use anyhow::{Context, Result, bail};
use clap::{Parser, Subcommand};
use tablut_arena::{
    Opening, Player, Stop, opening,
    series::{Entrant, PlayedGame, Series},
};
use tablut_engine::{Parameters, Weigher};
use tablut_guest::{MoverOptions, mover};
use tablut_rules::{BuiltIn, Rules, record};
use tablut_train::{
    fit::{Aim, fit},
    sample,
    spsa::{Number, Spsa},
};

/// Find better numbers for the engine
#[derive(Parser)]
#[command(after_help = "\
Games to learn from:
  tablut match nodes:5000 nodes:6000 -n 2000 --random-plies 6 --records games.tablut
Then:
  tablut-train fit games.tablut
and play what it proposes against what was before:
  tablut match nodes:10000,PROPOSAL nodes:10000 --sprt 0,10 --openings openings/ashton.txt")]
struct Arguments {
    #[command(subcommand)]
    task: Task,
}

#[derive(Subcommand)]
enum Task {
    /// Fit the weights of the evaluation to the results of recorded games
    Fit {
        /// Files of records, all under the same rule set
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The rule set
        #[arg(long, short, default_value = "ashton")]
        rules: String,
        /// How much the search's own score counts beside the result, from 0 to 1
        #[arg(long, default_value_t = Aim::default().blend)]
        blend: f32,
        /// How strongly numbers are held to what they are
        #[arg(long, default_value_t = Aim::default().hold)]
        hold: f32,
        /// Steps of the descent
        #[arg(long, default_value_t = Aim::default().steps)]
        steps: u32,
        /// Numbers that stay as they are
        #[arg(long, value_delimiter = ',', default_value = "man_attacker")]
        fixed: Vec<String>,
    },
    /// Adjust numbers by playing pairs of games
    Spsa {
        /// Numbers with the distance the players keep from them, as in reverse_margin=60~12
        #[arg(required = true, value_name = "NAME=VALUE~REACH")]
        numbers: Vec<Number>,
        /// Positions for a move
        #[arg(long, default_value_t = 5_000)]
        nodes: u64,
        /// Pairs of games
        #[arg(long, default_value_t = 1_000)]
        steps: u32,
        /// The rule set
        #[arg(long, short, default_value = "ashton")]
        rules: String,
        /// Start from the openings in this file
        #[arg(long)]
        openings: PathBuf,
        /// What chance depends on
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

fn rules(id: &str) -> Result<Arc<Rules>> {
    Ok(id.parse::<BuiltIn>()?.rules())
}

fn main() -> Result<()> {
    match Arguments::parse().task {
        Task::Fit {
            files,
            rules: id,
            blend,
            hold,
            steps,
            fixed,
        } => {
            let aim = Aim { blend, hold, steps };
            run_fit(&files, &rules(&id)?, &aim, &fixed)
        }
        Task::Spsa {
            numbers,
            nodes,
            steps,
            rules: id,
            openings,
            seed,
        } => {
            let rules = rules(&id)?;
            let text = fs::read_to_string(&openings)
                .with_context(|| format!("cannot read {}", openings.display()))?;
            let openings = opening::read(&text, &rules)?;
            if openings.is_empty() {
                bail!("the file has no opening");
            }
            run_spsa(&rules, &openings, Spsa::new(numbers, steps, seed), nodes)
        }
    }
}

fn run_fit(files: &[PathBuf], rules: &Arc<Rules>, aim: &Aim, fixed: &[String]) -> Result<()> {
    let parameters = Parameters::default();
    let names: Vec<(&str, i32)> = parameters.list();
    for name in fixed {
        if !names.iter().any(|(known, _)| known == name) {
            bail!("the engine has no number {name:?}");
        }
    }
    let mut weigher = Weigher::new(rules.clone());
    let (mut samples, mut games) = (Vec::new(), 0);
    for file in files {
        let text =
            fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
        for record in record::read_all(&text) {
            let record = record.with_context(|| format!("in {}", file.display()))?;
            let more = sample::of_record(&record, rules, &parameters, &mut weigher)
                .with_context(|| format!("in {}, game {}", file.display(), games + 1))?;
            samples.extend(more);
            games += 1;
            if games % 200 == 0 {
                eprintln!("{games} games, {} positions", samples.len());
            }
        }
    }
    if samples.len() < 1000 {
        bail!(
            "{games} games with {} quiet positions are too few; a thousand positions is the least",
            samples.len()
        );
    }
    let held: Vec<bool> = names
        .iter()
        .map(|(name, _)| fixed.iter().any(|fixed| fixed == name))
        .collect();
    let found = fit(&samples, &held, aim);
    println!(
        "{games} games, {} positions; scale {:.0}; loss on every tenth position {:.5} before, {:.5} after",
        samples.len(),
        found.scale,
        found.losses[0],
        found.losses[1]
    );
    let mut proposal = String::new();
    for ((name, old), change) in names.iter().zip(&found.changes) {
        let new = (*old as f32 + change).round() as i32;
        if new != *old {
            println!("{name:<16} {old:>6} {new:>6}");
            proposal += &format!(",{name}={new}");
        }
    }
    println!("\ntablut match nodes:10000{proposal} nodes:10000 --sprt 0,10");
    Ok(())
}

fn run_spsa(rules: &Arc<Rules>, openings: &[Opening], mut spsa: Spsa, nodes: u64) -> Result<()> {
    let options = MoverOptions::default();
    let stop = Stop::default();
    let wish = stop.clone();
    ctrlc::set_handler(move || wish.finish()).context("cannot listen for Ctrl-C")?;
    let mut step = 0;
    while let Some(trial) = spsa.propose() {
        let entrant = |changes: &Vec<(String, i32)>| {
            let changes = changes.clone();
            let player = Player::Tuned { nodes, changes };
            let budget = player.budget(None);
            Entrant { player, budget }
        };
        let series = Series {
            rules: rules.clone(),
            entrants: [entrant(&trial.players[0]), entrant(&trial.players[1])],
            openings: vec![openings[step % openings.len()].clone()],
            pairs: 1,
            concurrency: NonZeroUsize::MIN,
            seed: step as u64,
            max_plies: Some(200),
            grace_ms: options.grace_ms,
            sprt: None,
            is_live: false,
        };
        let report = series.run(&|player| mover(player, &options), &stop, &mut |_| {})?;
        let halves = |game: &PlayedGame| f64::from(game.points.halves());
        let points = report.games.iter().map(halves).sum::<f64>() / 2.0;
        spsa.learn(&trial, points - 1.0);
        step += 1;
        if step % 20 == 0 || stop.is_finishing() {
            let texts: Vec<String> = spsa.numbers.iter().map(ToString::to_string).collect();
            println!("{step} pairs: {}", texts.join(" "));
        }
        if stop.is_finishing() {
            break;
        }
    }
    Ok(())
}
