//! Corrections of a tournament that is kept, on the command line.

use std::{env, fs, io::Write};

use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};
use tablut_arena::tournament::{Change, Entry, Table, Value, Winner};
use tablut_host::{
    speech,
    tournament::{Author, Contest, Corrected, CorrectionWish, Logged},
};
use tablut_rules::text::Lang;
use tablut_store::Note;

use super::{Named, Standing, StoreFlag, run, words::Words};
use crate::{Status, output};

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

#[derive(Subcommand)]
enum Action {
    /// Add a late team, which plays everyone in its group
    #[command(after_help = "\
Existing games keep their results and numbers; those of the late team follow.

Examples:
  tablut tournament correct add-team Late --member Lea --plays client:./late.sh --why 'bus was late'
  tablut tournament correct add-team Away --group 1 --plays remote --secret open-sesame --why 'asked'")]
    AddTeam {
        /// Its name
        #[arg(value_name = "NAME")]
        name: String,
        #[command(flatten)]
        team: TeamFlags,
        /// Its group [default: by the number of members]
        #[arg(long, value_name = "NAME")]
        group: Option<String>,
        #[command(flatten)]
        common: Common,
    },
    /// Withdraw a team and cancel the games it has not played
    #[command(after_help = "\
Examples:
  tablut tournament correct withdraw Kings --why 'went home'
  tablut tournament correct withdraw Kings --annul --why 'plays with two programs'")]
    Withdraw {
        /// The team
        #[arg(value_name = "TEAM")]
        team: String,
        /// Count its games for neither side [default: those it has played count]
        #[arg(long)]
        annul: bool,
        #[command(flatten)]
        common: Common,
    },
    /// Change a team's name, members, program or secret
    #[command(after_help = "\
The team's games in progress start again if its program or secret changes.

Examples:
  tablut tournament correct change-team Pawns --name 'The Pawns' --why 'misspelt'
  tablut tournament correct change-team Pawns --plays client:./pawns-2.sh --why 'crashed on start'")]
    ChangeTeam {
        /// The team
        #[arg(value_name = "TEAM")]
        team: String,
        /// Its new name
        #[arg(long, value_name = "NAME")]
        name: Option<String>,
        #[command(flatten)]
        to: TeamFlags,
        #[command(flatten)]
        common: Common,
    },
    /// Change the time or the limits of games that have not begun
    #[command(after_help = "\
Keys are those of the tournament file: name, seconds, max_plies, limits.memory_mb, limits.cores;
KEY=none removes a limit. Games in progress keep the settings they began with.

Examples:
  tablut tournament correct set seconds=30 --why 'we need the room at six'
  tablut tournament correct set limits.memory_mb=1024 max_plies=none --why 'as announced'")]
    Set {
        /// What to set
        #[arg(value_name = "KEY=VALUE", required = true)]
        settings: Vec<String>,
        #[command(flatten)]
        common: Common,
    },
    /// Set the result of a game aside and play it again
    #[command(after_help = "\
Examples:
  tablut tournament correct replay 7 --why 'power cut'")]
    Replay {
        /// The number of the game
        #[arg(value_name = "GAME")]
        game: usize,
        #[command(flatten)]
        common: Common,
    },
    /// Set the result of a game, whether it was played or not
    #[command(after_help = "\
Examples:
  tablut tournament correct result 7 black --why 'white had no program'")]
    Result {
        /// The number of the game
        #[arg(value_name = "GAME")]
        game: usize,
        /// Who wins: white, black or draw
        #[arg(value_name = "WINNER")]
        winner: Winner,
        #[command(flatten)]
        common: Common,
    },
    /// Undo a correction
    #[command(after_help = "\
Everything becomes as it would be without the correction. Undoing is refused when another correction
depends on it, or when games of a late team have been played.

Examples:
  tablut tournament correct undo
  tablut tournament correct undo 3 --why 'the wrong game'")]
    Undo {
        /// Its number [default: the last one in force]
        #[arg(value_name = "NUMBER")]
        number: Option<u64>,
        #[command(flatten)]
        common: Excused,
    },
    /// Print all corrections
    #[command(after_help = "\
Examples:
  tablut tournament correct log
  tablut tournament correct log --of spring-cup --json")]
    Log {
        /// The tournament: its id [default: the newest]
        #[arg(long, value_name = "TOURNAMENT")]
        of: Option<String>,
        #[command(flatten)]
        store: StoreFlag,
        /// Print JSON
        #[arg(long)]
        json: bool,
    },
}

/// What a team plays with, and who is in it.
#[derive(Args)]
struct TeamFlags {
    /// A member of the team; may be repeated
    #[arg(long = "member", value_name = "NAME")]
    members: Vec<String>,
    /// The player, as in the tournament file: client:CMD, engine:CMD, level:5, remote …
    #[arg(long, value_name = "PLAYER")]
    plays: Option<String>,
    /// The secret of a remote team
    #[arg(long, value_name = "SECRET")]
    secret: Option<String>,
}

impl TeamFlags {
    fn table(self) -> Table {
        let mut table = Table::new();
        if !self.members.is_empty() {
            let members = self.members.into_iter().map(Value::String);
            table.insert("members".into(), Value::Array(members.collect()));
        }
        for (key, value) in [("plays", self.plays), ("secret", self.secret)] {
            if let Some(value) = value {
                table.insert(key.into(), value.into());
            }
        }
        table
    }
}

