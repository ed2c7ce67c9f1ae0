//! Every parameter of a rule set: its key, how it is written, how it is read.
//!
//! One row serves the text form, its reader, and the comparison of two sets.

use alloc::{
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::num::NonZero;

use super::{
    CampClosed, CastleCross, CastleKing, CastleStop, Goals, KingFall, Name, NoMove, PieceSet,
    Repetition, RepetitionResult, RuleSet, TwoLanes,
    fault::{RuleSetFault, RuleSetProblem},
    value::{TomlKind, TomlValue},
};
use crate::{Bitboard, BoardSize, Piece, Setup, Side, Square, text::Lang};

/// One parameter.
pub(crate) struct Field {
    /// The key, with its section: `king.elsewhere`.
    pub(crate) key: &'static str,
    /// Whether a text must say it.
    #[cfg_attr(not(feature = "toml"), allow(dead_code, reason = "only a reader asks"))]
    pub(crate) required: bool,
    /// Whether it changes play. Names and sources do not.
    pub(crate) matters: bool,
    /// Its value; nothing if it need not be written.
    pub(crate) write: fn(&RuleSet) -> Option<TomlValue>,
    read: fn(&mut RuleSet, &TomlValue, &mut FieldReader),
}

impl Field {
    /// Sets the parameter and reports what is wrong with the value.
    pub(crate) fn read(&self, set: &mut RuleSet, value: &TomlValue) -> Vec<RuleSetFault> {
        let mut reader = FieldReader {
            key: self.key,
            faults: Vec::new(),
        };
        (self.read)(set, value, &mut reader);
        reader.faults
    }
}

/// Collects the faults of one value.
struct FieldReader {
    key: &'static str,
    faults: Vec<RuleSetFault>,
}

impl FieldReader {
    fn fault(&mut self, value: &TomlValue, problem: RuleSetProblem) {
        let fault = RuleSetFault::new(self.key, problem).at(value.line);
        self.faults.push(fault);
    }

    fn expected(&mut self, value: &TomlValue, expected: &'static str) {
        let found = value.what();
        self.fault(value, RuleSetProblem::WrongType { expected, found });
    }

    fn text<'v>(&mut self, value: &'v TomlValue) -> Option<&'v str> {
        match &value.kind {
            TomlKind::Text(text) => Some(text),
            _ => {
                self.expected(value, "a text");
                None
            }
        }
    }

    fn number(&mut self, value: &TomlValue) -> Option<u32> {
        match value.kind {
            TomlKind::Number(number) => match u32::try_from(number) {
                Ok(number) => Some(number),
                Err(_) => {
                    let most = u32::MAX;
                    self.fault(value, RuleSetProblem::OutOfRange { number, most });
                    None
                }
            },
            _ => {
                self.expected(value, "a number");
                None
            }
        }
    }

    fn flag(&mut self, value: &TomlValue, target: &mut bool) {
        match value.kind {
            TomlKind::Flag(flag) => *target = flag,
            _ => self.expected(value, "true or false"),
        }
    }

    fn list<'v>(&mut self, value: &'v TomlValue) -> &'v [TomlValue] {
        match &value.kind {
            TomlKind::List(values) => values,
            _ => {
                self.expected(value, "a list");
                &[]
            }
        }
    }

    /// Complains about entries of a table that mean nothing.
    fn only(&mut self, table: &TomlValue, known: &[&str]) {
        if let TomlKind::Table(entries) = &table.kind {
            for (key, value) in entries {
                if !known.contains(&key.as_str()) {
                    let problem = RuleSetProblem::UnknownEntry {
                        entry: key.clone(),
                        known: known.iter().map(|known| known.to_string()).collect(),
                    };
                    self.fault(value, problem);
                }
            }
        }
    }

    /// One of several words.
    fn word<T: Copy>(
        &mut self,
        value: &TomlValue,
        target: &mut T,
        all: &[T],
        word: fn(T) -> &'static str,
    ) {
        let Some(text) = self.text(value) else {
            return;
        };
        match all.iter().find(|&&it| word(it) == text) {
            Some(&it) => *target = it,
            None => {
                let known = all.iter().map(|&it| word(it)).collect();
                let word = text.to_string();
                self.fault(value, RuleSetProblem::UnknownWord { word, known });
            }
        }
    }

    fn square(&mut self, value: &TomlValue) -> Option<Square> {
        let text = self.text(value)?;
        match text.parse() {
            Ok(square) => Some(square),
            Err(error) => {
                let text = text.to_string();
                self.fault(value, RuleSetProblem::NoSquare { text, error });
                None
            }
        }
    }

    fn squares(&mut self, value: &TomlValue) -> Bitboard {
        let list = self.list(value);
        list.iter().filter_map(|v| self.square(v)).collect()
    }

    fn pieces(&mut self, value: &TomlValue, allowed: &[Piece]) -> PieceSet {
        let mut pieces = PieceSet::NONE;
        for value in self.list(value) {
            let mut piece = None;
            let known: Vec<Option<Piece>> = allowed.iter().copied().map(Some).collect();
            self.word(value, &mut piece, &known, |p| p.map_or("", kind_word));
            pieces = piece.map_or(pieces, |piece| pieces.with(piece));
        }
        pieces
    }
}

