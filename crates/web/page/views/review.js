// @ts-check
/** The review of a game: its graph, how each side played, what is said about each move, and trying again. */

import { button, h, unbroken } from '../dom.js';
import { icon } from '../icons.js';
import { told } from '../keys.js';
import { dashed } from '../score.js';
import { t } from '../text.js';
import { drawGraph } from './graph.js';
import { RetryPanel } from './retry.js';

/** @typedef {import('../../protocol/message').ReviewInfo} ReviewInfo */
/** @typedef {import('../../protocol/message').ReviewedMoveInfo} ReviewedMove */
/** @typedef {import('../../protocol/message').SideReviewInfo} SideReview */
/** @typedef {import('../../protocol/message').MarkName} MarkName */
/** @typedef {import('./engine.js').Line} Line */
/**
 * What is written at a move of the game.
 * @typedef {object} MoveNote
 * @property {number} ply
 * @property {string} comment
 * @property {number[]} nags
 * @property {string} score White's, as records write it
 * @property {string[]} better a line in its place; empty for none
 */
/**
 * What a review needs of the board besides what every part needs.
 * @typedef {import('./engine.js').Bench & {
 *   mainLine: () => Line,
 *   ply: () => number | null,
 *   goTo: (ply: number) => void,
 *   commentAt: (ply: number) => string,
 *   annotate: (notes: MoveNote[]) => void,
 * }} ReviewBench
 * `mainLine` is the game; `ply` is where the board stands in it, nothing if beside it; `commentAt` is what the tree says
 * about a move; `annotate` writes into the tree.
 */

/** @type {Record<MarkName, number>} the numbers of the marks in records */
const NAGS = { inaccuracy: 6, mistake: 2, blunder: 4 };

/** The number of an only move. */
const ONLY = 7;

/** The fewest moves that are worth a review. */
const SHORTEST = 2;

export class ReviewPanel {
  /** @param {ReviewBench} bench */
  constructor(bench) {
    this.bench = bench;
    /** @type {Line | null} the game that was reviewed */
    this.game = null;
    /** @type {Map<number, ReviewedMove>} by ply */
    this.moves = new Map();
    /** @type {ReviewInfo['sides'] | null} */
    this.sides = null;
    this.isDone = false;
    /** @type {number | null} */
    this.number = null;
    this.sought = '';
    this.why = '';
    this.retry = new RetryPanel(bench, this);
    /** Begins a review; it stands among the engine's buttons while there is none. */
    this.button = h('button', { type: 'button', class: 'plain review-button', 'data-act': 'review', ...told(t('reviewHint'), 'h'), onclick: () => this.begin() },
      icon('review'), h('span', {}, t('reviewGame')));
    this.place = h('div', { class: 'review', 'data-part': 'review' });
    this.element = h('div', { class: 'review-place' }, this.place, this.retry.element);
    this.draw();
  }

  /** The board shows something else, or the tree has changed. A review that is kept is shown without being asked for. */
  follow() {
    const game = this.bench.mainLine();
    const what = JSON.stringify(game);
    if (!this.isOf(game) && this.number === null && what !== this.sought) {
      this.sought = what;
      if (game.moves.length >= SHORTEST) this.seek(game, true);
    }
    this.retry.follow();
    this.draw();
  }

  /**
   * Whether the review is of a game, as far as it goes: moves may have been added since.
   * @param {Line} game
   */
  isOf(game) {
    const own = this.game;
    return Boolean(own && own.rules === game.rules && own.setup === game.setup
      && own.moves.every((step, n) => game.moves[n] === step));
  }

  /** Reviews the game on the board. */
  begin() {
    const game = this.bench.mainLine();
    this.stop();
    this.seek(game, false);
    this.draw();
  }

  /**
   * @param {Line} game
   * @param {boolean} kept only a review that is kept
   */
  seek(game, kept) {
    let isFirst = true;
    const number = this.bench.app.inquiries.begin({ kind: 'review', ...game, kept }, (found, isDone) => {
      if (isDone && this.number === number) this.number = null;
      if (found.kind !== 'review') {
        if (isDone && !kept) this.fail(t('notReviewed'));
        return;
      }
      if (isFirst) this.reset(game);
      isFirst = false;
      this.hear(found, isDone);
      // One that was kept is in the tree already, unless somebody took it out.
      if (isDone && !kept && this.isOf(this.bench.mainLine())) this.write();
    }, (problem) => {
      if (this.number === number) this.number = null;
      if (!kept) this.fail(problem instanceof Error ? problem.message : '');
    });
    this.number = number;
    if (!kept) this.reset(game);
  }

  /** @param {Line} game */
  reset(game) {
    this.game = game;
    this.moves = new Map();
    this.sides = null;
    this.isDone = false;
    this.why = '';
  }

  /** @param {ReviewInfo} review @param {boolean} isDone */
  hear(review, isDone) {
    for (const one of review.moves) this.moves.set(one.ply, one);
    this.sides = review.sides;
    this.isDone = isDone;
    this.draw();
    this.bench.mark();
  }

