//! A client that runs, and such a client as a player.

use std::{
    io::{self, Write},
    net::{TcpListener, TcpStream},
    process::Stdio,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use tablut_arena::{Absence, Choice, Mover, MoverError, Question, Unfit};
use tablut_challenge::{
    PORTS,
    client::{Heard, Incoming},
    frame::{Frame, frame},
    message::{Action, State, Turn, read_name},
};
use tablut_rules::{Game, Rules, Setup, Side};

use crate::{
    Lobby, MoverOptions,
    supervise::{Isolation, Printed, Supervised, SupervisorOrder, is_shortage},
    template::Template,
};

/// How often a wait checks the stop signal.
pub(super) const LOOK: Duration = Duration::from_millis(50);

/// How long a client that is started elsewhere is waited for, at least.
const AWAY: Duration = Duration::from_secs(60);

/// How long a client may take to end by itself after the last state.
const FAREWELL: Duration = Duration::from_millis(500);

/// What plays for a program that connects by itself and says a secret.
#[must_use]
pub fn remote(lobby: &Lobby, secret: &str, options: &MoverOptions) -> Box<dyn Mover> {
    let source = Source::Lobby(lobby.clone(), secret.into());
    Box::new(ClientMover::new(source, options))
}

/// A client that was started for a game and has connected.
#[derive(Debug)]
pub(crate) struct Guest {
    // Dropped first: then the program is ended.
    incoming: Incoming,
    stream: TcpStream,
    /// Nothing if it was started elsewhere.
    program: Option<Supervised>,
    output: Option<Printed>,
    /// When the last state was sent.
    sent: Option<Instant>,
}

impl Guest {
    /// Starts a client and waits until it connects to the port of its side.
    ///
    /// # Errors
    /// It cannot be started, or does not come.
    pub(crate) fn start(
        template: &Template,
        side: Side,
        options: &MoverOptions,
    ) -> Result<Self, MoverError> {
        let isolation = options.isolation;
        let address = isolation.address();
        let words = template.fill(side, options.move_ms, address);
        let unfit = |cause: Unfit| MoverError::Unfit {
            player: format!("client:{}", words[0]),
            cause,
        };
        let short = |error: io::Error| unfit(Unfit::Machine(error));
        let Some(supervisor) = &options.supervisor else {
            return Err(unfit(Unfit::Start(io::Error::other(
                "there is no supervisor to start it",
            ))));
        };
        let opened = options.output.as_deref();
        let opened = opened.map(|folder| Printed::create(folder, options.keeps_output));
        let (output, file) = opened.transpose().map_err(short)?.unzip();
        let again = file.as_ref().map(|file| file.try_clone()).transpose();
        let stdio = |file: Option<_>| file.map_or_else(Stdio::null, Stdio::from);
        let order = SupervisorOrder {
            namespace: isolation == Isolation::Namespace,
            address,
            ports: &[PORTS[side]],
            output: stdio(again.map_err(short)?),
            errors: stdio(file),
            startup: Duration::from_millis(options.startup_ms),
            ..SupervisorOrder::new(supervisor, &options.confinement, &words)
        };
        let started = Supervised::start(order);
        let (mut program, listeners) = started.map_err(|error| unfit(error.into()))?;
        let [listener] = &listeners[..] else {
            return Err(MoverError::Gone("there is nothing to connect to".into()));
        };
        let gone = |text: String| MoverError::Gone(describe(&text, output.as_ref()));
        let stream = accept(listener, &mut program, options, &gone, &short)?;
        let incoming = Incoming::new(&stream).map_err(|error| match is_shortage(&error) {
            true => short(error),
            false => gone(error.to_string()),
        })?;
        Ok(Self {
            incoming,
            stream,
            program: Some(program),
            output,
            sent: None,
        })
    }

    /// A client that has connected by itself.
    pub(super) const fn connected(incoming: Incoming, stream: TcpStream) -> Self {
        Self {
            incoming,
            stream,
            program: None,
            output: None,
            sent: None,
        }
    }

    /// Whether the other end is still there, as far as one can see without hearing anything.
    pub(super) fn is_there(&self) -> bool {
        self.incoming.is_open()
    }

    /// Waits for a frame; late if none comes in the time given.
    pub(crate) fn hear(
        &mut self,
        time: Option<Duration>,
        options: &MoverOptions,
    ) -> Result<Frame, MoverError> {
        let deadline = time.and_then(|time| Instant::now().checked_add(time));
        loop {
            if options.stop.is_abandoned() {
                return Err(MoverError::Stopped);
            }
            let left = deadline.map(|at| at.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Err(MoverError::Late);
            }
            match self.incoming.next(left.unwrap_or(LOOK).min(LOOK)) {
                Heard::Frame(_, frame) => return Ok(frame),
                Heard::Nothing => {}
                Heard::End => return Err(self.gone("the client closed the connection")),
            }
        }
    }

    pub(crate) fn gone(&mut self, text: &str) -> MoverError {
        // A connection is closed a moment before its program has ended.
        let program = self.program.as_mut();
        let ended = program.and_then(|program| {
            program.ends_within(FAREWELL);
            program.ended()
        });
        let text = match ended {
            Some(how) => format!("{text}: the program ended ({how})"),
            None => text.to_string(),
        };
        MoverError::Gone(describe(&text, self.output.as_ref()))
    }

    /// Sends bytes in one piece, but not sooner after the last ones than the pace allows. A client
    /// that does not take them is found out when it should move.
    pub(crate) fn send(&mut self, bytes: &[u8], options: &MoverOptions) {
        let pace = Duration::from_millis(options.pace_ms);
        let wait = |sent: Instant| pace.saturating_sub(sent.elapsed());
        while let Some(left) = self.sent.map(wait)
            && !left.is_zero()
            && !options.stop.is_abandoned()
        {
            thread::sleep(left.min(LOOK));
        }
        drop(self.stream.set_write_timeout(Some(FAREWELL)));
        drop(self.stream.write_all(bytes));
        self.sent = Some(Instant::now());
    }

    /// Says that nothing more will come, and lets the client end by itself for a while; whether it
    /// did.
    pub(crate) fn farewell(mut self, patience: Duration) -> bool {
        drop(self.stream.shutdown(std::net::Shutdown::Write));
        let program = self.program.as_mut();
        program.is_none_or(|program| program.ends_within(patience))
    }
}

/// Waits until a client connects.
fn accept(
    listener: &TcpListener,
    program: &mut Supervised,
    options: &MoverOptions,
    gone: &dyn Fn(String) -> MoverError,
    short: &dyn Fn(io::Error) -> MoverError,
) -> Result<TcpStream, MoverError> {
    let start = Instant::now();
    let failed = |error: io::Error| gone(error.to_string());
    listener.set_nonblocking(true).map_err(failed)?;
    loop {
        match listener.accept() {
            Ok((stream, _)) => {
                stream.set_nonblocking(false).map_err(failed)?;
                stream.set_nodelay(true).map_err(failed)?;
                return Ok(stream);
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(error) if is_shortage(&error) => return Err(short(error)),
            Err(error) => return Err(failed(error)),
        }
        if options.stop.is_abandoned() {
            return Err(MoverError::Stopped);
        }
        if let Some(status) = program.ended() {
            return Err(gone(format!(
                "the client ended before it connected ({status})"
            )));
        }
        if start.elapsed() > Duration::from_millis(options.startup_ms) {
            return Err(gone(
                "the client did not connect to its port in time".into(),
            ));
        }
        thread::sleep(Duration::from_millis(5));
    }
}

/// A state as a frame.
pub(crate) fn state(game: &Game) -> Vec<u8> {
    let state = State {
        setup: Setup::from(game.position()),
        turn: Turn::new(game.position().side(), game.outcome()),
    };
    frame(state.payload(game.rules()).as_bytes())
}

/// Where the client of a game comes from.
#[derive(Debug)]
pub(super) enum Source {
    /// It is started.
    Program(Template),
    /// It connects by itself and says a secret.
    Lobby(Lobby, String),
}

/// A client of the contest as a player. It is started again, or connects again, for each game.
#[derive(Debug)]
pub(super) struct ClientMover {
    source: Source,
    options: MoverOptions,
    guest: Option<Guest>,
}

impl ClientMover {
    pub(super) fn new(source: Source, options: &MoverOptions) -> Self {
        Self {
            source,
            options: options.clone(),
            guest: None,
        }
    }

    /// Starts the client and hears its name.
    fn start(&self, side: Side) -> Result<Guest, MoverError> {
        let patience = Duration::from_millis(self.options.startup_ms);
        let template = match &self.source {
            Source::Program(template) => template,
            Source::Lobby(lobby, secret) => {
                // People start it, perhaps on another continent.
                let patience = patience.max(AWAY);
                return lobby.take(secret, side, patience, &self.options.stop);
            }
        };
        let mut guest = Guest::start(template, side, &self.options)?;
        match guest.hear(Some(patience), &self.options) {
            Ok(Frame::Payload(name)) if read_name(&name).is_ok() => Ok(guest),
            // There is no clock yet: a late client counts as gone.
            Ok(_) | Err(MoverError::Late) => Err(guest.gone("the client did not send its name")),
            Err(error) => Err(error),
        }
    }
}

impl Mover for ClientMover {
    fn new_game(&mut self, _: &Arc<Rules>, side: Side, _: u64) -> Result<(), MoverError> {
        self.guest = None;
        self.guest = Some(self.start(side)?);
        Ok(())
    }

    fn choose(&mut self, _: &Game, question: Question<'_>) -> Result<Choice, MoverError> {
        let Some(guest) = &mut self.guest else {
            return Err(MoverError::Gone("the client is not running".into()));
        };
        let allowed = |ms: u64| Duration::from_millis(ms.saturating_add(self.options.grace_ms));
        let heard = guest.hear(question.budget.time_ms.map(allowed), &self.options)?;
        let Frame::Payload(payload) = heard else {
            let text = "the client sent an impossible length";
            return Err(MoverError::Illegal(text.into()));
        };
        let step = Action::read(&payload).ok().and_then(|action| action.step());
        step.map(Choice::from).ok_or_else(|| {
            let text: String = String::from_utf8_lossy(&payload).chars().take(80).collect();
            MoverError::Illegal(format!("{text:?} is not a move"))
        })
    }

    fn watch(&mut self, game: &Game) {
        if let Some(guest) = &mut self.guest {
            guest.send(&state(game), &self.options);
        }
        if game.outcome().is_some()
            && let Some(guest) = self.guest.take()
        {
            guest.farewell(FAREWELL);
        }
    }
}

fn describe(text: &str, output: Option<&Printed>) -> Absence {
    output.map_or_else(|| text.into(), |output| output.describe(text))
}
