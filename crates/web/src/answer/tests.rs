//! What requests are answered, and a page whose game goes on without it.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    collections::BTreeSet,
    time::{Duration, Instant},
};

use futures_util::FutureExt;
use tablut_guest::throttle::Source;
use tablut_host::{Limits, tournament::Contest};
use tablut_store::{Location, State, Store};

use super::*;
use crate::{
    crowd::Traffic,
    message::{
        CorrectionAsk, FoundInfo, HelpName, InquiryAsk, LangName, LessonName, NewGame,
        OpponentName, PuzzleChoice, SearchAsk, ServerEvent, ServerMessage, StudyEdit,
        TournamentWish, WishName,
        declaration::{answer_name, answer_of, ask_name, ask_names},
    },
};

impl Visit {
    /// Ann at this machine, who has done nothing yet.
    pub(crate) fn of_ann(host: &Host) -> Self {
        Self {
            host: host.clone(),
            visitor: Visitor::new("ann"),
            is_known: false,
            lang: Lang::En,
            origin: Origin {
                source: Source::of([127, 0, 0, 1].into()),
                is_local: true,
            },
            crowd: Crowd::new(Traffic::default()),
            token: Some("the organiser's token".into()),
            knows_token: false,
            admin: Some("the administrator's token".into()),
            public: None,
            attendance: Attendance::new(host.clone()),
            hint: 0,
            inquiries: Inquiries::default(),
            study: None,
            game_pace: Bucket::new(1000, 0.0, Instant::now()),
        }
    }

    /// What a request gets, now or later.
    async fn ask(&mut self, ask: Ask) -> Answered {
        if let Some(answered) = self.answer(Request { id: 7, ask }).await {
            return answered;
        }
        loop {
            if let PageNews::Hint(7, answered) = self.news().await {
                return *answered;
            }
        }
    }
}

/// A game of two people on one screen.
fn on_one_screen() -> Ask {
    Ask::NewGame(NewGame {
        opponent: OpponentName::Screen,
        ..NewGame::by_link("none")
    })
}

/// A visit at a game that another process changes, so that its next move is refused.
async fn overtaken() -> (Visit, String, Store) {
    let store = Store::open(&Location::Memory).await.unwrap();
    let [here, there] = [(); 2].map(|()| Host::new(store.clone(), Limits::default()));
    let mut visit = Visit::of_ann(&here);
    let Answer::Game { game } = visit.ask(on_one_screen()).await.unwrap() else {
        panic!("no game");
    };
    let join = Ask::Join {
        game: game.clone(),
        secret: None,
    };
    visit.ask(join).await.unwrap();
    assert!(matches!(visit.news().await, PageNews::State(_)));
    let other = there.join(&game, &visit.visitor, None).await.unwrap();
    other.play(0, "e4d4".parse().unwrap()).await.unwrap();
    let (ply, step) = (0, "e4f4".to_string());
    visit.ask(Ask::Move { ply, step }).await.unwrap_err();
    (visit, game, store)
}

