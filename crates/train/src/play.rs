//! Self-play: games of the engine against itself, for networks to learn from.

use std::{
    collections::{BTreeMap, HashSet},
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
        mpsc,
    },
    thread,
    time::{Duration, Instant},
};

use anyhow::Result;
use tablut_arena::{Opening, Stop, opening::Balancing};
use tablut_engine::{Control, Engine, EngineOptions, Evaluation, NoMemory, Score, SearchLimits};
use tablut_rules::{BySide, Game, Move, Random, Rules, Side};

use crate::data::{DECIDED, Header, PieceWriter, SelfPlay};

/// Memory of each engine's table: games are short and searches small.
const HASH_MB: usize = 4;

/// How often an opening is drawn before the game begins at the start.
const TRIES: usize = 40;

/// What is to be played.
pub struct SelfPlayPlan {
    /// The rules.
    pub rules: Arc<Rules>,
    /// How the engine evaluates.
    pub evaluation: Evaluation,
    /// How its opponent does, if it does not play itself. What the opponent thinks is not learnt from.
    pub opponent: Option<Evaluation>,
    /// What the games depend on.
    pub header: Header,
    /// Openings that random plies follow in every other game; none if empty.
    pub openings: Vec<Opening>,
    /// How many games the piece has in the end.
    pub games: usize,
    /// How many games at once.
    pub threads: usize,
}

/// Figures of a piece.
#[derive(Clone, Default)]
pub struct Figures {
    /// Games.
    pub games: usize,
    /// Games made in this run, not found in the file.
    pub fresh: usize,
    /// Positions to learn from.
    pub positions: usize,
    /// Those among them that occurred before.
    pub doubles: usize,
    /// Games won by each side.
    pub wins: BySide<usize>,
    plies: usize,
    fresh_positions: usize,
    seen: HashSet<u64>,
    time: Duration,
}

impl Figures {
    fn count(&mut self, rules: &Rules, game: &SelfPlay) {
        self.games += 1;
        self.plies += game.moves.len();
        if let Some(winner) = game.winner {
            self.wins[winner] += 1;
        }
        let mut position = rules.start();
        for (number, (step, score)) in game.moves.iter().enumerate() {
            if number >= usize::from(game.opening) && score.is_some_and(|s| s.abs() < DECIDED) {
                self.positions += 1;
                self.doubles += usize::from(!self.seen.insert(position.key()));
            }
            let Ok(applied) = rules.apply(&position, *step) else {
                break;
            };
            position = applied.position;
        }
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let games = self.games.max(1) as f64;
        let per_cent = |count: usize, of: usize| 100.0 * count as f64 / of.max(1) as f64;
        write!(
            f,
            "{} games, {} positions ({:.0}/s); black won {:.0} %, white {:.0} %, drawn {:.0} %; \
             {:.0} plies a game; {:.1} % doubles",
            self.games,
            self.positions,
            self.fresh_positions as f64 / self.time.as_secs_f64().max(0.001),
            per_cent(self.wins[Side::Attackers], self.games),
            per_cent(self.wins[Side::Defenders], self.games),
            per_cent(
                self.games - self.wins[Side::Attackers] - self.wins[Side::Defenders],
                self.games
            ),
            self.plies as f64 / games,
            per_cent(self.doubles, self.positions),
        )
    }
}

