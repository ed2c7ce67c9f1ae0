//! Small positions that show what a rule set does: every way to capture, every way to end.
//!
//! Nothing is written down by hand: positions are put together from a piece, what stands around it and a
//! move, tried out on the compiled rules, and kept if they show something that no other has shown. So a
//! user's own set is shown like ours.

use alloc::{sync::Arc, vec::Vec};

use crate::{
    Anvil, CaptureCause, Direction, End, Game, Move, Outcome, Piece, Position, Reason, Rules,
    Setup, Side, Square, Verdict, text::Lang,
};

/// A position with moves that show a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Demonstration {
    /// What it shows.
    pub topic: DemonstrationTopic,
    /// The position.
    pub setup: Setup,
    /// The moves; the last one shows it.
    pub moves: Vec<Move>,
    /// What the last move does.
    pub verdict: Verdict,
    /// How the game is over then, if it is.
    pub outcome: Option<Outcome>,
}

/// What a position shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum DemonstrationTopic {
    /// How a man is captured.
    Men,
    /// How the king is captured.
    King,
    /// How the game ends otherwise.
    Ends,
}

impl DemonstrationTopic {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 3] = [Self::Men, Self::King, Self::Ends];

    /// What stands above its positions.
    #[must_use]
    pub const fn title(self, lang: Lang) -> &'static str {
        let [men, king, ends] = lang.topics();
        match self {
            Self::Men => men,
            Self::King => king,
            Self::Ends => ends,
        }
    }
}

impl Demonstration {
    /// What happens, without capital and full stop.
    #[must_use]
    pub fn sentence(&self, lang: Lang) -> alloc::string::String {
        match (&self.verdict, self.outcome) {
            // What the board shows is told by the move, what is counted by the law.
            (Verdict::Made { end: None, .. }, Some(outcome)) => outcome.sentence(lang),
            (verdict, _) if self.is_by_king() => {
                alloc::format!("{}: {}", lang.king_captures(), verdict.sentence(lang))
            }
            (verdict, _) => verdict.sentence(lang),
        }
    }

    /// Whether the king captures, which the sentence of a capture does not say.
    fn is_by_king(&self) -> bool {
        let first = self.moves.first();
        let mover = first.and_then(|step| self.setup.piece_at(step.from()));
        self.topic == DemonstrationTopic::Men && mover == Some(Piece::King)
    }
}

/// What tells one capture from another.
#[derive(Clone, PartialEq, Eq)]
enum Signature {
    Between(Piece, Piece, Anvil),
    Siege(Vec<Anvil>),
    End(End),
}

struct Finder<'r> {
    rules: &'r Arc<Rules>,
    seen: Vec<Signature>,
    found: Vec<Demonstration>,
}

impl Rules {
    /// Positions that show what these rules do: each kind of capture and each kind of end once.
    #[must_use]
    pub fn demonstrations(self: &Arc<Self>) -> Vec<Demonstration> {
        let mut finder = Finder {
            rules: self,
            seen: Vec::new(),
            found: Vec::new(),
        };
        let squares = finder.squares();
        for mover in [Piece::Attacker, Piece::Defender, Piece::King] {
            for &prey in &squares {
                finder.men(mover, prey);
            }
        }
        finder.several(&squares);
        for &king in &squares {
            finder.king(king);
        }
        for &king in &squares {
            finder.escape(king);
        }
        finder.found.extend(finder.laws());
        finder.found.sort_by_key(|one| one.topic as u8);
        finder.found
    }
}

