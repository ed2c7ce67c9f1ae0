// @ts-check
/** What every view with a board shares: its layout, its words for squares, its command field. */

import { Board } from './board/board.js';
import { parseCommand } from './command.js';
import { button, h } from './dom.js';
import { hasCoordinates } from './settings.js';
import { t } from './text.js';

/** @typedef {import('./app.js').App} App */
/** @typedef {import('./board/board.js').Events} Events */
/** @typedef {import('./command.js').Command} Command */

export class Stage {
  /**
   * @param {App} app
   * @param {string} rules
   * @param {Omit<Events, 'label'>} events
   * @param {((command: Command) => void) | null} command what to do with what is typed
   * @param {string} [hint] what can be typed
   */
  constructor(app, rules, events, command, hint = t('commandHint')) {
    this.app = app;
    /** @type {Board | undefined} */
    this.board = undefined;
    this.command = command;
    /** @type {((turn: number) => void) | null} hears that somebody turned the board */
    this.turned = null;
    this.frame = h('div', { class: 'board-frame' });
    this.input = /** @type {HTMLInputElement} */ (h('input', {
      class: 'command', 'aria-label': t('command'), placeholder: hint, autocomplete: 'off',
      autocapitalize: 'off', spellcheck: 'false', 'data-field': 'command',
    }));
    this.input.addEventListener('keydown', (event) => this.typed(event));
    this.cards = h('div', { class: 'cards' });
    this.note = h('div', { class: 'board-note', role: 'status' });
    this.commandLine = h('div', { class: 'command-line' }, h('span', { 'aria-hidden': 'true' }, '/'), this.input);
    this.side = h('div', { class: 'board-side' }, this.frame, this.note, command && this.commandLine);
    app.main.className = 'stage';
    app.main.replaceChildren(h('h1', { class: 'unseen' }, app.heading), this.side, this.cards);
    this.events = { ...events, label: (/** @type {string} */ square) => this.label(square) };
    this.setRules(rules);
  }

  /**
   * A board for a rule set.
   * @param {string} rules
   */
  setRules(rules) {
    const turn = this.board?.turn ?? 0;
    const { showStarts = true, showCoordinates = hasCoordinates(this.app) } = this.board ?? {};
    this.board = new Board(this.frame, this.app.set(rules), this.events);
    Object.assign(this.board, { showStarts, showCoordinates });
    this.board.svg.setAttribute('aria-label', t('board'));
    this.board.rotate(turn);
  }

  /**
   * What a screen reader says of a square.
   * @param {string} square
   * @returns {string}
   */
  label(square) {
    const { board } = this;
    if (!board) return square;
    const piece = board.pieces.get(square);
    const kind = board.kind(square);
    const words = [square, piece ? t(`man_${piece}`) : t('empty')];
    if (kind === 'castle' || kind === 'camp' || kind === 'escape') words.push(t(kind));
    return words.join(', ');
  }

  /**
   * Says something at the board, until the next thing happens on it.
   * @param {string} text
   */
  tell(text) {
    this.note.replaceChildren(h('span', {}, text));
  }

  /** What was said at the board is over. */
  hush() {
    this.note.replaceChildren();
  }

  /** The board in the look that was chosen just now. */
  restyle() {
    if (!this.board) return;
    this.board.showCoordinates = hasCoordinates(this.app);
    this.board.build();
  }

  /** Nothing but the board and the players, or everything again. */
  zen() {
    document.body.classList.toggle('zen');
  }

  flip() {
    this.turnBy(2);
  }

  rotate() {
    this.turnBy(1);
  }

  /** @param {number} quarters */
  turnBy(quarters) {
    if (!this.board) return;
    this.board.rotate(this.board.turn + quarters);
    this.turned?.(this.board.turn);
  }

  /** Buttons that turn the board. */
  turnButtons() {
    return [
      button(`⇅ ${t('flip')}`, () => this.flip(), { 'data-act': 'flip' }),
      button(`↻ ${t('rotate')}`, () => this.rotate(), { 'data-act': 'rotate' }),
    ];
  }

  /**
   * Keys that mean the same wherever there is a board.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === '/' && this.command) this.input.focus();
    else if (event.key === 'v') this.flip();
    else if (event.key === 'o') this.rotate();
    else if (event.key === 'z') this.zen();
    else if (event.key === 'Escape' && document.body.classList.contains('zen')) this.zen();
    else return false;
    return true;
  }

  /** @param {KeyboardEvent} event */
  typed(event) {
    if (event.key === 'Escape') {
      this.input.value = '';
      this.board?.cell(this.board.focused)?.focus();
    }
    if (event.key !== 'Enter') return;
    event.preventDefault();
    const text = this.input.value;
    const command = parseCommand(text);
    this.hush();
    if (!command) this.tell(t('notUnderstood', { text }));
    else {
      this.input.value = '';
      this.command?.(command);
    }
  }
}
