//! The server: its address, its routes, its end.

use std::{
    io,
    net::{IpAddr, SocketAddr},
    sync::Arc,
    time::{Duration, Instant},
};

use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Request, State},
    http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode, Uri, header},
    middleware::{self, Next},
    routing::get,
};
use tablut_guest::throttle::Bucket;
use tablut_host::{Attendance, Host, fresh_id};
use tablut_picture::Picture;
use tablut_rules::{Setup, text::Lang};
use tablut_store::Visitor;
use tokio::{net::TcpListener, sync::watch, task::JoinHandle, time::timeout};
use tokio_tungstenite::tungstenite::handshake::server::create_response_with_body;
use tracing::Instrument as _;

use crate::{
    answer::{self, Inquiries, Visit},
    asset::{self, PageParts},
    connection,
    crowd::{Crowd, Deed, Holding, Origin, Traffic},
    door, embed,
    guard::{Guard, Proxy, is_from_machine},
    health::{Health, Readiness, plain},
    image::{Gallery, NoPicture},
    message::Welcome,
    preview, visitor,
};

/// How many games a page may make at once, and in a second.
const GAMES_AT_ONCE: u32 = 20;
const GAMES_PER_SECOND: f64 = 0.5;

/// How long open pages may take to say goodbye.
const GOODBYE: Duration = Duration::from_secs(3);

/// Where to listen, and whom to answer.
#[derive(Clone, Debug)]
pub struct Config {
    /// The address and port; port 0 is any that is free.
    pub address: SocketAddr,
    /// Other ports to try if this one is taken.
    pub more_ports: u16,
    /// Names besides `localhost` and addresses by which this server may be called.
    pub names: Vec<String>,
    /// The address by which others reach it, for links.
    pub public: Option<IpAddr>,
    /// A proxy in front of it.
    pub proxy: Option<Proxy>,
    /// How many may come, and how long they may take.
    pub traffic: Traffic,
    /// What an organiser of tournaments has to know who is not at this machine.
    pub organiser: Option<String>,
    /// What the administrator has to know, wherever they are.
    pub admin: Option<String>,
}

impl Default for Config {
    /// Any free port of this machine, for itself.
    fn default() -> Self {
        Self {
            address: SocketAddr::from(([127, 0, 0, 1], 0)),
            more_ports: 0,
            names: Vec::new(),
            public: None,
            proxy: None,
            traffic: Traffic::default(),
            organiser: None,
            admin: None,
        }
    }
}

/// Why the server cannot start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// Nobody can listen there.
    #[error("cannot listen on {address}: {cause}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        cause: io::Error,
    },
}

