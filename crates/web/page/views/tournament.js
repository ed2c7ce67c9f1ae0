// @ts-check
/** Tournaments: a list of them, and one with its tables, its schedule and its live boards. */

import { miniature } from '../board/miniature.js';
import { parse } from '../board/state.js';
import { clockText } from '../clock.js';
import { button, card, h, wayBack } from '../dom.js';
import { iconButton } from '../icons.js';
import { Problem } from '../protocol.js';
import { figures } from '../table.js';
import { lang, number, t } from '../text.js';
import { gameList, nextStep } from './games.js';
import { askToken, correctionList, hour, Organiser } from './organiser.js';
import { watchHead } from './watch.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').TournamentInfo} TournamentInfo */
/** @typedef {import('../../protocol/message').GroupInfo} GroupInfo */

/** How often a tournament is looked at, in milliseconds. */
const LOOK = 1000;

/** @param {App} app */
export async function showTournaments(app) {
  const page = h('article', { class: 'page wide-page' }, watchHead('tournaments'));
  app.main.replaceChildren(page);
  const { list, archived, refereed } = (await app.ask('tournaments'))?.tournaments ?? { list: [], archived: [], refereed: [] };
  const entries = (/** @type {import('../../protocol/message').TournamentEntry[]} */ some) => h('ul', { class: 'game-list' }, some.map((one) => h('li', {},
    h('a', { class: 'card', href: `#tournament/${one.id}`, 'data-tournament': one.id },
      h('strong', {}, one.name),
      h('span', { class: one.state === 'running' ? 'good-text' : undefined }, t(`state_${one.state}`)),
      h('span', { class: 'muted' }, t('teamsAndGames', { teams: one.teams, played: one.played, games: one.games }))))));
  const hasPast = archived.length + refereed.length > 0;
  if (!list.length) page.append(hasPast ? h('p', { class: 'muted' }, t('noTournamentNow')) : nextStep(app, `${t('noTournaments')} ${t('watchEngines')}`, '#play', t('newGame')));
  if (!list.length && app.welcome?.local) page.append(h('p', { class: 'muted' }, t('tournamentFile')), h('pre', {}, 'tablut tournament run cup.toml'));
  page.append(entries(list));
  if (refereed.length) page.append(h('h2', {}, t('refereed')), gameList(app, refereed));
  if (archived.length) page.append(h('h2', {}, t('archivedOnes')), entries(archived));
}

/** One tournament, which draws itself anew where something has changed. */
export class TournamentView {
  /**
   * @param {App} app
   * @param {string} id
   * @param {boolean} isPublic whether nothing can be done here but look
   */
  constructor(app, id, isPublic) {
    this.app = app;
    this.id = id;
    this.isPublic = isPublic;
    /** @type {Map<string, { node: HTMLElement, shown: string }>} parts of the page and what they show */
    this.parts = new Map();
    this.page = h('article', { class: `page wide-page${isPublic ? ' projector' : ''}` });
    app.main.replaceChildren(this.page);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.isGone = false;
    this.turn = 0;
    this.organiser = new Organiser(app, id, () => this.reconnect());
    this.look();
  }

  leave() {
    this.isGone = true;
    clearTimeout(this.timer);
  }

  reconnect() {
    clearTimeout(this.timer);
    this.look();
  }

  async look() {
    this.turn += 1;
    const { turn } = this;
    /** @type {import('../protocol.js').Reply<'tournament'> | null} */
    let answer = null;
    try {
      answer = await this.app.socket.ask('tournament', { tournament: this.id });
    } catch (problem) {
      if (this.isGone || turn !== this.turn) return;
      if (!this.parts.size && problem instanceof Problem && problem.message) {
        this.app.deadEnd(problem.message, '#tournaments', t('tournaments'));
        return;
      }
      this.app.complain(problem);
    }
    // Who has looked again meanwhile goes on.
    if (this.isGone || turn !== this.turn) return;
    if (answer) this.draw(answer.tournament);
    this.timer = setTimeout(() => this.look(), answer ? LOOK : 10 * LOOK);
  }

  /** @param {'start' | 'pause'} wish */
  async run(wish) {
    if (await this.app.ask('runTournament', { tournament: this.id, wish })) this.reconnect();
  }

