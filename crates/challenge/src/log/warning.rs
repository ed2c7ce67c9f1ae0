//! What the reference server says about an illegal move, in its order of tests.

use tablut_rules::{Rules, Setup, Side, Square};

use super::{Action, Turn};

/// The warning for an attempt, if there is one: some faults end its tests without a word.
pub(super) fn warning(rules: &Rules, setup: &Setup, side: Side, action: &Action) -> Option<String> {
    let (from, to) = (action.from.as_deref()?, action.to.as_deref()?);
    if [from, to]
        .iter()
        .any(|text| text.encode_utf16().count() != 2)
    {
        return Some("Formato mossa errato".into());
    }
    let rows = i32::from(setup.size().rows());
    let [from, to] = [coordinates(from)?, coordinates(to)?];
    if [from.0, from.1, to.0, to.1]
        .iter()
        .any(|n| !(0..rows).contains(n))
    {
        return Some("Mossa fuori tabellone".into());
    }
    let square = |(column, row): (i32, i32)| {
        Square::new(u8::try_from(column).ok()?, u8::try_from(row).ok()?)
    };
    let [from, to] = [square(from)?, square(to)?];
    let (camps, castle) = (rules.camps(), rules.castle());
    let apart = match from.row() == to.row() {
        true => from.column().abs_diff(to.column()),
        false => from.row().abs_diff(to.row()),
    };
    let text = if setup.piece_at(to).is_some() {
        "Mossa sopra una casella occupata"
    } else if to == castle {
        "Mossa sul trono"
    } else if camps.contains(to) && (!camps.contains(from) || apart > 5) {
        "Mossa che arriva sopra una citadel"
    } else if from == to {
        "Nessuna mossa"
    } else if setup.piece_at(from).map(tablut_rules::Piece::side) != Some(side) {
        let turn = Turn::Of(side).letters();
        return Some(format!(
            "Giocatore {turn} cerca di muovere una pedina avversaria"
        ));
    } else if from.direction_to(to).is_none() {
        "Mossa in diagonale"
    } else {
        // It looks from the upper or left end, whichever way the piece goes.
        let mut way: Vec<Square> = from.between(to).collect();
        way.sort_by_key(|square| square.index());
        return way.into_iter().find_map(|square| {
            let text = if setup.piece_at(square).is_some() {
                "Mossa che scavalca una pedina"
            } else if square == castle {
                "Mossa che scavalca il trono"
            } else if camps.contains(square) && !camps.contains(from) {
                "Mossa che scavalca una citadel"
            } else {
                return None;
            };
            Some(text.to_string())
        });
    };
    Some(text.into())
}

/// Column and row of a text of two letters, on the board or not.
fn coordinates(text: &str) -> Option<(i32, i32)> {
    let mut letters = text.chars();
    let column = letters.next()?.to_lowercase().next()?;
    // No digit ends the tests of the reference server with an error of its own.
    let row = letters.next()?.to_digit(10)?;
    Some((column as i32 - 'a' as i32, row as i32 - 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_fault_has_the_warning_of_the_reference() {
        let rules = Rules::ashton();
        let board = "...bbb.../....b..../..w.w..../b...w...b/bbwwT.wbb/b....K..b/....w..../....b..../...bb....";
        let setup = Setup::from_board(board, Side::Defenders).unwrap();
        for (from, to, text) in [
            ("e10", "e4", Some("Formato mossa errato")),
            ("e4", "", Some("Formato mossa errato")),
            ("e4", "ex", None),
            ("z4", "e4", Some("Mossa fuori tabellone")),
            ("e4", "e0", Some("Mossa fuori tabellone")),
            ("f6", "e5", Some("Mossa sul trono")),
            ("e3", "e2", Some("Mossa sopra una casella occupata")),
            ("f6", "f9", Some("Mossa che arriva sopra una citadel")),
            ("f3", "f3", Some("Nessuna mossa")),
            (
                "f3",
                "g3",
                Some("Giocatore W cerca di muovere una pedina avversaria"),
            ),
            (
                "d1",
                "c1",
                Some("Giocatore W cerca di muovere una pedina avversaria"),
            ),
            ("e3", "d2", Some("Mossa in diagonale")),
            ("c3", "g3", Some("Mossa che scavalca una pedina")),
            ("d5", "f5", Some("Mossa che scavalca il trono")),
            ("d1", "d9", Some("Mossa sopra una casella occupata")),
        ] {
            let action = Action {
                from: Some(from.into()),
                to: Some(to.into()),
            };
            let found = warning(&rules, &setup, Side::Defenders, &action);
            assert_eq!(found.as_deref(), text, "{from} {to}");
        }
        assert_eq!(
            warning(&rules, &setup, Side::Defenders, &Action::default()),
            None
        );
    }
}
