/* The messages between page and server. Generated from crates/web/src/message by the test
   `the_pages_types_are_those_of_the_messages`, which says how to write this file anew. */

/**
 * How everything is.
 */
export type AdminInfo = {
/**
 * The processes, the oldest first.
 */
processes: Array<ProcessInfo>,
/**
 * The queues.
 */
queues: Array<QueueInfo>,
/**
 * The limits.
 */
limits: Array<LimitInfo>, };

/**
 * What is written at one of many nodes; what is nothing stays as it is.
 */
export type AnnotationInfo = {
/**
 * Where.
 */
node: number,
/**
 * A comment.
 */
comment: string | null,
/**
 * Marks.
 */
nags: Array<number> | null,
/**
 * What the position is worth for white, as records write it.
 */
score: string | null,
/**
 * Lines that start here.
 */
lines: Array<Array<string>>, };

/**
 * What was asked for. Which one answers which request stands in `message/declaration.rs`.
 */
export type Answer = "done" | { "welcome": Welcome } | { "rules": RulesInfo } | { "survey": SurveyInfo } | { "study": StudyState } | { "studies": Array<StudyEntry> } | { "texts": Array<[string, string]> } | { "slots": Array<[number, PositionInfo]> } | { "before": PositionInfo | null } | { "library": Array<LibraryEntry> } | { "game": {
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
refereed: Array<GameEntry>, } } | { "admin": AdminInfo } | { "tournament": TournamentInfo } | { "corrected": {
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
notices: Array<string>, } } | { "ratings": RatingsInfo } | { "weights": WeightsInfo } | { "lessons": Array<LessonEntry> } | { "lessonStep": LessonStepInfo } | { "trial": TrialInfo } | { "puzzles": PuzzlesInfo } | { "puzzle": PuzzleInfo } | { "puzzleTrial": PuzzleTrialInfo } | { "puzzleHelp": PuzzleHelp } | { "text": string } | { "found": {
/**
 * The games.
 */
games: Array<FoundGame>,
/**
 * Where to go on; nothing at the end.
 */
next: string | null, } } | { "names": Array<[string, number]> } | { "imported": ImportInfo } | { "explored": ExploredInfo } | { "watch": WatchInfo } | { "demonstrations": Array<DemonstrationInfo> } | { "comparison": ComparisonInfo } | { "hint": {
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
rules: string, } | { "do": "survey",
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
setup: string, } | { "do": "openStudy",
/**
 * The id of the study; nothing for my board.
 */
study: string | null,
/**
 * The rule set, if I have no board.
 */
rules: string, } | { "do": "editStudy",
/**
 * The id of the study; nothing for my board.
 */
study: string | null,
/**
 * The rule set, if I have no board.
 */
rules: string,
/**
 * The node I look at.
 */
cursor: number,
/**
 * What changes.
 */
edit: StudyEdit, } | { "do": "stepStudy",
/**
 * The id of the study.
 */
study: string,
/**
 * The node.
 */
node: number, } | { "do": "copyStudy",
/**
 * The id of the study.
 */
study: string, } | { "do": "studyGame",
/**
 * The id of the game.
 */
game: string,
/**
 * After how many moves to look.
 */
ply: number, } | { "do": "studies" } | { "do": "nameStudy",
/**
 * The id of the study; nothing for my board.
 */
study: string | null,
/**
 * The rule set, if I have no board.
 */
rules: string,
/**
 * The name.
 */
name: string, } | { "do": "deleteStudy",
/**
 * The id of the study.
 */
study: string, } | { "do": "read",
/**
 * The text.
 */
text: string,
/**
 * The rule set, if the text names none.
 */
rules: string, } | { "do": "write",
/**
 * The id of the study; nothing for my board.
 */
study: string | null,
/**
 * The rule set, if I have no board.
 */
rules: string,
/**
 * The node.
 */
node: number, } | { "do": "slots" } | { "do": "saveSlot",
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
token: string, } | { "do": "admin",
/**
 * What only the administrator knows.
 */
token: string, } | { "do": "drain",
/**
 * What only the administrator knows.
 */
token: string,
/**
 * The process, as the store names it.
 */
process: string, } | { "do": "ratings" } | { "do": "search" } & SearchAsk | { "do": "exportGames" } & SearchAsk | { "do": "players",
/**
 * The beginning.
 */
beginning: string, } | { "do": "tags" } | { "do": "tagGame",
/**
 * Its number in the library.
 */
number: string,
/**
 * The word.
 */
tag: string,
/**
 * Whether it is called so from now on.
 */
on: boolean, } | { "do": "import",
/**
 * The text.
 */
text: string,
/**
 * The rule set, if the text names none.
 */
rules: string, } | { "do": "explore",
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
setup: string, } | { "do": "exploreGames",
/**
 * Moves from there on.
 */
moves: Array<string>,
/**
 * And then made this move.
 */
step: string | null,
/**
 * `store`, `self-play` or `rivals`.
 */
source: string,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "do": "watch" } | { "do": "demonstrate",
/**
 * The id of the rule set.
 */
rules: string, } | { "do": "compareRules",
/**
 * The id of one.
 */
first: string,
/**
 * The id of the other.
 */
second: string, } | { "do": "inquire",
/**
 * The number.
 */
number: number,
/**
 * What is asked.
 */
inquiry: InquiryAsk, } | { "do": "dismiss",
/**
 * Its number.
 */
number: number, } | { "do": "weigh",
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
setup: string, } | { "do": "lessons",
/**
 * The id of the rule set.
 */
rules: string, } | { "do": "lessonStep",
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The lesson.
 */
lesson: LessonName,
/**
 * The number of the step, from 0.
 */
step: number, } | { "do": "tryLesson",
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The lesson.
 */
lesson: LessonName,
/**
 * The number of the step, from 0.
 */
step: number,
/**
 * The moves of both sides in this step before.
 */
made: Array<string>,
/**
 * The move.
 */
tried: string, } | { "do": "puzzles",
/**
 * The id of the rule set.
 */
rules: string, } | { "do": "puzzle",
/**
 * The id of the rule set.
 */
rules: string,
/**
 * Which.
 */
choice: PuzzleChoice, } | { "do": "tryPuzzle",
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The number of the puzzle.
 */
number: number,
/**
 * The moves of both sides before.
 */
made: Array<string>,
/**
 * The move.
 */
tried: string,
/**
 * The id of the run it belongs to.
 */
run: string | null, } | { "do": "puzzleHelp",
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The number of the puzzle.
 */
number: number,
/**
 * The moves of both sides before.
 */
made: Array<string>,
/**
 * How much.
 */
help: HelpName, } | { "do": "hint",
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
 * Where two rule sets differ.
 */
export type ComparisonInfo = {
/**
 * Sentences that hold under the first set only.
 */
first: Array<string>,
/**
 * Sentences that hold under the second set only.
 */
second: Array<string>,
/**
 * Positions that prove it.
 */
proofs: Array<ContrastInfo>, };

/**
 * A move that has different results under two rule sets.
 */
export type ContrastInfo = {
/**
 * The position.
 */
setup: string,
/**
 * The move.
 */
step: string,
/**
 * What happens under the first set, as a sentence.
 */
first: string,
/**
 * And under the second.
 */
second: string, };

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
 * A position with moves that show a rule.
 */
export type DemonstrationInfo = {
/**
 * What stands above it and others that show the like.
 */
topic: string,
/**
 * The position.
 */
setup: string,
/**
 * The moves; the last one shows it.
 */
moves: Array<string>,
/**
 * What happens, as a sentence.
 */
text: string, };

/**
 * An arrow, or a circle.
 */
export type DrawingInfo = {
/**
 * Where it begins.
 */
from: string,
/**
 * Where the arrow points; nothing for a circle.
 */
to: string | null, };

/**
 * What is known of the moves in a position.
 */
export type ExploredInfo = {
/**
 * The moves of the book with their scores for white in hundredths, the best first.
 */
book: Array<[string, number]>,
/**
 * How deep the book was searched.
 */
depth: number,
/**
 * What games did.
 */
sources: Array<ExploredSource>, };

/**
 * What games of one source made of a move.
 */
export type ExploredMove = {
/**
 * The move as it stands on the board.
 */
step: string,
/**
 * Games that white won.
 */
white: number,
/**
 * Games that black won.
 */
black: number,
/**
 * Games that nobody won.
 */
draws: number,
/**
 * The mean rating of those who played it.
 */
rating: number | null, };

/**
 * The moves that games of one source made in a position.
 */
export type ExploredSource = {
/**
 * `store`, `self-play` or `rivals`.
 */
id: string,
/**
 * The moves, the most played first.
 */
moves: Array<ExploredMove>, };

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
 * A game that is over.
 */
export type FoundGame = {
/**
 * Its number in the library, as text; larger than numbers of JavaScript are exact. Empty for a game that ships.
 */
number: string,
/**
 * Its id; empty for a game that ships.
 */
game: string,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * Who played.
 */
players: BySide<PlayerInfo>,
/**
 * How it ended.
 */
outcome: OutcomeInfo,
/**
 * How many moves it had.
 */
plies: number,
/**
 * When it ended, if that is known.
 */
endedMs: number | null,
/**
 * What was on the board at the end.
 */
last: string,
/**
 * The moves of a game that ships; others are opened by their id.
 */
moves?: Array<string>,
/**
 * What the visitor calls it.
 */
tags?: Array<string>, };

/**
 * What the engine has found.
 */
export type FoundInfo = { "kind": "lines" } & LinesInfo | { "kind": "proof" } & ProofInfo | { "kind": "review" } & ReviewInfo | { "kind": "retry" } & RetryInfo | { "kind": "waiting" } | { "kind": "nothing" };

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
 * What is on the board of a game that is not over.
 */
setup: string | null,
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
 * Where the visitor's pieces can go now: for each its square, and where it can go. Behind an `x` each stands
 * what that captures, and `!` if it wins: `e2 d2xd3! e1`.
 */
targets: Array<string>,
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
 * Whether an engine is to move and none is there to think for it.
 */
unserved: boolean,
/**
 * Who has declined a draw just now.
 */
drawDeclined: SideName | null,
/**
 * Who asks to take a move back.
 */
takeBack: SideName | null,
/**
 * Who has declined to let a move be taken back just now.
 */
takeBackDeclined: SideName | null,
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
 * How much help is wanted with a puzzle.
 */
export type HelpName = "motif" | "piece" | "move" | "solution";

/**
 * What a text that was imported came to.
 */
export type ImportInfo = {
/**
 * How many games are in the library now.
 */
imported: number,
/**
 * The number of a game in the text, if one is meant, and what is wrong with it.
 */
faults: Array<[number | null, string]>, };

/**
 * What the engine is asked.
 */
export type InquiryAsk = { "kind": "lines",
/**
 * Moves from there on; repetition counts.
 */
moves: Array<string>,
/**
 * How many, from 1 to 5.
 */
lines: number,
/**
 * Whether the side to move passes: what would the opponent do?
 */
pass: boolean,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "kind": "proof",
/**
 * Moves from there on.
 */
moves: Array<string>,
/**
 * A win that is known and is walked through.
 */
known: KnownWinInfo | null,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "kind": "review",
/**
 * Its moves.
 */
moves: Array<string>,
/**
 * Whether only a review that is kept is wanted, and none is to be made.
 */
kept: boolean,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "kind": "retry",
/**
 * All its moves.
 */
moves: Array<string>,
/**
 * The number of the move that was played, from 1.
 */
ply: number,
/**
 * The move that is tried.
 */
step: string,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, };

/**
 * A forced win that was proved.
 */
export type KnownWinInfo = {
/**
 * Who wins.
 */
winner: SideName,
/**
 * In at most this many plies.
 */
plies: number, };

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
 * A lesson in a list.
 */
export type LessonEntry = {
/**
 * Which.
 */
lesson: LessonName,
/**
 * The titles of its steps, and whether the visitor has done them.
 */
steps: Array<[string, boolean]>, };

/**
 * The name of a lesson.
 */
export type LessonName = "rules" | "plans";

/**
 * A step of a lesson.
 */
export type LessonStepInfo = {
/**
 * What it is about.
 */
title: string,
/**
 * What is to be known.
 */
sentences: Array<string>,
/**
 * What is to be done.
 */
task: string,
/**
 * The squares that the task is about.
 */
marks: Array<string>,
/**
 * The position.
 */
board: TaskBoard, };

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
 * How much of something there is, and how much there may be.
 */
export type LimitInfo = {
/**
 * What.
 */
limit: LimitName,
/**
 * How much there is.
 */
used: number,
/**
 * How much there may be; nothing if that is not limited.
 */
most: number | null, };

/**
 * What is limited.
 */
export type LimitName = "visitors" | "games" | "positions" | "studies" | "pages" | "allPages";

/**
 * A line with its score.
 */
export type LineInfo = {
/**
 * The score.
 */
score: ScoreInfo,
/**
 * The moves.
 */
moves: Array<string>, };

/**
 * The best lines at a depth.
 */
export type LinesInfo = {
/**
 * The depth in plies.
 */
depth: number,
/**
 * Positions visited.
 */
nodes: number,
/**
 * The time that took.
 */
timeMs: number,
/**
 * The lines, the best first.
 */
lines: Array<LineInfo>, };

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
 * A game that is being played.
 */
export type LiveGameInfo = {
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
 * How strong they are.
 */
ratings: BySide<number | null>,
/**
 * What is on the board.
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
 * How many watch it.
 */
spectators: number, };

/**
 * How bad a move was.
 */
export type MarkName = "inaccuracy" | "mistake" | "blunder";

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
 * A node of a study.
 */
export type NodeInfo = {
/**
 * Its name.
 */
node: number,
/**
 * The node before; the root is its own.
 */
parent: number,
/**
 * The move that leads here; nothing for the root.
 */
step: string | null,
/**
 * What it captures.
 */
takes?: Array<string>,
/**
 * Whether it ends the game.
 */
ends?: boolean,
/**
 * Marks, as numbers of PGN.
 */
nags?: Array<number>,
/**
 * What is written here.
 */
comment?: string,
/**
 * What the position was thought to be worth for white, as records write it: `1.25`, `#5`, `#-3`.
 */
score?: string | null,
/**
 * What the mover had left, in milliseconds.
 */
clock?: number | null,
/**
 * Arrows and circles.
 */
drawings?: Array<DrawingInfo>, };

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
 * A player of a game that is over.
 */
export type PlayerInfo = {
/**
 * The name of a person, or what chooses the moves: `level:3`. Empty for a person without a name.
 */
name: string,
/**
 * How strong they were before it.
 */
rating: number | null, };

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
 * A process that serves the store.
 */
export type ProcessInfo = {
/**
 * Its name in the store.
 */
process: string,
/**
 * Its machine and number there.
 */
name: string,
/**
 * Whether it only works, and serves no pages.
 */
worker: boolean,
/**
 * Whether it is the one that answers.
 */
here: boolean,
/**
 * The kinds of jobs a worker does, as the command line names them.
 */
jobs: string,
/**
 * How many engines may think at once.
 */
engines: number,
/**
 * Engine work under way or waited for.
 */
orders: number,
/**
 * Open pages.
 */
pages: number,
/**
 * Games that are shown.
 */
games: number,
/**
 * How long it has been there, in milliseconds.
 */
ageMs: number,
/**
 * How long nothing was heard of it, in milliseconds.
 */
silentMs: number,
/**
 * Whether it was told to end.
 */
draining: boolean, };

/**
 * What is known about forced wins.
 */
export type ProofInfo = {
/**
 * Positions looked at.
 */
nodes: number,
/**
 * Neither side has a forced win within this many plies.
 */
noneWithin: number,
/**
 * Whether that is proved.
 */
proved: boolean,
/**
 * A forced win.
 */
win: WinInfo | null, };

/**
 * Which puzzle is wanted.
 */
export type PuzzleChoice = { "kind": "number",
/**
 * The number.
 */
number: number, } | { "kind": "next",
/**
 * About this.
 */
motif: string | null,
/**
 * For this side.
 */
side: SideName | null,
/**
 * With a solution of this many plies.
 */
plies: number | null,
/**
 * Not the one with this number, which is on the board.
 */
after: number | null, } | { "kind": "daily" } | { "kind": "begin",
/**
 * `streak` or `rush`.
 */
run: string, } | { "kind": "run",
/**
 * The id of the run.
 */
run: string, };

/**
 * The puzzles for one side with solutions of one length, as far as they have a motif.
 */
export type PuzzleGroup = {
/**
 * Who solves them.
 */
side: SideName,
/**
 * How many plies their solutions have.
 */
plies: number,
/**
 * The word of their motif; nothing for all of them, whatever they are about.
 */
motif: string | null,
/**
 * How many there are.
 */
count: number,
/**
 * How many of them the visitor has solved.
 */
solved: number, };

/**
 * Help with a puzzle.
 */
export type PuzzleHelp = {
/**
 * In words.
 */
text: string,
/**
 * The squares it is about.
 */
squares: Array<string>,
/**
 * All moves that are left, if the solution was asked for.
 */
moves: Array<string>,
/**
 * The visitor's rating before and after, if this was what counts.
 */
rating: [number, number] | null, };

/**
 * A puzzle to be solved.
 */
export type PuzzleInfo = {
/**
 * Its number.
 */
number: number,
/**
 * What is to be done.
 */
task: string,
/**
 * The names of its motifs; they say a little, so the page shows them when asked.
 */
motifs: Array<string>,
/**
 * Its rating.
 */
rating: number,
/**
 * What the visitor made of it before.
 */
tried: string | null,
/**
 * The run it belongs to.
 */
run: RunInfo | null,
/**
 * The position.
 */
board: TaskBoard, };

/**
 * What is said of a move that was tried in a puzzle.
 */
export type PuzzleTrialInfo = {
/**
 * What is said.
 */
trial: TrialInfo,
/**
 * The visitor's rating before and after, if this was what counts.
 */
rating: [number, number] | null,
/**
 * The run as it stands.
 */
run: RunInfo | null, };

/**
 * A puzzle in a list of those that were tried.
 */
export type PuzzleTryEntry = {
/**
 * Its number.
 */
number: number,
/**
 * `solved`, `failed` or `helped`.
 */
result: string,
/**
 * The visitor's rating after it.
 */
rating: number,
/**
 * What it changed.
 */
gain: number,
/**
 * When.
 */
triedMs: number, };

/**
 * The puzzles of a rule set, and how the visitor stands.
 */
export type PuzzlesInfo = {
/**
 * How many there are.
 */
count: number,
/**
 * The motifs: word and name.
 */
motifs: Array<[string, string]>,
/**
 * How many there are for each side and length, of each motif and of all.
 */
groups: Array<PuzzleGroup>,
/**
 * The visitor's rating.
 */
rating: number,
/**
 * By how much it may be wrong.
 */
error: number,
/**
 * How many they have solved at the first try.
 */
solved: number,
/**
 * The number of today's puzzle, and what the visitor made of it.
 */
daily: [number, string | null] | null,
/**
 * Their best streak.
 */
streak: number,
/**
 * Their best rush.
 */
rush: number,
/**
 * Their last tries, the newest first.
 */
history: Array<PuzzleTryEntry>, };

/**
 * Engine work of a kind that waits for workers.
 */
export type QueueInfo = {
/**
 * The kind, as the command line names it.
 */
kind: string,
/**
 * Jobs that nobody works on.
 */
waiting: number,
/**
 * Jobs under way.
 */
underWay: number,
/**
 * Jobs that ended within the last minute.
 */
ended: number,
/**
 * How long the oldest that nobody works on has waited, in milliseconds.
 */
longestMs: number, };

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
rules: string, } | { "do": "survey",
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
setup: string, } | { "do": "openStudy",
/**
 * The id of the study; nothing for my board.
 */
study: string | null,
/**
 * The rule set, if I have no board.
 */
rules: string, } | { "do": "editStudy",
/**
 * The id of the study; nothing for my board.
 */
study: string | null,
/**
 * The rule set, if I have no board.
 */
rules: string,
/**
 * The node I look at.
 */
cursor: number,
/**
 * What changes.
 */
edit: StudyEdit, } | { "do": "stepStudy",
/**
 * The id of the study.
 */
study: string,
/**
 * The node.
 */
node: number, } | { "do": "copyStudy",
/**
 * The id of the study.
 */
study: string, } | { "do": "studyGame",
/**
 * The id of the game.
 */
game: string,
/**
 * After how many moves to look.
 */
ply: number, } | { "do": "studies" } | { "do": "nameStudy",
/**
 * The id of the study; nothing for my board.
 */
study: string | null,
/**
 * The rule set, if I have no board.
 */
rules: string,
/**
 * The name.
 */
name: string, } | { "do": "deleteStudy",
/**
 * The id of the study.
 */
study: string, } | { "do": "read",
/**
 * The text.
 */
text: string,
/**
 * The rule set, if the text names none.
 */
rules: string, } | { "do": "write",
/**
 * The id of the study; nothing for my board.
 */
study: string | null,
/**
 * The rule set, if I have no board.
 */
rules: string,
/**
 * The node.
 */
node: number, } | { "do": "slots" } | { "do": "saveSlot",
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
token: string, } | { "do": "admin",
/**
 * What only the administrator knows.
 */
token: string, } | { "do": "drain",
/**
 * What only the administrator knows.
 */
token: string,
/**
 * The process, as the store names it.
 */
process: string, } | { "do": "ratings" } | { "do": "search" } & SearchAsk | { "do": "exportGames" } & SearchAsk | { "do": "players",
/**
 * The beginning.
 */
beginning: string, } | { "do": "tags" } | { "do": "tagGame",
/**
 * Its number in the library.
 */
number: string,
/**
 * The word.
 */
tag: string,
/**
 * Whether it is called so from now on.
 */
on: boolean, } | { "do": "import",
/**
 * The text.
 */
text: string,
/**
 * The rule set, if the text names none.
 */
rules: string, } | { "do": "explore",
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
setup: string, } | { "do": "exploreGames",
/**
 * Moves from there on.
 */
moves: Array<string>,
/**
 * And then made this move.
 */
step: string | null,
/**
 * `store`, `self-play` or `rivals`.
 */
source: string,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "do": "watch" } | { "do": "demonstrate",
/**
 * The id of the rule set.
 */
rules: string, } | { "do": "compareRules",
/**
 * The id of one.
 */
first: string,
/**
 * The id of the other.
 */
second: string, } | { "do": "inquire",
/**
 * The number.
 */
number: number,
/**
 * What is asked.
 */
inquiry: InquiryAsk, } | { "do": "dismiss",
/**
 * Its number.
 */
number: number, } | { "do": "weigh",
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
setup: string, } | { "do": "lessons",
/**
 * The id of the rule set.
 */
rules: string, } | { "do": "lessonStep",
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The lesson.
 */
lesson: LessonName,
/**
 * The number of the step, from 0.
 */
step: number, } | { "do": "tryLesson",
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The lesson.
 */
lesson: LessonName,
/**
 * The number of the step, from 0.
 */
step: number,
/**
 * The moves of both sides in this step before.
 */
made: Array<string>,
/**
 * The move.
 */
tried: string, } | { "do": "puzzles",
/**
 * The id of the rule set.
 */
rules: string, } | { "do": "puzzle",
/**
 * The id of the rule set.
 */
rules: string,
/**
 * Which.
 */
choice: PuzzleChoice, } | { "do": "tryPuzzle",
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The number of the puzzle.
 */
number: number,
/**
 * The moves of both sides before.
 */
made: Array<string>,
/**
 * The move.
 */
tried: string,
/**
 * The id of the run it belongs to.
 */
run: string | null, } | { "do": "puzzleHelp",
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The number of the puzzle.
 */
number: number,
/**
 * The moves of both sides before.
 */
made: Array<string>,
/**
 * How much.
 */
help: HelpName, } | { "do": "hint",
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
 * What is known of a move that was tried.
 */
export type RetryInfo = {
/**
 * The move.
 */
step: string,
/**
 * How good it is.
 */
rating: RetryName,
/**
 * What the position after it is worth.
 */
score: ScoreInfo,
/**
 * What is said about it.
 */
text: string,
/**
 * What the engine answers.
 */
reply: Array<string>, };

/**
 * How good a move is that was tried.
 */
export type RetryName = "asGood" | "better" | "notBetter";

/**
 * What was found about a game so far.
 */
export type ReviewInfo = {
/**
 * How many moves the game has.
 */
plies: number,
/**
 * Moves that were looked at and have not been sent before.
 */
moves: Array<ReviewedMoveInfo>,
/**
 * How each side played, as far as is known.
 */
sides: BySide<SideReviewInfo>, };

/**
 * What was found about one move.
 */
export type ReviewedMoveInfo = {
/**
 * Its number, from 1.
 */
ply: number,
/**
 * The move.
 */
step: string,
/**
 * What the position before it is worth with best play.
 */
before: ScoreInfo,
/**
 * What the position after it is worth.
 */
after: ScoreInfo,
/**
 * How bad it was, if it was.
 */
mark: MarkName | null,
/**
 * Whether all other moves were much worse.
 */
only: boolean,
/**
 * Whether it is worth trying again.
 */
critical: boolean,
/**
 * A better line; empty if there is none.
 */
better: Array<string>,
/**
 * What is said about it; empty if there is nothing to say.
 */
comment: string, };

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
 * The rules of a set in sentences.
 */
export type RulesInfo = {
/**
 * Groups of sentences.
 */
sections: Array<SectionInfo>, };

/**
 * What a correction says of a game.
 */
export type RulingName = "decided" | "annulled" | "notPlayed";

/**
 * A run of puzzles as it stands.
 */
export type RunInfo = {
/**
 * Its id.
 */
id: string,
/**
 * `streak` or `rush`.
 */
kind: string,
/**
 * Puzzles solved.
 */
score: number,
/**
 * Puzzles missed.
 */
misses: number,
/**
 * How much time is left, against the clock.
 */
leftMs: number | null,
/**
 * Whether it is over.
 */
over: boolean, };

/**
 * What a position is worth to White.
 */
export type ScoreInfo = {
/**
 * White's winning chance in thousandths.
 */
chance: number,
/**
 * Hundredths of an attacking man; nothing if a side wins.
 */
units: number | null,
/**
 * Who wins.
 */
winner: SideName | null,
/**
 * In at most this many plies, if that is proved.
 */
plies: number | null, };

/**
 * Which games are wanted; what is not said does not matter.
 */
export type SearchAsk = {
/**
 * Only games that I made or played.
 */
mine: boolean,
/**
 * Someone who played, by name.
 */
player: string | null,
/**
 * Which side they had.
 */
side: SideName | null,
/**
 * Someone else who played.
 */
opponent: string | null,
/**
 * The id of the rule set.
 */
rules: string | null,
/**
 * `white`, `black` or `draw`.
 */
result: string | null,
/**
 * Why it ended, as in `king escaped`.
 */
reason: string | null,
/**
 * The least number of moves.
 */
least: number | null,
/**
 * The largest number of moves.
 */
most: number | null,
/**
 * Ended at this time or later.
 */
fromMs: number | null,
/**
 * Ended at this time or earlier.
 */
untilMs: number | null,
/**
 * A position that was on the board, or an image of it.
 */
place: PositionInfo | null,
/**
 * Moves from there on; without a position, from the start of the rule set.
 */
moves: Array<string>,
/**
 * A word of mine.
 */
tag: string | null,
/**
 * `newest`, `oldest`, `longest` or `shortest`.
 */
sort: string | null,
/**
 * Where to go on, as the last answer said.
 */
cursor: string | null, };

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
 * Something that happened in the game a visitor looks at, or that the engine found.
 */
export type ServerEvent = { "event": "state" } & GameState | { "event": "lost",
/**
 * The id of the game.
 */
game: string,
/**
 * A sentence for the visitor.
 */
text: string, } | { "event": "study" } & StudyState | { "event": "found",
/**
 * The number of the inquiry.
 */
number: number,
/**
 * Whether this is all.
 */
done: boolean,
/**
 * What was found.
 */
found: FoundInfo, } | { "event": "closing" };

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
 * How one side played.
 */
export type SideReviewInfo = {
/**
 * From 0 to 100; nothing if the side had no choice.
 */
accuracy: number | null,
/**
 * Moves marked `?!`.
 */
inaccuracies: number,
/**
 * Moves marked `?`.
 */
mistakes: number,
/**
 * Moves marked `??`.
 */
blunders: number, };

/**
 * What is to be changed in a study.
 */
export type StudyEdit = { "kind": "play",
/**
 * From where.
 */
node: number,
/**
 * The moves.
 */
moves: Array<string>, } | { "kind": "setUp",
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, } | { "kind": "comment",
/**
 * Where.
 */
node: number,
/**
 * The text; empty for none.
 */
text: string, } | { "kind": "mark",
/**
 * The node it leads to.
 */
node: number,
/**
 * All its marks.
 */
nags: Array<number>, } | { "kind": "draw",
/**
 * Where.
 */
node: number,
/**
 * All that is drawn there.
 */
drawings: Array<DrawingInfo>, } | { "kind": "promote",
/**
 * The node.
 */
node: number, } | { "kind": "delete",
/**
 * The node.
 */
node: number, } | { "kind": "byRules",
/**
 * Whether they do.
 */
on: boolean, } | { "kind": "annotate",
/**
 * What, and where.
 */
notes: Array<AnnotationInfo>, } | { "kind": "undo" } | { "kind": "redo" };

/**
 * A study in a list.
 */
export type StudyEntry = {
/**
 * Its id.
 */
study: string,
/**
 * Its name.
 */
name: string,
/**
 * How many moves it has.
 */
moves: number,
/**
 * When it was changed last.
 */
changedMs: number,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, };

/**
 * A study: a root, the moves from there on, and where one looks.
 */
export type StudyState = {
/**
 * Its id; nothing for a board that is not kept yet.
 */
study: string | null,
/**
 * Its name; nothing for the visitor's board.
 */
name: string | null,
/**
 * How often it was changed since it is kept.
 */
version: number,
/**
 * Whether it is the visitor's own, to be changed.
 */
own: boolean,
/**
 * Whether moves follow the rules.
 */
byRules: boolean,
/**
 * The node that is looked at.
 */
cursor: number,
/**
 * All nodes: the root first, each before its children, the line before its variations.
 */
nodes: Array<NodeInfo>,
/**
 * Whether something can be undone.
 */
undo: boolean,
/**
 * Whether something can be redone.
 */
redo: boolean,
/**
 * What was written about the game that was read: key and value.
 */
headers: Array<[string, string]>,
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The position in one line.
 */
setup: string, };

/**
 * What can be said of a position.
 */
export type SurveyInfo = {
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
 * A board on which something is to be done.
 */
export type TaskBoard = {
/**
 * The position.
 */
setup: string,
/**
 * Who is to move.
 */
turn: SideName,
/**
 * Where the side to move can go; nowhere when there is nothing to do.
 */
targets: Array<TargetInfo>,
/**
 * The king's ways out.
 */
lanes: Array<LaneInfo>,
/**
 * The last move.
 */
last: string | null, };

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
 * A term of the evaluation.
 */
export type TermInfo = {
/**
 * Its name.
 */
term: TermName,
/**
 * Each side's points.
 */
points: BySide<number>, };

/**
 * The terms of the evaluation.
 */
export type TermName = "material" | "walls" | "chains" | "lanes" | "blockers" | "distance" | "freedom" | "safety" | "mobility" | "camps" | "tempo";

/**
 * The best players of a rule set.
 */
export type TopListInfo = {
/**
 * The id of the rule set.
 */
rules: string,
/**
 * The best first.
 */
players: BySide<Array<TopPlayerInfo>>, };

/**
 * A player, and how strong with one side.
 */
export type TopPlayerInfo = {
/**
 * The name, or what chooses the moves.
 */
name: string,
/**
 * The rating.
 */
rating: number,
/**
 * By how much it may be wrong.
 */
error: number,
/**
 * How many games it rests on.
 */
games: number, };

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
 * What is said of a move that was tried.
 */
export type TrialInfo = {
/**
 * What became of it.
 */
result: TrialResult,
/**
 * In words.
 */
text: string,
/**
 * The other side's answer.
 */
reply: string | null,
/**
 * The board after both.
 */
board: TaskBoard, };

/**
 * What became of a move that was tried.
 */
export type TrialResult = "right" | "done" | "wrong" | "slower";

/**
 * What is worth watching now.
 */
export type WatchInfo = {
/**
 * Games that are being played, the best first.
 */
live: Array<LiveGameInfo>,
/**
 * Games that have just ended.
 */
recent: Array<FoundGame>,
/**
 * Who plays best, by rule set.
 */
tops: Array<TopListInfo>, };

/**
 * What a position is worth without search, in hundredths of an attacking man.
 */
export type WeightsInfo = {
/**
 * Each term with the points of both sides.
 */
terms: Array<TermInfo>,
/**
 * White's points less black's.
 */
hand: number,
/**
 * What the network says for white, if there is one.
 */
network: number | null,
/**
 * What each man is worth to its own side.
 */
men: Array<[string, number]>, };

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
 * A forced win: how, and every answer to it.
 */
export type WinInfo = {
/**
 * Who wins.
 */
winner: SideName,
/**
 * In at most this many plies.
 */
plies: number,
/**
 * Whether there is no shorter one.
 */
shortest: boolean,
/**
 * The winner's moves and a longest defence.
 */
line: Array<string>,
/**
 * The winner's move, if it is the winner's turn.
 */
step: string | null,
/**
 * Every answer of the loser after that, with the plies that the win takes then; the longest first.
 */
answers: Array<[string, number]>, };

/**
 * What a player wants besides moving.
 */
export type WishName = "offerDraw" | "declineDraw" | "takeBack" | "declineTakeBack" | "resign";

/** The name of the answer to each request. */
export type AnswerOf = {
  admin: "admin",
  cancelGame: "done",
  compareRules: "comparison",
  copyStudy: "study",
  correctTournament: "corrected",
  deletePosition: "done",
  deleteStudy: "done",
  demonstrate: "demonstrations",
  dismiss: "done",
  drain: "done",
  editStudy: "study",
  explain: "done",
  explore: "explored",
  exploreGames: "found",
  exportGames: "text",
  games: "games",
  hello: "welcome",
  hint: "hint",
  import: "imported",
  inquire: "done",
  join: "done",
  leave: "done",
  lessonStep: "lessonStep",
  lessons: "lessons",
  library: "library",
  move: "done",
  name: "done",
  nameStudy: "study",
  newGame: "game",
  openStudy: "study",
  organise: "done",
  ping: "done",
  players: "names",
  puzzle: "puzzle",
  puzzleHelp: "puzzleHelp",
  puzzles: "puzzles",
  ratings: "ratings",
  read: "study",
  record: "text",
  rematch: "game",
  rules: "rules",
  runTournament: "done",
  savePosition: "done",
  saveSlot: "before",
  search: "found",
  serverSetting: "done",
  setting: "done",
  slots: "slots",
  stepStudy: "done",
  studies: "studies",
  studyGame: "study",
  survey: "survey",
  tagGame: "done",
  tags: "names",
  tournament: "tournament",
  tournaments: "tournaments",
  tryLesson: "trial",
  tryPuzzle: "puzzleTrial",
  watch: "watch",
  weigh: "weights",
  wish: "done",
  write: "texts",
};
