// @ts-check
/** The library: all games that are over and that one may see, looked for, tagged, exported and imported. */

import { miniature } from '../board/miniature.js';
import { parse } from '../board/state.js';
import { button, download, field, h, select, tick } from '../dom.js';
import { iconButton } from '../icons.js';
import { readSetup, writeSetup } from '../link.js';
import { Problem } from '../protocol.js';
import { t } from '../text.js';
import { foundCard } from './found.js';
import { nextStep } from './games.js';
import { showReport } from './report.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').SearchAsk} SearchAsk */
/** @typedef {import('../../protocol/message').FoundGame} FoundGame */

/** Why games end, as searches name it, and the key of the words for it. */
export const REASONS = /** @type {const} */ ([
  ['king escaped', 'reason_kingEscaped'], ['king captured', 'reason_kingCaptured'], ['two open lanes', 'reason_twoLanes'],
  ['no legal move', 'reason_noMove'], ['repetition', 'reason_repetition'], ['captureless limit', 'reason_capturelessLimit'],
  ['move limit', 'reason_moveLimit'], ['time-out', 'reason_timeOut'], ['illegal move', 'reason_illegalMove'],
  ['resignation', 'reason_resignation'], ['agreement', 'reason_agreement'], ['connection lost', 'reason_connectionLost'],
  ['decision', 'reason_decision'],
]);

const SORTS = /** @type {const} */ ([['newest', 'sort_newest'], ['oldest', 'sort_oldest'], ['longest', 'sort_longest'], ['shortest', 'sort_shortest']]);

/** The parts of a search that are texts, as they stand in an address. */
const TEXTS = /** @type {const} */ (['player', 'side', 'opponent', 'rules', 'result', 'reason', 'least', 'most', 'from', 'until', 'line', 'setup', 'tag', 'sort']);

/** @typedef {Partial<Record<typeof TEXTS[number], string>> & { mine?: string }} Wanted */

/**
 * What an address asks for.
 * @param {URLSearchParams} query
 * @returns {Wanted}
 */
export function readWanted(query) {
  const known = [...TEXTS, 'mine'].flatMap((key) => {
    const value = query.get(key);
    return value ? [[key, value]] : [];
  });
  return Object.fromEntries(known);
}

/**
 * The address of a search.
 * @param {Wanted} wanted
 */
export function libraryHref(wanted) {
  const query = new URLSearchParams(Object.entries(wanted).filter(([, value]) => value)).toString();
  return query ? `#library?${query}` : '#library';
}

/**
 * A search as the server takes it.
 * @param {Wanted} wanted
 * @param {string} defaultRules the rule set of positions and openings, if none is named
 * @returns {SearchAsk}
 */
export function searchAsk(wanted, defaultRules) {
  const count = (/** @type {string | undefined} */ text) => text && /^\d{1,6}$/.test(text) ? Number(text) : null;
  const day = (/** @type {string | undefined} */ text, /** @type {string} */ time) => {
    const ms = text ? Date.parse(`${text}T${time}`) : NaN;
    return Number.isNaN(ms) ? null : ms;
  };
  const moves = (wanted.line ?? '').split(/[\s.,]+/).filter((word) => word !== '').map((word) => word.replace('-', '').toLowerCase());
  const isPlaced = Boolean(wanted.setup) || moves.length > 0;
  const rules = wanted.rules || (isPlaced ? defaultRules : null);
  return {
    mine: wanted.mine === '1', player: wanted.player ?? null, side: wanted.side === 'white' || wanted.side === 'black' ? wanted.side : null,
    opponent: wanted.opponent ?? null, rules, result: wanted.result ?? null, reason: wanted.reason ?? null,
    least: count(wanted.least), most: count(wanted.most), fromMs: day(wanted.from, '00:00:00'), untilMs: day(wanted.until, '23:59:59.999'),
    place: wanted.setup && rules ? { rules, setup: readSetup(wanted.setup) } : null, moves, tag: wanted.tag ?? null, sort: wanted.sort ?? null, cursor: null,
  };
}

export class LibraryView {
  /**
   * @param {App} app
   * @param {URLSearchParams} query what the address asks for
   */
  constructor(app, query) {
    this.app = app;
    this.wanted = readWanted(query);
    /** @type {FoundGame[]} */
    this.games = [];
    /** @type {string | null} */
    this.next = null;
    this.turn = 0;
    /** @type {[string, string][] | undefined} words with their labels, once they are known */
    this.tags = undefined;
    this.list = h('ul', { class: 'found-list', 'data-part': 'found' });
    this.foot = h('div', { class: 'actions', 'data-part': 'foot' });
    this.report = h('div', { 'data-part': 'report', role: 'status' });
    this.studies = h('section', { 'data-part': 'studies' });
    this.form = h('div', { hidden: true });
    this.names = h('datalist', { id: 'player-names' });
    this.exportButton = button(t('exportFound'), () => this.export(), { 'data-act': 'export', hidden: true });
    this.page = h('article', { class: 'page wide-page library' },
      h('div', { class: 'page-head' }, h('h1', { class: 'in-bar' }, t('library')),
        h('div', { class: 'actions' }, h('a', { class: 'button', href: '#games' }, t('games')), this.importButton(), this.exportButton)),
      this.report, this.form, this.names, this.list, this.foot, this.studies);
    app.main.replaceChildren(this.page);
    this.drawForm();
    this.search();
    this.loadStudies();
  }

