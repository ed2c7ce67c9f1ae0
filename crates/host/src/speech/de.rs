//! German.

mod fault;

use tablut_arena::tournament::{Change, Misfit, Winner};

use super::{
    Phrase, Words,
    correction::{settings, text},
};
use crate::tournament::Notice;

pub(super) use fault::FAULTS;

/// What is said.
pub(super) const WORDS: Words = Words {
    phrase,
    quotes: ["„", "“"],
    change,
    notice,
    misfit,
    needed_by: |by, why| format!("Korrektur {by} baut darauf auf ({why}); nimm zuerst jene zurück"),
    no_rules: |id| format!("das Regelwerk „{id}“ gibt es hier nicht"),
    no_sandbox: |why| {
        format!(
            "auf diesem System lassen sich Programme nicht abschotten: {why}; um ihnen zu \
             vertrauen, starte den Server mit --trust-programs"
        )
    },
};

const fn phrase(phrase: Phrase) -> &'static str {
    match phrase {
        Phrase::BadMessage => {
            "die Seite hat etwas geschickt, das dieser Server nicht versteht; lade sie neu"
        }
        Phrase::TooFast => "zu viele Anfragen; warte einen Moment",
        Phrase::NoSuchRules => "dieses Regelwerk gibt es hier nicht",
        Phrase::NoPosition => "das ist keine Stellung",
        Phrase::NoMove => "ein Zug besteht aus zwei Feldern, zum Beispiel e3e7",
        Phrase::BadName => "ein Name hat höchstens 40 Zeichen, und alle müssen sichtbar sein",
        Phrase::BadTitle => {
            "der Name einer Stellung hat 1 bis 80 Zeichen, und alle müssen sichtbar sein"
        }
        Phrase::BadSetting => "diese Einstellung gibt es nicht",
        Phrase::NotLocal => "das darf nur ändern, wer am Rechner des Servers sitzt",
        Phrase::NotOrganiser => {
            "das darf nur die Turnierleitung: am Rechner des Servers oder mit ihrem Zugangscode"
        }
        Phrase::BadToken => "das ist nicht der Zugangscode der Turnierleitung",
        Phrase::BadAdminToken => {
            "das ist nicht der Zugangscode der Verwaltung, oder der Server hat keinen"
        }
        Phrase::NoProcess => "dieser Prozess ist schon beendet",
        Phrase::ProgramsFromHere => {
            "welche Programme gestartet werden, lässt sich nur am Rechner des Servers festlegen"
        }
        Phrase::NoSlot => "die Plätze sind 0 bis 9",
        Phrase::LibraryFull => "deine Sammlung ist voll; lösche zuerst eine Stellung",
        Phrase::BadTerms => "diese Partie lässt sich nicht spielen: Prüfe Bedenkzeit und Engine",
        Phrase::NoGame => "du siehst gerade keine Partie an",
        Phrase::Behind => "die Partie ist schon weiter; sieh noch einmal hin",
        Phrase::NoSuchGame => "diese Partie gibt es hier nicht",
        Phrase::NoSuchPosition => "diese Stellung hast du nicht",
        Phrase::NoSuchLesson => "eine solche Lektion gibt es hier nicht",
        Phrase::NoSuchPuzzle => "eine solche Aufgabe gibt es hier nicht",
        Phrase::NotThatLine => "das Brett zeigt etwas anderes; beginne von vorn",
        Phrase::RunOver => "diese Serie ist zu Ende; beginne eine neue",
        Phrase::NoSuchTournament => "dieses Turnier gibt es hier nicht",
        Phrase::TooLong => "dieser Text ist zu lang: Höchstens 1 MiB wird auf einmal gelesen",
        Phrase::TooManyMoves => "diese Partie ist zu lang: Hier werden höchstens 1000 Züge gezeigt",
        Phrase::NotStarted => {
            "die Partie hat noch nicht begonnen: Der andere Spieler ist noch nicht da"
        }
        Phrase::NotYourTurn => "du bist nicht am Zug",
        Phrase::Over => "die Partie ist zu Ende",
        Phrase::NoOffer => "es wurde nichts angeboten",
        Phrase::NothingToTakeBack => "es gibt keinen Zug zurückzunehmen",
        Phrase::Watching => "du siehst bei dieser Partie nur zu",
        Phrase::NoTakeBacks => "in dieser Partie werden keine Züge zurückgenommen",
        Phrase::Lost => "die Verbindung zur Partie ist abgerissen",
        Phrase::Store => "es konnte nicht gespeichert werden; deshalb wurde nichts geändert",
        Phrase::Full => "dieser Server hat im Moment keinen Platz für eine weitere Partie",
        Phrase::TooManyGames => "du hast zu viele offene Partien; beende eine oder gib eine auf",
        Phrase::TooManyKept => {
            "dieser Server bewahrt keine weiteren Partien für dich auf; frag, wer ihn betreibt"
        }
        Phrase::TooManyVisitors => {
            "von deiner Adresse kamen zu viele neue Besucher; versuche es später noch einmal"
        }
        Phrase::TooManyGuesses => {
            "von deiner Adresse kamen zu viele falsche Einladungen; versuche es später noch einmal"
        }
        Phrase::StoreFull => {
            "der Speicher dieses Servers ist voll, es wird nichts Neues aufbewahrt; sag denen Bescheid, die ihn betreiben"
        }
        Phrase::OwnInvitation => {
            "das ist deine eigene Einladung: Schicke den Link der Person, die gegen dich spielen soll; um beide Seiten zu spielen, beginne eine Partie an einem Bildschirm"
        }
        Phrase::Begun => {
            "der andere Spieler ist schon da; du kannst die Partie aufgeben, aber nicht absagen"
        }
        Phrase::Busy => "die Engines sind beschäftigt; versuche es gleich noch einmal",
        Phrase::NotAllowed => "nicht erlaubt",
        Phrase::NoHint => "kein Tipp: Hier kann niemand ziehen",
        Phrase::NotOver => "die Partie ist noch nicht zu Ende",
        Phrase::NoSuchVisitor => "dieser Browser ist hier nicht mehr bekannt; lade die Seite neu",
        Phrase::Archived => "das Turnier ist archiviert; hole es zuerst zurück",
        Phrase::NotArchived => {
            "das Turnier ist nicht archiviert; gelöscht wird nur, was archiviert ist"
        }
        Phrase::NoSuchStudy => "diese Studie gibt es hier nicht",
        Phrase::NoSuchNode => "diesen Zug gibt es nicht mehr; sieh noch einmal nach",
        Phrase::TooManyStudies => "du hast zu viele Studien; lösche zuerst eine",
        Phrase::NotYourStudy => {
            "diese Studie gehört jemand anderem; kopiere sie auf dein Brett, um sie zu ändern"
        }
        Phrase::BadStudyName => {
            "der Name einer Studie hat 1 bis 80 Buchstaben und keine unsichtbaren Zeichen"
        }
        Phrase::OtherBoard => "diese Stellung passt nicht auf das Brett dieses Regelwerks",
        Phrase::StudyTooLong => {
            "das ist zu viel für ein Brett: höchstens 5000 Züge, und 1000 in einer Variante"
        }
        Phrase::StudyTooLarge => {
            "auf diesem Brett steht zu viel Text: ein Kommentar hat höchstens 4000 Buchstaben, alle \
             zusammen etwa 200.000"
        }
        Phrase::TooManyMarks => "hier sind zu viele Zeichen oder Zeichnungen",
        Phrase::NoGameInText => "der Text enthält keine Partie",
        Phrase::NotAGame => "das ist eine Stellung, keine Partie",
        Phrase::Unfinished => "die Partie hat kein Ergebnis; öffne sie stattdessen in der Analyse",
        Phrase::KnownGame => "diese Partie ist schon in deiner Bibliothek",
        Phrase::TooManyInText => {
            "eine Datei darf 2000 Partien enthalten; lege die anderen in eine weitere"
        }
        Phrase::BadSearch => "so können keine Partien gesucht werden",
        Phrase::BadTag => "ein Schlagwort hat 1 bis 30 Buchstaben und keine unsichtbaren Zeichen",
        Phrase::NoReview => {
            "zu dieser Partie gibt es keine fertige Auswertung; werte sie zuerst aus"
        }
    }
}

