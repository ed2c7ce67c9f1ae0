// @ts-check
/**
 * The analysis board: a study on a board. Set up anything, move freely or by the rules, and keep what was found: moves with
 * variations, comments and marks. The server has the tree and the rules; this view sends changes and shows what comes back.
 *
 * What comes onto it is the business of `arrival`, what is changed that of `edits`. Others mount what they have at `places`, listen with
 * `watch` and draw with `setArrows`; `edits.play` and `edits.annotate` are for them too.
 */

import { sideOf, write } from '../board/state.js';
import { h } from '../dom.js';
import { analysisPath } from '../link.js';
import { hasCoordinates, recall, remember } from '../settings.js';
import { playSound } from '../sounds.js';
import { Stage } from '../stage.js';
import { ROOT, StudyModel } from '../study.js';
import { t } from '../text.js';
import { Arrival } from './arrival.js';
import { Drawers } from './drawers.js';
import { Edits } from './edits.js';
import { ExplorerPanel } from './explorer.js';
import { Hand } from './hand.js';
import { Instrument } from './instrument.js';
import { NodeBar } from './node.js';
import { copyPosition, obeyCommand, obeyKey, paste } from './orders.js';
import { openShare } from './share.js';
import { Slots } from './slots.js';
import { callText } from './status.js';
import { drawTree } from './tree.js';

/** @typedef {import('../board/state.js').Setup} Setup */
/** @typedef {import('../../protocol/message').StudyState} StudyState */
/** @typedef {import('../../protocol/message').SurveyInfo} SurveyInfo */
/** @typedef {import('../board/board.js').Arrow} Arrow */
/** @typedef {import('./drawers.js').Overlay} Overlay */
/** @typedef {import('../protocol.js').Problem} Problem */
/**
 * What is looked at.
 * @typedef {object} Sight
 * @property {string | null} study the id of the study; nothing for a board that is not kept yet
 * @property {string} rules
 * @property {string} root the set-up from which the moves start
 * @property {string[]} moves from the root to the node
 * @property {number} node
 * @property {import('../../protocol/message').SideName} side who is to move
 * @property {boolean} isSetUp whether pieces are just being put on the board
 */

/** How long nothing changes before the server is asked about a position, in milliseconds. */
const PAUSE = 40;

/** How long somebody looks at a node before the server keeps that, in milliseconds. */
const REST = 400;

export class AnalysisView {
  /**
   * @param {import('../app.js').App} app
   * @param {string} name the first word of the address: `analysis`, `study`, or `tactics` in old links
   * @param {string[]} address what follows it
   * @param {URLSearchParams} query
   */
  constructor(app, name, address, query) {
    this.app = app;
    this.hand = new Hand(this);
    this.slots = new Slots(this);
    this.arrival = new Arrival(this);
    this.edits = new Edits(this);
    /** @type {SurveyInfo | null} what the server says of the position */
    this.survey = null;
    /** @type {Setup | null} what is on the board until the server has said so */
    this.ahead = null;
    /** @type {Arrow[]} */
    this.arrows = [];
    /** @type {[string, number][]} */
    this.worths = [];
    /** @type {Set<(sight: Sight) => void>} */
    this.watchers = new Set();
    this.isGone = false;
    this.question = 0;
    this.later = 0;
    this.resting = 0;
    /** @type {Set<Overlay>} */
    this.overlays = new Set(/** @type {Overlay[]} */ ((app.setting('overlays') ?? 'lanes,startMarks').split(',')));
    const rules = app.defaultRules;
    /** @type {StudyModel} */
    this.model = new StudyModel(blank(rules, app.set(rules).start));
    this.node = ROOT;
    /** @type {Stage} */
    this.stage = new Stage(app, rules, this.hand.events, (command) => obeyCommand(this, command));
    // However it was turned last, unless a link says otherwise.
    this.board.rotate(Number(recall('turn') ?? 0) || 0);
    this.stage.turned = (turn) => {
      remember('turn', String(turn));
      this.instrument.mark();
    };
    /** Where things are shown: `gauge` left of the board, `engine` above the moves, `graph` below them, `below` under the card. */
    this.places = {
      gauge: h('div', { class: 'gauge-place' }), engine: h('div', { class: 'engine-place' }), graph: h('div', { class: 'graph-place' }),
      below: h('div', { class: 'below-place' }),
    };
    this.words = h('div', { class: 'board-words', 'data-part': 'words' });
    this.title = h('div', { class: 'study-title' });
    this.moves = h('div', { class: 'moves-place tree-place', tabindex: 0 });
    this.drawers = new Drawers(this);
    this.bar = new NodeBar(this);
    this.build();
    this.applyLook();
    this.clipboard = new AbortController();
    const { signal } = this.clipboard;
    document.addEventListener('paste', (event) => paste(this, event), { signal });
    document.addEventListener('copy', (event) => copyPosition(this, event), { signal });
    window.addEventListener('pagehide', () => {
      this.bar.keepComment();
      this.keepCursor();
    }, { signal });
    this.draw();
    this.instrument = new Instrument(this);
    this.slots.load();
    // What is changed before that waits for it.
    this.edits.queue = this.arrival.begin(name, address, query).catch((problem) => app.complain(problem));
  }

