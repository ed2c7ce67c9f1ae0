//! The table: what was done, what was acknowledged, what is there.

use std::{collections::BTreeMap, io::Write, time::Duration};

use anyhow::Result;
use serde::Serialize;

use super::{audit::Count, fault::Fault, ledger::Wrong, world::BackEnd};

/// What one kind of fault did.
#[derive(Clone, Debug, Default, Serialize)]
pub(super) struct Row {
    pub(super) fault: String,
    pub(super) rounds: usize,
    pub(super) acknowledged: usize,
    pub(super) present: usize,
    pub(super) lost: usize,
    pub(super) doubled: usize,
    pub(super) changed: usize,
    pub(super) locked: usize,
    /// The longest time from the end of the fault until all had a new acknowledgement.
    pub(super) longest_s: f64,
    /// Why it could not be tried, the last time that it could not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) not_tried: Option<String>,
}

impl Row {
    fn is_wrong(&self) -> bool {
        self.lost + self.doubled + self.changed + self.locked > 0
            || self.acknowledged != self.present
    }

    /// Adds what an audit has counted, and what was wrong before and after it.
    pub(super) fn add(&mut self, count: Count, before: [usize; 4], after: [usize; 4]) {
        self.acknowledged += count.acknowledged;
        self.present += count.present;
        self.lost += after[0] - before[0];
        self.doubled += after[1] - before[1];
        self.changed += after[2] - before[2];
        self.locked += after[3] - before[3];
    }

    pub(super) fn took(&mut self, time: Duration) {
        self.longest_s = self.longest_s.max(time.as_secs_f64());
    }
}

/// What was found on one back end.
#[derive(Clone, Debug, Serialize)]
pub(super) struct FaultReport {
    pub(super) back_end: String,
    pub(super) seed: u64,
    pub(super) seconds: f64,
    pub(super) rows: Vec<Row>,
    /// Everything once more, after the last fault and a new start of the server.
    pub(super) end: Row,
    /// Whether it was stopped before that.
    pub(super) is_interrupted: bool,
    /// What is wrong, a line each.
    pub(super) faults: Vec<String>,
    /// The refusals that players received, and how often.
    pub(super) refusals: BTreeMap<String, usize>,
}

impl FaultReport {
    pub(super) fn new(back_end: BackEnd, seed: u64, faults: &[Fault]) -> Self {
        let row = |name: &str| Row {
            fault: name.into(),
            ..Row::default()
        };
        Self {
            back_end: back_end.name().into(),
            seed,
            seconds: 0.0,
            rows: faults.iter().map(|fault| row(fault.name())).collect(),
            end: row("all once more"),
            is_interrupted: false,
            faults: Vec::new(),
            refusals: BTreeMap::new(),
        }
    }

    /// Lists what is wrong.
    pub(super) fn note(&mut self, wrong: &Wrong) {
        let kinds = [
            ("lost", &wrong.lost),
            ("doubled", &wrong.doubled),
            ("changed", &wrong.changed),
            ("locked", &wrong.locked),
        ];
        for (word, list) in kinds {
            self.faults
                .extend(list.iter().map(|what| format!("{word}: {what}")));
        }
    }

    /// Whether nothing is wrong, and everything was tried to the end.
    pub(super) fn is_good(&self) -> bool {
        let rows = self.rows.iter().chain([&self.end]);
        !self.is_interrupted
            && self.faults.is_empty()
            && !rows
                .clone()
                .any(|row| row.is_wrong() || row.rounds == 0 && row.not_tried.is_some())
    }

    pub(super) fn print(&self, out: &mut impl Write) -> Result<()> {
        writeln!(
            out,
            "{}, seed {}, {:.0} s{}",
            self.back_end,
            self.seed,
            self.seconds,
            if self.is_interrupted {
                ", interrupted"
            } else {
                ""
            }
        )?;
        writeln!(
            out,
            "{:<18} {:>6} {:>12} {:>8} {:>5} {:>7} {:>7} {:>6}  {:>10}",
            "fault",
            "rounds",
            "acknowledged",
            "present",
            "lost",
            "doubled",
            "changed",
            "locked",
            "resumes in"
        )?;
        for row in self.rows.iter().chain([&self.end]) {
            if let (Some(why), 0) = (&row.not_tried, row.rounds) {
                writeln!(out, "{:<18} not tried: {why}", row.fault)?;
                continue;
            }
            let time = match row.rounds {
                0 => "–".to_string(),
                _ => format!("{:.1} s", row.longest_s),
            };
            writeln!(
                out,
                "{:<18} {:>6} {:>12} {:>8} {:>5} {:>7} {:>7} {:>6}  {:>10}",
                row.fault,
                row.rounds,
                row.acknowledged,
                row.present,
                row.lost,
                row.doubled,
                row.changed,
                row.locked,
                time
            )?;
        }
        const MOST: usize = 20;
        for what in self.faults.iter().take(MOST) {
            writeln!(out, "  {what}")?;
        }
        if self.faults.len() > MOST {
            writeln!(
                out,
                "  and {} more (--json shows all)",
                self.faults.len() - MOST
            )?;
        }
        Ok(())
    }
}
