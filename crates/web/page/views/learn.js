// @ts-check
/** Where one learns: the lessons of a rule set and its puzzles, and how far one has come. */

import { card, field, h, select } from '../dom.js';
import { icon } from '../icons.js';
import { number, t } from '../text.js';
import { lessonLink } from './lesson.js';
import { puzzleLink } from './puzzle.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').LessonEntry} LessonEntry */
/** @typedef {import('../../protocol/message').PuzzlesInfo} PuzzlesInfo */
/** @typedef {import('./puzzle.js').PuzzleWish} PuzzleWish */

/** A rating with a larger error is a guess. */
const UNSURE = 150;

/** Which side and length were chosen last; the same when one comes back from a puzzle. */
/** @type {PuzzleWish} */
const wish = { motif: null, side: null, plies: null };

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
  app.ask('puzzles', { rules }).then((answer) => {
    const none = () => h('section', { class: 'card', 'data-part': 'no-puzzles' }, h('h2', {}, t('puzzles')), h('p', {}, t('noPuzzlesOfSet')));
    if (answer) right.replaceChildren(...(answer.puzzles.count ? puzzleCards(rules, answer.puzzles) : [none()]));
  });
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
  const cards = [main, choiceCard(rules, puzzles)];
  if (puzzles.history.length) {
    cards.push(card(t('lastTries'), h('ol', { class: 'tries' }, puzzles.history.slice(0, 12).map((one) => h('li', {},
      h('a', { href: link(String(one.number)) }, h('span', { class: one.result === 'solved' ? 'good-text' : one.result === 'failed' ? 'bad-text' : 'muted' }, t(one.result === 'solved' ? 'resultSolved' : one.result === 'failed' ? 'resultFailed' : 'resultHelped')), h('span', {}, t('puzzleNumber', { n: one.number })), h('span', { class: 'muted' }, `${one.rating} (${one.gain > 0 ? '+' : ''}${number(one.gain)})`)))))));
  }
  return cards;
}

/**
 * Puzzles by motif, for a side and a length if one likes.
 * @param {string} rules
 * @param {PuzzlesInfo} puzzles
 */
function choiceCard(rules, puzzles) {
  const { groups, motifs } = puzzles;
  const lengths = [...new Set(groups.map(({ plies }) => plies))].sort((a, b) => a - b);
  if (wish.plies !== null && !lengths.includes(wish.plies)) wish.plies = null;
  const list = h('ul', { class: 'motifs' });
  const fill = () => {
    const fitting = groups.filter(({ side, plies }) => (wish.side ?? side) === side && (wish.plies ?? plies) === plies);
    const rows = [{ word: null, name: t('anyMotif') }, ...motifs.map(([word, name]) => ({ word, name }))].map(({ word, name }) => {
      const own = fitting.filter(({ motif }) => motif === word);
      const sum = (/** @type {'count' | 'solved'} */ what) => own.reduce((all, group) => all + group[what], 0);
      return { word, name, count: sum('count'), solved: sum('solved') };
    });
    const found = rows.filter(({ count }) => count > 0);
    list.replaceChildren(...found.map(({ word, name, count, solved }) => h('li', {},
      h('a', { href: puzzleLink(rules, { ...wish, motif: word }), 'data-motif': word ?? 'any' }, h('span', {}, name), h('span', { class: 'muted' }, `${solved}/${count}`)))));
    if (!found.length) list.append(h('li', { class: 'muted' }, t('noPuzzle')));
  };
  const sides = select([['', t('anySide')], ['white', t('white')], ['black', t('black')]], wish.side ?? '', (side) => {
    wish.side = side === 'white' || side === 'black' ? side : null;
    fill();
  }, { 'data-field': 'puzzle-side' });
  const plies = select([['', t('any')], ...lengths.map((n) => /** @type {[string, string]} */ ([String(n), t('movesCount', { n: Math.ceil(n / 2) })]))], wish.plies === null ? '' : String(wish.plies), (length) => {
    wish.plies = length ? Number(length) : null;
    fill();
  }, { 'data-field': 'puzzle-length' });
  fill();
  return card(t('choosePuzzles'), h('div', { class: 'wishes' }, field(t('yourSide'), sides), field(t('puzzleLength'), plies)), list);
}
