//! A line between page and server that can be slow, or freeze: nothing comes through, and nothing is closed.

use std::{
    io::{Read, Write},
    net::{TcpListener, TcpStream},
    sync::{
        Arc, Condvar, Mutex,
        atomic::{AtomicU64, Ordering},
    },
    thread,
    time::Duration,
};

/// What a line knows: whether it is frozen, and how much came over it.
#[derive(Default)]
struct Line {
    frozen: Mutex<bool>,
    thawed: Condvar,
    /// Bytes from the server to pages.
    sent: AtomicU64,
}

/// Forwards connections to a server until it is told to freeze.
pub(crate) struct Proxy {
    pub(crate) url: String,
    line: Arc<Line>,
}

impl Proxy {
    /// A line to the server at an address such as `http://127.0.0.1:5880/`.
    pub(crate) fn to(server: &str) -> Self {
        Self::slow(server, Duration::ZERO)
    }

    /// A line on which everything takes a while, each way.
    pub(crate) fn slow(server: &str, delay: Duration) -> Self {
        Self::start(&[server], delay)
    }

    /// A line to the first of several servers that answers.
    pub(crate) fn to_any(servers: &[&str]) -> Self {
        Self::start(servers, Duration::ZERO)
    }

    fn start(servers: &[&str], delay: Duration) -> Self {
        let address = |url: &&str| {
            url.trim_start_matches("http://")
                .trim_end_matches('/')
                .into()
        };
        let targets: Vec<String> = servers.iter().map(address).collect();
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/", listener.local_addr().unwrap());
        let line = Arc::<Line>::default();
        let shared = Arc::clone(&line);
        // It ends with the test's process.
        thread::spawn(move || {
            for page in listener.incoming().flatten() {
                let (targets, line) = (targets.clone(), Arc::clone(&shared));
                thread::spawn(move || connect(page, &targets, &line, delay));
            }
        });
        Self { url, line }
    }

    /// How many bytes pages got so far.
    pub(crate) fn sent(&self) -> u64 {
        self.line.sent.load(Ordering::Relaxed)
    }

    pub(crate) fn freeze(&self) {
        *self.line.frozen.lock().unwrap() = true;
    }

    pub(crate) fn thaw(&self) {
        *self.line.frozen.lock().unwrap() = false;
        self.line.thawed.notify_all();
    }
}

impl Line {
    fn wait(&self) {
        let frozen = self.frozen.lock().unwrap();
        drop(self.thawed.wait_while(frozen, |frozen| *frozen).unwrap());
    }
}

fn connect(page: TcpStream, targets: &[String], line: &Arc<Line>, delay: Duration) {
    line.wait();
    let server = targets
        .iter()
        .find_map(|target| TcpStream::connect(target).ok());
    let Some(server) = server else {
        return;
    };
    let (from, to) = (page.try_clone().unwrap(), server.try_clone().unwrap());
    let other = Arc::clone(line);
    thread::spawn(move || pump(from, to, &other, delay, |_| ()));
    let count = |bytes| {
        line.sent.fetch_add(bytes, Ordering::Relaxed);
    };
    pump(server, page, line, delay, count);
}

fn pump(mut from: TcpStream, mut to: TcpStream, line: &Line, delay: Duration, count: impl Fn(u64)) {
    let mut bytes = [0; 16 * 1024];
    loop {
        let read = from.read(&mut bytes).unwrap_or(0);
        line.wait();
        thread::sleep(delay);
        count(read as u64);
        if read == 0 || to.write_all(&bytes[..read]).is_err() {
            let _ = to.shutdown(std::net::Shutdown::Both);
            let _ = from.shutdown(std::net::Shutdown::Both);
            return;
        }
    }
}
