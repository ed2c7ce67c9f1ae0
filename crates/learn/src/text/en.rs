//! English.

use tablut_rules::{
    Move, Side,
    text::{Lang, Topic},
};

use super::{Words, whole};
use crate::{KingNeed, Refusal, Task, Theme};

pub(super) const WORDS: Words = Words {
    topic,
    first_win: "A first win",
    theme,
    plan,
    win: "Now win a game yourself. Two moves are enough, whatever the other side does in between.",
    task,
    back,
    refusal,
    right: "Right.",
    go_on: "Right so far. The other side has answered: go on.",
    deed: |deed| format!("The move {deed}."),
    left_camp: "It has left its camp and can never come back.",
    crossed: "The castle is empty, and every piece may cross it.",
    way: "Every square on the way is empty, so it may go that far.",
};

const fn topic(topic: Topic) -> &'static str {
    match topic {
        Topic::Aims => "The aim of the game",
        Topic::Moves => "How pieces move",
        Topic::Castle => "The castle",
        Topic::Camps => "The camps",
        Topic::Men => "Capturing men",
        Topic::Hostile => "Squares that help to capture",
        Topic::King => "Capturing the king",
        Topic::Escapes => "The king escapes",
        Topic::Calls => "Raichi and tuichu",
        Topic::Ends => "Draws and other ends",
    }
}

const fn theme(theme: Theme) -> &'static str {
    match theme {
        Theme::Fork => "Two lanes at once",
        Theme::Diagonal => "The diagonal that closes a corner",
        Theme::CampAnvil => "A camp as an anvil",
        Theme::Siege => "How to besiege the king",
        Theme::Repeat => "When to repeat",
    }
}

const fn plan(theme: Theme) -> &'static str {
    match theme {
        Theme::Fork => {
            "Black can close one lane with one move, but not two. So White looks for a square from which \
             the king has open lanes to two goals, or clears away the man that stands in one of them."
        }
        Theme::Diagonal => {
            "Pieces move along rows and columns only, so men that touch at their corners are a wall: the \
             king cannot pass between them. A few men on a diagonal close a whole corner, and they need \
             no defence, because it is hard to capture them. Black closes the four corners first and \
             hunts afterwards."
        }
        Theme::CampAnvil => {
            "A square that helps to capture is like an anvil: it is always there, and nobody can take it away. \
             A piece beside one can be captured by a single enemy. So drive the other side's pieces towards \
             such squares, and keep your own away."
        }
        Theme::Siege => {
            "Close the king's lanes first, then his sides. Once he can hardly move there is no hurry: bring \
             the missing men one by one, and leave those in place that already stand beside him."
        }
        Theme::Repeat => {
            "Where a repeated position is a draw, repeating saves the side that would lose otherwise. The side \
             that is winning has to play something else in time."
        }
    }
}

const fn colour(side: Side) -> &'static str {
    match side {
        Side::Attackers => "Black",
        Side::Defenders => "White",
    }
}

fn task(task: &Task, side: Side) -> String {
    let colour = colour(side);
    match task {
        Task::Any => format!("{colour} is to move: make any move."),
        Task::Go { from, to } => format!("Move the man on {from} to {to}."),
        Task::GoFar { from, towards, .. } => {
            format!("Move the man on {from} as far towards {towards} as it may go.")
        }
        Task::Capture { square } => format!("{colour}: capture the man on {square}."),
        Task::CaptureKing => "Black: capture the king.".into(),
        Task::Escape => "White: bring the king to a goal.".into(),
        Task::OpenLanes { .. } => {
            "White: make a move after which the king has two open lanes or more (tuichu).".into()
        }
        Task::CloseLanes => "Black: the king has an open lane. Close it.".into(),
        Task::Repeat => format!("{colour}: save a draw by repeating the position."),
        Task::Vary => format!(
            "{colour}: make a move that does not repeat the position, because that would lose."
        ),
        Task::Win { plies } => {
            let moves = plies.div_ceil(2);
            format!(
                "{colour} to move: win in {moves} moves of your own, whatever the other side plays."
            )
        }
        Task::CloseCorner { corner } => {
            format!("Black: cut the king off from the corner {corner}.")
        }
    }
}

/// Where the last move came from, and how often the position occurs if it is taken back.
fn back(there: Move, times: usize) -> String {
    let nth = match times {
        2 => "second".into(),
        3 => "third".into(),
        n => format!("{n}th"),
    };
    let (from, to) = (there.from(), there.to());
    format!(
        "With your last move your man went from {from} to {to}: if it goes back, the position occurs for \
         the {nth} time."
    )
}

fn refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Elsewhere { from, to } => {
            format!("That is allowed, but not what is asked for: move from {from} to {to}.")
        }
        Refusal::OtherWay { from, towards } => format!(
            "That is allowed, but not what is asked for: move the man on {from} towards {towards}."
        ),
        Refusal::Further => "It may go further.".into(),
        Refusal::NotCaptured { square, by } => {
            // The king captures, too.
            let own = match by {
                Side::Attackers => "man",
                Side::Defenders => "piece",
            };
            format!(
                "The man on {square} is still there. It falls between your {own} that moves and a hostile \
                 square on its other side."
            )
        }
        Refusal::KingFree { need: None } => "The king is still free.".into(),
        Refusal::KingFree { need: Some(it) } => format!("The king is still free. {}", need(*it)),
        Refusal::NoGoal => "The king has not reached a goal.".into(),
        Refusal::FewLanes { found: 0, .. } => "The king has no open lane after that.".into(),
        Refusal::FewLanes { .. } => "That opens only one lane, and one can be closed.".into(),
        Refusal::LaneOpen { goal } => format!("The king can still go to {goal}."),
        Refusal::NewPosition => {
            "That position is new, so the game goes on. Go back to where your man came from.".into()
        }
        Refusal::Repeats => "That repeats the position, and whoever repeats it loses.".into(),
        Refusal::NoWin => "The other side has an answer to that: it does not win in time.".into(),
        Refusal::CornerOpen { corner } => {
            format!("The king still finds a way to the goals at {corner}.")
        }
        Refusal::WhiteWall { corner } => format!(
            "Only with White's own men does that close the corner {corner}, and they can move away. Close \
             it with black men."
        ),
        Refusal::WinsUncaptured { square } => {
            format!("That wins the game, but the task is to capture the man on {square}.")
        }
        Refusal::WinsOtherwise => "That wins the game, but the task is another one.".into(),
        Refusal::Ended { outcome } => whole(&outcome.sentence(Lang::En)),
    }
}

const fn need(need: KingNeed) -> &'static str {
    match need {
        KingNeed::AllSides { on_castle: true } => {
            "On the castle it takes black men on all four sides."
        }
        KingNeed::AllSides { on_castle: false } => "Here it takes black men on all four sides.",
        KingNeed::OtherSides => "Beside the castle it takes black men on the other three sides.",
        KingNeed::CampSides { castle: false } => {
            "Here it takes black men on every side that no camp closes."
        }
        KingNeed::CampSides { castle: true } => {
            "Here it takes black men on every side that neither the castle nor a camp closes."
        }
        KingNeed::Between { camps: true } => {
            "Here: move a man beside him, with a black man or a camp square straight beyond him."
        }
        KingNeed::Between { camps: false } => {
            "Here: move a man beside him, with a black man straight beyond him."
        }
    }
}
