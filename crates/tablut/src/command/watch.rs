//! `tablut watch`: a game or tournament of a running `tablut serve`, in the terminal.

mod standing;
mod table;
mod tournament;

use std::{
    io::{self, IsTerminal, Write},
    time::Duration,
};

use anyhow::{Context, Result, bail};
use clap::Args;
use tablut_host::fresh_id;
use tablut_rules::text::{Lang, harmless};
use tablut_web::{
    client::{Client, ClientError},
    message::{Ask, GameState},
};
use tokio::{runtime, sync::mpsc::UnboundedSender, time::sleep};

use super::play::{Look, area};
use crate::{
    Status,
    tui::{
        app::App,
        drive,
        effect::{Input, Tone},
        text::Text,
    },
};

/// How long to wait before trying again to reach a server that has gone.
const RETRY: Duration = Duration::from_secs(1);

/// Watch a game or tournament on a `tablut serve` server in the terminal
#[derive(Args)]
#[command(after_help = "\
The page shows the link of a game under \"Link for watchers\"; the address bar has the link of a game or
tournament. Without a terminal, each move or result is printed on a line until everything is over.

Examples:
  tablut watch 'http://127.0.0.1:5880/#game/abcdefghijkmnpqrstuvwxyz'
  tablut watch 'http://127.0.0.1:5880/#game/abcdefghijkmnpqrstuvwxyz' | tee moves.txt
  tablut watch 'http://127.0.0.1:5880/#tournament/spring-cup'")]
pub(crate) struct Arguments {
    /// The link of the game or tournament
    #[arg(value_name = "URL")]
    url: String,
    #[command(flatten)]
    look: Look,
}

/// What a link leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Game,
    Tournament,
}

/// A link of the page.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Link {
    /// Host and port.
    server: String,
    kind: Kind,
    /// The id of the game or tournament.
    id: String,
}

impl Link {
    fn parse(url: &str) -> Result<Self> {
        let rest = match url.split_once("://") {
            Some(("http", rest)) => rest,
            Some(("https", _)) => {
                bail!("{url}: only http is supported; give the server's own http address")
            }
            Some(_) => bail!("{url} is not a link to a page; links begin with http://"),
            None => url,
        };
        let (server, place) = rest.split_once('/').unwrap_or((rest, ""));
        if server.is_empty() || server.contains(char::is_whitespace) {
            bail!("{url:?} names no server; a link looks like http://127.0.0.1:5880/#game/ID");
        }
        let place = place.trim_start_matches('/');
        let (kind, rest) = match place.split_once('/') {
            Some(("#game" | "game", rest)) => (Kind::Game, rest),
            Some(("#tournament" | "tournament", rest)) => (Kind::Tournament, rest),
            _ => bail!(
                "{url} names no game and no tournament; copy the link for watchers from the page, as in \
                 http://{server}/#game/ID"
            ),
        };
        // A link to a seat has its secret after the game's id; a spectator does not need it.
        let id = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if id.is_empty() {
            bail!("{url} names no game; its id has to follow {place}");
        }
        Ok(Self {
            server: server.into(),
            kind,
            id: id.into(),
        })
    }

    /// Connects as a visitor of its own.
    async fn connect(&self, lang: Lang) -> Result<Client, ClientError> {
        let mut client = Client::call(&self.server, &fresh_id()).await?;
        client.ask(Ask::Hello { lang: lang.into() }).await?;
        Ok(client)
    }

    /// Comes to the game, and gives how it stands.
    async fn join(&self, lang: Lang) -> Result<(Client, Box<GameState>), ClientError> {
        let mut client = self.connect(lang).await?;
        let game = self.id.clone();
        client.ask(Ask::Join { game, secret: None }).await?;
        let state = client.until_ply(0).await?;
        let state = Box::new(state.clone());
        Ok((client, state))
    }
}

impl Arguments {
    pub(crate) fn run(self, out: &mut impl Write) -> Result<Status> {
        let link = Link::parse(&self.url)?;
        let is_terminal = io::stdout().is_terminal() && io::stdin().is_terminal();
        let runtime = runtime::Builder::new_current_thread().enable_all().build();
        runtime.context("cannot start")?.block_on(async {
            if link.kind == Kind::Tournament {
                return tournament::run(out, &link, &self.look, is_terminal).await;
            }
            let joined = link.join(self.look.lang()).await;
            let (client, state) = joined.map_err(|error| explain(&link, error))?;
            if is_terminal {
                self.show(link, client, &state).await?;
            } else {
                print(out, client, &state).await?;
            }
            Ok(Status::Good)
        })
    }

