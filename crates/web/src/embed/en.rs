//! English.

use super::LinkLabels;

pub(super) const LABELS: LinkLabels = LinkLabels {
    first: "Start",
    back: "Back",
    forward: "Forward",
    last: "End",
    open: "Open in Tablut",
};
