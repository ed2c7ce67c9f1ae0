// @ts-check
/** Mouse, pen and touch on the board: clicks, drags, painting and drawing. */

import { way } from './state.js';

/** How far a pointer moves before a press becomes a drag, in pixels. */
const DRAG = 6;

/** How far a finger moves on a touch pad for one step of the wheel, in pixels, and how long a pause ends such a move, in milliseconds. */
const NOTCH = 50;
const LULL = 300;

export class Pointer {
  /** @param {import('./board.js').Board} board */
  constructor(board) {
    this.board = board;
    /** @type {{ kind: 'press' | 'drag' | 'paint' | 'draw', from: string, x: number, y: number, id: number } | null} */
    this.state = null;
    /** @type {string | null} */
    this.painted = null;
    /** How far the wheel was turned since its last step, in pixels, and when. */
    this.roll = 0;
    this.rolledAt = 0;
    const target = board.svg;
    const on = (/** @type {string} */ name, /** @type {(event: PointerEvent) => void} */ act) => {
      target.addEventListener(name, (event) => act(/** @type {PointerEvent} */ (event)));
    };
    on('pointerdown', (event) => this.down(event));
    on('pointermove', (event) => this.move(event));
    on('pointerup', (event) => this.up(event));
    on('pointercancel', () => this.cancel());
    on('pointerleave', () => {
      if (!this.state) board.hover(null);
    });
    target.addEventListener('contextmenu', (event) => event.preventDefault());
    target.addEventListener('wheel', (event) => {
      if (!board.events.wheel) return;
      event.preventDefault();
      const step = this.rolled(/** @type {WheelEvent} */ (event));
      if (step) board.events.wheel(step);
    }, { passive: false });
  }

  /**
   * The step that a turn of the wheel makes: one for each notch of a mouse; what comes in pixels is collected.
   * @param {WheelEvent} event
   */
  rolled(event) {
    // Browsers that count in lines say so only to those who ask first.
    const isPixels = event.deltaMode === WheelEvent.DOM_DELTA_PIXEL;
    const step = Math.sign(event.deltaY);
    if (!step || !isPixels) return step;
    if (step !== Math.sign(this.roll) || event.timeStamp - this.rolledAt > LULL) this.roll = 0;
    this.rolledAt = event.timeStamp;
    this.roll += event.deltaY;
    if (Math.abs(this.roll) < NOTCH) return 0;
    this.roll = 0;
    return step;
  }

  /** @param {PointerEvent} event */
  down(event) {
    const square = this.board.squareAt(event.clientX, event.clientY);
    if (!square || this.state) return;
    const { events } = this.board;
    const at = { from: square, x: event.clientX, y: event.clientY, id: event.pointerId };
    const tool = toolOf(event, events);
    if (tool === 'draw') {
      if (!events.draw) return;
      this.state = { kind: 'draw', ...at };
    } else if (tool === 'paint') {
      this.state = { kind: 'paint', ...at };
      this.painted = square;
      events.paint?.(square, true);
    } else if (tool === 'move') {
      this.state = { kind: 'press', ...at };
      this.board.setFocus(square);
    } else return;
    event.preventDefault();
    // Who presses the board has done with typing: keys mean the board again.
    if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur();
    this.board.svg.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  move(event) {
    const { board, state } = this;
    const square = board.squareAt(event.clientX, event.clientY);
    if (!state) {
      board.hover(square);
      return;
    }
    if (state.kind === 'paint') {
      this.paintTo(square);
      return;
    }
    if (state.kind === 'press') {
      const far = Math.hypot(event.clientX - state.x, event.clientY - state.y) > DRAG;
      if (!far || !board.events.canDrag(state.from)) return;
      state.kind = 'drag';
      if (board.marks.picked !== state.from) board.events.press(state.from);
    }
    if (state.kind === 'drag') {
      board.hover(square);
      const shape = board.shapes.get(state.from);
      const [x, y] = board.point(event.clientX, event.clientY);
      if (shape) {
        shape.classList.add('dragged');
        shape.style.transform = `translate(${x}px, ${y}px)`;
      }
    }
  }

  /**
   * Paints on to a square, and all squares on the way there: a quick hand skips some.
   * @param {string | null} square
   */
  paintTo(square) {
    if (!square || square === this.painted) return;
    for (const passed of way(this.painted ?? square, square)) this.board.events.paint?.(passed, false);
    this.painted = square;
  }

  /** @param {PointerEvent} event */
  up(event) {
    const { board, state } = this;
    if (!state || state.id !== event.pointerId) return;
    this.state = null;
    const square = board.squareAt(event.clientX, event.clientY);
    if (state.kind === 'paint') board.events.painted?.();
    else if (state.kind === 'draw') {
      if (square) board.events.draw?.(state.from, square);
    } else if (state.kind === 'press') board.events.press(state.from);
    else {
      this.settle(state.from);
      board.events.drop(state.from, square);
    }
    if (event.pointerType !== 'mouse') board.hover(null);
  }

  cancel() {
    const { state } = this;
    this.state = null;
    if (state?.kind === 'drag') this.settle(state.from);
    if (state?.kind === 'paint') this.board.events.painted?.();
  }

  /**
   * Puts a dragged piece back; if it moves, it goes on from there.
   * @param {string} square
   */
  settle(square) {
    const shape = this.board.shapes.get(square);
    if (!shape) return;
    shape.classList.remove('dragged');
    this.board.move(shape, square);
  }
}

/**
 * What a button does: the right one paints, with Shift it draws; the left one is the chosen tool.
 * @param {PointerEvent} event
 * @param {import('./board.js').Events} events
 * @returns {'move' | 'paint' | 'draw' | null}
 */
function toolOf(event, events) {
  if (event.button === 2) return event.shiftKey || !events.paint ? 'draw' : 'paint';
  return event.button === 0 ? events.tool?.() ?? 'move' : null;
}
