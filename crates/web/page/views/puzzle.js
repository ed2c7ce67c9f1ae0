// @ts-check
/** A puzzle: tried on the board, judged by the server; alone, in a streak, or in a rush against the clock. */

import { button, h } from '../dom.js';
import { iconButton } from '../icons.js';
import { pressByKey, told } from '../keys.js';
import { dashed } from '../score.js';
import { t } from '../text.js';
import { remark, sign, Trial } from './trial.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').PuzzleInfo} PuzzleInfo */
/** @typedef {import('../../protocol/message').PuzzleChoice} PuzzleChoice */
/** @typedef {import('../../protocol/message').PuzzleTrialInfo} PuzzleTrialInfo */
/** @typedef {import('../../protocol/message').RunInfo} RunInfo */
/** @typedef {import('../../protocol/message').HelpName} HelpName */

/** @type {HelpName[]} */
const HELP = ['motif', 'piece', 'move'];

/** What stands in an address where nothing was chosen. */
const ANY = 'any';

/** Which puzzles somebody wants to solve, one after the other; nothing for any. */
/** @typedef {{ motif: string | null, side: 'white' | 'black' | null, plies: number | null }} PuzzleWish */

/**
 * The address of puzzles that somebody wants.
 * @param {string} rules
 * @param {PuzzleWish} wish
 */
export function puzzleLink(rules, { motif, side, plies }) {
  return `#puzzle/${encodeURIComponent(rules)}/next/${motif ?? ANY}/${side ?? ANY}/${plies ?? ANY}`;
}

/**
 * What an address such as `#puzzle/ashton/next/siege/black/5` wants.
 * @param {string[]} parts
 * @returns {PuzzleWish}
 */
function wishOf([motif = ANY, side = ANY, plies = ANY]) {
  return {
    motif: motif === ANY ? null : motif,
    side: side === 'white' || side === 'black' ? side : null,
    plies: /^\d{1,3}$/.test(plies) ? Number(plies) : null,
  };
}

/**
 * What an address asks for first.
 * @param {string} what
 * @param {PuzzleWish} wish
 * @returns {PuzzleChoice}
 */
function choiceOf(what, wish) {
  if (what === 'daily') return { kind: 'daily' };
  if (what === 'streak' || what === 'rush') return { kind: 'begin', run: what };
  if (/^\d+$/.test(what)) return { kind: 'number', number: Number(what) };
  return { kind: 'next', ...wish, after: null };
}

export class PuzzleView {
  /** @param {App} app @param {string[]} parts rule set, which puzzle, its motif, side and length */
  constructor(app, [rules = app.defaultRules, what = 'next', ...more]) {
    this.app = app;
    this.rules = rules;
    this.wish = wishOf(more);
    /** @type {PuzzleInfo | null} */
    this.puzzle = null;
    /** @type {RunInfo | null} */
    this.run = null;
    this.since = 0;
    /** @type {string[]} the moves of both sides so far */
    this.made = [];
    /** @type {HTMLElement | null} what was said last */
    this.said = null;
    /** @type {'open' | 'wrong' | 'done'} */
    this.progress = 'open';
    /** Whether the last move wins, but more slowly: in a run that is no miss, and may be tried again. */
    this.isSlower = false;
    /** @type {[number, number] | null} */
    this.rating = null;
    this.helped = 0;
    /** The best run of its kind so far. */
    this.best = 0;
    /** @type {boolean[]} which puzzles of the run were solved */
    this.results = [];
    /** @type {Trial | null} */
    this.trial = null;
    this.timer = window.setInterval(() => this.tick(), 200);
    this.load(choiceOf(what, this.wish));
  }

  /** @param {PuzzleChoice} choice */
  async load(choice) {
    const answer = await this.app.ask('puzzle', { rules: this.rules, choice });
    if (this.app.view !== this) return;
    if (!answer?.puzzle) {
      if (!this.puzzle) this.app.deadEnd(t('noPuzzle'), '#learn', t('learn'));
      return;
    }
    this.trial ??= new Trial(this.app, this.rules, (step) => this.attempt(step));
    this.trial.stage.cards.classList.add('lesson');
    this.puzzle = answer.puzzle;
    this.setRun(answer.puzzle.run);
    this.rating = null;
    this.helped = 0;
    // The board is seen from the side of the one who solves.
    this.trial.stage.board?.rotate(answer.puzzle.board.turn === 'black' ? 2 : 0);
    this.begin();
    this.app.say(answer.puzzle.task);
    if (choice.kind === 'begin') this.askBest();
  }