  /** Writes what was found into the tree, where it can be undone at once. */
  write() {
    const moves = [...this.moves.values()];
    this.bench.annotate(moves.map(({ ply, comment, mark, only, after, better }) => ({
      ply, comment, nags: [...(mark ? [NAGS[mark]] : []), ...(only ? [ONLY] : [])], score: recordScore(after), better: mark ? better : [],
    })));
    this.bench.app.say(t('reviewDone'));
  }

  /** @param {string} why */
  fail(why) {
    this.why = why;
    this.draw();
  }

  stop() {
    if (this.number !== null) this.bench.app.inquiries.end(this.number);
    this.number = null;
  }

  leave() {
    this.stop();
    this.retry.leave();
  }

  /** The score on the board, if the review knows it. */
  get verdict() {
    const ply = this.bench.ply();
    if (ply === null || !this.isOf(this.bench.mainLine())) return null;
    return (ply === 0 ? this.moves.get(1)?.before : this.moves.get(ply)?.after) ?? null;
  }

  /** The moves that are worth trying again. */
  get critical() {
    return [...this.moves.values()].filter((one) => one.critical).sort((a, b) => a.ply - b.ply);
  }

  draw() {
    const game = this.bench.mainLine();
    const isOf = this.isOf(game);
    const isNone = !isOf || !this.moves.size;
    const isMaking = isOf && this.number !== null;
    this.button.hidden = !isNone || isMaking || game.moves.length < SHORTEST;
    if (isNone) {
      this.place.replaceChildren(...(isMaking ? [h('p', { class: 'muted', role: 'status' }, t('reviewing', { n: 0, plies: game.moves.length }))] : []),
        ...(this.why ? [h('p', { class: 'bad-text' }, this.why)] : []));
      return;
    }
    const plies = this.game?.moves.length ?? 0;
    const points = [...this.moves.values()].sort((a, b) => a.ply - b.ply).map(({ ply, after, mark }) => ({ ply, score: after, mark }));
    const first = this.moves.get(1);
    if (first) points.unshift({ ply: 0, score: first.before, mark: null });
    const side = (/** @type {'white' | 'black'} */ name) => {
      const about = this.sides?.[name];
      return h('span', { class: 'review-side', 'data-side': name, title: sideTitle(about) }, h('strong', {}, t(name)), ' ', h('span', { class: 'muted' }, about ? sideWords(about) : ''));
    };
    const { critical } = this;
    const now = this.bench.ply();
    const said = now === null ? null : this.moves.get(now);
    this.place.replaceChildren(
      drawGraph(points, plies, now, (ply) => this.bench.goTo(ply)),
      h('div', { class: 'review-words', 'data-part': 'summary' }, side('white'), side('black'),
        this.isDone
          ? critical.length > 0 && button(t('retry', { n: critical.length }), () => this.retry.begin(), { class: 'link', 'data-act': 'retry', title: t('retryHint') })
          : h('span', { class: 'muted', role: 'status', 'data-part': 'progress' }, t('reviewing', { n: this.moves.size, plies }))),
      ...(said?.comment && !this.retry.isOn && !this.bench.commentAt(said.ply) ? [h('p', { class: `review-said ${said.mark ?? ''}`, 'data-part': 'said', tabindex: 0 }, unbroken(said.comment),
        said.mark && said.better.length > 0 && button(t('showBetter', { move: dashed(said.better[0]) }), () => this.showBetter(said), { class: 'link', 'data-act': 'show-better' }))] : []));
  }

  /**
   * Goes to where a better move could have been made, and makes it.
   * @param {ReviewedMove} reviewed
   */
  showBetter(reviewed) {
    this.bench.goTo(reviewed.ply - 1);
    this.bench.play(reviewed.better.slice(0, 1));
  }
}

/**
 * A score as records write it.
 * @param {import('../score.js').Score} score
 */
export function recordScore({ units, winner, plies }) {
  if (winner && plies !== null) return `#${winner === 'white' ? '' : '-'}${plies}`;
  // A decided position that is not proved counts as a hundred men.
  if (winner) return winner === 'white' ? '100.00' : '-100.00';
  return ((units ?? 0) / 100).toFixed(2);
}

/** @param {SideReview} side */
function sideWords({ accuracy, blunders, mistakes, inaccuracies }) {
  const parts = [[blunders, '??'], [mistakes, '?'], [inaccuracies, '?!']].filter(([n]) => n).map(([n, sign]) => `${n} ${sign}`);
  return [accuracy === null ? '–' : `${accuracy} %`, ...parts].join(' · ');
}

/** @param {SideReview | undefined} side */
function sideTitle(side) {
  if (!side) return undefined;
  const { accuracy, blunders, mistakes, inaccuracies } = side;
  return [accuracy === null ? '' : t('accuracyOf', { n: accuracy }), t('blunders', { n: blunders }), t('mistakes', { n: mistakes }), t('inaccuracies', { n: inaccuracies })].filter(Boolean).join(', ');
}
