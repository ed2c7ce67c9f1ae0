//! The rules in Italian sentences.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use crate::{
    CampClosed, CastleCross, CastleKing, CastleStop, Goals, NoMove, Piece, PieceSet,
    RepetitionResult, Side, Square, TwoLanes,
    text::{
        Section,
        clause::{
            BoardClause, CallClause, Clauses, Closed, EndClause, KingClause, Law, ManClause,
            MoveClause, list, names, section,
        },
    },
};

/// The sections of a description.
pub(in crate::text) fn sections(clauses: &Clauses) -> Vec<Section> {
    Vec::from([
        section("The board", &clauses.board, board),
        section("Moves", &clauses.moves, moves),
        section("Capturing men", &clauses.men, men),
        section("Capturing the king", &clauses.king, king),
        section("The end of the game", &clauses.end, end),
        section("Raichi and tuichu", &clauses.calls, calls),
    ])
}

fn count(men: u32) -> String {
    match men {
        0 => "no men".to_string(),
        1 => "one man".to_string(),
        n => format!("{n} men"),
    }
}

fn colour(side: Side) -> &'static str {
    match side {
        Side::Attackers => "Black",
        Side::Defenders => "White",
    }
}

fn letter(square: Square) -> char {
    char::from(b'a' + square.column())
}

fn ordinal(n: u32) -> String {
    match (n, n % 10, n % 100) {
        (2, ..) => "second".to_string(),
        (3, ..) => "third".to_string(),
        (_, _, 11..=13) => format!("{n}th"),
        (_, 1, _) => format!("{n}st"),
        (_, 2, _) => format!("{n}nd"),
        (_, 3, _) => format!("{n}rd"),
        _ => format!("{n}th"),
    }
}

/// Which men among black and white are in a set.
fn both(pieces: PieceSet) -> (bool, bool) {
    let has = |piece| pieces.contains(piece);
    (has(Piece::Attacker), has(Piece::Defender))
}

fn board(clause: &BoardClause) -> String {
    match clause {
        BoardClause::Board(size) => {
            let rows = size.rows();
            let last = char::from(b'a' + rows - 1);
            format!(
                "The board has {rows}×{rows} squares. Columns are called a to {last} from the \
                 left, rows 1 to {rows} from the top, so a1 is the top left corner."
            )
        }
        BoardClause::Sides { white, black } => format!(
            "White, the defenders, has a king and {}. Black, the attackers, has {} and no king. \
             A piece is a man or the king.",
            count(*white),
            count(*black)
        ),
        BoardClause::Aims => {
            "White wants to bring the king to a goal. Black wants to capture him.".into()
        }
        BoardClause::Castle(square) => format!("The square {square} is the castle."),
        BoardClause::Camps(camps) => {
            let camps: Vec<String> = camps.iter().map(|&camp| names(camp, "and")).collect();
            match &camps[..] {
                [one] => format!("There is one camp, of these squares: {one}."),
                _ => format!("There are {} camps: {}.", camps.len(), camps.join("; ")),
            }
        }
        BoardClause::NoCamps => {
            "There are no camps: apart from the castle and the goals, all squares are alike.".into()
        }
        BoardClause::Goals { goals, squares } => match goals {
            Goals::Edge => "Every square on the edge of the board is a goal.".into(),
            Goals::Corners => format!(
                "The four corners, {}, are the goals.",
                names(*squares, "and")
            ),
            Goals::Squares(_) if squares.len() == 1 => {
                format!("There is one goal: {}.", names(*squares, "and"))
            }
            Goals::Squares(_) => format!("The goals are {}.", names(*squares, "and")),
        },
        BoardClause::Escapes(squares) if squares.is_empty() => {
            "The king can reach none of the goals.".into()
        }
        BoardClause::Escapes(squares) => format!(
            "The king can arrive only on {}; these are called escape squares.",
            names(*squares, "and")
        ),
        BoardClause::PlainGoals { in_camps } => {
            let camps = if *in_camps {
                " One that lies in a camp keeps the rules of camps."
            } else {
                ""
            };
            format!(
                "Otherwise goals and corners are ordinary squares: men may stop on them, every \
                 piece may cross them, and they never help to capture by themselves.{camps}"
            )
        }
        BoardClause::Start { piece, squares } => {
            let squares = names(*squares, "and");
            match piece {
                Piece::King => format!("At the start the king stands on {squares}."),
                Piece::Defender => format!("At the start the white men stand on {squares}."),
                Piece::Attacker => format!("At the start the black men stand on {squares}."),
            }
        }
        BoardClause::First(side) => format!(
            "{} moves first. Then the sides take turns, one move each; nobody may pass.",
            colour(*side)
        ),
    }
}

