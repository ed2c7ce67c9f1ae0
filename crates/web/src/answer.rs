//! What is done for each request of a page.

#[cfg(test)]
mod tests;

use std::{future::pending, sync::Arc, time::Instant};

use tablut_arena::Player;
use tablut_guest::throttle::Bucket;
use tablut_host::{
    Host, HostError, Job, Opponent, Order, Refused, Terms, Ticket, read_control, study,
    tournament::{Contest, ContestError},
};
use tablut_rules::{
    Move, Rules, Setup, Side,
    text::{Lang, is_harmful},
};
use tablut_store::{Game, GameFilter, NamedPosition, Saved, StoreError, Visitor};
use tokio::task::{JoinError, JoinHandle, spawn_blocking};

use crate::{
    crowd::{Crowd, Deed, Origin},
    exchange,
    message::{
        Answer, Ask, GameState, LibraryEntry, NewGame, OpponentName, Place, Problem, Section,
    },
    speech::{self, Line, problem},
    state, tournament,
};

/// The settings a visitor may have, and the longest value.
const SETTINGS: &[&str] = &["lang", "theme", "board", "overlays", "new"];
const LONGEST_VALUE: usize = 500;

/// Whose settings are the server's own.
const SERVER: &str = "server";

/// The longest name of a visitor and of a position, in letters.
const LONGEST_NAME: usize = 40;
const LONGEST_TITLE: usize = 80;

/// How long a text may be that holds a game, in bytes.
pub(crate) const LONGEST_TEXT: usize = 1024 * 1024;

/// How many moves a line may have; each question plays it through.
const LONGEST_LINE: usize = 1000;

/// How many games and positions a list shows.
const LIST: u32 = 100;

/// How many games of the contest's ports are shown.
const REFEREED: u32 = 20;

/// A visitor on one open page.
pub(crate) struct Visit {
    pub(crate) host: Host,
    pub(crate) visitor: Visitor,
    /// Whether the visitor is kept in the store; who leaves nothing is not.
    pub(crate) is_known: bool,
    pub(crate) lang: Lang,
    /// Where the visitor comes from.
    pub(crate) origin: Origin,
    pub(crate) crowd: Crowd,
    /// What an organiser has to know who is elsewhere.
    pub(crate) token: Option<Arc<str>>,
    /// Whether the visitor has said it.
    pub(crate) knows_token: bool,
    /// The beginning of links that others can open.
    pub(crate) public: Option<Arc<str>>,
    /// The game they look at.
    pub(crate) game: Option<Ticket>,
    /// Their way back to a game whose session has ended.
    pub(crate) back: Option<Back>,
    /// The hint they wait for, with the number of the request.
    pub(crate) hint: Option<(u32, Job)>,
    /// How often they may make games.
    pub(crate) games: Bucket,
}

pub(crate) type Answered = Result<Answer, Problem>;

/// The way back to a game whose session has ended, as when another process has changed it. It is kept
/// here until it is at its end: whatever else the page is told meanwhile, no game gets lost.
pub(crate) enum Back {
    /// The game is joined again.
    Joining { game: String, joining: Joining },
    /// That failed, which the page has to be told.
    Failed { game: String, problem: Problem },
}

/// A task of its own: it does not stop when nobody waits for it.
type Joining = JoinHandle<Result<Ticket, HostError>>;

impl Visit {
    pub(crate) fn problem<T>(&self, line: Line) -> Result<T, Problem> {
        Err(problem(self.lang, line))
    }

    fn rules(&self, id: &str) -> Result<&Arc<Rules>, Problem> {
        let rules = self.host.rules(id);
        rules.ok_or_else(|| problem(self.lang, Line::NoSuchRules))
    }

    fn setup(&self, text: &str) -> Result<Setup, Problem> {
        let setup = text.parse();
        setup.map_err(|_| problem(self.lang, Line::NoPosition))
    }

    fn step(&self, text: &str) -> Result<Move, Problem> {
        let step = text.parse();
        step.map_err(|_| problem(self.lang, Line::NoMove))
    }

    fn steps(&self, texts: &[String]) -> Result<Vec<Move>, Problem> {
        if texts.len() > LONGEST_LINE {
            return self.problem(Line::TooManyMoves);
        }
        texts.iter().map(|text| self.step(text)).collect()
    }

