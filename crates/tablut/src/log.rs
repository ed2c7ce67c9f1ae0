//! What a server or a worker says about its work, on standard error.

use clap::Args;
use tracing_subscriber::{Layer as _, filter::Targets, fmt, layer::SubscriberExt as _};

/// How much is said, and in which form.
#[derive(Args, Default)]
#[command(next_help_heading = "Log")]
pub(crate) struct LogFlags {
    /// What to log: error, warn, info, debug or trace, also by part, as in warn,tablut_web=debug [default: warn]
    #[arg(long, value_name = "LEVEL", value_parser = targets)]
    log: Option<Targets>,
    /// Log one JSON object on each line
    #[arg(long)]
    log_json: bool,
}

fn targets(text: &str) -> Result<Targets, String> {
    let targets = text.parse();
    targets.map_err(|_| "expected a level such as info, or warn,tablut_web=debug".into())
}

impl LogFlags {
    /// Begins to log.
    pub(crate) fn start(&self) {
        let wanted = self.log.clone();
        let wanted = wanted.unwrap_or_else(|| Targets::new().with_default(tracing::Level::WARN));
        let form = fmt::layer().with_writer(std::io::stderr);
        // Another may have begun before, in a test.
        let _ = match self.log_json {
            true => {
                let form = form.json().flatten_event(true).with_filter(wanted);
                tracing::subscriber::set_global_default(tracing_subscriber::registry().with(form))
            }
            false => {
                let form = form.with_ansi(false).with_filter(wanted);
                tracing::subscriber::set_global_default(tracing_subscriber::registry().with(form))
            }
        };
    }
}
