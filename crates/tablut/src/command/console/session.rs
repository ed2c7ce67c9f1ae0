//! The console without its input and output: orders go in, replies come out.

use std::{fmt, sync::Arc};

use tablut_arena::{Budget, Mover};
use tablut_engine::{
    Control, NoMemory,
    solve::{Solution, SolveLimits, Solver},
};
use tablut_guest::{EngineMover, MoverOptions};
use tablut_rules::{
    BySide, Game, IllegalMove, Laws, LimitError, Move, Outcome, Piece, PlayError, Reason, Rules,
    Setup, SetupError, Side, Square, notation::berkeley::BerkeleyMove,
};

use super::order::{self, ConsoleOrder, ParseOrderError};

/// Positions for an automatic move: enough for most wins in four own moves, few enough for a game in a minute.
const NODES: u64 = 100_000;

/// Positions for the proof of such a win, which the search may judge too late.
const PROOF_NODES: u64 = 30_000;

/// The memory of the automatic player, in megabytes.
const HASH_MB: u64 = 8;

/// The first move of a win that is at most four own moves away, if it is proved soon.
fn winning_move(game: &Game) -> Option<Move> {
    let limits = SolveLimits {
        plies: 7,
        nodes: PROOF_NODES,
    };
    let side = game.position().side();
    let mut solver = Solver::try_new(game, side, 4, Control::new()).ok()?;
    match solver.solve(limits, &mut |_| {}) {
        Solution::Won { line, .. } => line.first().copied(),
        Solution::NotWithin(_) | Solution::Unknown(_) => None,
    }
}

/// What the console says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ConsoleReply {
    /// Nothing.
    Silence,
    /// An automatic move.
    Move(Move),
    /// The end of the game.
    Over(Outcome),
    /// The board.
    Board(Setup),
    /// The console is left.
    Quit,
}

/// Why an order was not obeyed; nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ConsoleRefusal {
    Order(ParseOrderError),
    Play(PlayError, Move),
    /// There has to be one king, not this number.
    Kings(u32),
    Limit(LimitError),
}

/// A console with its game.
pub(super) struct ConsoleSession {
    rules: Arc<Rules>,
    table: BoardState,
    /// Whether the console moves for each side.
    is_automatic: BySide<bool>,
    seed: i64,
    limit: Option<u32>,
    /// Whether the end has been printed.
    told: bool,
    /// Whether the board was edited and not played on from since: then the game is not over.
    edited: bool,
    /// The automatic player: the same game and seed give the same move on every machine.
    automaton: EngineMover,
}

/// The board: a game, or pieces from which none can go on.
enum BoardState {
    Game {
        game: Game,
        /// Moves that each side made before the board was edited.
        before: BySide<u32>,
    },
    Broken {
        setup: Setup,
        before: BySide<u32>,
    },
}

impl ConsoleSession {
    pub(super) fn new(rules: Arc<Rules>, seed: i64) -> Result<Self, NoMemory> {
        let game = Game::new(Arc::clone(&rules));
        let options = MoverOptions {
            hash_mb: HASH_MB,
            ..MoverOptions::default()
        };
        Ok(Self {
            rules,
            table: BoardState::Game {
                game,
                before: BySide::default(),
            },
            is_automatic: BySide {
                attackers: false,
                defenders: true,
            },
            seed,
            limit: None,
            told: false,
            edited: false,
            automaton: EngineMover::varied(&options)?,
        })
    }

    /// Who is to move.
    pub(super) fn side(&self) -> Side {
        match &self.table {
            BoardState::Game { game, .. } => game.position().side(),
            BoardState::Broken { setup, .. } => setup.side(),
        }
    }

    /// What happens without an order: the end of a game, or an automatic move.
    pub(super) fn proceed(&mut self) -> Option<ConsoleReply> {
        let is_automatic = self.is_automatic[self.side()];
        self.judge();
        let BoardState::Game { game, .. } = &mut self.table else {
            return None;
        };
        if let Some(outcome) = game.outcome() {
            let is_news = !self.told && (!self.edited || is_automatic);
            self.told |= is_news;
            return is_news.then_some(ConsoleReply::Over(outcome));
        }
        if !is_automatic {
            return None;
        }
        // What was thought before must not matter: moves may have been taken back since.
        let (side, seed) = (game.position().side(), self.seed.cast_unsigned());
        self.automaton.new_game(game.rules(), side, seed).ok()?;
        let step = match winning_move(game) {
            Some(step) => step,
            None => {
                let choice = self.automaton.choose(game, Budget::nodes(NODES).into());
                choice.ok()?.step
            }
        };
        game.play(step).ok()?;
        self.edited = false;
        Some(ConsoleReply::Move(step))
    }

