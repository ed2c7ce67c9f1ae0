// @ts-check
/** The bar: where one can go, and on the right what holds everywhere. On a phone the places are a tab bar at the bottom. */

import { button, h, select } from './dom.js';
import { icon, iconButton } from './icons.js';
import { openSettings } from './settings.js';
import { knownLang, lang, t } from './text.js';
import { LANGUAGES } from './text/languages.js';
import { openHelp } from './views/help.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {typeof TABS[number][0]} Tab */

/** The places, and their addresses. */
const TABS = /** @type {const} */ ([
  ['play', '#play'], ['analysis', '#analysis'], ['learn', '#learn'], ['watch', '#watch'], ['library', '#library'],
]);

/**
 * @param {App} app
 * @param {Tab | null} current
 */
export function drawBar(app, current) {
  const name = app.welcome?.name;
  const tab = (/** @type {typeof TABS[number]} */ [key, href]) => h('a', {
    href, 'aria-current': key === current ? 'page' : undefined, 'data-tab': key,
  }, icon(key), h('span', {}, t(key)));
  app.bar.replaceChildren(
    h('a', { class: 'brand', href: '#' }, h('span', { class: current ? 'brand-name' : undefined }, 'Tablut'), current && h('span', { class: 'brand-title', 'aria-hidden': 'true' }, t(current))),
    h('nav', { 'aria-label': t('places') }, TABS.map(tab)),
    h('div', { class: 'bar-right' },
      app.sets.length > 0 && select(app.sets, app.defaultRules, (value) => app.chooseRules(value), { class: 'plain roomy', 'aria-label': t('ruleSet'), title: t('rulesForNew'), 'data-field': 'my-rules' }),
      button(name ?? t('noName'), () => app.askName(), { class: 'plain name roomy', 'data-act': 'name' }),
      languageChooser(app),
      iconButton('theme', t('theme'), () => app.switchTheme(), { key: 'Shift+T', class: 'roomy', 'data-act': 'theme' }),
      iconButton('settings', t('settings'), () => openSettings(app), { key: 'Shift+S', 'data-act': 'settings' }),
      iconButton('help', t('help'), () => openHelp(), { key: '?', 'data-act': 'help' })),
  );
}

/**
 * All languages by the names they have for themselves.
 * @param {App} app
 */
function languageChooser(app) {
  const chooser = select(LANGUAGES.map(([code, name]) => [code, name]), lang(), (value) => {
    const next = knownLang(value);
    if (next) app.chooseLanguage(next);
  }, { class: 'plain roomy', 'aria-label': t('language'), title: t('language'), 'data-field': 'language' });
  for (const option of chooser.options) option.lang = option.value;
  return chooser;
}
