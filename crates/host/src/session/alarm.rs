//! What a session waits for besides word from others.

use std::future::pending;

use tokio::time::{Instant, sleep_until};

/// Until when a session waits for what. Together they need one timer.
pub(super) struct Alarms {
    /// A flag falls, perhaps.
    pub(super) flag: Option<Instant>,
    /// What was refused may be tried again.
    pub(super) pause: Option<Instant>,
    /// Nobody has looked for long enough.
    pub(super) end: Option<Instant>,
    /// The clock stops, since nobody plays.
    pub(super) stop: Option<Instant>,
    /// All who look have been told.
    pub(super) doze: Option<Instant>,
}

/// What a session waited for.
#[derive(Clone, Copy)]
pub(super) enum Alarm {
    Flag,
    Pause,
    End,
    Stop,
    Doze,
}

impl Alarms {
    /// Waits for the first; forever if there is none.
    pub(super) async fn ring(&self) -> Alarm {
        let alarms = [
            (self.pause, Alarm::Pause),
            (self.flag, Alarm::Flag),
            (self.end, Alarm::End),
            (self.stop, Alarm::Stop),
            (self.doze, Alarm::Doze),
        ];
        let alarms = alarms.into_iter();
        let first = alarms.filter_map(|(at, alarm)| Some((at?, alarm)));
        match first.min_by_key(|&(at, _)| at) {
            Some((at, alarm)) => {
                sleep_until(at).await;
                alarm
            }
            None => pending().await,
        }
    }
}