  /** The places of the screen. All but the moves and the rows belong to those who fill them, and take no room while empty. */
  build() {
    const { stage } = this;
    this.app.main.classList.add('analysis');
    stage.side.prepend(this.places.gauge);
    stage.side.append(h('div', { class: 'board-under' }, this.words, stage.commandLine));
    stage.cards.classList.add('fixed');
    stage.cards.replaceChildren(
      h('section', { class: 'card part-main', 'aria-label': t('analysis') }, this.places.engine, this.moves, this.drawers.place, this.places.graph,
        this.bar.editor, this.bar.row, this.bar.steps),
      this.places.below);
    this.explorer = new ExplorerPanel({
      app: this.app, place: this.places.below, watch: (look) => this.watch(look), play: (moves) => this.edits.play(moves), setup: () => write(this.setup),
    });
    // The window may change its shape.
    new ResizeObserver(() => this.showCurrent()).observe(this.moves);
  }

  leave() {
    this.isGone = true;
    clearTimeout(this.later);
    this.keepCursor();
    this.bar.keepComment();
    this.explorer?.leave();
    this.instrument.leave();
    this.watchers.clear();
    this.clipboard.abort();
  }

  restyle() {
    this.applyLook();
    this.mark();
  }

  // What is shown

  get study() {
    return this.model.state;
  }

  /** @returns {import('../board/board.js').Board} */
  get board() {
    return /** @type {import('../board/board.js').Board} */ (this.stage.board);
  }

  /** The position on the board. */
  get setup() {
    return this.ahead ?? this.model.setup(this.node);
  }

  /** The position on the board in one line. */
  get line() {
    return this.survey && !this.ahead ? this.survey.setup : write({ ...this.setup, quiet: 0 });
  }

  /** What is looked at. @returns {Sight} */
  get sight() {
    const { study: state, node, model } = this;
    return {
      study: state.study ?? null, rules: state.rules, root: state.setup, moves: model.moves(node), node, side: this.setup.side, isSetUp: this.ahead !== null,
    };
  }

  /**
   * Tells somebody of every change of what is looked at, and at once.
   * @param {(sight: Sight) => void} watcher
   * @returns {() => void} ends it
   */
  watch(watcher) {
    this.watchers.add(watcher);
    watcher(this.sight);
    return () => this.watchers.delete(watcher);
  }

  /**
   * Arrows and figures of others, under what the visitor draws.
   * @param {Arrow[]} arrows
   * @param {[string, number][]} [worths] what men are worth
   */
  setArrows(arrows, worths = []) {
    this.arrows = arrows;
    this.worths = worths;
    this.mark();
  }

  /**
   * Shows a state of the server.
   * @param {StudyState} state
   * @param {string | null} [slide] the move that led there
   */
  show(state, slide = null) {
    this.model = new StudyModel(state);
    if (this.isGone) return;
    // A stroke of paint goes on, and so does a move that waits for its turn.
    if (!this.hand.isPainting && !this.edits.waiting) this.ahead = null;
    this.node = this.model.has(state.cursor) ? state.cursor : ROOT;
    if (this.stage.board?.ground.start !== this.app.set(state.rules).start) {
      this.stage.setRules(state.rules);
      this.applyLook();
    }
    this.refresh(slide);
  }

