// @ts-check
/** The engine at the board: a switch, the best lines while they deepen, arrows, and what the opponent threatens. */

import { miniature } from '../board/miniature.js';
import { parse } from '../board/state.js';
import { button, h } from '../dom.js';
import { iconButton } from '../icons.js';
import { told } from '../keys.js';
import { dashed, scoreSign, scoreWords } from '../score.js';
import { number, t } from '../text.js';

/** @typedef {import('../../protocol/message').LinesInfo} LinesInfo */
/** @typedef {import('../../protocol/message').PositionInfo} Place */
/** @typedef {Place & { moves: string[] }} Line a position, and the moves that led from there to what is on the board */
/** @typedef {import('../board/board.js').Arrow} Arrow */
/**
 * What the parts of the instrument need of the board that they stand beside.
 * @typedef {object} Bench
 * @property {import('../app.js').App} app
 * @property {() => Line | null} line what is on the board; nothing if no game can go on from there
 * @property {() => boolean} isSettling whether the server has not heard yet what is on the board
 * @property {(moves: string[]) => void} play moves from there on, kept in the tree
 * @property {() => void} mark marks on the board are to be drawn anew
 */

/** The most lines. */
export const MOST_LINES = 5;

/** How soon after the last question the next one goes out, in milliseconds: a key that is held down asks not every time. */
const PACE = 90;

/** How many moves of a line are shown. */
const LONGEST = 12;

export class EnginePanel {
  /** @param {Bench} bench */
  constructor(bench) {
    this.bench = bench;
    const [on, count] = (bench.app.setting('engine') ?? 'off 3').split(' ');
    this.isOn = on === 'on';
    this.count = Math.max(1, Math.min(MOST_LINES, Number(count) || 3));
    this.hasThreat = false;
    /** @type {LinesInfo | null} */
    this.lines = null;
    /** @type {LinesInfo | null} */
    this.threat = null;
    this.isDone = false;
    /** @type {string} why there are no lines */
    this.why = '';
    /** @type {number[]} the inquiries under way */
    this.numbers = [];
    this.asked = '';
    this.later = 0;
    this.sentAt = 0;
    this.switch = h('button', {
      type: 'button', role: 'switch', class: 'switch', 'data-act': 'engine', 'aria-label': t('engine'), ...told(t('engine'), 'a'), onclick: () => this.toggle(),
    }, h('span', { 'aria-hidden': 'true' }));
    this.score = h('strong', { class: 'engine-score', 'data-part': 'score' });
    this.words = h('span', { class: 'engine-words muted', 'data-part': 'score-words' });
    this.depth = h('span', { class: 'engine-depth muted', 'data-part': 'depth' });
    this.threatButton = iconButton('threat', t('threat'), () => this.toggleThreat(), { key: 'x', 'data-act': 'threat', 'aria-pressed': 'false' });
    this.fewer = button('−', () => this.setCount(this.count - 1), { class: 'count', 'data-act': 'fewer-lines', 'aria-label': t('fewerLines'), ...told(t('fewerLines'), '−') });
    this.more = button('+', () => this.setCount(this.count + 1), { class: 'count', 'data-act': 'more-lines', 'aria-label': t('moreLines'), ...told(t('moreLines'), '+') });
    this.counted = h('output', {});
    /** How many lines there are: for a place that is not always in sight. */
    this.counter = h('div', { class: 'row' }, h('span', {}, t('engineLines')), h('div', { class: 'counter' }, this.fewer, this.counted, this.more));
    /** Where buttons of other parts stand. */
    this.tools = h('div', { class: 'engine-tools' }, this.threatButton);
    this.head = h('div', { class: 'engine-head' }, this.switch,
      h('div', { class: 'engine-says' }, h('div', {}, this.score, this.depth), this.words), this.tools);
    this.list = h('ol', { class: 'engine-lines', 'data-part': 'lines' });
    this.preview = h('div', { class: 'line-preview', 'data-part': 'preview', hidden: true });
    this.element = h('section', { class: 'engine', 'aria-label': t('engine') }, this.head, this.list, this.preview);
    this.draw();
  }

