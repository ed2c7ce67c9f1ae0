// @ts-check
/** The two players of a game, with what they took and what their clocks show. */

import { other, parse, sideOf } from '../board/state.js';
import { clockText, leftNow, urgency } from '../clock.js';
import { h } from '../dom.js';
import { t } from '../text.js';
import { playerName } from './names.js';

/** @typedef {import('../../protocol/message').GameState} GameState */
/** @typedef {import('../../protocol/message').SideName} Side */

/**
 * How many pieces a side has lost.
 * @param {GameState} game
 * @param {Side} side
 */
function lost(game, side) {
  const start = [...parse(game.start).pieces.values()].filter((piece) => sideOf(piece) === side).length;
  return Math.max(0, start - game.seats[side].men);
}

/**
 * @param {GameState} game
 * @param {Side} side
 */
export function playerCard(game, side) {
  const seat = game.seats[side];
  const isYou = game.yours.length === 1 && game.yours[0] === side;
  const role = side === 'white' ? t('whiteSide') : t('blackSide');
  const isThinking = game.running === side && seat.player !== 'person';
  const status = !seat.taken || !seat.present ? t(seat.taken ? 'away' : 'waiting') : isThinking && t('thinking');
  const taken = lost(game, other(side));
  const { outcome } = game;
  const result = outcome && (outcome.winner === null ? '½' : outcome.winner === side ? '1' : '0');
  return h('section', { class: `card player${game.turn === side && !game.outcome ? ' on' : ''}`, 'data-player': side, 'aria-label': t(side) },
    h('span', { class: `chip ${side}` }),
    h('div', { class: 'who' },
      h('strong', {}, playerName(seat, side, isYou)),
      h('span', { class: 'muted' }, role, status && ` · ${status}`,
        taken > 0 && h('span', { class: 'taken', role: 'img', 'aria-label': t('taken', { n: taken }), title: t('taken', { n: taken }) },
          Array.from({ length: taken }, () => h('span', { class: `chip small ${other(side)}` }))))),
    result && h('strong', { class: 'result' }, result),
    seat.left !== null && h('output', { class: 'clock', 'data-clock': side }, clockText(seat.left)));
}

/**
 * Lets the clocks show what is left now.
 * @param {HTMLElement} main
 * @param {GameState} game
 * @param {number} since when the game was as it is
 */
export function turnClocks(main, game, since) {
  for (const side of /** @type {Side[]} */ (['black', 'white'])) {
    const { left } = game.seats[side];
    const clock = main.querySelector(`[data-clock="${side}"]`);
    if (left === null || !clock) continue;
    const runs = game.running === side;
    const ms = leftNow(left, since, performance.now(), runs);
    clock.textContent = clockText(ms);
    clock.className = `clock${runs ? ` running ${urgency(ms)}` : ''}`;
  }
}