/// The word for all pieces of a kind.
const fn kind_word(piece: Piece) -> &'static str {
    match piece {
        Piece::Attacker => "attackers",
        Piece::Defender => "defenders",
        Piece::King => "king",
    }
}

const fn side_word(side: Side) -> &'static str {
    match side {
        Side::Attackers => "attackers",
        Side::Defenders => "defenders",
    }
}

fn write_start(setup: &Setup) -> TomlValue {
    let rows = setup.size().rows();
    TomlValue::texts((0..rows).map(|row| {
        (0..rows)
            .filter_map(|column| Square::new(column, row))
            .map(|square| setup.piece_at(square).map_or('.', Piece::letter))
            .collect::<String>()
    }))
}

fn read_start(set: &mut RuleSet, value: &TomlValue, reader: &mut FieldReader) {
    let list = reader.list(value);
    let rows: Vec<&str> = list.iter().filter_map(|row| reader.text(row)).collect();
    if rows.len() < list.len() {
        return;
    }
    match Setup::from_board(&rows.join("/"), Side::Attackers) {
        Ok(setup) => set.start = setup,
        Err(error) => {
            // The line of the row that is wrong, if it is one row.
            let row = match error {
                crate::ParseBoardError::Squares { row, .. }
                | crate::ParseBoardError::Letter { row, .. } => list.get(usize::from(row) - 1),
                _ => None,
            };
            reader.fault(row.unwrap_or(value), RuleSetProblem::NoBoard(error));
        }
    }
}

fn write_goals(goals: Goals) -> TomlValue {
    match goals {
        Goals::Edge => TomlValue::text("edge"),
        Goals::Corners => TomlValue::text("corners"),
        Goals::Squares(squares) => TomlValue::texts(squares),
    }
}

fn read_goals(set: &mut RuleSet, value: &TomlValue, reader: &mut FieldReader) {
    match &value.kind {
        TomlKind::Text(text) if text == "edge" => set.goals = Goals::Edge,
        TomlKind::Text(text) if text == "corners" => set.goals = Goals::Corners,
        TomlKind::List(_) => set.goals = Goals::Squares(reader.squares(value)),
        _ => reader.fault(
            value,
            RuleSetProblem::WrongForm("\"edge\", \"corners\" or a list of squares"),
        ),
    }
}

fn write_repetition(repetition: Option<Repetition>) -> TomlValue {
    let Some(law) = repetition else {
        return TomlValue::text("never");
    };
    let occurrence = TomlKind::Number(law.occurrence.into());
    TomlKind::Table(vec![
        ("occurrence".to_string(), occurrence.into()),
        ("result".to_string(), TomlValue::text(law.result.word())),
    ])
    .into()
}