  /** Asks for the record of this kind of run. */
  async askBest() {
    const puzzles = (await this.app.ask('puzzles', { rules: this.rules }))?.puzzles;
    if (!puzzles || this.app.view !== this) return;
    this.best = this.isRush ? puzzles.rush : puzzles.streak;
    this.draw();
  }

  get isRush() {
    return this.run?.kind === 'rush';
  }

  /** @param {RunInfo | null} run */
  setRun(run) {
    this.run = run;
    this.since = performance.now();
  }

  /** Puts the puzzle back to its beginning. */
  begin() {
    const { puzzle, trial } = this;
    if (!puzzle || !trial) return;
    this.made = [];
    this.progress = 'open';
    this.said = null;
    trial.show(puzzle.board);
    this.draw();
  }

  /** @param {string} step */
  async attempt(step) {
    const { rules, made, puzzle, trial, run } = this;
    if (!puzzle || !trial || this.progress !== 'open') return;
    const answer = await this.app.socket.ask('tryPuzzle', {
      rules, number: puzzle.number, made, tried: step, run: run?.id ?? null,
    });
    const { trial: said, rating } = answer.puzzleTrial;
    if (rating) this.rating = rating;
    const isGood = said.result === 'right' || said.result === 'done';
    const [first, ...rest] = said.text.split(/(?<=[.:]) /u);
    this.said = remark(isGood ? 'good' : 'bad', first, rest.join(' '));
    if (said.result === 'right') this.made = [...made, step, said.reply ?? ''];
    this.isSlower = said.result === 'slower';
    this.progress = said.result === 'right' ? 'open' : said.result === 'done' ? 'done' : 'wrong';
    if (answer.puzzleTrial.run) this.setRun(answer.puzzleTrial.run);
    if (run && this.progress !== 'open' && !this.isSlower) this.results.push(isGood);
    this.draw();
    this.app.say(said.text);
    await trial.follow(step, said);
    if (this.run && !this.run.over && this.progress !== 'open' && !this.isSlower) {
      // In a run the next one comes by itself.
      window.setTimeout(() => { if (this.app.view === this && this.run) this.load({ kind: 'run', run: this.run.id }); }, this.progress === 'done' ? 500 : 1200);
    }
  }

  async help() {
    const { rules, puzzle, trial, made } = this;
    const help = HELP[this.helped];
    if (!puzzle || !trial || !help) return;
    const answer = (await this.app.ask('puzzleHelp', { rules, number: puzzle.number, made, help }))?.puzzleHelp;
    if (!answer || this.puzzle !== puzzle) return;
    this.helped += 1;
    trial.pointed = answer.squares.slice(0, 1);
    trial.hint = answer.squares.length > 1 ? answer.squares.join('') : null;
    trial.draw();
    this.said = remark('plain', answer.text || t('noMotif'));
    this.draw();
  }

  async giveUp() {
    const { rules, puzzle, trial } = this;
    if (!puzzle || !trial) return;
    this.begin();
    const answer = (await this.app.ask('puzzleHelp', { rules, number: puzzle.number, made: [], help: 'solution' }))?.puzzleHelp;
    if (!answer || this.puzzle !== puzzle) return;
    if (answer.rating) this.rating = answer.rating;
    trial.pointed = answer.squares.slice(0, 1);
    trial.hint = answer.squares.join('');
    trial.draw();
    this.progress = 'done';
    trial.board = { ...puzzle.board, targets: [] };
    this.said = remark('plain', answer.text);
    this.draw();
  }

  /** How much time a run has left, in milliseconds. */
  get left() {
    return this.run?.leftMs === null || this.run?.leftMs === undefined ? null : Math.max(0, this.run.leftMs - (performance.now() - this.since));
  }

