//! How the teams of a group stand.

use std::{cmp::Ordering, collections::BTreeMap};

use tablut_rules::{BySide, Side};

/// A finished game, as far as the standings are concerned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountedGame {
    /// The teams.
    pub teams: BySide<usize>,
    /// Who won; nobody in a draw.
    pub winner: Option<Side>,
    /// Plies played.
    pub plies: u32,
    /// Men captured by each side.
    pub captures: BySide<u32>,
}

/// Wins, draws and losses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct TeamTally {
    /// Games won.
    pub won: u32,
    /// Games drawn.
    pub drawn: u32,
    /// Games lost.
    pub lost: u32,
}

impl TeamTally {
    /// Games played.
    #[must_use]
    pub const fn games(self) -> u32 {
        self.won + self.drawn + self.lost
    }

    /// Three points for a win, one for a draw.
    #[must_use]
    pub const fn points(self) -> u32 {
        3 * self.won + self.drawn
    }
}

/// A team's line of the table.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StandingRow {
    /// The team.
    pub team: usize,
    /// Its place, from 1; teams that nothing tells apart share it.
    pub place: usize,
    /// Games with each side.
    pub sides: BySide<TeamTally>,
    /// Men captured.
    pub captured: u32,
    /// Men lost.
    pub lost_men: u32,
    /// Plies of all its games, of those won, and of those lost.
    pub plies: [u32; 3],
}

impl StandingRow {
    /// All its games.
    #[must_use]
    pub const fn all(&self) -> TeamTally {
        let BySide {
            attackers,
            defenders,
        } = self.sides;
        TeamTally {
            won: attackers.won + defenders.won,
            drawn: attackers.drawn + defenders.drawn,
            lost: attackers.lost + defenders.lost,
        }
    }

    /// Its points.
    #[must_use]
    pub const fn points(&self) -> u32 {
        self.all().points()
    }

    /// Men captured less men lost.
    #[must_use]
    pub fn difference(&self) -> i64 {
        i64::from(self.captured) - i64::from(self.lost_men)
    }

    /// The mean number of plies of its games.
    #[must_use]
    pub fn mean_plies(&self) -> f64 {
        mean(self.plies[0], self.all().games())
    }

    /// The mean number of plies of its wins.
    #[must_use]
    pub fn mean_win(&self) -> f64 {
        mean(self.plies[1], self.all().won)
    }

    /// The "move points" of the Java log reader: mean length of losses less that of wins.
    #[must_use]
    pub fn move_points(&self) -> f64 {
        mean(self.plies[2], self.all().lost) - self.mean_win()
    }
}

fn mean(sum: u32, count: u32) -> f64 {
    if count == 0 {
        0.0
    } else {
        f64::from(sum) / f64::from(count)
    }
}

/// The table of a group, the best first.
///
/// Ties are broken by the points of the games among those that are level, then by men captured less
/// men lost, then by the shorter wins.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Standings {
    /// The lines, the best first.
    pub rows: Vec<StandingRow>,
}

impl Standings {
    /// The table of these teams after these games; games of other teams are ignored.
    #[must_use]
    pub fn new(teams: &[usize], games: &[CountedGame]) -> Self {
        let mut rows: BTreeMap<usize, StandingRow> = teams
            .iter()
            .map(|&team| {
                (
                    team,
                    StandingRow {
                        team,
                        ..StandingRow::default()
                    },
                )
            })
            .collect();
        let ours = |game: &&CountedGame| game.teams.values().all(|team| teams.contains(team));
        let games: Vec<&CountedGame> = games.iter().filter(ours).collect();
        for game in &games {
            for (side, team) in game.teams {
                let Some(row) = rows.get_mut(&team) else {
                    continue;
                };
                row.captured += game.captures[side];
                row.lost_men += game.captures[side.opponent()];
                row.plies[0] += game.plies;
                let tally = &mut row.sides[side];
                match game.winner {
                    None => tally.drawn += 1,
                    Some(winner) if winner == side => {
                        tally.won += 1;
                        row.plies[1] += game.plies;
                    }
                    Some(_) => {
                        tally.lost += 1;
                        row.plies[2] += game.plies;
                    }
                }
            }
        }
        let mut rows: Vec<StandingRow> = rows.into_values().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.points()));
        // Among those level on points, the games between them decide first.
        let mut sorted: Vec<StandingRow> = Vec::new();
        for level in rows.chunk_by(|a, b| a.points() == b.points()) {
            let mut level = level.to_vec();
            let direct = direct_points(&level, &games);
            let order = |a: &StandingRow, b: &StandingRow| compare(a, b, &direct);
            level.sort_by(order);
            let first = sorted.len();
            for (index, row) in level.iter().enumerate() {
                let mut row = row.clone();
                row.place = match index {
                    0 => first + 1,
                    _ if order(&level[index - 1], &level[index]) == Ordering::Equal => {
                        sorted[first + index - 1].place
                    }
                    _ => first + index + 1,
                };
                sorted.push(row);
            }
        }
        Self { rows: sorted }
    }

    /// The winner: the first of the teams that have not withdrawn; of several, the one earlier in the
    /// plan.
    #[must_use]
    pub fn winner(&self, has_withdrawn: impl Fn(usize) -> bool) -> Option<usize> {
        let mut left = self.rows.iter().filter(|row| !has_withdrawn(row.team));
        let first = left.next()?;
        let level = left.take_while(|row| row.place == first.place);
        let level = level.map(|row| row.team);
        Some(level.fold(first.team, usize::min))
    }
}

