// @ts-check
/** A visitor's own games. */

import { miniature } from '../board/miniature.js';
import { parse } from '../board/state.js';
import { h, wayBack } from '../dom.js';
import { lang, t } from '../text.js';
import { playerName } from './names.js';

/** @param {import('../app.js').App} app */
export async function showGames(app) {
  const page = h('article', { class: 'page' }, wayBack('#library', t('library')), h('h1', {}, t('games')));
  app.main.replaceChildren(page);
  const answer = await app.ask('games');
  const games = answer?.games ?? [];
  if (!games.length) {
    page.append(nextStep(app, t('noGames'), '#play', t('newGame')));
    return;
  }
  page.append(gameList(app, games));
}

/**
 * What an empty list says, and what to do about it.
 * @param {import('../app.js').App} app
 * @param {string} text
 * @param {string} href
 * @param {string} label
 */
export function nextStep(app, text, href, label) {
  const ground = app.set(app.defaultRules);
  return h('div', { class: 'next-step', 'data-part': 'next-step' }, miniature(ground, parse(ground.start).pieces), h('p', { class: 'muted' }, text), h('a', { class: 'button main', href }, label));
}

/**
 * Games as cards that lead to them.
 * @param {import('../app.js').App} app
 * @param {import('../../protocol/message').GameEntry[]} games
 */
export function gameList(app, games) {
  const date = new Intl.DateTimeFormat(lang(), { dateStyle: 'medium', timeStyle: 'short' });
  return h('ul', { class: 'game-list' }, games.map((game) => {
    const name = (/** @type {import('../../protocol/message').SideName} */ side) => playerName(game.seats[side], side, game.yours.length === 1 && game.yours.includes(side));
    return h('li', {}, h('a', { class: 'card', href: `#game/${game.game}`, 'data-game': game.game },
      h('span', { class: 'game-players' },
        h('span', { class: 'chip white' }), name('white'), h('span', { class: 'versus' }, '–'),
        h('span', { class: 'chip black' }), name('black')),
      h('span', { class: 'muted' }, `${app.set(game.rules).name} · ${t('movesCount', { n: game.plies })}`),
      h('span', { class: game.outcome ? undefined : 'good-text' }, game.outcome ? game.outcome.text : t('openGame')),
      h('time', { class: 'muted' }, date.format(game.changedMs))));
  }));
}
