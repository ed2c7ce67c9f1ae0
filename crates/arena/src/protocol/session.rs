//! The engine's side of the protocol as a state machine.

use std::sync::Arc;

use tablut_rules::{BuiltIn, Game, Move, Rules};

use super::{Command, Go, Info, Mode, OptionKind, OptionOffer, ParseCommandError, Reply, VERSION};

/// What the driver of a session has to do, in this order.
#[derive(Clone, Debug)]
pub enum Action {
    /// Write a line.
    Say(Reply),
    /// Forget what was learned; the next game has these rules.
    NewGame(Arc<Rules>),
    /// Set an option, which was offered and whose value fits.
    SetOption {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// Search, and report the end with [`Session::found`].
    Search {
        /// The game, with its history.
        game: Box<Game>,
        /// How to think.
        go: Go,
    },
    /// The budget of a search that ponders counts from now.
    StartClock,
    /// Make the search end soon.
    Stop,
    /// Stop and end.
    Quit,
}

/// What a session is doing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Idle,
    /// A search runs and may answer.
    Searching,
    /// A search runs and may not answer yet.
    Held(Mode),
    /// A search has ended with this move, but may not answer yet.
    Done(Option<Move>),
}

/// The engine's side of the protocol: receives every line and the end of every search.
///
/// Each `go` is answered by exactly one `bestmove`, whenever the search ends. A command that cannot
/// be obeyed changes nothing and is answered by `error`.
#[derive(Clone, Debug)]
pub struct Session {
    name: String,
    author: String,
    offers: Vec<OptionOffer>,
    rules: Arc<Rules>,
    game: Game,
    state: State,
}

impl Session {
    /// A session of an engine with a name, an author and options, about a game under `ashton`.
    #[must_use]
    pub fn new(name: &str, author: &str, offers: Vec<OptionOffer>) -> Self {
        let rules = Rules::ashton();
        Self {
            name: name.to_string(),
            author: author.to_string(),
            offers,
            game: Game::new(Arc::clone(&rules)),
            rules,
            state: State::Idle,
        }
    }

    /// Takes in a line, and gives what is to be done.
    pub fn told(&mut self, line: &str) -> Vec<Action> {
        match line.parse() {
            Ok(command) => self.obey(command),
            Err(ParseCommandError::Empty) => Vec::new(),
            Err(error) => refuse(&error),
        }
    }

    /// Takes in that the search has ended, with the best move, if there is one.
    pub fn found(&mut self, best: Option<Move>) -> Vec<Action> {
        match self.state {
            State::Searching => self.answer(best),
            State::Held(_) => {
                self.state = State::Done(best);
                Vec::new()
            }
            State::Idle | State::Done(_) => Vec::new(),
        }
    }

    /// What to say of how the search stands; nothing if none runs.
    #[must_use]
    pub fn info(&self, info: Info) -> Option<Action> {
        let runs = matches!(self.state, State::Searching | State::Held(_));
        runs.then_some(Action::Say(Reply::Info(info)))
    }

