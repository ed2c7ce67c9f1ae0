// @ts-check
/** The rules of a set in sentences, and where it differs from the default. */

import { Board } from '../board/board.js';
import { parse } from '../board/state.js';
import { openDialog } from '../dialog.js';
import { button, card, h, select } from '../dom.js';
import { t } from '../text.js';

/** @typedef {import('../app.js').App} App */

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
  const answer = await app.ask('rules', { rules: set.id });
  if (answer?.rules) page.append(...rulesText(app, answer.rules));
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
  const answer = await app.ask('rules', { rules: id });
  if (!answer?.rules) return;
  const text = h('div', { class: 'dialog-text', tabindex: 0 }, rulesText(app, answer.rules));
  openDialog(app.set(id).name, text).classList.add('wide');
}

/** @param {App} app @param {import('../../protocol/message').RulesInfo} rules */
export function rulesText(app, rules) {
  const sections = rules.sections.map((section) => card(section.title,
    h('ul', { class: 'sentences' }, section.sentences.map((sentence) => h('li', {}, sentence)))));
  const first = app.welcome?.sets[0]?.name ?? '';
  const rows = rules.differences.map(([key, there, here]) => h('tr', {},
    h('td', {}, h('code', {}, key)), h('td', {}, h('code', {}, there)), h('td', {}, h('code', {}, here))));
  const differences = card(t('differs', { name: first }), rows.length
    ? h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': t('table') }, h('table', {}, h('thead', {}, h('tr', {}, h('th', {}, t('parameter')), h('th', {}, first), h('th', {}, t('here')))),
      h('tbody', {}, rows)))
    : h('p', { class: 'muted' }, t('same')));
  return [...sections, differences];
}
