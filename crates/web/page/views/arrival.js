// @ts-check
/** What comes onto the analysis board: what its address names, what was open last, a game, a link, a text. */

import { readLine, readSetup, readSight } from '../link.js';
import { Problem } from '../protocol.js';
import { ROOT } from '../study.js';
import { t } from '../text.js';

/** @typedef {import('../../protocol/message').StudyState} StudyState */

export class Arrival {
  /** @param {import('./analysis.js').AnalysisView} view */
  constructor(view) {
    this.view = view;
  }

  /**
   * Opens what the address names; without one, what was open last.
   * @param {string} name
   * @param {string[]} address
   * @param {URLSearchParams} query
   */
  async begin(name, address, query) {
    const { view } = this;
    const [first, second, third] = address;
    const { turn, ply } = readSight(query);
    if (turn !== undefined) view.board.rotate(turn);
    if (name === 'study' && first) {
      if (await this.open(first)) this.walkTo(ply);
      else view.app.deadEnd(t('noStudyHere'), '#analysis', t('analysis'));
      return;
    }
    if (first) {
      // What is on the board now can be brought back, so it has to be known.
      await this.open(null);
    }
    if (name === 'analysis' && first === 'game' && second) {
      await this.openGame(second, ply ?? Infinity);
      if (query.has('review')) view.instrument.review.begin();
    } else if (name === 'tactics' && second) await this.follow(first, address.slice(1).join('/'), []);
    else if (name === 'analysis' && first) {
      if (await this.follow(first, readSetup(second ?? 'start'), readLine(third))) this.walkTo(ply);
    } else {
      const last = view.app.setting('study');
      if (!last || !await this.open(last)) await this.open(null);
      return;
    }
    history.replaceState(null, '', '#analysis');
  }

  /**
   * Opens a study, or the board without a name. Says whether it is there.
   * @param {string | null} study
   */
  async open(study) {
    const { view } = this;
    try {
      const answer = await view.app.socket.ask('openStudy', { study, rules: view.app.defaultRules });
      view.show(answer.study);
      this.remember();
      return true;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      if (!study) view.app.complain(problem);
      return false;
    }
  }

  /**
   * Goes to where a link points, on the main line.
   * @param {number | undefined} ply after which move; nothing stays where it is
   */
  walkTo(ply) {
    const { view } = this;
    if (ply === undefined) return;
    const line = view.model.line(view.model.last(ROOT));
    view.go(ply ? line[Math.min(ply, line.length) - 1] ?? ROOT : ROOT);
  }

  /** The study that is open now is opened again next time. */
  remember() {
    const { view } = this;
    const id = view.study.name !== null && view.study.own ? view.study.study ?? '' : '';
    // Who only looks leaves nothing behind.
    if (id !== (view.app.setting('study') ?? '')) view.app.keep('study', id);
  }

  /** @param {string} game @param {number} ply */
  async openGame(game, ply) {
    const count = Number.isFinite(ply) ? ply : 100_000;
    const answer = await this.view.app.ask('studyGame', { game, ply: count });
    if (answer) this.take(answer.study);
  }

  /**
   * A link to a position and moves; what it names may be anything, so the server reads it. Says whether it could.
   * @param {string} rules
   * @param {string} setup
   * @param {string[]} moves
   */
  async follow(rules, setup, moves) {
    const { view } = this;
    const root = setup === 'start' ? '' : `[Setup "${setup}"]\n`;
    const text = moves.length || !root ? `[Rules "${rules}"]\n${root}\n${moves.join(' ')} *\n` : setup;
    try {
      const known = view.app.sets.some(([id]) => id === rules) ? rules : view.app.defaultRules;
      this.take((await view.app.socket.ask('read', { rules: known, text })).study);
      return true;
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      view.app.toast(problem.message || t('notDone'), 'bad', 0);
      return false;
    }
  }

  /**
   * Reads a text onto the board, or throws why not.
   * @param {string} text
   */
  async read(text) {
    const { view } = this;
    this.take((await view.app.socket.ask('read', { text, rules: view.study.rules })).study);
  }

  /**
   * Shows what came onto the board without a name. What was there can be brought back.
   * @param {StudyState} state
   */
  take(state) {
    const { view } = this;
    const before = view.study;
    view.show(state);
    this.remember();
    if (location.hash !== '#analysis') history.replaceState(null, '', '#analysis');
    if (before.name !== null && before.own && before.study) {
      view.app.toast(t('onYourBoard'), 'good', 8000, () => { location.hash = `#study/${before.study}`; }, t('backTo', { name: before.name }));
    } else if (before.study === state.study && before.nodes.length > 1) view.edits.tellNewRoot();
  }
}
