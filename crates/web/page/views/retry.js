// @ts-check
/** Critical moments of a game as exercises: find a better move than the one that was played. */

import { button, h } from '../dom.js';
import { dashed } from '../score.js';
import { t } from '../text.js';

/** @typedef {import('../../protocol/message').RetryInfo} RetryInfo */
/** @typedef {import('../../protocol/message').ReviewedMoveInfo} ReviewedMove */
/** @typedef {import('./review.js').ReviewBench} ReviewBench */
/** @typedef {import('./review.js').ReviewPanel} ReviewPanel */

export class RetryPanel {
  /** @param {ReviewBench} bench @param {ReviewPanel} review */
  constructor(bench, review) {
    this.bench = bench;
    this.review = review;
    /** @type {ReviewedMove | null} the move that is to be bettered */
    this.played = null;
    /** @type {RetryInfo | null} */
    this.tried = null;
    this.why = '';
    /** @type {number | null} */
    this.number = null;
    this.isSolved = false;
    this.element = h('section', { class: 'retry', 'aria-label': t('findBetter'), 'data-part': 'retry', hidden: true });
  }

  get isOn() {
    return this.played !== null;
  }

  /** The first moment that comes after what is on the board, or the first of all. */
  begin() {
    const { critical } = this.review;
    const now = this.bench.ply() ?? 0;
    this.pose(critical.find(({ ply }) => ply >= now) ?? critical[0] ?? null);
  }

  /** @param {ReviewedMove | null} played */
  pose(played) {
    this.stop();
    this.played = played;
    this.tried = null;
    this.why = '';
    this.isSolved = false;
    if (played) this.bench.goTo(played.ply - 1);
    this.draw();
    this.review.draw();
    this.bench.mark();
    if (played) this.element.scrollIntoView({ block: 'nearest' });
  }

  /** The next moment, or the end of the exercise. */
  next() {
    const { critical } = this.review;
    this.pose(critical.find(({ ply }) => ply > (this.played?.ply ?? 0)) ?? null);
  }

  /** The board was moved elsewhere: whoever looks around comes back by the button. */
  follow() {
    if (this.isOn) this.draw();
  }

  /** Whether the board stands where a better move is wanted. */
  get isHere() {
    return this.played !== null && !this.isSolved && this.bench.ply() === this.played.ply - 1;
  }

  /**
   * A move was made on the board; true if it is an answer to the exercise, and is not to be made.
   * @param {string} step
   */
  tries(step) {
    const { played } = this;
    const game = this.review.game;
    if (!played || !game || !this.isHere) return false;
    this.stop();
    this.tried = null;
    this.why = t('judging', { move: dashed(step) });
    const number = this.bench.app.inquiries.begin({ kind: 'retry', ...game, ply: played.ply, step }, (found, isDone) => {
      if (isDone && this.number === number) this.number = null;
      if (found.kind === 'retry') this.judge(found);
    }, (problem) => {
      this.why = problem instanceof Error ? problem.message : '';
      this.draw();
    });
    this.number = number;
    this.draw();
    return true;
  }

  /** @param {RetryInfo} tried */
  judge(tried) {
    this.tried = tried;
    this.why = '';
    this.bench.app.say(`${dashed(tried.step)}: ${tried.text}`);
    if (tried.rating === 'asGood') {
      this.isSolved = true;
      this.bench.play([tried.step]);
    }
    this.draw();
    this.bench.mark();
  }

  /** Gives up: the better move is shown. */
  show() {
    const { played } = this;
    if (!played) return;
    this.stop();
    this.isSolved = true;
    this.why = '';
    this.tried = null;
    this.review.showBetter(played);
    this.draw();
  }

  stop() {
    if (this.number !== null) this.bench.app.inquiries.end(this.number);
    this.number = null;
  }

  leave() {
    this.stop();
    this.played = null;
  }

  draw() {
    const { played, tried } = this;
    this.element.hidden = !played;
    if (!played) {
      this.element.replaceChildren();
      return;
    }
    const { critical } = this.review;
    const isLast = critical.at(-1)?.ply === played.ply;
    const side = t((this.review.game?.setup.split(' ')[1] === 'b') === (played.ply % 2 === 1) ? 'black' : 'white');
    const verdict = tried ? `${dashed(tried.step)}: ${tried.text}` : this.why;
    const isAway = !this.isSolved && !this.isHere;
    this.element.replaceChildren(
      h('p', { 'data-part': 'question' }, h('strong', {}, t('findBetter')), ' ', t('wasPlayed', { side, move: dashed(played.step) })),
      h('p', { class: `verdict ${tried?.rating ?? ''}`, role: 'status', 'data-part': 'retry-verdict', 'data-rating': tried?.rating }, verdict || (this.isSolved ? played.comment : '')),
      h('div', { class: 'actions' },
        isAway && button(t('backToExercise'), () => this.pose(played), { 'data-act': 'retry-back' }),
        !this.isSolved && button(t('showSolution'), () => this.show(), { 'data-act': 'retry-show' }),
        button(t(isLast ? 'retryEnd' : 'retryNext'), () => this.next(), { class: this.isSolved ? 'main' : '', 'data-act': 'retry-next' }),
        !isLast && button(t('stop'), () => this.pose(null), { 'data-act': 'retry-stop' })));
  }
}