impl Finder<'_> {
    /// The squares of the board, those first that make good pictures: between the edge and the castle.
    fn squares(&self) -> Vec<Square> {
        let size = self.rules.size();
        let mut squares: Vec<Square> = size.squares().iter().collect();
        squares.sort_by_key(|square| {
            let (column, row) = (i32::from(square.column()), i32::from(square.row()));
            (column - 2).abs() + (row - 2).abs()
        });
        squares
    }

    /// Keeps a move if it shows a capture of the piece on `prey`, or an end, that is not shown yet.
    fn consider(&mut self, setup: &Setup, step: Move, prey: Option<Square>) {
        let Ok(position) = self.rules.position(setup) else {
            return;
        };
        let Some(mover) = position.piece_at(step.from()) else {
            return;
        };
        let verdict = self.rules.verdict(&position, step);
        let Verdict::Made { captures, end } = &verdict else {
            return;
        };
        let (signature, topic) = match (&captures[..], *end, prey) {
            ([capture], None | Some(End::KingCaptured), Some(prey)) if capture.square == prey => {
                let topic = match capture.piece {
                    Piece::King => DemonstrationTopic::King,
                    Piece::Attacker | Piece::Defender => DemonstrationTopic::Men,
                };
                let signature = match &capture.cause {
                    CaptureCause::Between { kind, .. } => {
                        Signature::Between(mover, capture.piece, *kind)
                    }
                    CaptureCause::Siege(sides) => {
                        let mut kinds: Vec<Anvil> = sides.iter().map(|(_, kind)| *kind).collect();
                        kinds.sort_by_key(|kind| *kind as u8);
                        Signature::Siege(kinds)
                    }
                };
                (signature, topic)
            }
            ([], Some(end), None) => (Signature::End(end), DemonstrationTopic::Ends),
            _ => return,
        };
        if self.seen.contains(&signature) {
            return;
        }
        let outcome = end.map(Outcome::from);
        let Some(setup) = self.without_other_end(setup, step, &verdict, outcome) else {
            return;
        };
        self.seen.push(signature);
        self.found.push(Demonstration {
            topic,
            setup,
            moves: alloc::vec![step],
            outcome,
            verdict,
        });
    }

    /// The position, or the same with a man who has no part in it, such that a move has no other end than
    /// is to be shown: whoever lost the last man could not move.
    fn without_other_end(
        &self,
        setup: &Setup,
        step: Move,
        verdict: &Verdict,
        outcome: Option<Outcome>,
    ) -> Option<Setup> {
        let shows = |setup: &Setup| {
            let Ok(position) = self.rules.position(setup) else {
                return false;
            };
            let same = self.rules.verdict(&position, step) == *verdict;
            let mut game = Game::from_position(Arc::clone(self.rules), position, self.rules.laws());
            same && game.play(step).is_ok() && game.outcome() == outcome
        };
        let man = Piece::man(setup.side().opponent());
        let with_man = |square: Square| {
            let mut setup = *setup;
            setup.put(square, Some(man));
            setup
        };
        let far = self.squares().into_iter().rev();
        let others = far.filter(|&square| setup.piece_at(square).is_none());
        core::iter::once(*setup)
            .chain(others.map(with_man))
            .find(shows)
    }

    /// Lets a piece of a kind come to `to` from somewhere, and considers what that does.
    fn arrive(&mut self, setup: &Setup, mover: Piece, to: Square, prey: Option<Square>) {
        if setup.piece_at(to).is_some() {
            return;
        }
        for direction in Direction::ALL {
            let mut from = to;
            for _ in 0..3 {
                let Some(next) = from.step(direction) else {
                    break;
                };
                from = next;
                let is_inside = self.rules.size().squares().contains(from);
                if !is_inside || setup.piece_at(from).is_some() {
                    break;
                }
                let mut whole = *setup;
                whole.put(from, Some(mover));
                self.consider(&whole, Move::new(from, to), prey);
            }
        }
    }

    /// Captures of a man on a square by a piece of a kind.
    fn men(&mut self, mover: Piece, prey: Square) {
        let victim = Piece::man(mover.side().opponent());
        let castle = self.rules.castle();
        for direction in Direction::ALL {
            let (Some(to), Some(anvil)) = (prey.step(direction), prey.step(direction.opposite()))
            else {
                continue;
            };
            let mut bare = Setup::empty(self.rules.size(), mover.side());
            bare.put(prey, Some(victim));
            let helpers = [None, Some(Piece::man(mover.side())), Some(Piece::King)];
            for helper in helpers {
                let is_king = helper == Some(Piece::King);
                if is_king && mover != Piece::Defender || !self.is_inside(anvil) {
                    continue;
                }
                let mut setup = bare;
                if helper.is_some() {
                    setup.put(anvil, helper);
                }
                if mover == Piece::King || is_king {
                    self.arrive(&setup, mover, to, Some(prey));
                    continue;
                }
                // Somewhere there is a king: in the castle, or far away.
                for king in [Some(castle), self.far_from(prey)].into_iter().flatten() {
                    if setup.piece_at(king).is_some() || king == to {
                        continue;
                    }
                    let mut setup = setup;
                    setup.put(king, Some(Piece::King));
                    self.arrive(&setup, mover, to, Some(prey));
                    if king == anvil {
                        // The castle with its guards around it.
                        for guard in Direction::ALL
                            .into_iter()
                            .filter_map(|side| castle.step(side))
                        {
                            if setup.piece_at(guard).is_none() && guard != to {
                                setup.put(guard, Some(Piece::Attacker));
                            }
                        }
                        self.arrive(&setup, mover, to, Some(prey));
                    }
                }
            }
        }
    }

    /// A move that captures on all three sides where the mover did not come from.
    fn several(&mut self, squares: &[Square]) {
        let shown = squares.iter().find_map(|&to| {
            let mut all = Direction::ALL.into_iter();
            all.find_map(|origin| self.three_at_once(to, origin))
        });
        self.found.extend(shown);
    }

    fn three_at_once(&self, to: Square, origin: Direction) -> Option<Demonstration> {
        let mut setup = Setup::empty(self.rules.size(), Side::Defenders);
        for direction in Direction::ALL {
            let near = to.step(direction).filter(|&near| self.is_inside(near))?;
            let far = near.step(direction).filter(|&far| self.is_inside(far))?;
            if direction == origin {
                setup.put(far, Some(Piece::Defender));
            } else {
                setup.put(near, Some(Piece::Attacker));
                setup.put(far, Some(Piece::Defender));
            }
        }
        let king = self.far_from(to)?;
        if setup.piece_at(king).is_some() {
            return None;
        }
        setup.put(king, Some(Piece::King));
        let step = Move::new(to.step(origin)?.step(origin)?, to);
        let verdict = self.rules.verdict(&self.rules.position(&setup).ok()?, step);
        let between = |cause: &CaptureCause| {
            matches!(
                cause,
                CaptureCause::Between {
                    kind: Anvil::Man,
                    ..
                }
            )
        };
        match &verdict {
            Verdict::Made {
                captures,
                end: None,
            } if captures.len() == 3 && captures.iter().all(|one| between(&one.cause)) => {}
            _ => return None,
        }
        let setup = self.without_other_end(&setup, step, &verdict, None)?;
        Some(Demonstration {
            topic: DemonstrationTopic::Men,
            setup,
            moves: alloc::vec![step],
            verdict,
            outcome: None,
        })
    }

    fn is_inside(&self, square: Square) -> bool {
        self.rules.size().squares().contains(square)
    }

    /// A square for a king that has no part in what happens.
    fn far_from(&self, prey: Square) -> Option<Square> {
        let last = self.rules.size().rows() - 1;
        let far = |at: u8| if at <= last / 2 { last - 2 } else { 2 };
        Square::new(far(prey.column()), far(prey.row()))
    }

    /// Captures of the king on a square: some of his sides are taken, and one is taken last.
    fn king(&mut self, king: Square) {
        let sides: Vec<Square> = Direction::ALL
            .into_iter()
            .filter_map(|direction| king.step(direction))
            .filter(|&side| self.is_inside(side))
            .collect();
        for &to in &sides {
            for taken in 0..1_u8 << sides.len() {
                let mut setup = Setup::empty(self.rules.size(), Side::Attackers);
                setup.put(king, Some(Piece::King));
                for (n, &side) in sides.iter().enumerate() {
                    if taken & (1 << n) != 0 && side != to {
                        setup.put(side, Some(Piece::Attacker));
                    }
                }
                self.arrive(&setup, Piece::Attacker, to, Some(king));
            }
        }
    }

    /// Ends by a move of the king from a square.
    fn escape(&mut self, king: Square) {
        let mut setup = Setup::empty(self.rules.size(), Side::Defenders);
        setup.put(king, Some(Piece::King));
        let corner = self.far_from(king).filter(|&corner| corner != king);
        let Some(corner) = corner else {
            return;
        };
        setup.put(corner, Some(Piece::Attacker));
        for to in self.rules.view(&setup).targets(king) {
            self.consider(&setup, Move::new(king, to), None);
        }
    }

    /// Ends that are counted, not seen: repetition, moves without a capture, no move.
    fn laws(&self) -> Vec<Demonstration> {
        let ends = [
            self.repetition(),
            self.captureless(),
            self.stuck(),
            self.walled_in(),
        ];
        ends.into_iter().flatten().collect()
    }

    /// Plays moves, and gives them if they end the game for a reason.
    fn played(&self, setup: &Setup, moves: &[Move], reason: Reason) -> Option<Demonstration> {
        let position = self.rules.position(setup).ok()?;
        let mut game = Game::from_position(Arc::clone(self.rules), position, self.rules.laws());
        for (n, &step) in moves.iter().enumerate() {
            let verdict = self.rules.verdict(game.position(), step);
            game.play(step).ok()?;
            if let Some(outcome) = game.outcome() {
                let played = Demonstration {
                    topic: DemonstrationTopic::Ends,
                    setup: *setup,
                    moves: moves[..=n].to_vec(),
                    verdict,
                    outcome: Some(outcome),
                };
                return (outcome.reason == reason).then_some(played);
            }
        }
        None
    }

    /// Both sides go to and fro, from the start or after a move of each: men who have left a camp may not
    /// be allowed to go back.
    fn repetition(&self) -> Option<Demonstration> {
        self.rules.laws().repetition?;
        let start = self.rules.start();
        self.to_and_fro(&start).or_else(|| {
            let first = *self.rules.moves(&start).first()?;
            let after = self.rules.apply(&start, first).ok()?.position;
            self.rules.moves(&after).iter().find_map(|&answer| {
                let position = self.rules.apply(&after, answer).ok()?.position;
                self.to_and_fro(&position)
            })
        })
    }

    fn to_and_fro(&self, start: &Position) -> Option<Demonstration> {
        let setup = Setup::from(start);
        self.rules.moves(start).iter().find_map(|&there| {
            let back = Move::new(there.to(), there.from());
            let position = self.rules.apply(start, there).ok()?.position;
            self.rules.moves(&position).iter().find_map(|&answer| {
                let again = Move::new(answer.to(), answer.from());
                let round = [there, answer, back, again];
                let moves: Vec<Move> = round.into_iter().cycle().take(24).collect();
                self.played(&setup, &moves, Reason::Repetition)
            })
        })
    }

    /// One quiet move after all the others that were allowed.
    fn captureless(&self) -> Option<Demonstration> {
        let limit = self.rules.laws().captureless_limit?;
        let quiet = u16::try_from(limit.checked_sub(1)?).ok()?;
        let setup = Setup::from(&self.rules.start()).with_quiet(quiet);
        let moves = self.rules.moves(&self.rules.start());
        moves
            .iter()
            .find_map(|&step| self.played(&setup, &[step], Reason::CapturelessLimit))
    }

    /// A lone black man in a corner whose last way is closed.
    fn stuck(&self) -> Option<Demonstration> {
        let size = self.rules.size();
        let king = self.rules.castle();
        size.squares().iter().find_map(|man| {
            let sides: Vec<Square> = Direction::ALL
                .into_iter()
                .filter_map(|direction| man.step(direction))
                .filter(|&side| self.is_inside(side))
                .collect();
            let [one, to] = sides[..] else {
                return None;
            };
            let mut setup = Setup::empty(size, Side::Defenders);
            setup.put(man, Some(Piece::Attacker));
            setup.put(king, Some(Piece::King));
            setup.put(one, Some(Piece::Defender));
            Direction::ALL.into_iter().find_map(|direction| {
                let from = to.step(direction).filter(|&from| self.is_inside(from))?;
                let mut setup = setup;
                if setup.piece_at(from).is_some() {
                    return None;
                }
                setup.put(from, Some(Piece::Defender));
                self.played(&setup, &[Move::new(from, to)], Reason::NoMove)
            })
        })
    }

    /// A king among four men, around whom black closes the last square.
    fn walled_in(&self) -> Option<Demonstration> {
        self.squares().into_iter().find_map(|king| {
            let mut setup = Setup::empty(self.rules.size(), Side::Attackers);
            setup.put(king, Some(Piece::King));
            let mut outer = Vec::new();
            for direction in Direction::ALL {
                let guard = king
                    .step(direction)
                    .filter(|&guard| self.is_inside(guard))?;
                setup.put(guard, Some(Piece::Defender));
                outer.push(guard.step(direction).filter(|&one| self.is_inside(one))?);
                // What is diagonal from the king is beside two of the men.
                for side in Direction::ALL {
                    if side != direction && side != direction.opposite() {
                        setup.put(guard.step(side)?, Some(Piece::Attacker));
                    }
                }
            }
            for &one in &outer {
                setup.put(one, Some(Piece::Attacker));
            }
            outer.iter().find_map(|&to| {
                Direction::ALL.into_iter().find_map(|direction| {
                    let from = to.step(direction).filter(|&from| self.is_inside(from))?;
                    let mut setup = setup;
                    if setup.piece_at(from).is_some() {
                        return None;
                    }
                    setup.put(to, None);
                    setup.put(from, Some(Piece::Attacker));
                    self.played(&setup, &[Move::new(from, to)], Reason::NoMove)
                })
            })
        })
    }
}

