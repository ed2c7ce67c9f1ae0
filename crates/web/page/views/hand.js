// @ts-check
/** What hands do on the analysis board: press, drag, paint, draw, and what they hold. */

import { other, put, shift, sideOf } from '../board/state.js';
import { t } from '../text.js';

/** @typedef {import('./analysis.js').AnalysisView} AnalysisView */
/** @typedef {'empty' | 'b' | 'w' | 'K'} Brush */
/** @typedef {'move' | 'paint' | 'draw'} Tool */

/**
 * The brushes, in the order of the wheel.
 * @type {Brush[]}
 */
export const BRUSHES = ['empty', 'b', 'w', 'K'];

export class Hand {
  /** @param {AnalysisView} view */
  constructor(view) {
    this.view = view;
    /** @type {Brush} */
    this.brush = 'empty';
    /** @type {Tool} */
    this.tool = 'move';
    /** @type {string | null} the square of the picked piece */
    this.picked = null;
    /** @type {string | null} a square that forbids something */
    this.wrong = null;
    this.isPainting = false;
  }

  /** What the board reports. */
  get events() {
    return {
      press: (/** @type {string} */ square) => this.press(square),
      drop: (/** @type {string} */ from, /** @type {string | null} */ to) => this.drop(from, to),
      canDrag: (/** @type {string} */ square) => this.view.board.pieces.has(square),
      paint: (/** @type {string} */ square) => this.paint(square),
      painted: () => this.painted(),
      draw: (/** @type {string} */ from, /** @type {string} */ to) => this.sketch(from, to),
      wheel: (/** @type {number} */ delta) => this.wheel(delta),
      tool: () => this.tool,
    };
  }

  /** @param {string} square */
  press(square) {
    this.view.stage.hush();
    const piece = this.view.setup.pieces.get(square);
    this.wrong = null;
    if (!this.picked || this.picked === square || (piece && !this.isTarget(square))) {
      this.pick(piece && this.picked !== square ? square : null);
    } else this.step(this.picked + square);
  }

  /** @param {string} square */
  isTarget(square) {
    return (this.view.survey?.targets ?? []).some(({ from, to }) => from === this.picked && to === square);
  }

  /** @param {string | null} square */
  pick(square) {
    const piece = square ? this.view.setup.pieces.get(square) : undefined;
    if (square && piece) this.view.app.say(t('pickedUp', { piece: t(`man_${piece}`), square }));
    this.picked = square;
    this.view.mark();
  }

  /** @param {string} from @param {string | null} to */
  drop(from, to) {
    if (to && to !== from) this.step(from + to);
    else if (!to && !this.view.study.byRules) this.view.edits.setUp(put(this.view.setup, from, null));
    else this.view.mark();
  }

  /**
   * Makes a move: free, or by the rules.
   * @param {string} step
   */
  async step(step) {
    this.picked = null;
    const { view } = this;
    if (view.instrument.tries(step)) {
      view.mark();
      return;
    }
    const before = view.setup;
    if (!this.view.study.byRules) {
      await this.view.edits.setUp(shift(before, step));
      this.say(step, []);
      return;
    }
    const [from, to] = [step.slice(0, 2), step.slice(2)];
    const target = view.survey?.targets.find((one) => one.from === from && one.to === to);
    const piece = before.pieces.get(from);
    if ((target || !view.survey && !before.pieces.has(to)) && piece && sideOf(piece) === before.side) {
      // Allowed as far as the page knows: it is on the board at once, and the next one may follow.
      view.foresee({ ...shift(before, step, target?.takes), side: other(before.side) });
      view.board.setPieces(view.setup.pieces, step);
    }
    view.mark();
    if (await view.edits.play([step])) this.say(step, view.model.get(view.node).takes ?? []);
  }

  /** @param {string} step @param {string[]} captured */
  say(step, captured) {
    const piece = this.view.setup.pieces.get(step.slice(2));
    const who = piece ? t(`man_${piece}`) : '';
    const move = t('saidMove', { who, from: step.slice(0, 2), to: step.slice(2) });
    this.view.app.say(captured.length ? t('saidCaptures', { move, squares: captured.join(' ') }) : move);
  }

  /**
   * Paints a square; the server hears of it when the hand is off the board.
   * @param {string} square
   */
  paint(square) {
    this.isPainting = true;
    const piece = this.brush === 'empty' ? null : this.brush;
    if ((this.view.setup.pieces.get(square) ?? null) === piece) return;
    this.view.ahead = put(this.view.setup, square, piece);
    this.view.board.setPieces(this.view.ahead.pieces, null);
  }

  painted() {
    this.isPainting = false;
    if (this.view.ahead) this.view.edits.setUp(this.view.ahead);
  }

  /** @param {Brush} brush */
  setBrush(brush) {
    this.brush = brush;
    this.view.app.say(t(`brush_${brush}`));
    this.view.drawers.draw();
  }

  /** @param {number} delta the wheel turns the brush while setting up, and steps through the moves otherwise */
  wheel(delta) {
    if (this.view.drawers.open === 'setup' || this.tool === 'paint') {
      const at = BRUSHES.indexOf(this.brush) + delta;
      this.setBrush(BRUSHES[Math.max(0, Math.min(BRUSHES.length - 1, at))]);
    } else this.view.walk(delta > 0 ? 'forward' : 'back');
  }

  /** @param {Tool} tool */
  setTool(tool) {
    this.tool = tool;
    this.picked = null;
    this.view.mark();
    this.view.drawers.draw();
  }

  /** @param {string} from @param {string} to */
  sketch(from, to) {
    const drawing = { from, to: from === to ? null : to };
    const drawings = this.view.model.get(this.view.node).drawings ?? [];
    const rest = drawings.filter((one) => one.from !== drawing.from || one.to !== drawing.to);
    this.view.edits.change({ kind: 'draw', node: this.view.node, drawings: rest.length < drawings.length ? rest : [...drawings, drawing] });
  }

  clearDrawings() {
    this.view.edits.change({ kind: 'draw', node: this.view.node, drawings: [] });
  }
}