  /**
   * Goes to a node.
   * @param {number} node
   */
  go(node) {
    if (!this.model.has(node) || node === this.node) return;
    this.bar.keepComment();
    const isNext = this.model.get(node).parent === this.node;
    this.node = node;
    this.hand.picked = null;
    this.ahead = null;
    this.stage.hush();
    this.refresh(isNext ? this.model.get(node).step ?? null : null);
    clearTimeout(this.resting);
    this.resting = window.setTimeout(() => this.keepCursor(), REST);
  }

  /**
   * A position that the server has not made yet; what was said of the last one does not hold for it.
   * @param {Setup} setup
   */
  foresee(setup) {
    this.ahead = setup;
    this.survey = null;
    this.question += 1;
    clearTimeout(this.later);
  }

  /** Lets the server know where the visitor looks. */
  async keepCursor() {
    clearTimeout(this.resting);
    const { study: state, node } = this;
    if (!state.study || !state.own || state.cursor === node) return;
    state.cursor = node;
    await this.app.socket.ask('stepStudy', { study: state.study, node }).catch(() => null);
  }

  /** @param {string | null} slide */
  refresh(slide = null) {
    if (this.hand.picked && !this.setup.pieces.has(this.hand.picked)) this.hand.picked = null;
    this.hand.wrong = null;
    this.survey = null;
    this.board.setPieces(this.setup.pieces, slide);
    this.mark();
    this.draw();
    const { sight } = this;
    for (const watcher of this.watchers) watcher(sight);
    // Answers to earlier questions are not wanted any more; the next one waits for a pause.
    this.question += 1;
    clearTimeout(this.later);
    this.later = window.setTimeout(() => this.ask(), PAUSE);
  }

  draw() {
    const state = this.study;
    this.drawTitle();
    const tree = this.model.hasMoves || this.model.get(ROOT).comment
      ? drawTree(this.model, this.node, (node) => this.go(node)) : h('p', { class: 'muted', 'data-part': 'no-moves' }, t(state.byRules ? 'treeHint' : 'freeHint'));
    this.moves.replaceChildren(this.title, tree);
    this.showCurrent();
    this.bar.draw();
    this.drawers.draw();
    this.drawWords();
  }

