// @ts-check
/** What can be done in a game: one row of icons, and a window with the rest. */

import { other } from '../board/state.js';
import { openDialog } from '../dialog.js';
import { button, h } from '../dom.js';
import { icon, iconButton } from '../icons.js';
import { told } from '../keys.js';
import { gamePath } from '../link.js';
import { t } from '../text.js';
import { openRules } from './rules.js';
import { openShare } from './share.js';

/** @typedef {import('./game.js').GameView} GameView */
/** @typedef {import('../../protocol/message').GameState} GameState */

/**
 * @param {GameView} view
 * @param {GameState} game
 * @param {number} shown
 */
export function actionRow(view, game, shown) {
  if (view.asked && !game.outcome) return question(view, view.asked);
  return h('div', { class: 'icon-row', role: 'toolbar', 'aria-label': t('actions') },
    steps(view, game, shown), h('span', { class: 'gap' }), game.outcome ? afterwards(view, game, shown) : wishes(view, game),
    iconButton('flip', t('flip'), () => view.stage?.flip(), { key: 'v', 'data-act': 'flip' }),
    iconButton('more', t('more'), () => openMore(view, game, shown), { key: '.', 'data-act': 'more' }));
}

/** @param {GameView} view @param {GameState} game @param {number} shown */
function steps(view, game, shown) {
  const count = game.plies.length;
  const step = (/** @type {'first' | 'back' | 'forward' | 'last'} */ name, /** @type {string} */ label, /** @type {number} */ ply, /** @type {string} */ key) => {
    const to = Math.max(0, Math.min(count, ply));
    return iconButton(name, label, () => view.look(to), {
      key, disabled: to === shown, 'data-step': name, class: name === 'first' || name === 'last' ? 'far' : '',
    });
  };
  return [step('first', t('first'), 0, 'Home'), step('back', t('back'), shown - 1, '←'),
    step('forward', t('forward'), shown + 1, '→'), step('last', t('lastPosition'), count, 'End')];
}

/**
 * What a player may want while the game goes on.
 * @param {GameView} view
 * @param {GameState} game
 */
function wishes(view, game) {
  if (!game.yours.length || !game.started) return [];
  const isAlone = game.yours.length === 2;
  const hasPeople = game.yours.length === 1 && game.seats[other(game.yours[0])].player === 'person';
  return [
    !hasPeople && iconButton('hint', t('hint'), () => view.askHint(), { key: 'h', 'data-act': 'hint' }),
    game.takeBacks && iconButton('undo', t('takeBack'), () => view.wish('takeBack'), { key: 'u', 'data-act': 'take-back', disabled: game.plies.length === 0 }),
    iconButton('draw', t('offerDraw'), () => (isAlone ? view.ask('draw') : view.wish('offerDraw')), { key: 'd', 'data-act': 'offer-draw' }),
    iconButton('resign', t('resign'), () => view.ask('resign'), { key: 'r', 'data-act': 'resign', class: 'grave' }),
  ];
}

/** @param {GameView} view @param {GameState} game @param {number} shown */
function afterwards(view, game, shown) {
  const hasMoves = game.plies.length > 1;
  // Where there is little room it is among the rest.
  const analyse = iconButton('analysis', t('analyse'), () => view.analyse(shown), { key: 'a', 'data-act': 'analyse', class: hasMoves ? 'roomy' : '' });
  const review = hasMoves && h('button', { type: 'button', class: 'review-button', 'data-act': 'review-game', ...told(t('reviewHint'), 'h'), onclick: () => view.review() }, icon('review'), h('span', {}, t('reviewGame')));
  if (game.rematch) return [h('a', { class: 'button main', href: `#game/${game.rematch}`, 'data-act': 'join-rematch' }, t('joinRematch')), review, analyse];
  if (!game.yours.length) return [review, analyse];
  return [h('button', { type: 'button', class: 'main', 'data-act': 'rematch', ...told(t('rematch'), 'n'), onclick: () => view.rematch() }, icon('rematch'), t('rematch')), review, analyse];
}

/**
 * Asks once more before something that cannot be undone.
 * @param {GameView} view
 * @param {'resign' | 'draw'} what
 */
function question(view, what) {
  const isResign = what === 'resign';
  return h('div', { class: 'icon-row question', role: 'group', 'aria-label': t(isResign ? 'reallyResign' : 'reallyDraw') },
    h('span', {}, t(isResign ? 'reallyResign' : 'reallyDraw')),
    button(t(isResign ? 'resign' : 'draw'), () => view.wish(isResign ? 'resign' : 'offerDraw'), { class: isResign ? 'bad' : 'main', 'data-act': isResign ? 'resign' : 'offer-draw' }),
    button(t('keepPlaying'), () => view.ask(null), { 'data-act': 'keep-playing' }));
}

/** @param {GameView} view @param {GameState} game @param {number} shown */
function openMore(view, game, shown) {
  const hasPeople = game.yours.length === 1 && game.seats[other(game.yours[0])].player === 'person';
  const item = (/** @type {import('../icons.js').IconName} */ name, /** @type {string} */ label, /** @type {string} */ act, /** @type {() => void} */ done, /** @type {string} */ key = '') => h('button', {
    type: 'button', class: 'item', 'data-act': act, onclick: () => { dialog.close(); done(); },
  }, icon(name), h('span', {}, label), key && h('kbd', {}, key));
  const dialog = openDialog(t('more'), h('div', { class: 'items' },
    // Against a person the engine does not help.
    (game.outcome || !game.yours.length || !hasPeople) && item('analysis', t('analyse'), 'analyse', () => view.analyse(shown)),
    game.plies.length > 0 && item('save', t('saveGame'), 'save', () => view.save()),
    game.plies.length > 0 && item('copy', t('copyGame'), 'copy', () => view.copyRecord()),
    item('share', t('share'), 'share', () => openShare(view.app, gamePath(game.game, { turn: view.stage?.board?.turn }), { moves: game.plies.length > 0 })),
    item('rules', t('rules'), 'rules', () => openRules(view.app, game.rules)),
    item('rotate', t('rotate'), 'rotate', () => view.stage?.rotate(), 'o'),
    item('full', t('fullScreen'), 'full', () => view.app.fullScreen(), 'f'),
    item('zen', t('zen'), 'zen', () => view.stage?.zen(), 'z')));
}
