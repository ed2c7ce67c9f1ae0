// @ts-check
/**
 * The board: draws what it is told and reports what people do. It knows no rules.
 *
 * The grid of squares is also a grid for keyboards and screen readers: one square has the focus, arrow
 * keys move it, Enter picks and drops.
 */

import { difference, place, squareName, squares, turned, unturned } from './state.js';
import {
  campShape, castleShape, definitions, escapeShape, pieceShape, starShape, startShape, svg,
} from './shapes.js';
import { Pointer } from './input.js';
import { hundredths } from '../score.js';

/** @typedef {import('./state.js').Piece} Piece */
/** @typedef {{ to: string, takes?: string[], wins?: boolean }} Target */
/** @typedef {{ size: number, castle: string, camps: string[], escapes: string[], start: string }} Ground */
/** @typedef {{ from: string, to: string | null }} Drawing an arrow, or a circle */
/** @typedef {{ from: string, to: string, look: 'best' | 'other' | 'threat' | 'answer' }} Arrow the best move, another one, what the opponent would do, one of many answers */
/**
 * @typedef {object} Marks
 * @property {string | null} [last] the last move
 * @property {string | null} [picked] the square of the picked piece
 * @property {Target[]} [targets] where it can go
 * @property {{ king: string, goal: string }[]} [lanes] ways out of kings
 * @property {string[]} [threats] pieces that could be captured
 * @property {string[]} [hostileToWhite] squares
 * @property {string[]} [hostileToBlack] squares
 * @property {string[]} [reachWhite] squares
 * @property {string[]} [reachBlack] squares
 * @property {Drawing[]} [drawings] arrows and circles of the user
 * @property {string | null} [hint] a move
 * @property {Arrow[]} [arrows] moves that somebody thinks of, such as the engine
 * @property {[string, number][]} [worths] what men are worth to their own side, in hundredths
 * @property {string | null} [premove] a move that is planned
 * @property {string | null} [wrong] a square that forbids something
 */
/**
 * @typedef {object} Events what the board reports
 * @property {(square: string) => void} press a click or tap without a drag, or Enter
 * @property {(from: string, to: string | null) => void} drop a piece was dragged
 * @property {(square: string) => boolean} canDrag whether the piece there may be lifted
 * @property {(square: string, first: boolean) => void} [paint] the right button passes a square
 * @property {() => void} [painted] the right button is up again
 * @property {(from: string, to: string) => void} [draw] an arrow, or a circle if both are the same
 * @property {(square: string) => string} label what a screen reader says of a square
 * @property {(delta: number) => void} [wheel]
 * @property {() => 'move' | 'paint' | 'draw'} [tool] what the left button does
 */

const UNIT = 10;

export class Board {
  /**
   * @param {HTMLElement} frame where to draw
   * @param {Ground} ground
   * @param {Events} events
   */
  constructor(frame, ground, events) {
    this.ground = ground;
    this.events = events;
    this.turn = 0;
    /** @type {Map<string, Piece>} */
    this.pieces = new Map();
    /** @type {Map<string, SVGElement>} */
    this.shapes = new Map();
    /** @type {Marks} */
    this.marks = {};
    this.focused = squareName((ground.size - 1) / 2, (ground.size - 1) / 2);
    /** @type {string | null} the square under a dragged or picked piece */
    this.hovered = null;
    this.showStarts = true;
    this.showCoordinates = true;
    this.svg = svg('svg', { class: 'board', role: 'grid', 'aria-label': '' });
    this.layers = {
      ground: svg('g'), under: svg('g', { class: 'under' }), signs: svg('g'), pieces: svg('g', { class: 'pieces' }),
      over: svg('g', { class: 'over' }), grid: svg('g'),
    };
    this.svg.append(definitions(), ...Object.values(this.layers));
    frame.replaceChildren(this.svg);
    this.pointer = new Pointer(this);
    this.svg.addEventListener('keydown', (event) => this.key(/** @type {KeyboardEvent} */ (event)));
    this.build();
  }