    /// Obeys a line.
    pub(super) fn obey(&mut self, line: &str) -> Result<ConsoleReply, ConsoleRefusal> {
        let Some(order) = order::read(line).map_err(ConsoleRefusal::Order)? else {
            return Ok(ConsoleReply::Silence);
        };
        match order {
            ConsoleOrder::New => self.start_again(),
            ConsoleOrder::Move(step) => self.play(step)?,
            ConsoleOrder::Seed(seed) => self.seed = seed,
            ConsoleOrder::Auto(side) => self.is_automatic[side] = true,
            ConsoleOrder::Manual(side) => self.is_automatic[side] = false,
            ConsoleOrder::Limit(limit) => self.set_limit(limit)?,
            ConsoleOrder::Undo => self.undo(),
            ConsoleOrder::Toggle(square) => self.toggle(square),
            ConsoleOrder::Dump => return Ok(ConsoleReply::Board(self.setup())),
            ConsoleOrder::Quit => return Ok(ConsoleReply::Quit),
        }
        Ok(ConsoleReply::Silence)
    }

    fn start_again(&mut self) {
        self.limit = None;
        self.told = false;
        self.edited = false;
        self.table = BoardState::Game {
            game: Game::new(Arc::clone(&self.rules)),
            before: BySide::default(),
        };
    }

    fn play(&mut self, step: Move) -> Result<(), ConsoleRefusal> {
        match &mut self.table {
            BoardState::Broken { setup, .. } => {
                Err(ConsoleRefusal::Kings(setup.pieces(Piece::King).len()))
            }
            BoardState::Game { game, .. } => {
                self.edited = false;
                // An automatic side has moved before any order is read, so no order can be for it.
                let played = game.play(step);
                played
                    .map(|_| ())
                    .map_err(|error| ConsoleRefusal::Play(error, step))
            }
        }
    }

    /// How many moves each side has made.
    fn made(&self) -> BySide<u32> {
        match &self.table {
            BoardState::Broken { before, .. } => *before,
            BoardState::Game { game, before } => {
                BySide::from_fn(|side| before[side] + game.made_by(side))
            }
        }
    }

    fn set_limit(&mut self, limit: u32) -> Result<(), ConsoleRefusal> {
        let BySide {
            attackers,
            defenders,
        } = self.made();
        let made = attackers.max(defenders);
        if made >= limit {
            return Err(ConsoleRefusal::Limit(LimitError { limit, made }));
        }
        self.limit = Some(limit);
        if let BoardState::Game { game, before } = &mut self.table {
            let rest = limit - before[game.start().side()];
            game.limit_moves(rest).map_err(ConsoleRefusal::Limit)?;
        }
        Ok(())
    }

    /// Ends a game in which the side to move has no move left of its limit. The game itself does
    /// so, unless the board was edited when the sides had made unequal numbers of moves.
    fn judge(&mut self) {
        let (side, is_spent) = (self.side(), self.is_spent());
        if let (BoardState::Game { game, .. }, true) = (&mut self.table, is_spent) {
            game.finish(Outcome::win(side.opponent(), Reason::MoveLimit));
        }
    }

    /// Whether the side to move has made all the moves it may make.
    fn is_spent(&self) -> bool {
        let made = self.made()[self.side()];
        self.limit.is_some_and(|limit| made >= limit)
    }

    fn undo(&mut self) {
        let BoardState::Game { game, .. } = &mut self.table else {
            return;
        };
        if game.plies().len() >= 2 {
            game.undo();
            game.undo();
            self.told = false;
        }
    }

    /// The pieces as they are shown: a captured king is not.
    pub(super) fn setup(&self) -> Setup {
        match &self.table {
            BoardState::Broken { setup, .. } => *setup,
            BoardState::Game { game, .. } => {
                let position = game.position();
                let mut setup = Setup::from(position);
                let reason = game.outcome().map(|outcome| outcome.reason);
                if reason == Some(Reason::KingCaptured) {
                    setup.put(position.king(), None);
                }
                setup
            }
        }
    }

