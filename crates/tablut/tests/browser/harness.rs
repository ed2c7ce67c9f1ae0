//! A server of the test's own, a browser, and hands for it.

use std::{
    fs,
    path::{Path, PathBuf},
    process::Child,
    time::{Duration, Instant},
};

use fantoccini::{
    Client, Locator,
    actions::{
        Actions, InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MOUSE_BUTTON_RIGHT,
        MouseActions, PointerAction, WheelAction, WheelActions,
    },
    elements::Element,
};
use serde_json::{Value, json};
use tempfile::TempDir;

pub(crate) use crate::driver::Window;
use crate::{
    driver::Driver,
    server::{launch, launch_with},
};

/// How long anything may take before a test gives up. A machine with other work is slow.
pub(crate) const PATIENCE: Duration = Duration::from_secs(30);

/// `tablut serve` with a store of its own.
pub(crate) struct Server {
    child: Child,
    pub(crate) url: String,
    folder: TempDir,
}

impl Server {
    pub(crate) fn start() -> Self {
        Self::start_with(&[])
    }

    /// The same with more flags.
    pub(crate) fn start_with(flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("games.db");
        let (child, url) = launch_with(store.to_str().unwrap(), "0", flags);
        Self { child, url, folder }
    }

    /// The folder of its store.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// How long it has worked so far, in clock ticks of a hundredth of a second.
    pub(crate) fn ticks(&self) -> u64 {
        let stat = fs::read_to_string(format!("/proc/{}/stat", self.child.id())).unwrap();
        // The name in brackets may have spaces; the times are the twelfth and thirteenth after it.
        let (_, rest) = stat.rsplit_once(')').unwrap();
        let mut times = rest.split_whitespace().skip(11).take(2);
        times
            .by_ref()
            .map(|time| time.parse::<u64>().unwrap())
            .sum()
    }

    /// Kills the server as hard as possible and starts it again at the same address.
    pub(crate) fn restart(&mut self) {
        self.kill();
        self.revive();
    }

