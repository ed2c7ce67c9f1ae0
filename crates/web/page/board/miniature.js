// @ts-check
/** A small picture of a position, for slots and lists. */

import { place, squares } from './state.js';
import { svg } from './shapes.js';

/**
 * @param {import('./board.js').Ground} ground
 * @param {Map<string, import('./state.js').Piece>} pieces
 * @param {string[]} [marked] squares of the last move
 */
export function miniature(ground, pieces, marked = []) {
  const shapes = [svg('rect', { width: ground.size, height: ground.size, class: 'square plain' })];
  for (const square of squares(ground.size)) {
    const [x, y] = place(square);
    const special = [[ground.castle], ground.camps, ground.escapes].findIndex((list) => list.includes(square));
    if (special >= 0) {
      shapes.push(svg('rect', { x, y, width: 1, height: 1, class: `square ${['castle', 'camp', 'escape'][special]}` }));
    }
    if (marked.includes(square)) shapes.push(svg('rect', { x, y, width: 1, height: 1, class: 'last' }));
    const piece = pieces.get(square);
    if (piece) {
      const look = { b: 'attacker', w: 'defender', K: 'king' }[piece];
      shapes.push(svg('circle', { cx: x + 0.5, cy: y + 0.5, r: 0.4, class: `mini ${look}` }));
    }
  }
  return svg('svg', { viewBox: `0 0 ${ground.size} ${ground.size}`, class: 'miniature', 'aria-hidden': 'true' }, shapes);
}
