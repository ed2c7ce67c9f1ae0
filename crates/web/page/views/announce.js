// @ts-check
/** What a change of a game says: to a screen reader, to the ears, and in the tab of the browser. */

import { other } from '../board/state.js';
import { playSound } from '../sounds.js';
import { t } from '../text.js';
import { playerName } from './names.js';
import { callText } from './status.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').GameState} GameState */
/** @typedef {import('../../protocol/message').SideName} Side */

/**
 * @param {App} app
 * @param {GameState | null} before nothing when the game is seen first
 * @param {GameState} game
 */
export function announce(app, before, game) {
  entitle(app, game);
  if (!before) return;
  if (before.plies.length !== game.plies.length) speak(app, game);
  else if (!before.outcome && game.outcome) app.say(game.outcome.text);
  sound(before, game);
}

/**
 * Tells a screen reader of the last move.
 * @param {App} app
 * @param {GameState} game
 */
function speak(app, game) {
  const last = game.plies.at(-1);
  if (!last) return;
  const [step, captured] = last;
  const move = t('saidMove', { who: t(other(game.turn)), from: step.slice(0, 2), to: step.slice(2) });
  const words = [captured.length ? t('saidCaptures', { move, squares: captured.join(' ') }) : move, callText(game), game.outcome?.text];
  app.say(`${words.filter(Boolean).join('. ')}.`);
}

/**
 * One's own move was heard when it was made.
 * @param {GameState} before
 * @param {GameState} game
 */
function sound(before, game) {
  const last = game.plies.at(-1);
  const isOwn = game.yours.includes(other(game.turn));
  if (!before.outcome && game.outcome) playSound('end');
  else if (!before.started && game.started) playSound('begin');
  else if (game.plies.length <= before.plies.length || !last) return;
  else if (game.call && game.call !== before.call) playSound('call');
  else if (!isOwn) playSound(last[1].length ? 'capture' : 'move');
}

/**
 * Lets the tab say whose turn it is.
 * @param {App} app
 * @param {GameState} game
 */
function entitle(app, game) {
  const isYours = game.yours.length === 1 && game.yours.includes(game.turn) && game.started && !game.outcome;
  const name = (/** @type {Side} */ side) => playerName(game.seats[side], side, false);
  if (isYours) app.setTitle(`● ${t('yourTurn')}`, true);
  else if (game.outcome) app.setTitle(game.outcome.text);
  else if (!game.started) app.setTitle(t('waiting'));
  else app.setTitle(game.yours.length ? t('turnOf', { side: t(game.turn) }) : `${name('white')} – ${name('black')}`);
}
