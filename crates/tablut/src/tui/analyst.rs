//! The engine that thinks about the position on the screen, until it is told to stop.

use std::{
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::Duration,
};

use tablut_engine::{Control, Engine, EngineOptions, SearchLimits};
use tablut_guest::defenders_score;
use tablut_rules::Game;
use tokio::sync::mpsc;

use super::effect::Analysis;

/// How long it thinks about one position.
const LONGEST: Duration = Duration::from_secs(60);

/// The engine that thinks about the position on the screen.
#[derive(Default)]
pub(crate) struct Analyst {
    engine: Arc<Mutex<Option<Engine>>>,
    control: Control,
    found: Option<mpsc::UnboundedReceiver<Analysis>>,
}

impl Analyst {
    /// Thinks about another position, or about none.
    pub(crate) fn think(&mut self, game: Option<Game>) {
        self.control.stop();
        self.found = None;
        let Some(game) = game else {
            return;
        };
        self.control = Control::new();
        let (sender, receiver) = mpsc::unbounded_channel();
        self.found = Some(receiver);
        let (engine, control) = (Arc::clone(&self.engine), self.control.clone());
        thread::spawn(move || {
            // Free as soon as the thought before has stopped.
            let mut engine = engine.lock().unwrap_or_else(PoisonError::into_inner);
            if control.is_stopped() {
                return;
            }
            let engine = engine.get_or_insert_with(|| Engine::new(EngineOptions::default()));
            let side = game.position().side();
            engine.search(&game, &SearchLimits::time(LONGEST), &control, &mut |info| {
                // Whoever asked may have gone on.
                let _ = sender.send(Analysis {
                    depth: info.depth,
                    score: defenders_score(info.line.score, side),
                    line: info.line.moves.clone(),
                });
            });
        });
    }

    /// The next thought; waits forever if there is none.
    pub(crate) async fn next(&mut self) -> Analysis {
        if let Some(found) = &mut self.found {
            if let Some(analysis) = found.recv().await {
                return analysis;
            }
            self.found = None;
        }
        std::future::pending().await
    }
}

impl Drop for Analyst {
    fn drop(&mut self) {
        self.control.stop();
    }
}