/// A server that runs.
#[derive(Debug)]
pub struct Running {
    address: SocketAddr,
    closing: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Running {
    /// Where it listens.
    #[must_use]
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends it: open pages are told, then it closes.
    pub async fn stop(self) {
        self.closing.send_replace(true);
        // What does not end by itself ends with the process.
        let _ = timeout(GOODBYE, self.task).await;
    }
}

#[derive(Clone)]
struct PageServer {
    host: Host,
    guard: Arc<Guard>,
    closing: watch::Receiver<bool>,
    crowd: Crowd,
    /// The beginning of links for others.
    public: Option<Arc<str>>,
    token: Option<Arc<str>>,
    admin: Option<Arc<str>>,
    gallery: Arc<Gallery>,
    health: Arc<Health>,
}

/// Starts a server.
///
/// # Errors
/// Nobody can listen at the address.
pub async fn serve(config: Config, host: Host) -> Result<Running, ServeError> {
    let listener = listen(&config).await?;
    start(listener, config, host)
}

/// Answers whoever comes. This is no `async fn`, so that all that it starts is compiled once, here, and not again in
/// every program that serves.
fn start(listener: TcpListener, config: Config, host: Host) -> Result<Running, ServeError> {
    let failed = |cause| ServeError::Listen {
        address: config.address,
        cause,
    };
    let address = listener.local_addr().map_err(failed)?;
    let (closing, closed) = watch::channel(false);
    let guard = Arc::new(Guard {
        lan: !config.address.ip().is_loopback(),
        names: config.names,
        proxy: config.proxy,
    });
    let crowd = Crowd::new(config.traffic);
    host.count_pages(Arc::new(crowd.clone()));
    let server_host = host.clone();
    let server = PageServer {
        host,
        guard: Arc::clone(&guard),
        closing: closed.clone(),
        crowd: crowd.clone(),
        public: config
            .public
            .map(|ip| format!("http://{}", SocketAddr::new(ip, address.port())).into()),
        token: config.organiser.map(Into::into),
        admin: config.admin.map(Into::into),
        gallery: Arc::new(Gallery::new()),
        health: Arc::new(Health::new()),
    };
    // Done before the first visitor has come, or while that one waits.
    tokio::task::spawn_blocking(asset::prepare);
    let router = Router::new()
        .route("/healthz", get(async || "alive\n"))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
        .route("/socket", get(socket))
        .route("/image/{*path}", get(image))
        .route("/embed/{*path}", get(embedded))
        .fallback(get(page))
        .layer(middleware::from_fn_with_state(server.clone(), admit))
        .with_state(server);
    // Games that are over come into the library, whoever played them.
    let (filing, mut over) = (server_host.file_games(), closed.clone());
    tokio::spawn(async move {
        tokio::select! {
            () = filing => {}
            _ = over.changed() => {}
        }
    });
    let task = tokio::spawn(door::attend(listener, router, crowd, guard, closed));
    Ok(Running {
        address,
        closing,
        task,
    })
}

/// Listens at the address, or at the next port that is free.
async fn listen(config: &Config) -> Result<TcpListener, ServeError> {
    let mut address = config.address;
    for _ in 0..config.more_ports {
        match TcpListener::bind(address).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {
                address.set_port(address.port().saturating_add(1));
            }
            bound => return bound.map_err(|cause| ServeError::Listen { address, cause }),
        }
    }
    let bound = TcpListener::bind(address).await;
    bound.map_err(|cause| ServeError::Listen { address, cause })
}

/// The header with the number of a request, for logs of several servers and proxies.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest number that is taken over from a proxy.
const LONGEST_ID: usize = 64;

/// Refuses strangers, protects every answer, and gives each request a number for the log.
async fn admit(State(server): State<PageServer>, request: Request, next: Next) -> Response<Body> {
    let begin = Instant::now();
    let id = request_id(request.headers());
    let (method, path) = (request.method().clone(), request.uri().path().to_string());
    let span = tracing::info_span!("request", id = id.to_str().unwrap_or_default());
    let mut response = if server.guard.admits(request.headers()) {
        next.run(request).instrument(span.clone()).await
    } else {
        say(
            StatusCode::FORBIDDEN,
            "This server does not go by that name, or the request comes from another site.\n",
        )
    };
    asset::protect(response.headers_mut());
    response.headers_mut().insert(REQUEST_ID, id);
    let (status, ms) = (response.status().as_u16(), begin.elapsed().as_millis());
    span.in_scope(|| tracing::info!(%method, path, status, ms = ms as u64, "answered"));
    response
}

/// The number that a proxy gave a request, or a new one.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let is_sound = |id: &&HeaderValue| {
        let bytes = id.as_bytes();
        let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
        (1..=LONGEST_ID).contains(&bytes.len()) && bytes.iter().all(is_plain)
    };
    let given = headers.get(REQUEST_ID).filter(is_sound).cloned();
    given.unwrap_or_else(|| {
        let id = HeaderValue::from_str(&fresh_id());
        id.unwrap_or(HeaderValue::from_static("none"))
    })
}

/// Whether the server can be used: not while it stops, and not without its store.
async fn ready(State(server): State<PageServer>) -> Response<Body> {
    let is_closing = *server.closing.borrow();
    if is_closing {
        return say(StatusCode::SERVICE_UNAVAILABLE, "stopping\n");
    }
    let reason = match server.health.readiness(&server.host).await {
        Readiness::Ready => return say(StatusCode::OK, "ready\n"),
        Readiness::Silent => "the store does not answer\n",
        Readiness::NoTables => {
            "the store has no tables: restore it, or restart this server, which makes them\n"
        }
    };
    say(StatusCode::SERVICE_UNAVAILABLE, reason)
}