    fn kept<T>(&self, result: Result<T, StoreError>) -> Result<T, Problem> {
        result.map_err(|error| speech::store(self.lang, &error))
    }

    fn hosted<T>(&self, result: Result<T, HostError>) -> Result<T, Problem> {
        result.map_err(|error| speech::host(self.lang, &error))
    }

    /// Does what is asked.
    pub(crate) async fn answer(&mut self, ask: Ask) -> Answered {
        match ask {
            Ask::Ping => Ok(Answer::Done),
            Ask::Hello { lang } => {
                self.lang = lang.into();
                self.welcome().await
            }
            Ask::Name { name } => self.name(&name).await,
            Ask::Setting { name, value } => self.setting(&name, &value).await,
            Ask::ServerSetting { name, value } => self.server_setting(&name, &value).await,
            Ask::Rules { rules } => self.describe(&rules),
            Ask::Study { place, moves } => {
                let (rules, setup) = (self.rules(&place.rules)?, self.setup(&place.setup)?);
                let study = study(rules, &setup, &self.steps(&moves)?);
                let study = study.map_err(|error| speech::study(self.lang, &error))?;
                Ok(Answer::Study(state::study_info(&study, self.lang)))
            }
            Ask::Explain {
                place,
                moves,
                step,
                turns,
            } => self.explain(&place, &moves, &step, turns),
            Ask::Read { text, rules } => {
                let (host, rules) = (self.host.clone(), Arc::clone(self.rules(&rules)?));
                self.read(host, rules, text).await
            }
            Ask::Write { place, moves } => {
                let (rules, setup) = (self.rules(&place.rules)?, self.setup(&place.setup)?);
                let texts = exchange::write(rules, &setup, &self.steps(&moves)?);
                Ok(Answer::Texts(texts.map_err(|text| speech::plain(&text))?))
            }
            Ask::Slots => {
                let slots = self.kept(self.host.store().slots(&self.visitor.id).await)?;
                let slots = slots.into_iter();
                let slots = slots.map(|(number, saved)| (number, place_of(&saved)));
                Ok(Answer::Slots(slots.collect()))
            }
            Ask::SaveSlot { number, place } => self.save_slot(number, place).await,
            Ask::Library { search } => self.library(&search).await,
            Ask::SavePosition {
                position,
                name,
                place,
            } => self.save_position(position, &name, &place).await,
            Ask::DeletePosition { position } => {
                let store = self.host.store();
                let deleted = store.delete_position(&self.visitor.id, &position).await;
                self.kept(deleted)?;
                Ok(Answer::Done)
            }
            Ask::NewGame(new) => self.new_game(&new).await,
            Ask::Games => {
                let store = self.host.store();
                let id = &self.visitor.id;
                let games = self.kept(store.games_of(id, GameFilter::All, LIST).await)?;
                let entry = |game| state::game_entry(game, id, self.lang);
                Ok(Answer::Games(games.iter().map(entry).collect()))
            }
            Ask::Join { game, secret } => {
                (self.game, self.back) = (None, None);
                let mut ticket = self.join(&game, secret.as_deref()).await?;
                // The first state is news, whatever the channel thinks.
                ticket.views.mark_changed();
                self.game = Some(ticket);
                Ok(Answer::Done)
            }
            Ask::Leave => {
                (self.game, self.back) = (None, None);
                Ok(Answer::Done)
            }
            Ask::Move { ply, step } => self.play(ply, &step).await,
            Ask::Wish { wish } => {
                self.come_back().await;
                let wished = self.ticket()?.wish(wish.into()).await;
                wished.map_err(|refused| speech::refused(self.lang, &refused))?;
                Ok(Answer::Done)
            }
            Ask::Rematch => self.rematch().await,
            Ask::Record => {
                self.come_back().await;
                let game = self.ticket()?.views.borrow().game.clone();
                let record = self.kept(self.host.store().record(&game).await)?;
                Ok(Answer::Text(record.to_string()))
            }
            Ask::Tournaments => self.tournaments().await,
            Ask::Tournament { tournament } => {
                let scene = self.contest(self.host.scene(&tournament).await)?;
                let mut info = tournament::info(&scene, self.lang, self.is_organiser());
                info.token = self.token.is_some();
                Ok(Answer::Tournament(info))
            }
            Ask::RunTournament { tournament, wish } => self.run_tournament(&tournament, wish).await,
            Ask::CorrectTournament {
                tournament,
                correction,
                why,
            } => self.correct_tournament(&tournament, correction, why).await,
            Ask::Organise { token } => self.organise(&token),
            Ask::Ratings => {
                let ratings = self.kept(self.host.ratings().await)?;
                Ok(Answer::Ratings(tournament::ratings(&ratings)))
            }
            // A hint comes later; see `ask_hint`.
            Ask::Hint { .. } => self.problem(Line::BadMessage),
        }
    }

