//! What happens, as JSON: one event on each line.

use std::{io::Write, net::IpAddr};

use anyhow::Result;
use serde_json::{Value, json};
use tablut_challenge::{Effect, Farewell, Referee};
use tablut_rules::{BySide, Outcome, Side};

use super::{rules_id, sides};

pub(super) fn listening(out: &mut impl Write, address: IpAddr, ports: BySide<u16>) -> Result<()> {
    let (white, black) = (ports.defenders, ports.attackers);
    let event = json!({"event": "listening", "address": address, "white": white, "black": black});
    writeln!(out, "{event}")?;
    out.flush()?;
    Ok(())
}

/// The event of an effect, if it is one for people.
pub(super) fn line(number: u64, referee: &Referee, effect: &Effect) -> Option<String> {
    let game = referee.contest().game();
    let event = match effect {
        Effect::Seated { side, name } => {
            json!({"event": "seated", "side": side.colour(), "name": name})
        }
        Effect::Dismissed { side, why } => {
            json!({"event": "dismissed", "side": side.colour(), "why": why.to_string()})
        }
        Effect::Started => json!({
            "event": "started",
            "rules": rules_id(game.rules()),
            "white": referee.name(Side::Defenders),
            "black": referee.name(Side::Attackers),
            "time_ms": referee.options().time_ms,
        }),
        Effect::Moved {
            side,
            ply,
            spent_ms,
            ..
        } => {
            let made = game.plies().get(*ply)?;
            let captured: Vec<String> = made.captured.iter().map(|s| s.to_string()).collect();
            json!({
                "event": "moved",
                "side": side.colour(),
                "ply": ply + 1,
                "move": made.step.to_string(),
                "captured": captured,
                "spent_ms": spent_ms,
                "position": made.position.to_string(),
            })
        }
        Effect::Refused {
            side,
            action,
            fault,
            errors,
            ..
        } => json!({
            "event": "refused",
            "side": side.colour(),
            "from": action.from,
            "to": action.to,
            "why": fault.to_string(),
            "errors": errors,
        }),
        Effect::Over { outcome, farewell } => over(referee, *outcome, *farewell),
        Effect::Abandoned => json!({"event": "abandoned"}),
        Effect::Send { .. } => return None,
    };
    let Value::Object(mut event) = event else {
        return None;
    };
    event.insert("game".into(), number.into());
    Some(Value::Object(event).to_string())
}

fn over(referee: &Referee, outcome: Outcome, farewell: Farewell) -> Value {
    let mut event = json!({
        "event": "over",
        "winner": outcome.winner.map(Side::colour),
        "reason": outcome.reason.to_string(),
        "told": farewell == Farewell::Told,
        "plies": referee.contest().game().plies().len(),
    });
    for (side, colour) in sides() {
        let tally = referee.tally(side);
        event[colour] = json!({
            "name": referee.name(side),
            "moves": tally.moves,
            "captured": tally.captured,
            "errors": tally.errors,
            "spent_ms": tally.spent_ms,
            "longest_ms": tally.longest_ms,
        });
    }
    event
}
