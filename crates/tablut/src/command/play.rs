//! `tablut play`: the game in the terminal.

use std::{
    env,
    io::{self, IsTerminal},
    sync::Arc,
};

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use ratatui::layout::Rect;
use tablut_arena::{Player, TimeControl};
use tablut_host::{Host, Limits};
use tablut_rules::{BuiltIn, Side, text::Lang};
use tablut_store::{Store, Visitor};
use tokio::runtime;

use super::{guest, serve};
use crate::{
    Status, input,
    tui::{
        app::App,
        desk::{self, Desk},
        drive,
        effect::{Effect, Input},
        menu::parse_clock,
        theme::Theme,
    },
};

/// Play in the terminal: against the engine or a friend, or set up positions
#[derive(Args)]
#[command(after_help = "\
Without flags, a menu opens. The keys are shown at the bottom of the screen; ? shows all of them.
Every move is saved: quit at any time, and continue with --resume. The board is drawn in ASCII if the
terminal cannot show other characters.

Examples:
  tablut play
  tablut play --against level:5 --side black --clock total:300+2
  tablut play --player person --against person --rules modern
  tablut play --against client:./runmyplayer.sh --clock move:10
  tablut play --lang it --ascii
  tablut play game.tablut")]
pub(crate) struct Arguments {
    /// A file to open: a record of a game, or a position
    #[arg(value_name = "FILE")]
    file: Option<String>,
    /// The rule set: an id of `tablut rules`, or a TOML file [default: ashton]
    #[arg(long, short, value_name = "ID|FILE")]
    rules: Option<String>,
    /// Your side [default: white]
    #[arg(long, value_enum)]
    side: Option<Colour>,
    /// Who plays your side [default: person]
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    player: Option<Player>,
    /// Who plays the other side: person, level:1 to level:10, time:SECONDS, client:CMD or any other
    /// player of `tablut match` [default: level:3]
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    against: Option<Player>,
    /// The clock: none, move:SECONDS for each move, or total:SECONDS+INCREMENT [default: none]
    #[arg(long, value_name = "CLOCK", value_parser = clock)]
    clock: Option<TimeControl>,
    /// Continue the last unfinished game
    #[arg(long, conflicts_with_all = ["file", "rules", "side", "player", "against", "clock"])]
    resume: bool,
    /// Where games and positions are stored: a file, or a PostgreSQL URL [default: $TABLUT_STORE, or
    /// tablut.db in the user's data folder]
    #[arg(long, value_name = "FILE|URL")]
    store: Option<String>,
    #[command(flatten)]
    look: Look,
    #[command(flatten)]
    programs: guest::Programs,
}

/// How the terminal game looks and speaks.
#[derive(Args)]
pub(super) struct Look {
    /// The language [default: from LANG]
    #[arg(long, alias = "language", value_parser = input::lang_parser())]
    lang: Option<Lang>,
    /// Draw with ASCII letters only
    #[arg(long)]
    ascii: bool,
}

impl Look {
    pub(super) fn lang(&self) -> Lang {
        input::lang(self.lang)
    }

    pub(super) fn theme(&self) -> Theme {
        Theme::of_terminal(self.ascii)
    }
}

/// A side, as flags name it.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Colour {
    White,
    Black,
}

impl From<Colour> for Side {
    fn from(colour: Colour) -> Self {
        match colour {
            Colour::White => Self::Defenders,
            Colour::Black => Self::Attackers,
        }
    }
}

fn player(text: &str) -> Result<Player, String> {
    text.parse().map_err(|error| format!("{error}"))
}

fn clock(text: &str) -> Result<TimeControl, String> {
    parse_clock(text)
        .ok_or_else(|| "a clock is none, move:60 or total:300+2, in seconds up to a day".into())
}

/// The size of the terminal; the error says what to do instead if there is none.
pub(super) fn area(instead: &str) -> Result<Rect> {
    let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    if !is_terminal || env::var("TERM").is_ok_and(|term| term == "dumb") {
        bail!("this needs a full-screen terminal; {instead}");
    }
    let (wide, high) =
        crossterm::terminal::size().context("cannot get the size of the terminal")?;
    Ok(Rect::new(0, 0, wide, high))
}

impl Arguments {
    pub(crate) fn run(self) -> Result<Status> {
        let area = area("`tablut console` takes typed moves")?;
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.context("cannot start")?;
        runtime.block_on(self.play(area))
    }

    async fn play(self, area: Rect) -> Result<Status> {
        let players = [&self.player, &self.against].into_iter().flatten();
        if players.into_iter().any(Player::is_started) {
            self.programs.check()?;
        }
        // What is no id of ours is a file.
        let files = self
            .rules
            .iter()
            .filter(|name| name.parse::<BuiltIn>().is_err());
        let own = input::own_rules(&files.cloned().collect::<Vec<_>>())?;
        let place = serve::place(self.store.as_deref())?;
        let store = Store::open(&place).await?;
        // There is one player at this keyboard, and nobody to be protected from.
        let limits = Limits {
            visitors: u64::MAX,
            open_games: u64::MAX,
            games: u64::MAX,
            all_games: u64::MAX,
            ..Limits::default()
        };
        let host =
            Host::for_one(store.clone(), limits, self.programs.unattended(&place)).with_rules(&own);
        let known = store.visitor(&owner()).await?;
        let visitor = known.unwrap_or_else(|| Visitor::new(owner()));
        host.settle(&visitor).await?;
        let mut app = App::new(host.rule_sets(), self.look.lang(), area);
        let chosen = own.first().map(|rules| rules.set().id());
        let first = self.prepare(&mut app, &host, chosen.or(self.rules.as_deref()))?;
        let desk = Desk::new(host, visitor, app.text.lang);
        drive::run(app, Some(desk), drive::feed()?, self.look.theme(), first).await?;
        store.close().await;
        Ok(Status::Good)
    }

    /// Sets the menu as the flags say, with the rule set that has an id, and gives what to do first.
    fn prepare(&self, app: &mut App, host: &Host, rules: Option<&str>) -> Result<Vec<Effect>> {
        let menu = &mut app.menu;
        if let Some(id) = rules {
            let ids: Vec<&str> = menu.sets.iter().map(|set| set.set().id()).collect();
            let set = ids.iter().position(|known| *known == id);
            menu.set = set.with_context(|| {
                format!(
                    "there is no rule set {id:?} to play; there are {}",
                    ids.join(", ")
                )
            })?;
        }
        menu.side = self.side.map_or(menu.side, Into::into);
        menu.you = self.player.clone().unwrap_or(Player::Person);
        menu.opponent = self.against.clone().unwrap_or(Player::Level(3));
        menu.control = self.clock.unwrap_or(TimeControl::Unlimited);
        let plan = menu.plan();
        if let Some(path) = &self.file {
            let content = desk::load(host, path, &Arc::clone(menu.rules()), app.text.lang)?;
            return Ok(app.tell(0, Input::Content(content)));
        }
        let is_told = self.rules.is_some()
            || self.side.is_some()
            || self.player.is_some()
            || self.against.is_some()
            || self.clock.is_some();
        Ok(match (self.resume, is_told) {
            (true, _) => vec![Effect::Resume],
            (false, true) => vec![Effect::New(Box::new(plan))],
            (false, false) => Vec::new(),
        })
    }
}

/// Whom games and slots of this terminal belong to: the user of the machine.
pub(super) fn owner() -> String {
    match env::var("USER") {
        Ok(user) if !user.is_empty() => format!("terminal-{user}"),
        _ => "terminal".into(),
    }
}
