// @ts-check
/** Keys that do what a button does: as people call them, as screen readers are told, and how they press it. */

import { t } from './text.js';

const NAMES = /** @type {const} */ ({ Enter: 'nameOfEnter', Ctrl: 'nameOfCtrl', Shift: 'nameOfShift', Home: 'nameOfHome', End: 'nameOfEnd', Del: 'nameOfDelete' });

/** @type {Record<string, string>} what screen readers are told in place of our signs */
const SPOKEN = { Ctrl: 'Control', Esc: 'Escape', '←': 'ArrowLeft', '→': 'ArrowRight', '⌫': 'Backspace', '−': '-', '+': 'Plus' };

/**
 * Keys by the names on people's keyboards.
 * @param {string} keys
 */
export function nameKeys(keys) {
  return keys.replace(/Enter|Ctrl|Shift|Home|End|Del/g, (name) => t(NAMES[/** @type {keyof typeof NAMES} */ (name)]));
}

/**
 * What a button with a key says of it: in its tooltip, and to screen readers.
 * @param {string} label
 * @param {string} [key]
 */
export function told(label, key) {
  if (!key) return { title: label };
  const spoken = SPOKEN[key] ?? key.replace(/^Ctrl(?=\+)/, SPOKEN.Ctrl);
  return { title: `${label} (${nameKeys(key)})`, 'aria-keyshortcuts': spoken };
}

/**
 * Presses the button in a place that says it has this key, so that a key can do what its button can, and no more.
 * @param {Element} place
 * @param {KeyboardEvent} event
 * @returns {boolean} whether there is one
 */
export function pressByKey(place, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const buttons = /** @type {NodeListOf<HTMLElement>} */ (place.querySelectorAll('[aria-keyshortcuts]:not([hidden])'));
  const button = [...buttons].find((one) => one.getAttribute('aria-keyshortcuts') === event.key.toLowerCase());
  // A key that is held down presses once.
  if (!event.repeat) button?.click();
  return Boolean(button);
}
