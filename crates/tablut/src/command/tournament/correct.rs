//! Corrections of a tournament that is kept, on the command line.

mod flags;

use std::{env, fs, io::Write};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde_json::{Value as Json, json};
use tablut_arena::tournament::{Change, Entry, Table, Value};
use tablut_host::{
    speech,
    tournament::{Author, Contest, Corrected, CorrectionWish, Logged},
};
use tablut_rules::text::Lang;
use tablut_store::Note;

use super::{Standing, run, words::Words};
use crate::{Status, output};
use flags::Action;

#[derive(Args)]
#[command(after_help = "\
Each correction is logged with its time, author and reason, shown in the report, and can be undone.
Standings change at once; workers notice before their next game. Name teams by their names and games by
their numbers, as `tournament export` and the page show them.

Examples:
  tablut tournament correct add-team Late --member Lea --plays client:./late.sh --why 'bus was late'
  tablut tournament correct withdraw Kings --annul --why 'plays with two programs'
  tablut tournament correct change-team Pawns --plays client:./pawns-2.sh --why 'crashed on start'
  tablut tournament correct set seconds=30 limits.memory_mb=1024 max_plies=none --why 'too slow'
  tablut tournament correct replay 7 --why 'power cut'
  tablut tournament correct result 7 black --why 'white had no program'
  tablut tournament correct undo 3
  tablut tournament correct log --json")]
pub(super) struct Correct {
    #[command(subcommand)]
    action: Action,
}

impl Correct {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let (why, contest, wish) = match self.action {
            Action::Log { contest } => {
                let (standing, json) = contest.load()?;
                return print_log(out, &standing.contest, json);
            }
            Action::AddTeam {
                name,
                team,
                group,
                common,
            } => {
                let mut table = team.table();
                table.insert("name".into(), name.into());
                if let Some(group) = group {
                    table.insert("group".into(), group.into());
                }
                (common.why, common.contest, Asked::Team(table))
            }
            Action::Withdraw {
                team,
                annul,
                common,
            } => (common.why, common.contest, Asked::Withdraw(team, annul)),
            Action::ChangeTeam {
                team,
                name,
                to,
                common,
            } => {
                let mut table = to.table();
                if let Some(name) = name {
                    table.insert("name".into(), name.into());
                }
                if table.is_empty() {
                    bail!("nothing to change; add --name, --member, --plays or --secret");
                }
                (common.why, common.contest, Asked::Change(team, table))
            }
            Action::Set { settings, common } => {
                let change = Change::Set {
                    to: table(&settings)?,
                };
                (common.why, common.contest, Asked::Plain(change.into()))
            }
            Action::Replay { game, common } => {
                let game = index(game)?;
                let change = Change::Replay { game };
                (common.why, common.contest, Asked::Plain(change.into()))
            }
            Action::Result {
                game,
                winner,
                common,
            } => {
                let game = index(game)?;
                let change = Change::Result { game, winner };
                (common.why, common.contest, Asked::Plain(change.into()))
            }
            Action::Undo { number, common } => {
                let wish = CorrectionWish::Undo(number);
                (common.why, common.contest, Asked::Plain(wish))
            }
        };
        let (standing, json) = contest.load()?;
        let wish = wish.of(&standing.contest)?;
        let corrected = make(&standing, &wish, why)?;
        tell(out, &standing, &wish, &corrected, json)
    }
}

/// What is asked for before the tournament is known.
enum Asked {
    Plain(CorrectionWish),
    Team(Table),
    Withdraw(String, bool),
    Change(String, Table),
}

impl Asked {
    fn of(self, contest: &Contest) -> Result<CorrectionWish> {
        let change = match self {
            Self::Plain(wish) => return Ok(wish),
            Self::Team(team) => Change::AddTeam {
                number: contest.plan.teams.len(),
                team,
            },
            Self::Withdraw(name, annul) => Change::Withdraw {
                team: team(contest, &name)?,
                annul,
            },
            Self::Change(name, to) => Change::ChangeTeam {
                team: team(contest, &name)?,
                to,
            },
        };
        Ok(change.into())
    }
}

/// Makes a correction from the command line.
pub(super) fn make(standing: &Standing, wish: &CorrectionWish, why: String) -> Result<Corrected> {
    let author = Author { by: author(), why };
    let made = Contest::correct(&standing.store, &standing.contest.id, wish, &author);
    Ok(standing.runtime.block_on(made)?)
}

/// Who types here.
fn author() -> String {
    let user = env::var("USER").or_else(|_| env::var("LOGNAME"));
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    match (user, host.trim()) {
        (Ok(user), "") => user,
        (Ok(user), host) => format!("{user}@{host}"),
        (Err(_), "") => "command line".into(),
        (Err(_), host) => host.into(),
    }
}

