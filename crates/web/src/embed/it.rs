//! Italian.

use super::LinkLabels;

pub(super) const LABELS: LinkLabels = LinkLabels {
    first: "Inizio",
    back: "Indietro",
    forward: "Avanti",
    last: "Fine",
    open: "Apri in Tablut",
};