  /** @param {TournamentInfo} info */
  draw(info) {
    const { name, state, played, games, boards, groups, fixtures, ends, corrections, entrants } = info;
    const control = info.control && !this.isPublic;
    const isOpen = state === 'running' || state === 'paused';
    const until = ends === null ? '' : ` · ${t('endsAt', { when: hour(ends) })}`;
    const won = isOpen ? '' : victory(groups);
    this.part('head', [name, state, played, games, control, until, info.token, won], () => [
      !this.isPublic && wayBack('#tournaments', t('tournaments')),
      h('div', { class: 'page-head' }, h('h1', {}, name), h('div', { class: 'actions' },
        !info.control && info.token && !this.isPublic && button(t('organiser'), () => askToken(this.app, () => this.reconnect()), { 'data-act': 'organiser', class: 'plain' }),
        control && isOpen && (state === 'running'
          ? button(t('pause'), () => this.run('pause'), { 'data-act': 'pause' })
          : button(t('start'), () => this.run('start'), { 'data-act': 'start', class: 'main' })),
        !this.isPublic && h('a', { class: 'button', href: `#tournament/${this.id}/public`, 'data-act': 'public' }, t('publicView')))),
      h('p', { 'data-part': 'progress' }, `${t(`state_${state}`)} · ${t('gamesPlayed', { played, games })}${until}`),
      won && h('p', { class: 'outcome', 'data-part': 'winner' }, won),
      isOpen && h('progress', { max: games, value: String(played), 'aria-label': t('gamesPlayed', { played, games }) }),
    ]);
    this.part('live', boards, () => boards.length ? [h('h2', {}, t('liveNow')),
      h('ul', { class: 'live-boards' }, boards.map((board) => this.board(info, board)))] : []);
    this.part('tables', groups, () => groups.map((group) => this.group(group)));
    this.part('schedule', [fixtures, control, state], () => [this.schedule(info, control && state !== 'archived')]);
    if (this.isPublic) return;
    this.part('organiser', control && [state, entrants, info.seconds, info.plies], () => control ? [this.organiser.panel(info)] : []);
    this.part('corrections', [corrections, control, state], () => corrections.length ? [correctionList(info, control ? this.organiser : null)] : []);
  }

  /**
   * Draws a part of the page anew if what it shows has changed.
   * @param {string} name
   * @param {unknown} shown
   * @param {() => import('../dom.js').Child[]} make
   */
  part(name, shown, make) {
    const text = JSON.stringify(shown);
    let part = this.parts.get(name);
    if (part?.shown === text) return;
    if (!part) {
      part = { node: h('section', { 'data-part': name }), shown: '' };
      this.parts.set(name, part);
      this.page.append(part.node);
    }
    part.shown = text;
    part.node.replaceChildren(.../** @type {Node[]} */ (make().filter(Boolean)));
  }

  /** @param {TournamentInfo} info @param {import('../../protocol/message').LiveBoardInfo} board */
  board(info, board) {
    const set = this.app.set(info.rules);
    const { pieces, side } = parse(board.setup);
    const clock = (/** @type {boolean} */ runs) => runs && h('span', { class: 'clock' }, clockText(board.left));
    const moved = board.last ? [board.last.slice(0, 2), board.last.slice(2)] : [];
    return h('li', {}, h('a', { class: 'card', href: `#game/${board.game}`, 'data-game': board.game },
      h('span', { class: 'live-player' }, h('span', { class: 'chip black' }), board.black, clock(side === 'black')),
      miniature(set, pieces, moved),
      h('span', { class: 'live-player' }, h('span', { class: 'chip white' }), board.white, clock(side === 'white')),
      h('span', { class: 'muted', 'data-part': 'plies' }, t('movesCount', { n: board.plies }))));
  }

  /** @param {GroupInfo} group */
  group(group) {
    const title = group.name === null ? t('finalRound') : t('group', { name: group.name });
    const wdl = (/** @type {number[]} */ counts) => counts.join('/');
    const head = [t('place'), t('team'), t('points'), t('white'), t('black'), t('men2'), t('meanMoves'), t('movePoints')];
    return card(title,
      figures('standings', head, group.rows.map((row) => h('tr', {},
        h('td', {}, row.place), h('th', { scope: 'row', title: row.members.join(', ') }, row.team, row.withdrawn && h('small', { class: 'muted' }, ` ${t('withdrawn')}`),
          h('small', { class: 'muted tie-break' }, `${t('men2')} ${row.men[0]}\u00a0:\u00a0${row.men[1]}`)), h('td', {}, h('strong', {}, row.points)),
        h('td', {}, wdl(row.sides.white)), h('td', {}, wdl(row.sides.black)),
        h('td', {}, `${row.men[0]} : ${row.men[1]}`), h('td', {}, number(row.meanMoves, 1)), h('td', {}, number(row.movePoints, 1))))),
      h('p', { class: 'muted' }, t('tableNote')),
      figures('cross', ['', t('whiteBlack'), ...group.rows.map((_, n) => n + 1)], group.cross.map((cells, n) => h('tr', {},
        h('td', {}, n + 1), h('th', { scope: 'row' }, group.rows[n].team), cells.map((cell, m) => (n === m ? h('td', { class: 'self' }) : h('td', {}, cell.replace('.', '·')))))), 'cross'));
  }

