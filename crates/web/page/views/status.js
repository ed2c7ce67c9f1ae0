// @ts-check
/** How a game stands, in words: whose turn it is, what is offered, who is waited for, how it ended. */

import { other } from '../board/state.js';
import { button, h } from '../dom.js';
import { gamePath } from '../link.js';
import { t } from '../text.js';
import { isHere, site } from './share.js';

/** @typedef {import('./game.js').GameView} GameView */
/** @typedef {import('../../protocol/message').GameState} GameState */
/** @typedef {import('../../protocol/message').SideName} Side */
/** @typedef {import('../../protocol/message').WishName} WishName */

/** @param {GameView} view @param {GameState} game */
export function statusLines(view, game) {
  return h('div', { class: 'status' },
    h('div', { class: 'status-line' }, head(view, game), call(game), !game.yours.length && !game.outcome && h('span', { class: 'muted' }, t('watching'))),
    view.pending?.shown && h('p', { class: 'note', role: 'status', 'data-part': 'pending' }, t('pendingMove', { step: view.pending.step })),
    offers(view, game));
}

/** @param {GameView} view @param {GameState} game */
function head(view, game) {
  if (game.outcome) return h('p', { class: 'outcome', 'data-outcome': game.outcome.winner ?? 'draw' }, game.outcome.text);
  if (!game.started) return h('p', { class: 'muted' }, t('waiting'));
  const turn = view.next(game);
  const isYours = game.yours.length === 1 && game.yours.includes(turn);
  return h('p', { class: 'turn' }, isYours ? t('yourTurn') : t('turnOf', { side: t(turn) }));
}

/**
 * The king's ways out as they are called; more than two are counted.
 * @param {{ call?: string | null, lanes: unknown[] }} position
 */
export function callText(position) {
  if (position.call === 'raichi') return t('raichi');
  if (position.call !== 'tuichu') return '';
  return position.lanes.length > 2 ? t('tuichuMany', { n: position.lanes.length }) : t('tuichu');
}

/** @param {GameState} game */
function call(game) {
  const text = callText(game);
  return text && h('span', { class: 'call' }, text);
}

/** @param {GameView} view @param {GameState} game */
function offers(view, game) {
  /** @type {HTMLElement[]} */
  const lines = [];
  if (game.outcome) return lines;
  const isMine = (/** @type {Side | null} */ side) => side !== null && game.yours.length === 1 && game.yours[0] === side;
  const isTheirs = (/** @type {Side | null} */ side) => side !== null && isMine(other(side));
  const answer = (/** @type {string} */ text, /** @type {WishName} */ yes, /** @type {WishName} */ no) => h('div', { class: 'offer' },
    h('p', {}, text), h('div', { class: 'actions' },
      button(t('accept'), () => view.wish(yes), { class: 'main', 'data-act': 'accept' }), button(t('decline'), () => view.wish(no), { 'data-act': 'decline' })));
  const say = (/** @type {string} */ text, /** @type {string} */ part) => h('p', { class: 'muted', 'data-part': part }, text);
  if (game.unserved) lines.push(say(t('engineAway'), 'engine-away'));
  if (isTheirs(game.drawOffer)) lines.push(answer(t('drawOffered', { who: t(other(game.yours[0])) }), 'offerDraw', 'declineDraw'));
  if (isMine(game.drawOffer)) lines.push(say(t('drawWaiting'), 'draw-waiting'));
  if (isTheirs(game.drawDeclined)) lines.push(say(t('drawDeclined', { who: t(other(game.yours[0])) }), 'draw-declined'));
  if (isTheirs(game.takeBack)) lines.push(answer(t('takeBackAsked', { who: t(other(game.yours[0])) }), 'takeBack', 'declineTakeBack'));
  if (isMine(game.takeBack)) lines.push(say(t('takeBackWaiting'), 'take-back-waiting'));
  if (isTheirs(game.takeBackDeclined)) lines.push(say(t('takeBackDeclined', { who: t(other(game.yours[0])) }), 'take-back-declined'));
  return lines;
}

/**
 * The links for the other player and for those who watch, until a second player is there.
 * @param {GameView} view
 * @param {GameState} game
 */
export function invitation(view, game) {
  const base = site(view.app);
  const isOnlyHere = isHere() && base === location.origin;
  const path = base + gamePath(game.game);
  const link = (/** @type {string} */ text, /** @type {'play' | 'watch'} */ hook) => h('div', { class: 'link-line' },
    h('input', {
      readonly: true, value: text, 'data-link': hook, 'aria-label': t(hook === 'play' ? 'invite' : 'watchLink'),
      onfocus: (/** @type {FocusEvent} */ event) => /** @type {HTMLInputElement} */ (event.target).select(),
    }),
    button(t('copyLink'), () => view.copy(text), hook === 'play' ? { class: 'main' } : {}));
  return h('div', { class: 'invitation', 'data-part': 'invitation' },
    h('h2', {}, t('invite')), link(`${path}#${game.invitation}`, 'play'), h('p', { class: 'muted' }, t('inviteHint')),
    isOnlyHere && h('p', { class: 'note' }, t('onlyHere')),
    h('h3', {}, t('watchLink')), link(path, 'watch'),
    h('div', { class: 'actions' }, button(t('cancelGame'), () => view.cancel(), { 'data-act': 'cancel-game' })));
}
