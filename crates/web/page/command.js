// @ts-check
/** What people type into the command field: squares, moves, pieces, words. Pure. */

/** @typedef {import('./board/state.js').Piece} Piece */
/**
 * @typedef {{ kind: 'move', step: string } | { kind: 'square', square: string }
 *   | { kind: 'put', square: string, piece: Piece | null } | { kind: 'word', word: Word }} Command
 */
/** @typedef {'flip' | 'rotate' | 'start' | 'clear' | 'undo' | 'redo' | 'hint' | 'help' | 'game' | 'resign'} Word */

/** @type {Record<string, Word>} */
const WORDS = {
  flip: 'flip', gira: 'flip', rotate: 'rotate', ruota: 'rotate', start: 'start', inizio: 'start',
  reset: 'start', clear: 'clear', vuota: 'clear', undo: 'undo', annulla: 'undo', redo: 'redo',
  ripeti: 'redo', hint: 'hint', suggerisci: 'hint', help: 'help', aiuto: 'help', game: 'game',
  partita: 'game', resign: 'resign', abbandona: 'resign',
};

/** @type {Record<string, Piece | null>} */
const PIECES = {
  b: 'b', black: 'b', nero: 'b', w: 'w', white: 'w', bianco: 'w', k: 'K', king: 'K', re: 'K',
  e: null, empty: null, vuoto: null, '.': null, '-': null, x: null,
};

/**
 * Reads what was typed; nothing if it means nothing.
 * @param {string} text
 * @returns {Command | null}
 */
export function parseCommand(text) {
  const words = text.trim().toLowerCase().replace(/^\//, '');
  const word = Object.hasOwn(WORDS, words) ? WORDS[words] : null;
  if (word) return { kind: 'word', word };
  const put = words.match(/^([a-i][1-9])\s*[= ]\s*(\S+)$/);
  if (put && Object.hasOwn(PIECES, put[2])) return { kind: 'put', square: put[1], piece: PIECES[put[2]] };
  const move = words.match(/^([a-i][1-9])\s*(?:-|to|a|>|→)?\s*([a-i][1-9])$/);
  if (move) return { kind: 'move', step: move[1] + move[2] };
  if (/^[a-i][1-9]$/.test(words)) return { kind: 'square', square: words };
  return null;
}
