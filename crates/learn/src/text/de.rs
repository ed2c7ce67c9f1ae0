//! German.

use tablut_rules::{
    Move, Side,
    text::{Lang, Topic},
};

use super::{Words, whole};
use crate::{KingNeed, Refusal, Task, Theme};

pub(super) const WORDS: Words = Words {
    topic,
    first_win: "Ein erster Sieg",
    theme,
    plan,
    win: "Gewinne nun selbst eine Partie. Zwei Züge genügen, was die andere Seite auch dazwischen tut.",
    task,
    back,
    refusal,
    right: "Richtig.",
    go_on: "Bis hierher richtig. Die andere Seite hat geantwortet: weiter.",
    deed: |deed| format!("Der Zug {deed}."),
    left_camp: "Der Stein hat sein Lager verlassen und kann nie zurück.",
    crossed: "Der Thron ist leer, und jede Figur darf über ihn ziehen.",
    way: "Jedes Feld auf dem Weg ist leer, also darf die Figur so weit ziehen.",
};

const fn topic(topic: Topic) -> &'static str {
    match topic {
        Topic::Aims => "Das Ziel des Spiels",
        Topic::Moves => "Wie Figuren ziehen",
        Topic::Castle => "Der Thron",
        Topic::Camps => "Die Lager",
        Topic::Men => "Steine schlagen",
        Topic::Hostile => "Felder, die beim Schlagen helfen",
        Topic::King => "Den König fangen",
        Topic::Escapes => "Der König entkommt",
        Topic::Calls => "Raichi und Tuichu",
        Topic::Ends => "Remis und andere Enden",
    }
}

const fn theme(theme: Theme) -> &'static str {
    match theme {
        Theme::Fork => "Zwei Wege auf einmal",
        Theme::Diagonal => "Die Diagonale, die eine Ecke schließt",
        Theme::CampAnvil => "Das Lager als Amboss",
        Theme::Siege => "Wie man den König belagert",
        Theme::Repeat => "Wann man wiederholt",
    }
}

const fn plan(theme: Theme) -> &'static str {
    match theme {
        Theme::Fork => {
            "Mit einem Zug kann Schwarz einen Weg schließen, aber nicht zwei. Deshalb sucht Weiß ein Feld, \
             von dem der König offene Wege zu zwei Zielfeldern hat, oder räumt den Stein weg, der auf einem \
             davon im Weg steht."
        }
        Theme::Diagonal => {
            "Figuren ziehen nur entlang von Reihen und Spalten: Steine, die sich mit den Ecken berühren, \
             sind eine Mauer, und der König kommt nicht zwischen ihnen hindurch. Wenige Steine auf einer \
             Diagonale schließen eine ganze Ecke, und sie brauchen keinen Schutz, denn sie sind schwer zu \
             schlagen. Schwarz schließt zuerst die vier Ecken und jagt danach."
        }
        Theme::CampAnvil => {
            "Ein Feld, das beim Schlagen hilft, ist wie ein Amboss: Es ist immer da, und niemand kann es wegnehmen. \
             Eine Figur neben einem solchen Feld kann von einem einzigen Gegner geschlagen werden. Treibe die \
             Figuren der anderen Seite dorthin und halte die eigenen fern."
        }
        Theme::Siege => {
            "Schließe zuerst die Wege des Königs, dann seine Seiten. Kann er kaum noch ziehen, hat es keine Eile: \
             Bringe die fehlenden Steine einen nach dem anderen, und lass die stehen, die schon neben ihm sind."
        }
        Theme::Repeat => {
            "Wo eine wiederholte Stellung remis ist, rettet das Wiederholen die Seite, die sonst verlieren würde. \
             Wer auf Gewinn steht, muss rechtzeitig etwas anderes spielen."
        }
    }
}

const fn colour(side: Side) -> &'static str {
    match side {
        Side::Attackers => "Schwarz",
        Side::Defenders => "Weiß",
    }
}

fn task(task: &Task, side: Side) -> String {
    let colour = colour(side);
    match task {
        Task::Any => format!("{colour} ist am Zug: Mache irgendeinen Zug."),
        Task::Go { from, to } => format!("Ziehe den Stein von {from} nach {to}."),
        Task::GoFar { from, towards, .. } => {
            format!("Ziehe den Stein auf {from} so weit Richtung {towards}, wie er darf.")
        }
        Task::Capture { square } => format!("{colour}: Schlage den Stein auf {square}."),
        Task::CaptureKing => "Schwarz: Fange den König.".into(),
        Task::Escape => "Weiß: Bringe den König auf ein Zielfeld.".into(),
        Task::OpenLanes { .. } => {
            "Weiß: Mache einen Zug, nach dem der König mindestens zwei offene Wege hat (Tuichu)."
                .into()
        }
        Task::CloseLanes => "Schwarz: Der König hat einen offenen Weg. Schließe ihn.".into(),
        Task::Repeat => format!("{colour}: Rette ein Remis, indem du die Stellung wiederholst."),
        Task::Vary => format!(
            "{colour}: Mache einen Zug, der die Stellung nicht wiederholt, denn das würde verlieren."
        ),
        Task::Win { plies } => {
            let moves = plies.div_ceil(2);
            format!(
                "{colour} am Zug: Gewinne mit {moves} eigenen Zügen, was die andere Seite auch spielt."
            )
        }
        Task::CloseCorner { corner } => {
            format!("Schwarz: Schneide den König von der Ecke {corner} ab.")
        }
    }
}