  get margin() {
    return this.showCoordinates ? 4.6 : 1.2;
  }

  /** Draws what never changes: squares and their marks. */
  build() {
    const { size } = this.ground;
    const all = size * UNIT;
    const margin = this.margin;
    this.svg.setAttribute('viewBox', `${-margin} -1.2 ${all + margin + 1.2} ${all + margin + 1.2}`);
    this.layers.ground.replaceChildren(svg('rect', {
      x: -0.9, y: -0.9, width: all + 1.8, height: all + 1.8, rx: 1, class: 'frame',
    }));
    this.layers.grid.replaceChildren();
    this.layers.signs.replaceChildren();
    const starts = new Set(this.showStarts ? startsOf(this.ground.start) : []);
    /** @type {Map<number, SVGElement>} */
    const rows = new Map();
    for (const square of squares(size)) {
      const [x, y] = this.corner(square);
      const kind = this.kind(square);
      const [column, row] = place(square);
      this.layers.ground.append(svg('rect', {
        x, y, width: UNIT, height: UNIT, class: `square ${kind}${(column + row) % 2 ? ' odd' : ''}`,
      }));
      const mark = this.groundMark(square, kind, starts);
      if (mark) {
        const [cx, cy] = this.centre(square);
        const group = svg('g', { transform: `translate(${cx} ${cy})` }, [mark]);
        this.layers.signs.append(group);
      }
      const viewRow = y / UNIT;
      let line = rows.get(viewRow);
      if (!line) {
        line = svg('g', { role: 'row' });
        rows.set(viewRow, line);
      }
      const cell = svg('rect', {
        x, y, width: UNIT, height: UNIT, class: 'cell', role: 'gridcell', 'data-square': square,
        tabindex: square === this.focused ? 0 : -1,
      });
      cell.addEventListener('focus', () => this.setFocus(square));
      line.append(cell);
    }
    for (const key of [...rows.keys()].sort((a, b) => a - b)) {
      const row = rows.get(key);
      if (row) this.layers.grid.append(row);
    }
    if (this.showCoordinates) this.coordinates();
    this.shapes.clear();
    this.layers.pieces.replaceChildren();
    const pieces = this.pieces;
    this.pieces = new Map();
    this.setPieces(pieces, null);
    this.setMarks(this.marks);
  }

  coordinates() {
    const { size } = this.ground;
    for (let n = 0; n < size; n += 1) {
      const [bottomColumn, bottomRow] = unturned(n, size - 1, size, this.turn);
      const [leftColumn, leftRow] = unturned(0, n, size, this.turn);
      const isSide = this.turn % 2 === 1;
      const bottom = squareName(bottomColumn, bottomRow)[isSide ? 1 : 0];
      const left = squareName(leftColumn, leftRow)[isSide ? 0 : 1];
      const texts = [
        [n * UNIT + UNIT / 2, size * UNIT + 2.6, bottom],
        [-2.7, n * UNIT + UNIT / 2, left],
      ];
      for (const [x, y, letter] of texts) {
        const text = svg('text', { x, y, class: 'coordinate', 'aria-hidden': 'true' });
        text.textContent = String(letter);
        this.layers.ground.append(text);
      }
    }
  }

  /** @param {string} square */
  kind(square) {
    if (square === this.ground.castle) return 'castle';
    if (this.ground.camps.includes(square)) return 'camp';
    return this.ground.escapes.includes(square) ? 'escape' : 'plain';
  }

  /** @param {string} square @param {string} kind @param {Set<string>} starts */
  groundMark(square, kind, starts) {
    if (kind === 'castle') return castleShape();
    if (kind === 'camp') return campShape();
    if (kind === 'escape') {
      const [x, y] = this.corner(square);
      const last = (this.ground.size - 1) * UNIT;
      if (y === 0) return escapeShape(0);
      if (y === last) return escapeShape(180);
      return escapeShape(x === 0 ? 270 : 90);
    }
    return starts.has(square) ? startShape() : null;
  }