#[cfg(all(test, feature = "toml"))]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;
    use crate::{BuiltIn, NoMove};

    fn shown(set: BuiltIn) -> Vec<Demonstration> {
        set.rules().demonstrations()
    }

    #[test]
    fn every_demonstration_happens_as_it_says_and_none_is_shown_twice() {
        for &set in BuiltIn::ALL {
            let rules = set.rules();
            let all = rules.demonstrations();
            for one in &all {
                let position = rules.position(&one.setup).unwrap();
                let mut game = Game::from_position(Arc::clone(&rules), position, rules.laws());
                for &step in &one.moves {
                    game.play(step).unwrap();
                }
                assert_eq!(game.outcome(), one.outcome, "{}: {}", set.id(), one.setup);
                for &lang in Lang::ALL {
                    assert!(!one.sentence(lang).is_empty());
                }
            }
            let mut texts: Vec<_> = all
                .iter()
                .map(|one| (one.setup, one.moves.clone()))
                .collect();
            texts.sort_by_key(|(setup, _)| alloc::format!("{setup}"));
            texts.dedup();
            assert_eq!(texts.len(), all.len());
            for &lang in Lang::ALL {
                let mut told: Vec<_> = all.iter().map(|one| one.sentence(lang)).collect();
                told.sort();
                told.dedup();
                assert_eq!(
                    told.len(),
                    all.len(),
                    "{}: one is told like another",
                    set.id()
                );
            }
        }
    }

    #[test]
    fn each_set_shows_men_kings_and_ends() {
        for &set in BuiltIn::ALL {
            let all = shown(set);
            for topic in DemonstrationTopic::ALL {
                assert!(
                    all.iter().any(|one| one.topic == topic),
                    "{} {topic:?}",
                    set.id()
                );
            }
            let reasons: Vec<Reason> = all
                .iter()
                .filter_map(|one| Some(one.outcome?.reason))
                .collect();
            assert!(reasons.contains(&Reason::KingEscaped), "{}", set.id());
            assert!(reasons.contains(&Reason::KingCaptured), "{}", set.id());
            // Either side may be the one that cannot move, where that is an end.
            let stuck = all.iter().filter_map(|one| one.outcome);
            let stuck = stuck.filter(|outcome| outcome.reason == Reason::NoMove);
            let mut winners: Vec<_> = stuck.filter_map(|outcome| outcome.winner).collect();
            winners.sort_by_key(|side| *side as u8);
            let both = match set.rules().laws().no_move {
                NoMove::Loses => 2,
                NoMove::Draws | NoMove::Ignored => 0,
            };
            winners.dedup();
            assert_eq!(winners.len(), both, "{}", set.id());
            let most = all.iter().map(|one| match &one.verdict {
                Verdict::Made { captures, .. } => captures.len(),
                Verdict::Illegal(_) => 0,
            });
            assert_eq!(most.max(), Some(3), "{}", set.id());
            let laws = set.rules().laws();
            assert_eq!(
                reasons.contains(&Reason::Repetition),
                laws.repetition.is_some(),
                "{}",
                set.id()
            );
            assert_eq!(
                reasons.contains(&Reason::CapturelessLimit),
                laws.captureless_limit.is_some(),
                "{}",
                set.id()
            );
        }
    }

    /// What the Challenge's rules have, one by one.
    #[test]
    fn ashton_shows_all_it_has() {
        let all = shown(BuiltIn::Ashton);
        let men: Vec<Anvil> = all
            .iter()
            .filter(|one| one.topic == DemonstrationTopic::Men)
            .filter_map(|one| match &one.verdict {
                Verdict::Made { captures, .. } => match captures[0].cause {
                    CaptureCause::Between { kind, .. } => Some(kind),
                    CaptureCause::Siege(_) => None,
                },
                Verdict::Illegal(_) => None,
            })
            .collect();
        for kind in [Anvil::Man, Anvil::King, Anvil::EmptyCastle, Anvil::Camp] {
            assert!(men.contains(&kind), "{kind:?}");
        }
        let kings = all
            .iter()
            .filter(|one| one.topic == DemonstrationTopic::King);
        assert!(
            kings.count() >= 4,
            "in the castle, beside it, against a camp, elsewhere"
        );
        assert!(all.len() <= 24, "{} are too many to read", all.len());
    }
}
