// @ts-check
/** The start page: what the game is about, a board that shows it and can be tried, and where to go from here. */

import { miniature } from '../board/miniature.js';
import { after, other, parse, shift } from '../board/state.js';
import { Board } from '../board/board.js';
import { h } from '../dom.js';
import { Problem } from '../protocol.js';
import { hasCoordinates } from '../settings.js';
import { t } from '../text.js';
import { playerName } from './names.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').SurveyInfo} SurveyInfo */
/** @typedef {import('../../protocol/message').GameEntry} GameEntry */

/** A short game of the Challenge's rules: a man is taken, then the king breaks out. */
const DEMO = ['e4f4', 'e2f2', 'd5d2', 'd1c1', 'e5d5', 'a4b4', 'd5d3', 'c1c2', 'd3a3'];

/** The same where black begins: the king has two ways to the edge, or runs on into a corner. */
const BREAK = ['a4d4', 'c5c4', 'i4h4', 'd5d6', 'i6h6', 'c4b4', 'h4h3', 'e5c5', 'd9c9', 'c5c1'];
const DEMOS = { white: [DEMO], black: [BREAK, [...BREAK, 'h3h2', 'c1a1']] };

/** How long a move of the moving picture stays, in milliseconds, and how long its end. */
const BEAT = 1100;
const REST = 3200;

