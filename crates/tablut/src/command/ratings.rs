//! `tablut ratings`: what all games that are kept say about players and rule sets.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use serde_json::{Value, json};
use tablut_arena::stats::rating::{Rating, Share};
use tablut_host::Ratings;
use tablut_rules::text::harmless;

use super::tournament::StoreFlag;
use crate::{Status, output};

/// Print how strong players are over all stored games, and how fair the rule sets are
#[derive(Args)]
#[command(after_help = "\
Ratings are Glicko-2, separate for each side, with their error and the number of games; people without a
name have none. Shares come with a 95 % confidence interval. Games that were decided without play (by
time, a crash, an illegal move or a resignation before ply 10) do not count.

Examples:
  tablut ratings
  tablut ratings --store postgres://tablut@db/tablut --json")]
pub(crate) struct Arguments {
    #[command(flatten)]
    store: StoreFlag,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let (runtime, store) = self.store.open_existing()?;
        let ratings = runtime.block_on(Ratings::load(&store))?;
        match self.json {
            true => output::json(out, &as_json(&ratings))?,
            false => text(out, &ratings)?,
        }
        Ok(Status::Good)
    }
}

fn text(out: &mut impl Write, ratings: &Ratings) -> Result<()> {
    if ratings.sets.is_empty() && ratings.left_out == 0 {
        writeln!(out, "no game has been finished yet")?;
        return Ok(());
    }
    let names = ratings.players.iter().map(|(name, _)| name.chars().count());
    let width = names.max().unwrap_or(0).max(6);
    let shown = |rating: Option<Rating>| match rating {
        Some(one) => format!("{:.0} ± {:.0} ({})", one.rating, one.error, one.games),
        None => "-".into(),
    };
    writeln!(
        out,
        "{:<width$}  {:>20}  {:>20}",
        "player", "white", "black"
    )?;
    for (name, sides) in &ratings.players {
        let name = harmless(name);
        let (white, black) = (shown(sides.defenders), shown(sides.attackers));
        writeln!(out, "{name:<width$}  {white:>20}  {black:>20}")?;
    }
    let share = |one: Share| {
        let percent = |part: f64| 100.0 * part;
        let (low, high) = (percent(one.low), percent(one.high));
        format!("{:.1} % ({low:.1}–{high:.1})", percent(one.share))
    };
    writeln!(
        out,
        "\n{:<12} {:>6}  {:>20}  {:>20}  {:>20}",
        "rule set", "games", "white wins", "black wins", "draws"
    )?;
    for set in &ratings.sets {
        let (wins, draw) = (set.wins.map(share), share(set.draws));
        let (white, black) = (wins.defenders, wins.attackers);
        writeln!(
            out,
            "{:<12} {:>6}  {white:>20}  {black:>20}  {draw:>20}",
            set.rules, set.games
        )?;
    }
    match ratings.left_out {
        0 => {}
        1 => writeln!(out, "\n1 game was decided without play and does not count")?,
        count => writeln!(
            out,
            "\n{count} games were decided without play and do not count"
        )?,
    }
    Ok(())
}

fn as_json(ratings: &Ratings) -> Value {
    let rating = |one: Option<Rating>| {
        one.map(|one| json!({"rating": one.rating, "error": one.error, "games": one.games}))
    };
    let players: Vec<Value> = ratings
        .players
        .iter()
        .map(|(name, sides)| {
            json!({
                "name": name,
                "white": rating(sides.defenders),
                "black": rating(sides.attackers),
            })
        })
        .collect();
    let share = |one: Share| json!({"share": one.share, "low": one.low, "high": one.high});
    let sets: Vec<Value> = ratings
        .sets
        .iter()
        .map(|set| {
            json!({
                "rules": set.rules,
                "games": set.games,
                "white": share(set.wins.defenders),
                "black": share(set.wins.attackers),
                "draws": share(set.draws),
            })
        })
        .collect();
    json!({"players": players, "rule_sets": sets, "left_out": ratings.left_out})
}