    pub(crate) fn contest<T>(&self, result: Result<T, ContestError>) -> Result<T, Problem> {
        result.map_err(|error| match error {
            ContestError::Store(error) => speech::store(self.lang, &error),
            error => speech::plain(&error.to_string()),
        })
    }

    async fn tournaments(&self) -> Answered {
        let (mut entries, mut archived) = (Vec::new(), Vec::new());
        for kept in self.kept(self.host.store().tournaments().await)? {
            // One that another version made does not hide the others.
            let Ok(contest) = Contest::new(&kept) else {
                continue;
            };
            let fixtures = self.kept(self.host.store().fixtures(&kept.id).await)?;
            let entry = tournament::entry(&contest, kept.state, &fixtures);
            match contest.is_archived() {
                false => entries.push(entry),
                true if self.is_organiser() => archived.push(entry),
                true => (),
            }
        }
        let store = self.host.store();
        let games = store
            .games_of(Game::OF_REFEREE, GameFilter::All, REFEREED)
            .await;
        let entry = |game| state::game_entry(game, &self.visitor.id, self.lang);
        Ok(Answer::Tournaments {
            list: entries,
            archived,
            refereed: self.kept(games)?.iter().map(entry).collect(),
        })
    }

    fn ticket(&self) -> Result<&Ticket, Problem> {
        let ticket = self.game.as_ref();
        ticket.ok_or_else(|| match &self.back {
            Some(Back::Failed { problem, .. }) => problem.clone(),
            _ => problem(self.lang, Line::NoGame),
        })
    }

    /// Makes a move; one that was made already is not made again.
    async fn play(&mut self, ply: usize, step: &str) -> Answered {
        let step = self.step(step)?;
        self.come_back().await;
        let mut played = self.ticket()?.play(ply, step).await;
        if matches!(played, Err(Refused::Gone)) {
            // The session has just ended; the next one knows whether the move was made.
            self.turn_back();
            self.come_back().await;
            played = self.ticket()?.play(ply, step).await;
        }
        played.map_err(|refused| speech::refused(self.lang, &refused))?;
        Ok(Answer::Done)
    }

    async fn read(&self, host: Host, rules: Arc<Rules>, text: String) -> Answered {
        if text.len() > LONGEST_TEXT {
            return self.problem(Line::TooLong);
        }
        // A long game takes a while; other visitors do not wait for it.
        let read = move || exchange::read(&host, &rules, &text);
        let Ok(content) = spawn_blocking(read).await else {
            return self.problem(Line::NoPosition);
        };
        let content = content.map_err(|text| speech::plain(&text))?;
        Ok(Answer::Read {
            place: place(content.rules.set().id(), &content.setup),
            moves: content.moves.iter().map(Move::to_string).collect(),
        })
    }

    async fn welcome(&self) -> Answered {
        let store = self.host.store();
        let sets = self.host.rule_sets();
        let server = self.kept(store.settings(SERVER).await)?;
        let default_rules = server
            .into_iter()
            .find_map(|(name, value)| (name == "rules").then_some(value))
            .filter(|id| self.host.rules(id).is_some())
            .or_else(|| sets.first().map(|rules| rules.set().id().into()));
        Ok(Answer::Welcome {
            name: self.visitor.name.clone(),
            settings: self.kept(store.settings(&self.visitor.id).await)?,
            sets: sets
                .iter()
                .map(|rules| state::set_info(rules, self.lang))
                .collect(),
            default_rules: default_rules.unwrap_or_default(),
            local: self.origin.is_local,
            public: self.public.as_deref().map(Into::into),
        })
    }

    /// Sees that the visitor is kept before something of theirs is.
    async fn settle(&mut self) -> Result<(), Problem> {
        if self.is_known {
            return Ok(());
        }
        if !self.crowd.allows(self.origin, Deed::Settle) {
            return self.problem(Line::TooManyVisitors);
        }
        self.hosted(self.host.settle(&self.visitor).await)?;
        self.is_known = true;
        Ok(())
    }