  /** What is on the board has changed, or may have. */
  follow() {
    const line = this.bench.line();
    const wanted = JSON.stringify([this.isOn, this.count, this.hasThreat, line]);
    if (wanted === this.asked) return;
    this.asked = wanted;
    this.stop();
    this.lines = null;
    this.threat = null;
    this.isDone = false;
    this.why = '';
    this.hidePreview();
    this.draw();
    if (!line && !this.bench.isSettling()) {
      this.why = t('overHere');
      this.draw();
    }
    if (!line || !this.isOn && !this.hasThreat) return;
    const wait = this.sentAt + PACE - Date.now();
    if (wait <= 0) this.begin(line);
    else this.later = window.setTimeout(() => this.begin(line), wait);
  }

  /** @param {Line} line */
  begin(line) {
    const { inquiries } = this.bench.app;
    this.sentAt = Date.now();
    const ask = (/** @type {number} */ lines, /** @type {boolean} */ pass, /** @type {(found: LinesInfo, isDone: boolean) => void} */ hear) => {
      const refuse = (/** @type {unknown} */ problem) => {
        if (!pass && problem instanceof Error) {
          this.why = problem.message;
          this.draw();
        }
      };
      return inquiries.begin({ kind: 'lines', ...line, lines, pass }, (found, isDone) => {
        if (found.kind === 'lines') hear(found, isDone);
      }, refuse);
    };
    if (this.isOn) {
      this.numbers.push(ask(this.count, false, (found, isDone) => {
        this.lines = found;
        this.isDone = isDone;
        this.draw();
        this.bench.mark();
      }));
    }
    if (this.hasThreat) {
      this.numbers.push(ask(1, true, (found) => {
        this.threat = found;
        this.bench.mark();
      }));
    }
  }

  stop() {
    clearTimeout(this.later);
    for (const one of this.numbers.splice(0)) this.bench.app.inquiries.end(one);
  }

  /** The view is left. */
  leave() {
    this.stop();
    this.asked = '';
    this.hidePreview();
  }

  toggle() {
    this.isOn = !this.isOn;
    this.keep();
    this.bench.app.say(t(this.isOn ? 'engineOn' : 'engineOff'));
    this.follow();
    this.bench.mark();
  }

  toggleThreat() {
    this.hasThreat = !this.hasThreat;
    this.threatButton.setAttribute('aria-pressed', String(this.hasThreat));
    this.follow();
    this.bench.mark();
  }

  /** @param {number} count */
  setCount(count) {
    const next = Math.max(1, Math.min(MOST_LINES, count));
    if (next === this.count) return;
    this.count = next;
    this.keep();
    this.follow();
  }

  keep() {
    this.bench.app.keep('engine', `${this.isOn ? 'on' : 'off'} ${this.count}`);
  }

  /** What the engine says of the position, if it does. */
  get verdict() {
    return this.isOn ? this.lines?.lines[0]?.score ?? null : null;
  }

  /**
   * The first moves of the lines: the best strong, the others fainter; what the opponent threatens.
   * @returns {Arrow[]}
   */
  arrows() {
    const own = (this.isOn ? this.lines?.lines ?? [] : []).map(({ moves }) => moves[0]);
    const threat = this.hasThreat ? this.threat?.lines[0]?.moves[0] : undefined;
    // The best is drawn over the others.
    return [...own.slice(1).reverse().map((step) => arrow(step, 'other')), ...own.slice(0, 1).map((step) => arrow(step, 'best')),
      ...(threat ? [arrow(threat, 'threat')] : [])];
  }

