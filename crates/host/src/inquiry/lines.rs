//! The best lines of a position, deeper and deeper.

use std::time::Duration;

use tablut_engine::{Control, Engine, SearchInfo, SearchLimits};
use tablut_rules::Game;

use super::{Finding, FoundLine, LinesFound, MOST_LINES, of_white};

/// How long lines are looked for. Deeper ones would take many times as long, and nobody looks at one
/// position for that long; whoever does can ask again, and the engine remembers.
const LONGEST: Duration = Duration::from_secs(120);

pub(super) fn find(
    game: &Game,
    count: usize,
    engine: &mut Engine,
    control: &Control,
    on_finding: &mut dyn FnMut(Finding),
) -> Option<Finding> {
    let count = count.clamp(1, MOST_LINES);
    let side = game.position().side();
    let wanted = count.min(game.legal_moves().len());
    let limits = SearchLimits::time(LONGEST).with_lines(count);
    let mut found = LinesFound {
        depth: 0,
        nodes: 0,
        time_ms: 0,
        lines: Vec::new(),
    };
    engine.search(game, &limits, control, &mut |info: &SearchInfo| {
        // All lines of a depth come one after another.
        if info.index == 0 {
            found.lines.clear();
        }
        found.lines.push(FoundLine {
            score: of_white(side, info.line.score),
            moves: info.line.moves.clone(),
        });
        if found.lines.len() == wanted {
            found.depth = info.depth;
            found.nodes = info.nodes;
            found.time_ms = u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX);
            on_finding(Finding::Lines(found.clone()));
        }
    });
    (found.depth > 0).then_some(Finding::Lines(found))
}