  /** Keeps the move that is looked at in sight. */
  showCurrent() {
    this.moves.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  /** What the study is called, and whose it is. */
  drawTitle() {
    const state = this.study;
    const headers = new Map(state.headers);
    const players = headers.get('White') && headers.get('Black') ? `${headers.get('White')} – ${headers.get('Black')}` : '';
    const name = [state.name ?? '', players].filter((part) => part !== '').join(' · ');
    this.title.replaceChildren();
    if (name) this.title.append(h('h2', { 'data-part': 'study-name' }, name));
    if (!state.own) this.title.append(h('span', { class: 'muted' }, t('someoneElses')));
  }

  /** What is said of the position under the board: the call, the end, whose turn it is, what is wrong with it. */
  drawWords() {
    const { survey, study: state } = this;
    const call = survey ? callText(survey) : '';
    // Whoever plays on from a faulty set-up has been told; its end is no fault.
    const faults = survey?.outcome ? [] : survey?.faults ?? [];
    const turn = survey?.outcome ? h('p', { class: 'outcome', 'data-outcome': 'over' }, survey.outcome)
      : h('p', { class: 'turn' }, t('turnOf', { side: t(this.setup.side) }), !state.byRules && h('span', { class: 'muted' }, ` · ${t('freeMoves')}`));
    this.words.replaceChildren(turn);
    if (call && !survey?.outcome) this.words.prepend(h('span', { class: 'call' }, call));
    if (faults.length) {
      this.words.append(h('button', {
        type: 'button', class: 'plain fault-count', 'data-act': 'faults', onclick: () => this.drawers.showFaults(),
      }, t('faultCount', { n: faults.length })));
    }
  }

  /**
   * The study was changed on another page.
   * @param {StudyState} state
   */
  hear(state) {
    this.edits.hear(state);
  }

  /** The connection is back: what happened meanwhile is looked up. */
  async reconnect() {
    await this.arrival.open(this.study.name === null ? null : this.study.study ?? null);
  }

  /** Asks what can be said of the position. */
  async ask() {
    const { question } = this;
    const { rules, root, moves } = this.sight;
    const place = this.ahead ? { rules, setup: write({ ...this.ahead, quiet: 0 }), moves: [] } : { rules, setup: root, moves };
    const answer = await this.app.ask('survey', place);
    if (question !== this.question) return;
    this.survey = answer?.survey ?? null;
    this.mark();
    this.drawers.drawFaults();
    this.drawWords();
    if (this.survey?.outcome) this.app.say(this.survey.outcome);
  }

  /**
   * Says at the board why something is not allowed.
   * @param {Problem} problem
   */
  refuse(problem) {
    this.hand.wrong = problem.square;
    this.mark();
    if (!problem.message) return;
    this.stage.tell(problem.message);
    this.app.say(problem.message);
    playSound('refused');
  }

  mark() {
    const { survey, overlays } = this;
    const { picked, wrong } = this.hand;
    const has = (/** @type {Overlay} */ name) => overlays.has(name);
    const reach = (/** @type {import('../board/state.js').Side} */ side) => [...new Set((survey?.targets ?? [])
      .filter(({ from }) => {
        const piece = this.board.pieces.get(from);
        return piece && sideOf(piece) === side;
      }).map(({ to }) => to))];
    const info = this.model.get(this.node);
    this.board.setMarks({
      last: this.ahead ? null : info.step ?? null,
      picked,
      targets: picked ? (survey?.targets ?? []).filter(({ from }) => from === picked) : [],
      lanes: has('lanes') && !survey?.outcome ? survey?.lanes : [],
      threats: has('capturable') && survey ? [...survey.capturable.black, ...survey.capturable.white] : [],
      hostileToWhite: has('hostileWhite') ? survey?.hostile.white : [],
      hostileToBlack: has('hostileBlack') ? survey?.hostile.black : [],
      reachWhite: has('reachWhite') ? reach('white') : [],
      reachBlack: has('reachBlack') ? reach('black') : [],
      arrows: this.ahead ? [] : this.arrows,
      worths: this.ahead ? [] : this.worths,
      drawings: info.drawings ?? [],
      wrong,
    });
  }

  /** @param {Overlay} name @param {boolean} on */
  overlay(name, on) {
    if (on) this.overlays.add(name);
    else this.overlays.delete(name);
    this.app.keep('overlays', [...this.overlays].join(','));
    this.applyLook();
    this.mark();
  }

  applyLook() {
    this.board.showStarts = this.overlays.has('startMarks');
    this.board.showCoordinates = hasCoordinates(this.app);
    this.board.build();
  }

  /**
   * Steps through the tree.
   * @param {'first' | 'back' | 'forward' | 'last' | 'up' | 'down'} where
   */
  walk(where) {
    const { model, node } = this;
    switch (where) {
      case 'first': this.go(ROOT); break;
      case 'back': this.go(model.get(node).parent); break;
      case 'forward': this.go(model.childrenOf(node)[0] ?? node); break;
      case 'last': this.go(model.last(node)); break;
      case 'up': this.go(model.variation(node, -1)); break;
      default: this.go(model.variation(node, 1));
    }
  }

  // Out of here

  playFromHere() {
    this.app.nextSetup = { rules: this.study.rules, setup: this.line };
    location.hash = '#play';
  }

  /** Where others see what is on the board: a study with a name, or else its line. */
  get path() {
    const { study: state, board } = this;
    if (state.name !== null && state.study) return `/study/${encodeURIComponent(state.study)}${board.turn ? `?turn=${board.turn}` : ''}`;
    const start = this.app.set(state.rules).start;
    return analysisPath({ rules: state.rules, setup: state.setup === start ? null : state.setup, line: this.model.moves(this.node), turn: board.turn });
  }

  share() {
    openShare(this.app, this.path, { drawings: this.model.get(this.node).drawings ?? [], moves: this.model.hasMoves });
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    return obeyKey(this, event);
  }

  /**
   * Escape puts down what is picked, or closes what is open, or wipes away what is drawn.
   * @param {boolean} isBoard whether it was pressed outside of fields, so that it means the board
   */
  letGo(isBoard) {
    if (this.hand.picked) this.hand.pick(null);
    else if (this.drawers.open) this.drawers.toggle(null);
    else if (isBoard && this.study.own && this.model.get(this.node).drawings?.length) this.hand.clearDrawings();
  }
}

/**
 * A board that nobody has touched.
 * @param {string} rules
 * @param {string} setup
 * @returns {StudyState}
 */
function blank(rules, setup) {
  return {
    study: null, name: null, version: 0, own: true, rules, setup, byRules: true, cursor: ROOT, nodes: [{ node: ROOT, parent: ROOT, step: null }], undo: false, redo: false, headers: [],
  };
}
