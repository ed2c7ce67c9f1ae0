// @ts-check
/** A lesson: one step after the other, each with a task on the board. */

import { button, h } from '../dom.js';
import { iconButton } from '../icons.js';
import { pressByKey, told } from '../keys.js';
import { t } from '../text.js';
import { remark, Trial } from './trial.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').LessonName} LessonName */
/** @typedef {import('../../protocol/message').LessonStepInfo} LessonStepInfo */

/** @param {string} rules @param {LessonName} lesson @param {number} step */
export function lessonLink(rules, lesson, step) {
  return `#lesson/${encodeURIComponent(rules)}/${lesson}/${step + 1}`;
}

export class LessonView {
  /** @param {App} app @param {string[]} parts rule set, lesson, number of the step */
  constructor(app, [rules = app.defaultRules, lesson = 'rules', number = '1']) {
    this.app = app;
    this.rules = rules;
    /** @type {LessonName} */
    this.lesson = lesson === 'plans' ? 'plans' : 'rules';
    this.number = Math.max(0, Number(number) - 1 || 0);
    /** @type {LessonStepInfo | null} */
    this.step = null;
    /** @type {string[]} the moves of both sides in this step */
    this.made = [];
    /** @type {[string, boolean][]} */
    this.steps = [];
    this.isDone = false;
    /** @type {Trial | null} */
    this.trial = null;
    this.load();
  }

  async load() {
    const { rules, lesson, number } = this;
    const [list, answer] = await Promise.all([
      this.app.ask('lessons', { rules }), this.app.ask('lessonStep', { rules, lesson, step: number }),
    ]);
    if (this.app.view !== this) return;
    if (!answer?.lessonStep) {
      this.app.deadEnd(t('noLesson'), '#learn', t('learn'));
      return;
    }
    this.steps = list?.lessons.find((one) => one.lesson === lesson)?.steps ?? [];
    this.step = answer.lessonStep;
    this.trial = new Trial(this.app, rules, (step) => this.attempt(step));
    this.trial.stage.cards.classList.add('lesson');
    this.begin();
  }

  /** Puts the step back to its beginning. */
  begin() {
    const { step, trial } = this;
    if (!step || !trial) return;
    this.made = [];
    trial.marks = step.marks;
    trial.show(step.board);
    this.draw(null);
    this.app.say(`${step.title}. ${step.task}`);
  }

  /** @param {string} step */
  async attempt(step) {
    const { rules, lesson, number, made, trial } = this;
    if (!trial) return;
    const { trial: said } = await this.app.socket.ask('tryLesson', { rules, lesson, step: number, made, tried: step });
    const isRight = said.result === 'right' || said.result === 'done';
    if (said.result === 'done') {
      this.isDone = true;
      const own = this.steps[number];
      if (own) own[1] = true;
    }
    if (isRight) trial.marks = [];
    this.draw(remark(isRight ? 'good' : 'bad', said.text));
    if (said.result === 'right') this.made = [...made, step, said.reply ?? ''];
    await trial.follow(step, said);
    if (said.result === 'done') trial.board = { ...said.board, targets: [] };
  }

  /** @param {HTMLElement | null} said */
  draw(said) {
    const { step, trial, steps, number } = this;
    if (!step || !trial) return;
    const isLast = number + 1 >= steps.length;
    const nextWord = t(isLast ? 'finishLesson' : 'nextStep');
    const next = () => { location.hash = isLast ? '#learn' : lessonLink(this.rules, this.lesson, number + 1); };
    const dots = h('ol', { class: 'steps', 'aria-label': t('steps') }, steps.map(([title, done], n) => h('li', {}, h('a', {
      href: lessonLink(this.rules, this.lesson, n), class: done ? 'done' : '', title, 'aria-label': `${n + 1}: ${title}`,
      'aria-current': n === number ? 'step' : undefined,
    }, String(n + 1)))));
    trial.stage.cards.replaceChildren(
      h('div', { class: 'card task', 'data-part': 'lesson', 'data-step': number + 1 },
        h('div', { class: 'task-head' }, h('a', { href: '#learn', class: 'muted' }, t(this.lesson === 'plans' ? 'firstPlans' : 'learnRules')), h('span', { class: 'muted' }, t('stepOf', { n: number + 1, all: steps.length }))),
        h('h2', { class: 'task-title' }, step.title),
        h('p', { class: 'task-line', 'data-part': 'task' }, step.task),
        step.sentences.length > 1 ? h('ul', { class: 'sentences' }, step.sentences.map((one) => h('li', {}, one))) : step.sentences.length > 0 && h('p', {}, step.sentences),
        said,
        h('div', { class: 'actions' },
          number > 0 && iconButton('back', t('previousStep'), () => { location.hash = lessonLink(this.rules, this.lesson, number - 1); }, { key: 'p', 'data-act': 'previous-step' }),
          button(t('again'), () => this.begin(), { 'data-act': 'again' }),
          button(nextWord, next, { ...told(nextWord, 'n'), class: this.isDone ? 'main' : '', 'data-act': 'next-step' }))),
      h('div', { class: 'card' }, dots));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    return this.trial ? this.trial.key(event) || pressByKey(this.trial.stage.cards, event) : false;
  }

  restyle() {
    this.trial?.restyle();
  }

  reconnect() {
    if (!this.step) this.load();
  }
}
