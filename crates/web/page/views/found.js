// @ts-check
/** Games that are over, as cards with their last board. */

import { miniature } from '../board/miniature.js';
import { parse } from '../board/state.js';
import { h } from '../dom.js';
import { analysisPath } from '../link.js';
import { lang, number, t } from '../text.js';
import { playerName } from './names.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').FoundGame} FoundGame */
/** @typedef {import('../../protocol/message').SideName} Side */

/**
 * What a player of a list is called: a person by name, a program by what it is.
 * @param {string} name
 * @param {Side} side
 */
export function labelName(name, side) {
  if (!name) return t(side);
  const isProgram = /^(level|time|nodes):|^random$/.test(name);
  return isProgram ? playerName({ player: name, name: null, taken: true, present: true, men: 0, left: null }, side, false) : name;
}

/**
 * Where a game is opened: by its id, or as moves on the analysis board.
 * @param {FoundGame} game
 */
export function gameHref(game) {
  return game.game ? `#game/${game.game}` : `#${analysisPath({ rules: game.rules, line: game.moves ?? [] }).slice(1)}`;
}

/**
 * @param {App} app
 * @param {FoundGame} game
 * @param {...(HTMLElement | false)} more
 */
export function foundCard(app, game, ...more) {
  const date = new Intl.DateTimeFormat(lang(), { dateStyle: 'medium' });
  const player = (/** @type {Side} */ side) => h('span', { class: 'found-player' }, h('span', { class: `chip ${side}` }),
    h('span', {}, labelName(game.players[side].name, side), game.players[side].rating !== null && h('span', { class: 'muted' }, number(game.players[side].rating ?? 0))));
  const ground = app.set(game.rules);
  const last = parse(game.last);
  return h('li', { class: 'card found', 'data-found': game.game || 'shipped' },
    h('a', { class: 'found-link', href: gameHref(game) },
      // A board that is not of this server has no picture.
      ground.size === last.size && miniature(ground, last.pieces),
      h('span', { class: 'found-text' },
        player('white'), player('black'),
        h('span', {}, game.outcome.text),
        h('span', { class: 'muted' }, ground.name),
        h('span', { class: 'muted' }, [t('movesCount', { n: game.plies }), game.endedMs !== null && date.format(game.endedMs)].filter(Boolean).join(' · ')))),
    ...more);
}
