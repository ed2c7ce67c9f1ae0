//! A wire that can be cut: forwards connections to a port of this machine, well or badly.

use std::{io, net::SocketAddr, time::Duration};

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{
        TcpListener, TcpStream,
        tcp::{OwnedReadHalf, OwnedWriteHalf},
    },
    sync::watch,
    task::JoinHandle,
    time::sleep,
};

/// How a wire behaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Wire {
    /// As it should.
    Good,
    /// Nothing gets through, without any sign of it.
    Frozen,
    /// Everything comes late, in small pieces.
    Slow,
    /// Breaks within the next message.
    Torn,
    /// New connections are refused, old ones are gone.
    Cut,
}

/// A forwarded port.
pub(super) struct Proxy {
    pub(super) address: SocketAddr,
    wire: watch::Sender<Wire>,
    accepting: JoinHandle<()>,
}

impl Proxy {
    /// Forwards a port of its own to another one of this machine.
    pub(super) async fn open(target: u16) -> io::Result<Self> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await?;
        let address = listener.local_addr()?;
        let (wire, state) = watch::channel(Wire::Good);
        let accepting = tokio::spawn(async move {
            while let Ok((here, _)) = listener.accept().await {
                tokio::spawn(forward(here, target, state.clone()));
            }
        });
        Ok(Self {
            address,
            wire,
            accepting,
        })
    }

    pub(super) fn set(&self, wire: Wire) {
        self.wire.send_replace(wire);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.accepting.abort();
        self.wire.send_replace(Wire::Cut);
    }
}

async fn forward(here: TcpStream, target: u16, mut state: watch::Receiver<Wire>) {
    if *state.borrow_and_update() == Wire::Cut {
        return;
    }
    let Ok(there) = TcpStream::connect(("127.0.0.1", target)).await else {
        return;
    };
    let _ = here.set_nodelay(true);
    let _ = there.set_nodelay(true);
    let (from_here, to_here) = here.into_split();
    let (from_there, to_there) = there.into_split();
    // When one direction ends, both do: a connection that broke is broken.
    tokio::select! {
        () = pump(from_here, to_there, state.clone()) => {}
        () = pump(from_there, to_here, state.clone()) => {}
        _ = state.wait_for(|wire| *wire == Wire::Cut) => {}
    }
}

async fn pump(mut from: OwnedReadHalf, mut to: OwnedWriteHalf, mut state: watch::Receiver<Wire>) {
    let mut buffer = [0; 4096];
    loop {
        let Ok(count @ 1..) = from.read(&mut buffer).await else {
            return;
        };
        let Ok(wire) = state
            .wait_for(|wire| *wire != Wire::Frozen)
            .await
            .map(|wire| *wire)
        else {
            return;
        };
        let bytes = &buffer[..count];
        let written = match wire {
            Wire::Slow => trickle(&mut to, bytes).await,
            Wire::Torn => {
                // Half of it arrives, and then the connection is gone.
                let _ = to.write_all(&bytes[..count / 2]).await;
                return;
            }
            _ => to.write_all(bytes).await,
        };
        if written.is_err() {
            return;
        }
    }
}

/// Sends bytes as a bad line does.
async fn trickle(to: &mut OwnedWriteHalf, bytes: &[u8]) -> io::Result<()> {
    let piece = bytes.len().div_ceil(3).max(1);
    for part in bytes.chunks(piece) {
        sleep(Duration::from_millis(40)).await;
        to.write_all(part).await?;
    }
    Ok(())
}
