//! Clients of the Tablut Challenge as players in our matches: started for a game, served as the
//! contest's server would, and ended with everything they started.

#[cfg(unix)]
pub(crate) mod client;
mod template;

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
    return Ok(Box::new(client::ClientMover::new(template, options)));
    #[cfg(not(unix))]
    {
        let _ = (template, options);
        Err(unfit(Unfit::Start(std::io::ErrorKind::Unsupported.into())))
    }
}