fn read_repetition(set: &mut RuleSet, value: &TomlValue, reader: &mut FieldReader) {
    if value.kind == TomlKind::Text("never".to_string()) {
        set.repetition = None;
        return;
    }
    let (Some(occurrence), Some(result)) = (value.get("occurrence"), value.get("result")) else {
        let forms = "\"never\" or { occurrence = 2, result = \"draw\" }";
        reader.fault(value, RuleSetProblem::WrongForm(forms));
        return;
    };
    reader.only(value, &["occurrence", "result"]);
    let mut law = Repetition {
        occurrence: 2,
        result: RepetitionResult::Draw,
    };
    law.occurrence = reader.number(occurrence).unwrap_or(2);
    reader.word(
        result,
        &mut law.result,
        RepetitionResult::ALL,
        RepetitionResult::word,
    );
    set.repetition = Some(law);
}

fn write_limit(limit: Option<NonZero<u16>>) -> TomlValue {
    limit.map_or_else(
        || TomlValue::text("never"),
        |limit| TomlKind::Number(limit.get().into()).into(),
    )
}

/// Reads a number of moves or `"never"`; older texts say 0 for never.
fn read_captureless_limit(set: &mut RuleSet, value: &TomlValue, reader: &mut FieldReader) {
    if value.kind == TomlKind::Text("never".to_string()) {
        set.captureless_limit = None;
        return;
    }
    let Some(number) = reader.number(value) else {
        return;
    };
    match u16::try_from(number) {
        Ok(limit) => set.captureless_limit = NonZero::new(limit),
        Err(_) => reader.fault(value, RuleSetProblem::LimitTooLarge),
    }
}

fn read_name(set: &mut RuleSet, value: &TomlValue, reader: &mut FieldReader) {
    set.name = Name::default();
    if let TomlKind::Table(_) = &value.kind {
        let codes: Vec<&str> = Lang::ALL.iter().map(|lang| lang.code()).collect();
        reader.only(value, &codes);
        for &lang in Lang::ALL {
            if let Some(text) = value.get(lang.code()).and_then(|name| reader.text(name)) {
                set.name = core::mem::take(&mut set.name).with(lang, text);
            }
        }
    } else if let Some(text) = reader.text(value) {
        set.name = Name::new(text);
    }
}

fn write_name(set: &RuleSet) -> TomlValue {
    let names = set.name.iter();
    let names = names.map(|(lang, name)| (lang.to_string(), TomlValue::text(name)));
    TomlKind::Table(names.collect()).into()
}

fn read_size(set: &mut RuleSet, value: &TomlValue, reader: &mut FieldReader) {
    if let Some(rows) = reader.number(value) {
        match BoardSize::from_rows(rows as usize) {
            Some(size) => set.size = size,
            None => reader.fault(value, RuleSetProblem::BoardSize(rows)),
        }
    }
}

/// A mistake of the referee: written only where it is made.
fn quirk(flag: bool) -> Option<TomlValue> {
    flag.then(|| TomlKind::Flag(true).into())
}

/// A parameter whose values are words.
macro_rules! word {
    ($key:literal, $required:literal, $field:ident, $type:ty) => {
        Field {
            key: $key,
            required: $required,
            matters: true,
            write: |set| Some(TomlValue::text(set.$field.word())),
            read: |set, value, reader| {
                reader.word(value, &mut set.$field, <$type>::ALL, <$type>::word);
            },
        }
    };
}

/// A parameter with a writer and a reader of its own.
macro_rules! field {
    ($key:literal, $required:literal, $matters:literal, $write:expr, $read:expr) => {
        Field {
            key: $key,
            required: $required,
            matters: $matters,
            write: $write,
            read: $read,
        }
    };
}

/// A mistake of the referee.
macro_rules! quirk {
    ($key:literal, $field:ident) => {
        field!(
            $key,
            false,
            true,
            |set| quirk(set.quirk.$field),
            |set, value, reader| reader.flag(value, &mut set.quirk.$field)
        )
    };
}