    async fn show(self, link: Link, client: Client, state: &GameState) -> Result<()> {
        let lang = self.look.lang();
        let area = area("pipe the output to get lines")?;
        let table = table::table(state, lang)?;
        let sets = [table.game.rules().clone()];
        let mut app = App::new(&sets, lang, area);
        let first = app.tell(0, Input::Table(Box::new(table)));
        let (sender, receiver) = drive::feed()?;
        tokio::spawn(pump(link, client, lang, sender.clone()));
        drive::run(app, None, (sender, receiver), self.look.theme(), first).await
    }
}

/// What to do about a server that is not there, or does not want us.
fn explain(link: &Link, error: ClientError) -> anyhow::Error {
    let server = &link.server;
    match error {
        ClientError::Refused(problem) => anyhow::anyhow!("{server}: {}", problem.text),
        error => anyhow::anyhow!(
            "cannot watch a game at {server}: {error}; is `tablut serve` running there?"
        ),
    }
}

/// Sends every state of a game on; a server that has gone is tried again.
async fn pump(link: Link, mut client: Client, lang: Lang, sender: UnboundedSender<Input>) {
    let text = Text::of(lang);
    // Whoever watched has gone when nothing can be sent.
    let send = |input| sender.send(input).is_ok();
    loop {
        let is_wanted = match client.next_state().await {
            Ok(state) => send(see(state, lang)),
            Err(_) => {
                let is_wanted = send(Input::bad(text.lost));
                let state;
                (client, state) = loop {
                    sleep(RETRY).await;
                    if let Ok(joined) = link.join(lang).await {
                        break joined;
                    }
                };
                let again = Input::Said(Tone::Good, text.found_again.into());
                is_wanted && send(see(&state, lang)) && send(again)
            }
        };
        if !is_wanted {
            return;
        }
    }
}

fn see(state: &GameState, lang: Lang) -> Input {
    match table::table(state, lang) {
        Ok(table) => Input::Table(Box::new(table)),
        Err(error) => Input::bad(format!("{error:#}")),
    }
}

/// Prints each move as a line, until the game is over.
async fn print(out: &mut impl Write, mut client: Client, state: &GameState) -> Result<()> {
    let name = |seat: &tablut_web::message::SeatInfo| {
        let name = seat.name.clone();
        let name = name.unwrap_or_else(|| seat.player.clone());
        harmless(&name).into_owned()
    };
    let (white, black) = (name(&state.seats.defenders), name(&state.seats.attackers));
    writeln!(out, "{}: {white} (white) - {black} (black)", state.rules)?;
    let mut state = state.clone();
    let mut printed: Vec<String> = Vec::new();
    loop {
        // Takebacks are printed, so that the lines stay true.
        let moves: Vec<String> = state.plies.iter().map(|(step, _)| step.clone()).collect();
        let same = printed
            .iter()
            .zip(&moves)
            .take_while(|(a, b)| a == b)
            .count();
        if same < printed.len() {
            writeln!(out, "back to move {same}")?;
        }
        for (n, (step, takes)) in state.plies.iter().enumerate().skip(same) {
            match &takes[..] {
                [] => writeln!(out, "{} {step}", n + 1)?,
                takes => writeln!(out, "{} {step} x {}", n + 1, takes.join(" "))?,
            }
        }
        printed = moves;
        if let Some(outcome) = &state.outcome {
            writeln!(out, "{}", harmless(&outcome.text))?;
            return Ok(());
        }
        out.flush()?;
        state = client.next_state().await?.clone();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_of_the_page_are_understood() {
        for url in [
            "http://127.0.0.1:5880/#game/abc",
            "127.0.0.1:5880/#game/abc",
            "http://127.0.0.1:5880/#game/abc/secret",
            "http://127.0.0.1:5880/game/abc",
            "http://127.0.0.1:5880/game/abc?turn=2#secret",
        ] {
            let link = Link::parse(url).expect("a link");
            assert_eq!(
                (link.server.as_str(), link.id.as_str()),
                ("127.0.0.1:5880", "abc")
            );
        }
    }

    #[test]
    fn what_is_no_link_is_refused_with_what_to_do() {
        for (url, part) in [
            ("", "names no server"),
            ("http://", "names no server"),
            ("http:///#game/abc", "names no server"),
            ("https://host/#game/abc", "only http"),
            ("ftp://host/#game/abc", "begin with http"),
            ("http://host:5880", "link for watchers"),
            ("http://host:5880/#tactics", "link for watchers"),
            ("http://host:5880/#game/", "its id has to follow"),
        ] {
            let error = Link::parse(url).expect_err("no link").to_string();
            assert!(error.contains(part), "{url}: {error}");
        }
    }
}
