//! How light and how quick the page is. What depends on the machine is printed, to be looked at where nothing
//! else runs; what does not is asserted everywhere: bytes, requests, and what waits for an answer.
//! docs/testing.md has the command.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::{
    harness::{Browser, HOME, RIGHT, Server, Window},
    instrument,
    proxy::Proxy,
};

/// How often the lobby is opened by somebody who has never been there.
const VISITS: usize = 7;

/// The most that may be sent to somebody who opens the lobby for the first time, in bytes.
const LIGHT: u64 = 150_000;

/// A hand that carries a piece moves so many times, this far apart: about as often as a mouse tells.
const CARRIED: (usize, Duration) = (120, Duration::from_millis(16));

/// Notes how much the server says, when the lobby is on the screen, and how much had been said when it was made.
const NOTE: &str = "window.seen = { heard: 0, answers: null, drawn: null };
    const Plain = WebSocket;
    window.WebSocket = class extends Plain {
      constructor(...address) {
        super(...address);
        this.addEventListener('message', () => { seen.heard += 1; });
      }
    };
    window.afterPaint = (done) => requestAnimationFrame(() => {
      scheduler.postTask(() => done(performance.now()), { priority: 'user-blocking' });
    });
    new MutationObserver((_, observer) => {
      if (!document.querySelector('[data-act=\"start\"]')) return;
      observer.disconnect();
      seen.answers = seen.heard;
      afterPaint((now) => { seen.drawn = now; });
    }).observe(document, { childList: true, subtree: true });";

/// What a visit was like.
const VISIT: &str = "const files = performance.getEntriesByType('resource').filter((file) => file.initiatorType !== 'other');
    return {
      painted: performance.getEntriesByName('first-contentful-paint')[0].startTime,
      drawn: seen.drawn, answers: seen.answers, files: files.map((file) => new URL(file.name).pathname),
    }";

/// Lets the page note the times of its frames from press to release, and where the carried piece is in each.
const FRAMES: &str = "window.noted = [];
    const note = (time) => {
      if (!noted.isOver) requestAnimationFrame(note);
      const box = document.querySelector('.dragged')?.getBoundingClientRect();
      noted.push([time, box ? `${box.x} ${box.y}` : null]);
    };
    addEventListener('pointerdown', () => requestAnimationFrame(note), { capture: true, once: true });
    addEventListener('pointerup', () => { noted.isOver = true; }, { capture: true, once: true });";

/// Lets the page note how long after the release a piece stands on a square, and how much the server had said
/// by then.
const RELEASE: &str = "window.release = null;
    const [square] = arguments;
    addEventListener('pointerup', ({ timeStamp }) => {
      const { heard } = seen;
      const look = () => {
        if (!document.querySelector(`.pieces > [data-on=\"${square}\"]:not(.captured)`)) return;
        observer.disconnect();
        const answers = seen.heard - heard;
        const shown = performance.now() - timeStamp;
        afterPaint((now) => { window.release = { answers, shown, painted: now - timeStamp }; });
      };
      const observer = new MutationObserver(look);
      observer.observe(document.querySelector('.board'), { attributes: true, childList: true, subtree: true });
    }, { capture: true, once: true });";

/// A browser whose pages note what they do, at a page of another server.
async fn noting() -> Browser {
    let elsewhere = Server::start();
    let browser = Browser::at(&elsewhere.url, "#learn", Window::Desk, "en").await;
    let script = json!({ "source": NOTE });
    let order = "Page.addScriptToEvaluateOnNewDocument";
    browser.tell(order, &script).await;
    browser
}

/// Opens the lobby at an address, and waits until it can be seen.
async fn visit(browser: &Browser, url: &str) -> Value {
    browser.client.goto(&format!("{url}#play")).await.unwrap();
    // What was painted first may be told a little later than what was painted then.
    let drawn = "return window.seen?.drawn != null && performance.getEntriesByName('first-contentful-paint').length > 0";
    browser.until(drawn, &json!(true)).await;
    browser.client.execute(VISIT, Vec::new()).await.unwrap()
}