fn moves(clause: &MoveClause) -> String {
    match clause {
        MoveClause::Straight => "A move takes one of your own pieces along its row or its column, \
             any number of squares. Men and king move alike; nothing moves diagonally."
            .into(),
        MoveClause::NoJump => "No piece jumps over another or lands on one: every square on the \
             way and the last one must be empty."
            .into(),
        MoveClause::CastleMoves {
            castle,
            stop,
            cross,
            home,
        } => {
            let home = match (stop, home) {
                (CastleStop::Nobody, true) => {
                    " The king starts on it; once he has left it, he cannot go back."
                }
                _ => "",
            };
            match (cross, stop) {
                (CastleCross::Nobody, CastleStop::Nobody) => format!(
                    "No piece may stop on the castle {castle} or cross it, even when it is \
                     empty.{home}"
                ),
                (CastleCross::Nobody, CastleStop::King) => format!(
                    "Only the king may stop on the castle {castle}, and he may come back to it. \
                     Nobody may cross it, even when it is empty: the king too must stop on it or \
                     before it."
                ),
                (CastleCross::Everyone, CastleStop::Nobody) => format!(
                    "Every piece may cross the castle {castle} when it is empty, but nobody may \
                     stop on it.{home}"
                ),
                (CastleCross::Everyone, CastleStop::King) => format!(
                    "Every piece may cross the castle {castle} when it is empty. Only the king \
                     may stop on it, and he may come back to it."
                ),
            }
        }
        MoveClause::CastleColumnOnly { castle, stop } => {
            let king = match stop {
                CastleStop::King => ", also for a king who wants to stop on it",
                CastleStop::Nobody => "",
            };
            format!(
                "This holds along column {} only: along row {} the castle is in the way even \
                 when it is empty{king}.",
                letter(*castle),
                castle.row() + 1
            )
        }
        MoveClause::CrossExample {
            from,
            to,
            allowed: true,
        } => format!("For example, a piece on {from} may go to {to} when the castle is empty."),
        MoveClause::CrossExample {
            from,
            to,
            allowed: false,
        } => format!("So a piece on {from} can never go to {to} in one move."),
        MoveClause::CampMoves(CampClosed::Nobody) => {
            "Camp squares are open to all pieces: everyone may stop on them and cross them.".into()
        }
        MoveClause::CampMoves(CampClosed::King) => "The king may neither stop on a camp square \
             nor cross one. Men of both sides may do both."
            .into(),
        MoveClause::CampMoves(CampClosed::Outsiders) => "A piece of either side that starts its \
             move outside a camp may neither stop on a square of that camp nor cross one, even \
             when it is empty."
            .into(),
        MoveClause::OwnCamp => "A piece that starts its move in a camp may move inside that same \
             camp, cross its empty squares and leave it. Once it stands outside, it can never \
             come back, and other camps are always closed to it."
            .into(),
        MoveClause::OwnCampExample {
            from,
            within: Some(within),
            out,
        } => format!(
            "For example, a man on {from} may go to {within} if it is empty, or out to {out}; \
             from {out} it cannot go back to {from}."
        ),
        MoveClause::OwnCampExample {
            from,
            within: None,
            out,
        } => format!(
            "For example, a man on {from} may go out to {out}; from {out} it cannot go back to \
             {from}."
        ),
        MoveClause::OtherCampExample { from, to, barred } => format!(
            "A man on {from} may go as far as {to} if the way is empty, but not to {barred}, \
             which is in another camp."
        ),
        MoveClause::NoWhiteInCamps => {
            "White starts outside the camps, so no white piece is ever in one.".into()
        }
    }
}

