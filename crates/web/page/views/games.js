// @ts-check
/** A visitor's own games. */

import { h } from '../dom.js';
import { lang, t } from '../text.js';
import { playerName } from './names.js';

/** @param {import('../app.js').App} app */
export async function showGames(app) {
  const page = h('article', { class: 'page' },
    h('div', { class: 'page-head' }, h('h1', {}, t('games')), h('a', { class: 'button', href: '#library' }, t('library'))));
  app.main.replaceChildren(page);
  const answer = await app.ask('games');
  const games = answer?.games ?? [];
  if (!games.length) {
    page.append(nextStep(t('noGames'), '#play', t('startGame')));
    return;
  }
  page.append(gameList(app, games));
}

/**
 * What an empty list says, and what to do about it.
 * @param {string} text
 * @param {string} href
 * @param {string} label
 */
export function nextStep(text, href, label) {
  return h('div', { class: 'next-step', 'data-part': 'next-step' }, h('p', { class: 'muted' }, text), h('a', { class: 'button main', href }, label));
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
      h('span', {}, game.outcome ? game.outcome.text : t('openGame')),
      h('time', { class: 'muted' }, date.format(game.changedMs))));
  }));
}
