// @ts-check
/** What is worth watching: a board that follows the best live game, other live games, results and the best players. */

import { Board } from '../board/board.js';
import { miniature } from '../board/miniature.js';
import { parse } from '../board/state.js';
import { clockText } from '../clock.js';
import { card, h } from '../dom.js';
import { hasCoordinates } from '../settings.js';
import { figures } from '../table.js';
import { number, t } from '../text.js';
import { foundCard, labelName } from './found.js';
import { nextStep } from './games.js';
import { playerName } from './names.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').GameState} GameState */
/** @typedef {import('../../protocol/message').LiveGameInfo} LiveGame */
/** @typedef {import('../../protocol/message').SideName} Side */
/** @typedef {import('../../protocol/message').TopListInfo} TopList */

/** How often one looks around, and how long a game that is over stays on the board, in milliseconds. */
const LOOK = 3000;
const STAY = 6000;

/** @type {Side[]} */
const SIDES = ['white', 'black'];

/** The places of those who look on. */
const PLACES = /** @type {const} */ (['watch', 'tournaments', 'ratings']);

/**
 * The head of one of them, with the ways to the others. On a phone the bar and the way that is marked say where one is.
 * @param {typeof PLACES[number]} current
 */
export function watchHead(current) {
  return h('div', { class: 'page-head' }, h('h1', { class: 'in-bar' }, t(current)), h('nav', { class: 'actions', 'aria-label': t('watch') },
    PLACES.map((place) => h('a', { class: 'button', href: `#${place}`, 'data-act': place, 'aria-current': place === current && 'page' }, t(place)))));
}

