//! Signals that end work which takes long.

use std::{
    process,
    sync::atomic::{AtomicU32, Ordering},
    time::Duration,
};

use anyhow::{Context, Result};
use tablut_arena::Stop;
use tokio::time::sleep;

/// How often it is looked whether work should end.
const LOOK: Duration = Duration::from_millis(100);

/// The first signal finishes and says so, the second stops, the third ends the program where it is.
pub(crate) fn stop(message: &'static str) -> Result<Stop> {
    let stop = Stop::default();
    let (wish, count) = (stop.clone(), AtomicU32::new(0));
    ctrlc::set_handler(move || match count.fetch_add(1, Ordering::Relaxed) {
        0 => {
            eprintln!("\n{message}");
            wish.finish();
        }
        1 => wish.abandon(),
        _ => process::exit(130),
    })
    .context("cannot listen for Ctrl-C")?;
    Ok(stop)
}

/// Waits until it is wished that work ends.
pub(crate) async fn finishing(stop: &Stop) {
    while !stop.is_finishing() {
        sleep(LOOK).await;
    }
}
