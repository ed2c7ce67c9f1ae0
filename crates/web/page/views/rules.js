// @ts-check
/** The rules of a set in sentences, and where it differs from the default. */

import { Board } from '../board/board.js';
import { parse } from '../board/state.js';
import { openDialog } from '../dialog.js';
import { button, card, h, select } from '../dom.js';
import { t } from '../text.js';
import { diagrams } from './diagrams.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').RulesInfo} RulesInfo */

/** @param {App} app @param {string} id */
export async function showRules(app, id) {
  if (!app.sets.some(([known]) => known === id)) {
    app.deadEnd(t('noRulesHere'), '#rules', t('rules'));
    return;
  }
  const set = app.set(id);
  const choose = select(app.sets, set.id, (value) => { location.hash = `#rules/${value}`; }, {
    'aria-label': t('ruleSet'), 'data-field': 'rules',
  });
  const page = h('article', { class: 'page' },
    h('div', { class: 'page-head' }, h('h1', {}, set.name), choose));
  page.append(startFigure(set));
  app.main.replaceChildren(page);
  const [answer, first, pictures] = await Promise.all([app.ask('rules', { rules: set.id }), firstRules(app), diagrams(app, set)]);
  if (answer?.rules) page.append(...rulesText(app, answer.rules, first, pictures));
  if (app.welcome?.local && set.id !== app.serverRules) {
    page.append(h('p', {}, button(t('serverDefault'), async () => {
      if (!await app.ask('serverSetting', { name: 'rules', value: set.id })) return;
      if (app.welcome) app.welcome.defaultRules = set.id;
      app.toast(t('serverDefaultSet'));
    }, { 'data-act': 'server-default' })));
  }
}

/**
 * The board at the start of a game, to look at.
 * @param {import('../../protocol/message').SetInfo} set
 */
function startFigure(set) {
  const figure = h('div', { class: 'figure', inert: true });
  const board = new Board(figure, set, { press: () => {}, drop: () => {}, canDrag: () => false, label: (square) => square });
  board.setPieces(parse(set.start).pieces, null);
  return figure;
}

/**
 * The rules in force, over the board.
 * @param {App} app
 * @param {string} id
 */
export async function openRules(app, id) {
  const [answer, first] = await Promise.all([app.ask('rules', { rules: id }), firstRules(app)]);
  if (!answer?.rules) return;
  const text = h('div', { class: 'dialog-text', tabindex: 0 }, rulesText(app, answer.rules, first));
  openDialog(app.set(id).name, text).classList.add('wide');
}

/**
 * The rules of the set that others are compared with.
 * @param {App} app
 */
async function firstRules(app) {
  const id = app.welcome?.sets[0]?.id;
  return id ? (await app.ask('rules', { rules: id }))?.rules ?? null : null;
}

/**
 * @param {App} app
 * @param {RulesInfo} rules
 * @param {RulesInfo | null} first
 * @param {HTMLElement | null} [pictures]
 */
function rulesText(app, rules, first, pictures = null) {
  const sections = rules.sections.map((section) => card(section.title, sentences(section.sentences)));
  return [...sections.slice(0, 1), ...(pictures ? [pictures] : []), ...sections.slice(1), differences(app, rules, first)];
}

/** @param {string[]} list */
function sentences(list) {
  return h('ul', { class: 'sentences' }, list.map((sentence) => h('li', {}, sentence)));
}

/**
 * What holds in one set and not in the other: in sentences, and for those who write rule sets as parameters.
 * @param {App} app
 * @param {RulesInfo} rules
 * @param {RulesInfo | null} first
 */
function differences(app, rules, first) {
  const name = app.welcome?.sets[0]?.name ?? '';
  const title = t('differs', { name });
  if (!rules.differences.length) return card(title, h('p', { class: 'muted' }, t('same')));
  const all = (/** @type {RulesInfo | null} */ one) => (one?.sections ?? []).flatMap((section) => section.sentences);
  const only = (/** @type {RulesInfo | null} */ one, /** @type {RulesInfo | null} */ other) => all(one).filter((sentence) => !all(other).includes(sentence));
  const rows = rules.differences.map(([key, there, here]) => h('tr', {},
    h('td', {}, h('code', {}, key)), h('td', {}, h('code', {}, there)), h('td', {}, h('code', {}, here))));
  return card(title,
    h('h3', {}, t('here')), sentences(only(rules, first)), h('h3', {}, name), sentences(only(first, rules)),
    h('details', {}, h('summary', {}, t('asParameters')), h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': t('table') }, h('table', {},
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('parameter')), h('th', { scope: 'col' }, name), h('th', { scope: 'col' }, t('here')))),
      h('tbody', {}, rows)))));
}