  /** The visitor's own studies, which stand beside the games. */
  async loadStudies() {
    const entries = (await this.app.ask('studies'))?.studies ?? [];
    if (!entries.length) return;
    this.studies.replaceChildren(h('h2', {}, t('studies')), h('ul', { class: 'found-list' }, entries.map((entry) => {
      const ground = this.app.set(entry.rules);
      return h('li', { class: 'card found' }, h('a', { class: 'found-link', href: `#study/${entry.study}`, 'data-study': entry.study },
        miniature(ground, parse(entry.setup).pieces),
        h('span', { class: 'found-text' }, h('strong', {}, entry.name), h('span', { class: 'muted' }, `${ground.name} · ${t('movesCount', { n: entry.moves })}`))));
    })));
  }

  reconnect() {
    this.search();
  }

  /** A field for files, and a button that opens it. */
  importButton() {
    const files = /** @type {HTMLInputElement} */ (h('input', {
      type: 'file', multiple: true, class: 'unseen', 'data-field': 'import', 'aria-label': t('importGames'), tabindex: -1,
      onchange: () => this.import([...files.files ?? []]).then(() => { files.value = ''; }),
    }));
    return h('span', {}, files, button(t('importGames'), () => files.click(), { 'data-act': 'import' }));
  }

  /** @param {File[]} files */
  async import(files) {
    if (!files.length) return;
    this.report.replaceChildren(h('p', { class: 'note' }, t('importing', { n: files.length })));
    /** @type {{ name: string, imported: number, faults: [number | null, string][] }[]} */
    const done = [];
    for (const file of files) {
      try {
        const { imported } = await this.app.socket.ask('import', { text: await file.text(), rules: this.app.defaultRules });
        done.push({ name: file.name, ...imported });
      } catch (problem) {
        if (!(problem instanceof Problem)) throw problem;
        done.push({ name: file.name, imported: 0, faults: [[null, problem.message || t('notDone')]] });
      }
    }
    showReport(this.report, done);
    this.app.say(t('importDone', { n: done.reduce((sum, one) => sum + one.imported, 0) }));
    this.search();
  }

  async export() {
    const answer = await this.app.ask('exportGames', searchAsk(this.wanted, this.app.defaultRules));
    if (answer) download('games.tablut', answer.text);
  }

  /** @param {Wanted} change */
  want(change) {
    this.wanted = { ...this.wanted, ...change };
    history.replaceState(null, '', libraryHref(this.wanted));
    this.drawForm();
    this.search();
  }

  drawForm() {
    const { app, wanted } = this;
    const text = (/** @type {typeof TEXTS[number]} */ key, /** @type {string} */ label, /** @type {Record<string, unknown>} */ more = {}) => field(label, h('input', {
      value: wanted[key] ?? '', 'data-field': `search-${key}`, autocomplete: 'off', ...more,
      onchange: (/** @type {Event} */ event) => this.want({ [key]: /** @type {HTMLInputElement} */ (event.target).value.trim() }),
    }));
    const choice = (/** @type {typeof TEXTS[number]} */ key, /** @type {string} */ label, /** @type {[string, string][]} */ options) => field(label,
      select([['', t('any')], ...options], wanted[key] ?? '', (value) => this.want({ [key]: value }), { 'data-field': `search-${key}`, 'aria-label': label }));
    const suggest = { list: 'player-names', oninput: (/** @type {Event} */ event) => this.suggest(/** @type {HTMLInputElement} */ (event.target).value) };
    const isNarrow = Object.keys(wanted).some((key) => wanted[/** @type {keyof Wanted} */ (key)] && key !== 'sort');
    this.form.replaceChildren(h('details', { class: 'card search', open: isNarrow || matchMedia('(min-width: 861px)').matches },
      h('summary', {}, t('search')),
      h('div', { class: 'search-fields' },
        text('player', t('player'), suggest),
        choice('side', t('playedSide'), [['white', t('white')], ['black', t('black')]]),
        text('opponent', t('opponent'), suggest),
        choice('rules', t('ruleSet'), app.sets),
        choice('result', t('result'), [['white', t('whiteWins')], ['black', t('blackWins')], ['draw', t('draw')]]),
        choice('reason', t('reason'), REASONS.map(([reason, key]) => [reason, t(key)])),
        text('least', t('leastMoves'), { inputmode: 'numeric' }),
        text('most', t('mostMoves'), { inputmode: 'numeric' }),
        text('from', t('playedFrom'), { type: 'date' }),
        text('until', t('playedUntil'), { type: 'date' }),
        text('line', t('openingMoves'), { placeholder: 'e4d4 d1c1' }),
        choice('tag', t('tag'), this.tags ?? []),
        field(t('order'), select(SORTS.map(([sort, key]) => [sort, t(key)]), wanted.sort || SORTS[0][0], (sort) => this.want({ sort: sort === SORTS[0][0] ? '' : sort }), { 'data-field': 'search-sort', 'aria-label': t('order') }))),
      h('div', { class: 'row' },
        tick(t('onlyMine'), wanted.mine === '1', (on) => this.want({ mine: on ? '1' : '' }), 'mine'),
        isNarrow && button(t('clearSearch'), () => { this.wanted = {}; this.want({}); }, { 'data-act': 'clear-search' })),
      wanted.setup && this.placeRow(wanted.setup)));
    if (!this.tags) this.loadTags();
  }

