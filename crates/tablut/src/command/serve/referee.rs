//! The contest's two ports beside the page: any two clients can play, and everybody can watch.

use std::sync::Arc;

use tablut_arena::challenge::{
    Effect, Options, Referee,
    server::{Table, play},
};
use tablut_host::Keeper;
use tablut_rules::{Rules, Side};
use tablut_store::{Store, StoreError};
use tokio::sync::mpsc;

/// Plays one game after the other, for as long as it is not dropped.
pub(super) async fn serve(table: Table, time_ms: u64, store: Store) {
    let mut options = Options::new(Arc::new(Rules::ashton()));
    options.time_ms = time_ms;
    loop {
        let (sender, moments) = mpsc::unbounded_channel();
        let keeping = tokio::spawn(keep(store.clone(), moments));
        let mut watch = |_, referee: &Referee, effect: &Effect| {
            if matches!(
                effect,
                Effect::Started | Effect::Moved { .. } | Effect::Over { .. }
            ) {
                // If nobody keeps it any more, it is played all the same.
                let _ = sender.send(referee.clone());
            }
        };
        let played = play(&table, options.clone(), &mut watch).await;
        drop(sender);
        if let Ok(Err(error)) = keeping.await {
            eprintln!("tablut: a refereed game could not be kept: {error}");
        }
        if let Err(error) = played {
            eprintln!("tablut: the contest's ports do not work any more: {error}");
            return;
        }
    }
}

/// Keeps a game as the referee sees it.
async fn keep(
    store: Store,
    mut moments: mpsc::UnboundedReceiver<Referee>,
) -> Result<(), StoreError> {
    let Some(first) = moments.recv().await else {
        return Ok(());
    };
    let names = Side::ALL.map(|side| first.name(side).to_string());
    let mut keeper = Keeper::begin(store, names, first.contest()).await?;
    let mut kept = Ok(());
    while let Some(moment) = moments.recv().await {
        // What failed is kept with the next move.
        kept = keeper.keep(moment.contest()).await;
    }
    kept
}