/// Figures for those at this machine.
async fn metrics(
    State(server): State<PageServer>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    headers: HeaderMap,
) -> Response<Body> {
    if !is_from_machine(peer.ip(), &headers) {
        let text = "Figures are for this machine only; collect them there.\n";
        return plain(StatusCode::FORBIDDEN, text.into());
    }
    server.health.figures(&server.host, &server.crowd).await
}

fn say(status: StatusCode, text: &'static str) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response
}

/// The first words of addresses that the page itself answers.
const VIEWS: &[&str] = &[
    "analysis",
    "game",
    "games",
    "play",
    "ratings",
    "rules",
    "study",
    "tactics",
    "tournament",
    "tournaments",
];

/// The files of the page, and the page itself at every address it knows.
async fn page(
    State(server): State<PageServer>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    uri: Uri,
    headers: HeaderMap,
) -> Response<Body> {
    let path = uri.path().trim_start_matches('/');
    let first = path.split('/').next().unwrap_or_default();
    if !matches!(path, "" | "index.html") && !VIEWS.contains(&first) {
        let file = asset::file(path, &headers);
        return file.unwrap_or_else(|| say(StatusCode::NOT_FOUND, "There is nothing here.\n"));
    }
    let lang = accepted(&headers);
    let origin = server.guard.origin(peer.ip(), &headers);
    let head = match first {
        "analysis" | "game" | "study" if server.crowd.allows(origin, Deed::Look) => {
            let site = server.guard.site(peer.ip(), &headers);
            let query = uri.query().unwrap_or_default();
            preview::tags(&server.host, &site, path, query, lang).await
        }
        _ => String::new(),
    };
    let welcome = welcome(&server, &headers, origin, lang).await;
    let json = welcome
        .as_ref()
        .and_then(|welcome| serde_json::to_string(welcome).ok());
    // Other screens begin with boards that are not known yet.
    let welcome = welcome.filter(|_| matches!(path, "" | "index.html"));
    let board = welcome.and_then(|welcome| first_board(&server.host, &welcome.default_rules));
    let parts = PageParts {
        lang: lang.code(),
        head: &head,
        board: board.as_deref().unwrap_or_default(),
        welcome: json.as_deref(),
    };
    let mut response = asset::page(&parts, &headers);
    // Whoever comes without a cookie gets one with the page.
    if visitor::token(&headers).is_none()
        && let Some(cookie) = visitor::cookie(server.guard.is_encrypted(peer.ip(), &headers))
    {
        response.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    response
}

/// What the page is told first, so that it need not ask; nothing if the store fails.
async fn welcome(
    server: &PageServer,
    headers: &HeaderMap,
    origin: Origin,
    lang: Lang,
) -> Option<Welcome> {
    let id = visitor::token(headers).map(|token| visitor::id(&token));
    let known = match &id {
        Some(id) => server.host.store().visitor(id).await.ok()?,
        None => None,
    };
    let visitor = known.unwrap_or_else(|| Visitor::new(id.unwrap_or_default()));
    let welcome = answer::welcome(&server.host, &visitor, lang, origin.is_local).await;
    Some(Welcome {
        public: server.public.as_deref().map(Into::into),
        ..welcome.ok()?
    })
}

/// The start of a rule set, to be seen while the script is on its way.
fn first_board(host: &Host, rules: &str) -> Option<String> {
    let rules = host.rules(rules)?;
    let picture = Picture::new(rules, Setup::from(&rules.start())).ok()?;
    picture.page_svg().ok()
}

/// What follows a prefix in an address, and its query. Taken from the address itself: what is encoded in
/// it is decoded once only, where it is read.
fn behind<'a>(uri: &'a Uri, prefix: &str) -> (&'a str, &'a str) {
    let path = uri.path().strip_prefix(prefix).unwrap_or_default();
    (path, uri.query().unwrap_or_default())
}

