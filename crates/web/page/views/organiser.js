// @ts-check
/** What an organiser does with a tournament: corrections, each with its reason, and their undoing. */

import { offer, openDialog } from '../dialog.js';
import { button, card, field, h, select } from '../dom.js';
import { lang, t } from '../text.js';

/** @typedef {import('../../protocol/message').SideName} Side */
/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').TournamentInfo} TournamentInfo */
/** @typedef {import('../../protocol/message').FixtureInfo} FixtureInfo */
/** @typedef {import('../../protocol/message').NoteInfo} NoteInfo */
/** @typedef {import('../../protocol/message').CorrectionAsk} CorrectionAsk */

/** Where this browser keeps the organiser's token until it is closed. */
const TOKEN = 'tablut-organiser';

/** The token that was said in this browser, if one was. */
export function knownToken() {
  try {
    return sessionStorage.getItem(TOKEN);
  } catch {
    return null;
  }
}

/** @param {string | null} token */
export function keepToken(token) {
  try {
    if (token === null) sessionStorage.removeItem(TOKEN);
    else sessionStorage.setItem(TOKEN, token);
  } catch {
    // Then it is asked for again after a break.
  }
}

/**
 * Says the token to the server; one that is wrong is forgotten.
 * @param {App} app
 * @param {string} token
 */
export async function sayToken(app, token) {
  const done = await app.ask('organise', { token });
  keepToken(done ? token : null);
  return Boolean(done);
}

const moment = (/** @type {number} */ ms) => new Date(ms).toLocaleString(lang(), { dateStyle: 'medium', timeStyle: 'short' });

/**
 * The hour of a moment, with its day if that is not today.
 * @param {number} ms
 */
export function hour(ms) {
  const at = new Date(ms);
  const isToday = at.toDateString() === new Date().toDateString();
  return at.toLocaleString(lang(), isToday ? { timeStyle: 'short' } : { dateStyle: 'short', timeStyle: 'short' });
}

/**
 * A window that asks for what a correction needs, and why it is made.
 * @param {string} title
 * @param {Node[]} children
 * @param {[string, string, string, (why: string) => void][]} acts name, label, class and what is done
 */
function askWhy(title, children, acts) {
  const why = /** @type {HTMLInputElement} */ (h('input', { maxlength: 500, 'data-field': 'why', required: true, autocomplete: 'off' }));
  const hint = h('p', { class: 'muted', 'data-part': 'why-hint' }, t('whyHint'));
  const dialog = openDialog(title, ...children, field(t('why'), why), hint);
  const act = (/** @type {(why: string) => void} */ done) => {
    if (!why.value.trim()) {
      hint.className = 'bad-text';
      why.focus();
      return;
    }
    dialog.close();
    done(why.value.trim());
  };
  offer(dialog, ...acts.map(([name, label, kind, done]) => button(label, () => act(done), { 'data-act': name, class: kind })));
  return dialog;
}

/**
 * A field of a window.
 * @param {string} name
 * @param {string} value
 * @param {Record<string, unknown>} [more]
 */
function input(name, value, more = {}) {
  return /** @type {HTMLInputElement} */ (h('input', { 'data-field': name, value, autocomplete: 'off', ...more }));
}

/** The organiser's part of a tournament's page. */
export class Organiser {
  /**
   * @param {App} app
   * @param {string} id
   * @param {() => void} look draws the page anew
   */
  constructor(app, id, look) {
    this.app = app;
    this.id = id;
    this.look = look;
    /** The number of the team that is chosen. */
    this.team = 0;
  }

  /** @param {CorrectionAsk} correction @param {string} why */
  async correct(correction, why) {
    const answer = await this.app.ask('correctTournament', { tournament: this.id, correction, why });
    if (!answer) return;
    const { corrected } = answer;
    const isUndone = correction.kind === 'undo' || correction.kind === 'restore';
    this.app.toast([isUndone ? `${t('undone')}: ${corrected.text}` : corrected.text, ...corrected.notices].join(' '), 'good', corrected.notices.length ? 12000 : 5000);
    this.look();
  }

