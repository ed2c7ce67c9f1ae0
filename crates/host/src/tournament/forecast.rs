//! What the figures of a tournament say besides its tables: when it will be over, who gets a prize.

use tablut_arena::tournament::{Stage, StandingRow};
use tablut_store::Fixture;

use super::{Contest, Group};

/// When a tournament will be over, in milliseconds since 1970, if games go on as they did; nothing while
/// no game is played, or none has been.
#[must_use]
pub fn end_ms(contest: &Contest, fixtures: &[Fixture], now_ms: i64) -> Option<i64> {
    let lasted = |one: &Fixture| Some((one.ended_ms? - one.begun_ms?).max(0) as f64);
    let times: Vec<f64> = fixtures.iter().filter_map(lasted).collect();
    let live: Vec<&Fixture> = fixtures.iter().filter(|one| one.is_claimed).collect();
    if times.is_empty() || live.is_empty() {
        return None;
    }
    let mean = times.iter().sum::<f64>() / times.len() as f64;
    let waiting = |one: &&Fixture| !one.is_settled() && !one.is_claimed;
    let mut games = fixtures.iter().filter(waiting).count();
    if contest.plan.finals && fixtures.iter().all(|one| one.stage.is_some()) {
        let winners: Vec<usize> = (0..contest.plan.groups().len()).collect();
        games += contest.plan.final_fixtures(&winners, 0).len();
    }
    let under_way = live.iter().map(|one| {
        let elapsed = (now_ms - one.begun_ms.unwrap_or(now_ms)).max(0) as f64;
        (mean - elapsed).max(0.0)
    });
    let work = under_way.sum::<f64>() + games as f64 * mean;
    Some(now_ms + (work / live.len() as f64) as i64)
}

/// The teams with the best figures of the groups, in the mean of their games; several if they are level.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Prizes {
    /// Those that captured the most men.
    pub captures: Vec<usize>,
    /// Those that lost the fewest men.
    pub men: Vec<usize>,
}

impl Prizes {
    /// Who gets them. The final does not count: not everybody plays it.
    #[must_use]
    pub fn new(contest: &Contest, groups: &[Group]) -> Self {
        let groups = groups.iter().filter(|group| group.stage != Stage::Final);
        let rows: Vec<&StandingRow> = groups
            .flat_map(|group| &group.standings.rows)
            .filter(|row| row.all().games() > 0 && !contest.has_withdrawn(row.team))
            .collect();
        // Figures per game are compared without fractions.
        let more = |a: (u32, u32), b: (u32, u32)| {
            u64::from(a.0) * u64::from(b.1) > u64::from(b.0) * u64::from(a.1)
        };
        let captured = |row: &StandingRow| (row.captured, row.all().games());
        let lost = |row: &StandingRow| (row.lost_men, row.all().games());
        let best = |is_beaten: &dyn Fn(&StandingRow, &StandingRow) -> bool| {
            let best = rows
                .iter()
                .filter(|row| !rows.iter().any(|other| is_beaten(row, other)));
            best.map(|row| row.team).collect()
        };
        Self {
            captures: best(&|row, other| more(captured(other), captured(row))),
            men: best(&|row, other| more(lost(row), lost(other))),
        }
    }
}
