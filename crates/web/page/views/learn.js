// @ts-check
/** Where one learns: the lessons of a rule set and its puzzles, and how far one has come. */

import { card, h } from '../dom.js';
import { icon } from '../icons.js';
import { t } from '../text.js';
import { lessonLink } from './lesson.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').LessonEntry} LessonEntry */
/** @typedef {import('../../protocol/message').PuzzlesInfo} PuzzlesInfo */

/** A rating with a larger error is a guess. */
const UNSURE = 150;

/** @param {App} app */
export function showLearn(app) {
  const rules = app.defaultRules;
  const page = h('article', { class: 'page wide-page', 'data-part': 'learn' },
    h('div', { class: 'page-head' }, h('h1', { class: 'in-bar' }, t('learn')), h('span', { class: 'muted' }, app.set(rules).name)));
  app.main.replaceChildren(page);
  // The first who asks for the lessons of a rule set waits until they are made; what follows does not wander then.
  const lessonPlace = h('div', { class: 'learn-column' }, /** @type {const} */ (['rules', 'plans']).map((lesson) => lessonCard(rules, { lesson, steps: [] })));
  const left = h('div', { class: 'learn-column' }, lessonPlace);
  const right = h('div', { class: 'learn-column' });
  page.append(h('div', { class: 'learn-columns' }, left, right));
  app.ask('puzzles', { rules }).then((answer) => { if (answer?.puzzles.count) right.replaceChildren(...puzzleCards(rules, answer.puzzles)); });
  app.ask('lessons', { rules }).then((answer) => {
    lessonPlace.replaceChildren(...(answer?.lessons ?? []).filter((entry) => entry.steps.length).map((entry) => lessonCard(rules, entry)));
  });
  left.append(card(t('rules'), h('p', {}, t('rulesInWords')), h('div', { class: 'actions' }, h('a', { class: 'button', href: `#rules/${encodeURIComponent(rules)}` }, t('readRules')))));
}

/** @param {string} rules @param {LessonEntry} entry */
function lessonCard(rules, { lesson, steps }) {
  const done = steps.filter(([, isDone]) => isDone).length;
  const next = Math.max(0, steps.findIndex(([, isDone]) => !isDone));
  const label = done === 0 ? t('begin') : done < steps.length ? t('goOn') : t('again');
  const list = h('ol', { class: 'step-list' }, steps.map(([title, isDone], n) => h('li', {},
    h('a', { href: lessonLink(rules, lesson, n), class: isDone ? 'done' : '' }, h('span', { class: 'step-sign' }, isDone ? icon('accept') : String(n + 1)), title))));
  return h('section', { class: 'card', 'data-part': `lesson-${lesson}`, 'data-done': done },
    h('div', { class: 'row' }, h('h2', {}, t(lesson === 'plans' ? 'firstPlans' : 'learnRules')), h('span', { class: 'muted' }, steps.length ? t('stepsDone', { n: done, all: steps.length }) : t('oneMoment'))),
    h('p', {}, t(lesson === 'plans' ? 'firstPlansHint' : 'learnRulesHint')),
    h('div', { class: 'actions' }, steps.length ? h('a', { class: `button ${lesson === 'rules' ? 'main' : ''}`, href: lessonLink(rules, lesson, done < steps.length ? next : 0), 'data-act': `begin-${lesson}` }, label)
      : h('button', { type: 'button', disabled: true }, t('begin'))),
    h('details', {}, h('summary', {}, t('allSteps')), list));
}

/** @param {string} rules @param {PuzzlesInfo} puzzles */
function puzzleCards(rules, puzzles) {
  const link = (/** @type {string} */ what) => `#puzzle/${encodeURIComponent(rules)}/${what}`;
  const way = (/** @type {string} */ what, /** @type {string} */ title, /** @type {string} */ more) => h('a', { class: 'way', href: link(what), 'data-act': `puzzle-${what}` }, h('strong', {}, title), h('span', { class: 'muted' }, more));
  const daily = puzzles.daily?.[1];
  const main = h('section', { class: 'card', 'data-part': 'puzzles' },
    h('div', { class: 'row' }, h('h2', {}, t('puzzles')), h('span', { class: 'muted', 'data-part': 'puzzle-rating' }, t(puzzles.error > UNSURE ? 'ratingUnsure' : 'ratingWithError', { n: puzzles.rating, error: puzzles.error }))),
    h('p', {}, t('puzzlesHint', { n: puzzles.count })),
    h('div', { class: 'actions' }, h('a', { class: 'button main', href: link('next'), 'data-act': 'puzzle-next' }, t('solvePuzzles')), puzzles.solved > 0 && h('span', { class: 'muted' }, t('puzzlesSolved', { n: puzzles.solved }))),
    h('div', { class: 'ways' },
      puzzles.daily && way('daily', t('dailyPuzzle'), daily ? t(daily === 'solved' ? 'dailySolved' : 'dailyTried') : t('dailyOpen')),
      way('streak', t('streak'), t('streakHint', { n: puzzles.streak })),
      way('rush', t('rush'), t('rushHint', { n: puzzles.rush }))));
  const motifs = card(t('byMotif'), h('ul', { class: 'motifs' }, puzzles.motifs.filter(([, , count]) => count).map(([word, name, count, solved]) => h('li', {},
    h('a', { href: link(`next/${word}`), 'data-motif': word }, h('span', {}, name), h('span', { class: 'muted' }, `${solved}/${count}`))))));
  const cards = [main, motifs];
  if (puzzles.history.length) {
    cards.push(card(t('lastTries'), h('ol', { class: 'tries' }, puzzles.history.slice(0, 12).map((one) => h('li', {},
      h('a', { href: link(String(one.number)) }, h('span', { class: one.result === 'solved' ? 'good-text' : one.result === 'failed' ? 'bad-text' : 'muted' }, t(one.result === 'solved' ? 'resultSolved' : one.result === 'failed' ? 'resultFailed' : 'resultHelped')), h('span', {}, t('puzzleNumber', { n: one.number })), h('span', { class: 'muted' }, `${one.rating} (${one.gain > 0 ? '+' : ''}${one.gain})`)))))));
  }
  return cards;
}
