/* The messages between page and server. Generated from crates/web/src/message by the test
   `the_pages_types_are_those_of_the_messages`, which says how to write this file anew. */

/**
 * What was asked for. Which one answers which request stands in `message/declaration.rs`.
 */
export type Answer = "done" | { "welcome": Welcome } | { "rules": RulesInfo } | { "study": StudyInfo } | { "read": {
/**
 * The position, at the start of its moves.
 */
place: PositionInfo,
/**
 * The moves.
 */
moves: Array<string>, } } | { "texts": Array<[string, string]> } | { "slots": Array<[number, PositionInfo]> } | { "before": PositionInfo | null } | { "library": Array<LibraryEntry> } | { "game": {
/**
 * Its id.
 */
game: string, } } | { "games": Array<GameEntry> } | { "tournaments": {
/**
 * The tournaments.
 */
list: Array<TournamentEntry>,
/**
 * Those that were put away, for the organiser only.
 */
archived: Array<TournamentEntry>,
/**
 * The last games between clients of the Challenge that came by themselves.
 */
refereed: Array<GameEntry>, } } | { "tournament": TournamentInfo } | { "corrected": {
/**
 * Its number.
 */
number: number,
/**
 * What it says.
 */
text: string,
/**
 * What follows from it.
 */
notices: Array<string>, } } | { "ratings": RatingsInfo } | { "text": string } | { "hint": {
/**
 * The move.
 */
step: string,
/**
 * What the position is worth for white, as text.
 */
score: string | null, } };

/**
 * What a page wants.
 */
export type Ask = { "do": "ping" } | { "do": "hello",
/**
 * The language for sentences.
 */
lang: "en" | "it" | "de", } | { "do": "name",
/**
 * The name.
 */
name: string, } | { "do": "setting",
/**
 * Which.
 */
name: string,
/**
 * Its value.
 */
value: string, } | { "do": "serverSetting",
/**
 * Which.
 */
name: string,
/**
 * Its value.
 */
value: string, } | { "do": "rules",
/**
 * The id of the rule set.
 */
rules: string, } | { "do": "study",
/**
 * Moves from there on.
 */
moves: Array<string>,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "do": "explain",
/**
 * Moves from there on.
 */
moves: Array<string>,
/**
 * The move.
 */
step: string,
/**
 * Whether it matters whose turn it is.
 */
turns: boolean,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "do": "read",
/**
 * The text.
 */
text: string,
/**
 * The rule set, if the text names none.
 */
rules: string, } | { "do": "write",
/**
 * Moves from there on.
 */
moves: Array<string>,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "do": "slots" } | { "do": "saveSlot",
/**
 * From 0 to 9.
 */
number: number,
/**
 * What goes into it.
 */
place: PositionInfo | null, } | { "do": "library",
/**
 * Part of the names.
 */
search: string, } | { "do": "savePosition",
/**
 * The id of one that is there.
 */
position: string | null,
/**
 * Its name.
 */
name: string,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "do": "deletePosition",
/**
 * Its id.
 */
position: string, } | { "do": "newGame" } & NewGame | { "do": "games" } | { "do": "join",
/**
 * The id of the game.
 */
game: string,
/**
 * The secret of a seat.
 */
secret: string | null, } | { "do": "leave" } | { "do": "move",
/**
 * How many moves I know of; a move for another position is refused.
 */
ply: number,
/**
 * The move.
 */
step: string, } | { "do": "wish",
/**
 * What.
 */
wish: WishName, } | { "do": "cancelGame" } | { "do": "rematch" } | { "do": "record" } | { "do": "tournaments" } | { "do": "tournament",
/**
 * The id of the tournament.
 */
tournament: string, } | { "do": "runTournament",
/**
 * The id of the tournament.
 */
tournament: string,
/**
 * What is wanted.
 */
wish: TournamentWish, } | { "do": "correctTournament",
/**
 * The id of the tournament.
 */
tournament: string,
/**
 * What changes.
 */
correction: CorrectionAsk,
/**
 * Why.
 */
why: string, } | { "do": "organise",
/**
 * What only the organiser knows.
 */
token: string, } | { "do": "ratings" } | { "do": "hint",
/**
 * Moves from there on.
 */
moves: Array<string>,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, };

/**
 * How games under a rule set end.
 */
export type BalanceInfo = {
/**
 * The id of the rule set.
 */
rules: string,
/**
 * How many games there are.
 */
games: number,
/**
 * White wins, black wins, draws: the share, and the ends of its interval.
 */
shares: [[number, number, number], [number, number, number], [number, number, number]], };