/// All parameters, in the order of the text form; those of a section stand together.
pub(crate) static FIELDS: &[Field] = &[
    field!(
        "id",
        true,
        false,
        |set| Some(TomlValue::text(set.id.as_str())),
        |set, value, reader| set.id = reader.text(value).unwrap_or_default().into()
    ),
    field!("name", true, false, |set| Some(write_name(set)), read_name),
    field!(
        "source",
        false,
        false,
        |set| Some(TomlValue::text(set.source.as_str())),
        |set, value, reader| set.source = reader.text(value).unwrap_or_default().into()
    ),
    field!(
        "board",
        true,
        true,
        |set| Some(TomlKind::Number(set.size.rows().into()).into()),
        read_size
    ),
    field!(
        "first",
        true,
        true,
        |set| Some(TomlValue::text(side_word(set.first))),
        |set, value, reader| reader.word(value, &mut set.first, &Side::ALL, side_word)
    ),
    field!(
        "start",
        true,
        true,
        |set| Some(write_start(&set.start)),
        read_start
    ),
    field!(
        "castle",
        true,
        true,
        |set| Some(TomlValue::text(set.castle.to_string())),
        |set, value, reader| set.castle = reader.square(value).unwrap_or(set.castle)
    ),
    field!(
        "camps",
        false,
        true,
        |set| {
            let camps = set
                .camps
                .iter()
                .map(|&camp| TomlValue::texts(camp))
                .collect();
            Some(TomlKind::List(camps).into())
        },
        |set, value, reader| {
            let camps = reader.list(value);
            set.camps = camps.iter().map(|camp| reader.squares(camp)).collect();
        }
    ),
    word!("movement.castle_stop", true, castle_stop, CastleStop),
    word!("movement.castle_cross", true, castle_cross, CastleCross),
    word!("movement.camp_closed_to", false, camp_closed_to, CampClosed),
    field!(
        "hostile.castle_empty_to",
        true,
        true,
        |set| Some(TomlValue::texts(set.castle_empty_to.iter().map(kind_word))),
        |set, value, reader| {
            let allowed = [Piece::Attacker, Piece::Defender];
            set.castle_empty_to = reader.pieces(value, &allowed);
        }
    ),
    word!(
        "hostile.castle_king_to_defenders",
        true,
        castle_king_to_defenders,
        CastleKing
    ),
    field!(
        "hostile.camp_to",
        false,
        true,
        |set| Some(TomlValue::texts(set.camp_to.iter().map(kind_word))),
        |set, value, reader| set.camp_to = reader.pieces(value, &Piece::ALL)
    ),
    field!(
        "hostile.camp_not_to_attackers",
        false,
        true,
        |set| Some(TomlValue::texts(set.camp_not_to_attackers)),
        |set, value, reader| set.camp_not_to_attackers = reader.squares(value)
    ),
    word!("king.elsewhere", true, king_elsewhere, KingFall),
    field!(
        "king.camp_closes",
        false,
        true,
        |set| Some(TomlKind::Flag(set.camp_closes).into()),
        |set, value, reader| reader.flag(value, &mut set.camp_closes)
    ),
    field!(
        "end.goals",
        true,
        true,
        |set| Some(write_goals(set.goals)),
        read_goals
    ),
    field!(
        "end.repetition",
        true,
        true,
        |set| Some(write_repetition(set.repetition)),
        read_repetition
    ),
    word!("end.no_move", true, no_move, NoMove),
    word!("end.two_lanes", false, two_lanes, TwoLanes),
    field!(
        "end.captureless_limit",
        false,
        true,
        |set| Some(write_limit(set.captureless_limit)),
        read_captureless_limit
    ),
    quirk!("quirk.castle_column_only", castle_column_only),
    quirk!("quirk.middle_row", middle_row),
    quirk!("quirk.idle_siege", idle_siege),
];

#[cfg(test)]
mod tests {
    use alloc::format;

    use super::*;

    #[test]
    fn every_parameter_of_a_set_has_a_row() {
        for name in RuleSet::NAMES {
            let has_row = FIELDS.iter().any(|field| {
                let (section, key) = field.key.split_once('.').unwrap_or(("", field.key));
                match *name {
                    "size" => field.key == "board",
                    "quirk" => section == "quirk",
                    name => key == name || format!("{section}_{key}") == name,
                }
            });
            assert!(has_row, "{name} is not in the text form");
        }
    }
}