/// The points of each of these teams from the games among them.
fn direct_points(level: &[StandingRow], games: &[&CountedGame]) -> BTreeMap<usize, u32> {
    let mut points: BTreeMap<usize, u32> = level.iter().map(|row| (row.team, 0)).collect();
    for game in games {
        if !game.teams.values().all(|team| points.contains_key(team)) {
            continue;
        }
        for (side, team) in game.teams {
            let gain = match game.winner {
                None => 1,
                Some(winner) if winner == side => 3,
                Some(_) => 0,
            };
            if let Some(sum) = points.get_mut(&team) {
                *sum += gain;
            }
        }
    }
    points
}

fn compare(a: &StandingRow, b: &StandingRow, direct: &BTreeMap<usize, u32>) -> Ordering {
    direct
        .get(&b.team)
        .cmp(&direct.get(&a.team))
        .then(b.difference().cmp(&a.difference()))
        .then(a.mean_win().total_cmp(&b.mean_win()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game and what was captured, both white first.
    fn game(
        white: usize,
        black: usize,
        result: &str,
        plies: u32,
        captures: [u32; 2],
    ) -> CountedGame {
        CountedGame {
            teams: BySide {
                attackers: black,
                defenders: white,
            },
            winner: match result {
                "1-0" => Some(Side::Defenders),
                "0-1" => Some(Side::Attackers),
                _ => None,
            },
            plies,
            captures: BySide {
                attackers: captures[1],
                defenders: captures[0],
            },
        }
    }

    fn places(standings: &Standings) -> Vec<(usize, usize)> {
        standings
            .rows
            .iter()
            .map(|row| (row.place, row.team))
            .collect()
    }

    #[test]
    fn three_points_for_a_win_and_one_for_a_draw() {
        let games = [
            game(0, 1, "1-0", 30, [4, 2]),
            game(1, 0, "draw", 60, [1, 1]),
            game(2, 0, "0-1", 20, [0, 3]),
        ];
        let standings = Standings::new(&[0, 1, 2], &games);
        assert_eq!(places(&standings), [(1, 0), (2, 1), (3, 2)]);
        let row = &standings.rows[0];
        assert_eq!((row.points(), row.captured, row.lost_men), (7, 8, 3));
        let (white, black) = (row.sides.defenders, row.sides.attackers);
        assert_eq!((white.won, black.won, black.drawn), (1, 1, 1));
        assert!((row.move_points() + 25.0).abs() < 1e-9);
        let loser = &standings.rows[2];
        assert!((loser.move_points() - 20.0).abs() < 1e-9);
    }

    #[test]
    fn a_tie_is_broken_by_the_direct_result_then_captures_then_short_wins() {
        // 0 and 1 have three points each; 1 has beaten 0, though 0 captured more.
        let games = [
            game(1, 0, "1-0", 40, [0, 5]),
            game(0, 2, "1-0", 10, [9, 0]),
            game(2, 1, "1-0", 40, [1, 0]),
        ];
        let standings = Standings::new(&[0, 1], &games);
        assert_eq!(places(&standings), [(1, 1), (2, 0)]);
        // A ring of three: captures decide.
        let standings = Standings::new(&[0, 1, 2], &games);
        assert_eq!(places(&standings), [(1, 0), (2, 1), (3, 2)]);
        let even = [game(0, 1, "1-0", 40, [1, 1]), game(1, 0, "1-0", 30, [1, 1])];
        assert_eq!(places(&Standings::new(&[0, 1], &even)), [(1, 1), (2, 0)]);
    }

    #[test]
    fn those_whom_nothing_tells_apart_share_a_place() {
        let games = [game(0, 1, "draw", 40, [1, 1])];
        let standings = Standings::new(&[0, 1, 2], &games);
        assert_eq!(places(&standings), [(1, 0), (1, 1), (3, 2)]);
        assert_eq!(standings.winner(|_| false), Some(0));
        assert_eq!(standings.winner(|team| team == 0), Some(1));
        assert_eq!(standings.winner(|team| team < 2), Some(2));
    }
}