  /**
   * The position that games are looked for with.
   * @param {string} setup
   */
  placeRow(setup) {
    const rules = this.wanted.rules || this.app.defaultRules;
    const place = parse(readSetup(setup));
    return h('div', { class: 'search-place', 'data-part': 'search-place' }, miniature(this.app.set(rules), place.pieces),
      h('span', {}, t('withPosition')), iconButton('close', t('withoutPosition'), () => this.want({ setup: '' }), { 'data-act': 'no-position' }));
  }

  async loadTags() {
    this.tags = [];
    const answer = await this.app.ask('tags');
    this.tags = (answer?.names ?? []).map(([word, games]) => [word, `${word} (${games})`]);
    if (this.tags.length) this.drawForm();
  }

  /** @param {string} beginning */
  async suggest(beginning) {
    if (beginning.trim().length < 1) return;
    const answer = await this.app.ask('players', { beginning });
    this.names.replaceChildren(...(answer?.names ?? []).map(([name]) => h('option', { value: name })));
  }

  /** @param {boolean} [isMore] whether what was found so far stays */
  async search(isMore = false) {
    this.turn += 1;
    const { turn } = this;
    const ask = { ...searchAsk(this.wanted, this.app.defaultRules), cursor: isMore ? this.next : null };
    const answer = await this.app.ask('search', ask);
    if (turn !== this.turn || !answer) return;
    this.games = isMore ? [...this.games, ...answer.found.games] : answer.found.games;
    this.next = answer.found.next;
    this.draw();
  }

  draw() {
    const { games, next } = this;
    this.list.replaceChildren(...games.map((game) => foundCard(this.app, game, this.tagRow(game))));
    const isAsking = Object.values(this.wanted).some(Boolean);
    this.foot.replaceChildren();
    this.exportButton.hidden = !games.length;
    // Where there is nothing, there is nothing to look for.
    this.form.hidden = !games.length && !next && !isAsking;
    if (!games.length && !next) this.foot.append(isAsking ? h('p', { class: 'muted' }, t('nothingFound')) : nextStep(this.app, t('libraryEmpty'), '#play', t('newGame')));
    if (!games.length && next) this.foot.append(h('p', { class: 'muted' }, t('nothingYet')));
    if (next) this.foot.append(button(t('moreGames'), () => this.search(true), { 'data-act': 'more-games' }));
  }

  /**
   * What the visitor calls a game, and a way to add to it.
   * @param {FoundGame} game
   */
  tagRow(game) {
    const tag = async (/** @type {string} */ word, /** @type {boolean} */ on) => {
      if (!await this.app.ask('tagGame', { number: game.number, tag: word, on })) return;
      game.tags = [...(game.tags ?? []).filter((one) => one !== word), ...(on ? [word] : [])];
      this.tags = undefined;
      this.draw();
    };
    const input = /** @type {HTMLInputElement} */ (h('input', { class: 'tag-input', placeholder: t('addTag'), maxlength: 30, 'aria-label': t('addTag'), 'data-field': 'tag' }));
    input.addEventListener('keydown', (event) => { if (event.key === 'Enter' && input.value.trim()) tag(input.value.trim(), true); });
    return h('div', { class: 'tags' },
      (game.tags ?? []).map((word) => button(`${word} ×`, () => tag(word, false), { class: 'tag', title: t('removeTag', { tag: word }), 'aria-label': t('removeTag', { tag: word }) })), input);
  }
}

/**
 * The address of the games with a position.
 * @param {string} rules
 * @param {string} setup
 */
export function gamesWith(rules, setup) {
  return libraryHref({ rules, setup: writeSetup(setup) });
}