/// Makes a piece, or goes on with it; `on_figures` is called every few seconds and at the end.
///
/// # Errors
/// The file cannot be written, or there is no memory.
pub fn play(
    plan: &SelfPlayPlan,
    path: &Path,
    stop: &Stop,
    on_figures: &mut dyn FnMut(&Figures),
) -> Result<Figures> {
    let mut figures = Figures::default();
    let mut writer = PieceWriter::open(path, &plan.header, |game| {
        figures.count(&plan.rules, &game);
    })?;
    let (begin, found) = (Instant::now(), figures.positions);
    let mut told = begin;
    let first = figures.games;
    let next = AtomicUsize::new(first);
    let (games, inbox) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..plan.threads.max(1) {
            let (next, games) = (&next, games.clone());
            scope.spawn(move || {
                let mut player = match SelfPlayer::new(plan) {
                    Ok(player) => player,
                    Err(error) => {
                        let _ = games.send((0, Err(error)));
                        return;
                    }
                };
                while !stop.is_finishing() {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= plan.games {
                        break;
                    }
                    if games.send((number, Ok(player.play(number)))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(games);
        // Games are kept in the order of their numbers, so that the file can be continued.
        let mut waiting = BTreeMap::new();
        for (number, game) in inbox {
            waiting.insert(number, game?);
            while let Some(game) = waiting.remove(&figures.games) {
                writer.add(&game)?;
                figures.count(&plan.rules, &game);
                figures.fresh = figures.games - first;
                figures.fresh_positions = figures.positions - found;
                figures.time = begin.elapsed();
                if told.elapsed() >= Duration::from_secs(10) {
                    told = Instant::now();
                    on_figures(&figures);
                }
            }
        }
        anyhow::Ok(())
    })?;
    on_figures(&figures);
    Ok(figures)
}

fn engine(evaluation: &Evaluation) -> Result<Engine, NoMemory> {
    let options = EngineOptions {
        hash_mb: HASH_MB,
        threads: 1,
    };
    Ok(Engine::try_new(options)?.with_evaluation(evaluation.clone()))
}

/// Plays the games of a piece, each by its number alone.
struct SelfPlayer<'a> {
    plan: &'a SelfPlayPlan,
    engine: Engine,
    opponent: Option<Engine>,
}

impl<'a> SelfPlayer<'a> {
    fn new(plan: &'a SelfPlayPlan) -> Result<Self, NoMemory> {
        Ok(Self {
            plan,
            engine: engine(&plan.evaluation)?,
            opponent: plan.opponent.as_ref().map(engine).transpose()?,
        })
    }

    fn play(&mut self, number: usize) -> SelfPlay {
        let header = &self.plan.header;
        let part = u64::from(header.piece) << 32 | number as u64;
        let mut random = Random::part(header.seed, part);
        self.engine.clear();
        if let Some(opponent) = &mut self.opponent {
            opponent.clear();
        }
        // Openings of each kind come with both sides.
        let own_side = header.side.unwrap_or(Side::ALL[number / 4 % 2]);
        let mut game = self.open(number, &mut random);
        let opening = game.plies().len();
        let mut moves: Vec<(Move, Option<i16>)> =
            game.plies().iter().map(|ply| (ply.step, None)).collect();
        let mut winner = None;
        while game.outcome().is_none() && game.plies().len() < header.max_plies.into() {
            let nodes = header.nodes / 2 + random.below(header.nodes as usize + 1) as u64;
            let side = game.position().side();
            let opponent = self.opponent.as_mut().filter(|_| side != own_side);
            let is_opponent = opponent.is_some();
            let (step, score) = search(opponent.unwrap_or(&mut self.engine), &game, nodes);
            moves.push((step, (!is_opponent).then(|| hundredths(score))));
            if score.is_winning() || score.is_losing() {
                let won = score.is_winning();
                winner = Some(if won { side } else { side.opponent() });
                break;
            }
            game.play(step).expect("the engine plays by the rules");
        }
        if let Some(outcome) = game.outcome() {
            winner = outcome.winner;
        }
        SelfPlay {
            opening: opening as u8,
            moves,
            winner,
        }
    }

    /// An opening that is not decided: better for white in even games, for black in odd ones. Without a
    /// balance, openings are taken as they come.
    fn open(&mut self, number: usize, random: &mut Random) -> Game {
        let header = &self.plan.header;
        // Playing on ends at the nearer border: it is not so near that the next search sees the other side ahead.
        let (least, most) = (header.balance / 10, header.balance);
        let balancing = Balancing {
            wanted: match number % 2 {
                0 => -most..=-least,
                _ => least..=most,
            },
            nodes: header.nodes,
            plies: header.balancing_plies.into(),
        };
        for _ in 0..TRIES {
            let Some(game) = self.draw(number, random) else {
                continue;
            };
            if header.balance == 0 {
                return game;
            }
            if let Some(game) = balancing.play_on(game, &mut self.engine, random) {
                return game;
            }
        }
        Game::new(Arc::clone(&self.plan.rules))
    }

    /// Some random plies, after one of the openings every other pair of games, or always without a balance.
    fn draw(&self, number: usize, random: &mut Random) -> Option<Game> {
        let plan = self.plan;
        let mut game = Game::new(Arc::clone(&plan.rules));
        let (least, most) = plan.header.random_plies;
        let mut count = usize::from(least) + random.below(usize::from(most - least) + 1);
        let wants_opening = number % 4 >= 2 || plan.header.balance == 0;
        if wants_opening && !plan.openings.is_empty() {
            let opening = &plan.openings[random.below(plan.openings.len())];
            for &step in &opening.moves {
                game.play(step).ok()?;
            }
            count = random.below(3);
        }
        for _ in 0..count {
            let moves = plan.rules.moves(game.position());
            if game.outcome().is_some() || moves.is_empty() {
                return None;
            }
            game.play(random.pick(&moves)).ok()?;
        }
        game.outcome().is_none().then_some(game)
    }
}

fn search(engine: &mut Engine, game: &Game, nodes: u64) -> (Move, Score) {
    let limits = SearchLimits::nodes(nodes);
    let report = engine.search(game, &limits, &Control::new(), &mut |_| {});
    let step = report.best.expect("the game is not over");
    (step, report.lines[0].score)
}

/// A score as it is kept.
fn hundredths(score: Score) -> i16 {
    if score.is_winning() {
        return DECIDED;
    }
    if score.is_losing() {
        return -DECIDED;
    }
    match score {
        Score::Units(units) => units.clamp(1 - i32::from(DECIDED), i32::from(DECIDED) - 1) as i16,
        Score::Win(_) => DECIDED,
        Score::Loss(_) => -DECIDED,
    }
}
