// @ts-check
/**
 * Boards as data: squares, pieces, one-line positions, and how a picture of the board turns.
 * Pure functions; nothing here knows a rule.
 */

/** @typedef {'b' | 'w' | 'K'} Piece a black man, a white man, the king */
/** @typedef {import('../../protocol/message').SideName} Side */
/** @typedef {{ size: number, pieces: Map<string, Piece>, side: Side, quiet: number }} Setup */

export const LETTERS = 'abcdefghi';

/**
 * The name of a square.
 * @param {number} column from 0
 * @param {number} row from 0 at the top
 */
export function squareName(column, row) {
  return LETTERS[column] + (row + 1);
}

/**
 * Column and row of a square, from 0.
 * @param {string} square
 * @returns {[number, number]}
 */
export function place(square) {
  return [LETTERS.indexOf(square[0]), Number(square[1]) - 1];
}

/**
 * All squares of a board, row by row.
 * @param {number} size
 */
export function squares(size) {
  const all = [];
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column < size; column += 1) all.push(squareName(column, row));
  }
  return all;
}

/**
 * Reads a position in one line. The server writes them, so they are sound.
 * @param {string} text
 * @returns {Setup}
 */
export function parse(text) {
  const [board, side, quiet] = text.trim().split(/\s+/);
  const rows = board.split('/');
  /** @type {Map<string, Piece>} */
  const pieces = new Map();
  rows.forEach((line, row) => {
    let column = 0;
    for (const letter of line) {
      if (letter >= '1' && letter <= '9') {
        column += Number(letter);
        continue;
      }
      if (letter === 'b' || letter === 'w' || letter === 'K') {
        pieces.set(squareName(column, row), letter);
      }
      column += 1;
    }
  });
  return {
    size: rows.length,
    pieces,
    side: side === 'b' ? 'black' : 'white',
    quiet: Number(quiet ?? 0),
  };
}

/**
 * Writes a position in one line.
 * @param {Setup} setup
 */
export function write(setup) {
  const rows = [];
  for (let row = 0; row < setup.size; row += 1) {
    let line = '';
    let empty = 0;
    for (let column = 0; column < setup.size; column += 1) {
      const piece = setup.pieces.get(squareName(column, row));
      if (!piece) {
        empty += 1;
        continue;
      }
      line += (empty ? String(empty) : '') + piece;
      empty = 0;
    }
    rows.push(line + (empty ? String(empty) : ''));
  }
  const side = setup.side === 'black' ? 'b' : 'w';
  return `${rows.join('/')} ${side}${setup.quiet ? ` ${setup.quiet}` : ''}`;
}

/**
 * The same set-up with one square changed.
 * @param {Setup} setup
 * @param {string} square
 * @param {Piece | null} piece
 * @returns {Setup}
 */
export function put(setup, square, piece) {
  const pieces = new Map(setup.pieces);
  if (piece) pieces.set(square, piece);
  else pieces.delete(square);
  return { ...setup, pieces };
}

/**
 * The same set-up with whatever stands on a square on another, and some squares emptied.
 * @param {Setup} setup
 * @param {string} step two squares
 * @param {string[]} captured
 * @returns {Setup}
 */
export function shift(setup, step, captured = []) {
  const pieces = new Map(setup.pieces);
  const [from, to] = [step.slice(0, 2), step.slice(2)];
  const piece = pieces.get(from);
  pieces.delete(from);
  if (piece) pieces.set(to, piece);
  for (const square of captured) pieces.delete(square);
  return { ...setup, pieces };
}

/** @param {Side} side @returns {Side} */
export function other(side) {
  return side === 'black' ? 'white' : 'black';
}

/** @param {Piece} piece @returns {Side} */
export function sideOf(piece) {
  return piece === 'b' ? 'black' : 'white';
}

/**
 * The position after some of a game's moves, each with what it captured.
 * @param {Setup} start
 * @param {[string, string[]][]} plies
 * @param {number} count
 * @returns {Setup}
 */
export function after(start, plies, count) {
  let setup = start;
  for (const [step, captured] of plies.slice(0, count)) {
    setup = { ...shift(setup, step, captured), side: other(setup.side) };
  }
  return setup;
}

/**
 * Where a square is drawn when the board is turned by quarters, clockwise.
 * @param {number} column
 * @param {number} row
 * @param {number} size
 * @param {number} turn 0 to 3
 * @returns {[number, number]}
 */
export function turned(column, row, size, turn) {
  const last = size - 1;
  switch (turn % 4) {
    case 1: return [last - row, column];
    case 2: return [last - column, last - row];
    case 3: return [row, last - column];
    default: return [column, row];
  }
}

/**
 * Which square is drawn at a place: the inverse of `turned`.
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {number} turn
 * @returns {[number, number]}
 */
export function unturned(x, y, size, turn) {
  return turned(x, y, size, (4 - (turn % 4)) % 4);
}

/**
 * What changes between two pictures: pieces that move, come and go.
 * @param {Map<string, Piece>} before
 * @param {Map<string, Piece>} now
 * @param {string | null} step the move that led here, if one did
 * @returns {{ moved: [string, string][], gone: [string, Piece][], come: string[] }}
 */
export function difference(before, now, step) {
  /** @type {[string, string][]} */
  const moved = [];
  const [from, to] = step ? [step.slice(0, 2), step.slice(2)] : ['', ''];
  const arrives = step !== null && before.get(from) !== undefined
    && before.get(from) === now.get(to) && before.get(to) !== now.get(to);
  if (arrives) moved.push([from, to]);
  /** @type {[string, Piece][]} */
  const gone = [];
  for (const [square, piece] of before) {
    if (now.get(square) !== piece && !(arrives && square === from)) gone.push([square, piece]);
  }
  const come = [...now.keys()].filter(
    (square) => before.get(square) !== now.get(square) && !(arrives && square === to),
  );
  return { moved, gone, come };
}

/**
 * The squares from one to another, without the first and in a straight line as far as squares allow.
 * @param {string} from
 * @param {string} to
 */
export function way(from, to) {
  const [[x, y], [toX, toY]] = [place(from), place(to)];
  const steps = Math.max(Math.abs(toX - x), Math.abs(toY - y));
  return Array.from({ length: steps }, (_, n) => squareName(
    Math.round(x + ((toX - x) * (n + 1)) / steps), Math.round(y + ((toY - y) * (n + 1)) / steps),
  ));
}

/** @typedef {import('../../protocol/message').TargetInfo} TargetInfo */

/**
 * Reads where pieces can go, as the server tells it of a game: for each piece its square and where it can go, behind an
 * `x` each what that captures, and `!` if it wins. A server of the version before tells each move at length.
 * @param {(string | TargetInfo)[]} reach
 * @returns {TargetInfo[]}
 */
export function readTargets(reach) {
  return reach.flatMap((piece) => {
    if (typeof piece !== 'string') return [piece];
    const [from, ...words] = piece.split(' ');
    return words.map((word) => {
      const wins = word.endsWith('!');
      const [to, ...takes] = (wins ? word.slice(0, -1) : word).split('x');
      return { from, to, takes, wins };
    });
  });
}
