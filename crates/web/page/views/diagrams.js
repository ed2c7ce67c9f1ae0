// @ts-check
/** Small boards that show a rule and can be played: press a piece and a square, or let the move be shown. */

import { Board } from '../board/board.js';
import { parse, shift, sideOf } from '../board/state.js';
import { button, h } from '../dom.js';
import { Problem } from '../protocol.js';
import { t } from '../text.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').SetInfo} SetInfo */
/** @typedef {import('../../protocol/message').DemonstrationInfo} Demonstration */
/** @typedef {import('../../protocol/message').SurveyInfo} SurveyInfo */

/** How long a move of several is looked at, in milliseconds. */
const PACE = 500;

/** One small board. */
export class Diagram {
  /**
   * @param {App} app
   * @param {SetInfo} set
   * @param {{ setup: string, moves: string[], text: string }} what
   */
  constructor(app, set, what) {
    this.app = app;
    this.set = set;
    this.what = what;
    /** @type {string[]} */
    this.moves = [];
    /** @type {SurveyInfo | null} */
    this.survey = null;
    /** @type {string | null} */
    this.picked = null;
    /** Whether a move waits for the server. */
    this.isBusy = false;
    this.turn = 0;
    this.frame = h('div', { class: 'diagram-board' });
    /** @type {Board} */
    this.board = new Board(this.frame, set, {
      press: (square) => this.press(square),
      drop: (from, to) => { if (to && to !== from) this.play(from + to); else this.mark(); },
      canDrag: (square) => this.canMove(square),
      label: (square) => `${square}, ${this.board?.pieces.has(square) ? t(`man_${/** @type {'b' | 'w' | 'K'} */ (this.board.pieces.get(square))}`) : t('empty')}`,
    });
    this.board.showStarts = false;
    this.board.build();
    this.board.svg.setAttribute('aria-label', what.text);
    this.caption = h('figcaption', { 'aria-live': 'polite' });
    this.acts = h('div', { class: 'actions' });
    this.node = h('figure', { 'data-part': 'diagram' }, this.frame, this.caption, this.acts);
    this.again();
  }

  /** The position from which something is shown. */
  again() {
    this.turn += 1;
    this.moves = [];
    this.survey = null;
    this.picked = null;
    this.isBusy = false;
    this.node.dataset.state = 'start';
    this.board.setPieces(parse(this.what.setup).pieces, null);
    this.say(this.what.text);
    this.mark();
  }

  /** @param {string} text */
  say(text) {
    this.caption.textContent = text;
    this.acts.replaceChildren(
      this.moves.length ? button(t('again'), () => this.again(), { class: 'plain', 'data-act': 'diagram-again' })
        : button(t('showMe'), () => this.show(), { class: 'plain', 'data-act': 'diagram-show' }));
  }

  /** The position that the moves have led to. */
  get setup() {
    return parse(this.survey?.setup ?? this.what.setup);
  }

  /** @param {string} square */
  canMove(square) {
    const piece = this.board.pieces.get(square);
    return piece !== undefined && sideOf(piece) === this.setup.side && !this.isBusy && !this.survey?.outcome;
  }

  /** @param {string} square */
  async press(square) {
    if (this.picked && this.picked !== square && !this.canMove(square)) {
      await this.play(this.picked + square);
      return;
    }
    this.picked = this.canMove(square) && this.picked !== square ? square : null;
    // Where it can go is asked when somebody wants to know.
    if (this.picked && !this.survey) await this.look(this.moves, this.turn);
    this.mark();
  }

  /** @param {string[]} moves @param {number} turn */
  async look(moves, turn) {
    const { survey } = await this.app.socket.ask('survey', { rules: this.set.id, setup: this.what.setup, moves });
    if (turn !== this.turn) return null;
    this.survey = survey;
    return survey;
  }

  /** @param {string} step */
  async play(step) {
    if (this.isBusy) return;
    this.isBusy = true;
    this.picked = null;
    const { turn, setup, survey: known } = this;
    const target = known?.targets.find(({ from, to }) => from + to === step);
    if (target || !known && !setup.pieces.has(step.slice(2))) {
      // Allowed as far as the page knows: it is on the board at once.
      this.board.setPieces(shift(setup, step, target?.takes).pieces, step);
      this.board.setMarks({ last: step });
    }
    try {
      const survey = await this.look([...this.moves, step], turn);
      if (!survey) return;
      this.moves = [...this.moves, step];
      const taken = survey.captures.at(-1) ?? [];
      this.board.setPieces(parse(survey.setup).pieces, step);
      this.node.dataset.state = 'played';
      const isShown = this.moves.join() === this.what.moves.join();
      this.say(isShown ? this.what.text : survey.outcome ?? (taken.length ? t('takesOn', { n: taken.length, squares: taken.join(', ') }) : t('takesNothing')));
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (turn !== this.turn) return;
      this.board.setPieces(setup.pieces, null);
      this.app.complain(problem);
    }
    this.isBusy = false;
    this.mark();
  }

  /** Plays what there is to be shown. */
  async show() {
    this.again();
    const { turn } = this;
    for (const step of this.what.moves) {
      await this.play(step);
      if (turn !== this.turn) return;
      if (this.what.moves.length > 1) await new Promise((resolve) => { setTimeout(resolve, PACE); });
      if (turn !== this.turn) return;
    }
  }

  mark() {
    const isStart = this.moves.length === 0;
    this.board.setMarks({
      hint: isStart && !this.picked ? this.what.moves[0] ?? null : null,
      last: this.moves.at(-1) ?? null,
      picked: this.picked,
      targets: this.picked ? (this.survey?.targets ?? []).filter(({ from }) => from === this.picked) : [],
    });
  }
}

/**
 * Every capture and every end of a set.
 * @param {App} app
 * @param {SetInfo} set
 */
export async function diagrams(app, set) {
  const answer = await app.ask('demonstrate', { rules: set.id });
  const all = answer?.demonstrations ?? [];
  const topics = [...new Set(all.map(({ topic }) => topic))];
  return topics.map((topic) => h('section', { class: 'card' }, h('h2', {}, topic),
    h('div', { class: 'diagrams' }, all.filter((one) => one.topic === topic).map((one) => new Diagram(app, set, one).node))));
}
