// @ts-check
/** What the page says, in the language that was chosen. */

import en from './text/en.js';
import { LANGUAGES } from './text/languages.js';

/** @typedef {typeof LANGUAGES[number][0]} Lang */
/** @typedef {keyof typeof en} Key */
/**
 * A text for each of the language's plural forms (those of `Intl.PluralRules`), chosen by the gap `{n}`.
 * @typedef {{ other: string } & Partial<Record<Intl.LDMLPluralRule, string>>} Plural
 */
/**
 * What every language has.
 * @typedef {{ [K in Key]: (typeof en)[K] extends string ? string : Plural }} Texts
 */
/** @typedef {Record<string, string | number>} Values */

/** @type {Lang} */
let current = 'en';

/** @type {Texts} */
let texts = en;

/**
 * Speaks a language from now on, once its texts are here.
 * @param {Lang} lang
 */
export async function setLang(lang) {
  // English comes with the page: whatever else fails, there is something to say.
  texts = lang === 'en' ? en : (await import(`./text/${lang}.js`)).default;
  current = lang;
  if (typeof document !== 'undefined') document.documentElement.lang = lang;
}

export function lang() {
  return current;
}

/**
 * A text, with values for its gaps: `{n}`.
 * @param {Key} key
 * @param {Values} [values]
 */
export function t(key, values = {}) {
  return fill(texts[key], values, current);
}

/**
 * @param {string | Plural} text
 * @param {Values} values
 * @param {string} [lang]
 */
export function fill(text, values, lang = current) {
  const form = typeof text === 'string' ? text : text[new Intl.PluralRules(lang).select(Number(values.n))] ?? text.other;
  return form.replace(/\{(\w+)\}/g, (gap, name) => {
    const value = values[name] ?? gap;
    return typeof value === 'number' ? number(value, 0, 3, lang) : value;
  });
}

/**
 * A number as people write it.
 * @param {number} value
 * @param {number} [digits] at least this many behind the point
 * @param {number} [most] at most this many
 * @param {string} [lang]
 */
export function number(value, digits = 0, most = digits, lang = current) {
  return new Intl.NumberFormat(lang, { useGrouping: false, minimumFractionDigits: digits, maximumFractionDigits: most }).format(value).replace('-', '−');
}

/** @type {Record<Lang, [string, string]>} */
const QUOTES = { en: ['“', '”'], de: ['„', '“'], it: ['«', '»'] };

/**
 * A sentence of the server with quotation marks and apostrophes as people print them. What is written in a record, in square brackets, stays
 * as it has to be typed.
 * @param {string} text
 * @param {Lang} [lang]
 */
export function printed(text, lang = current) {
  const [open, close] = QUOTES[lang];
  return text.replace(/\[[^\]]*\]|"((?:[^"\\]|\\.)*)"|(?<=\p{L})'(?=\p{L})/gu, (all, quoted) => {
    if (all === "'") return '’';
    return quoted === undefined ? all : `${open}${quoted}${close}`;
  });
}

/**
 * How many there are: large numbers in groups.
 * @param {number} value
 */
export function count(value) {
  return new Intl.NumberFormat(current).format(value);
}

/**
 * The words that can be typed for something, in English and in the language that was chosen.
 * @param {Key} key
 */
export function words(key) {
  return [en[key], texts[key]].flatMap((text) => typeof text === 'string' ? text.split(' ') : []);
}

/**
 * The language with a code, if we speak it.
 * @param {string | null | undefined} code
 * @returns {Lang | null}
 */
export function knownLang(code) {
  return LANGUAGES.find(([known]) => known === code)?.[0] ?? null;
}

/**
 * The language of the browser, as far as we speak it.
 * @param {readonly string[]} wanted
 * @returns {Lang}
 */
export function firstLang(wanted) {
  for (const code of wanted) {
    const known = knownLang(code.split('-')[0].toLowerCase());
    if (known) return known;
  }
  return 'en';
}
