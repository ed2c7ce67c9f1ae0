// @ts-check
/** The administrator's page: processes, queues, limits; one process can be told to end. */

import { offer, openDialog } from '../dialog.js';
import { button, card, h } from '../dom.js';
import { figures } from '../table.js';
import { count, number, t } from '../text.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../../protocol/message').AdminInfo} AdminInfo */
/** @typedef {import('../../protocol/message').ProcessInfo} ProcessInfo */

/** How often it is looked, in milliseconds. */
const LOOK = 2000;

/** @param {number} ms */
const seconds = (ms) => `${number(ms / 1000, 1)} s`;


export class AdminView {
  /** @param {App} app */
  constructor(app) {
    this.app = app;
    /** The token is kept nowhere: whoever opens the page again says it again. */
    this.token = '';
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.page = h('article', { class: 'page wide-page' }, h('h1', {}, t('administration')));
    this.body = h('section', {});
    this.page.append(this.body);
    app.main.replaceChildren(this.page);
    this.ask();
  }

  /** Asks for the token. */
  ask() {
    const field = h('input', { type: 'password', name: 'admin-token', 'data-field': 'admin-token', autocomplete: 'off', 'aria-label': t('token') });
    const form = h('form', {
      class: 'actions',
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        this.token = /** @type {HTMLInputElement} */ (field).value.trim();
        if (this.token) this.look();
      },
    }, field, h('button', { class: 'main', 'data-act': 'administer' }, t('enter')));
    this.body.replaceChildren(h('p', {}, t('adminHint')), form);
    /** @type {HTMLInputElement} */ (field).focus();
  }

  /** Looks how everything is, and again in a while. */
  async look() {
    clearTimeout(this.timer);
    const token = this.token;
    const info = (await this.app.ask('admin', { token }))?.admin;
    if (token !== this.token) return;
    if (info) this.draw(info);
    // A wrong token is not said again and again.
    else if (this.app.wasOnline) {
      this.token = '';
      this.ask();
      return;
    }
    this.timer = setTimeout(() => this.look(), LOOK);
  }

  /** @param {AdminInfo} info */
  draw(info) {
    const kinds = /** @type {Record<string, string>} */ ({ games: t('queueGames'), analysis: t('queueAnalysis'), puzzles: t('puzzles') });
    const processes = info.processes.map((one) => h('tr', { 'data-process': one.process },
      h('th', { scope: 'row' }, one.name || one.process, one.here && ` (${t('here')})`),
      h('td', { class: 'words' }, one.worker ? one.jobs.replaceAll(',', ', ') : t('server')), h('td', {}, one.pages), h('td', {}, one.games), h('td', {}, `${one.orders} / ${one.engines}`),
      h('td', {}, seconds(one.silentMs)),
      h('td', {}, one.draining ? t('draining') : button(t('drain'), () => this.drain(one), { 'data-act': 'drain' }))));
    const queues = info.queues.map((one) => h('tr', { 'data-queue': one.kind }, h('th', { scope: 'row' }, kinds[one.kind] ?? one.kind),
      h('td', {}, one.waiting), h('td', {}, one.underWay), h('td', {}, one.ended), h('td', {}, seconds(one.longestMs))));
    const limits = info.limits.map((one) => h('tr', { 'data-limit': one.limit }, h('th', { scope: 'row' }, t(`limit_${one.limit}`)),
      h('td', {}, count(one.used)), h('td', {}, one.most === null ? '–' : count(one.most))));
    this.body.replaceChildren(
      card(t('processes'), figures('processes', [t('process'), t('does'), t('pagesOpen'), t('gamesShown'), t('engineWork'), t('silentFor'), ''], processes, 'stacked')),
      card(t('queues'), figures('queues', [t('jobs'), t('jobsWaiting'), t('jobsUnderWay'), t('jobsEnded'), t('longestWait')], queues, 'stacked')),
      card(t('limits'), figures('limits', [t('limit'), t('used'), t('most')], limits)));
  }

  /**
   * Tells a process to end, once that is confirmed.
   * @param {ProcessInfo} one
   */
  drain(one) {
    const dialog = openDialog(t('drain'), h('p', {}, t('drainHint', { name: one.name || one.process })));
    const act = async () => {
      dialog.close();
      if (await this.app.ask('drain', { token: this.token, process: one.process })) this.look();
    };
    offer(dialog, button(t('drain'), act, { 'data-act': 'drain-now', class: 'main' }));
  }

  reconnect() {
    if (this.token) this.look();
  }

  leave() {
    clearTimeout(this.timer);
    this.token = '';
  }
}