fn men(clause: &ManClause) -> String {
    match clause {
        ManClause::Custodial => "A man is captured when an enemy piece moves to a square beside \
             it and the square straight beyond the man, on its other side, is hostile to it. Only \
             rows and columns count, never diagonals."
            .into(),
        ManClause::EnemyHostile => "A square with an enemy piece on it is always hostile. The \
             king counts as a white piece in this: he captures black men by his moves, and the \
             square he stands on is hostile to them."
            .into(),
        ManClause::BetweenExample { man, one, other } => format!(
            "For example, a black man on {man} with a white piece on {one} is captured when \
             another white piece moves to {other}."
        ),
        ManClause::Active => "Only the piece that has just moved captures: the captured man \
             always lies between it and the hostile square."
            .into(),
        ManClause::SideExample {
            man,
            one,
            other,
            side,
        } => format!(
            "If a black man on {man} stands between white pieces on {one} and {other} already, a \
             white piece that moves to {side} does not capture it."
        ),
        ManClause::SafeBetween => "A man may move in between two enemies: that does not capture \
             it. It stays safe until an enemy piece moves to a square beside it anew, with a \
             hostile square straight beyond."
            .into(),
        ManClause::Several => "One move can capture several men at once, up to three. Captured \
             men leave the board for good."
            .into(),
        ManClause::Edge => "The edge of the board is never hostile: a man on the edge can be \
             captured only along the edge, and a man in a corner not at all."
            .into(),
        ManClause::CastleEmpty { castle, to } => match both(*to) {
            (true, true) => {
                format!("The castle {castle}, when it is empty, is hostile to men of both sides.")
            }
            (true, false) => format!(
                "The castle {castle}, when it is empty, is hostile to black men but not to white \
                 men."
            ),
            (false, true) => format!(
                "The castle {castle}, when it is empty, is hostile to white men but not to black \
                 men."
            ),
            (false, false) => {
                format!("The castle {castle}, when it is empty, is not hostile to any man.")
            }
        },
        ManClause::CastleEmptyExample { man, to, falls } => {
            let text = match both(*falls) {
                (true, true) => {
                    format!("a man on {man} is captured by an enemy that moves to {to}")
                }
                (true, false) => format!(
                    "a black man on {man} is captured by a white piece that moves to {to}, but a \
                     white man on {man} is not captured by a black one there"
                ),
                (false, true) => format!(
                    "a white man on {man} is captured by a black man that moves to {to}, but a \
                     black man on {man} is not captured by a white piece there"
                ),
                (false, false) => {
                    format!("a man on {man} is not captured by an enemy that moves to {to}")
                }
            };
            format!("For example, with the castle empty {text}.")
        }
        ManClause::CastleKing { castle, when } => {
            let white = match when {
                CastleKing::Never => "is not hostile to white men",
                CastleKing::Always => "is hostile to white men as well",
                CastleKing::Besieged => {
                    "is hostile to a white man beside it only when black men stand on the other \
                     three squares beside the castle"
                }
            };
            format!(
                "The castle {castle} with the king on it {white}. To black men it is hostile, as \
                 is every square with the king on it."
            )
        }
        ManClause::CastleKingExample {
            castle,
            when,
            man,
            to,
            guards,
        } => match when {
            CastleKing::Never => format!(
                "So a white man on {man} with the king on {castle} is not captured by a black man \
                 that moves to {to}."
            ),
            CastleKing::Always => format!(
                "So a white man on {man} with the king on {castle} is captured by a black man \
                 that moves to {to}."
            ),
            CastleKing::Besieged => format!(
                "So a white man on {man} with the king on {castle} is captured by a black man \
                 that moves to {to} if black men stand on {}; if one of these is missing, it is \
                 not.",
                names(*guards, "and")
            ),
        },
        ManClause::CampHostile(to) => match both(*to) {
            (true, true) => "Camp squares are hostile to men of both sides, empty or not, \
                 whoever stands on them."
                .into(),
            (true, false) => "Camp squares are hostile to black men, empty or not, whoever stands \
                 on them. To a white man a camp square is hostile only with a black man on it."
                .into(),
            (false, true) => "Camp squares are hostile to white men, empty or not, whoever stands \
                 on them. To a black man a camp square is hostile only with a white piece on it."
                .into(),
            (false, false) => "Camp squares are not hostile to men by themselves: only an enemy \
                 piece on one makes it hostile."
                .into(),
        },
        ManClause::CampExempt(squares) => {
            let (verb, on) = match squares.len() {
                1 => ("is", "it"),
                _ => ("are", "them"),
            };
            format!(
                "An exception: {} {verb} not hostile to black men, unless a white piece stands on \
                 {on}.",
                names(*squares, "and")
            )
        }
        ManClause::CampHostileExample {
            piece,
            man,
            to,
            camp,
        } => {
            let (whose, enemy) = match piece.side() {
                Side::Attackers => ("black", "white piece"),
                Side::Defenders => ("white", "black man"),
            };
            format!(
                "For example, a {whose} man on {man} is captured by a {enemy} that moves to {to}, \
                 because {camp} beyond is a camp square."
            )
        }
        ManClause::ShieldedAlways(squares) => format!(
            "It follows that a black man on {} can never be captured while it stands there.",
            names(*squares, "or")
        ),
        ManClause::ShieldedButBetween(ways) => {
            let ways: Vec<String> = ways
                .iter()
                .map(|(man, one, other)| format!("on {man} only between {one} and {other}"))
                .collect();
            format!(
                "A black man in a camp can be captured {}, with a white piece on each of the two \
                 squares.",
                list(&ways, "and")
            )
        }
    }
}

