// @ts-check
/** How the page looks and sounds to a visitor, and the window in which that is chosen. */

import { openDialog } from './dialog.js';
import { button, field, h, select, tick } from './dom.js';
import { isAudible } from './sounds.js';
import { knownLang, lang, t } from './text.js';
import { LANGUAGES } from './text/languages.js';

/** @typedef {import('./app.js').App} App */

/** What of the look is an attribute of the page, with its values; the first is the one nobody chose. */
export const LOOKS = /** @type {const} */ ({
  theme: ['auto', 'light', 'dark'],
  boardTheme: ['birch', 'slate', 'heath'],
  pieces: ['discs', 'carved'],
});

/** @typedef {keyof typeof LOOKS} Look */
/** @typedef {typeof LOOKS[Look][number]} LookValue */

/**
 * Gives the page a look; one that is not known is the first.
 * @param {Look} look
 * @param {string | null} value
 */
export function applyLook(look, value) {
  const values = /** @type {readonly LookValue[]} */ (LOOKS[look]);
  const known = values.find((one) => one === value) ?? values[0];
  document.documentElement.dataset[look] = known;
  return known;
}

/** Whether the page is dark, by choice or because the system is. */
export function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
}

/**
 * Tells somebody when the page becomes dark or light.
 * @param {() => void} hear
 * @returns {() => void} ends it
 */
export function watchTheme(hear) {
  const observer = new MutationObserver(hear);
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] });
  const system = matchMedia('(prefers-color-scheme: dark)');
  system.addEventListener('change', hear);
  return () => {
    observer.disconnect();
    system.removeEventListener('change', hear);
  };
}

/**
 * What this browser remembers by itself, so that the first picture is right.
 * @param {string} name
 */
export function recall(name) {
  try {
    return localStorage.getItem(`tablut-${name}`);
  } catch {
    return null;
  }
}

/** @param {string} name @param {string} value */
export function remember(name, value) {
  try {
    localStorage.setItem(`tablut-${name}`, value);
  } catch {
    // A browser that keeps nothing asks the server next time.
  }
}

/**
 * Whether the board has letters and numbers, which is so until somebody says otherwise.
 * @param {App} app
 */
export function hasCoordinates(app) {
  return app.setting('coordinates') !== 'off';
}

/** @param {App} app */
export function openSettings(app) {
  const look = (/** @type {Look} */ name, /** @type {string} */ label) => field(label, select(
    /** @type {readonly LookValue[]} */ (LOOKS[name]).map((value) => [value, t(`look_${value}`)]), document.documentElement.dataset[name] ?? '',
    (value) => app.chooseLook(name, value), { 'data-field': name },
  ));
  const languages = select(LANGUAGES.map(([code, name]) => [code, name]), lang(), (value) => {
    const next = knownLang(value);
    dialog.close();
    if (next) app.chooseLanguage(next);
  }, { 'data-field': 'settings-language' });
  for (const option of languages.options) option.lang = option.value;
  const dialog = openDialog(t('settings'), h('div', { class: 'dialog-text' },
    field(t('yourName'), button(app.welcome?.name ?? t('noName'), () => {
      dialog.close();
      app.askName();
    }, { 'data-act': 'settings-name' })),
    app.sets.length > 0 && field(t('ruleSet'), select(app.sets, app.defaultRules, (value) => app.chooseRules(value), { 'data-field': 'settings-rules' })),
    field(t('language'), languages),
    look('theme', t('theme')), look('boardTheme', t('boardTheme')), look('pieces', t('pieceSet')),
    h('div', { class: 'ticks' },
      tick(t('sounds'), isAudible(), (on) => app.chooseSound(on), 'sound'),
      tick(t('coordinates'), hasCoordinates(app), (on) => app.chooseCoordinates(on), 'coordinates'))));
  return dialog;
}