fn change(team: &str, change: &Change) -> String {
    match change {
        Change::AddTeam { .. } => format!("{team} steigt nachträglich ein"),
        Change::Withdraw { annul: true, .. } => {
            format!("{team} zieht sich zurück; alle Partien des Teams werden annulliert")
        }
        Change::Withdraw { annul: false, .. } => {
            format!("{team} zieht sich zurück; gespielte Partien zählen")
        }
        Change::ChangeTeam { to, .. } => {
            let parts = to.iter().map(|(key, value)| match key.as_str() {
                "plays" => "anderes Programm".into(),
                "secret" => "anderes Geheimwort".into(),
                "members" => format!("Mitglieder: {}", text(value)),
                _ => format!("heißt jetzt {}", text(value)),
            });
            format!("{team}: {}", parts.collect::<Vec<String>>().join("; "))
        }
        Change::Set { to } => {
            format!(
                "für Partien, die noch nicht begonnen haben: {}",
                settings(to)
            )
        }
        Change::Replay { game } => format!("Partie {} wird wiederholt", game + 1),
        Change::Result { game, winner } => {
            let end = match winner {
                Winner::White => "Weiß gewinnt",
                Winner::Black => "Schwarz gewinnt",
                Winner::Draw => "Remis",
            };
            format!("Partie {} durch Entscheidung: {end}", game + 1)
        }
        Change::Archive => "das Turnier ist archiviert".into(),
    }
}

