// @ts-check
/** Clocks as people read them. */

import { number } from './text.js';

/**
 * Time left as text: minutes and seconds, with tenths at the very end.
 * @param {number} ms
 */
export function clockText(ms) {
  const left = Math.max(0, ms);
  if (left < 10_000) return number(Math.floor(left / 100) / 10, 1);
  const seconds = Math.ceil(left / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  if (hours) return `${hours}:${two(minutes)}:${two(seconds % 60)}`;
  return `${minutes}:${two(seconds % 60)}`;
}

/**
 * How urgent it is: amber at 15 s, orange at 10, red at 5.
 * @param {number} ms
 * @returns {'calm' | 'amber' | 'orange' | 'red'}
 */
export function urgency(ms) {
  if (ms <= 5000) return 'red';
  if (ms <= 10_000) return 'orange';
  return ms <= 15_000 ? 'amber' : 'calm';
}

/**
 * What is left of a time that was true a while ago.
 * @param {number} left
 * @param {number} since when it was true, in milliseconds
 * @param {number} now
 * @param {boolean} runs
 */
export function leftNow(left, since, now, runs) {
  return runs ? Math.max(0, left - (now - since)) : left;
}