/**
 * Something for each side.
 */
export type BySide<T> = { white: T, black: T, };

/**
 * What an organiser corrects.
 */
export type CorrectionAsk = { "kind": "addTeam" } & TeamText | { "kind": "withdraw",
/**
 * Its number.
 */
team: number,
/**
 * Whether its games do not count.
 */
annul: boolean, } | { "kind": "changeTeam",
/**
 * Its number.
 */
team: number,
/**
 * What is new.
 */
to: TeamText, } | { "kind": "set",
/**
 * Seconds for a move.
 */
seconds: number | null,
/**
 * How many moves a game has at most; 0 for any number.
 */
maxPlies: number | null,
/**
 * Memory of each program, in mebibytes; 0 for any amount.
 */
memoryMb: number | null, } | { "kind": "replay",
/**
 * Its number, from 1.
 */
game: number, } | { "kind": "result",
/**
 * Its number, from 1.
 */
game: number,
/**
 * Who wins; nobody in a draw.
 */
winner: SideName | null, } | { "kind": "archive" } | { "kind": "restore" } | { "kind": "undo",
/**
 * Its number.
 */
number: number, };

/**
 * A correction that was made.
 */
export type CorrectionInfo = {
/**
 * Its number, from 1.
 */
number: number,
/**
 * What it says, as a sentence.
 */
text: string,
/**
 * When, why and by whom.
 */
made: NoteInfo,
/**
 * When, why and by whom it was undone.
 */
undone: NoteInfo | null, };

/**
 * A game of a tournament.
 */
export type FixtureInfo = {
/**
 * Its number, from 1.
 */
number: number,
/**
 * The group; nothing for the final.
 */
group: string | null,
/**
 * The round.
 */
round: number,
/**
 * The team with white.
 */
white: string,
/**
 * The team with black.
 */
black: string,
/**
 * The id of its game, to watch or to replay.
 */
game: string | null,
/**
 * Whether it is being played.
 */
live: boolean,
/**
 * How it ended.
 */
outcome: OutcomeInfo | null,
/**
 * How many moves it had.
 */
plies: number | null,
/**
 * What a player did wrong, if that ended it.
 */
fault: string | null,
/**
 * What a correction says of it.
 */
ruling: RulingName | null, };

/**
 * A game in a list.
 */
export type GameEntry = {
/**
 * The id.
 */
game: string,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * Who plays.
 */
seats: BySide<SeatInfo>,
/**
 * The sides the visitor plays.
 */
yours: Array<SideName>,
/**
 * How many moves were made.
 */
plies: number,
/**
 * How it ended.
 */
outcome: OutcomeInfo | null,
/**
 * When something last happened.
 */
changedMs: number, };

/**
 * A game as a visitor sees it.
 */
export type GameState = {
/**
 * The id.
 */
game: string,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * Where it started.
 */
start: string,
/**
 * The moves made, each with what it captured.
 */
plies: Array<[string, Array<string>]>,
/**
 * The position now.
 */
setup: string,
/**
 * Who is to move.
 */
turn: SideName,
/**
 * The sides the visitor plays.
 */
yours: Array<SideName>,
/**
 * Who plays.
 */
seats: BySide<SeatInfo>,
/**
 * Whose clock runs.
 */
running: SideName | null,
/**
 * How time is counted.
 */
control: string,
/**
 * Whether moves can be made: both have been there.
 */
started: boolean,
/**
 * Where the visitor's pieces can go now.
 */
targets: Array<TargetInfo>,
/**
 * `raichi`, `tuichu` or nothing.
 */
call: string | null,
/**
 * The king's ways out.
 */
lanes: Array<LaneInfo>,
/**
 * Who offers a draw.
 */
drawOffer: SideName | null,
/**
 * Who has declined a draw just now.
 */
drawDeclined: SideName | null,
/**
 * Who asks to take a move back.
 */
takeBack: SideName | null,
/**
 * Whether moves may be taken back.
 */
takeBacks: boolean,
/**
 * How it ended.
 */
outcome: OutcomeInfo | null,
/**
 * The game that follows.
 */
rematch: string | null,
/**
 * The secret of a seat nobody has taken, for the one who made the game.
 */
invitation: string | null, };

/**
 * A group with its tables.
 */
export type GroupInfo = {
/**
 * Its name; nothing for the final.
 */
name: string | null,
/**
 * The teams, the best first.
 */
rows: Array<RowInfo>,
/**
 * For each team with white, what it got against each team with black: `1`, `0`, `½`, with a `*` by
 * decision; `.` for not yet, `×` for what does not count, nothing for never.
 */
cross: Array<Array<string>>, };