    /// Whether a search runs or its answer is held back.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.state != State::Idle
    }

    fn obey(&mut self, command: Command) -> Vec<Action> {
        match command {
            Command::Tablut(_) => self.greet(),
            Command::IsReady => vec![Action::Say(Reply::ReadyOk)],
            Command::Quit => vec![Action::Quit],
            Command::Stop => self.stop(),
            Command::PonderHit => self.ponder_hit(),
            Command::Option { .. }
            | Command::NewGame(_)
            | Command::Position(_)
            | Command::Go(_)
                if self.is_searching() =>
            {
                refuse("a search is running; send stop and wait for bestmove")
            }
            Command::Option { name, value } => self.set_option(name, value),
            Command::NewGame(id) => self.new_game(&id),
            Command::Position(place) => match place.game(&self.rules) {
                Ok(game) => {
                    self.game = game;
                    Vec::new()
                }
                Err(error) => refuse(&error),
            },
            Command::Go(go) => self.go(go),
        }
    }

    /// Whatever version is asked for, ours is the one that is spoken; later ones only add to it.
    fn greet(&self) -> Vec<Action> {
        const _: () = assert!(VERSION == 1);
        let mut replies = vec![
            Reply::Name(self.name.clone()),
            Reply::Author(self.author.clone()),
        ];
        replies.extend(self.offers.iter().cloned().map(Reply::Option));
        replies.push(Reply::TablutOk);
        replies.into_iter().map(Action::Say).collect()
    }

    fn set_option(&self, name: String, value: String) -> Vec<Action> {
        let Some(offer) = self.offers.iter().find(|offer| offer.name == name) else {
            let names: Vec<&str> = self
                .offers
                .iter()
                .map(|offer| offer.name.as_str())
                .collect();
            let names = names.join(", ");
            return refuse(&format!("there is no option {name}; there are: {names}"));
        };
        let fits = match &offer.kind {
            OptionKind::Number { least, most, .. } => {
                super::number(Some(&value)).is_some_and(|n: u64| (*least..=*most).contains(&n))
            }
            OptionKind::Switch { .. } => ["on", "off"].contains(&value.as_str()),
            OptionKind::Text { .. } => true,
        };
        if fits {
            vec![Action::SetOption { name, value }]
        } else {
            refuse(&format!("{value:?} is not valid: option {offer}"))
        }
    }

    fn new_game(&mut self, id: &str) -> Vec<Action> {
        let Ok(set) = id.parse::<BuiltIn>() else {
            return refuse(&format!("unknown rule set {id:?}"));
        };
        self.rules = set.rules();
        self.game = Game::new(Arc::clone(&self.rules));
        vec![Action::NewGame(Arc::clone(&self.rules))]
    }

    fn go(&mut self, go: Go) -> Vec<Action> {
        self.state = match go.mode {
            Mode::Normal => State::Searching,
            held => State::Held(held),
        };
        if self.game.outcome().is_some() {
            // Nothing is left to be searched.
            return self.found(None);
        }
        vec![Action::Search {
            game: Box::new(self.game.clone()),
            go,
        }]
    }

    fn stop(&mut self) -> Vec<Action> {
        match self.state {
            State::Idle => Vec::new(),
            State::Done(best) => self.answer(best),
            State::Searching | State::Held(_) => {
                self.state = State::Searching;
                vec![Action::Stop]
            }
        }
    }

    fn ponder_hit(&mut self) -> Vec<Action> {
        match self.state {
            State::Done(best) => self.answer(best),
            State::Held(Mode::Ponder) => {
                self.state = State::Searching;
                vec![Action::StartClock]
            }
            State::Idle | State::Searching | State::Held(_) => refuse("there is no ponder search"),
        }
    }

    fn answer(&mut self, best: Option<Move>) -> Vec<Action> {
        self.state = State::Idle;
        vec![Action::Say(Reply::BestMove(best))]
    }
}