/// Numbers as people read them: the least, the middle and the greatest.
fn spread(mut numbers: Vec<f64>) -> String {
    numbers.sort_by(f64::total_cmp);
    let [least, middle, greatest] = [0, numbers.len() / 2, numbers.len() - 1].map(|at| numbers[at]);
    format!("{middle:.1} ms ({least:.1} to {greatest:.1})")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_lobby_comes_in_few_bytes_and_few_steps() {
    let browser = noting().await;
    let (mut painted, mut drawn) = (Vec::new(), Vec::new());
    for _ in 0..VISITS {
        // Another server is another site: nothing of it is known.
        let server = Server::start();
        let seen = visit(&browser, &server.url).await;
        painted.push(number(&seen["painted"]));
        drawn.push(number(&seen["drawn"]));
        // After the page comes its script, and what the browser wants to know to install it; then the lobby
        // is drawn without another question.
        let files = seen["files"].as_array().unwrap();
        assert!(files.len() <= 2, "{files:?}");
        assert_eq!(seen["answers"], json!(0));
    }
    println!("first paint after {}", spread(painted));
    println!("lobby drawn after {}", spread(drawn));

    let server = Server::start();
    let line = Proxy::to(&server.url);
    visit(&browser, &line.url).await;
    let at_once = line.sent();
    let ready = "const done = arguments[0]; navigator.serviceWorker.ready.then(() => done(true))";
    let kept = browser.client.execute_async(ready, Vec::new()).await;
    assert_eq!(kept.unwrap(), json!(true));
    let in_all = line.sent();
    println!("sent: {at_once} bytes until it was drawn, {in_all} with what is kept for later");
    assert!(in_all < LIGHT, "{in_all}");
    browser.close().await;
}

/// A game of two people on one screen.
async fn play(browser: &Browser, server: &Server) {
    visit(browser, &server.url).await;
    browser.click("[data-choice=\"screen\"]").await;
    browser.act("start").await;
    browser.says(".turn", "White to move").await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_carried_piece_follows_the_hand() {
    let server = Server::start();
    let browser = noting().await;
    play(&browser, &server).await;
    browser.client.execute(FRAMES, Vec::new()).await.unwrap();
    browser.carry("e4", "d4", CARRIED).await;
    browser.piece("d4", Some("w")).await;
    let frames = browser.client.execute("return noted", Vec::new()).await;
    let frames = frames.unwrap();
    let frames = frames.as_array().unwrap();
    let gaps: Vec<f64> = frames
        .windows(2)
        .map(|pair| number(&pair[1][0]) - number(&pair[0][0]))
        .collect();
    let moved = frames.windows(2).filter(|pair| pair[0][1] != pair[1][1]);
    let moved = moved.count();
    let seconds = gaps.iter().sum::<f64>() / 1000.0;
    println!(
        "{} frames in {seconds:.2} s, {:.1} a second, {} apart; the piece was elsewhere in {moved}",
        gaps.len(),
        gaps.len() as f64 / seconds,
        spread(gaps.clone())
    );
    // It does not only jump to the end.
    assert!(moved > 2, "{frames:?}");
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_move_is_shown_before_the_server_has_answered() {
    let server = Server::start();
    let browser = noting().await;
    play(&browser, &server).await;
    let (mut shown, mut painted) = (Vec::new(), Vec::new());
    let game = [
        "e4f4", "e2f2", "d5d2", "d1c1", "e5d5", "a4b4", "d5d3", "c1c2",
    ];
    for (ply, step) in game.iter().enumerate() {
        let (from, to) = step.split_at(2);
        browser
            .find(&format!(".pieces > [data-on=\"{from}\"]"))
            .await;
        // One by pressing both squares, the next by dragging.
        if ply % 2 == 0 {
            browser.square(from).await;
        }
        let square = vec![json!(to)];
        browser.client.execute(RELEASE, square).await.unwrap();
        if ply % 2 == 0 {
            browser.square(to).await;
        } else {
            browser
                .carry(from, to, (4, Duration::from_millis(16)))
                .await;
        }
        browser
            .until("return window.release !== null", &json!(true))
            .await;
        let release = browser.client.execute("return release", Vec::new()).await;
        let release = release.unwrap();
        assert_eq!(release["answers"], json!(0), "{step}: {release}");
        shown.push(number(&release["shown"]));
        painted.push(number(&release["painted"]));
        browser.moves(ply + 1).await;
    }
    println!("a move is on the board {} after the release", spread(shown));
    println!("and painted {} after it", spread(painted));
    browser.close().await;
}

/// A game of eighty plies between levels 10 and 9.
const EIGHTY: &str = include_str!("eighty.tablut");

/// Lets the page note how long after a key the engine's first line of the new position is there. What it said of the
/// position before goes at once.
const FIRST_LINE: &str = "window.firstLine = null;
    addEventListener('keydown', ({ timeStamp }) => {
      const list = document.querySelector('[data-part=\"lines\"]');
      let isEmpty = false;
      new MutationObserver((_, observer) => {
        const line = list.querySelector('[data-line]');
        if (!line) isEmpty = true;
        if (!line || !isEmpty) return;
        observer.disconnect();
        window.firstLine = performance.now() - timeStamp;
      }).observe(list, { childList: true, subtree: true, attributes: true });
    }, { capture: true, once: true });";

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_first_line_follows_the_move() {
    let server = Server::start();
    let browser = instrument::read(&server, EIGHTY).await;
    browser.piece("e3", Some("b")).await;
    browser.keys(&[HOME]).await;
    browser.act("engine").await;
    let mut times = Vec::new();
    for _ in 0..20 {
        // It has thought about the position before, and thinks still.
        let deep =
            "return Number(document.querySelector('[data-part=\"depth\"]').dataset.depth) >= 4";
        browser.until(deep, &json!(true)).await;
        browser
            .client
            .execute(FIRST_LINE, Vec::new())
            .await
            .unwrap();
        browser.keys(&[RIGHT]).await;
        browser
            .until("return window.firstLine !== null", &json!(true))
            .await;
        let time = browser.client.execute("return firstLine", Vec::new()).await;
        times.push(number(&time.unwrap()));
    }
    println!("first line {} after the move", spread(times));
    browser.close().await;
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn a_review_of_eighty_plies_is_made_while_one_looks() {
    let server = Server::start();
    let browser = instrument::read(&server, EIGHTY).await;
    browser.piece("e3", Some("b")).await;
    let begin = Instant::now();
    browser.act("review").await;
    browser.find("[data-part=\"progress\"]").await;
    println!("a review is seen to grow after {:?}", begin.elapsed());
    // A machine that has much else to do may take its time, as long as the review grows.
    loop {
        let said = "return document.querySelector('[data-part=\"progress\"]')?.textContent ?? null";
        let said = browser.client.execute(said, Vec::new()).await.unwrap();
        if said.is_null() {
            break;
        }
        let goes_on = format!(
            "return document.querySelector('[data-part=\"progress\"]')?.textContent !== {said}"
        );
        browser.until(&goes_on, &json!(true)).await;
    }
    browser.find("[data-part=\"summary\"]").await;
    println!("a review of 80 plies took {:?}", begin.elapsed());
    browser.close().await;
}

/// Waits until a server has worked for a while from now on.
async fn until_it_works(server: &Server) {
    let ticks = server.ticks();
    while server.ticks() < ticks + 10 {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// How long after a moment a server goes on working, in milliseconds: until it takes less than three hundredths of a
/// second in half a second, which is what pages ask now and then.
async fn until_it_rests(server: &Server, begin: Instant) -> f64 {
    let (mut ticks, mut last) = (server.ticks(), Instant::now());
    while last.elapsed() < Duration::from_millis(500) {
        assert!(begin.elapsed() < Duration::from_secs(30), "it never rests");
        tokio::time::sleep(Duration::from_millis(10)).await;
        if server.ticks() >= ticks + 3 {
            (ticks, last) = (server.ticks(), Instant::now());
        }
    }
    (last - begin).as_secs_f64() * 1000.0
}

#[tokio::test]
#[ignore = "needs Chromium: ./test --only browser"]
async fn the_engine_ends_soon_after_the_last_look() {
    let server = Server::start();
    let browser = Browser::open(&server, "#analysis").await;
    browser.act("engine").await;
    let mut times = Vec::new();
    for _ in 0..5 {
        until_it_works(&server).await;
        let begin = Instant::now();
        browser.click("#bar nav a[href=\"#play\"]").await;
        times.push(until_it_rests(&server, begin).await);
        browser.click("#bar nav a[href=\"#analysis\"]").await;
    }
    println!("another screen: it rests after {}", spread(times));
    until_it_works(&server).await;
    let begin = Instant::now();
    let tab = browser.client.new_window(true).await.unwrap();
    browser.client.switch_to_window(tab.handle).await.unwrap();
    let hidden = until_it_rests(&server, begin).await;
    println!("another tab: it rests after {hidden:.0} ms");
    let pages = browser.client.windows().await.unwrap();
    let page = pages[0].clone();
    browser.client.switch_to_window(page).await.unwrap();
    until_it_works(&server).await;
    let begin = Instant::now();
    browser.close().await;
    let closed = until_it_rests(&server, begin).await;
    println!("a closed page: it rests after {closed:.0} ms");
}