/**
 * A king's way out.
 */
export type LaneInfo = {
/**
 * Where the king stands.
 */
king: string,
/**
 * The nearest goal.
 */
goal: string, };

/**
 * A position of a library.
 */
export type LibraryEntry = {
/**
 * Its id.
 */
id: string,
/**
 * Its name.
 */
name: string,
/**
 * When it was saved.
 */
savedMs: number,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, };

/**
 * A game that is being played.
 */
export type LiveBoardInfo = {
/**
 * The number of the game, from 1.
 */
number: number,
/**
 * The id of the game.
 */
game: string,
/**
 * The team with white.
 */
white: string,
/**
 * The team with black.
 */
black: string,
/**
 * The position.
 */
setup: string,
/**
 * The last move.
 */
last: string | null,
/**
 * How many moves were made.
 */
plies: number,
/**
 * What the side to move has left.
 */
left: number, };

/**
 * What a game should be.
 */
export type NewGame = {
/**
 * The id of the rule set.
 */
rules: string,
/**
 * Where it starts, if not at the rule set's start.
 */
setup: string | null,
/**
 * Who plays.
 */
opponent: OpponentName,
/**
 * My side.
 */
side: SideName,
/**
 * The engine of the other side, or of black: `level:3` or `time:1`.
 */
engine: string,
/**
 * The engine of white, if two play.
 */
whiteEngine: string,
/**
 * `none`, `move:60000` or `total:300000+2000`.
 */
control: string,
/**
 * Whether moves may be taken back.
 */
takeBacks: boolean, };

/**
 * When something was done, why, and by whom.
 */
export type NoteInfo = {
/**
 * When.
 */
at: number,
/**
 * Why.
 */
why: string,
/**
 * Who, and from where; told to organisers only.
 */
by: string | null, };

/**
 * Who plays.
 */
export type OpponentName = "engine" | "screen" | "link" | "engines";

/**
 * How a game ended.
 */
export type OutcomeInfo = {
/**
 * Who won; nobody in a draw.
 */
winner: SideName | null,
/**
 * Who and why, as a sentence.
 */
text: string, };

/**
 * A position with its rule set.
 */
export type PositionInfo = {
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, };

/**
 * Why a request was refused.
 */
export type Problem = {
/**
 * A sentence for the visitor.
 */
text: string,
/**
 * The square that causes it.
 */
square?: string | null, };

/**
 * A player's ratings.
 */
export type RatedPlayer = {
/**
 * The name.
 */
name: string,
/**
 * With each side: rating, error, games.
 */
sides: BySide<[number, number, number] | null>, };

/**
 * Who is how strong, and how fair the rule sets are.
 */
export type RatingsInfo = {
/**
 * Players, the strongest first.
 */
players: Array<RatedPlayer>,
/**
 * Rule sets.
 */
sets: Array<BalanceInfo>, };

/**
 * What a page wants, with a number for the answer.
 */
export type Request = {
/**
 * The number of the answer.
 */
id: number, } & ({ "do": "ping" } | { "do": "hello",
/**
 * The language for sentences.
 */
lang: "en" | "it" | "de", } | { "do": "name",
/**
 * The name.
 */
name: string, } | { "do": "setting",
/**
 * Which.
 */
name: string,
/**
 * Its value.
 */
value: string, } | { "do": "serverSetting",
/**
 * Which.
 */
name: string,
/**
 * Its value.
 */
value: string, } | { "do": "rules",
/**
 * The id of the rule set.
 */
rules: string, } | { "do": "study",
/**
 * Moves from there on.
 */
moves: Array<string>,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "do": "explain",
/**
 * Moves from there on.
 */
moves: Array<string>,
/**
 * The move.
 */
step: string,
/**
 * Whether it matters whose turn it is.
 */
turns: boolean,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "do": "read",
/**
 * The text.
 */
text: string,
/**
 * The rule set, if the text names none.
 */
rules: string, } | { "do": "write",
/**
 * Moves from there on.
 */
moves: Array<string>,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "do": "slots" } | { "do": "saveSlot",
/**
 * From 0 to 9.
 */
number: number,
/**
 * What goes into it.
 */
place: PositionInfo | null, } | { "do": "library",
/**
 * Part of the names.
 */
search: string, } | { "do": "savePosition",
/**
 * The id of one that is there.
 */
position: string | null,
/**
 * Its name.
 */
name: string,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "do": "deletePosition",
/**
 * Its id.
 */
position: string, } | { "do": "newGame" } & NewGame | { "do": "games" } | { "do": "join",
/**
 * The id of the game.
 */
game: string,
/**
 * The secret of a seat.
 */
secret: string | null, } | { "do": "leave" } | { "do": "move",
/**
 * How many moves I know of; a move for another position is refused.
 */
ply: number,
/**
 * The move.
 */
step: string, } | { "do": "wish",
/**
 * What.
 */
wish: WishName, } | { "do": "cancelGame" } | { "do": "rematch" } | { "do": "record" } | { "do": "tournaments" } | { "do": "tournament",
/**
 * The id of the tournament.
 */
tournament: string, } | { "do": "runTournament",
/**
 * The id of the tournament.
 */
tournament: string,
/**
 * What is wanted.
 */
wish: TournamentWish, } | { "do": "correctTournament",
/**
 * The id of the tournament.
 */
tournament: string,
/**
 * What changes.
 */
correction: CorrectionAsk,
/**
 * Why.
 */
why: string, } | { "do": "organise",
/**
 * What only the organiser knows.
 */
token: string, } | { "do": "ratings" } | { "do": "hint",
/**
 * Moves from there on.
 */
moves: Array<string>,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, });