    /// Joins a game. Secrets are found out by no one who tries many; who needs none is not held up by
    /// those who try.
    async fn join(&mut self, game: &str, secret: Option<&str>) -> Result<Ticket, Problem> {
        if secret.is_some() {
            if !self.crowd.allows(self.origin, Deed::Guess) {
                return self.problem(Line::TooManyGuesses);
            }
            // Whoever is invited may get a seat, which is kept.
            self.settle().await?;
        }
        let joined = self.host.join(game, &self.visitor, secret).await;
        let is_wrong = match &joined {
            Ok(ticket) => !Side::ALL.into_iter().any(|side| ticket.holds(side)),
            Err(error) => matches!(error, HostError::Store(StoreError::Missing(_))),
        };
        if secret.is_some() && !is_wrong {
            self.crowd.forgive(self.origin, Deed::Guess);
        }
        self.hosted(joined)
    }

    async fn name(&mut self, name: &str) -> Answered {
        let name = name.trim();
        if name.chars().count() > LONGEST_NAME || name.chars().any(is_harmful) {
            return self.problem(Line::BadName);
        }
        self.settle().await?;
        let name = (!name.is_empty()).then_some(name);
        let named = self.host.store().name_visitor(&self.visitor.id, name).await;
        self.kept(named)?;
        self.visitor.name = name.map(Into::into);
        Ok(Answer::Done)
    }

    async fn setting(&mut self, name: &str, value: &str) -> Answered {
        if !SETTINGS.contains(&name) || value.len() > LONGEST_VALUE {
            return self.problem(Line::BadSetting);
        }
        self.settle().await?;
        let store = self.host.store();
        self.kept(store.set_setting(&self.visitor.id, name, value).await)?;
        Ok(Answer::Done)
    }

    async fn server_setting(&self, name: &str, value: &str) -> Answered {
        if !self.origin.is_local {
            return self.problem(Line::NotLocal);
        }
        if name != "rules" || self.host.rules(value).is_none() {
            return self.problem(Line::BadSetting);
        }
        self.kept(self.host.store().set_setting(SERVER, name, value).await)?;
        Ok(Answer::Done)
    }

    fn describe(&self, id: &str) -> Answered {
        let set = self.rules(id)?.set();
        let sections = set.describe(self.lang).into_iter();
        let first = self.host.rule_sets().first();
        let differences = first.map(|first| first.set().differences(set));
        Ok(Answer::Rules {
            sections: sections
                .map(|section| Section {
                    title: section.title.into(),
                    sentences: section.sentences,
                })
                .collect(),
            differences: differences
                .unwrap_or_default()
                .into_iter()
                .map(|parameter| (parameter.key.into(), parameter.first, parameter.second))
                .collect(),
        })
    }

    fn explain(&self, place: &Place, moves: &[String], step: &str, turns: bool) -> Answered {
        let rules = self.rules(&place.rules)?;
        let (setup, step) = (self.setup(&place.setup)?, self.step(step)?);
        let study = study(rules, &setup, &self.steps(moves)?);
        let study = study.map_err(|error| speech::study(self.lang, &error))?;
        if let (true, Some(outcome)) = (turns, study.outcome) {
            return Err(speech::plain(&outcome.sentence(self.lang)));
        }
        let piece = study.setup.piece_at(step.from());
        let wrong_turn = piece.filter(|piece| turns && piece.side() != study.setup.side());
        let reason = match wrong_turn {
            Some(piece) => Err(tablut_rules::IllegalMove::NotYours {
                square: step.from(),
                piece,
            }),
            None => rules.view(&study.setup).explain(step),
        };
        match reason {
            Ok(()) => Ok(Answer::Done),
            Err(reason) => Err(speech::illegal(self.lang, &reason)),
        }
    }

    async fn save_slot(&mut self, number: u8, place: Option<Place>) -> Answered {
        if number > 9 {
            return self.problem(Line::NoSlot);
        }
        let saved = match &place {
            Some(place) => Some(self.saved(place)?),
            None => None,
        };
        self.settle().await?;
        let (store, now) = (self.host.store(), self.host.now_ms());
        let before = store
            .save_slot(&self.visitor.id, number, saved.as_ref(), now)
            .await;
        let before = self.kept(before)?;
        Ok(Answer::Before(before.as_ref().map(place_of)))
    }