    /// Kills the server as hard as possible.
    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Starts it again at the same address.
    pub(crate) fn revive(&mut self) {
        let port = self.url.trim_end_matches('/').rsplit(':').next().unwrap();
        let (child, url) = launch(&self.folder.path().join("games.db"), port);
        assert_eq!(url, self.url);
        self.child = child;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A browser with an empty memory, and the driver that moves it.
pub(crate) struct Browser {
    pub(crate) client: Client,
    pub(crate) driver: Driver,
    server_url: String,
    _profile: TempDir,
}

impl Browser {
    /// A browser that shows the page of a server.
    pub(crate) async fn open(server: &Server, path: &str) -> Self {
        Self::with(server, path, Window::Desk, "en").await
    }

    pub(crate) async fn with(server: &Server, path: &str, window: Window, lang: &str) -> Self {
        Self::at(&server.url, path, window, lang).await
    }

    /// A browser that shows the page at an address.
    pub(crate) async fn at(url: &str, path: &str, window: Window, lang: &str) -> Self {
        let driver = Driver::start();
        let profile = tempfile::tempdir().unwrap();
        let browser = Self {
            client: driver.connect(&profile, window, lang).await,
            driver,
            server_url: url.into(),
            _profile: profile,
        };
        browser.go(path).await;
        browser
    }

    /// Goes to a part of the page, such as `#analysis`.
    pub(crate) async fn go(&self, path: &str) {
        let url = format!("{}{path}", self.server_url);
        self.client.goto(&url).await.unwrap();
        self.find("#bar nav").await;
    }

    /// Ends the browser.
    pub(crate) async fn close(self) {
        self.client.clone().close().await.unwrap();
    }

    /// Waits for an element.
    pub(crate) async fn find(&self, css: &str) -> Element {
        let wait = self.client.wait().at_most(PATIENCE);
        match wait.for_element(Locator::Css(css)).await {
            Ok(element) => element,
            Err(error) => panic!("{css}: {error}; the page: {}", self.text("body").await),
        }
    }

    pub(crate) async fn has(&self, css: &str) -> bool {
        self.count(css).await > 0
    }

    pub(crate) async fn count(&self, css: &str) -> usize {
        let found = self.client.find_all(Locator::Css(css)).await.unwrap();
        found.len()
    }

    pub(crate) async fn click(&self, css: &str) {
        let begin = Instant::now();
        loop {
            let element = self.find(css).await;
            match element.click().await {
                Ok(()) => return,
                // It may have been drawn anew, or something may pass over it.
                Err(error) if begin.elapsed() > PATIENCE => panic!("{css}: {error}"),
                Err(_) => tokio::time::sleep(Duration::from_millis(20)).await,
            }
        }
    }

    pub(crate) async fn act(&self, name: &str) {
        self.click(&format!("[data-act=\"{name}\"]")).await;
    }

    /// What an element says now; nothing if there is none.
    pub(crate) async fn text(&self, css: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.innerText ?? ''";
        let text = self.client.execute(script, vec![json!(css)]).await.unwrap();
        text.as_str().unwrap().to_string()
    }

    /// Waits until an element says something.
    pub(crate) async fn says(&self, css: &str, part: &str) {
        let begin = Instant::now();
        while !self.text(css).await.contains(part) {
            assert!(
                begin.elapsed() < PATIENCE,
                "{css} does not say {part:?} but {:?}",
                self.text(css).await
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until a script gives something.
    pub(crate) async fn until(&self, script: &str, wanted: &Value) {
        let begin = Instant::now();
        loop {
            let found = self.client.execute(script, Vec::new()).await.unwrap();
            if found == *wanted {
                return;
            }
            assert!(
                begin.elapsed() < PATIENCE,
                "{script}: {found}, not {wanted}"
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }

    /// Waits until the list has this many moves.
    pub(crate) async fn moves(&self, count: usize) {
        let script = "return document.querySelectorAll('.move').length";
        self.until(script, &json!(count)).await;
    }

    /// Chooses in a list.
    pub(crate) async fn choose(&self, name: &str, value: &str) {
        let begin = Instant::now();
        // The panel may be drawn anew between finding and choosing.
        loop {
            let list = self.find(&format!("select[data-field=\"{name}\"]")).await;
            match list.select_by_value(value).await {
                Ok(()) => return,
                Err(error) => assert!(begin.elapsed() < PATIENCE, "{name}: {error}"),
            }
        }
    }

    /// The pieces on the board, as `e5K` and so on, in order.
    pub(crate) async fn pieces(&self) -> Vec<String> {
        let script = "return [...document.querySelectorAll('.pieces > :not(.captured)')]
            .map((man) => man.dataset.on + man.dataset.piece).sort()";
        let pieces = self.client.execute(script, Vec::new()).await.unwrap();
        let pieces = pieces.as_array().unwrap().iter();
        pieces
            .map(|piece| piece.as_str().unwrap().to_string())
            .collect()
    }

    /// Waits until a piece stands on a square, or nothing does.
    pub(crate) async fn piece(&self, square: &str, piece: Option<&str>) {
        let script = format!(
            "return document.querySelector('.pieces > [data-on=\"{square}\"]:not(.captured)')?.dataset.piece ?? null"
        );
        self.until(&script, &json!(piece)).await;
    }

    /// Where a square is in the window.
    async fn place(&self, square: &str) -> (f64, f64) {
        let script = "const box = document.querySelector(`.cell[data-square=\"${arguments[0]}\"]`).getBoundingClientRect();
            return [box.x + box.width / 2, box.y + box.height / 2]";
        let place = self.client.execute(script, vec![json!(square)]).await;
        let place = place.unwrap();
        (place[0].as_f64().unwrap(), place[1].as_f64().unwrap())
    }

    /// Clicks a square as quickly as a hand can: down and up in one go.
    pub(crate) async fn square(&self, square: &str) {
        let (x, y) = self.place(square).await;
        self.mouse(MOUSE_BUTTON_LEFT, &[(x, y)]).await;
    }

    /// Drags from square to square with a button.
    pub(crate) async fn drag(&self, button: Button, squares: &[&str]) {
        let mut path = Vec::new();
        for square in squares {
            path.push(self.place(square).await);
        }
        let shift = KeyActions::new("shift".into());
        match button {
            Button::Left => self.mouse(MOUSE_BUTTON_LEFT, &path).await,
            Button::Right => self.mouse(MOUSE_BUTTON_RIGHT, &path).await,
            Button::ShiftRight => {
                let down = shift.then(KeyAction::Down { value: SHIFT });
                self.client.perform_actions(down).await.unwrap();
                self.mouse(MOUSE_BUTTON_RIGHT, &path).await;
                self.client.release_actions().await.unwrap();
            }
        }
    }

    /// Carries a piece from square to square as a hand does: around its target in so many small moves, each of
    /// which takes a while.
    pub(crate) async fn carry(&self, from: &str, to: &str, (moves, pace): (usize, Duration)) {
        let (start, end) = (self.place(from).await, self.place(to).await);
        let mut path = vec![start];
        for n in 1..moves {
            let part = n as f64 / moves as f64;
            let (sin, cos) = (part * 4.0 * std::f64::consts::PI).sin_cos();
            let away = 60.0 * (1.0 - part);
            let x = start.0 + (end.0 - start.0) * part + away * sin;
            let y = start.1 + (end.1 - start.1) * part + away * (1.0 - cos);
            path.push((x.round(), y.round()));
        }
        path.push(end);
        self.mouse_at(MOUSE_BUTTON_LEFT, &path, pace).await;
    }

    async fn mouse(&self, button: u64, path: &[(f64, f64)]) {
        self.mouse_at(button, path, Duration::ZERO).await;
    }

    async fn mouse_at(&self, button: u64, path: &[(f64, f64)], pace: Duration) {
        let to = |&(x, y): &(f64, f64)| PointerAction::MoveTo {
            duration: Some(pace),
            x,
            y,
        };
        let mut hand = MouseActions::new("mouse".into()).then(to(&path[0]));
        hand = hand.then(PointerAction::Down { button });
        for point in &path[1..] {
            hand = hand.then(to(point));
        }
        hand = hand.then(PointerAction::Up { button });
        let actions = Actions::from(hand);
        self.client.perform_actions(actions).await.unwrap();
    }

    /// Turns the wheel over the board.
    pub(crate) async fn wheel(&self, notches: i64) {
        let (x, y) = self.place("e5").await;
        let mut wheel = WheelActions::new("wheel".into());
        for _ in 0..notches.abs() {
            wheel.push(WheelAction::Scroll {
                duration: None,
                x: x as i64,
                y: y as i64,
                delta_x: 0,
                delta_y: 100 * notches.signum(),
            });
        }
        self.client.perform_actions(wheel).await.unwrap();
    }

    /// Presses keys, one after another.
    pub(crate) async fn keys(&self, keys: &[char]) {
        let mut hand = KeyActions::new("keys".into());
        for &value in keys {
            hand = hand
                .then(KeyAction::Down { value })
                .then(KeyAction::Up { value });
        }
        self.client.perform_actions(hand).await.unwrap();
    }

    /// Presses a key together with Ctrl.
    pub(crate) async fn ctrl(&self, value: char) {
        self.chord(CTRL, value).await;
    }

    /// Presses a key while another is held down.
    pub(crate) async fn chord(&self, held: char, value: char) {
        let hand = KeyActions::new("keys".into())
            .then(KeyAction::Down { value: held })
            .then(KeyAction::Down { value })
            .then(KeyAction::Up { value })
            .then(KeyAction::Up { value: held });
        self.client.perform_actions(hand).await.unwrap();
    }

    /// Types into a field.
    pub(crate) async fn fill(&self, name: &str, text: &str) {
        let field = self.find(&format!("[data-field=\"{name}\"]")).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Opens a drawer of the analysis board, unless it is open.
    pub(crate) async fn drawer(&self, name: &str) {
        let button = format!("[data-act=\"drawer-{name}\"]");
        self.find(&button).await;
        if !self.has(&format!("{button}[aria-pressed=\"true\"]")).await {
            self.click(&button).await;
        }
        self.find(&format!("{button}[aria-pressed=\"true\"]")).await;
    }

    /// Reads a text onto the analysis board.
    pub(crate) async fn read(&self, text: &str) {
        self.drawer("text").await;
        self.fill("text", text).await;
        self.act("read-text").await;
    }

    /// Takes the focus away, so that keys mean the board.
    pub(crate) async fn blur(&self) {
        let script = "document.activeElement.blur()";
        self.client.execute(script, Vec::new()).await.unwrap();
    }

    /// Types a command.
    pub(crate) async fn command(&self, text: &str) {
        let field = self.find("[data-field=\"command\"]").await;
        field.send_keys(&format!("{text}{ENTER}")).await.unwrap();
    }

    /// Makes the page dark, whatever the system says.
    pub(crate) async fn darken(&self) {
        let script = "document.documentElement.dataset.theme = 'dark'";
        self.client.execute(script, Vec::new()).await.unwrap();
    }

    /// Gives the browser an order of its own protocol, which WebDriver does not have.
    pub(crate) async fn tell(&self, order: &str, parameters: &Value) {
        let order = json!({ "cmd": order, "params": parameters });
        let session = self.client.session_id().await.unwrap().unwrap();
        let path = format!("/session/{session}/goog/cdp/execute");
        self.driver.order(&path, &order.to_string());
    }

    /// Gives the window another shape; a small one is a phone's or a tablet's, with fingers.
    pub(crate) async fn resize(&self, width: u32, height: u32) {
        let is_touched = width.min(height) < 800 && width < 1200;
        let shape = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": is_touched });
        self.tell("Emulation.setDeviceMetricsOverride", &shape)
            .await;
        let script = format!("return innerWidth === {width} && innerHeight === {height}");
        self.until(&script, &json!(true)).await;
    }

    /// Keeps a picture of the window, if pictures are wanted.
    pub(crate) async fn picture(&self, name: &str) {
        let Some(folder) = std::env::var_os("TABLUT_PICTURES") else {
            return;
        };
        let folder = PathBuf::from(folder);
        fs::create_dir_all(&folder).unwrap();
        // Pieces slide and captured men fade.
        let until_still = "const done = arguments[0];
            Promise.allSettled(document.getAnimations().map((one) => one.finished))
                .then(() => requestAnimationFrame(() => done()));";
        self.client
            .execute_async(until_still, vec![])
            .await
            .unwrap();
        let picture = self.client.screenshot().await.unwrap();
        fs::write(folder.join(format!("{name}.png")), picture).unwrap();
    }
}

/// A button of the mouse.
#[derive(Clone, Copy)]
pub(crate) enum Button {
    Left,
    Right,
    ShiftRight,
}

pub(crate) const ENTER: char = '\u{e007}';
pub(crate) const TAB: char = '\u{e004}';
pub(crate) const ESCAPE: char = '\u{e00c}';
pub(crate) const HOME: char = '\u{e011}';
pub(crate) const LEFT: char = '\u{e012}';
pub(crate) const UP: char = '\u{e013}';
pub(crate) const RIGHT: char = '\u{e014}';
pub(crate) const DOWN: char = '\u{e015}';
const CTRL: char = '\u{e009}';
pub(crate) const SHIFT: char = '\u{e008}';
