//! Clients of the Tablut Challenge as players in our matches: started for a game, served as the
//! contest's server would, and ended with everything they started.

#[cfg(unix)]
pub(crate) mod client;
#[cfg(unix)]
mod lobby;
mod template;

#[cfg(unix)]
pub use lobby::Lobby;
pub(crate) use template::Template;

use crate::{Mover, MoverError, MoverOptions, mover::Unfit};

/// What plays for a client's command line.
///
/// # Errors
/// Says why nothing does.
pub(crate) fn mover(command: &str, options: &MoverOptions) -> Result<Box<dyn Mover>, MoverError> {
    let unfit = |cause| MoverError::Unfit {
        player: format!("client:{command}"),
        cause,
    };
    let template = Template::new(command).ok_or_else(|| unfit(Unfit::CommandLine))?;
    #[cfg(unix)]
    return Ok(Box::new(client::ClientMover::new(
        client::Source::Program(template),
        options,
    )));
    #[cfg(not(unix))]
    {
        let _ = (template, options);
        Err(unfit(Unfit::Start(std::io::ErrorKind::Unsupported.into())))
    }
}

/// What plays for a program that connects by itself and says a secret.
#[cfg(unix)]
#[must_use]
pub fn remote(lobby: &Lobby, secret: &str, options: &MoverOptions) -> Box<dyn Mover> {
    let source = client::Source::Lobby(lobby.clone(), secret.into());
    Box::new(client::ClientMover::new(source, options))
}
