// @ts-check
/** The explorer: what was played in the position on the board, and what came of it. */

import { button, h } from '../dom.js';
import { iconButton } from '../icons.js';
import { Problem } from '../protocol.js';
import { dashed, hundredths } from '../score.js';
import { count, number, t } from '../text.js';
import { foundCard } from './found.js';
import { gamesWith } from './library.js';

/** @typedef {import('../../protocol/message').ExploredInfo} ExploredInfo */
/** @typedef {import('../../protocol/message').ExploredMove} ExploredMove */
/** @typedef {'book' | 'store' | 'self-play' | 'rivals'} SourceId */
/**
 * What is looked at on the board.
 * @typedef {{ rules: string, root: string, moves: string[], isSetUp: boolean }} Sight
 */
/**
 * What the explorer needs of a board.
 * @typedef {object} ExplorerBoard
 * @property {import('../app.js').App} app
 * @property {(look: (sight: Sight) => void) => () => void} watch
 * @property {(moves: string[]) => Promise<unknown>} play
 * @property {HTMLElement} place where it is shown
 * @property {() => string} setup the position on the board in one line
 */

/** How long nothing changes before the server is asked, in milliseconds. */
const PAUSE = 60;

const OPEN = 'tablut-explorer';

/** @type {Record<SourceId, import('../text.js').Key>} */
const NAMES = { book: 'explorerBook', store: 'explorerStore', 'self-play': 'explorerSelfPlay', rivals: 'explorerRivals' };

export class ExplorerPanel {
  /** @param {ExplorerBoard} board */
  constructor(board) {
    this.board = board;
    /** @type {Sight | null} */
    this.sight = null;
    /** @type {ExploredInfo | null} */
    this.info = null;
    /** @type {SourceId | null} */
    this.source = null;
    this.question = 0;
    this.later = 0;
    this.games = h('ul', { class: 'found-list small', 'data-part': 'explorer-games' });
    this.body = h('div', { class: 'folded explorer', 'data-part': 'explorer' });
    this.box = /** @type {HTMLDetailsElement} */ (h('details', { class: 'card', open: recall() === 'open' }, h('summary', { 'data-act': 'explorer' }, t('explorer')), this.body));
    this.box.addEventListener('toggle', () => {
      remember(this.box.open ? 'open' : 'closed');
      this.ask();
    });
    board.place.append(this.box);
    this.stop = board.watch((sight) => this.look(sight));
  }

  leave() {
    clearTimeout(this.later);
    this.stop();
  }

  /** @param {Sight} sight */
  look(sight) {
    this.sight = sight;
    // Answers to earlier questions are not wanted any more.
    this.question += 1;
    clearTimeout(this.later);
    if (!sight.isSetUp) this.later = window.setTimeout(() => this.ask(), PAUSE);
  }

  /** The position and its moves, as questions name them. */
  line() {
    const { sight } = this;
    return { rules: sight?.rules ?? '', setup: sight?.root ?? '', moves: sight?.moves ?? [] };
  }

  async ask() {
    if (!this.box.open || !this.sight) return;
    const { question } = this;
    try {
      const { explored } = await this.board.app.socket.ask('explore', this.line());
      if (question !== this.question) return;
      this.info = explored;
    } catch (problem) {
      if (!(problem instanceof Problem) || question !== this.question) return;
      // A set-up from which nothing can be played.
      this.info = null;
    }
    this.draw();
  }

  draw() {
    const { info } = this;
    const sources = info?.sources ?? [];
    const book = info?.book ?? [];
    const isBook = book.length > 0 && (this.source === 'book' || !sources.length);
    const chosen = isBook ? undefined : sources.find(({ id }) => id === this.source) ?? sources[0];
    const choice = (/** @type {SourceId} */ id, /** @type {boolean} */ isChosen, /** @type {number} */ size) => h('button', {
      type: 'button', 'aria-pressed': String(isChosen), 'data-source': id, onclick: () => { this.source = id; this.draw(); },
    }, t(NAMES[id]), h('small', {}, count(size)));
    this.games.replaceChildren();
    this.body.replaceChildren(
      h('div', { class: 'choices' }, book.length ? choice('book', isBook, book.length) : '', sources.map(({ id, moves }) => (
        choice(/** @type {SourceId} */ (id), id === chosen?.id, moves.reduce((sum, move) => sum + total(move), 0))))),
      isBook ? this.bookTable(book) : chosen ? this.table(chosen) : h('p', { class: 'muted', 'data-part': 'explorer-none' }, t('explorerNone')),
      this.games,
      h('p', {}, h('a', { href: gamesWith(this.sight?.rules ?? '', this.board.setup()), 'data-act': 'find-games' }, t('findGames'))));
    this.body.dataset.asked = (this.sight?.moves ?? []).join(' ');
  }

