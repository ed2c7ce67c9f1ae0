// @ts-check
/** A board on which something is to be done: picking, trying, and what comes back, for lessons and puzzles alike. */

import { parse, shift } from '../board/state.js';
import { h, unbroken } from '../dom.js';
import { icon } from '../icons.js';
import { Problem } from '../protocol.js';
import { playSound } from '../sounds.js';
import { Stage } from '../stage.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').TaskBoard} TaskBoard */
/** @typedef {import('../../protocol/message').TrialInfo} TrialInfo */

/** How long a move is looked at before the answer comes, in milliseconds. */
const PAUSE = 450;

export class Trial {
  /**
   * @param {App} app
   * @param {string} rules
   * @param {(step: string) => Promise<void>} attempt what to do with a move
   */
  constructor(app, rules, attempt) {
    this.app = app;
    this.attempt = attempt;
    /** @type {TaskBoard | null} */
    this.board = null;
    /** @type {string | null} */
    this.picked = null;
    /** @type {string | null} */
    this.wrong = null;
    /** @type {string | null} a move to think about */
    this.hint = null;
    /** @type {string[]} squares that the task is about */
    this.marks = [];
    /** @type {string[]} squares that help points at */
    this.pointed = [];
    this.isBusy = false;
    /** @type {string | null} the move that is on the board before the server has said anything */
    this.laid = null;
    /** How often something else was shown: an answer that comes late counts no more. */
    this.shown = 0;
    this.stage = new Stage(app, rules, {
      press: (square) => this.press(square),
      drop: (from, to) => { if (to && to !== from) this.play(from + to); else this.draw(); },
      canDrag: (square) => this.isOwn(square),
    }, null);
    // Marks of the start would look like squares to go to.
    if (this.stage.board) this.stage.board.showStarts = false;
    this.stage.restyle();
  }

  /** @param {string} square */
  isOwn(square) {
    return !this.isBusy && Boolean(this.board?.targets.some((target) => target.from === square));
  }

  /**
   * Shows a position; with the move that led there the piece slides.
   * @param {TaskBoard} board
   * @param {string | null} [step]
   */
  show(board, step = null) {
    this.shown += 1;
    this.board = board;
    this.picked = null;
    this.wrong = null;
    this.hint = null;
    this.laid = null;
    this.pointed = [];
    this.stage.board?.setPieces(parse(board.setup).pieces, step);
    this.draw();
  }

  draw() {
    const { board } = this;
    if (!board) return;
    const targets = board.targets.filter((target) => target.from === this.picked);
    const circles = [...this.marks, ...this.pointed].map((from) => ({ from, to: null }));
    this.stage.board?.setMarks({
      last: board.last, picked: this.picked, targets, lanes: board.lanes, wrong: this.wrong, hint: this.hint, drawings: circles,
    });
  }

  /** @param {string} square */
  press(square) {
    if (this.isBusy || !this.board?.targets.length) return;
    this.wrong = null;
    this.stage.hush();
    if (this.picked && this.picked !== square && !this.isOwn(square)) {
      this.play(this.picked + square);
      return;
    }
    this.picked = this.picked === square || !this.isOwn(square) ? null : square;
    this.draw();
  }

  /** @param {string} step */
  async play(step) {
    if (this.isBusy || !this.board) return;
    this.isBusy = true;
    this.picked = null;
    // Allowed as far as the page knows: it is on the board at once.
    if (this.target(step)) this.lay(step);
    try {
      await this.attempt(step);
      // Nothing became of it.
      if (this.laid) this.takeUp();
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.refuse(problem);
    } finally {
      this.isBusy = false;
    }
  }

  /** @param {string} step */
  target(step) {
    return this.board?.targets.find(({ from, to }) => from + to === step);
  }

  /**
   * Puts a move on the board.
   * @param {string} step
   */
  lay(step) {
    const { board } = this;
    if (!board) return;
    const takes = this.target(step)?.takes ?? [];
    this.laid = step;
    this.stage.board?.setPieces(shift(parse(board.setup), step, takes).pieces, step);
    this.stage.board?.setMarks({ last: step });
    playSound(takes.length ? 'capture' : 'move');
  }

  /** Takes a move from the board that was not made. */
  takeUp() {
    this.laid = null;
    if (this.board) this.stage.board?.setPieces(parse(this.board.setup).pieces, null);
    this.draw();
  }

  /** @param {Problem} problem a move that cannot be played */
  refuse(problem) {
    this.wrong = problem.square ?? null;
    if (problem.message) this.stage.tell(problem.message);
    playSound('refused');
    this.takeUp();
  }

  /**
   * Plays a move that was tried, and then the answer.
   * @param {string} step
   * @param {TrialInfo} trial
   */
  async follow(step, trial) {
    if (!this.board) return;
    if (this.laid !== step) this.lay(step);
    this.laid = null;
    this.shown += 1;
    const { shown } = this;
    if (trial.reply || trial.result === 'wrong' || trial.result === 'slower') await pause();
    // Something else is shown meanwhile.
    if (shown !== this.shown) return;
    this.show(trial.board, trial.reply);
    if (trial.reply) playSound('move');
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key === 'Escape' && this.picked) {
      this.picked = null;
      this.draw();
      return true;
    }
    return this.stage.key(event);
  }

  restyle() {
    this.stage.restyle();
  }
}

function pause() {
  return new Promise((resolve) => { setTimeout(resolve, PAUSE); });
}

/**
 * A sign for what was right or wrong.
 * @param {boolean} isGood
 */
export function sign(isGood) {
  return h('span', { class: `sign${isGood ? ' good' : ''}` }, icon(isGood ? 'accept' : 'close'));
}

/**
 * What is said of a move: a sign, and words.
 * @param {'good' | 'bad' | 'plain'} kind
 * @param {string} text
 * @param {string} [more]
 */
export function remark(kind, text, more = '') {
  return h('div', { class: `remark ${kind}`, role: 'status', 'data-part': 'remark', 'data-kind': kind }, kind !== 'plain' && sign(kind === 'good'), h('div', {}, h('strong', {}, unbroken(text)), more && h('p', { class: 'muted' }, unbroken(more))));
}