    fn saved(&self, place: &Place) -> Result<Saved, Problem> {
        Ok(Saved {
            rules: self.rules(&place.rules)?.set().id().into(),
            setup: self.setup(&place.setup)?,
        })
    }

    async fn library(&self, search: &str) -> Answered {
        if search.chars().count() > LONGEST_TITLE {
            return self.problem(Line::BadTitle);
        }
        let store = self.host.store();
        let positions = store.positions(&self.visitor.id, search, LIST).await;
        let entries = self.kept(positions)?.into_iter();
        let entries = entries.map(|position| LibraryEntry {
            place: place_of(&position.saved),
            id: position.id,
            name: position.name,
            saved_ms: position.saved_ms,
        });
        Ok(Answer::Library(entries.collect()))
    }

    async fn save_position(&mut self, id: Option<String>, name: &str, place: &Place) -> Answered {
        let name = name.trim();
        let letters = name.chars().count();
        if !(1..=LONGEST_TITLE).contains(&letters) || name.chars().any(is_harmful) {
            return self.problem(Line::BadTitle);
        }
        let saved = self.saved(place)?;
        self.settle().await?;
        // Ids are given here; one that is not in the visitor's library is nobody's.
        match id {
            None => {
                let added = self.host.add_position(&self.visitor, name, saved).await;
                self.hosted(added)?;
            }
            Some(id) => {
                let position = NamedPosition {
                    id,
                    name: name.into(),
                    saved,
                    saved_ms: self.host.now_ms(),
                };
                let store = self.host.store();
                self.kept(store.change_position(&self.visitor.id, &position).await)?;
            }
        }
        Ok(Answer::Done)
    }

    /// Whether the visitor may make another game now.
    async fn check_pace(&mut self) -> Result<(), Problem> {
        let is_calm = self.games.take(Instant::now());
        if !is_calm || !self.crowd.allows(self.origin, Deed::Game) {
            return self.problem(Line::TooFast);
        }
        self.settle().await
    }

    async fn new_game(&mut self, new: &NewGame) -> Answered {
        let terms = self.terms(new)?;
        self.check_pace().await?;
        let game = self.host.create(&self.visitor, &terms).await;
        Ok(Answer::Game {
            game: self.hosted(game)?.id,
        })
    }

    fn terms(&self, new: &NewGame) -> Result<Terms, Problem> {
        let side = Side::from(new.side);
        let engine = |text: &str| {
            let player = text.parse::<Player>();
            player.map_err(|_| problem(self.lang, Line::BadTerms))
        };
        let opponent = match new.opponent {
            OpponentName::Engine => Opponent::Engine {
                side,
                engine: engine(&new.engine)?,
            },
            OpponentName::Screen => Opponent::SameScreen,
            OpponentName::Link => Opponent::Link { side },
            OpponentName::Engines => {
                Opponent::Engines([engine(&new.engine)?, engine(&new.white_engine)?])
            }
        };
        Ok(Terms {
            rules: Arc::clone(self.rules(&new.rules)?),
            setup: match &new.setup {
                Some(setup) => Some(self.setup(setup)?),
                None => None,
            },
            opponent,
            control: read_control(&new.control)
                .ok_or_else(|| problem(self.lang, Line::BadTerms))?,
            take_backs: new.take_backs,
        })
    }

    async fn rematch(&mut self) -> Answered {
        self.check_pace().await?;
        self.come_back().await;
        let ticket = self.ticket()?;
        if !Side::ALL.into_iter().any(|side| ticket.holds(side)) {
            return self.problem(Line::NotSeated);
        }
        let game = ticket.views.borrow().game.clone();
        if game.outcome.is_none() {
            return self.problem(Line::NotOver);
        }
        let next = self.host.rematch(&self.visitor, &game).await;
        Ok(Answer::Game {
            game: self.hosted(next)?,
        })
    }

    /// Lets the engine think about a position; [`Visit::news`] has what it finds.
    pub(crate) fn ask_hint(
        &mut self,
        id: u32,
        place: &Place,
        moves: &[String],
    ) -> Result<(), Problem> {
        let (rules, setup) = (self.rules(&place.rules)?, self.setup(&place.setup)?);
        let game = exchange::play(rules, &setup, &self.steps(moves)?);
        let game = game.map_err(|text| speech::plain(&text))?;
        if game.outcome().is_some() {
            return self.problem(Line::Over);
        }
        if self.hint.is_some() {
            return self.problem(Line::Busy);
        }
        let job = self.host.pool().order(Order::hint(&self.visitor.id, game));
        self.hint = Some((id, job.map_err(|_| problem(self.lang, Line::Busy))?));
        Ok(())
    }