  /** @param {string} step a press plays it */
  moveCell(step) {
    return h('th', { scope: 'row' }, button(dashed(step), () => this.board.play([step]), { class: 'move', title: t('playMove', { step }) }));
  }

  /** @param {ExploredInfo['book']} book the best move first */
  bookTable(book) {
    const row = (/** @type {[string, number]} */ [step, score]) => h('tr', { 'data-step': step },
      this.moveCell(step), h('td', {}, hundredths(score)));
    return h('table', { class: 'figures', 'data-table': 'book' },
      h('thead', {}, h('tr', {}, [t('move'), t('engine')].map((text) => h('th', { scope: 'col' }, text)))),
      h('tbody', {}, book.map(row)));
  }

  /** @param {{ id: string, moves: ExploredMove[] }} source */
  table({ id, moves }) {
    const all = moves.reduce((sum, move) => sum + total(move), 0);
    const row = (/** @type {ExploredMove} */ move) => h('tr', { 'data-step': move.step },
      this.moveCell(move.step),
      h('td', {}, count(total(move))),
      h('td', { class: 'muted' }, `${number(100 * total(move) / all)} %`),
      h('td', { class: 'shares-cell' }, shares(move)),
      h('td', {}, move.rating === null ? '' : number(move.rating)),
      h('td', {}, iconButton('more', t('gamesBehind', { step: move.step }), () => this.open(id, move.step), { 'data-act': 'games-behind' })));
    return h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': t('explorer') }, h('table', { class: 'figures', 'data-table': 'explorer' },
      h('thead', {}, h('tr', {}, [t('move'), t('gamesCount'), '', t('results'), t('rating'), ''].map((text) => (text ? h('th', { scope: 'col' }, text) : h('td', {}))))),
      h('tbody', {}, moves.slice(0, 12).map(row))));
  }

  /** @param {string} source @param {string} step */
  async open(source, step) {
    const answer = await this.board.app.ask('exploreGames', { ...this.line(), step, source });
    const games = answer?.found.games ?? [];
    this.games.replaceChildren(...games.map((game) => foundCard(this.board.app, game)));
    if (!games.length) this.games.replaceChildren(h('li', { class: 'muted' }, t('noGamesToSee')));
  }
}

/** @param {ExploredMove} move */
function total({ white, black, draws }) {
  return white + black + draws;
}

/**
 * How games went: white's share, draws, black's share.
 * @param {ExploredMove} move
 */
function shares(move) {
  const all = total(move);
  const percent = (/** @type {number} */ part) => number(100 * part / all);
  const part = (/** @type {'white' | 'draws' | 'black'} */ key) => {
    if (move[key] === 0) return null;
    const node = h('span', { class: `share ${key}` }, 100 * move[key] / all >= 30 ? `${percent(move[key])} %` : '');
    // Not as an attribute: the page's content policy has no styles in its markup.
    node.style.flex = `${move[key]} 0 0`;
    return node;
  };
  const words = t('sharesOf', { white: percent(move.white), draws: percent(move.draws), black: percent(move.black) });
  return h('span', { class: 'shares', role: 'img', 'aria-label': words, title: words }, part('white'), part('draws'), part('black'));
}

/** Whether it was open last time; a browser that keeps nothing has it closed. */
function recall() {
  try {
    return localStorage.getItem(OPEN);
  } catch {
    return null;
  }
}

/** @param {string} value */
function remember(value) {
  try {
    localStorage.setItem(OPEN, value);
  } catch {
    // Then it is closed next time.
  }
}