/// Waits for news as a busy connection does: any message ends each wait at once.
async fn news_between_messages(visit: &mut Visit) -> PageNews {
    let begin = Instant::now();
    loop {
        if let Some(news) = visit.news().now_or_never() {
            return news;
        }
        assert!(begin.elapsed() < Duration::from_secs(30), "no news");
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
}

#[tokio::test]
async fn a_game_that_others_change_goes_on_however_busy_the_page_is() {
    let (mut visit, game, _store) = overtaken().await;
    loop {
        match news_between_messages(&mut visit).await {
            PageNews::State(state) if state.plies.len() == 1 => {
                assert_eq!(state.game, game);
                break;
            }
            PageNews::State(_) => {}
            _ => panic!("the game is lost"),
        }
    }
    let (ply, step) = (1, "d1c1".to_string());
    visit.ask(Ask::Move { ply, step }).await.unwrap();
}

#[tokio::test]
async fn a_game_that_is_gone_is_said_to_be_lost() {
    let store = Store::open(&Location::Memory).await.unwrap();
    let host = Host::new(store, Limits::default());
    let mut visit = Visit::of_ann(&host);
    let ask = Ask::NewGame(NewGame::by_link("none"));
    let Answer::Game { game } = visit.ask(ask).await.unwrap() else {
        panic!("no game");
    };
    let join = Ask::Join {
        game: game.clone(),
        secret: None,
    };
    visit.ask(join).await.unwrap();
    host.cancel(&visit.visitor, &game).await.unwrap();
    loop {
        match news_between_messages(&mut visit).await {
            PageNews::State(_) => {}
            PageNews::Lost(lost, problem) => {
                assert_eq!(lost, game);
                let text = problem.text;
                assert!(
                    text.starts_with("The connection to the game was lost."),
                    "{text}"
                );
                break;
            }
            PageNews::Onlooker(_)
            | PageNews::Hint(..)
            | PageNews::Found(_)
            | PageNews::Study(_) => panic!("nobody asked"),
        }
    }
    let (ply, step) = (0, "e4d4".to_string());
    visit.ask(Ask::Move { ply, step }).await.unwrap_err();
}

#[tokio::test]
async fn all_who_only_look_share_one_text_in_each_language_and_whoever_made_the_game_has_their_own()
{
    let store = Store::open(&Location::Memory).await.unwrap();
    let host = Host::new(store, Limits::default());
    let mut maker = Visit::of_ann(&host);
    let ask = Ask::NewGame(NewGame::by_link("none"));
    let Answer::Game { game } = maker.ask(ask).await.unwrap() else {
        panic!("no game");
    };
    let join = || Ask::Join {
        game: game.clone(),
        secret: None,
    };
    maker.ask(join()).await.unwrap();
    let mut texts = Vec::new();
    for (name, lang) in [("bob", Lang::En), ("cid", Lang::En), ("dan", Lang::De)] {
        let mut onlooker = Visit::of_ann(&host);
        (onlooker.visitor, onlooker.lang) = (Visitor::new(name), lang);
        onlooker.ask(join()).await.unwrap();
        let PageNews::Onlooker(text) = onlooker.news().await else {
            panic!("{name} does not only look");
        };
        let message: ServerMessage = serde_json::from_str(&text).unwrap();
        let ServerMessage::Event(ServerEvent::State(state)) = message else {
            panic!("{text}");
        };
        assert_eq!((&state.game, &state.invitation), (&game, &None));
        texts.push(text);
    }
    assert!(Arc::ptr_eq(&texts[0], &texts[1]) && !Arc::ptr_eq(&texts[0], &texts[2]));
    let PageNews::State(state) = maker.news().await else {
        panic!("who made the game is told how others come to it");
    };
    assert!(state.invitation.is_some());
}

/// A move in the tree of a study, or on the board without a name.
fn tree_move(study: Option<&str>, step: &str) -> Ask {
    Ask::EditStudy {
        study: study.map(String::from),
        rules: "ashton".into(),
        cursor: 0,
        edit: StudyEdit::Play {
            node: 0,
            moves: vec![step.into()],
        },
    }
}

#[tokio::test]
async fn a_change_of_a_study_reaches_its_other_pages_and_no_others() {
    let store = Store::open(&Location::Memory).await.unwrap();
    // Two processes on one store.
    let [here, there] = [(); 2].map(|()| Host::new(store.clone(), Limits::default()));
    let [mut one, mut two, mut other] = [&here, &there, &here].map(Visit::of_ann);
    other.visitor = Visitor::new("bob");
    let open = || Ask::OpenStudy {
        study: None,
        rules: "ashton".into(),
    };
    for visit in [&mut one, &mut two, &mut other] {
        visit.ask(open()).await.unwrap();
    }
    // The board is not kept before its first change.
    let answer = one.ask(tree_move(None, "e4d4")).await.unwrap();
    let Answer::Study(mine) = answer else {
        panic!("no study");
    };
    let PageNews::Study(theirs) = two.news().await else {
        panic!("no study");
    };
    assert_eq!(*theirs, mine);
    // Who made the change was answered; somebody else has another board.
    assert!(one.news().now_or_never().is_none());
    assert!(other.news().now_or_never().is_none());
    // The other way round, and a name.
    two.ask(tree_move(None, "e4f4")).await.unwrap();
    let PageNews::Study(state) = one.news().await else {
        panic!("no study");
    };
    assert_eq!(state.nodes.len(), 3);
    let name = Ask::NameStudy {
        study: None,
        rules: "ashton".into(),
        name: "A fork".into(),
    };
    one.ask(name).await.unwrap();
    let PageNews::Study(state) = two.news().await else {
        panic!("no study");
    };
    assert_eq!(state.name.as_deref(), Some("A fork"));
    // What has a name others see, and what becomes of it.
    let id = state.study.unwrap();
    let see = Ask::OpenStudy {
        study: Some(id.clone()),
        rules: "ashton".into(),
    };
    other.ask(see).await.unwrap();
    one.ask(tree_move(Some(&id), "e3f3")).await.unwrap();
    let PageNews::Study(state) = other.news().await else {
        panic!("no study");
    };
    assert_eq!((state.nodes.len(), state.own), (4, false));
}

/// The start of a game.
fn start_place() -> PositionInfo {
    PositionInfo {
        rules: "ashton".into(),
        setup: "3bbb3/4b4/4w4/b3w3b/bbwwKwwbb/b3w3b/4w4/4b4/3bbb3 w".into(),
    }
}

/// Lines at the start, for an inquiry.
fn start_lines() -> InquiryAsk {
    InquiryAsk::Lines {
        place: start_place(),
        moves: Vec::new(),
        lines: 2,
        pass: false,
    }
}

/// The next finding of an inquiry: its number, whether it is all, and what was found.
async fn next_found(visit: &mut Visit) -> (u32, bool, FoundInfo) {
    let news = tokio::time::timeout(Duration::from_secs(60), visit.news());
    match news.await.expect("news") {
        PageNews::Found(event) => match *event {
            ServerEvent::Found {
                number,
                done,
                found,
            } => (number, done, found),
            other => panic!("{other:?}"),
        },
        _ => panic!("something else"),
    }
}

#[tokio::test]
async fn what_the_engine_finds_comes_by_itself_until_it_is_dismissed() {
    let store = Store::open(&Location::Memory).await.unwrap();
    let host = Host::new(store, Limits::default());
    let mut visit = Visit::of_ann(&host);
    let (number, inquiry) = (3, start_lines());
    visit.ask(Ask::Inquire { number, inquiry }).await.unwrap();
    let mut last = 0;
    for _ in 0..3 {
        let (3, false, FoundInfo::Lines(found)) = next_found(&mut visit).await else {
            panic!("no lines");
        };
        assert!(found.depth > last);
        assert_eq!(found.lines.len(), 2);
        last = found.depth;
    }
    visit.ask(Ask::Dismiss { number }).await.unwrap();
    assert!(visit.news().now_or_never().is_none());
    // A review that nobody has made is not made for whoever only asks whether there is one.
    let review = InquiryAsk::Review {
        place: start_place(),
        moves: vec!["e4d4".into()],
        kept: true,
    };
    let inquiry = review;
    visit.ask(Ask::Inquire { number, inquiry }).await.unwrap();
    assert_eq!(next_found(&mut visit).await, (3, true, FoundInfo::Nothing));
}

#[tokio::test]
async fn a_page_has_a_few_inquiries_at_most_and_refusals_have_words() {
    let store = Store::open(&Location::Memory).await.unwrap();
    let host = Host::new(store, Limits::default());
    let mut visit = Visit::of_ann(&host);
    let mut begun = 0;
    for number in 0..20 {
        let inquiry = start_lines();
        begun += usize::from(visit.ask(Ask::Inquire { number, inquiry }).await.is_ok());
    }
    assert_eq!(begun, 5);
    // The same number again replaces what it was.
    let (number, inquiry) = (0, start_lines());
    visit.ask(Ask::Inquire { number, inquiry }).await.unwrap();
    let inquiry = InquiryAsk::Review {
        place: start_place(),
        moves: Vec::new(),
        kept: false,
    };
    let refused = visit.ask(Ask::Inquire { number, inquiry }).await;
    assert_eq!(refused.unwrap_err().text, "The text contains no game.");
}

const PLAN: &str = r#"
name = "Cup"
[[team]]
name = "Alpha"
members = ["Ada"]
plays = "random"
[[team]]
name = "Beta"
members = ["Bea"]
plays = "random"
"#;

/// A visit whose requests are all granted, with the names of those it has made.
struct Granted {
    visit: Visit,
    asked: BTreeSet<String>,
}

impl Granted {
    /// Asks for something, and checks that the answer is the one that the page expects.
    async fn ask(&mut self, ask: Ask) -> Answer {
        let (name, expected) = (ask_name(&ask), answer_of(&ask));
        let answer = self.visit.ask(ask).await;
        let answer = answer.unwrap_or_else(|problem| panic!("{name}: {problem:?}"));
        assert_eq!(answer_name(&answer), expected, "{name}");
        self.asked.insert(name);
        answer
    }
}

/// Makes every request about studies, except for games.
async fn ask_about_studies(page: &mut Granted) {
    let rules = || "ashton".to_string();
    page.ask(Ask::OpenStudy {
        study: None,
        rules: rules(),
    })
    .await;
    let edit = StudyEdit::Play {
        node: 1,
        moves: vec!["d1c1".into()],
    };
    page.ask(Ask::EditStudy {
        study: None,
        rules: rules(),
        cursor: 1,
        edit,
    })
    .await;
    let named = page
        .ask(Ask::NameStudy {
            study: None,
            rules: rules(),
            name: "The fork".into(),
        })
        .await;
    let Answer::Study(named) = named else {
        unreachable!("checked");
    };
    assert_eq!(named.name.as_deref(), Some("The fork"));
    let study = named.study.unwrap();
    page.ask(Ask::StepStudy {
        study: study.clone(),
        node: 1,
    })
    .await;
    let Answer::Studies(studies) = page.ask(Ask::Studies).await else {
        unreachable!("checked");
    };
    assert_eq!((studies.len(), studies[0].moves), (1, 2));
    page.ask(Ask::CopyStudy {
        study: study.clone(),
    })
    .await;
    page.ask(Ask::DeleteStudy { study }).await;
}

/// Asks for lessons and puzzles.
async fn learn(page: &mut Granted) {
    let rules = "ashton".to_string();
    page.ask(Ask::Lessons {
        rules: rules.clone(),
    })
    .await;
    let (lesson, step) = (LessonName::Rules, 0);
    page.ask(Ask::LessonStep {
        rules: rules.clone(),
        lesson,
        step,
    })
    .await;
    // The first step lets any move pass.
    page.ask(Ask::TryLesson {
        rules: rules.clone(),
        lesson,
        step,
        made: Vec::new(),
        tried: "e4d4".into(),
    })
    .await;
    page.ask(Ask::Puzzles {
        rules: rules.clone(),
    })
    .await;
    let choice = PuzzleChoice::Daily;
    let ask = Ask::Puzzle {
        rules: rules.clone(),
        choice,
    };
    let Answer::Puzzle(puzzle) = page.ask(ask).await else {
        unreachable!("checked");
    };
    let (number, made) = (puzzle.number, Vec::new());
    page.ask(Ask::PuzzleHelp {
        rules: rules.clone(),
        number,
        made: made.clone(),
        help: HelpName::Piece,
    })
    .await;
    let first = &puzzle.board.targets[0];
    page.ask(Ask::TryPuzzle {
        rules,
        number,
        made,
        tried: format!("{}{}", first.from, first.to),
        run: None,
    })
    .await;
}

#[tokio::test]
async fn puzzles_are_counted_and_chosen_by_side_and_length() {
    let store = Store::open(&Location::Memory).await.unwrap();
    let mut visit = Visit::of_ann(&Host::new(store, Limits::default()));
    let rules = "ashton".to_string();
    let ask = Ask::Puzzles {
        rules: rules.clone(),
    };
    let Ok(Answer::Puzzles(puzzles)) = visit.ask(ask).await else {
        panic!("the puzzles are listed");
    };
    let whole = puzzles.groups.iter().filter(|group| group.motif.is_none());
    let sum: usize = whole.clone().map(|group| group.count).sum();
    assert_eq!(sum, puzzles.count);
    for group in &puzzles.groups {
        let choice = PuzzleChoice::Next {
            motif: group.motif.clone(),
            side: Some(group.side),
            plies: Some(group.plies),
            after: None,
        };
        let rules = rules.clone();
        let Ok(Answer::Puzzle(found)) = visit.ask(Ask::Puzzle { rules, choice }).await else {
            panic!("{group:?} has a puzzle");
        };
        let set = tablut_rules::BuiltIn::Ashton;
        let own = tablut_review::puzzle::puzzle(set, found.number).unwrap();
        assert_eq!((own.side(), own.plies()), (group.side, group.plies));
        let mut words = own.motifs.iter().map(|motif| motif.word());
        assert!(group.motif.is_none() || words.any(|word| group.motif.as_deref() == Some(word)));
    }
}

#[tokio::test]
async fn the_puzzle_after_one_is_another() {
    let store = Store::open(&Location::Memory).await.unwrap();
    let mut visit = Visit::of_ann(&Host::new(store, Limits::default()));
    let mut before = None;
    for _ in 0..40 {
        let choice = PuzzleChoice::Next {
            motif: None,
            side: Some(tablut_rules::Side::Attackers),
            plies: Some(5),
            after: before,
        };
        let rules = "ashton".to_string();
        let Ok(Answer::Puzzle(found)) = visit.ask(Ask::Puzzle { rules, choice }).await else {
            panic!("there is one");
        };
        assert_ne!(before.replace(found.number), Some(found.number));
    }
}

#[tokio::test]
async fn a_puzzle_is_judged_here_and_counts_once() {
    let store = Store::open(&Location::Memory).await.unwrap();
    let mut visit = Visit::of_ann(&Host::new(store, Limits::default()));
    let set = tablut_rules::BuiltIn::Ashton;
    let wins = tablut_review::puzzle::built_in_puzzles(set).iter();
    let mut wins = wins.filter(|puzzle| puzzle.plies() == 3);
    let (solved, failed) = (wins.next().unwrap(), wins.next().unwrap());
    let try_move = |number, made: &[String], tried: String| Ask::TryPuzzle {
        rules: "ashton".into(),
        number,
        made: made.to_vec(),
        tried,
        run: None,
    };
    let mut ratings = Vec::new();
    for _ in 0..2 {
        let mut made = Vec::new();
        for own in solved.solution.iter().step_by(2) {
            let ask = try_move(solved.number, &made, own.to_string());
            let Answer::PuzzleTrial(said) = visit.ask(ask).await.unwrap() else {
                panic!("no trial");
            };
            ratings.extend(said.rating);
            made.push(own.to_string());
            made.extend(said.trial.reply);
        }
        assert_eq!(made.len(), 3, "the opponent's move came from the server");
    }
    let [(before, after)] = ratings[..] else {
        panic!("the second time counts too: {ratings:?}");
    };
    assert!(after > before);
    // A wrong move is answered on the board, and costs something.
    let game = failed.game(&set.rules()).unwrap();
    let wrong = *game
        .legal_moves()
        .iter()
        .find(|&&step| step != failed.solution[0])
        .unwrap();
    let ask = try_move(failed.number, &[], wrong.to_string());
    let Answer::PuzzleTrial(said) = visit.ask(ask).await.unwrap() else {
        panic!("no trial");
    };
    assert_eq!(said.trial.result, crate::message::TrialResult::Wrong);
    assert!(said.trial.reply.is_some() && said.trial.text.contains("No"));
    let (from, to) = said.rating.unwrap();
    assert!(from == after && to < from);
    // Moves that are not the solution's are refused.
    let ask = try_move(
        solved.number,
        &["a1a2".into(), "a2a1".into()],
        "e4d4".into(),
    );
    assert!(visit.ask(ask).await.is_err());
    // Boards of puzzles do not tell which moves win.
    let number = solved.number;
    let ask = Ask::Puzzle {
        rules: "ashton".into(),
        choice: PuzzleChoice::Number { number },
    };
    let Answer::Puzzle(shown) = visit.ask(ask).await.unwrap() else {
        panic!("no puzzle");
    };
    assert!(shown.board.targets.iter().all(|target| !target.wins));
    assert_eq!(shown.tried.as_deref(), Some("solved"));
}

#[tokio::test]
async fn a_streak_ends_with_the_first_miss() {
    let store = Store::open(&Location::Memory).await.unwrap();
    let mut visit = Visit::of_ann(&Host::new(store, Limits::default()));
    let rules = || "ashton".to_string();
    let choice = PuzzleChoice::Begin {
        run: "streak".into(),
    };
    let begin = Ask::Puzzle {
        rules: rules(),
        choice,
    };
    let Answer::Puzzle(mut shown) = visit.ask(begin).await.unwrap() else {
        panic!("no puzzle");
    };
    let run = shown.run.clone().unwrap().id;
    let set = tablut_rules::BuiltIn::Ashton;
    for (is_right, score) in [(true, 1), (true, 2), (false, 2)] {
        let puzzle = tablut_review::puzzle::puzzle(set, shown.number).unwrap();
        let (mut made, mut last) = (Vec::<String>::new(), None);
        for own in puzzle.solution.iter().step_by(2) {
            let game = puzzle.game(&set.rules()).unwrap();
            let wrong = *game.legal_moves().iter().find(|&step| step != own).unwrap();
            let tried = if is_right { *own } else { wrong };
            let ask = Ask::TryPuzzle {
                rules: rules(),
                number: shown.number,
                made: made.clone(),
                tried: tried.to_string(),
                run: Some(run.clone()),
            };
            let Answer::PuzzleTrial(said) = visit.ask(ask).await.unwrap() else {
                panic!("no trial");
            };
            assert_eq!(said.rating, None, "runs do not count for the rating");
            made.push(tried.to_string());
            made.extend(said.trial.reply);
            last = said.run;
            if !is_right {
                break;
            }
        }
        let last = last.unwrap();
        assert_eq!((last.score, last.over), (score, !is_right));
        let next = Ask::Puzzle {
            rules: rules(),
            choice: PuzzleChoice::Run { run: run.clone() },
        };
        match visit.ask(next).await {
            Ok(Answer::Puzzle(next)) if is_right => shown = next,
            Err(problem) if !is_right => assert!(problem.text.contains("over")),
            other => panic!("{other:?}"),
        }
    }
}

#[tokio::test]
async fn every_request_gets_the_answer_that_the_page_expects() {
    let store = Store::open(&Location::Memory).await.unwrap();
    let cup = Contest::prepare(&store, PLAN, "ashton", State::Running).await;
    assert!(cup.unwrap().is_new);
    let host = Host::new(store, Limits::default());
    let mut page = Granted {
        visit: Visit::of_ann(&host),
        asked: BTreeSet::new(),
    };
    let text = |text: &str| text.to_string();
    let (moves, rules) = (Vec::new(), text("ashton"));
    let place = PositionInfo {
        rules: rules.clone(),
        setup: text("3bbb3/4b4/4w4/b3w3b/bbwwKwwbb/b3w3b/4w4/4b4/3bbb3 w"),
    };
    let line = || (place.clone(), moves.clone());

    page.ask(Ask::Ping).await;
    page.ask(Ask::Hello {
        lang: LangName(Lang::It),
    })
    .await;
    page.ask(Ask::Name { name: text("Ann") }).await;
    let (name, value) = (text("theme"), text("dark"));
    page.ask(Ask::Setting { name, value }).await;
    let (name, value) = (text("rules"), rules.clone());
    page.ask(Ask::ServerSetting { name, value }).await;

    page.ask(Ask::Rules {
        rules: rules.clone(),
    })
    .await;
    let (place, moves) = line();
    page.ask(Ask::Survey { place, moves }).await;
    let (place, moves) = line();
    page.ask(Ask::Explain {
        place,
        moves,
        step: text("e4d4"),
        turns: true,
    })
    .await;
    page.ask(Ask::Read {
        text: text("[Rules \"ashton\"]\n\n1. e4-d4 *"),
        rules,
    })
    .await;
    page.ask(Ask::Write {
        study: None,
        rules: text("ashton"),
        node: 1,
    })
    .await;
    let (place, moves) = line();
    page.ask(Ask::Hint { place, moves }).await;
    let (place, moves) = line();
    page.ask(Ask::Weigh { place, moves }).await;
    let (place, moves) = line();
    page.ask(Ask::Inquire {
        number: 1,
        inquiry: InquiryAsk::Lines {
            place,
            moves,
            lines: 2,
            pass: false,
        },
    })
    .await;
    page.ask(Ask::Dismiss { number: 1 }).await;

    ask_about_studies(&mut page).await;
    page.ask(Ask::Slots).await;
    let (number, place) = (3, Some(line().0));
    page.ask(Ask::SaveSlot { number, place }).await;
    page.ask(Ask::SavePosition {
        position: None,
        name: text("the start"),
        place: line().0,
    })
    .await;
    let search = String::new();
    let Answer::Library(library) = page.ask(Ask::Library { search }).await else {
        unreachable!("checked");
    };
    let position = library[0].id.clone();
    page.ask(Ask::DeletePosition { position }).await;

    let Answer::Game { game } = page.ask(on_one_screen()).await else {
        unreachable!("checked");
    };
    page.ask(Ask::Games).await;
    page.ask(Ask::Join {
        game: game.clone(),
        secret: None,
    })
    .await;
    let (ply, step) = (0, text("e4d4"));
    page.ask(Ask::Move { ply, step }).await;
    let wish = WishName::Resign;
    page.ask(Ask::Wish { wish }).await;
    page.ask(Ask::Record).await;
    let (game, ply) = (game, 1);
    page.ask(Ask::StudyGame { game, ply }).await;
    page.ask(Ask::Rematch).await;
    page.ask(Ask::Leave).await;
    let by_link = Ask::NewGame(NewGame::by_link("none"));
    let Answer::Game { game } = page.ask(by_link).await else {
        unreachable!("checked");
    };
    page.ask(Ask::Join { game, secret: None }).await;
    page.ask(Ask::CancelGame).await;

    let tournament = text("cup");
    page.ask(Ask::Tournaments).await;
    page.ask(Ask::Tournament {
        tournament: tournament.clone(),
    })
    .await;
    page.ask(Ask::RunTournament {
        tournament: tournament.clone(),
        wish: TournamentWish::Pause,
    })
    .await;
    page.ask(Ask::Organise {
        token: text("the organiser's token"),
    })
    .await;
    page.ask(Ask::CorrectTournament {
        tournament,
        correction: CorrectionAsk::Withdraw {
            team: 1,
            annul: true,
        },
        why: text("illness"),
    })
    .await;
    page.ask(Ask::Ratings).await;
    host.appear("here".into()).await.unwrap();
    let token = text("the administrator's token");
    page.ask(Ask::Admin {
        token: token.clone(),
    })
    .await;
    page.ask(Ask::Drain {
        token,
        process: host.process().to_string(),
    })
    .await;

    page.ask(Ask::Import {
        text: text(
            "[Rules \"ashton\"]\n[White \"Ann\"]\n[Reason \"resignation\"]\n\n1. e4-d4 d1-c1 1-0",
        ),
        rules: text("ashton"),
    })
    .await;
    host.store().file_games(10).await.unwrap();
    let Answer::Found { games, .. } = page.ask(Ask::Search(SearchAsk::default())).await else {
        unreachable!("checked");
    };
    page.ask(Ask::TagGame {
        number: games[0].number.clone(),
        tag: text("good"),
        on: true,
    })
    .await;
    page.ask(Ask::Tags).await;
    page.ask(Ask::Players {
        beginning: text("a"),
    })
    .await;
    page.ask(Ask::ExportGames(SearchAsk::default())).await;
    let (place, moves) = line();
    page.ask(Ask::Explore { place, moves }).await;
    let (place, moves) = line();
    let (step, source) = (None, text("store"));
    page.ask(Ask::ExploreGames {
        place,
        moves,
        step,
        source,
    })
    .await;
    page.ask(Ask::Watch).await;
    page.ask(Ask::Demonstrate {
        rules: text("ashton"),
    })
    .await;
    let (first, second) = (text("ashton"), text("berkeley"));
    page.ask(Ask::CompareRules { first, second }).await;
    learn(&mut page).await;
    assert_eq!(page.asked, ask_names(), "requests that nothing here makes");
}