fn notice(notice: Notice) -> String {
    match notice {
        Notice::Dropped(1) => "eine laufende Partie wird abgebrochen".into(),
        Notice::Dropped(games) => format!("{games} laufende Partien werden abgebrochen"),
        Notice::FinalAnew => {
            "das Finale ergibt sich nicht mehr aus den Tabellen und wird neu angesetzt".into()
        }
        Notice::FinalPlayed => "das Finale ergibt sich nicht mehr aus den Tabellen, ist aber \
             schon gespielt: Es bleibt, wie es ist"
            .into(),
    }
}

fn misfit(misfit: &Misfit) -> String {
    match misfit {
        Misfit::NoReason => "sag, warum: Der Grund steht bei der Korrektur".into(),
        Misfit::LongReason(most) => {
            format!("ein Grund ist eine Zeile mit höchstens {most} Zeichen")
        }
        Misfit::OtherNumber => "das Team bekäme eine andere Nummer".into(),
        Misfit::WithdrawnAlready => "das Team hat sich schon zurückgezogen".into(),
        Misfit::ArchivedAlready => "es ist schon archiviert".into(),
        Misfit::NotArchived => "es ist nicht archiviert".into(),
        Misfit::NoTeams => "das Turnier hat keine Teams".into(),
        Misfit::NoTeam => "dieses Team gibt es nicht".into(),
        Misfit::FixedTeamKey(key) => format!("{key} lässt sich nicht ändern"),
        Misfit::FixedKey(key) => {
            format!("{key} lässt sich nicht ändern, nur name, seconds, max_plies und limits")
        }
        Misfit::NoLimits => "die Grenzwerte des Turniers sind unbrauchbar".into(),
        Misfit::NoGame(game) => format!("Partie {game} gibt es nicht"),
        Misfit::Annulled => "die Partien eines der beiden Teams sind annulliert".into(),
        Misfit::Withdrawn => "eines der beiden Teams hat sich zurückgezogen".into(),
        Misfit::NoResult(game) => format!("Partie {game} hat noch kein Ergebnis"),
        Misfit::LatePlayed(game) => format!(
            "Partie {game} des nachgemeldeten Teams ist schon gespielt; zieh das Team stattdessen \
             zurück"
        ),
        Misfit::UndoneAlready(number) => {
            format!("Korrektur {number} ist schon zurückgenommen")
        }
        Misfit::NoCorrection(number) => format!("Korrektur {number} gibt es nicht"),
        Misfit::NothingToUndo => "es gibt keine Korrektur zurückzunehmen".into(),
        Misfit::SameGame => "sie lässt dieselbe Partie wiederholen".into(),
        Misfit::AboutGame(game) => format!("sie betrifft Partie {game}"),
    }
}
