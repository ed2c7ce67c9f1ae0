// @ts-check
/** The rules of a set in sentences and on boards that can be played, and one set beside another. */

import { Board } from '../board/board.js';
import { parse } from '../board/state.js';
import { openDialog } from '../dialog.js';
import { button, card, h, select } from '../dom.js';
import { t } from '../text.js';
import { Diagram, diagrams } from './diagrams.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').RulesInfo} RulesInfo */
/** @typedef {import('../../protocol/message').ComparisonInfo} Comparison */

/** @param {App} app @param {string} id @param {string} [other] a set to compare it with */
export async function showRules(app, id, other) {
  if (![id, other ?? id].every((one) => app.sets.some(([known]) => known === one))) {
    app.deadEnd(t('noRulesHere'), '#rules', t('rules'));
    return;
  }
  const set = app.set(id);
  const choose = select(app.sets, set.id, (value) => { location.hash = `#rules/${value}`; }, {
    'aria-label': t('ruleSet'), 'data-field': 'rules',
  });
  const page = h('article', { class: 'page wide-page' },
    h('div', { class: 'page-head' }, h('h1', {}, t('rules')),
      h('div', { class: 'actions unprinted' }, choose, button(t('print'), () => window.print(), { 'data-act': 'print' }))));
  const words = h('div', { class: 'rules-words' });
  page.append(h('div', { class: 'rules-head' }, startFigure(set), words));
  app.main.replaceChildren(page);
  const compared = other ?? app.sets.map(([known]) => known).find((known) => known !== id);
  const [answer, pictures] = await Promise.all([app.ask('rules', { rules: set.id }), diagrams(app, set)]);
  if (answer?.rules) words.append(...answer.rules.sections.map((section) => card(section.title, sentences(section.sentences))));
  page.append(...pictures);
  if (compared) page.append(comparison(app, set.id, compared));
  if (app.welcome?.local && set.id !== app.serverRules) {
    page.append(h('p', { class: 'unprinted' }, button(t('serverDefault'), async () => {
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
  const sections = answer.rules.sections.map((section) => card(section.title, sentences(section.sentences)));
  const text = h('div', { class: 'dialog-text', tabindex: 0 }, sections, h('p', {}, h('a', { href: `#rules/${id}` }, t('rulesWithBoards'))));
  openDialog(app.set(id).name, text).classList.add('wide');
}

/** @param {string[]} list */
function sentences(list) {
  return h('ul', { class: 'sentences' }, list.map((sentence) => h('li', {}, sentence)));
}

/**
 * Two sets side by side: what holds in one only, and moves that end differently.
 * @param {App} app
 * @param {string} id
 * @param {string} first what it is compared with at first
 */
function comparison(app, id, first) {
  const body = h('div', { class: 'comparison', 'data-part': 'comparison' });
  const show = async (/** @type {string} */ other) => {
    body.replaceChildren(h('p', { class: 'muted' }, t('comparing')));
    const answer = await app.ask('compareRules', { first: id, second: other });
    if (answer) body.replaceChildren(...sideBySide(app, id, other, answer.comparison));
  };
  const others = app.sets.filter(([known]) => known !== id);
  const chooser = select(others, first, (value) => show(value), { 'aria-label': t('compareWith'), 'data-field': 'compare' });
  show(first);
  return h('section', { class: 'card' }, h('h2', {}, t('compareWith')), h('div', { class: 'unprinted' }, chooser), body);
}

/**
 * @param {App} app
 * @param {string} id
 * @param {string} other
 * @param {Comparison} found
 */
function sideBySide(app, id, other, found) {
  const [here, there] = [app.set(id), app.set(other)];
  const half = (/** @type {string} */ name, /** @type {string[]} */ list) => h('div', {}, h('h3', {}, name), list.length ? sentences(list) : h('p', { class: 'muted' }, t('nothingOnly')));
  const proof = (/** @type {import('../../protocol/message').ContrastInfo} */ one) => h('div', { class: 'two-boards', 'data-part': 'two-boards' },
    new Diagram(app, here, { setup: one.setup, moves: [one.step], text: `${here.name}: ${one.first}` }).node,
    new Diagram(app, there, { setup: one.setup, moves: [one.step], text: `${there.name}: ${one.second}` }).node);
  return [
    h('div', { class: 'halves' }, half(here.name, found.first), half(there.name, found.second)),
    ...(found.proofs.length > 0 ? [h('h3', {}, t('sameMove'))] : []), ...found.proofs.map(proof),
  ];
}
