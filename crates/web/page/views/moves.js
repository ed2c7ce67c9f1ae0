// @ts-check
/** The moves of a game as a list. */

import { button, h } from '../dom.js';
import { t } from '../text.js';

/** @typedef {import('../../protocol/message').SideName} Side */

/**
 * Moves in two columns; each can be clicked.
 * @param {[string, string[]][]} plies
 * @param {Side} first who moved first
 * @param {number} shown
 * @param {(ply: number) => void} look
 */
export function moveTable(plies, first, shown, look) {
  if (!plies.length) return h('p', { class: 'muted' }, t('noMoves'));
  const list = h('ol', { class: 'moves', 'data-first': first });
  for (let n = 0; n < plies.length; n += 2) {
    const cells = [n, n + 1].filter((ply) => ply < plies.length).map((ply) => {
      const [step, captured] = plies[ply];
      const text = `${step.slice(0, 2)}–${step.slice(2)}${captured.length ? ` ×${captured.length > 1 ? captured.length : ''}` : ''}`;
      return button(text, () => look(ply + 1), { class: 'move', 'data-ply': ply + 1, 'aria-current': ply + 1 === shown ? 'true' : undefined });
    });
    list.append(h('li', {}, h('span', { class: 'number' }, n / 2 + 1), ...cells));
  }
  return list;
}
