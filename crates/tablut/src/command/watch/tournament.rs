//! How a tournament of a server stands, again and again until it is over.

use std::{collections::BTreeSet, io::Write, time::Duration};

use anyhow::{Result, bail};
use tablut_rules::text::Lang;
use tablut_web::{
    client::{Client, ClientError},
    message::{Answer, Ask, TournamentInfo, TournamentState},
};
use tokio::{sync::mpsc::UnboundedSender, time::sleep};

use super::{App, Input, Link, Look, Status, Text, Tone, area, drive, explain, standing};

/// How often the server is asked.
const PACE: Duration = Duration::from_secs(1);

/// Shows a tournament.
pub(super) async fn run(
    out: &mut impl Write,
    link: &Link,
    look: &Look,
    is_terminal: bool,
) -> Result<Status> {
    let lang = look.lang();
    let mut client = link
        .connect(lang)
        .await
        .map_err(|error| explain(link, error))?;
    let info = ask(&mut client, link)
        .await
        .map_err(|error| explain(link, error))?;
    if !is_terminal {
        print(out, client, link, info, Text::of(lang)).await?;
        return Ok(Status::Good);
    }
    let area = area("pipe the output to get lines")?;
    let Ok(set) = info.rules.parse::<tablut_rules::BuiltIn>() else {
        bail!(
            "the tournament is played by {:?}, a rule set this program does not have",
            info.rules
        );
    };
    let mut app = App::new(&[set.rules()], lang, area);
    let lines = standing::lines(&info, Text::of(lang));
    let first = app.tell(0, Input::Standing(lines));
    let (sender, receiver) = drive::feed()?;
    tokio::spawn(pump(link.clone(), client, lang, sender.clone()));
    drive::run(app, None, (sender, receiver), look.theme(), first).await?;
    Ok(Status::Good)
}

/// How the tournament stands.
async fn ask(client: &mut Client, link: &Link) -> Result<TournamentInfo, ClientError> {
    let tournament = link.id.clone();
    match client.ask(Ask::Tournament { tournament }).await? {
        Answer::Tournament(info) => Ok(info),
        _ => Err(ClientError::Closed),
    }
}

/// Sends how the tournament stands; a server that has gone is tried again.
async fn pump(link: Link, mut client: Client, lang: Lang, sender: UnboundedSender<Input>) {
    let text = Text::of(lang);
    loop {
        sleep(PACE).await;
        let input = match ask(&mut client, &link).await {
            Ok(info) => Input::Standing(standing::lines(&info, text)),
            Err(_) => match link.connect(lang).await {
                Ok(again) => {
                    client = again;
                    Input::Said(Tone::Good, text.found_again.into())
                }
                Err(_) => Input::bad(text.lost),
            },
        };
        if sender.send(input).is_err() {
            return;
        }
    }
}

/// Prints each result as a line, and the tables at the end.
async fn print(
    out: &mut impl Write,
    mut client: Client,
    link: &Link,
    mut info: TournamentInfo,
    text: &Text,
) -> Result<()> {
    let mut printed = BTreeSet::new();
    loop {
        for fixture in &info.fixtures {
            if fixture.outcome.is_some() && printed.insert(fixture.number) {
                writeln!(out, "{}", standing::fixture(fixture).trim_start())?;
            }
        }
        if [TournamentState::Over, TournamentState::Archived].contains(&info.entry.state) {
            // The results were printed as they came.
            info.fixtures.clear();
            for line in standing::lines(&info, text) {
                writeln!(out, "{line}")?;
            }
            return Ok(());
        }
        out.flush()?;
        sleep(PACE).await;
        info = ask(&mut client, link)
            .await
            .map_err(|error| explain(link, error))?;
    }
}