  /** @param {string} square @returns {[number, number]} */
  corner(square) {
    const [column, row] = place(square);
    const [x, y] = turned(column, row, this.ground.size, this.turn);
    return [x * UNIT, y * UNIT];
  }

  /** @param {string} square @returns {[number, number]} */
  centre(square) {
    const [x, y] = this.corner(square);
    return [x + UNIT / 2, y + UNIT / 2];
  }

  /**
   * The square at a point of the window.
   * @param {number} clientX @param {number} clientY
   * @returns {string | null}
   */
  squareAt(clientX, clientY) {
    const [x, y] = this.point(clientX, clientY);
    const { size } = this.ground;
    const [column, row] = [Math.floor(x / UNIT), Math.floor(y / UNIT)];
    if (column < 0 || row < 0 || column >= size || row >= size) return null;
    const [c, r] = unturned(column, row, size, this.turn);
    return squareName(c, r);
  }

  /** @param {number} clientX @param {number} clientY @returns {[number, number]} */
  point(clientX, clientY) {
    const matrix = /** @type {SVGSVGElement} */ (this.svg).getScreenCTM();
    if (!matrix) return [-1, -1];
    const point = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    return [point.x, point.y];
  }

  /**
   * Shows pieces; with the move that led there they slide.
   * @param {Map<string, Piece>} pieces
   * @param {string | null} step
   */
  setPieces(pieces, step) {
    const { moved, gone, come } = difference(this.pieces, pieces, step);
    for (const [from, to] of moved) {
      const shape = this.shapes.get(from);
      if (!shape) continue;
      this.shapes.delete(from);
      this.shapes.get(to)?.remove();
      this.shapes.set(to, shape);
      this.layers.pieces.append(shape);
      this.move(shape, to);
    }
    for (const [square] of gone) {
      const shape = this.shapes.get(square);
      if (shape && !moved.some(([, to]) => to === square)) {
        this.shapes.delete(square);
        if (step) {
          shape.classList.add('captured');
          setTimeout(() => shape.remove(), 300);
        } else shape.remove();
      }
    }
    for (const square of come) {
      this.shapes.get(square)?.remove();
      const piece = pieces.get(square);
      if (!piece) continue;
      const shape = pieceShape(piece);
      this.move(shape, square);
      this.shapes.set(square, shape);
      this.layers.pieces.append(shape);
    }
    this.pieces = new Map(pieces);
    for (const [square, shape] of this.shapes) shape.setAttribute('data-on', square);
    this.speak();
  }

  /** @param {SVGElement} shape @param {string} square */
  move(shape, square) {
    const [x, y] = this.centre(square);
    shape.style.transform = `translate(${x}px, ${y}px)`;
  }

  /** Gives every square its words. */
  speak() {
    for (const cell of this.layers.grid.querySelectorAll('.cell')) {
      const square = cell.getAttribute('data-square') ?? '';
      cell.setAttribute('aria-label', this.events.label(square));
      cell.setAttribute('aria-selected', String(square === this.marks.picked));
    }
  }