    /// Waits for something to tell the page: a hint it asked for, or a change of its game. Whoever
    /// gives up waiting loses nothing and may wait again.
    pub(crate) async fn news(&mut self) -> News {
        loop {
            if let Some(Back::Failed { game, problem }) = self
                .back
                .take_if(|back| matches!(back, Back::Failed { .. }))
            {
                return News::Lost(game, problem);
            }
            let hint = async {
                match &mut self.hint {
                    Some((id, job)) => (*id, job.found().await.ok()),
                    None => pending().await,
                }
            };
            let change = async {
                match (&mut self.game, &mut self.back) {
                    (Some(ticket), _) => Change::View(ticket.views.changed().await.is_ok()),
                    (None, Some(Back::Joining { joining, .. })) => Change::Joined(joining.await),
                    (None, _) => pending().await,
                }
            };
            let change = tokio::select! {
                (id, found) = hint => {
                    self.hint = None;
                    let answer = match found {
                        Some(found) => Ok(Answer::Hint {
                            step: found.step.to_string(),
                            score: found.score.map(|score| score.to_string()),
                        }),
                        None => self.problem(Line::NoHint),
                    };
                    return News::Hint(id, Box::new(answer));
                }
                change = change => change,
            };
            match change {
                Change::View(true) => {}
                Change::View(false) => self.turn_back(),
                Change::Joined(joined) => self.arrive(joined),
            }
            if let Some(state) = self.state() {
                return state;
            }
        }
    }

    /// The game that is looked at, as it stands.
    fn state(&mut self) -> Option<News> {
        let ticket = self.game.as_mut()?;
        let view = Arc::clone(&ticket.views.borrow_and_update());
        let seats = Side::ALL.map(|side| ticket.holds(side));
        let state = state::game_state(&view, seats, &self.visitor.id, self.lang);
        Some(News::State(Box::new(state)))
    }

    /// Begins to join the game again, whose session has ended.
    fn turn_back(&mut self) {
        let Some(ticket) = self.game.take() else {
            return;
        };
        let id = ticket.views.borrow().game.id.clone();
        let (host, visitor, game) = (self.host.clone(), self.visitor.clone(), id.clone());
        // Seats are the visitor's own by now.
        let joining = async move { host.join(&id, &visitor, None).await };
        self.back = Some(Back::Joining {
            game,
            joining: tokio::spawn(joining),
        });
    }

    /// Waits until the way back is at its end, if there is one.
    async fn come_back(&mut self) {
        if let Some(Back::Joining { joining, .. }) = &mut self.back {
            let joined = joining.await;
            self.arrive(joined);
        }
    }

    fn arrive(&mut self, joined: Result<Result<Ticket, HostError>, JoinError>) {
        let Some(Back::Joining { game, .. }) = self.back.take() else {
            return;
        };
        let joined = joined.unwrap_or_else(|error| Err(HostError::Unknown(error.to_string())));
        match joined {
            Ok(mut ticket) => {
                ticket.views.mark_changed();
                self.game = Some(ticket);
            }
            Err(error) => {
                let cause = speech::host(self.lang, &error).text;
                let lost = problem(self.lang, Line::Lost).text;
                self.back = Some(Back::Failed {
                    game,
                    problem: speech::plain(&format!("{lost} {cause}")),
                });
            }
        }
    }
}

/// What became of the game that is looked at.
enum Change {
    /// Its session has something new, or has ended.
    View(bool),
    /// It was joined again, or not.
    Joined(Result<Result<Ticket, HostError>, JoinError>),
}

/// Something to tell a page that it did not ask for just now.
pub(crate) enum News {
    /// The answer to an earlier request for a hint.
    Hint(u32, Box<Answered>),
    /// The game has changed.
    State(Box<GameState>),
    /// The game with an id cannot be looked at any more.
    Lost(String, Problem),
}

fn place(rules: &str, setup: &Setup) -> Place {
    Place {
        rules: rules.into(),
        setup: setup.to_string(),
    }
}

fn place_of(saved: &Saved) -> Place {
    place(&saved.rules, &saved.setup)
}
