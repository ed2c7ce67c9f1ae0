//! How tournaments stand, as text and as JSON.

use std::io::Write;

use anyhow::Result;
use clap::Args;
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};
use tablut_arena::tournament::{Stage, StandingRow, TeamTally};
use tablut_host::tournament::{Contest, Group, counting, end_ms, played};
use tablut_store::{Fixture, State};

use super::{Named, StoreFlag, correct};
use crate::{
    Status as Done,
    output::{self, counted},
};

#[derive(Args)]
#[command(after_help = "\
Examples:
  tablut tournament status
  tablut tournament status --archived
  tablut tournament status --json")]
pub(super) struct Status {
    #[command(flatten)]
    store: StoreFlag,
    /// List archived tournaments instead of the others
    #[arg(long)]
    archived: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// One tournament in a list.
#[derive(Serialize)]
struct Summary {
    id: String,
    name: String,
    state: &'static str,
    teams: usize,
    games: usize,
    played: usize,
    running: Vec<String>,
    /// When it will be over, if games go on as they did.
    ends_ms: Option<i64>,
    corrections: Vec<Value>,
    #[serde(skip)]
    lines: Vec<String>,
}

impl Summary {
    fn new(contest: &Contest, state: State, fixtures: &[Fixture]) -> Self {
        let played = played(fixtures);
        let running = fixtures.iter().filter(|one| one.is_claimed).map(|one| {
            format!(
                "{}: {} – {}",
                one.number + 1,
                contest.team(one.teams.defenders),
                contest.team(one.teams.attackers)
            )
        });
        let log = || contest.log.iter();
        Self {
            id: contest.id.clone(),
            name: contest.plan.name.clone(),
            state: match state {
                _ if !contest.is_archived() && contest.is_done(fixtures) => "over",
                State::Paused => "paused",
                State::Running => "running",
                State::Archived => "archived",
            },
            teams: contest.plan.teams.len(),
            games: counting(fixtures),
            played,
            running: running.collect(),
            ends_ms: end_ms(contest, fixtures, Timestamp::now().as_millisecond()),
            corrections: log().map(correct::as_json).collect(),
            lines: log().map(correct::lines).collect(),
        }
    }
}

impl Status {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Done> {
        let (runtime, store) = self.store.open_existing()?;
        let mut summaries = Vec::new();
        for kept in runtime.block_on(store.tournaments())? {
            if (kept.state == State::Archived) != self.archived {
                continue;
            }
            let contest = Contest::new(&kept)?;
            let fixtures = runtime.block_on(store.fixtures(&kept.id))?;
            summaries.push(Summary::new(&contest, kept.state, &fixtures));
        }
        if self.json {
            output::json(out, &summaries)?;
            return Ok(Done::Good);
        }
        if summaries.is_empty() && self.archived {
            writeln!(out, "no tournament is archived")?;
        } else if summaries.is_empty() {
            writeln!(
                out,
                "there is no tournament yet: try `tablut tournament run FILE`"
            )?;
        }
        for one in summaries {
            writeln!(
                out,
                "{}: {}, {}, {} of {} played, {}",
                one.id,
                one.name,
                counted(one.teams, "team", "teams"),
                one.played,
                counted(one.games, "game", "games"),
                one.state
            )?;
            for game in one.running {
                writeln!(out, "  game {game}")?;
            }
            if let Some(end) = one.ends_ms {
                writeln!(out, "  over at about {}", correct::moment(end))?;
            }
            for line in one.lines.iter().flat_map(|text| text.lines()) {
                writeln!(out, "  correction {line}")?;
            }
        }
        Ok(Done::Good)
    }
}

#[derive(Args)]
#[command(after_help = "\
A win is worth three points, a draw one. Ties are broken by the points in the games between the tied
teams, then men captured minus men lost, then the shorter wins.

Examples:
  tablut tournament table
  tablut tournament table spring-cup --json")]
pub(super) struct ShowTable {
    #[command(flatten)]
    tournament: Named,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ShowTable {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Done> {
        let standing = self.tournament.load()?;
        match self.json {
            true => output::json(out, &as_json(&standing.contest, &standing.fixtures))?,
            false => standings(out, &standing.contest, &standing.fixtures)?,
        }
        Ok(Done::Good)
    }
}

/// What a stage is called.
pub(super) fn stage_name(stage: &Stage) -> String {
    match stage {
        Stage::Group(name) => format!("Group {name}"),
        Stage::Final => "Final".into(),
    }
}

/// The name of a team in a table.
pub(super) fn team_name(contest: &Contest, team: usize) -> String {
    let name = contest.team(team);
    match contest.has_withdrawn(team) {
        true => format!("{name} (withdrawn)"),
        false => name.into(),
    }
}

fn tally(tally: TeamTally) -> String {
    format!("{}/{}/{}", tally.won, tally.drawn, tally.lost)
}

/// The titles of a table of standings.
pub(super) const COLUMNS: [&str; 11] = [
    "place",
    "team",
    "points",
    "games",
    "all w/d/l",
    "white w/d/l",
    "black w/d/l",
    "captured",
    "lost men",
    "mean moves",
    "move points",
];

/// The cells of a team's line, below [`COLUMNS`].
pub(super) fn cells(contest: &Contest, row: &StandingRow) -> [String; 11] {
    [
        row.place.to_string(),
        team_name(contest, row.team),
        row.points().to_string(),
        row.all().games().to_string(),
        tally(row.all()),
        tally(row.sides.defenders),
        tally(row.sides.attackers),
        row.captured.to_string(),
        row.lost_men.to_string(),
        format!("{:.1}", row.mean_plies()),
        format!("{:+.1}", row.move_points()),
    ]
}

/// The tables of all groups.
pub(super) fn standings(
    out: &mut impl Write,
    contest: &Contest,
    fixtures: &[Fixture],
) -> Result<()> {
    let played = played(fixtures);
    writeln!(
        out,
        "{}: {played} of {} played",
        contest.plan.name,
        counted(counting(fixtures), "game", "games")
    )?;
    for group in contest.groups(fixtures) {
        writeln!(out, "\n{}", stage_name(&group.stage))?;
        let mut lines = vec![COLUMNS.map(String::from)];
        lines.extend(group.standings.rows.iter().map(|row| cells(contest, row)));
        columns(out, &lines)?;
    }
    Ok(())
}

/// Lines of cells under each other; the second column is text, the others are figures.
fn columns<const N: usize>(out: &mut impl Write, lines: &[[String; N]]) -> Result<()> {
    let width = |n: usize| lines.iter().map(|line| line[n].chars().count()).max();
    let widths: Vec<usize> = (0..N).map(|n| width(n).unwrap_or(0)).collect();
    for line in lines {
        let cells: Vec<String> = line
            .iter()
            .enumerate()
            .map(|(n, cell)| match n {
                1 => format!("{cell:<width$}", width = widths[n]),
                _ => format!("{cell:>width$}", width = widths[n]),
            })
            .collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

/// The tables of all groups, for programs.
pub(super) fn as_json(contest: &Contest, fixtures: &[Fixture]) -> Value {
    let tally =
        |tally: TeamTally| json!({"won": tally.won, "drawn": tally.drawn, "lost": tally.lost});
    let row = |row: &StandingRow| {
        json!({
            "place": row.place,
            "team": contest.team(row.team),
            "members": contest.plan.teams[row.team].members,
            "withdrawn": contest.has_withdrawn(row.team),
            "points": row.points(),
            "white": tally(row.sides.defenders),
            "black": tally(row.sides.attackers),
            "captured": row.captured,
            "lost_men": row.lost_men,
            "mean_moves": row.mean_plies(),
            "move_points": row.move_points(),
        })
    };
    let group = |group: &Group| {
        let rows: Vec<Value> = group.standings.rows.iter().map(row).collect();
        json!({"stage": stage_name(&group.stage), "table": rows})
    };
    let groups: Vec<Value> = contest.groups(fixtures).iter().map(group).collect();
    json!({"id": contest.id, "name": contest.plan.name, "groups": groups})
}

#[derive(Args)]
#[command(after_help = "\
Rows are teams playing white, columns teams playing black: 1 white won, 0 white lost, ½ a draw, * decided
by the organiser, × does not count, . not yet played.

Examples:
  tablut tournament crosstable
  tablut tournament crosstable spring-cup --json")]
pub(super) struct Crosstable {
    #[command(flatten)]
    tournament: Named,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl Crosstable {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Done> {
        let standing = self.tournament.load()?;
        let (contest, fixtures) = (&standing.contest, &standing.fixtures);
        if self.json {
            output::json(out, &cross_json(contest, fixtures))?;
            return Ok(Done::Good);
        }
        for group in contest.groups(fixtures) {
            writeln!(out, "{}", stage_name(&group.stage))?;
            let order: Vec<usize> = group.standings.rows.iter().map(|row| row.team).collect();
            let names = order
                .iter()
                .map(|&team| team_name(contest, team).chars().count());
            let corner = "white \\ black";
            let width = names.max().unwrap_or(0).max(corner.len());
            let numbers: String = (1..=order.len()).map(|n| format!("{n:>4}")).collect();
            writeln!(out, "{:>3} {:<width$}{numbers}", "", corner)?;
            for (n, (white, cells)) in order.iter().zip(&group.cross).enumerate() {
                let cells: String = cells.iter().map(|cell| format!("{cell:>4}")).collect();
                let name = team_name(contest, *white);
                writeln!(out, "{:>3} {name:<width$}{cells}", n + 1)?;
            }
            writeln!(out)?;
        }
        Ok(Done::Good)
    }
}

/// The crosstables of all groups, for programs: points of white, or null where there is no result.
fn cross_json(contest: &Contest, fixtures: &[Fixture]) -> Value {
    let points = |cell: &&str| match *cell {
        "1" => json!(1),
        "½" => json!(0.5),
        "0" => json!(0),
        _ => Value::Null,
    };
    let group = |group: &Group| {
        let teams = group.standings.rows.iter();
        let teams: Vec<&str> = teams.map(|row| contest.team(row.team)).collect();
        let cells = group.cross.iter();
        let cells: Vec<Vec<Value>> = cells
            .map(|cells| cells.iter().map(points).collect())
            .collect();
        json!({"stage": stage_name(&group.stage), "teams": teams, "white_points": cells})
    };
    let groups: Vec<Value> = contest.groups(fixtures).iter().map(group).collect();
    json!({"id": contest.id, "name": contest.plan.name, "groups": groups})
}