fn king(clause: &KingClause) -> String {
    match clause {
        KingClause::KingActive { idle } => {
            let idle = if *idle {
                " There is one exception, told below."
            } else {
                ""
            };
            format!(
                "The king is captured only by a black move that ends on a square beside him.{idle} \
                 If he moves in between black men himself, that does not capture him."
            )
        }
        KingClause::OpenSides => "His sides are the four squares beside him along row and column. \
             A white man beside him does not close a side for black, nor does the edge of the \
             board."
            .into(),
        KingClause::KingOnCastle {
            castle,
            only,
            sides,
            camps,
        } => {
            let only = if *only { " only" } else { "" };
            let camps = if camps.is_empty() {
                String::new()
            } else {
                format!(
                    " No black man is needed on {}: a camp square closes its side by itself.",
                    names(*camps, "and")
                )
            };
            format!(
                "On the castle {castle} he is captured{only} when black men stand on all four \
                 sides: {}.{camps}",
                names(*sides, "and")
            )
        }
        KingClause::IdleSiege(castle) => format!(
            "The exception: when all four sides of a king on the castle {castle} are closed, any \
             black move captures him, wherever it ends."
        ),
        KingClause::KingBesideCastle {
            squares,
            camps,
            open,
        } => {
            let mut text = format!(
                "On {}, beside the castle, he is captured only when black men stand on the other \
                 three sides; the empty castle closes the fourth. Two opposite black men are not enough \
                 there.",
                names(*squares, "or")
            );
            if !camps.is_empty() {
                text += &format!(
                    " No black man is needed on {}: a camp square closes its side by itself.",
                    names(*camps, "or")
                );
            }
            if !open.is_empty() {
                text += &format!(
                    " On {}, at the edge, one side stays open, so he cannot be captured there.",
                    names(*open, "or")
                );
            }
            text
        }
        KingClause::SiegeExample {
            king,
            black,
            closed,
        } => {
            let closed = match closed {
                Some(Closed::Castle(castle)) => {
                    format!("; the empty castle {castle} closes the last side")
                }
                Some(Closed::Camp(camp)) => {
                    format!("; the camp square {camp} closes the last side")
                }
                None => String::new(),
            };
            format!(
                "For example, a king on {king} is captured when black men stand on {} and one of \
                 them has just moved there{closed}.",
                names(*black, "and")
            )
        }
        KingClause::KingBetween { camps } => {
            let what = match camps {
                Some(true) => {
                    "there is another black man or a camp square straight beyond him. A camp \
                     square counts empty or not"
                }
                Some(false) => {
                    "another black man stands straight beyond him. A camp square without a black \
                     man does not count"
                }
                None => "another black man stands straight beyond him",
            };
            format!(
                "Everywhere else he is captured like a man: when a black man moves beside him and \
                 {what}."
            )
        }
        KingClause::KingBetweenExample {
            king,
            to,
            beyond,
            camp: false,
        } => format!(
            "For example, a king on {king} with a black man on {beyond} is captured when a black \
             man moves to {to}."
        ),
        KingClause::KingBetweenExample {
            king,
            to,
            beyond,
            camp: true,
        } => format!(
            "For example, a king on {king} is captured when a black man moves to {to}, because \
             {beyond} beyond is a camp square."
        ),
        KingClause::KingSiege { camps } => {
            let camps = match camps {
                Some(true) => " A camp square beside him closes its side by itself, empty or not.",
                Some(false) => {
                    " A camp square beside him closes its side only with a black man on it."
                }
                None => "",
            };
            let what = match camps {
                "" => "black men stand on all four sides",
                _ => "all four sides are closed by black men",
            };
            format!("Everywhere else he is captured only when {what}.{camps}")
        }
        KingClause::KingOnEdge { between: true } => "On the edge he can be captured only along \
             the edge, and in a corner not at all."
            .into(),
        KingClause::KingOnEdge { between: false } => {
            "A king on the edge cannot be captured: one of his sides is open for good.".into()
        }
        KingClause::MiddleRow(castle) => format!(
            "Two peculiarities: a black man that moves to a square of row {row} never captures \
             the king between itself and the square beyond, it can only close the last of all \
             four sides; and a king on the castle {castle} is captured in column {column} like \
             elsewhere, between the squares above and below him.",
            row = castle.row() + 1,
            column = letter(*castle)
        ),
        KingClause::KingAndMen => "The move that captures the king may capture men as well.".into(),
    }
}

