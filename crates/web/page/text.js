// @ts-check
/** What the page says, in the language that was chosen. */

import en from './text/en.js';
import it from './text/it.js';

/** @typedef {'en' | 'it'} Lang */
/** @typedef {keyof typeof en} Key */

const TEXTS = { en, it };

/** @type {Lang} */
let current = 'en';

/** @param {Lang} lang */
export function setLang(lang) {
  current = lang;
  document.documentElement.lang = lang;
}

export function lang() {
  return current;
}

/**
 * A text, with values for its gaps: `{n}`.
 * @param {Key} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  return fill(TEXTS[current][key], values);
}

/** @param {string} text @param {Record<string, string | number>} values */
export function fill(text, values) {
  return text.replace(/\{(\w+)\}/g, (gap, name) => String(values[name] ?? gap));
}

/**
 * The language of the browser, as far as we speak it.
 * @param {readonly string[]} wanted
 * @returns {Lang}
 */
export function firstLang(wanted) {
  for (const code of wanted) {
    const two = code.slice(0, 2).toLowerCase();
    if (two === 'en' || two === 'it') return two;
  }
  return 'en';
}