fn refuse(reason: &(impl ToString + ?Sized)) -> Vec<Action> {
    vec![Action::Say(Reply::Error(reason.to_string()))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> Session {
        let hash = "Hash number 64 1 1024".parse().unwrap();
        let ponder = "Ponder switch off".parse().unwrap();
        Session::new("Test 1", "nobody", vec![hash, ponder])
    }

    /// Lines that are said, and other actions in words.
    fn words(actions: &[Action]) -> Vec<String> {
        let word = |action: &Action| match action {
            Action::Say(reply) => reply.to_string(),
            Action::NewGame(rules) => format!("<new game {}>", rules.set().id()),
            Action::SetOption { name, value } => format!("<set {name} to {value}>"),
            Action::Search { game, go } => format!("<search {}{go}>", game.plies().len()),
            Action::StartClock => "<start clock>".into(),
            Action::Stop => "<stop>".into(),
            Action::Quit => "<quit>".into(),
        };
        actions.iter().map(word).collect()
    }

    /// Each line with what it leads to; `= MOVE` is the end of a search.
    fn play(script: &[(&str, &[&str])]) {
        let mut session = session();
        for (line, expected) in script {
            let actions = match line.strip_prefix("= ") {
                Some(step) => session.found(step.parse().ok()),
                None => session.told(line),
            };
            assert_eq!(words(&actions), *expected, "{line}");
        }
    }

    #[test]
    fn a_whole_game_goes_as_documented() {
        play(&[
            (
                "tablut 1",
                &[
                    "id name Test 1",
                    "id author nobody",
                    "option Hash number 64 1 1024",
                    "option Ponder switch off",
                    "tablutok",
                ],
            ),
            ("option Hash 128", &["<set Hash to 128>"]),
            ("newgame berkeley", &["<new game berkeley>"]),
            ("isready", &["readyok"]),
            ("position start moves d1c1", &[]),
            ("go time 200", &["<search 1 time 200>"]),
            ("= e4d4", &["bestmove e4d4"]),
            ("", &[]),
            ("quit", &["<quit>"]),
        ]);
    }

    #[test]
    fn an_infinite_search_answers_only_when_it_is_stopped() {
        play(&[
            ("go infinite", &["<search 0 infinite>"]),
            ("isready", &["readyok"]),
            ("stop", &["<stop>"]),
            ("= e4d4", &["bestmove e4d4"]),
            ("stop", &[]),
            ("go infinite", &["<search 0 infinite>"]),
            ("= e4d4", &[]),
            ("stop", &["bestmove e4d4"]),
        ]);
    }

    #[test]
    fn pondering_answers_after_a_hit_or_a_stop() {
        play(&[
            ("go ponder time 100", &["<search 0 ponder time 100>"]),
            ("ponderhit", &["<start clock>"]),
            ("= e4d4", &["bestmove e4d4"]),
            ("go ponder time 100", &["<search 0 ponder time 100>"]),
            ("= e4d4", &[]),
            ("ponderhit", &["bestmove e4d4"]),
            ("go ponder nodes 9", &["<search 0 ponder nodes 9>"]),
            ("stop", &["<stop>"]),
            ("= e4d4", &["bestmove e4d4"]),
            ("ponderhit", &["error there is no ponder search"]),
        ]);
    }

    #[test]
    fn what_cannot_be_obeyed_changes_nothing() {
        const BUSY: &str = "error a search is running; send stop and wait for bestmove";
        play(&[
            ("hello", &["error unknown command \"hello\""]),
            (
                "option Colour red",
                &["error there is no option Colour; there are: Hash, Ponder"],
            ),
            (
                "option Hash 0",
                &["error \"0\" is not valid: option Hash number 64 1 1024"],
            ),
            ("newgame chess", &["error unknown rule set \"chess\""]),
            ("position start moves e4d4", &[]),
            (
                "position start moves e4e5",
                &["error e4e5 cannot be made: the king already stands on e5"],
            ),
            ("go depth 3", &["<search 1 depth 3>"]),
            ("go depth 3", &[BUSY]),
            ("position start", &[BUSY]),
            ("newgame ashton", &[BUSY]),
            ("= d1c1", &["bestmove d1c1"]),
            ("= d1c1", &[]),
        ]);
    }

    #[test]
    fn a_game_that_is_over_has_no_move() {
        let over = "position 9/9/1b1K5/9/9/9/9/9/9 w moves d3i3";
        play(&[
            (over, &[]),
            ("go time 100", &["bestmove none"]),
            ("go infinite", &[]),
            ("stop", &["bestmove none"]),
        ]);
    }

    #[test]
    fn no_sequence_of_lines_does_harm_and_every_go_has_one_answer() {
        const WORDS: [&str; 22] = [
            "tablut 1",
            "option Hash",
            "64",
            "newgame",
            "ashton",
            "berkeley",
            "isready",
            "position start",
            "moves",
            "e4d4",
            "d1c1",
            "go time 5",
            "nodes 7",
            "go depth 3",
            "go ponder nodes 5",
            "go infinite",
            "ponderhit",
            "stop",
            "stop",
            "position",
            "9/9/1b1K5/9/9/9/9/9/9 w",
            "é\u{0}",
        ];
        let mut random = tablut_rules::Random::new(1);
        let mut session = session();
        let (mut searches, mut answers) = (0, 0);
        for _ in 0..20_000 {
            let mut words = vec![WORDS[random.below(WORDS.len())]];
            while random.below(3) > 0 {
                words.push(WORDS[random.below(WORDS.len())]);
            }
            let is_idle = !session.is_searching();
            let mut actions = session.told(&words.join(" "));
            let is_refused = matches!(actions[..], [Action::Say(Reply::Error(_))]);
            searches += usize::from(words[0].starts_with("go") && is_idle && !is_refused);
            if random.below(4) == 0 {
                actions.extend(session.found(None));
            }
            let best = |action: &&Action| matches!(action, Action::Say(Reply::BestMove(_)));
            answers += actions.iter().filter(best).count();
        }
        assert!(searches > 100);
        assert_eq!(answers + usize::from(session.is_searching()), searches);
    }

    #[test]
    fn infos_are_said_only_while_a_search_runs() {
        let mut session = session();
        assert!(session.info(Info::default()).is_none());
        session.told("go depth 3");
        assert!(session.info(Info::default()).is_some());
        assert!(session.is_searching());
        session.found(None);
        assert!(session.info(Info::default()).is_none());
    }
}