/**
 * The answer to a request.
 */
export type Response = {
/**
 * The number of the request.
 */
re: number, } & ({ "ok": Answer } | { "error": Problem });

/**
 * A team's line.
 */
export type RowInfo = {
/**
 * The place.
 */
place: number,
/**
 * The team.
 */
team: string,
/**
 * Who is in it.
 */
members: Array<string>,
/**
 * Whether it has withdrawn.
 */
withdrawn: boolean,
/**
 * Its points.
 */
points: number,
/**
 * Games won, drawn and lost with each side.
 */
sides: BySide<[number, number, number]>,
/**
 * Men captured, and men lost.
 */
men: [number, number],
/**
 * The mean number of moves of its games.
 */
meanMoves: number,
/**
 * The mean length of losses less that of wins.
 */
movePoints: number, };

/**
 * The rules of a set in sentences, and where it differs from the default.
 */
export type RulesInfo = {
/**
 * Groups of sentences.
 */
sections: Array<SectionInfo>,
/**
 * Where the set differs from the default: what, there, here.
 */
differences: Array<[string, string, string]>, };

/**
 * What a correction says of a game.
 */
export type RulingName = "decided" | "annulled" | "notPlayed";

/**
 * A player.
 */
export type SeatInfo = {
/**
 * `person`, `level:3`, `time:1`, `random`.
 */
player: string,
/**
 * The name of a person.
 */
name: string | null,
/**
 * Whether anybody has sat here.
 */
taken: boolean,
/**
 * Whether the player is there.
 */
present: boolean,
/**
 * How many pieces are left.
 */
men: number,
/**
 * What is left on the clock.
 */
left: number | null, };

/**
 * A titled group of sentences.
 */
export type SectionInfo = {
/**
 * The title.
 */
title: string,
/**
 * The sentences.
 */
sentences: Array<string>, };

/**
 * Something that happened in the game a visitor looks at.
 */
export type ServerEvent = { "event": "state" } & GameState | { "event": "lost",
/**
 * The id of the game.
 */
game: string,
/**
 * A sentence for the visitor.
 */
text: string, } | { "event": "closing" };

/**
 * What a server sends.
 */
export type ServerMessage = Response | ServerEvent;

/**
 * A rule set, and what its board looks like.
 */
export type SetInfo = {
/**
 * The id.
 */
id: string,
/**
 * The name.
 */
name: string,
/**
 * Rows of the board.
 */
size: number,
/**
 * The start position.
 */
start: string,
/**
 * The castle.
 */
castle: string,
/**
 * Camp squares.
 */
camps: Array<string>,
/**
 * Squares where the king escapes.
 */
escapes: Array<string>, };

/**
 * A side.
 */
export type SideName = "white" | "black";

/**
 * What can be said of a position.
 */
export type StudyInfo = {
/**
 * The position.
 */
setup: string,
/**
 * What is wrong with it, as sentences.
 */
faults: Array<string>,
/**
 * Where each piece can go.
 */
targets: Array<TargetInfo>,
/**
 * `raichi`, `tuichu` or nothing.
 */
call: string | null,
/**
 * The ways out.
 */
lanes: Array<LaneInfo>,
/**
 * Pieces that could be captured next.
 */
capturable: BySide<Array<string>>,
/**
 * Squares that help to capture a side's men.
 */
hostile: BySide<Array<string>>,
/**
 * How the moves ended the game, as a sentence.
 */
outcome: string | null,
/**
 * What each of the moves captured.
 */
captures: Array<Array<string>>, };