  /** @param {TournamentInfo} info */
  panel(info) {
    if (info.state === 'archived') {
      return card(t('organiser'), h('p', {}, t('archivedNote')), h('div', { class: 'actions' },
        button(t('restore'), () => askWhy(t('restore'), [], [['do', t('restore'), 'main', (why) => this.correct({ kind: 'restore' }, why)]]), { 'data-act': 'restore' }),
        button(t('deleteForGood'), () => this.askDelete(info), { 'data-act': 'delete', class: 'bad' })));
    }
    this.team = Math.min(this.team, info.entrants.length - 1);
    const withdrawn = () => info.entrants[this.team]?.withdrawn ?? true;
    const leave = button(t('withdraw'), () => this.askWithdraw(info), { 'data-act': 'withdraw', disabled: withdrawn() });
    const teams = /** @type {[string, string][]} */ (info.entrants.map((team, n) => [String(n), team.withdrawn ? `${team.name} (${t('withdrawn')})` : team.name]));
    return card(t('organiser'),
      h('p', { class: 'muted' }, t('organiserNote')),
      field(t('team'), select(teams, String(this.team), (value) => {
        this.team = Number(value);
        /** @type {HTMLButtonElement} */ (leave).disabled = withdrawn();
      }, { 'data-field': 'team' })),
      h('div', { class: 'actions' }, leave,
        button(t('changeTeam'), () => this.askChange(info), { 'data-act': 'change-team' })),
      h('div', { class: 'actions' },
        button(t('lateTeam'), () => this.askTeam(info), { 'data-act': 'add-team' }),
        button(t('timesAndLimits'), () => this.askSettings(info), { 'data-act': 'settings' }),
        button(t('archive'), () => askWhy(t('archive'), [h('p', {}, t('archiveHint'))], [['do', t('archive'), 'main', (why) => this.correct({ kind: 'archive' }, why)]]), { 'data-act': 'archive' })));
  }

  /** @param {TournamentInfo} info */
  askWithdraw(info) {
    const { team } = this;
    const leave = (/** @type {boolean} */ annul) => (/** @type {string} */ why) => this.correct({ kind: 'withdraw', team, annul }, why);
    askWhy(`${t('withdraw')}: ${info.entrants[team].name}`, [h('p', {}, t('withdrawHint'))], [
      ['withdraw-keep', t('gamesKept'), 'main', leave(false)],
      ['withdraw-annul', t('gamesAnnulled'), 'grave', leave(true)],
    ]);
  }

  /** @param {TournamentInfo} info */
  askChange(info) {
    const { team } = this;
    const { name, members } = info.entrants[team];
    const fields = { name: input('team-name', name), members: input('members', members.join(', ')), plays: input('plays', '', { placeholder: t('unchanged') }), secret: input('secret', '', { placeholder: t('unchanged') }) };
    const change = (/** @type {string} */ why) => {
      /** @type {import('../../protocol/message').TeamText} */
      const to = { name: null, members: null, group: null, plays: null, secret: null };
      const list = split(fields.members.value);
      if (fields.name.value.trim() !== name) to.name = fields.name.value;
      if (list.join() !== members.join()) to.members = list;
      if (fields.plays.value.trim()) to.plays = fields.plays.value;
      if (fields.secret.value.trim()) to.secret = fields.secret.value;
      if (Object.values(to).some((value) => value !== null)) this.correct({ kind: 'changeTeam', team, to }, why);
    };
    askWhy(name, teamFields(fields), [['do', t('save'), 'main', change]]);
  }

  /** @param {TournamentInfo} info */
  askTeam(info) {
    const groups = [...new Set(info.entrants.map((team) => team.group))];
    const fields = { name: input('team-name', ''), members: input('members', ''), plays: input('plays', '', { placeholder: 'client:./runmyplayer.sh' }), secret: input('secret', '', { placeholder: t('onlyRemote') }) };
    let group = groups[0];
    const choice = select(groups.map((one) => [one, one]), group, (value) => { group = value; }, { 'data-field': 'group' });
    const add = (/** @type {string} */ why) => this.correct({
      kind: 'addTeam', name: fields.name.value, members: split(fields.members.value), group, plays: fields.plays.value,
      secret: fields.secret.value.trim() || null,
    }, why);
    askWhy(t('lateTeam'), [h('p', {}, t('lateHint')), ...teamFields(fields), field(t('groupName'), choice)], [['do', t('add'), 'main', add]]);
  }

