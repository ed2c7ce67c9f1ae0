//! Peers that send without end and never read, against the real program: its memory stays what it was.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::{
    fs,
    io::{self, Read, Write},
    net::TcpStream,
    process::Child,
    time::{Duration, Instant},
};

use crate::server::launch;

struct Server {
    child: Child,
    address: String,
    _folder: tempfile::TempDir,
}

impl Server {
    fn start() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (child, line) = launch(&folder.path().join("games.db"), "0");
        let address = line.trim_start_matches("http://").trim_end_matches('/');
        Self {
            child,
            address: address.into(),
            _folder: folder,
        }
    }

    /// What the program holds in memory, in megabytes.
    fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find(|line| line.starts_with("VmRSS:"));
        let kilobytes = line.unwrap().split_whitespace().nth(1).unwrap();
        kilobytes.parse::<u64>().unwrap() / 1024
    }

    /// A page's socket as bytes, after the handshake.
    fn socket(&self, token: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let here = &self.address;
        let request = format!(
            "GET /socket HTTP/1.1\r\nHost: {here}\r\nOrigin: http://{here}\r\nCookie: tablut_visitor={token:0<24}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
        );
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = [0; 12];
        stream.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, b"HTTP/1.1 101");
        stream
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A frame of a client; a mask of nothing but zeros changes nothing.
fn frame(code: u8, payload: &[u8]) -> Vec<u8> {
    let length = u8::try_from(payload.len()).unwrap();
    assert!(length < 126);
    [&[0x80 | code, 0x80 | length, 0, 0, 0, 0], payload].concat()
}

/// Sends the same again and again, and reads nothing, until the server has had enough; says how many
/// megabytes went out.
fn flood(mut stream: TcpStream, message: &[u8]) -> u64 {
    let many = message.repeat(64 * 1024 / message.len());
    let (begin, mut sent) = (Instant::now(), 0);
    stream
        .set_write_timeout(Some(Duration::from_secs(1)))
        .unwrap();
    loop {
        match stream.write(&many) {
            Ok(count) => sent += count as u64,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => return sent >> 20,
        }
        // Ten times as long as a peer may take nothing.
        assert!(begin.elapsed() < Duration::from_secs(100), "still heard");
    }
}

#[test]
fn floods_that_nobody_reads_the_answers_of_are_cut_and_cost_no_memory() {
    let server = Server::start();
    server.socket("first");
    let before = server.memory();
    let ping = frame(9, &[7; 125]);
    let ask = frame(1, br#"{"id":1,"do":"hello","lang":"en"}"#);
    let peers: Vec<_> = (0..8)
        .map(|n| {
            let stream = server.socket(&format!("peer{n}"));
            let message = if n % 2 == 0 {
                ping.clone()
            } else {
                ask.clone()
            };
            std::thread::spawn(move || flood(stream, &message))
        })
        .collect();
    let mut most = before;
    while peers.iter().any(|peer| !peer.is_finished()) {
        most = most.max(server.memory());
        std::thread::yield_now();
    }
    for peer in peers {
        // What the system holds between the two is not the server's.
        assert!(peer.join().unwrap() < 64);
    }
    assert!(most < before + 50, "from {before} to {most} MB");
    println!("memory from {before} to at most {most} MB");
    // Others do not notice.
    server.socket("after");
}