export class HomeView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    this.rules = app.defaultRules;
    const ground = app.set(this.rules);
    /** @type {[string, string[]][]} the moves on the board */
    this.plies = [];
    /** @type {SurveyInfo | null} */
    this.survey = null;
    /** @type {string | null} */
    this.picked = null;
    /** @type {[string, string[]][]} the moves of the moving picture */
    this.demo = [];
    this.timer = 0;
    this.isGone = false;
    const frame = h('div', { class: 'board-frame' });
    /** @type {Board} */
    this.board = new Board(frame, ground, {
      press: (square) => this.press(square),
      drop: (from, to) => (to && to !== from ? this.move(from + to) : this.mark()),
      canDrag: (square) => this.movers().includes(square),
      label: (square) => this.label(square),
    });
    this.board.svg.setAttribute('aria-label', t('board'));
    this.words = h('p', { class: 'muted home-words', role: 'status' }, t('homeTry'));
    this.cards = h('div', { class: 'home-cards' });
    app.main.className = 'home';
    app.main.replaceChildren(
      h('section', { class: 'hero' },
        h('div', { class: 'hero-text' },
          h('h1', {}, t('homeTitle').split(/(?<=\.) /).map((sentence) => h('span', {}, sentence, ' '))),
          h('p', { class: 'lead' }, t('homeStory')),
          h('div', { class: 'actions' },
            h('a', { class: 'button main', href: '#play', 'data-act': 'home-play' }, t('homePlay')),
            h('a', { class: 'button', href: '#learn', 'data-act': 'home-learn' }, t('homeLearn')),
            h('a', { class: 'button', href: '#analysis', 'data-act': 'home-analyse' }, t('homeAnalyse'))),
          this.words),
        h('div', { class: 'hero-board' }, frame)),
      this.cards);
    this.restyle();
    this.load();
    this.loadCards();
  }

  leave() {
    this.isGone = true;
    clearTimeout(this.timer);
  }

  /** What is on the board stays. */
  reconnect() {
    if (!this.survey) this.load();
  }

  restyle() {
    this.board.showCoordinates = hasCoordinates(this.app);
    this.board.build();
    this.draw(false);
  }

  get start() {
    return this.app.set(this.rules).start;
  }

  /** Finds where pieces can go, and whether the moving picture fits the rules; it starts if nobody minds motion. */
  async load() {
    await this.look();
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
    for (const moves of DEMOS[parse(this.start).side]) {
      const answer = await this.app.socket.ask('survey', { rules: this.rules, setup: this.start, moves }).catch(() => null);
      if (this.isGone) return;
      if (!answer?.survey?.outcome) continue;
      this.demo = moves.map((step, n) => [step, answer.survey.captures[n] ?? []]);
      break;
    }
    if (!this.demo.length) return;
    if (!isStill && !this.plies.length && !this.picked) this.timer = window.setTimeout(() => this.turn(0), BEAT);
  }

  /**
   * Shows the next move of the moving picture, which goes round.
   * @param {number} count
   */
  turn(count) {
    const isOver = count > this.demo.length;
    this.board.setPieces(after(parse(this.start), this.demo, isOver ? 0 : count).pieces, isOver || !count ? null : this.demo[count - 1][0]);
    this.board.setMarks({ last: isOver || !count ? null : this.demo[count - 1][0] });
    this.timer = window.setTimeout(() => this.turn(isOver ? 1 : count + 1), count === this.demo.length ? REST : BEAT);
  }

  /** From now on the board belongs to the one who presses it. */
  takeOver() {
    clearTimeout(this.timer);
    if (!this.demo.length) return;
    this.demo = [];
    this.draw(false);
  }

  /** Asks where pieces can go now. */
  async look() {
    const { plies } = this;
    const answer = await this.app.socket.ask('survey', { rules: this.rules, setup: this.start, moves: plies.map(([step]) => step) }).catch(() => null);
    if (answer?.survey && plies === this.plies) this.survey = answer.survey;
    this.mark();
  }

  /** The squares of pieces that can move. */
  movers() {
    return this.demo.length ? [...parse(this.start).pieces.keys()] : (this.survey?.targets ?? []).map(({ from }) => from);
  }

  /**
   * What a screen reader says of a square; while the board is made, only its name.
   * @param {string} square
   * @returns {string}
   */
  label(square) {
    if (!this.board) return square;
    const piece = this.board.pieces.get(square);
    const kind = this.board.kind(square);
    const words = [square, piece ? t(`man_${piece}`) : t('empty')];
    if (kind === 'castle' || kind === 'camp' || kind === 'escape') words.push(t(kind));
    return words.join(', ');
  }

  /** @param {boolean} slide */
  draw(slide) {
    this.board.setPieces(after(parse(this.start), this.plies, this.plies.length).pieces, slide ? this.plies.at(-1)?.[0] ?? null : null);
    this.mark();
  }

  mark() {
    // The moving picture draws its own.
    if (this.demo.length && this.timer) return;
    this.board.setMarks({
      last: this.plies.at(-1)?.[0] ?? null, picked: this.picked,
      targets: this.picked ? (this.survey?.targets ?? []).filter(({ from }) => from === this.picked) : [],
      lanes: this.survey?.lanes ?? [],
    });
  }

  /** @param {string} square */
  press(square) {
    this.takeOver();
    const { picked } = this;
    if (picked && (this.survey?.targets ?? []).some(({ from, to }) => from === picked && to === square)) {
      this.move(picked + square);
      return;
    }
    const piece = this.board.pieces.get(square);
    this.picked = piece && picked !== square ? square : null;
    this.mark();
    if (!this.picked || !piece) this.words.textContent = t('homeTry');
    else {
      const isStuck = this.survey && piece === 'K' && !this.movers().includes(square);
      this.words.textContent = `${t(`homeMan_${piece}`)}${isStuck ? ` ${t('homeKingStuck')}` : ''}`;
    }
  }

  /** @param {string} step */
  async move(step) {
    this.takeOver();
    this.picked = null;
    const known = this.survey;
    const target = known?.targets.find(({ from, to }) => from + to === step);
    if (target) {
      // It is on the board at once; where pieces can go then is not known yet.
      this.survey = null;
      this.board.setPieces(shift(after(parse(this.start), this.plies, this.plies.length), step, target.takes).pieces, step);
      this.board.setMarks({ last: step });
    }
    try {
      const { survey } = await this.app.socket.ask('survey', { rules: this.rules, setup: this.start, moves: [...this.plies.map(([one]) => one), step] });
      if (!survey || this.isGone) return;
      this.plies = [...this.plies, [step, survey.captures.at(-1) ?? []]];
      this.survey = survey;
      this.draw(true);
      this.words.textContent = survey.outcome ?? t('turnOf', { side: t(other(sideAfter(this.start, this.plies.length - 1))) });
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.words.textContent = problem.message;
      this.survey = known;
      this.draw(false);
    }
  }

  /** What waits for the visitor: a game of theirs, games that others play, the puzzle of the day. */
  async loadCards() {
    const [games, tournaments, puzzles] = await Promise.all([this.app.ask('games'), this.app.ask('tournaments'), this.app.ask('puzzles', { rules: this.rules })]);
    if (this.isGone) return;
    const open = games?.games?.find((one) => !one.outcome && one.yours.length > 0);
    const live = tournaments?.tournaments.list.find((one) => one.state === 'running');
    const puzzle = puzzles?.puzzles.daily && (await this.app.ask('puzzle', { rules: this.rules, choice: { kind: 'daily' } }))?.puzzle;
    if (this.isGone) return;
    const tile = (/** @type {string} */ href, /** @type {string} */ over, /** @type {string} */ title, /** @type {string} */ text, /** @type {Node} */ picture) => h('a', { class: 'card tile', href },
      picture, h('span', { class: 'tile-text' }, h('span', { class: 'over' }, over), h('strong', {}, title), h('span', { class: 'muted' }, text)));
    const daily = puzzles?.puzzles.daily;
    const board = (rules = this.rules, setup = this.start) => miniature(this.app.set(rules), parse(setup).pieces);
    this.cards.replaceChildren(
      ...(open ? [tile(`#game/${open.game}`, t('yourGame'), this.names(open), t('movesCount', { n: open.plies }), board(open.rules, open.setup ?? this.app.set(open.rules).start))] : []),
      ...(live ? [tile(`#tournament/${live.id}`, t('liveNow'), live.name, t('gamesPlayed', { played: live.played, games: live.games }), board())] : []),
      ...(daily ? [tile(`#puzzle/${encodeURIComponent(this.rules)}/daily`, t('learn'), t('dailyPuzzle'), t(daily[1] === null ? 'dailyOpen' : daily[1] === 'solved' ? 'dailySolved' : 'dailyTried'), board(this.rules, puzzle?.board.setup))] : []));
  }

  /** @param {GameEntry} game */
  names(game) {
    const name = (/** @type {import('../../protocol/message').SideName} */ side) => playerName(game.seats[side], side, game.yours.length === 1 && game.yours.includes(side));
    return `${name('white')} – ${name('black')}`;
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.key !== 'Escape' || !this.picked) return false;
    this.picked = null;
    this.mark();
    return true;
  }
}

/**
 * Who moves after some plies.
 * @param {string} start
 * @param {number} plies
 */
function sideAfter(start, plies) {
  const { side } = parse(start);
  return plies % 2 ? other(side) : side;
}