export class WatchView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** @type {LiveGame[]} */
    this.live = [];
    /** @type {string | null} the game on the large board */
    this.game = null;
    /** @type {GameState | null} */
    this.shown = null;
    this.isGone = false;
    this.overSince = 0;
    /** @type {number | undefined} */
    this.timer = undefined;
    /** @type {Board | undefined} */
    this.board = undefined;
    this.words = h('div', { class: 'tv-words', 'aria-live': 'polite' });
    this.tv = h('section', { class: 'tv', 'data-part': 'tv' });
    this.liveBox = h('section', { 'data-part': 'live' });
    this.tournamentBox = h('section', { 'data-part': 'tournaments' });
    this.recentBox = h('section', { 'data-part': 'recent' });
    this.topBox = h('section', { 'data-part': 'tops' });
    app.main.replaceChildren(h('article', { class: 'page wide-page' }, watchHead('watch'), this.tv, this.liveBox, this.tournamentBox, this.recentBox, this.topBox));
    this.look();
    this.tournaments();
  }

  leave() {
    this.isGone = true;
    clearTimeout(this.timer);
    if (this.game) this.app.ask('leave');
  }

  reconnect() {
    clearTimeout(this.timer);
    this.game = null;
    this.look();
  }

  restyle() {
    this.board = undefined;
    this.drawTv();
  }

  async look() {
    const answer = await this.app.ask('watch');
    if (this.isGone) return;
    if (answer) {
      const { live, recent, tops } = answer.watch;
      this.live = live;
      await this.follow();
      if (this.isGone) return;
      this.drawLive();
      if (this.shown) this.drawTv();
      this.recentBox.replaceChildren(...(recent.length ? [h('h2', {}, t('recentGames')), h('ul', { class: 'found-list' }, recent.map((game) => foundCard(this.app, game)))] : []));
      this.topBox.replaceChildren(...(tops.length ? [h('h2', {}, t('topPlayers')), ...tops.map((list) => this.top(list))] : []));
    }
    this.timer = window.setTimeout(() => this.look(), LOOK);
  }

  /** Puts the best live game on the board, unless one is there that goes on. */
  async follow() {
    const isOver = this.shown?.outcome && Date.now() - this.overSince > STAY;
    const best = this.live.find(({ game }) => game !== this.game);
    const isHere = this.live.some(({ game }) => game === this.game);
    if (this.game && (isHere || this.shown && !isOver)) return;
    if (!best) {
      if (!this.game) this.drawTv();
      return;
    }
    this.game = best.game;
    this.shown = null;
    await this.app.ask('join', { game: best.game, secret: null });
  }

  /** @param {GameState} state */
  state(state) {
    if (state.game !== this.game) return;
    const before = this.shown;
    this.shown = state;
    if (state.outcome && !before?.outcome) this.overSince = Date.now();
    this.drawTv(before?.plies.length === state.plies.length - 1 ? state.plies.at(-1)?.[0] ?? null : null);
  }

  /** @param {string} game */
  lost(game) {
    if (game === this.game) this.game = null;
  }

  /** @param {string | null} [slide] */
  drawTv(slide = null) {
    const { shown } = this;
    if (!shown) {
      this.board = undefined;
      this.tv.replaceChildren(this.game ? '' : nextStep(this.app, t('nothingLive'), '#play', t('newGame')));
      return;
    }
    const ground = this.app.set(shown.rules);
    if (!this.board || this.board.ground !== ground) {
      const frame = h('div', { class: 'tv-board', inert: true });
      this.board = new Board(frame, ground, { press: () => {}, drop: () => {}, canDrag: () => false, label: (square) => square });
      this.board.showStarts = false;
      this.board.showCoordinates = hasCoordinates(this.app);
      this.board.build();
      this.tv.replaceChildren(frame, this.words);
    }
    this.board.setPieces(parse(shown.setup).pieces, slide);
    this.board.setMarks({ last: shown.plies.at(-1)?.[0] ?? null, lanes: shown.outcome ? [] : shown.lanes });
    const player = (/** @type {Side} */ side) => h('div', { class: `card player${shown.running === side ? ' on' : ''}` }, h('span', { class: `chip ${side}` }),
      h('span', { class: 'who' }, h('strong', {}, playerName(shown.seats[side], side, false))),
      shown.seats[side].left !== null && h('span', { class: `clock${shown.running === side ? ' running' : ''}` }, clockText(shown.seats[side].left ?? 0)));
    const spectators = this.live.find(({ game }) => game === this.game)?.spectators ?? 0;
    this.words.replaceChildren(player('black'), h('div', { class: 'tv-about' }, h('h2', {}, t('tv')),
      h('p', { class: 'muted' }, [ground.name, t('movesCount', { n: shown.plies.length }), spectators > 0 && t('spectators', { n: spectators })].filter(Boolean).join(' · ')),
      shown.outcome ? h('p', { class: 'outcome' }, shown.outcome.text) : h('p', {}, t('turnOf', { side: t(shown.turn) })),
      h('a', { class: 'button', href: `#game/${shown.game}`, 'data-act': 'open-live' }, t('openTheGame'))), player('white'));
  }

  drawLive() {
    const others = this.live.filter(({ game }) => game !== this.game);
    this.liveBox.replaceChildren(...(others.length ? [h('h2', {}, t('liveNow')), h('ul', { class: 'live-boards' }, others.map((one) => h('li', {}, h('a', { class: 'card', href: `#game/${one.game}`, 'data-live': one.game },
      miniature(this.app.set(one.rules), parse(one.setup).pieces, one.last ? [one.last.slice(0, 2), one.last.slice(2)] : []),
      SIDES.map((side) => h('span', { class: 'live-player' }, h('span', { class: `chip ${side}` }), playerName(one.seats[side], side, false),
        one.ratings[side] !== null && h('span', { class: 'muted' }, number(one.ratings[side] ?? 0)))),
      h('span', { class: 'muted' }, [t('movesCount', { n: one.plies }), one.spectators > 0 && t('spectators', { n: one.spectators })].filter(Boolean).join(' · '))))))] : []));
  }

  async tournaments() {
    const list = ((await this.app.ask('tournaments'))?.tournaments.list ?? []).filter((one) => one.state === 'running' || one.state === 'paused');
    if (this.isGone || !list.length) return;
    this.tournamentBox.replaceChildren(h('h2', {}, t('tournaments')), h('ul', { class: 'game-list' }, list.map((one) => h('li', {}, h('a', { class: 'card', href: `#tournament/${one.id}`, 'data-tournament': one.id },
      h('strong', {}, one.name), h('span', {}, t(`state_${one.state}`)), h('span', { class: 'muted' }, t('teamsAndGames', { teams: one.teams, played: one.played, games: one.games })))))));
  }

  /** @param {TopList} list */
  top(list) {
    const table = (/** @type {Side} */ side) => list.players[side].length > 0 && figures('tops', [t(side), t('rating'), t('gamesCount')],
      list.players[side].map((one) => h('tr', {}, h('th', { scope: 'row' }, labelName(one.name, side)), h('td', {}, `${number(one.rating)} ± ${number(one.error)}`), h('td', {}, number(one.games)))));
    return card(this.app.set(list.rules).name, h('div', { class: 'tops' }, table('white'), table('black')));
  }
}