  draw() {
    const { lines } = this;
    this.switch.setAttribute('aria-checked', String(this.isOn));
    this.element.classList.toggle('off', !this.isOn);
    this.fewer.toggleAttribute('disabled', this.count <= 1);
    this.more.toggleAttribute('disabled', this.count >= MOST_LINES);
    this.counted.textContent = String(this.count);
    const score = this.verdict;
    this.score.textContent = score ? scoreSign(score) : '';
    this.words.textContent = score ? scoreWords(score) : this.isOn ? this.why || t('engineThinks') : t('engine');
    // What is cut off where there is little room is the speed.
    const fast = lines ? speed(lines) : '';
    this.depth.replaceChildren(...(lines ? [[this.isDone ? t('engineRests') : '', t('pliesDeep', { n: lines.depth })].filter(Boolean).join(' · '),
      h('span', { class: 'engine-speed' }, fast && ` · ${fast}`)] : []));
    this.depth.title = this.depth.textContent ?? '';
    this.depth.dataset.depth = String(lines?.depth ?? 0);
    this.list.hidden = !this.isOn;
    if (!this.isOn) {
      this.list.replaceChildren();
      return;
    }
    const rows = Array.from({ length: this.count }, (_, n) => {
      const line = lines?.lines[n];
      if (!line) return h('li', { class: 'engine-line', 'aria-hidden': 'true' });
      const play = (/** @type {number} */ n) => {
        this.hidePreview();
        this.bench.play(line.moves.slice(0, n + 1));
      };
      const moves = line.moves.slice(0, LONGEST).map((step, n) => h('button', {
        type: 'button', class: 'line-move', 'data-step': step, onclick: () => play(n),
        onpointerenter: (/** @type {PointerEvent} */ event) => { if (event.pointerType === 'mouse') this.peek(line.moves.slice(0, n + 1), event); },
        onpointerleave: () => this.hidePreview(),
        onfocus: (/** @type {Event} */ event) => this.peek(line.moves.slice(0, n + 1), event),
        onblur: () => this.hidePreview(),
      }, `${dashed(step)}${line.score.plies === n + 1 ? '#' : ''}`));
      const first = line.moves[0];
      return h('li', { class: 'engine-line', 'data-line': first },
        h('button', { type: 'button', class: 'pill', title: t('playLine', { move: dashed(first) }), 'aria-label': `${scoreSign(line.score)}, ${t('playLine', { move: dashed(first) })}`, onclick: () => play(0) }, scoreSign(line.score)),
        h('div', { class: 'line-moves' }, moves));
    });
    // Lines come several times a second: what has the focus or the pointer stays, if it says the same.
    update(this.list, rows);
  }

  /**
   * Shows the position after some moves on a small board.
   * @param {string[]} moves
   * @param {Event} event
   */
  async peek(moves, event) {
    const { app } = this.bench;
    const line = this.bench.line();
    if (!line) return;
    const what = moves.join(' ');
    this.preview.dataset.moves = what;
    const target = /** @type {HTMLElement} */ (event.target);
    const setup = await this.after({ ...line, moves: [...line.moves, ...moves] });
    if (!setup || this.preview.dataset.moves !== what) return;
    const last = moves[moves.length - 1];
    this.preview.replaceChildren(miniature(app.set(line.rules), parse(setup).pieces, [last.slice(0, 2), last.slice(2)]));
    this.preview.hidden = false;
    const { top } = target.getBoundingClientRect();
    const size = this.preview.offsetWidth;
    // Beside the column: what is read stays in sight.
    this.preview.style.left = `${Math.max(8, this.element.getBoundingClientRect().left - size - 8)}px`;
    this.preview.style.top = `${Math.min(top, window.innerHeight - size - 8)}px`;
  }

  /**
   * The position after a line, as the server has it.
   * @param {Line} line
   */
  async after(line) {
    try {
      return (await this.bench.app.socket.ask('survey', line)).survey.setup;
    } catch {
      // A picture in passing: without an answer there is none.
      return null;
    }
  }

  hidePreview() {
    this.preview.dataset.moves = '';
    this.preview.hidden = true;
  }

  /** @param {string} key */
  key(key) {
    if (key === 'a') this.toggle();
    else if (key === 'x') this.toggleThreat();
    else if (key === '+') this.setCount(this.count + 1);
    else if (key === '-') this.setCount(this.count - 1);
    else return false;
    return true;
  }
}

/**
 * @param {string} step
 * @param {Arrow['look']} look
 * @returns {Arrow}
 */
export function arrow(step, look) {
  return { from: step.slice(0, 2), to: step.slice(2), look };
}

/** @param {LinesInfo} lines */
function speed({ nodes, timeMs }) {
  // What is remembered comes in no time.
  if (timeMs < 20) return '';
  return t('thousandPerSecond', { n: number(nodes / timeMs, 0) });
}

/**
 * Rows in place of others; those that say the same stay as they are.
 * @param {HTMLElement} list
 * @param {HTMLElement[]} rows
 */
function update(list, rows) {
  rows.forEach((row, n) => {
    const old = list.children[n];
    const isSame = old && old.textContent === row.textContent && old.getAttribute('data-line') === row.getAttribute('data-line');
    if (!old) list.append(row);
    else if (!isSame) old.replaceWith(row);
  });
  while (list.children.length > rows.length) list.lastElementChild?.remove();
}
