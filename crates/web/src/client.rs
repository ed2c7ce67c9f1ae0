//! A visitor without a browser: for watching in a terminal, load tests and tests of the server.

use std::net::SocketAddr;

use futures_util::{SinkExt, StreamExt};
use serde::{Deserialize, de::IgnoredAny};
use tokio::net::TcpStream;
use tokio_tungstenite::{
    MaybeTlsStream, WebSocketStream, connect_async,
    tungstenite::{
        Message,
        client::IntoClientRequest,
        http::{HeaderValue, header},
    },
};

use crate::message::{
    Answer, Ask, GameState, Problem, Request, ResponseResult, ServerEvent, ServerMessage,
};

/// Why the server did not do what was asked.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ClientError {
    /// The connection failed.
    #[error("the connection failed: {0}")]
    Connection(#[from] Box<tokio_tungstenite::tungstenite::Error>),
    /// The server closed the connection.
    #[error("the server closed the connection")]
    Closed,
    /// The server said something that is no message.
    #[error("the server sent no message: {0}")]
    Message(#[from] serde_json::Error),
    /// The server refused.
    #[error("{}", .0.text)]
    Refused(Problem),
}

/// An open connection of a visitor.
#[derive(Debug)]
pub struct Client {
    socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
    last: u32,
    /// The newest state of the game that is looked at.
    pub state: Option<Box<GameState>>,
}

impl Client {
    /// Connects as the visitor with a token of 24 letters or digits.
    ///
    /// # Errors
    /// The server is not there, or does not want us.
    pub async fn connect(address: SocketAddr, token: &str) -> Result<Self, ClientError> {
        Self::call(&address.to_string(), token).await
    }

    /// Connects to a server by its name or address, with its port, as [`Client::connect`] does.
    ///
    /// # Errors
    /// The server is not there, or does not want us.
    pub async fn call(server: &str, token: &str) -> Result<Self, ClientError> {
        Self::call_with(server, token, &[]).await
    }

    /// Connects as [`Client::call`] does, with further headers, as a proxy sends them.
    ///
    /// # Errors
    /// The server is not there, or does not want us.
    pub async fn call_with(
        server: &str,
        token: &str,
        more: &[(&'static str, &str)],
    ) -> Result<Self, ClientError> {
        let url = format!("ws://{server}/socket");
        let mut request = url.into_client_request().map_err(Box::new)?;
        let headers = request.headers_mut();
        for (name, value) in [
            (header::ORIGIN, format!("http://{server}")),
            (header::COOKIE, format!("tablut_visitor={token}")),
        ] {
            if let Ok(value) = HeaderValue::from_str(&value) {
                headers.insert(name, value);
            }
        }
        for &(name, value) in more {
            if let Ok(value) = HeaderValue::from_str(value) {
                headers.insert(name, value);
            }
        }
        let (socket, _) = connect_async(request).await.map_err(Box::new)?;
        Ok(Self {
            socket,
            last: 0,
            state: None,
        })
    }

    /// Asks for something and waits for the answer; states that come meanwhile are kept.
    ///
    /// # Errors
    /// The server refused, or is gone.
    pub async fn ask(&mut self, ask: Ask) -> Result<Answer, ClientError> {
        self.last += 1;
        let id = self.last;
        let leaves = matches!(ask, Ask::Join { .. } | Ask::Leave);
        let text = write(&Request { id, ask })?;
        let sent = self.socket.send(Message::text(text)).await;
        sent.map_err(Box::new)?;
        loop {
            if let ServerMessage::Response(response) = self.receive().await?
                && response.re == id
            {
                if leaves {
                    // What came until now was of the game before.
                    self.state = None;
                }
                return match response.result {
                    ResponseResult::Ok(answer) => Ok(*answer),
                    ResponseResult::Error(problem) => Err(ClientError::Refused(problem)),
                };
            }
        }
    }

    /// Waits for the next state of the game.
    ///
    /// # Errors
    /// The server is gone.
    pub async fn next_state(&mut self) -> Result<&GameState, ClientError> {
        loop {
            if let ServerMessage::Event(_) = self.receive().await? {
                break;
            }
        }
        self.state.as_deref().ok_or(ClientError::Closed)
    }

    /// Waits for the next state of the game and gives only how many moves it has, for whoever watches
    /// thousands of games.
    ///
    /// # Errors
    /// The server is gone.
    pub async fn next_plies(&mut self) -> Result<usize, ClientError> {
        loop {
            let message = self.socket.next().await.ok_or(ClientError::Closed)?;
            if let Message::Text(text) = message.map_err(Box::new)?
                && let Some(plies) = plies(&text)
            {
                return Ok(plies);
            }
        }
    }

    /// Waits until the game has this many moves, or is over.
    ///
    /// # Errors
    /// The server is gone.
    pub async fn until_ply(&mut self, ply: usize) -> Result<&GameState, ClientError> {
        let is_there = |state: &GameState| state.plies.len() >= ply || state.outcome.is_some();
        while !self.state.as_deref().is_some_and(is_there) {
            self.next_state().await?;
        }
        self.state.as_deref().ok_or(ClientError::Closed)
    }

    async fn receive(&mut self) -> Result<ServerMessage, ClientError> {
        loop {
            let message = self.socket.next().await.ok_or(ClientError::Closed)?;
            if let Message::Text(text) = message.map_err(Box::new)? {
                let message = read(&text)?;
                if let ServerMessage::Event(ServerEvent::State(state)) = &message {
                    self.state = Some(state.clone());
                }
                return Ok(message);
            }
        }
    }
}

// These are functions so that they are compiled once, here, and not again in every program with a client.

fn write(request: &Request) -> Result<String, serde_json::Error> {
    serde_json::to_string(request)
}

/// How many moves a state has, if the message is one.
fn plies(text: &str) -> Option<usize> {
    #[derive(Deserialize)]
    struct Moves {
        plies: Vec<IgnoredAny>,
    }
    let moves: Moves = serde_json::from_str(text).ok()?;
    Some(moves.plies.len())
}

fn read(text: &str) -> Result<ServerMessage, serde_json::Error> {
    serde_json::from_str(text)
}