/**
 * Where a piece can go.
 */
export type TargetInfo = {
/**
 * Its square.
 */
from: string,
/**
 * Where to.
 */
to: string,
/**
 * What it would capture.
 */
takes?: Array<string>,
/**
 * Whether it would win.
 */
wins?: boolean, };

/**
 * A team of a tournament; teams go by their places in the list.
 */
export type TeamInfo = {
/**
 * Its name.
 */
name: string,
/**
 * Who is in it.
 */
members: Array<string>,
/**
 * Its group.
 */
group: string,
/**
 * Whether it has withdrawn.
 */
withdrawn: boolean, };

/**
 * What is said of a team; what is not said stays.
 */
export type TeamText = {
/**
 * Its name.
 */
name: string | null,
/**
 * Who is in it.
 */
members: Array<string> | null,
/**
 * Its group.
 */
group: string | null,
/**
 * What it plays with.
 */
plays: string | null,
/**
 * The secret of a remote team.
 */
secret: string | null, };

/**
 * A tournament in a list.
 */
export type TournamentEntry = {
/**
 * The id.
 */
id: string,
/**
 * The name.
 */
name: string,
/**
 * How far it is.
 */
state: TournamentState,
/**
 * How many teams it has.
 */
teams: number,
/**
 * How many games have been played.
 */
played: number,
/**
 * Of how many.
 */
games: number, };

/**
 * A tournament.
 */
export type TournamentInfo = {
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The groups, and the final.
 */
groups: Array<GroupInfo>,
/**
 * All games, in their order.
 */
fixtures: Array<FixtureInfo>,
/**
 * The games that are being played.
 */
boards: Array<LiveBoardInfo>,
/**
 * Whether the one who asks is its organiser.
 */
control: boolean,
/**
 * Whether one can become that with a token.
 */
token: boolean,
/**
 * Its teams.
 */
entrants: Array<TeamInfo>,
/**
 * Seconds for a move.
 */
seconds: number,
/**
 * How many moves a game has at most.
 */
plies: number | null,
/**
 * When it will be over, if games go on as they did.
 */
ends: number | null,
/**
 * What was corrected.
 */
corrections: Array<CorrectionInfo>,
/**
 * The id.
 */
id: string,
/**
 * The name.
 */
name: string,
/**
 * How far it is.
 */
state: TournamentState,
/**
 * How many teams it has.
 */
teams: number,
/**
 * How many games have been played.
 */
played: number,
/**
 * Of how many.
 */
games: number, };

/**
 * How far a tournament is.
 */
export type TournamentState = "running" | "paused" | "over" | "archived";

/**
 * What the owner wants of a tournament.
 */
export type TournamentWish = "start" | "pause" | "delete";

/**
 * Who a visitor is, and what is here.
 */
export type Welcome = {
/**
 * The name they chose.
 */
name: string | null,
/**
 * Their settings.
 */
settings: Array<[string, string]>,
/**
 * The rule sets, the default first.
 */
sets: Array<SetInfo>,
/**
 * The id of the rule set that new boards have.
 */
defaultRules: string,
/**
 * Whether they may change the server's settings.
 */
local: boolean,
/**
 * The beginning of links that others can open, if others can come.
 */
public: string | null, };

/**
 * What a player wants besides moving.
 */
export type WishName = "offerDraw" | "declineDraw" | "takeBack" | "declineTakeBack" | "resign";

/** The name of the answer to each request. */
export type AnswerOf = {
  cancelGame: "done",
  correctTournament: "corrected",
  deletePosition: "done",
  explain: "done",
  games: "games",
  hello: "welcome",
  hint: "hint",
  join: "done",
  leave: "done",
  library: "library",
  move: "done",
  name: "done",
  newGame: "game",
  organise: "done",
  ping: "done",
  ratings: "ratings",
  read: "read",
  record: "text",
  rematch: "game",
  rules: "rules",
  runTournament: "done",
  savePosition: "done",
  saveSlot: "before",
  serverSetting: "done",
  setting: "done",
  slots: "slots",
  study: "study",
  tournament: "tournament",
  tournaments: "tournaments",
  wish: "done",
  write: "texts",
};