fn end(clause: &EndClause) -> String {
    match clause {
        EndClause::GoalWins => "White wins at once when the king stops on a goal; crossing one is \
             not enough. Men captured by that move are taken off first."
            .into(),
        EndClause::CaptureWins => "Black wins at once when the king is captured.".into(),
        EndClause::TwoLanesWin => "White wins at once on tuichu (see below): always when it is \
             white's turn, and when it is black's turn if no black move can capture the king."
            .into(),
        EndClause::NoMove(NoMove::Loses) => {
            "A side that has to move and has no legal move, or no piece left, loses.".into()
        }
        EndClause::NoMove(NoMove::Draws) => {
            "If the side that has to move has no legal move, or no piece left, the game is drawn."
                .into()
        }
        EndClause::NoMove(NoMove::Ignored) => "A side that has to move and has no legal move does \
             not lose by that: the game stands still until a clock or the players end it."
            .into(),
        EndClause::SamePosition => "Two positions are the same when the same kinds of pieces \
             stand on the same squares and the same side is to move. The position at the start \
             counts as one occurrence."
            .into(),
        EndClause::Repetition(law) => {
            let nth = ordinal(law.occurrence);
            match law.result {
                RepetitionResult::Draw => {
                    format!("When a position occurs for the {nth} time, the game is drawn.")
                }
                RepetitionResult::MoverLoses => format!(
                    "When a position occurs for the {nth} time, the side whose move brought it \
                     about loses."
                ),
            }
        }
        EndClause::NoRepetition => {
            "Repeating a position does not end the game, however often it happens.".into()
        }
        EndClause::CapturelessLimit(0) => "There is no limit on moves without a capture.".into(),
        EndClause::CapturelessLimit(1) => {
            "The game is drawn after the first move without a capture.".into()
        }
        EndClause::CapturelessLimit(limit) => format!(
            "The game is drawn after {limit} moves in a row without a capture, the moves of both \
             sides counted together."
        ),
        EndClause::NoDraw => "None of these rules makes a draw.".into(),
        EndClause::Order(laws) => {
            let laws: Vec<String> = laws.iter().map(|&l| law(l).to_string()).collect();
            format!(
                "If one move meets several of these rules, the first in this order decides: {}.",
                laws.join(", ")
            )
        }
        EndClause::Options => "Clocks, resignation and a limit on the number of moves belong to \
             the single game, not to this rule set. With a limit of N moves for each player, \
             whoever has to make move N+1 loses."
            .into(),
    }
}

fn law(law: Law) -> &'static str {
    match law {
        Law::King => "the king on a goal or captured",
        Law::TwoLanes => "tuichu",
        Law::NoMove => "no legal move",
        Law::Repetition => "repetition",
        Law::CapturelessLimit => "moves without a capture",
    }
}

fn calls(clause: &CallClause) -> String {
    match clause {
        CallClause::Lane => "The king has an open lane in a direction when he could stop on a \
             goal with one move that way now, whoever is to move."
            .into(),
        CallClause::CallWords => {
            "One open lane is called raichi; two or more, in different directions, tuichu.".into()
        }
        CallClause::CallEffect(TwoLanes::Call) => "Both are only announcements: they change \
             nothing, and the game goes on."
            .into(),
        CallClause::CallEffect(TwoLanes::Wins) => "Raichi is only an announcement; tuichu can win \
             the game, as told above."
            .into(),
    }
}