  tick() {
    const { left } = this;
    if (left === null || !this.trial || !this.run || this.run.over) return;
    const clock = this.trial.stage.cards.querySelector('.run-clock');
    if (clock) clock.textContent = clockText(left);
    if (left === 0) {
      this.run = { ...this.run, over: true };
      this.draw();
    }
  }

  draw() {
    const { puzzle, trial, run } = this;
    if (!puzzle || !trial) return;
    const isOver = Boolean(run?.over);
    const next = () => {
      if (run) location.hash = '#learn';
      else this.load({ kind: 'next', ...this.wish, after: puzzle.number });
    };
    const isDone = this.progress === 'done';
    const nextWord = run ? t(isOver ? 'backToLearn' : 'stop') : t(isDone ? 'nextPuzzle' : 'skipPuzzle');
    const canHelp = !run && this.progress === 'open' && this.helped < HELP.length;
    const number = t('puzzleNumber', { n: puzzle.number });
    const { cards } = trial.stage;
    Object.assign(cards.dataset, { part: 'puzzle', number: String(puzzle.number), state: this.progress });
    cards.replaceChildren(
      // What is to be done stands over the board of a phone, what became of it below.
      h('div', { class: 'card task part-top' },
        h('div', { class: 'task-head' },
          h('h2', { class: 'task-title' }, run ? t(this.isRush ? 'rush' : 'streak') : number),
          isDone && puzzle.motifs.map((name) => h('span', { class: 'tag' }, name)),
          h('span', { class: 'muted worth' }, run ? number : `${t('rating')} ${puzzle.rating}`),
          !run && iconButton('hint', t('puzzleHint'), () => this.help(), { key: 'h', disabled: !canHelp, 'data-act': 'puzzle-hint' })),
        run && h('p', { class: 'muted' }, t(this.isRush ? 'rushHint' : 'streakHint', { n: Math.max(this.best, run.score) })),
        run && runLine(run, this.left),
        h('p', { class: 'task-line', 'data-part': 'task' }, h('span', { class: `chip ${puzzle.board.turn}` }), puzzle.task)),
      h('div', { class: 'card task' },
        isOver && run ? remark('plain', t('runOver', { n: run.score })) : this.said,
        this.made.length > 0 && h('p', { class: 'muted' }, this.made.map(dashed).join(' · ')),
        this.rating && ratingLine(this.rating),
        this.results.length > 0 && h('div', { class: 'choices' }, this.results.map((isGood) => sign(isGood))),
        h('div', { class: 'actions spread' },
          (!run || this.isSlower && !isOver) && this.progress === 'wrong' && button(t('again'), () => this.begin(), { 'data-act': 'again', class: 'main' }),
          !run && !isDone && button(t('viewSolution'), () => this.giveUp(), { 'data-act': 'solution' }),
          button(nextWord, next, { ...run ? {} : told(nextWord, 'n'), class: isDone && !run || isOver ? 'main' : '', 'data-act': 'next-puzzle' }))));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    return this.trial ? this.trial.key(event) || pressByKey(this.trial.stage.cards, event) : false;
  }

  restyle() {
    this.trial?.restyle();
  }

  leave() {
    clearInterval(this.timer);
  }
}

/** @param {number} ms */
function clockText(ms) {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** @param {RunInfo} run @param {number | null} left */
function runLine(run, left) {
  return h('p', { class: 'run-line', 'data-part': 'run' },
    h('span', {}, t('runScore', { n: run.score })),
    run.kind === 'rush' && h('span', { class: 'muted' }, t('runMisses', { n: run.misses })),
    left !== null && h('span', { class: `run-clock clock${run.over ? '' : ' running'}` }, clockText(left)));
}

/** @param {[number, number]} rating before and after */
function ratingLine([before, after]) {
  const gain = after - before;
  const sign = gain > 0 ? `+${gain}` : gain < 0 ? `−${-gain}` : '±0';
  return h('p', { class: 'rating-line', 'data-part': 'rating', 'data-rating': after }, t('yourRating', { n: after }), ' ', h('strong', { class: gain < 0 ? 'bad-text' : 'good-text' }, sign));
}
