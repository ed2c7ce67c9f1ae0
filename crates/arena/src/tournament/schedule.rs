//! Fixtures: everyone against everyone, round by round.

use tablut_rules::BySide;

use super::{Format, Plan};

/// Where in a tournament a game belongs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Stage {
    /// A group.
    Group(String),
    /// The games between the winners of the groups.
    Final,
}

/// A game to be played; teams by their number in the plan.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Fixture {
    /// Its place among all fixtures of the tournament.
    pub number: usize,
    /// Where it belongs.
    pub stage: Stage,
    /// The round, from 1: no team plays twice in one.
    pub round: usize,
    /// The teams.
    pub teams: BySide<usize>,
}

impl Plan {
    /// The fixtures of all groups, round by round.
    #[must_use]
    pub fn fixtures(&self) -> Vec<Fixture> {
        let mut fixtures = Vec::new();
        for group in self.groups() {
            let teams: Vec<usize> = self.group(&group).collect();
            fixtures.extend(all_play_all(&teams, self.format, &Stage::Group(group)));
        }
        // Groups go on side by side.
        fixtures.sort_by_key(|fixture| fixture.round);
        number(fixtures, 0)
    }

    /// The fixtures of the final between the winners of the groups, numbered from `first` on.
    #[must_use]
    pub fn final_fixtures(&self, winners: &[usize], first: usize) -> Vec<Fixture> {
        number(all_play_all(winners, self.format, &Stage::Final), first)
    }

    /// The fixtures of a team that comes late, against these others of its group: numbered from `first`
    /// on, in rounds of their own after `round`.
    #[must_use]
    pub fn late_fixtures(
        &self,
        team: usize,
        others: &[usize],
        first: usize,
        round: usize,
    ) -> Vec<Fixture> {
        let stage = Stage::Group(self.teams[team].group.clone());
        let one = |round, teams| Fixture {
            number: 0,
            stage: stage.clone(),
            round,
            teams,
        };
        let mut fixtures = Vec::new();
        for (index, &other) in others.iter().enumerate() {
            // Colours change from game to game.
            let (attackers, defenders) = match index % 2 {
                0 => (other, team),
                _ => (team, other),
            };
            let teams = BySide {
                attackers,
                defenders,
            };
            fixtures.push(one(round + index + 1, teams));
            if self.format == Format::Double {
                let round = round + others.len() + index + 1;
                fixtures.push(one(round, teams.into_swapped()));
            }
        }
        fixtures.sort_by_key(|fixture| fixture.round);
        number(fixtures, first)
    }
}

fn number(mut fixtures: Vec<Fixture>, first: usize) -> Vec<Fixture> {
    for (index, fixture) in fixtures.iter_mut().enumerate() {
        fixture.number = first + index;
    }
    fixtures
}

/// The circle method: one team stays, the others go round it.
fn all_play_all(teams: &[usize], format: Format, stage: &Stage) -> Vec<Fixture> {
    let mut ring: Vec<Option<usize>> = teams.iter().copied().map(Some).collect();
    // With an odd number, who meets nobody pauses.
    if ring.len() % 2 == 1 {
        ring.push(None);
    }
    let count = ring.len();
    let rounds = count.saturating_sub(1);
    let mut fixtures = Vec::new();
    for round in 0..rounds {
        for place in 0..count / 2 {
            let (Some(first), Some(second)) = (ring[place], ring[count - 1 - place]) else {
                continue;
            };
            // Colours change from round to round, so that nobody has one for long.
            let swap = if place == 0 {
                round % 2 == 1
            } else {
                place % 2 == 1
            };
            let (attackers, defenders) = if swap {
                (first, second)
            } else {
                (second, first)
            };
            let teams = BySide {
                attackers,
                defenders,
            };
            let fixture = |round, teams| Fixture {
                number: 0,
                stage: stage.clone(),
                round,
                teams,
            };
            fixtures.push(fixture(round + 1, teams));
            if format == Format::Double {
                fixtures.push(fixture(rounds + round + 1, teams.into_swapped()));
            }
        }
        ring[1..].rotate_right(1);
    }
    fixtures.sort_by_key(|fixture| fixture.round);
    fixtures
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn everyone_meets_everyone_once_with_each_colour() {
        for count in 2..=9 {
            let teams: Vec<usize> = (10..10 + count).collect();
            let fixtures = all_play_all(&teams, Format::Double, &Stage::Final);
            assert_eq!(fixtures.len(), count * (count - 1));
            let pairs: BTreeSet<_> = fixtures
                .iter()
                .map(|f| (f.teams.defenders, f.teams.attackers))
                .collect();
            assert_eq!(pairs.len(), fixtures.len());
            assert!(pairs.iter().all(|(white, black)| white != black));
            let mut busy = BTreeSet::new();
            for f in &fixtures {
                assert!(
                    busy.insert((f.round, f.teams.defenders))
                        && busy.insert((f.round, f.teams.attackers))
                );
            }
        }
    }

    #[test]
    fn in_a_single_round_colours_are_shared_out_evenly() {
        for count in 2..=9 {
            let teams: Vec<usize> = (0..count).collect();
            let fixtures = all_play_all(&teams, Format::Single, &Stage::Final);
            assert_eq!(fixtures.len(), count * (count - 1) / 2);
            for team in teams {
                let whites = fixtures
                    .iter()
                    .filter(|f| f.teams.defenders == team)
                    .count();
                let blacks = fixtures
                    .iter()
                    .filter(|f| f.teams.attackers == team)
                    .count();
                assert!(
                    whites.abs_diff(blacks) <= 2,
                    "{count} teams, {team}: {whites} {blacks}"
                );
            }
        }
    }
}
