//! The contest's two ports beside the page: any two clients can play, and anyone can watch.

use tablut_challenge::{
    Effect, Options, Referee,
    server::{RefereePorts, play},
};
use tablut_host::Keeper;
use tablut_rules::Side;
use tablut_store::{Store, StoreError};
use tokio::{
    sync::mpsc,
    time::{Duration, Instant, sleep},
};

/// How long it is tried again to keep the end of a game.
const PATIENCE: Duration = Duration::from_secs(120);

/// How long to wait before that.
const AGAIN: Duration = Duration::from_secs(1);

/// Plays one game after the other, for as long as it is not dropped.
pub(super) async fn serve(table: RefereePorts, options: Options, store: Store) {
    loop {
        let (sender, moments) = mpsc::unbounded_channel();
        tokio::spawn(keep(store.clone(), moments));
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
        if let Err(error) = played {
            eprintln!("tablut: the contest's ports no longer work: {error}");
            return;
        }
    }
}

/// Keeps a game as the referee sees it.
async fn keep(store: Store, mut moments: mpsc::UnboundedReceiver<Referee>) {
    let (mut keeper, mut last) = (None, None);
    let mut kept = Ok(());
    while let Some(moment) = moments.recv().await {
        // What failed is kept with the next move.
        kept = keep_moment(&store, &mut keeper, &moment).await;
        last = Some(moment);
    }
    let end = Instant::now() + PATIENCE;
    // After the last one there is no next.
    while let (Err(error), Some(last)) = (&kept, &last) {
        if !error.may_pass() || Instant::now() > end {
            eprintln!("tablut: a refereed game could not be stored: {error}");
            return;
        }
        sleep(AGAIN).await;
        kept = keep_moment(&store, &mut keeper, last).await;
    }
}

/// Keeps what is new in a game; the first time, the game itself.
async fn keep_moment(
    store: &Store,
    keeper: &mut Option<Keeper>,
    moment: &Referee,
) -> Result<(), StoreError> {
    let keeper = match keeper {
        Some(keeper) => keeper,
        None => {
            let names = Side::ALL.map(|side| moment.name(side).to_string());
            let begun = Keeper::begin(store.clone(), names, moment.contest()).await?;
            keeper.insert(begun)
        }
    };
    match moment.contest().game().plies().is_empty() && moment.contest().outcome().is_none() {
        true => Ok(()),
        false => keeper.keep(moment.contest()).await,
    }
}