  /** @param {Marks} marks */
  setMarks(marks) {
    this.marks = marks;
    const { under, over } = this.layers;
    under.replaceChildren();
    over.replaceChildren();
    this.tint(under, marks.reachWhite, 'reach-white');
    this.tint(under, marks.reachBlack, 'reach-black');
    // A sign for each side, so that colour is not needed.
    for (const square of marks.reachWhite ?? []) this.at(under, square, svg('circle', { cx: -3.4, cy: -3.4, r: 0.7, class: 'reach-sign-white' }));
    for (const square of marks.reachBlack ?? []) this.at(under, square, svg('circle', { cx: 3.4, cy: 3.4, r: 0.7, class: 'reach-sign-black' }));
    for (const square of marks.hostileToWhite ?? []) this.at(under, square, corners('hostile-white', -1));
    for (const square of marks.hostileToBlack ?? []) this.at(under, square, corners('hostile-black', 1));
    if (marks.last) this.tint(under, [marks.last.slice(0, 2), marks.last.slice(2)], 'last');
    if (marks.premove) {
      this.tint(under, [marks.premove.slice(0, 2), marks.premove.slice(2)], 'planned');
      over.append(this.line(marks.premove.slice(0, 2), marks.premove.slice(2), 'arrow planned-way'));
    }
    // A tint would be lost on the castle.
    if (marks.picked && this.kind(marks.picked) === 'castle') this.at(under, marks.picked, svg('rect', { x: -4.6, y: -4.6, width: 9.2, height: 9.2, class: 'picked-ring' }));
    else if (marks.picked) this.tint(under, [marks.picked], 'picked');
    for (const lane of marks.lanes ?? []) under.append(this.line(lane.king, lane.goal, 'lane'));
    const isOver = (marks.targets ?? []).some((target) => target.to === this.hovered);
    for (const target of marks.targets ?? []) {
      const isCapture = (target.takes ?? []).length > 0;
      let shape = svg('circle', { r: 1.1, class: 'dot' });
      if (target.wins) shape = starShape();
      else if (isCapture) shape = svg('circle', { r: 2.2, class: 'capture' });
      this.at(over, target.to, shape, 'target');
      // All that could fall, or what the move under the pointer would take.
      if (!isOver || this.hovered === target.to) for (const square of target.takes ?? []) this.at(over, square, cross('falls'));
    }
    for (const square of marks.threats ?? []) this.at(over, square, cross('threat'));
    if (marks.wrong) this.at(over, marks.wrong, svg('rect', { x: -4.7, y: -4.7, width: 9.4, height: 9.4, class: 'wrong' }));
    if (marks.hint) over.append(this.line(marks.hint.slice(0, 2), marks.hint.slice(2), 'arrow hint'));
    for (const { from, to, look } of marks.arrows ?? []) over.append(this.line(from, to, `arrow ${look}-way`));
    for (const [square, worth] of marks.worths ?? []) this.at(over, square, worthShape(worth, this.pieces.get(square) === 'b'), 'worth');
    for (const drawing of marks.drawings ?? []) {
      if (drawing.to) over.append(this.line(drawing.from, drawing.to, 'arrow'));
      else this.at(over, drawing.from, svg('circle', { r: 4.5, class: 'circle' }));
    }
    for (const [square, shape] of this.shapes) {
      shape.classList.toggle('lifted', square === marks.picked);
    }
    this.ghost();
    this.speak();
  }

  /** A pale copy of the picked piece on the empty square under the pointer. */
  ghost() {
    this.layers.over.querySelector('.ghost')?.remove();
    const { picked } = this.marks;
    const piece = picked ? this.pieces.get(picked) : undefined;
    if (!piece || !this.hovered || this.pieces.has(this.hovered)) return;
    const shape = pieceShape(piece);
    shape.removeAttribute('data-piece');
    shape.classList.add('ghost');
    this.move(shape, this.hovered);
    this.layers.over.prepend(shape);
  }

  /** @param {string | null} square */
  hover(square) {
    if (square === this.hovered) return;
    this.hovered = square;
    if (this.marks.picked) this.setMarks(this.marks);
  }

  /** @param {SVGElement} layer @param {string[] | undefined} where @param {string} look */
  tint(layer, where, look) {
    for (const square of where ?? []) {
      const [x, y] = this.corner(square);
      layer.append(svg('rect', { x, y, width: UNIT, height: UNIT, class: look }));
    }
  }

