// @ts-check
/** A new game: who plays, how strong, how fast, by which rules. */

import { parse } from '../board/state.js';
import { offer, openDialog } from '../dialog.js';
import { button, card, field, h, select, tick } from '../dom.js';
import { Stage } from '../stage.js';
import { t } from '../text.js';

/** @typedef {import('../../protocol/message').NewGame} NewGame */
/** @typedef {Omit<NewGame, 'setup' | 'side'> & { side: NewGame['side'] | 'any' }} Choice */

/** The clocks that are offered. */
const CONTROLS = ['none', 'move:60000', 'move:30000', 'move:10000', 'total:180000+2000', 'total:600000+5000', 'total:900000+0'];

/** @param {string} control */
export function controlText(control) {
  const [kind, value] = control.split(':');
  if (kind === 'move') return t('perMove', { n: Number(value) / 1000 });
  if (kind === 'total') {
    const [ms, plus] = value.split('+').map(Number);
    return plus ? t('minutesPlus', { n: ms / 60_000, plus: plus / 1000 }) : t('minutes', { n: ms / 60_000 });
  }
  return t('noClock');
}

/**
 * Strengths of the engine.
 * @returns {[string, string][]}
 */
function strengths() {
  /** @type {[string, string][]} */
  const list = [];
  for (let n = 1; n <= 10; n += 1) {
    const key = n === 1 ? 'levelEasy' : 'level';
    list.push([`level:${n}`, t(n === 10 ? 'levelHard' : key, { n })]);
  }
  for (const n of [0.5, 1, 5, 30]) list.push([`time:${n}`, t('secondsPerMove', { n })]);
  return list;
}

/** The entry of a list that lets one say something else. */
const OTHER = 'other';

/**
 * A list that also offers what was chosen beside it, and to choose something else.
 * @param {[string, string][]} list
 * @param {string} value
 * @param {(value: string) => string} name
 * @returns {[string, string][]}
 */
function withOther(list, value, name) {
  const isListed = list.some(([known]) => known === value);
  return [...list, .../** @type {[string, string][]} */ (isListed ? [] : [[value, name(value)]]), [OTHER, t('other')]];
}

/**
 * A field for a number.
 * @param {string} label
 * @param {string} name
 * @param {number} value
 * @param {number} least
 * @param {number} most
 * @param {number} step
 */
function numberField(label, name, value, least, most, step) {
  const input = /** @type {HTMLInputElement} */ (h('input', { type: 'number', value, min: least, max: most, step, required: true, 'data-field': name }));
  const line = field(label, input);
  line.classList.add('number-field');
  return { input, field: line };
}

/**
 * Asks for numbers, and hands them over when all of them fit.
 * @param {string} title
 * @param {ReturnType<typeof numberField>[]} numbers
 * @param {(values: number[]) => void} done
 */
function askNumbers(title, numbers, done) {
  const dialog = openDialog(title, ...numbers.map((one) => one.field));
  offer(dialog, button(t('choose'), () => {
    if (!numbers.every(({ input }) => input.reportValidity())) return;
    dialog.close();
    done(numbers.map(({ input }) => Number(input.value)));
  }, { class: 'main', 'data-act': 'choose' }));
}

export class LobbyView {
  /** @param {import('../app.js').App} app */
  constructor(app) {
    this.app = app;
    this.setup = app.nextSetup;
    app.nextSetup = null;
    /** @type {Choice} */
    this.choice = {
      opponent: 'engine', side: 'white', engine: 'level:3', whiteEngine: 'level:3', control: 'none',
      takeBacks: true, ...this.remembered(),
      rules: this.setup?.rules ?? app.defaultRules,
    };
    this.stage = new Stage(app, this.choice.rules, { press: () => {}, drop: () => {}, canDrag: () => false }, null);
    this.stage.side.inert = true;
    app.main.classList.add('lobby');
    this.draw();
  }

  /** What was chosen last time. */
  remembered() {
    try {
      const kept = JSON.parse(this.app.setting('new') ?? '{}');
      // Settings of older versions name the sides by their roles.
      if (kept.side === 'attackers') kept.side = 'black';
      if (kept.side === 'defenders') kept.side = 'white';
      return kept;
    } catch {
      return {};
    }
  }

