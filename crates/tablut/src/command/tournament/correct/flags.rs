//! The corrections that can be made, as they are typed.

use anyhow::Result;
use clap::{Args, Subcommand};
use tablut_arena::tournament::{Table, Value, Winner};

use crate::command::tournament::{Named, Standing, StoreFlag};

#[derive(Subcommand)]
pub(super) enum Action {
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
        #[command(flatten)]
        contest: ContestFlags,
    },
}

/// What a team plays with, and who is in it.
#[derive(Args)]
pub(super) struct TeamFlags {
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
    /// What is said of the team, as in a tournament file.
    pub(super) fn table(self) -> Table {
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
pub(super) struct Common {
    /// Why: shown with the correction
    #[arg(long, value_name = "TEXT")]
    pub(super) why: String,
    #[command(flatten)]
    pub(super) contest: ContestFlags,
}

/// What is common to those that explain themselves.
#[derive(Args)]
pub(super) struct Excused {
    /// Why: shown with the correction
    #[arg(long, value_name = "TEXT", default_value = "a mistake")]
    pub(super) why: String,
    #[command(flatten)]
    pub(super) contest: ContestFlags,
}

/// Which tournament is meant, and how it is told.
#[derive(Args)]
pub(super) struct ContestFlags {
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
    /// Reads the tournament from its store; gives it with whether JSON is wanted.
    pub(super) fn load(self) -> Result<(Standing, bool)> {
        let named = Named {
            id: self.of,
            store: self.store,
        };
        Ok((named.load()?, self.json))
    }
}