fn tell(
    out: &mut impl Write,
    standing: &Standing,
    wish: &CorrectionWish,
    corrected: &Corrected,
    json: bool,
) -> Result<Status> {
    let load = Contest::load(&standing.store, &standing.contest.id);
    let contest = standing.runtime.block_on(load)?;
    let Corrected {
        number,
        change,
        team,
        notices,
    } = corrected;
    let what = speech::change(Lang::En, team.as_deref(), change);
    let notices = notices.iter().map(|&one| speech::notice(Lang::En, one));
    let notices: Vec<String> = notices.collect();
    let is_undone = !matches!(wish, CorrectionWish::Make(_));
    if json {
        let told = json!({
            "tournament": contest.id, "correction": number, "undone": is_undone, "what": what,
            "notices": notices,
        });
        output::json(out, &told)?;
    } else {
        let word = if is_undone { " is undone" } else { "" };
        writeln!(out, "{}: correction {number}{word}: {what}", contest.id)?;
        for notice in notices {
            writeln!(out, "  {notice}")?;
        }
    }
    let teams = contest.plan.teams.iter();
    for fault in run::missing_programs(teams.filter(|team| {
        let before = standing.contest.plan.teams.iter();
        matches!(&team.plays, Entry::Player(_)) && !before.into_iter().any(|one| one == *team)
    })) {
        eprintln!("warning: {fault}");
    }
    standing.runtime.block_on(standing.store.close());
    Ok(Status::Good)
}

/// A game's number in the tournament, from the one that people know.
fn index(game: usize) -> Result<usize> {
    game.checked_sub(1).context("games are numbered from 1")
}

/// A team by its name.
fn team(contest: &Contest, name: &str) -> Result<usize> {
    let names = || contest.plan.teams.iter().map(|team| team.name.as_str());
    let same = |one: &str| one.to_lowercase() == name.to_lowercase();
    let Some(number) = names().position(same) else {
        let names: Vec<&str> = names().collect();
        bail!("there is no team {name:?}; there are {}", names.join(", "));
    };
    Ok(number)
}

/// Settings as in a tournament file. Whatever is not a TOML value is a string.
fn table(settings: &[String]) -> Result<Table> {
    let mut table = Table::new();
    for setting in settings {
        let Some((key, value)) = setting.split_once('=') else {
            bail!("{setting:?} is not a setting; expected KEY=VALUE, as in seconds=30");
        };
        let read = |value: &str| format!("{key} = {value}").parse::<Table>();
        let text = Value::String(value.trim().into()).to_string();
        let one = read(value)
            .or_else(|_| read(&text))
            .with_context(|| format!("{key:?} is not a key of a tournament file"))?;
        for (key, value) in one {
            match (table.get_mut(&key), value) {
                (Some(Value::Table(there)), Value::Table(more)) => there.extend(more),
                (_, value) => drop(table.insert(key, value)),
            }
        }
    }
    Ok(table)
}

/// A moment as people write it.
pub(super) fn moment(ms: i64) -> String {
    Words::of(Lang::En).moment(ms)
}

/// A correction for programs.
pub(super) fn as_json(one: &Logged) -> Json {
    let note = |note: &Note| json!({"at_ms": note.at_ms, "by": note.by, "why": note.why});
    json!({
        "number": one.number,
        "what": speech::change(Lang::En, one.team.as_deref(), &one.change),
        "made": note(&one.note),
        "undone": one.undone.as_ref().map(note),
    })
}

/// A correction as a line or two.
pub(super) fn lines(one: &Logged) -> String {
    let what = speech::change(Lang::En, one.team.as_deref(), &one.change);
    let note = |note: &Note| format!("{} by {}: {}", moment(note.at_ms), note.by, note.why);
    let mut text = format!("{}. {what} ({})", one.number, note(&one.note));
    if let Some(undone) = &one.undone {
        text += &format!("\n   undone {}", note(undone));
    }
    text
}

fn print_log(out: &mut impl Write, contest: &Contest, json: bool) -> Result<Status> {
    if json {
        let log: Vec<Json> = contest.log.iter().map(as_json).collect();
        output::json(out, &log)?;
        return Ok(Status::Good);
    }
    if contest.log.is_empty() {
        writeln!(out, "{}: nothing was corrected", contest.id)?;
    }
    for one in contest.log.iter() {
        writeln!(out, "{}", lines(one))?;
    }
    Ok(Status::Good)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_as_in_a_file() {
        let settings = ["seconds=0.5", "limits.memory_mb=9", "limits.cores=none"];
        let read = table(&settings.map(String::from)).unwrap();
        let same: Table = "seconds = 0.5\n[limits]\nmemory_mb = 9\ncores = \"none\""
            .parse()
            .unwrap();
        assert_eq!(read, same);
        assert!(table(&["seconds".into()]).is_err());
        assert!(table(&["a b=5".into()]).is_err());
    }
}
