//! What everyone has who plays through faults: chance, a ledger of promises, and patience.

use std::{sync::Arc, time::Duration};

use tablut_rules::Random;
use tablut_web::client::ClientError;
use tokio::{
    sync::RwLock,
    time::{sleep, timeout},
};

use super::ledger::Ledger;

/// How long a player waits for an answer before it reconnects.
const PATIENCE: Duration = Duration::from_secs(4);

/// Who plays at a table.
pub(super) struct Player {
    /// The number of the table.
    pub(super) number: usize,
    pub(super) random: Random,
    pub(super) ledger: Arc<Ledger>,
    /// Held while something is asked, so that an audit can wait until nothing is.
    pub(super) gate: Arc<RwLock<()>>,
}

impl Player {
    pub(super) fn new(
        number: usize,
        seed: u64,
        ledger: &Arc<Ledger>,
        gate: &Arc<RwLock<()>>,
    ) -> Self {
        Self {
            number,
            random: Random::part(seed, number as u64),
            ledger: Arc::clone(ledger),
            gate: Arc::clone(gate),
        }
    }

    /// A moment between two moves.
    pub(super) async fn think(&mut self) {
        let think = 10 + self.random.below(30) as u64;
        sleep(Duration::from_millis(think)).await;
    }

    /// Notes a refusal, and waits a little before connecting again.
    pub(super) async fn recover(&mut self, visit: Result<(), Trouble>) {
        if let Err(Trouble::Client(error)) = visit {
            self.ledger.refused(&error.to_string());
        }
        let pause = 50 + self.random.below(100) as u64;
        sleep(Duration::from_millis(pause)).await;
    }
}

/// Why a player has to connect again.
pub(super) enum Trouble {
    /// The server did not do as it was asked, or is gone.
    Client(ClientError),
    /// Nothing arrived for too long.
    Silence,
}

impl From<ClientError> for Trouble {
    fn from(error: ClientError) -> Self {
        Self::Client(error)
    }
}

/// Waits for an answer, but not forever.
pub(super) async fn soon<T>(
    answer: impl Future<Output = Result<T, ClientError>>,
) -> Result<T, Trouble> {
    match timeout(PATIENCE, answer).await {
        Ok(answer) => Ok(answer?),
        Err(_) => Err(Trouble::Silence),
    }
}
