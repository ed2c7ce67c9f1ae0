//! How the server is, for those who run it: whether it lives, whether it can be used, and figures.

use std::time::{Duration, Instant};

use axum::{
    body::Body,
    http::{HeaderValue, Response, StatusCode, header},
};
use prometheus_client::{
    encoding::text::encode,
    metrics::{counter::Counter, gauge::Gauge, histogram::Histogram},
    registry::Registry,
};
use tablut_host::Host;
use tokio::{sync::Mutex, time::timeout};

use crate::crowd::{Crowd, Holding};

/// How long it is believed that the store answers, or not.
const BELIEVED: Duration = Duration::from_millis(500);

/// How long the store may take to answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// In how many steps times are counted, from half a millisecond on, each twice as long.
const STEPS: u16 = 14;

/// Whether a server's store can be used.
#[derive(Clone, Copy)]
pub(crate) enum Readiness {
    Ready,
    /// It does not answer, or not in time.
    Silent,
    /// It is there, but has none of our tables: somebody made it anew under a server that runs.
    NoTables,
}

/// Figures about this server since it was started.
pub(crate) struct Health {
    registry: Registry,
    requests: Counter,
    answers: Histogram,
    pages: Gauge,
    connections: Gauge,
    games: Gauge,
    orders: Gauge,
    store_seconds: Gauge<f64, std::sync::atomic::AtomicU64>,
    store_questions: Gauge,
    /// When the store was last asked, and what came of it.
    ready: Mutex<Option<(Instant, Readiness)>>,
}

impl Health {
    pub(crate) fn new() -> Self {
        let times = (0..STEPS).map(|step| 0.0005 * f64::from(1_u32 << step));
        let mut health = Self {
            registry: Registry::with_prefix("tablut"),
            requests: Counter::default(),
            answers: Histogram::new(times),
            pages: Gauge::default(),
            connections: Gauge::default(),
            games: Gauge::default(),
            orders: Gauge::default(),
            store_seconds: Gauge::default(),
            store_questions: Gauge::default(),
            ready: Mutex::default(),
        };
        let all = &mut health.registry;
        all.register("requests", "Requests of pages", health.requests.clone());
        all.register(
            "answer_seconds",
            "Time from a page's request to its answer",
            health.answers.clone(),
        );
        all.register("pages", "Open pages", health.pages.clone());
        all.register(
            "connections",
            "Open connections that are no page's",
            health.connections.clone(),
        );
        all.register("games", "Games that are shown", health.games.clone());
        all.register(
            "engine_orders",
            "Moves and hints that engines are asked for",
            health.orders.clone(),
        );
        all.register(
            "store_seconds",
            "Time spent waiting for the store since the start",
            health.store_seconds.clone(),
        );
        all.register(
            "store_questions",
            "Statements sent to the store since the start",
            health.store_questions.clone(),
        );
        health
    }

    /// Notes that a request was answered.
    pub(crate) fn note(&self, begin: Instant) {
        self.requests.inc();
        self.answers.observe(begin.elapsed().as_secs_f64());
    }

    /// Whether the store can be used.
    pub(crate) async fn readiness(&self, host: &Host) -> Readiness {
        let mut ready = self.ready.lock().await;
        if let Some((asked, answer)) = *ready
            && asked.elapsed() < BELIEVED
        {
            return answer;
        }
        let answer = match timeout(PATIENCE, host.store().settings("")).await {
            Ok(Ok(_)) => Readiness::Ready,
            Ok(Err(error)) if error.lacks_tables() => Readiness::NoTables,
            Ok(Err(_)) | Err(_) => Readiness::Silent,
        };
        *ready = Some((Instant::now(), answer));
        answer
    }

    /// All figures, as Prometheus reads them.
    pub(crate) async fn figures(&self, host: &Host, crowd: &Crowd) -> Response<Body> {
        let whole = |number: usize| i64::try_from(number).unwrap_or(i64::MAX);
        self.pages.set(whole(crowd.count(Holding::Page)));
        self.connections
            .set(whole(crowd.count(Holding::Connection)));
        self.games.set(whole(host.live_games().await));
        self.orders.set(whole(host.engine_load()));
        let (questions, waited) = host.store().usage();
        self.store_questions
            .set(i64::try_from(questions).unwrap_or(i64::MAX));
        self.store_seconds.set(waited.as_secs_f64());
        let mut text = String::new();
        if encode(&mut text, &self.registry).is_err() {
            return plain(StatusCode::INTERNAL_SERVER_ERROR, String::new());
        }
        let mut response = plain(StatusCode::OK, text);
        let form = "application/openmetrics-text; version=1.0.0; charset=utf-8";
        response
            .headers_mut()
            .insert(header::CONTENT_TYPE, HeaderValue::from_static(form));
        response
    }
}

/// A short text.
pub(crate) fn plain(status: StatusCode, text: String) -> Response<Body> {
    let mut response = Response::new(Body::from(text));
    *response.status_mut() = status;
    response
}
