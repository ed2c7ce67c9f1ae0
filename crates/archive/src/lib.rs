//! What was played in a position.
//!
//! A [`Place`] is a position under a rule set, folded by the set's symmetries: whichever way the board was
//! turned and in whatever order the moves came, games meet there. A [`Tally`] says what came of a move.
//! An [`Archive`] is a collection of games, packed into little more than a byte a move, that answers for any
//! position which moves were played there; two of them ship ([`shipped`]). Games that are kept in a
//! database are counted by the same places, in `tablut-store`.
//!
//! Pure: nothing here knows of files, databases or clocks.

mod archive;
mod pack;
mod place;
mod shipped;
mod tally;

pub use archive::Archive;
pub use pack::{ArchiveError, Packed, pack, unpack};
pub use place::{Footprint, Ground, Place, Tracker};
pub use shipped::{Shipped, shipped};
pub use tally::{Tally, Trodden};
