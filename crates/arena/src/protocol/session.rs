//! The engine's side of the protocol as a state machine.

use std::sync::Arc;

use tablut_rules::{BuiltIn, Game, Move, Rules};

use super::{
    EngineCommand, EngineReply, Go, Info, Mode, OptionKind, OptionOffer, ParseCommandError, VERSION,
};

/// What the driver of a session has to do, in this order.
#[derive(Clone, Debug)]
pub enum EngineAction {
    /// Write a line.
    Say(EngineReply),
    /// Forget what was learned; the next game has these rules.
    NewGame(Arc<Rules>),
    /// Set an option, which was offered and whose value fits.
    SetOption {
        /// Its name.
        name: String,
        /// Its value.
        value: String,
    },
    /// Search, and report the end with [`EngineSession::found`].
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
enum Phase {
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
pub struct EngineSession {
    name: String,
    author: String,
    offers: Vec<OptionOffer>,
    rules: Arc<Rules>,
    game: Game,
    state: Phase,
}

impl EngineSession {
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
            state: Phase::Idle,
        }
    }

    /// Takes in a line, and gives what is to be done.
    pub fn told(&mut self, line: &str) -> Vec<EngineAction> {
        match line.parse() {
            Ok(command) => self.obey(command),
            Err(ParseCommandError::Empty) => Vec::new(),
            Err(error) => refuse(&error),
        }
    }

    /// Takes in that the search has ended, with the best move, if there is one.
    pub fn found(&mut self, best: Option<Move>) -> Vec<EngineAction> {
        match self.state {
            Phase::Searching => self.answer(best),
            Phase::Held(_) => {
                self.state = Phase::Done(best);
                Vec::new()
            }
            Phase::Idle | Phase::Done(_) => Vec::new(),
        }
    }

    /// What to say of how the search stands; nothing if none runs.
    #[must_use]
    pub fn info(&self, info: Info) -> Option<EngineAction> {
        let runs = matches!(self.state, Phase::Searching | Phase::Held(_));
        runs.then_some(EngineAction::Say(EngineReply::Info(info)))
    }

    /// Whether a search runs or its answer is held back.
    #[must_use]
    pub fn is_searching(&self) -> bool {
        self.state != Phase::Idle
    }

    fn obey(&mut self, command: EngineCommand) -> Vec<EngineAction> {
        match command {
            EngineCommand::Tablut(_) => self.greet(),
            EngineCommand::IsReady => vec![EngineAction::Say(EngineReply::ReadyOk)],
            EngineCommand::Quit => vec![EngineAction::Quit],
            EngineCommand::Stop => self.stop(),
            EngineCommand::PonderHit => self.ponder_hit(),
            EngineCommand::Option { .. }
            | EngineCommand::NewGame(_)
            | EngineCommand::Position(_)
            | EngineCommand::Go(_)
                if self.is_searching() =>
            {
                refuse("a search is running; send stop and wait for bestmove")
            }
            EngineCommand::Option { name, value } => self.set_option(name, value),
            EngineCommand::NewGame(id) => self.new_game(&id),
            EngineCommand::Position(place) => match place.game(&self.rules) {
                Ok(game) => {
                    self.game = game;
                    Vec::new()
                }
                Err(error) => refuse(&error),
            },
            EngineCommand::Go(go) => self.go(go),
        }
    }

    /// Whatever version is asked for, ours is the one that is spoken; later ones only add to it.
    fn greet(&self) -> Vec<EngineAction> {
        const _: () = assert!(VERSION == 1);
        let mut replies = vec![
            EngineReply::Name(self.name.clone()),
            EngineReply::Author(self.author.clone()),
        ];
        replies.extend(self.offers.iter().cloned().map(EngineReply::Option));
        replies.push(EngineReply::TablutOk);
        replies.into_iter().map(EngineAction::Say).collect()
    }

    fn set_option(&self, name: String, value: String) -> Vec<EngineAction> {
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
            vec![EngineAction::SetOption { name, value }]
        } else {
            refuse(&format!("{value:?} is not valid: option {offer}"))
        }
    }

    fn new_game(&mut self, id: &str) -> Vec<EngineAction> {
        let Ok(set) = id.parse::<BuiltIn>() else {
            return refuse(&format!("unknown rule set {id:?}"));
        };
        self.rules = set.rules();
        self.game = Game::new(Arc::clone(&self.rules));
        vec![EngineAction::NewGame(Arc::clone(&self.rules))]
    }

    fn go(&mut self, go: Go) -> Vec<EngineAction> {
        self.state = match go.mode {
            Mode::Normal => Phase::Searching,
            held => Phase::Held(held),
        };
        if self.game.outcome().is_some() {
            // Nothing is left to be searched.
            return self.found(None);
        }
        vec![EngineAction::Search {
            game: Box::new(self.game.clone()),
            go,
        }]
    }

    fn stop(&mut self) -> Vec<EngineAction> {
        match self.state {
            Phase::Idle => Vec::new(),
            Phase::Done(best) => self.answer(best),
            Phase::Searching | Phase::Held(_) => {
                self.state = Phase::Searching;
                vec![EngineAction::Stop]
            }
        }
    }

    fn ponder_hit(&mut self) -> Vec<EngineAction> {
        match self.state {
            Phase::Done(best) => self.answer(best),
            Phase::Held(Mode::Ponder) => {
                self.state = Phase::Searching;
                vec![EngineAction::StartClock]
            }
            Phase::Idle | Phase::Searching | Phase::Held(_) => refuse("there is no ponder search"),
        }
    }

    fn answer(&mut self, best: Option<Move>) -> Vec<EngineAction> {
        self.state = Phase::Idle;
        vec![EngineAction::Say(EngineReply::BestMove(best))]
    }
}

fn refuse(reason: &(impl ToString + ?Sized)) -> Vec<EngineAction> {
    vec![EngineAction::Say(EngineReply::Error(reason.to_string()))]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session() -> EngineSession {
        let hash = "Hash number 64 1 1024".parse().unwrap();
        let ponder = "Ponder switch off".parse().unwrap();
        EngineSession::new("Test 1", "nobody", vec![hash, ponder])
    }

    /// Lines that are said, and other actions in words.
    fn words(actions: &[EngineAction]) -> Vec<String> {
        let word = |action: &EngineAction| match action {
            EngineAction::Say(reply) => reply.to_string(),
            EngineAction::NewGame(rules) => format!("<new game {}>", rules.set().id()),
            EngineAction::SetOption { name, value } => format!("<set {name} to {value}>"),
            EngineAction::Search { game, go } => format!("<search {}{go}>", game.plies().len()),
            EngineAction::StartClock => "<start clock>".into(),
            EngineAction::Stop => "<stop>".into(),
            EngineAction::Quit => "<quit>".into(),
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
            let is_refused = matches!(actions[..], [EngineAction::Say(EngineReply::Error(_))]);
            searches += usize::from(words[0].starts_with("go") && is_idle && !is_refused);
            if random.below(4) == 0 {
                actions.extend(session.found(None));
            }
            let best = |action: &&EngineAction| {
                matches!(action, EngineAction::Say(EngineReply::BestMove(_)))
            };
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