/// Where the last move came from, and how often the position occurs if it is taken back.
fn back(there: Move, times: usize) -> String {
    let nth = match times {
        2 => "zweiten".into(),
        3 => "dritten".into(),
        n => format!("{n}."),
    };
    let (from, to) = (there.from(), there.to());
    format!(
        "Mit deinem letzten Zug ging der Stein von {from} nach {to}: Zieht er zurück, entsteht die Stellung zum \
         {nth} Mal."
    )
}

fn refusal(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Elsewhere { from, to } => {
            format!("Das ist erlaubt, aber nicht gefragt: Ziehe von {from} nach {to}.")
        }
        Refusal::OtherWay { from, towards } => format!(
            "Das ist erlaubt, aber nicht gefragt: Ziehe den Stein auf {from} Richtung {towards}."
        ),
        Refusal::Further => "Er darf weiter ziehen.".into(),
        Refusal::NotCaptured { square, by } => {
            // The king captures, too.
            let own = match by {
                Side::Attackers => "deinem Stein, der zieht,",
                Side::Defenders => "deiner Figur, die zieht,",
            };
            format!(
                "Der Stein auf {square} steht noch da. Er fällt zwischen {own} und einem feindlichen Feld \
                 auf seiner anderen Seite."
            )
        }
        Refusal::KingFree { need: None } => "Der König ist noch frei.".into(),
        Refusal::KingFree { need: Some(it) } => format!("Der König ist noch frei. {}", need(*it)),
        Refusal::NoGoal => "Der König hat kein Zielfeld erreicht.".into(),
        Refusal::FewLanes { found: 0, .. } => "Danach hat der König keinen offenen Weg.".into(),
        Refusal::FewLanes { .. } => {
            "Das öffnet nur einen Weg, und einer lässt sich schließen.".into()
        }
        Refusal::LaneOpen { goal } => format!("Der König kann noch nach {goal}."),
        Refusal::NewPosition => {
            "Diese Stellung ist neu, also geht die Partie weiter. Zieh dahin zurück, woher dein Stein kam."
                .into()
        }
        Refusal::Repeats => "Das wiederholt die Stellung, und wer wiederholt, verliert.".into(),
        Refusal::NoWin => {
            "Darauf hat die andere Seite eine Antwort: So gewinnst du nicht rechtzeitig.".into()
        }
        Refusal::CornerOpen { corner } => {
            format!("Der König findet noch einen Weg zu den Zielfeldern bei {corner}.")
        }
        Refusal::WhiteWall { corner } => format!(
            "Das schließt die Ecke {corner} nur mit Hilfe weißer Steine, und die können wegziehen. Schließe \
             sie mit schwarzen."
        ),
        Refusal::WinsUncaptured { square } => {
            format!("Das gewinnt die Partie, aber die Aufgabe ist, den Stein auf {square} zu schlagen.")
        }
        Refusal::WinsOtherwise => "Das gewinnt die Partie, aber die Aufgabe ist eine andere.".into(),
        Refusal::Ended { outcome } => whole(&outcome.sentence(Lang::De)),
    }
}

const fn need(need: KingNeed) -> &'static str {
    match need {
        KingNeed::AllSides { on_castle: true } => {
            "Auf dem Thron braucht es schwarze Steine auf allen vier Seiten."
        }
        KingNeed::AllSides { on_castle: false } => {
            "Hier braucht es schwarze Steine auf allen vier Seiten."
        }
        KingNeed::OtherSides => {
            "Neben dem Thron braucht es schwarze Steine auf den drei anderen Seiten."
        }
        KingNeed::CampSides { castle: false } => {
            "Hier braucht es schwarze Steine auf jeder Seite, die kein Lager schließt."
        }
        KingNeed::CampSides { castle: true } => {
            "Hier braucht es schwarze Steine auf jeder Seite, die weder der Thron noch ein Lager schließt."
        }
        KingNeed::Between { camps: true } => {
            "Hier: Ziehe einen Stein neben ihn, wenn ihm gegenüber ein schwarzer Stein steht oder ein \
             Lagerfeld liegt."
        }
        KingNeed::Between { camps: false } => {
            "Hier: Ziehe einen Stein neben ihn, wenn ihm gegenüber ein schwarzer Stein steht."
        }
    }
}