  /** @param {TournamentInfo} info @param {boolean} control whether games can be corrected */
  schedule(info, control) {
    const result = (/** @type {import('../../protocol/message').FixtureInfo} */ one) => {
      if (one.live) return t('live');
      if (one.ruling === 'annulled') return t('annulled');
      if (one.ruling === 'notPlayed') return t('notPlayed');
      return one.outcome ? one.outcome.text : t('toPlay');
    };
    const heads = [t('number'), t('round'), t('white'), t('black'), t('result'), t('moves'), ...(control ? [''] : [])];
    return card(t('schedule'), figures('schedule', heads, info.fixtures.map((one) => h('tr', { 'data-fixture': one.number, class: one.live ? 'is-live' : undefined },
      h('td', {}, one.number), h('td', {}, one.round), h('td', { class: 'words' }, one.white), h('td', { class: 'words' }, one.black),
      h('td', { class: 'words', title: one.fault ?? undefined }, one.game && (one.live || one.outcome || one.ruling === 'annulled')
        ? h('a', { href: `#game/${one.game}` }, result(one)) : h('span', { class: 'muted' }, result(one)),
      one.fault && h('small', { class: 'muted' }, ` ${one.fault}`)),
      h('td', {}, one.plies ?? ''),
      control && h('td', { class: 'correct' }, one.ruling !== 'annulled' && one.ruling !== 'notPlayed'
        && iconButton('edit', t('correctGame', { n: one.number }), () => this.organiser.askGame(one), { 'data-act': `game-${one.number}` })))), 'stacked'));
  }
}

/**
 * Who has won, in a sentence; nothing where several groups have no final.
 * @param {GroupInfo[]} groups
 */
function victory(groups) {
  const deciding = groups.find(({ name }) => name === null) ?? (groups.length === 1 ? groups[0] : null);
  const best = deciding?.rows.filter(({ place }) => place === 1) ?? [];
  if (!best.length || !best[0].points) return '';
  const team = new Intl.ListFormat(lang()).format(best.map((row) => row.team));
  return t(best.length > 1 ? 'cupShared' : 'cupWon', { team, n: best[0].points });
}

/**
 * Who is how strong, and how fair the rule sets are.
 * @param {App} app
 */
export async function showRatings(app) {
  const page = h('article', { class: 'page wide-page' }, watchHead('ratings'));
  app.main.replaceChildren(page);
  const ratings = (await app.ask('ratings'))?.ratings;
  if (!ratings) return;
  if (!ratings.sets.length) page.append(nextStep(app, t('noRatings'), '#play', t('newGame')));
  const strength = (/** @type {[number, number, number] | null} */ one) => one
    ? `${Math.round(one[0])} ± ${Math.round(one[1])} (${one[2]})` : '–';
  const share = (/** @type {[number, number, number]} */ [middle, low, high]) => {
    const percent = (/** @type {number} */ part) => number(100 * part);
    return `${percent(middle)} % (${percent(low)}–${percent(high)})`;
  };
  if (ratings.players.length) {
    page.append(card(t('players'), h('p', { class: 'muted' }, t('ratingsNote')), figures('ratings', [t('player'), t('white'), t('black')],
      ratings.players.map((one) => h('tr', {}, h('th', { scope: 'row' }, one.name), h('td', {}, strength(one.sides.white)), h('td', {}, strength(one.sides.black)))))));
  }
  if (ratings.sets.length) {
    page.append(card(t('balance'), h('p', { class: 'muted' }, t('balanceNote')), figures('balance', [t('ruleSet'), t('gamesCount'), t('whiteWins'), t('blackWins'), t('draws')],
      ratings.sets.map((set) => h('tr', {}, h('th', { scope: 'row' }, app.set(set.rules).name), h('td', {}, set.games), set.shares.map((one) => h('td', {}, share(one))))), 'stacked')));
  }
}