  draw() {
    const { app, choice, stage, setup } = this;
    const ground = app.set(choice.rules);
    stage.board?.setPieces(parse(setup?.setup ?? ground.start).pieces, null);
    const pick = (/** @type {string} */ key, /** @type {string} */ value, /** @type {string} */ label) => button(label, () => {
      Object.assign(choice, { [key]: value });
      this.draw();
    }, { 'aria-pressed': String(/** @type {Record<string, unknown>} */ (choice)[key] === value), 'data-choice': value });
    const opponents = h('div', { class: 'choices', role: 'group', 'aria-label': t('against') },
      pick('opponent', 'engine', t('vsEngine')), pick('opponent', 'link', t('vsLink')),
      pick('opponent', 'screen', t('vsScreen')), pick('opponent', 'engines', t('vsEngines')));
    const sides = h('div', { class: 'choices', role: 'group', 'aria-label': t('yourSide') },
      pick('side', 'white', `${t('white')} · ${t('whiteSide')}`),
      pick('side', 'black', `${t('black')} · ${t('blackSide')}`), pick('side', 'any', t('anySide')));
    const isEngines = choice.opponent === 'engines';
    const hasSide = choice.opponent === 'engine' || choice.opponent === 'link';
    const engine = (/** @type {'engine' | 'whiteEngine'} */ key, /** @type {string} */ label) => field(label,
      select(withOther(strengths(), choice[key], (value) => t('secondsPerMove', { n: Number(value.split(':')[1]) })), choice[key], (value) => {
        if (value === OTHER) this.askEngine(key);
        else choice[key] = value;
      }, { 'data-field': key }));
    const controls = /** @type {[string, string][]} */ (CONTROLS.map((control) => [control, controlText(control)]));
    stage.cards.replaceChildren(card(t('newGame'),
      setup && h('p', { class: 'note' }, `${t('fromSetup')}. `, button(t('fromStart'), () => { this.setup = null; this.draw(); }, { class: 'link', 'data-act': 'from-start' })),
      opponents,
      hasSide && h('h3', {}, t('yourSide')), hasSide && sides,
      choice.opponent === 'engine' && engine('engine', t('strength')),
      isEngines && engine('whiteEngine', `${t('white')}: ${t('strength')}`),
      isEngines && engine('engine', `${t('black')}: ${t('strength')}`),
      field(t('time'), select(withOther(controls, choice.control, controlText), choice.control, (value) => {
        if (value === OTHER) this.askControl();
        else choice.control = value;
      }, { 'data-field': 'control' })),
      field(t('ruleSet'), select(app.sets, choice.rules, (value) => {
        choice.rules = value;
        stage.setRules(value);
        this.draw();
      }, { 'data-field': 'rules' })),
      !isEngines && tick(t('takeBacks'), choice.takeBacks, (on) => { choice.takeBacks = on; }),
      h('div', { class: 'actions thumb' }, button(t('startGame'), () => this.start(), { class: 'main', 'data-act': 'start' }),
        this.open ?? (this.open = this.openGame())),
    ));
  }

  /** @param {'engine' | 'whiteEngine'} key */
  askEngine(key) {
    this.draw();
    askNumbers(t('strength'), [numberField(t('engineSeconds'), 'engine-seconds', 2, 0.05, 600, 0.05)], ([seconds]) => {
      this.choice[key] = `time:${seconds}`;
      this.draw();
    });
  }

  /** A clock of one's own: for each move, or minutes for the game with seconds added by each move. */
  askControl() {
    this.draw();
    const move = numberField(t('secondsEachMove'), 'move-seconds', 0, 0, 3600, 1);
    const minutes = numberField(t('minutesEachSide'), 'minutes', 5, 0, 600, 0.5);
    const plus = numberField(t('secondsAdded'), 'plus', 3, 0, 600, 1);
    askNumbers(t('time'), [move, minutes, plus], ([each, whole, added]) => {
      if (each > 0) this.choice.control = `move:${each * 1000}`;
      else this.choice.control = whole > 0 ? `total:${whole * 60_000}+${added * 1000}` : 'none';
      this.draw();
    });
  }

  /** The way back to a game that is not over, if there is one. */
  openGame() {
    const box = h('span', {});
    this.app.ask('games').then((answer) => {
      const game = answer?.games?.find((one) => !one.outcome && one.yours.length > 0);
      if (game) box.replaceChildren(h('a', { class: 'button', href: `#game/${game.game}`, 'data-act': 'continue' }, t('continueGame')));
    });
    return box;
  }

  async start() {
    const { choice, app } = this;
    const { rules, ...kept } = choice;
    app.keep('new', JSON.stringify(kept));
    const side = choice.side === 'any' ? (Math.random() < 0.5 ? 'black' : 'white') : choice.side;
    const answer = await app.ask('newGame', { ...choice, side, setup: this.setup?.setup ?? null });
    if (answer?.game) location.hash = `#game/${answer.game.game}`;
  }

  /** What is being chosen stays. */
  reconnect() {}

  restyle() {
    this.stage.restyle();
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    return this.stage.key(event);
  }
}
