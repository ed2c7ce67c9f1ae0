// @ts-check
/** The instrument: engine, evaluation bar, proof, explanation and review, mounted at the analysis board. */

import { EvaluationBar } from '../board/evalbar.js';
import { iconButton } from '../icons.js';
import { ROOT } from '../study.js';
import { t } from '../text.js';
import { arrow, EnginePanel } from './engine.js';
import { ProofPanel } from './proof.js';
import { ReviewPanel } from './review.js';
import { WeightsPanel } from './weights.js';

/** @typedef {import('./analysis.js').AnalysisView} AnalysisView */
/** @typedef {import('./review.js').ReviewBench} ReviewBench */

export class Instrument {
  /** @param {AnalysisView} view */
  constructor(view) {
    this.view = view;
    const bench = this.bench();
    this.gauge = new EvaluationBar();
    this.engine = new EnginePanel(bench);
    this.proof = new ProofPanel(bench);
    this.weights = new WeightsPanel(bench);
    this.review = new ReviewPanel(bench);
    this.engine.tools.append(iconButton('prove', t('prove'), () => this.proof.prove(), { key: 'q', 'data-act': 'prove' }), this.weights.button, this.review.button);
    view.drawers.parts.show.append(this.engine.counter);
    const { places } = view;
    places.gauge.append(this.gauge.element);
    places.engine.append(this.engine.element);
    places.graph.append(this.proof.element, this.weights.element, this.review.element);
    this.unwatch = view.watch(() => this.follow());
  }

  /** @returns {ReviewBench} */
  bench() {
    const { view } = this;
    /** The node of the game after so many plies. */
    const at = (/** @type {number} */ ply) => {
      const { model } = view;
      return ply === 0 ? ROOT : model.line(model.last(ROOT))[ply - 1];
    };
    return {
      app: view.app,
      line: () => {
        const { rules, root, moves, isSetUp, node } = view.sight;
        return isSetUp || view.model.get(node).ends ? null : { rules, setup: root, moves };
      },
      isSettling: () => view.sight.isSetUp,
      play: (moves) => { view.edits.play(moves); },
      mark: () => this.mark(),
      mainLine: () => {
        const { model, study } = view;
        return { rules: study.rules, setup: study.setup, moves: model.moves(model.last(ROOT)) };
      },
      ply: () => (view.model.isMain(view.node) ? view.model.line(view.node).length : null),
      goTo: (ply) => {
        const node = at(ply);
        if (node !== undefined) view.go(node);
      },
      commentAt: (ply) => {
        const node = at(ply);
        return node === undefined ? '' : view.model.get(node).comment ?? '';
      },
      annotate: (notes) => {
        view.edits.annotate(notes.flatMap(({ ply, comment, nags, score, better }) => {
          const [node, before] = [at(ply), at(ply - 1)];
          if (node === undefined || before === undefined) return [];
          const note = { node, comment: comment || null, nags: nags.length ? nags : null, score, lines: [] };
          return better.length ? [note, { node: before, comment: null, nags: null, score: null, lines: [better] }] : [note];
        }));
      },
    };
  }

  /** What is looked at has changed. */
  follow() {
    this.engine.follow();
    this.proof.follow();
    this.weights.follow();
    this.review.follow();
    this.mark();
  }

  /** Arrows and figures on the board, and the bar beside it. */
  mark() {
    const proof = this.proof.arrows();
    // Whoever looks for a better move does not want to be told.
    const { isHere: isExercise, played } = this.review.retry;
    this.view.app.main.classList.toggle('exercise', isExercise);
    this.view.setArrows(isExercise && played ? [arrow(played.step, 'threat')] : proof.length ? proof : this.engine.arrows(), this.weights.worths());
    this.gauge.show(isExercise ? null : this.engine.verdict ?? this.proof.score ?? this.review.verdict, this.view.board.turn === 2);
  }

  /**
   * Whether a move on the board answers an exercise, and is not to be made.
   * @param {string} step
   */
  tries(step) {
    return this.review.retry.tries(step);
  }

  /** @param {string} key */
  key(key) {
    return this.engine.key(key) || this.proof.key(key) || this.weights.key(key);
  }

  leave() {
    this.view.app.main.classList.remove('exercise');
    this.unwatch();
    for (const part of [this.engine, this.proof, this.review]) part.leave();
  }
}
