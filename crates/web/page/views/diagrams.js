// @ts-check
/** Pictures of how men and kings are taken and how the king gets out, as far as a rule set has it so. */

import { Board } from '../board/board.js';
import { parse } from '../board/state.js';
import { h } from '../dom.js';
import { t } from '../text.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').SetInfo} SetInfo */

/**
 * Positions and moves worth a picture. The server says what each move does; one that does nothing under a rule
 * set, or does not fit its board, is not shown.
 * @type {[setup: string, step: string][]}
 */
const EXAMPLES = [
  // A man between two, against an empty camp, and against the empty castle.
  ['9/9/1bw2b3/9/4K4/9/9/9/9 b', 'f3d3'],
  ['9/9/4w4/7b1/9/9/2K6/9/9 b', 'h4e4'],
  ['9/9/2b6/9/3w5/9/6K2/9/9 b', 'c3c5'],
  // The king in the castle, beside it, and elsewhere.
  ['9/9/9/7b1/3bKb3/4b4/9/9/9 b', 'h4e4'],
  ['9/9/7b1/3bKb3/9/9/9/9/9 b', 'h3e3'],
  ['9/9/1bK3b2/9/9/9/9/9/9 b', 'g3d3'],
  // The way out.
  ['9/9/3K5/9/9/9/9/9/b8 w', 'd3a3'],
  // The same on a board of seven.
  ['7/7/b1w1b2/3K3/7/7/7 b', 'e3d3'],
  ['7/7/3b3/2bK2b/3b3/7/7 b', 'g4e4'],
  ['7/3K3/7/7/7/7/b6 w', 'd2d1'],
];

/**
 * @param {App} app
 * @param {SetInfo} set
 */
export async function diagrams(app, set) {
  const asked = EXAMPLES.filter(([setup]) => parse(setup).size === set.size).map(async ([setup, step]) => {
    const answer = await app.socket.ask('study', { rules: set.id, setup, moves: [step] }).catch(() => null);
    if (!answer?.study) return null;
    const taken = answer.study.captures.at(-1) ?? [];
    const words = answer.study.outcome ?? (taken.length ? t('takesOn', { n: taken.length, squares: taken.join(', ') }) : null);
    return words && figure(set, setup, step, taken, words);
  });
  const shown = (await Promise.all(asked)).filter((one) => one !== null);
  return shown.length ? h('div', { class: 'diagrams' }, shown) : null;
}

/**
 * @param {SetInfo} set
 * @param {string} setup
 * @param {string} step
 * @param {string[]} taken
 * @param {string} words
 */
function figure(set, setup, step, taken, words) {
  const frame = h('div', { class: 'diagram-board', inert: true });
  const board = new Board(frame, set, { press: () => {}, drop: () => {}, canDrag: () => false, label: (square) => square });
  board.showStarts = false;
  board.build();
  board.setPieces(parse(setup).pieces, null);
  board.setMarks({ hint: step, threats: taken });
  return h('figure', {}, frame, h('figcaption', {}, words));
}
