//! Clients of the Challenge to be checked, good and bad.
//!
//! The test binary plays them itself: started with the name of its one test `double` and `kind=NAME`
//! behind it, it is a client instead of testing anything.

use std::{env, io::Read, net::TcpStream, process::exit, thread, time::Duration};

use tablut_challenge::{
    PORTS,
    client::{connect, say_move, say_name},
    message::{State, Turn},
};
use tablut_rules::{Move, Position, Random, Rules, Setup, SetupError, Side, Square};

/// The command line of a double, with places for what it has to know.
pub(crate) fn command(kind: &str) -> Vec<String> {
    let program = env::current_exe().unwrap().display().to_string();
    let words = ["--exact", "double", "--nocapture"].map(String::from);
    let more = [
        format!("kind={kind}"),
        "side={side}".into(),
        "address={address}".into(),
    ];
    [program].into_iter().chain(words).chain(more).collect()
}

/// How long a client that reads without framing is busy with a state before it reads again.
const BUSY: Duration = Duration::from_millis(200);

/// Plays the client that the command line asks for, if it does, and ends the process.
pub(crate) fn play() {
    let value = |key: &str| env::args().find_map(|word| Some(word.strip_prefix(key)?.to_string()));
    let (Some(kind), Some(colour), Some(address)) =
        (value("kind="), value("side="), value("address="))
    else {
        return;
    };
    let side = match colour.as_str() {
        "white" => Side::Defenders,
        _ => Side::Attackers,
    };
    let mut stream = connect((&address, PORTS[side]), &mut || {}, &|| true).unwrap();
    say_name(&stream, &kind).unwrap();
    let rules = Rules::ashton();
    let mut random = Random::new(7);
    for number in 0.. {
        let read = match kind.as_str() {
            "unframed" => whatever_is_there(&mut stream),
            _ => one_frame(&mut stream),
        };
        let Some(state) = read else {
            exit(0);
        };
        let Turn::Of(turn) = state.turn else {
            exit(0);
        };
        let is_deaf = kind.starts_with("deaf") && number == 0;
        let setup = match is_deaf {
            true => Setup::from(&rules.start()),
            false => state.setup.with_side(turn),
        };
        if turn == side {
            let position = rules
                .position(&setup)
                .or_else(SetupError::playable)
                .unwrap();
            let moves = moves(&rules, &position, kind.trim_start_matches("deaf-"));
            say_move(&stream, random.pick(&moves), side).unwrap();
        }
    }
}

fn one_frame(stream: &mut TcpStream) -> Option<State> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let mut payload = vec![0; u32::from_be_bytes(length) as usize];
    stream.read_exact(&mut payload).ok()?;
    State::read(&payload).ok()
}

/// Takes whatever is in the socket for one state.
fn whatever_is_there(stream: &mut TcpStream) -> Option<State> {
    thread::sleep(BUSY);
    let mut bytes = [0; 8192];
    let count = stream.read(&mut bytes).ok()?;
    let length = u32::from_be_bytes(*bytes[..count].first_chunk()?) as usize;
    State::read(bytes.get(4..4 + length)?).ok()
}

/// The moves that a kind of client takes for legal.
fn moves(rules: &Rules, position: &Position, kind: &str) -> Vec<Move> {
    if !["camps", "castle", "through"].contains(&kind) {
        return rules.moves(position).to_vec();
    }
    let mut moves = Vec::new();
    for from in position.pieces(position.side()) {
        for (x, y) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
            for n in 1..9 {
                let at = |from: u8, by: i8| from.checked_add_signed(n * by);
                let to = at(from.column(), x).zip(at(from.row(), y));
                let Some(to) = to.and_then(|(column, row)| Square::new(column, row)) else {
                    break;
                };
                let is_occupied = position.piece_at(to).is_some();
                let is_strange =
                    rules.camps().contains(to) && !(rules.camps().contains(from) && n <= 5);
                if is_occupied && kind != "through"
                    || to == rules.castle() && kind != "castle"
                    || is_strange && kind != "camps"
                {
                    break;
                }
                if !is_occupied {
                    moves.push(Move::new(from, to));
                }
            }
        }
    }
    moves
}
