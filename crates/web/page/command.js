// @ts-check
/** What people type into the command field: squares, moves, pieces, words. */

import { words } from './text.js';

/** @typedef {import('./board/state.js').Piece} Piece */
/**
 * @typedef {{ kind: 'move', step: string } | { kind: 'square', square: string }
 *   | { kind: 'put', square: string, piece: Piece | null } | { kind: 'word', word: Word }} Command
 */
/** @typedef {typeof WORDS[number]} Word */

const WORDS = /** @type {const} */ (['flip', 'rotate', 'start', 'clear', 'undo', 'redo', 'hint', 'help', 'game', 'resign']);

/** Signs and letters that mean the same in every language. */
const SIGNS = new Map(/** @type {[string, Piece | null][]} */ ([
  ['b', 'b'], ['w', 'w'], ['k', 'K'], ['e', null], ['.', null], ['-', null], ['x', null],
]));

/**
 * The piece that was named; nothing if none was, null for an empty square.
 * @param {string} name
 * @returns {Piece | null | undefined}
 */
function pieceOf(name) {
  const pieces = /** @type {const} */ (['b', 'w', 'K']);
  const piece = pieces.find((one) => words(`word_${one}`).includes(name));
  if (piece) return piece;
  return words('word_empty').includes(name) ? null : SIGNS.get(name);
}

/**
 * Reads what was typed; nothing if it means nothing.
 * @param {string} text
 * @returns {Command | null}
 */
export function parseCommand(text) {
  const typed = text.trim().toLowerCase().replace(/^\//, '');
  const word = WORDS.find((one) => words(`word_${one}`).includes(typed));
  if (word) return { kind: 'word', word };
  const put = typed.match(/^([a-i][1-9])\s*[= ]\s*(\S+)$/);
  const piece = put ? pieceOf(put[2]) : undefined;
  if (put && piece !== undefined) return { kind: 'put', square: put[1], piece };
  const move = typed.match(/^([a-i][1-9])\s*(\D*?)\s*([a-i][1-9])$/);
  if (move && ['', '-', '>', '→', ...words('word_to')].includes(move[2])) return { kind: 'move', step: move[1] + move[3] };
  if (/^[a-i][1-9]$/.test(typed)) return { kind: 'square', square: typed };
  return null;
}