    fn toggle(&mut self, square: Square) {
        let mut setup = self.setup().with_quiet(0);
        let next = match setup.piece_at(square) {
            None => Some(Piece::Defender),
            Some(Piece::Defender) => Some(Piece::King),
            Some(Piece::King) => Some(Piece::Attacker),
            Some(Piece::Attacker) => None,
        };
        setup.put(square, next);
        let before = self.made();
        let position = self.rules.position(&setup).or_else(SetupError::playable);
        self.table = match position {
            Err(_) => BoardState::Broken { setup, before },
            Ok(position) => BoardState::Game {
                game: Game::from_position(Arc::clone(&self.rules), position, self.laws(before)),
                before,
            },
        };
        // Editing does not give moves back: that end stays as it was printed.
        self.told &= self.is_spent();
        self.edited = true;
    }

    /// The laws of a game that continues after this many moves.
    fn laws(&self, before: BySide<u32>) -> Laws {
        let mut laws = self.rules.laws();
        if let Some(limit) = self.limit {
            laws.move_limit = Some(limit.saturating_sub(before[self.side()]));
        }
        laws
    }
}

impl fmt::Display for ConsoleReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silence | Self::Quit => Ok(()),
            Self::Move(step) => writeln!(f, "* {}", BerkeleyMove(*step)),
            Self::Over(outcome) => f.write_str(match outcome.winner {
                Some(Side::Attackers) => "* Black wins.\n",
                Some(Side::Defenders) => "* White wins.\n",
                // Not under the rules of Berkeley.
                None => "* Draw.\n",
            }),
            Self::Board(setup) => draw(f, setup),
        }
    }
}

/// The board with row 1 at the bottom.
fn draw(f: &mut fmt::Formatter<'_>, setup: &Setup) -> fmt::Result {
    f.write_str("===\n")?;
    for row in 0..9 {
        write!(f, " {}", 9 - row)?;
        for square in (0..9).filter_map(|column| Square::new(column, row)) {
            let letter = match setup.piece_at(square) {
                None => '-',
                Some(Piece::Attacker) => 'B',
                Some(Piece::Defender) => 'W',
                Some(Piece::King) => 'K',
            };
            write!(f, " {letter}")?;
        }
        f.write_str("\n")?;
    }
    f.write_str("   a b c d e f g h i\n===\n")
}

impl fmt::Display for ConsoleRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Order(error) => write!(f, "{error}"),
            Self::Play(PlayError::Over(outcome), _) => {
                write!(f, "the game is over: {}; say new or undo", outcome.reason)
            }
            Self::Play(PlayError::Illegal(reason), step) => {
                let reason = seen_from_below(*reason);
                write!(f, "{} is illegal: {reason}", BerkeleyMove(*step))
            }
            Self::Kings(0) => f.write_str("no move can be made: there is no king on the board"),
            Self::Kings(kings) => {
                write!(
                    f,
                    "no move can be made: there are {kings} kings on the board"
                )
            }
            Self::Limit(error) => write!(f, "{error}"),
        }
    }
}

/// The reason with its rows counted from the bottom, as the console counts them.
fn seen_from_below(reason: IllegalMove) -> IllegalMove {
    use IllegalMove as Why;
    match reason {
        Why::OutsideBoard(square) => Why::OutsideBoard(order::turned(square)),
        Why::NoPiece(square) => Why::NoPiece(order::turned(square)),
        Why::NoStep(square) => Why::NoStep(order::turned(square)),
        Why::CastleStop(square) => Why::CastleStop(order::turned(square)),
        Why::CastleInTheWay(square) => Why::CastleInTheWay(order::turned(square)),
        Why::NotYours { square, piece } => Why::NotYours {
            square: order::turned(square),
            piece,
        },
        Why::Occupied { square, piece } => Why::Occupied {
            square: order::turned(square),
            piece,
        },
        Why::PieceInTheWay { square, piece } => Why::PieceInTheWay {
            square: order::turned(square),
            piece,
        },
        Why::CampStop { square, closed_to } => Why::CampStop {
            square: order::turned(square),
            closed_to,
        },
        Why::CampInTheWay { square, closed_to } => Why::CampInTheWay {
            square: order::turned(square),
            closed_to,
        },
        // A move that changes one coordinate is straight.
        other => other,
    }
}