  /** @param {SVGElement} layer @param {string} square @param {SVGElement} shape @param {string} [hook] */
  at(layer, square, shape, hook) {
    const [x, y] = this.centre(square);
    const group = svg('g', { transform: `translate(${x} ${y})` }, [shape]);
    if (hook) group.setAttribute(`data-${hook}`, square);
    layer.append(group);
  }

  /** @param {string} from @param {string} to @param {string} look */
  line(from, to, look) {
    const [x1, y1] = this.centre(from);
    const [x2, y2] = this.centre(to);
    const isArrow = look.startsWith('arrow');
    const length = Math.hypot(x2 - x1, y2 - y1) || 1;
    const cut = isArrow ? 2.4 / length : 0;
    return svg('line', {
      x1, y1, x2: x2 - (x2 - x1) * cut, y2: y2 - (y2 - y1) * cut, class: look,
      'data-line': from + to, ...(isArrow ? { 'marker-end': 'url(#arrow-head)' } : {}),
    });
  }

  /** @param {number} turn quarters clockwise */
  rotate(turn) {
    this.turn = ((turn % 4) + 4) % 4;
    this.build();
  }

  /** @param {string} square */
  setFocus(square) {
    this.cell(this.focused)?.setAttribute('tabindex', '-1');
    this.focused = square;
    this.cell(square)?.setAttribute('tabindex', '0');
  }

  /** @param {string} square @returns {SVGElement | null} */
  cell(square) {
    return this.layers.grid.querySelector(`[data-square="${square}"]`);
  }

  /** Whether a square has the keyboard's focus. */
  get hasFocus() {
    return this.svg.contains(document.activeElement);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    /** @type {Record<string, [number, number]>} */
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (step) {
      const [x, y] = this.corner(this.focused).map((n) => n / UNIT);
      const last = this.ground.size - 1;
      const to = [x + step[0], y + step[1]].map((n) => Math.min(last, Math.max(0, n)));
      const [column, row] = unturned(to[0], to[1], this.ground.size, this.turn);
      this.setFocus(squareName(column, row));
      this.hover(this.focused);
      this.cell(this.focused)?.focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      this.events.press(this.focused);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}

/** @param {string} look */
function cross(look) {
  return svg('path', { d: 'M-2-2 2 2M2-2-2 2', class: look });
}

/**
 * What a man is worth: a figure below it, and a ring that is wider the more it is worth; broken if it is in the way of its own side.
 * @param {number} worth in hundredths
 * @param {boolean} isBlack
 */
function worthShape(worth, isBlack) {
  const ring = svg('circle', { r: 4.1, class: `worth-ring${worth < 0 ? ' burden' : ''}`, 'stroke-width': Math.min(1.5, 0.15 + Math.abs(worth) / 220) });
  // Letters of a few units would be spaced by whole ones.
  const text = svg('text', { transform: 'translate(0 4.5) scale(.1)', class: `worth ${isBlack ? 'of-black' : 'of-white'}` });
  text.textContent = hundredths(worth, 1).replace('+', '');
  return svg('g', {}, [ring, text]);
}

/** @param {string} look @param {number} way which two corners */
function corners(look, way) {
  const d = way < 0 ? 'M-4.6-2.2V-4.6H-2.2M4.6 2.2V4.6H2.2' : 'M4.6-2.2V-4.6H2.2M-4.6 2.2V4.6H-2.2';
  return svg('path', { d, class: look });
}

/**
 * The squares where white men start.
 * @param {string} start
 * @returns {string[]}
 */
function startsOf(start) {
  const rows = start.split(' ')[0].split('/');
  /** @type {string[]} */
  const found = [];
  rows.forEach((line, row) => {
    let column = 0;
    for (const letter of line) {
      if (letter >= '1' && letter <= '9') column += Number(letter);
      else {
        if (letter === 'w') found.push(squareName(column, row));
        column += 1;
      }
    }
  });
  return found;
}
