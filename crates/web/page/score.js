// @ts-check
/** Scores in signs and words. Scores are White's. */

import { number, t } from './text.js';

/** @typedef {import('../protocol/message').ScoreInfo} Score */
/** @typedef {import('./text.js').Key} Key */

/**
 * A score in a few signs: `+1.9`, `#5` if White wins in five plies, `#−5` if Black does, `++` and `−−` if that is not proved.
 * @param {Score} score
 */
export function scoreSign({ units, winner, plies }) {
  const isWhite = winner === 'white';
  if (winner && plies === 0) return isWhite ? '1–0' : '0–1';
  if (winner && plies !== null) return `#${isWhite ? '' : '−'}${plies}`;
  if (winner) return isWhite ? '++' : '−−';
  return hundredths(units ?? 0, 1);
}

/**
 * Hundredths of a man with a sign.
 * @param {number} units
 * @param {number} digits
 */
export function hundredths(units, digits = 2) {
  const text = number(Math.abs(units) / 100, digits);
  if (Number(Math.abs(units / 100).toFixed(digits)) === 0) return text;
  return `${units < 0 ? '−' : '+'}${text}`;
}

/**
 * What a score means.
 * @param {Score} score
 */
export function scoreWords({ chance, winner, plies }) {
  if (winner && plies === 0) return t(winner === 'white' ? 'whiteHasWon' : 'blackHasWon');
  if (winner && plies !== null) return t(winner === 'white' ? 'whiteWinsIn' : 'blackWinsIn', { n: plies });
  const [edge, isWhite] = [Math.abs(chance - 500), chance > 500];
  if (edge < 50) return t('aboutEqual');
  if (edge < 150) return t(isWhite ? 'whiteSlightlyBetter' : 'blackSlightlyBetter');
  if (edge < 400) return t(isWhite ? 'whiteBetter' : 'blackBetter');
  return t(isWhite ? 'whiteWinning' : 'blackWinning');
}

/**
 * A move as people write it.
 * @param {string} step
 */
export function dashed(step) {
  return `${step.slice(0, 2)}–${step.slice(2)}`;
}