  /** @param {TournamentInfo} info */
  askSettings(info) {
    const numbers = { type: 'number', min: 0, step: 'any' };
    const seconds = input('seconds', String(info.seconds), numbers);
    const plies = input('max-plies', String(info.plies ?? 0), { ...numbers, step: 1 });
    const memory = input('memory', '', { ...numbers, step: 1, placeholder: t('unchanged') });
    const set = (/** @type {string} */ why) => {
      const to = {
        seconds: Number(seconds.value) === info.seconds ? null : Number(seconds.value),
        maxPlies: Number(plies.value) === (info.plies ?? 0) ? null : Math.trunc(Number(plies.value)),
        memoryMb: memory.value ? Math.trunc(Number(memory.value)) : null,
      };
      if (Object.values(to).some((value) => value !== null)) this.correct({ kind: 'set', ...to }, why);
    };
    askWhy(t('timesAndLimits'), [h('p', {}, t('settingsHint')), field(t('moveSeconds'), seconds), field(t('mostMoves'), plies), field(t('memoryMb'), memory)],
      [['do', t('save'), 'main', set]]);
  }

  /** @param {TournamentInfo} info */
  askDelete(info) {
    const dialog = openDialog(t('deleteForGood'), h('p', {}, t('deleteHint', { name: info.name })));
    offer(dialog, button(t('deleteForGood'), async () => {
      dialog.close();
      if (await this.app.ask('runTournament', { tournament: this.id, wish: 'delete' })) location.hash = '#tournaments';
    }, { 'data-act': 'do', class: 'bad' }));
  }

  /**
   * What can be done with a game.
   * @param {FixtureInfo} one
   */
  askGame(one) {
    const decide = (/** @type {Side | null} */ winner) => (/** @type {string} */ why) => this.correct({ kind: 'result', game: one.number, winner }, why);
    /** @type {[string, string, string, (why: string) => void][]} */
    const acts = [
      ['result-white', t('whiteWins'), '', decide('white')],
      ['result-black', t('blackWins'), '', decide('black')],
      ['result-draw', t('draw'), '', decide(null)],
    ];
    if (one.outcome) acts.push(['replay', t('playAgain'), '', (why) => this.correct({ kind: 'replay', game: one.number }, why)]);
    askWhy(t('gameNumber', { n: one.number }), [
      h('p', {}, `${one.white} – ${one.black}${one.outcome ? `: ${one.outcome.text}` : ''}`), h('p', { class: 'muted' }, t('gameHint'))], acts);
  }

  /** @param {number} number */
  askUndo(number) {
    askWhy(t('undoCorrection', { n: number }), [], [['do', t('undo'), 'main', (why) => this.correct({ kind: 'undo', number }, why)]]);
  }
}

/** @param {string} text */
const split = (text) => text.split(',').map((name) => name.trim()).filter(Boolean);

/** @param {Record<'name' | 'members' | 'plays' | 'secret', HTMLInputElement>} fields */
const teamFields = (fields) => [
  field(t('teamName'), fields.name), field(t('members'), fields.members), field(t('plays'), fields.plays), field(t('secret'), fields.secret),
];

/**
 * What was corrected, with a button to undo it for organisers.
 * @param {TournamentInfo} info
 * @param {Organiser | null} organiser
 */
export function correctionList(info, organiser) {
  const note = (/** @type {NoteInfo} */ one) => [moment(one.at), one.why, one.by].filter(Boolean).join(' · ');
  return card(t('corrections'), h('ol', { class: 'corrections' }, info.corrections.map((one) => h('li', {
    value: one.number, 'data-correction': one.number, class: one.undone ? 'undone' : undefined,
  },
    h('span', {}, h('span', { class: 'what' }, one.text), h('small', { class: 'muted' }, note(one.made)),
      one.undone && h('small', {}, `${t('undone')}: ${note(one.undone)}`)),
    organiser && !one.undone && info.state !== 'archived' && button(t('undo'), () => organiser.askUndo(one.number), { 'data-act': `undo-${one.number}`, 'aria-label': t('undoCorrection', { n: one.number }) })))));
}

/**
 * A way in for an organiser who is not at the server's machine.
 * @param {App} app
 * @param {() => void} look
 */
export function askToken(app, look) {
  const token = input('token', '', { type: 'password' });
  const dialog = openDialog(t('organiser'), h('p', {}, t('tokenHint')), field(t('token'), token));
  const say = async () => {
    if (!token.value.trim() || !await sayToken(app, token.value.trim())) return;
    dialog.close();
    look();
  };
  token.addEventListener('keydown', (event) => { if (event.key === 'Enter') say(); });
  offer(dialog, button(t('enter'), say, { 'data-act': 'say-token', class: 'main' }));
  token.focus();
}
