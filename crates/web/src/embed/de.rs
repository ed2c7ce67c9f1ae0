//! German.

use super::LinkLabels;

pub(super) const LABELS: LinkLabels = LinkLabels {
    first: "Anfang",
    back: "Zurück",
    forward: "Vor",
    last: "Ende",
    open: "In Tablut öffnen",
};
