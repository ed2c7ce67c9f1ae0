//! Tournaments and ratings, as a page sees them.

use tablut_arena::{
    stats::rating::Rating,
    tournament::{Stage, StandingRow, TeamTally},
};
use tablut_host::{
    Ratings,
    speech::{self, sentence},
    tournament::{Contest, Group, Logged, Scene, counting, played},
};
use tablut_rules::text::Lang;
use tablut_store::{Fixture, Note, Ruling, State};

use crate::{
    message::{
        BalanceInfo, CorrectionInfo, FixtureInfo, GroupInfo, LiveBoardInfo, NoteInfo, RatedPlayer,
        RatingsInfo, RowInfo, RulingName, TeamInfo, TournamentEntry, TournamentInfo,
        TournamentState,
    },
    state::outcome_info,
};

/// A tournament in a list.
pub(crate) fn entry(contest: &Contest, state: State, fixtures: &[Fixture]) -> TournamentEntry {
    let played = played(fixtures);
    TournamentEntry {
        id: contest.id.clone(),
        name: contest.plan.name.clone(),
        state: match state {
            State::Archived => TournamentState::Archived,
            _ if contest.is_done(fixtures) => TournamentState::Over,
            State::Running => TournamentState::Running,
            State::Paused => TournamentState::Paused,
        },
        teams: contest.plan.teams.len(),
        played,
        games: counting(fixtures),
    }
}

/// A tournament with everything that is shown of it.
pub(crate) fn info(scene: &Scene, lang: Lang, control: bool) -> TournamentInfo {
    let contest = &scene.contest;
    let team = |number: usize| contest.team(number).to_string();
    TournamentInfo {
        entry: entry(contest, scene.state, &scene.fixtures),
        rules: contest.rules.set().id().into(),
        groups: scene
            .groups
            .iter()
            .map(|group| group_info(contest, group))
            .collect(),
        fixtures: scene
            .fixtures
            .iter()
            .map(|one| FixtureInfo {
                number: one.number + 1,
                group: one.stage.clone(),
                round: one.round,
                white: team(one.teams.defenders),
                black: team(one.teams.attackers),
                game: one.game.clone(),
                live: one.is_claimed,
                outcome: one
                    .result
                    .as_ref()
                    .map(|result| outcome_info(result.outcome, lang)),
                plies: one.result.as_ref().map(|result| result.plies),
                fault: one.result.as_ref().and_then(|result| result.fault.clone()),
                ruling: ruling(one),
            })
            .collect(),
        boards: scene
            .boards
            .iter()
            .filter_map(|board| {
                let mut all = scene.fixtures.iter();
                let fixture = all.find(|one| one.number == board.fixture)?;
                Some(LiveBoardInfo {
                    number: board.fixture + 1,
                    game: board.game.clone(),
                    white: team(fixture.teams.defenders),
                    black: team(fixture.teams.attackers),
                    setup: board.setup.to_string(),
                    last: board.last.map(|step| step.to_string()),
                    plies: board.plies,
                    left: board.left_ms,
                })
            })
            .collect(),
        control,
        token: false,
        entrants: contest
            .plan
            .teams
            .iter()
            .enumerate()
            .map(|(number, team)| TeamInfo {
                name: team.name.clone(),
                members: team.members.clone(),
                group: team.group.clone(),
                withdrawn: contest.has_withdrawn(number),
            })
            .collect(),
        seconds: contest.plan.move_ms as f64 / 1000.0,
        plies: contest.plan.max_plies,
        ends: scene.ends_ms,
        corrections: contest
            .log
            .iter()
            .map(|one| correction(one, lang, control))
            .collect(),
    }
}

/// A correction; who made it is told to organisers only.
fn correction(one: &Logged, lang: Lang, control: bool) -> CorrectionInfo {
    let note = |note: &Note| NoteInfo {
        at: note.at_ms,
        why: note.why.clone(),
        by: control.then(|| note.by.clone()),
    };
    CorrectionInfo {
        number: one.number,
        text: sentence(&speech::change(lang, one.team.as_deref(), &one.change)),
        made: note(&one.note),
        undone: one.undone.as_ref().map(note),
    }
}

fn ruling(fixture: &Fixture) -> Option<RulingName> {
    match fixture.ruling? {
        Ruling::Decided(_) => Some(RulingName::Decided),
        // What was played before a team withdrew counts like any other game.
        _ if fixture.result.is_some() => None,
        _ if fixture.played.is_some() => Some(RulingName::Annulled),
        _ => Some(RulingName::NotPlayed),
    }
}

fn group_info(contest: &Contest, group: &Group) -> GroupInfo {
    let rows = &group.standings.rows;
    let words = |cells: &Vec<&str>| cells.iter().map(ToString::to_string).collect();
    GroupInfo {
        name: match &group.stage {
            Stage::Group(name) => Some(name.clone()),
            Stage::Final => None,
        },
        rows: rows.iter().map(|row| row_info(contest, row)).collect(),
        cross: group.cross.iter().map(words).collect(),
    }
}

fn row_info(contest: &Contest, row: &StandingRow) -> RowInfo {
    let tally = |tally: TeamTally| [tally.won, tally.drawn, tally.lost];
    let members = contest.plan.teams.get(row.team);
    RowInfo {
        place: row.place,
        team: contest.team(row.team).to_string(),
        members: members.map_or(Vec::new(), |team| team.members.clone()),
        withdrawn: contest.has_withdrawn(row.team),
        points: row.points(),
        sides: row.sides.map(tally),
        men: [row.captured, row.lost_men],
        mean_moves: row.mean_plies(),
        move_points: row.move_points(),
    }
}

/// Everything that all games say.
pub(crate) fn ratings(ratings: &Ratings) -> RatingsInfo {
    let shown = |rating: Option<Rating>| rating.map(|one| (one.rating, one.error, one.games));
    RatingsInfo {
        players: ratings
            .players
            .iter()
            .map(|(name, sides)| RatedPlayer {
                name: name.clone(),
                sides: sides.map(shown),
            })
            .collect(),
        sets: ratings
            .sets
            .iter()
            .map(|set| BalanceInfo {
                rules: set.rules.clone(),
                games: set.games,
                shares: [set.wins.defenders, set.wins.attackers, set.draws]
                    .map(|one| (one.share, one.low, one.high)),
            })
            .collect(),
    }
}
