//! Lets connections in, each for as long as it behaves: a request that does not come, a connection that
//! stays idle and a peer that takes nothing of what is sent are shut out after a while.

use std::{
    io,
    net::SocketAddr,
    pin::Pin,
    sync::Arc,
    task::{Context, Poll, ready},
    time::Duration,
};

use axum::{Router, body::Body, extract::ConnectInfo};
use hyper::{
    Request, body::Incoming, server::conn::http1, service::Service as _, service::service_fn,
};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    service::TowerToHyperService,
};
use tablut_challenge::pause_after;
use tablut_guest::throttle::Source;
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, ReadBuf},
    net::{TcpListener, TcpStream},
    sync::{Semaphore, watch},
    time::{Instant, Sleep, sleep, timeout},
};

use crate::{
    connection::ended,
    crowd::{Crowd, Held, Holding, Origin},
    guard::Guard,
};

/// The longest head of a request, in bytes, and what is kept to be sent of an answer.
const HEAD: usize = 32 * 1024;

/// How many are told at once that there is no room; others are only shut out.
const TOLD: usize = 32;

/// How long a refused peer may take to read the refusal.
const TELLING: Duration = Duration::from_secs(2);

const NO_ROOM: &str =
    "There are too many connections, from your address or in all. Try again in a moment.\n";

/// Serves everybody who comes until the server closes, and then until they have gone.
pub(crate) async fn attend(
    listener: TcpListener,
    router: Router,
    crowd: Crowd,
    guard: Arc<Guard>,
    mut closing: watch::Receiver<bool>,
) {
    let telling = Arc::new(Semaphore::new(TOLD));
    loop {
        let (stream, peer) = tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok(accepted) => accepted,
                Err(error) => {
                    sleep(pause_after(&error)).await;
                    continue;
                }
            },
            () = ended(&mut closing) => break,
        };
        // A proxy brings many; whom, is known only with the request.
        let origin = Origin {
            source: Source::of(peer.ip()),
            is_local: guard.is_proxy(peer.ip()),
        };
        match crowd.hold(origin, Holding::Connection) {
            Some(held) => {
                // A message may go in several pieces, none of which waits for the one before to arrive.
                let _ = stream.set_nodelay(true);
                let serving = serve(stream, peer, router.clone(), held, closing.clone());
                tokio::spawn(serving);
            }
            None => {
                if let Ok(permit) = Arc::clone(&telling).try_acquire_owned() {
                    tokio::spawn(async move {
                        // Who does not listen is not told.
                        let _ = timeout(TELLING, refuse(stream)).await;
                        drop(permit);
                    });
                }
            }
        }
    }
    drop(listener);
    crowd.gone().await;
}

/// Answers the requests of one connection until it ends or becomes a page's socket.
async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    router: Router,
    held: Held,
    mut closing: watch::Receiver<bool>,
) {
    let traffic = *held.traffic();
    let router = TowerToHyperService::new(router);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(ConnectInfo(peer));
        router.call(request.map(Body::new))
    });
    let stream = TokioIo::new(Impatient::new(stream, traffic.stall_time));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(traffic.header_time)
        .max_buf_size(HEAD)
        .serve_connection(stream, service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    // However it ends, there is nobody to tell.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = ended(&mut closing) => {}
    }
    connection.as_mut().graceful_shutdown();
    let _ = connection.await;
}

/// Says that there is no room.
async fn refuse(mut stream: TcpStream) -> io::Result<()> {
    let length = NO_ROOM.len();
    let answer = format!(
        "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 10\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: {length}\r\n\r\n{NO_ROOM}"
    );
    stream.write_all(answer.as_bytes()).await?;
    stream.shutdown().await?;
    // A connection that is closed with something unread is cut, and the answer may be lost with it.
    let mut rest = [0; 1024];
    while stream.read(&mut rest).await? > 0 {}
    Ok(())
}

/// A stream that fails when the other side takes nothing for too long. It stays around a connection
/// that becomes a page's socket, answers to pings included.
struct Impatient<S> {
    stream: S,
    patience: Duration,
    /// Until when something has to be taken, while nothing is.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl<S> Impatient<S> {
    const fn new(stream: S, patience: Duration) -> Self {
        Self {
            stream,
            patience,
            stalled: None,
        }
    }

    /// What came of writing, or the end of patience.
    fn judge<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.stalled = None;
            return written;
        }
        let end = Instant::now() + self.patience;
        let new = || Box::pin(tokio::time::sleep_until(end));
        ready!(self.stalled.get_or_insert_with(new).as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Impatient<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Impatient<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.judge(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closed = Pin::new(&mut self.stream).poll_shutdown(context);
        self.judge(context, closed)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test fails by panicking")]
mod tests {
    use super::*;

    #[tokio::test]
    async fn who_takes_nothing_is_given_up() {
        let (ours, mut theirs) = tokio::io::duplex(64);
        let mut ours = Impatient::new(ours, Duration::from_millis(20));
        let mut taken = [0; 160];
        let (written, read) =
            tokio::join!(ours.write_all(&[7; 160]), theirs.read_exact(&mut taken));
        written.unwrap();
        read.unwrap();
        let error = ours.write_all(&[7; 160]).await.unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
    }
}