/// What corrections have in common that need a reason.
#[derive(Args)]
struct Common {
    /// Why: shown with the correction
    #[arg(long, value_name = "TEXT")]
    why: String,
    #[command(flatten)]
    place: ContestFlags,
}

/// What is common to those that explain themselves.
#[derive(Args)]
struct Excused {
    /// Why: shown with the correction
    #[arg(long, value_name = "TEXT", default_value = "a mistake")]
    why: String,
    #[command(flatten)]
    place: ContestFlags,
}

/// Where a correction is made.
#[derive(Args)]
struct ContestFlags {
    /// The tournament: its id [default: the newest]
    #[arg(long, value_name = "TOURNAMENT")]
    of: Option<String>,
    #[command(flatten)]
    store: StoreFlag,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

impl ContestFlags {
    fn named(self) -> (Named, bool) {
        let named = Named {
            id: self.of,
            store: self.store,
        };
        (named, self.json)
    }
}

impl Correct {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let (why, place, wish) = match self.action {
            Action::Log { of, store, json } => {
                let standing = Named { id: of, store }.load()?;
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
                (common.why, common.place, Asked::Team(table))
            }
            Action::Withdraw {
                team,
                annul,
                common,
            } => (common.why, common.place, Asked::Withdraw(team, annul)),
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
                (common.why, common.place, Asked::Change(team, table))
            }
            Action::Set { settings, common } => {
                let change = Change::Set {
                    to: table(&settings)?,
                };
                (common.why, common.place, Asked::Plain(change.into()))
            }
            Action::Replay { game, common } => {
                let game = index(game)?;
                let change = Change::Replay { game };
                (common.why, common.place, Asked::Plain(change.into()))
            }
            Action::Result {
                game,
                winner,
                common,
            } => {
                let game = index(game)?;
                let change = Change::Result { game, winner };
                (common.why, common.place, Asked::Plain(change.into()))
            }
            Action::Undo { number, common } => {
                let wish = CorrectionWish::Undo(number);
                (common.why, common.place, Asked::Plain(wish))
            }
        };
        let (named, json) = place.named();
        let standing = named.load()?;
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
fn make(standing: &Standing, wish: &CorrectionWish, why: String) -> Result<Corrected> {
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

#[derive(Args)]
#[command(after_help = "\
It is no longer listed, and its games are not played; `tournament restore` brings it back. Games in
progress are abandoned.

Examples:
  tablut tournament archive spring-cup
  tablut tournament archive spring-cup --why 'last year'")]
pub(super) struct Archive {
    #[command(flatten)]
    tournament: Named,
    /// Why: shown with the correction
    #[arg(long, value_name = "TEXT", default_value = "put away")]
    why: String,
}

impl Archive {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let standing = self.tournament.load()?;
        make(&standing, &Change::Archive.into(), self.why)?;
        let id = &standing.contest.id;
        writeln!(
            out,
            "{id} is archived; bring it back with: tablut tournament restore {id}"
        )?;
        standing.runtime.block_on(standing.store.close());
        Ok(Status::Good)
    }
}

#[derive(Args)]
#[command(after_help = "\
It stays paused until someone starts it.

Examples:
  tablut tournament restore spring-cup")]
pub(super) struct Restore {
    /// The tournament: its id, as `tablut tournament status --archived` lists it
    #[arg(value_name = "TOURNAMENT")]
    id: String,
    /// Why: shown with the correction
    #[arg(long, value_name = "TEXT", default_value = "wanted again")]
    why: String,
    #[command(flatten)]
    store: StoreFlag,
}

impl Restore {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let named = Named {
            id: Some(self.id),
            store: self.store,
        };
        let standing = named.load()?;
        make(&standing, &CorrectionWish::Restore, self.why)?;
        let id = &standing.contest.id;
        writeln!(
            out,
            "{id} is restored and paused; start it with: tablut tournament resume {id}"
        )?;
        standing.runtime.block_on(standing.store.close());
        Ok(Status::Good)
    }
}

#[derive(Args)]
#[command(after_help = "\
Deletes all its games, results and corrections for good: this cannot be undone. Only an archived
tournament is deleted, unless you add --yes. `tournament export` saves what matters first.

Examples:
  tablut tournament export spring-cup --to kept && tablut tournament archive spring-cup
  tablut tournament delete spring-cup")]
pub(super) struct Delete {
    /// The tournament: its id
    #[arg(value_name = "TOURNAMENT")]
    id: String,
    /// Delete it even if it is not archived
    #[arg(long)]
    yes: bool,
    #[command(flatten)]
    store: StoreFlag,
}

impl Delete {
    pub(super) fn run(self, out: &mut impl Write) -> Result<Status> {
        let named = Named {
            id: Some(self.id),
            store: self.store,
        };
        let standing = named.load()?;
        let contest = &standing.contest;
        let id = &contest.id;
        if !contest.is_archived() && !self.yes {
            bail!(
                "{id} is not archived, and deleting cannot be undone; archive it first, or add --yes"
            );
        }
        let deleted = standing.store.delete_tournament(id);
        standing.runtime.block_on(deleted)?;
        let games = standing.fixtures.len();
        writeln!(out, "{id} is deleted, with {games} games")?;
        standing.runtime.block_on(standing.store.close());
        Ok(Status::Good)
    }
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
