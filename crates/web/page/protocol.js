// @ts-check
/**
 * The messages of the server, as types; `crates/web/src/message.rs` is their source.
 *
 * @typedef {import('./board/state.js').Side} Side
 * @typedef {{ rules: string, setup: string }} Place
 * @typedef {{ id: string, name: string, size: number, start: string, castle: string, camps: string[], escapes: string[] }} SetInfo
 * @typedef {{ name: string | null, settings: [string, string][], sets: SetInfo[], defaultRules: string, local: boolean, public: string | null }} Welcome
 * @typedef {{ from: string, to: string, takes?: string[], wins?: boolean }} TargetInfo
 * @typedef {{ king: string, goal: string }} LaneInfo
 * @typedef {{ attackers: string[], defenders: string[] }} BothSquares
 * @typedef {{ setup: string, faults: string[], targets: TargetInfo[], call: string | null, lanes: LaneInfo[],
 *   capturable: BothSquares, hostile: BothSquares, outcome: string | null, captures: string[][] }} StudyInfo
 * @typedef {{ player: string, name: string | null, taken: boolean, present: boolean, men: number, left: number | null }} SeatInfo
 * @typedef {{ winner: Side | null, text: string }} OutcomeInfo
 * @typedef {{ game: string, rules: string, seats: Record<Side, SeatInfo>, yours: Side[], plies: number,
 *   outcome: OutcomeInfo | null, changedMs: number }} GameEntry
 * @typedef {{ id: string, name: string, rules: string, setup: string, savedMs: number }} LibraryEntry
 * @typedef {{ game: string, rules: string, start: string, plies: [string, string[]][], setup: string, turn: Side,
 *   yours: Side[], seats: Record<Side, SeatInfo>, running: Side | null, control: string, started: boolean,
 *   targets: TargetInfo[], call: string | null, lanes: LaneInfo[], drawOffer: Side | null, takeBack: Side | null,
 *   takeBacks: boolean, outcome: OutcomeInfo | null, rematch: string | null, invitation: string | null }} GameState
 * @typedef {{ id: string, name: string, state: 'running' | 'paused' | 'over' | 'archived', teams: number, played: number, games: number }} TournamentEntry
 * @typedef {{ place: number, team: string, members: string[], points: number, sides: Record<Side, number[]>, men: number[],
 *   meanMoves: number, movePoints: number, withdrawn: boolean }} RowInfo
 * @typedef {{ name: string | null, rows: RowInfo[], cross: string[][] }} GroupInfo
 * @typedef {{ number: number, group: string | null, round: number, white: string, black: string, game: string | null,
 *   live: boolean, outcome: OutcomeInfo | null, plies: number | null, fault: string | null,
 *   ruling: 'decided' | 'annulled' | 'notPlayed' | null }} FixtureInfo
 * @typedef {{ name: string, members: string[], group: string, withdrawn: boolean }} TeamInfo
 * @typedef {{ at: number, why: string, by: string | null }} NoteInfo
 * @typedef {{ number: number, text: string, made: NoteInfo, undone: NoteInfo | null }} CorrectionInfo
 * @typedef {{ number: number, game: string, white: string, black: string, setup: string, last: string | null, plies: number, left: number }} LiveBoardInfo
 * @typedef {TournamentEntry & { rules: string, groups: GroupInfo[], fixtures: FixtureInfo[], boards: LiveBoardInfo[], control: boolean,
 *   token: boolean, entrants: TeamInfo[], seconds: number, plies: number | null, ends: number | null, corrections: CorrectionInfo[] }} TournamentInfo
 * @typedef {{ players: { name: string, sides: Record<Side, [number, number, number] | null> }[],
 *   sets: { rules: string, games: number, shares: [number, number, number][] }[] }} RatingsInfo
 * @typedef {{ sections: { title: string, sentences: string[] }[], differences: [string, string, string][] }} RulesInfo
 */

/**
 * What a reply holds, by the name of its answer.
 * @typedef {object} Answer
 * @property {Welcome} [welcome]
 * @property {RulesInfo} [rules]
 * @property {StudyInfo} [study]
 * @property {{ place: Place, moves: string[] }} [read]
 * @property {[string, string][]} [texts]
 * @property {[number, Place][]} [slots]
 * @property {Place | null} [before]
 * @property {LibraryEntry[]} [library]
 * @property {{ game: string }} [game]
 * @property {GameEntry[]} [games]
 * @property {{ list: TournamentEntry[], archived: TournamentEntry[], refereed: GameEntry[] }} [tournaments]
 * @property {{ number: number, text: string, notices: string[] }} [corrected]
 * @property {TournamentInfo} [tournament]
 * @property {RatingsInfo} [ratings]
 * @property {string} [text]
 * @property {{ step: string, score: string | null }} [hint]
 */

/** A refusal of the server: a sentence, and perhaps the square that causes it. */
export class Problem extends Error {
  /** @param {{ text: string, square?: string }} problem */
  constructor(problem) {
    super(problem.text);
    this.square = problem.square ?? null;
  }
}
