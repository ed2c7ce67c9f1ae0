//! Runs the terminal game: keys, clocks, games and files around the state machine.

use std::{
    collections::VecDeque,
    fs::File,
    future::pending,
    io::{self, Write},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use crossterm::event::{self, Event};
use tokio::{
    sync::mpsc::{self, UnboundedReceiver, UnboundedSender},
    time::{MissedTickBehavior, interval},
};

use super::{
    analyst::Analyst,
    app::App,
    desk::Desk,
    draw::draw,
    effect::{Effect, Input, Tone},
    screen::Screen,
    text::Text,
    theme::Theme,
};

/// How often clocks are drawn anew.
const TICK: Duration = Duration::from_millis(250);

/// What comes from outside: keys, the mouse, signals.
pub(crate) fn feed() -> Result<(UnboundedSender<Input>, UnboundedReceiver<Input>)> {
    let (sender, receiver) = mpsc::unbounded_channel();
    let stop = sender.clone();
    ctrlc::set_handler(move || {
        if stop.send(Input::Stop).is_err() {
            std::process::exit(130);
        }
    })
    .context("cannot listen for Ctrl-C")?;
    Ok((sender, receiver))
}

/// Reads keys and the mouse until nobody wants them.
fn read_events(sender: &UnboundedSender<Input>) {
    loop {
        let input = match event::read() {
            Ok(Event::Key(key)) => Input::Key(key),
            Ok(Event::Mouse(event)) => Input::Mouse(event),
            Ok(Event::Resize(wide, high)) => Input::Resize(wide, high),
            Ok(_) => continue,
            // The terminal is gone.
            Err(_) => Input::Stop,
        };
        let is_end = matches!(input, Input::Stop);
        if sender.send(input).is_err() || is_end {
            return;
        }
    }
}

/// Runs the terminal game until it is left.
pub(crate) async fn run(
    mut app: App,
    desk: Option<Desk>,
    (sender, mut feed): (UnboundedSender<Input>, UnboundedReceiver<Input>),
    theme: Theme,
    first: Vec<Effect>,
) -> Result<()> {
    let begin = Instant::now();
    let now = || u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
    let mut driver = Driver {
        text: app.text,
        desk,
        analyst: Analyst::default(),
    };
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Skip);
    let mut screen = Screen::open().context("cannot use the terminal")?;
    thread::spawn(move || read_events(&sender));
    let mut queue = VecDeque::from(first);
    if let Some(desk) = &driver.desk {
        for input in desk.slots().await {
            queue.extend(app.tell(now(), input));
        }
    }
    let mut has_changed = true;
    loop {
        while let Some(effect) = queue.pop_front() {
            if matches!(effect, Effect::Quit) {
                return Ok(());
            }
            for input in driver.perform(effect).await {
                queue.extend(app.tell(now(), input));
            }
        }
        // Between moves, only a clock that runs changes; over a slow line, nothing else is sent.
        if has_changed {
            screen
                .terminal
                .draw(|frame| draw(frame, &app, theme))
                .context("cannot draw on the terminal")?;
        }
        let input = tokio::select! {
            input = feed.recv() => input.unwrap_or(Input::Stop),
            input = driver.news() => input,
            _ = ticks.tick() => Input::Tick,
        };
        has_changed = !matches!(input, Input::Tick) || app.has_running_clock();
        queue.extend(app.tell(now(), input));
    }
}

/// Does what the state machine wants done.
struct Driver {
    text: &'static Text,
    desk: Option<Desk>,
    analyst: Analyst,
}

impl Driver {
    /// Does something, and gives what came of it.
    async fn perform(&mut self, effect: Effect) -> Vec<Input> {
        match effect {
            Effect::Analyse(game) => {
                self.analyst.think(game.map(|game| *game));
                return Vec::new();
            }
            Effect::Write { path, text } => return vec![self.write(&path, &text)],
            Effect::Leave => self.analyst.think(None),
            _ => {}
        }
        match &mut self.desk {
            Some(desk) => desk.perform(effect).await,
            None => Vec::new(),
        }
    }

    /// Waits for something that nobody typed: a move, a thought, a hint.
    async fn news(&mut self) -> Input {
        let desk = async {
            match &mut self.desk {
                Some(desk) => desk.news().await,
                None => pending().await,
            }
        };
        tokio::select! {
            input = desk => input,
            analysis = self.analyst.next() => Input::Analysis(analysis),
        }
    }

    /// Writes a file that is not there yet.
    fn write(&self, path: &str, text: &str) -> Input {
        let written = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
        match written {
            Ok(()) => Input::Said(Tone::Good, format!("{} {path}", self.text.saved_to)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Input::bad(format!("{path} {}", self.text.exists))
            }
            Err(error) => Input::bad(format!("{path}: {error}")),
        }
    }
}
