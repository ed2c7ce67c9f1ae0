//! One client's connection.

use std::{
    io,
    task::{Context, Poll},
    time::Duration,
};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt, Interest},
    net::TcpStream,
    time::timeout,
};

use super::super::{
    Heard,
    frame::{Frame, Frames},
};

/// How many bytes of states may wait for a client that does not read; then it is gone. What the
/// system keeps for a connection comes before this.
const UNREAD: usize = 64 * 1024;

/// How long a client may take to read the last state and close.
const FAREWELL: Duration = Duration::from_secs(2);

/// What is read at once.
const CHUNK: usize = 4 * 1024;

#[derive(Debug)]
pub(super) struct Connection {
    stream: TcpStream,
    frames: Frames,
    unsent: Vec<u8>,
    state: Reading,
}

/// What is known of what comes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    /// More may come.
    Open,
    /// Something is there that was not wanted yet.
    Waiting,
    /// Nothing more will come, which has not been reported yet.
    Ended,
    /// That was reported.
    Closed,
}

impl Connection {
    pub(super) fn new(stream: TcpStream) -> Self {
        // States are small, and a player waits for each.
        drop(stream.set_nodelay(true));
        Self {
            stream,
            frames: Frames::default(),
            unsent: Vec::new(),
            state: Reading::Open,
        }
    }

    /// Sends what the system takes at once; the rest goes while something is waited for.
    pub(super) fn send(&mut self, bytes: &[u8]) {
        if self.unsent.len() + bytes.len() > UNREAD {
            self.end();
            return;
        }
        self.unsent.extend_from_slice(bytes);
        self.flush();
    }

    fn flush(&mut self) {
        while !self.unsent.is_empty() {
            match self.stream.try_write(&self.unsent) {
                Ok(sent) => drop(self.unsent.drain(..sent)),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => {
                    self.unsent.clear();
                    self.end();
                }
            }
        }
    }

    fn end(&mut self) {
        if self.state != Reading::Closed {
            self.state = Reading::Ended;
        }
    }

    /// Waits for what comes: a frame if one is wanted, or the end. Nothing is lost when the wait is
    /// given up.
    pub(super) async fn hear(&mut self, wants: bool) -> Heard {
        loop {
            if wants && let Some(frame) = self.frames.pull() {
                return Heard::Frame(frame);
            }
            if self.state == Reading::Ended {
                self.state = Reading::Closed;
                return Heard::Closed;
            }
            let reads = match self.state {
                Reading::Open => true,
                Reading::Waiting => wants,
                Reading::Ended | Reading::Closed => false,
            };
            let interest = match (reads, self.unsent.is_empty()) {
                (true, true) => Interest::READABLE,
                (true, false) => Interest::READABLE | Interest::WRITABLE,
                (false, false) => Interest::WRITABLE,
                (false, true) => std::future::pending().await,
            };
            let Ok(ready) = self.stream.ready(interest).await else {
                self.end();
                continue;
            };
            if ready.is_writable() {
                self.flush();
            }
            if reads && ready.is_readable() {
                match wants {
                    true => self.read(),
                    false => self.look().await,
                }
            }
        }
    }

    /// The first frame of a client that has said nothing yet; nothing if it has gone.
    pub(super) fn poll_name(&mut self, context: &mut Context<'_>) -> Poll<Option<Frame>> {
        loop {
            if let Some(frame) = self.frames.pull() {
                return Poll::Ready(Some(frame));
            }
            if self.state != Reading::Open {
                return Poll::Ready(None);
            }
            match self.stream.poll_read_ready(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Ok(())) => self.read(),
                Poll::Ready(Err(_)) => self.end(),
            }
        }
    }

    fn read(&mut self) {
        let mut bytes = [0; CHUNK];
        match self.stream.try_read(&mut bytes) {
            Ok(0) => self.end(),
            Ok(count) => {
                self.frames.push(&bytes[..count]);
                self.state = Reading::Open;
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            Err(_) => self.end(),
        }
    }

    /// Finds out whether the client has gone, without taking what it sent.
    async fn look(&mut self) {
        match self.stream.peek(&mut [0]).await {
            Ok(0) | Err(_) => self.end(),
            Ok(_) => self.state = Reading::Waiting,
        }
    }

    /// Sends what is left, says that no more will come, and waits for the client to close: closing
    /// with something unread would take the last state from it.
    pub(super) async fn leave(mut self) {
        let farewell = async {
            while !self.unsent.is_empty() && self.stream.writable().await.is_ok() {
                self.flush();
            }
            self.stream.shutdown().await?;
            let mut bytes = [0; CHUNK];
            while self.stream.read(&mut bytes).await? > 0 {}
            Ok(())
        };
        // Whether the client was there to hear it does not matter any more.
        let _: Result<io::Result<()>, _> = timeout(FAREWELL, farewell).await;
    }
}
