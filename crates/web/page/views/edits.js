// @ts-check
/** Changes of a study: those made here are sent one after another, and those made on other pages are heard. */

import { other, parse, write } from '../board/state.js';
import { Problem } from '../protocol.js';
import { Lost } from '../socket.js';
import { ROOT, pressMark } from '../study.js';
import { t } from '../text.js';

/** @typedef {import('../board/state.js').Setup} Setup */
/** @typedef {import('../../protocol/message').PositionInfo} Place */
/** @typedef {import('../../protocol/message').StudyState} StudyState */
/** @typedef {import('../../protocol/message').StudyEdit} StudyEdit */
/** @typedef {import('../../protocol/message').AnnotationInfo} AnnotationInfo */

export class Edits {
  /** @param {import('./analysis.js').AnalysisView} view */
  constructor(view) {
    this.view = view;
    /** Changes, one after another: a quick second one waits for the first. */
    this.queue = Promise.resolve();
    /** How many of them have not been answered yet. */
    this.waiting = 0;
    /** @type {Element | null} a message that offers to undo the last change */
    this.offer = null;
  }

  /**
   * Sends a change; whatever becomes of it, the server's state is shown then. Says whether it was made.
   * @param {StudyEdit | (() => StudyEdit | null)} edit a function says it when all changes before it are made; nothing for none
   * @param {string | null} [slide] the move that it makes
   * @returns {Promise<boolean>}
   */
  change(edit, slide = null) {
    this.view.stage.hush();
    // What it would undo is not the last change any more.
    this.offer?.remove();
    this.waiting += 1;
    const made = this.queue.then(() => {
      const now = typeof edit === 'function' ? edit() : edit;
      if (now) return this.send(now, slide);
      this.waiting -= 1;
      return true;
    });
    this.queue = made.then(() => undefined);
    return made;
  }

  /** @param {StudyEdit} edit @param {string | null} slide */
  async send(edit, slide) {
    const { view } = this;
    document.body.dataset.kept = 'false';
    try {
      const state = await this.ask(edit).finally(() => { this.waiting -= 1; });
      view.show(state, slide);
      document.body.dataset.kept = 'true';
      return true;
    } catch (problem) {
      view.ahead = null;
      view.refresh();
      if (problem instanceof Lost) view.app.toast(t('notDone'), 'bad', 0);
      else if (problem instanceof Problem) view.refuse(problem);
      else throw problem;
      return false;
    }
  }

  /** @param {StudyEdit} edit */
  async ask(edit) {
    const { view } = this;
    if (!view.study.own && view.study.study) {
      // Somebody else's stays theirs: the change is made to a copy.
      const { node } = view;
      view.show((await view.app.socket.ask('copyStudy', { study: view.study.study })).study);
      view.node = node;
      history.replaceState(null, '', '#analysis');
      view.app.toast(t('copiedStudy'));
    }
    const { name, study, rules } = view.study;
    return (await view.app.socket.ask('editStudy', { study: name === null ? null : study ?? null, rules, cursor: view.node, edit })).study;
  }

  /**
   * Plays moves into the tree, from a node or from where one looks, and goes to the last. Says whether they could be made.
   * @param {string[]} moves
   * @param {number} [from]
   */
  play(moves, from) {
    const { view } = this;
    return this.change(() => {
      const node = from ?? view.node;
      /** @type {number | undefined} */
      let known = node;
      for (const step of moves) known = known === undefined ? undefined : view.model.child(known, step);
      if (known === undefined) return { kind: 'play', node, moves };
      view.go(known);
      return null;
    }, moves.at(-1) ?? null);
  }

  /**
   * Writes comments, marks, scores and lines at many nodes at once; all of it is undone at once.
   * @param {AnnotationInfo[]} notes
   */
  annotate(notes) {
    return this.change({ kind: 'annotate', notes });
  }

  /**
   * Another position, from which moves start. The moves that were there can be brought back.
   * @param {Setup} setup
   * @param {string} [rules]
   */
  async setUp(setup, rules = this.view.study.rules) {
    const { view } = this;
    const hadMoves = view.model.hasMoves;
    view.hand.picked = null;
    const line = write({ ...setup, quiet: 0 });
    if (rules === view.study.rules) {
      view.ahead = setup;
      view.board.setPieces(setup.pieces, null);
    }
    if (await this.change({ kind: 'setUp', rules, setup: line }) && hadMoves) this.tellNewRoot();
  }

  tellNewRoot() {
    this.offerUndo(t('newRoot'));
  }

  /** @param {string} text what was done, and can be undone until something else is */
  offerUndo(text) {
    this.view.app.toast(text, 'good', 8000, () => this.undo());
    this.offer = this.view.app.toastBox.firstElementChild;
  }

  reset() {
    const { view } = this;
    this.setUp(parse(view.app.set(view.study.rules).start));
  }

  clear() {
    this.setUp({ ...this.view.setup, pieces: new Map() });
  }

  toggleSide() {
    const { view } = this;
    this.setUp({ ...view.setup, side: other(view.setup.side) });
  }

  toggleRules() {
    this.change({ kind: 'byRules', on: !this.view.study.byRules });
  }

  /** @param {string} rules */
  setRules(rules) {
    const { view } = this;
    const ground = view.app.set(rules);
    const setup = view.setup;
    const isStart = !view.model.hasMoves && view.study.setup === view.app.set(view.study.rules).start;
    this.setUp(ground.size === setup.size && !isStart ? setup : parse(ground.start), rules);
  }

  undo() {
    this.change({ kind: 'undo' });
  }

  redo() {
    this.change({ kind: 'redo' });
  }

  promote() {
    const { view } = this;
    if (view.node !== ROOT) this.change({ kind: 'promote', node: view.node });
  }

  async remove() {
    const { view } = this;
    if (view.node === ROOT) return;
    if (await this.change({ kind: 'delete', node: view.node })) this.offerUndo(t('lineDeleted'));
  }

  /** @param {number} nag */
  pressMark(nag) {
    const { view } = this;
    if (view.node !== ROOT) this.change({ kind: 'mark', node: view.node, nags: pressMark(view.model.get(view.node).nags ?? [], nag) });
  }

  /**
   * A position that was kept, as a new root.
   * @param {Place} place
   */
  async openPlace({ rules, setup }) {
    await this.setUp(parse(setup), rules);
  }

  /**
   * The study was changed on another page. One stays where one looks, as long as that is there.
   * @param {StudyState} state
   */
  hear(state) {
    const { view } = this;
    // What is being changed here comes first: its answer may know more than this, and a stroke of paint ends with one.
    this.queue = this.queue.then(() => {
      const { study, version } = view.study;
      const isNews = study === null ? state.name === null : study === state.study && version < state.version;
      if (view.isGone || !isNews || view.hand.isPainting) return;
      const isThere = state.nodes.some(({ node }) => node === view.node);
      view.show({ ...state, cursor: isThere ? view.node : state.cursor });
    });
  }
}