/// A picture of a position or a game.
async fn image(
    State(server): State<PageServer>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    uri: Uri,
    headers: HeaderMap,
) -> Response<Body> {
    let origin = server.guard.origin(peer.ip(), &headers);
    let asked = (&server.host, &server.crowd, origin);
    let picture = server
        .gallery
        .answer(asked, behind(&uri, "/image/"), &headers);
    picture.await.unwrap_or_else(|error| error.into_response())
}

/// A board for another site.
async fn embedded(
    State(server): State<PageServer>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    uri: Uri,
    headers: HeaderMap,
) -> Response<Body> {
    let origin = server.guard.origin(peer.ip(), &headers);
    if !server.crowd.allows(origin, Deed::Look) {
        return NoPicture::too_many().into_response();
    }
    let lang = accepted(&headers);
    let board = embed::answer(&server.host, behind(&uri, "/embed/"), lang, &headers);
    board.await.unwrap_or_else(|error| error.into_response())
}

/// The language a browser asks for, as far as we speak it.
fn accepted(headers: &HeaderMap) -> Lang {
    let header = headers.get(header::ACCEPT_LANGUAGE);
    let header = header.and_then(|header| header.to_str().ok());
    header.and_then(Lang::accepted).unwrap_or_default()
}

/// The page's connection.
async fn socket(
    State(mut server): State<PageServer>,
    ConnectInfo(peer): ConnectInfo<SocketAddr>,
    mut request: Request,
) -> Response<Body> {
    let Ok(agreed) = create_response_with_body(&request, Body::empty) else {
        return say(
            StatusCode::UPGRADE_REQUIRED,
            "This address is for the page's WebSocket.\n",
        );
    };
    let headers = request.headers();
    if !server.guard.admits_socket(headers) {
        return say(
            StatusCode::FORBIDDEN,
            "Only this server's own page may connect.\n",
        );
    }
    let Some(token) = visitor::token(headers) else {
        return say(StatusCode::UNAUTHORIZED, "Open the page first.\n");
    };
    let origin = server.guard.origin(peer.ip(), headers);
    if !server.crowd.allows(origin, Deed::Visit) {
        return say(
            StatusCode::TOO_MANY_REQUESTS,
            "Too many pages were opened from your address. Wait a moment.\n",
        );
    }
    let Some(held) = server.crowd.hold(origin, Holding::Page) else {
        return say(
            StatusCode::SERVICE_UNAVAILABLE,
            "Too many pages are open, from your address or in all.\n",
        );
    };
    let id = visitor::id(&token);
    let Ok(known) = server.host.store().visitor(&id).await else {
        return say(StatusCode::INTERNAL_SERVER_ERROR, "The store failed.\n");
    };
    let host = match origin.is_local {
        true => server.host.at_home(),
        false => server.host.for_address(&origin.address()),
    };
    // Boxed: what waits for the connection to become a socket has room for everything twice otherwise.
    let mut visit = Box::new(Visit {
        attendance: Attendance::new(host.clone()),
        hint: 0,
        inquiries: Inquiries::default(),
        study: None,
        host,
        is_known: known.is_some(),
        visitor: known.unwrap_or_else(|| Visitor::new(id)),
        // Until the page says which it speaks.
        lang: accepted(headers),
        origin,
        crowd: server.crowd,
        token: server.token,
        admin: server.admin,
        knows_token: false,
        public: server.public,
        game_pace: Bucket::new(GAMES_AT_ONCE, GAMES_PER_SECOND, Instant::now()),
    });
    let upgrade = hyper::upgrade::on(&mut request);
    tokio::spawn(async move {
        let _held = held;
        // Whoever does not wait for the answer is gone.
        let Ok(connection) = upgrade.await else {
            return;
        };
        let mut socket = connection::take_over(connection).await;
        let (health, closing) = (&server.health, &mut server.closing);
        connection::converse(&mut socket, &mut visit, health, closing).await;
    });
    agreed
}
