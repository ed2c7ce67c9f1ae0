// @ts-check
/** A game: the board, the players and their clocks, the moves, and what can be done. */

import { after, other, parse, sideOf } from '../board/state.js';
import { clockText, leftNow, urgency } from '../clock.js';
import { button, card, copy, download, h } from '../dom.js';
import { Problem } from '../protocol.js';
import { Lost } from '../socket.js';
import { Stage } from '../stage.js';
import { t } from '../text.js';
import { openHelp } from './help.js';
import { moveTable } from './moves.js';
import { playerName } from './names.js';
import { openRules } from './rules.js';

/** @typedef {import('../../protocol/message').GameState} GameState */
/** @typedef {import('../../protocol/message').SideName} Side */
/** @typedef {import('../../protocol/message').WishName} WishName */
/** @typedef {import('../command.js').Command} Command */
/**
 * A move of which it is not known yet whether it was made.
 * @typedef {{ ply: number, step: string, since: number, sending: boolean, shown: boolean }} Pending
 */

/** After how many milliseconds without an answer a move is shown as pending. */
const SLOW = 1000;

export class GameView {
  /** @param {import('../app.js').App} app @param {string} id @param {string | null} secret */
  constructor(app, id, secret) {
    this.app = app;
    this.id = id;
    this.secret = secret;
    /** @type {GameState | null} */
    this.game = null;
    this.since = 0;
    /** @type {string | null} */
    this.picked = null;
    /** @type {string | null} */
    this.wrong = null;
    /** @type {string | null} */
    this.hint = null;
    /** @type {number | null} the ply that is looked at, if not the last */
    this.ply = null;
    /** @type {import('../board/board.js').Drawing[]} */
    this.drawings = [];
    this.asked = false;
    /** @type {Pending | null} */
    this.pending = null;
    /** @type {Stage | null} */
    this.stage = null;
    /** @type {Record<'top' | 'bottom' | 'call' | 'moves' | 'actions' | 'invite', HTMLElement> | null} */
    this.parts = null;
    this.timer = window.setInterval(() => this.tick(), 100);
    this.join();
  }

  async join() {
    try {
      await this.app.socket.ask('join', { game: this.id, secret: this.secret });
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      // After a broken connection this is called again.
      if (!problem.message) return;
      if (this.secret) {
        // An invitation that does not hold, as one's own: the game can be seen without it.
        this.app.complain(problem);
        this.secret = null;
        this.join();
        return;
      }
      if (this.game) this.lost(this.id, problem.message);
      else this.app.deadEnd(problem.message, '#play', t('toStart'), () => this.join());
    }
  }

  /**
   * The game cannot be looked at any more.
   * @param {string} game
   * @param {string} text
   */
  lost(game, text) {
    if (game === this.id) this.app.toast(text, 'bad', 0, () => this.join(), t('tryAgain'));
  }

  reconnect() {
    this.join();
  }

  leave() {
    clearInterval(this.timer);
    this.app.ask('leave');
  }

  /** @param {GameState} game */
  state(game) {
    if (game.game !== this.id) return;
    const before = this.game;
    this.game = game;
    this.since = performance.now();
    if (this.secret) {
      // Who sits is known by the cookie from now on; who came too late watches.
      this.secret = null;
      if (!game.yours.length) this.app.toast(t('inviteUsed'), 'bad');
    }
    if (!this.stage) this.build(game);
    const isNew = !before || before.plies.length !== game.plies.length;
    if (isNew) {
      this.picked = null;
      this.hint = null;
      this.wrong = null;
      if (before && game.plies.length > before.plies.length) {
        this.ply = null;
        this.drawings = [];
      }
      if (this.ply !== null && this.ply >= game.plies.length) this.ply = null;
    }
    const given = this.settle(game);
    this.draw(isNew && before !== null && game.plies.length > before.plies.length);
    if (before && isNew) this.speak(game);
    if (before && !before.outcome && game.outcome) this.end(game);
    if (given) this.app.toast(t('moveNotMade', { step: given }), 'bad', 0);
  }

  /** @param {GameState} game */
  build(game) {
    this.stage = new Stage(this.app, game.rules, {
      press: (square) => this.press(square),
      drop: (from, to) => this.drop(from, to),
      canDrag: (square) => this.canPick(square),
      draw: (from, to) => this.sketch(from, to),
    }, (command) => this.command(command), t('commandHintGame'));
    if (game.yours.length === 1 && game.yours[0] === 'black') this.stage.flip();
    this.parts = { top: h('div', { class: 'part-top' }), bottom: h('div', { class: 'part-bottom' }), call: h('div'), moves: h('div'), actions: h('div', { class: 'thumb' }), invite: h('div') };
    const { top, bottom, call, moves, actions, invite } = this.parts;
    this.stage.cards.replaceChildren(top, invite, call, moves, actions, bottom);
  }

  /**
   * The side at the bottom of the screen.
   * @returns {Side}
   */
  get near() {
    return this.game?.yours.length === 1 ? this.game.yours[0] : 'white';
  }

  /** @param {boolean} slide */
  draw(slide) {
    const { game, stage, parts } = this;
    if (!game || !stage || !stage.board || !parts) return;
    const shown = this.ply ?? game.plies.length;
    const setup = after(parse(game.start), game.plies, shown);
    const last = shown > 0 ? game.plies[shown - 1][0] : null;
    stage.board.setPieces(setup.pieces, slide ? last : null);
    this.mark();
    parts.top.replaceChildren(this.player(other(this.near)));
    parts.bottom.replaceChildren(this.player(this.near));
    parts.invite.replaceChildren(...this.invitation());
    parts.call.replaceChildren(...this.callCard(game));
    parts.moves.replaceChildren(this.moveList(game, shown));
    parts.actions.replaceChildren(this.actionCard(game, shown));
    parts.moves.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  mark() {
    const { game, stage } = this;
    if (!game || !stage?.board) return;
    const shown = this.ply ?? game.plies.length;
    const isLive = shown === game.plies.length;
    stage.board.setMarks({
      last: shown > 0 ? game.plies[shown - 1][0] : null,
      picked: this.picked,
      targets: this.picked ? game.targets.filter((target) => target.from === this.picked) : [],
      lanes: isLive ? game.lanes : [],
      hint: isLive ? (this.pending?.shown ? this.pending.step : this.hint) : null,
      wrong: this.wrong,
      drawings: this.drawings,
    });
  }

  /** @param {string} from @param {string} to */
  sketch(from, to) {
    const drawing = { from, to: from === to ? null : to };
    const same = (/** @type {import('../board/board.js').Drawing} */ one) => one.from === drawing.from && one.to === drawing.to;
    this.drawings = this.drawings.some(same)
      ? this.drawings.filter((one) => !same(one)) : [...this.drawings, drawing];
    this.mark();
  }

  /** @param {Side} side */
  player(side) {
    const game = /** @type {GameState} */ (this.game);
    const seat = game.seats[side];
    const isYou = game.yours.length === 1 && game.yours[0] === side;
    const role = side === 'white' ? t('whiteSide') : t('blackSide');
    const men = t('men', { n: seat.men });
    const isThinking = game.running === side && seat.player !== 'person';
    const status = !seat.taken || !seat.present ? t(seat.taken ? 'away' : 'waiting') : isThinking && t('thinking');
    return h('section', { class: `card player${game.turn === side && !game.outcome ? ' on' : ''}`, 'data-player': side },
      h('span', { class: `chip ${side}` }),
      h('div', { class: 'who' },
        h('strong', {}, playerName(seat, side, isYou)),
        h('span', { class: 'muted' }, `${role} · ${men}`, status && ` · ${status}`)),
      seat.left !== null && h('output', { class: 'clock', 'data-clock': side }, clockText(seat.left)));
  }

  tick() {
    const { game, pending } = this;
    if (!game || !this.parts) return;
    if (pending && !pending.shown && performance.now() - pending.since > SLOW) {
      pending.shown = true;
      this.draw(false);
    }
    for (const side of /** @type {Side[]} */ (['black', 'white'])) {
      const { left } = game.seats[side];
      const clock = this.app.main.querySelector(`[data-clock="${side}"]`);
      if (left === null || !clock) continue;
      const runs = game.running === side;
      const ms = leftNow(left, this.since, performance.now(), runs);
      clock.textContent = clockText(ms);
      clock.className = `clock${runs ? ` running ${urgency(ms)}` : ''}`;
    }
  }

  invitation() {
    const { game } = this;
    if (!game?.invitation) return [];
    const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
    const site = isHere ? this.app.welcome?.public ?? location.origin : location.origin;
    const base = `${site}/#game/${game.game}`;
    const link = (/** @type {string} */ text, /** @type {string} */ hook) => h('div', { class: 'link-line' },
      h('input', { readonly: true, value: text, 'data-link': hook, 'aria-label': t(hook === 'play' ? 'invite' : 'watchLink'), onfocus: (/** @type {FocusEvent} */ event) => /** @type {HTMLInputElement} */ (event.target).select() }),
      button(t('copyLink'), () => this.copy(text), hook === 'play' ? { class: 'main' } : {}));
    return [card(t('invite'), h('p', { class: 'muted' }, t('inviteHint')), isHere && site === location.origin && h('p', { class: 'note' }, t('onlyHere')), link(`${base}/${game.invitation}`, 'play'),
      h('h3', {}, t('watchLink')), link(base, 'watch'))];
  }

  /** @param {GameState} game */
  callCard(game) {
    const lines = [];
    if (game.outcome) lines.push(h('p', { class: 'outcome', 'data-outcome': game.outcome.winner ?? 'draw' }, game.outcome.text));
    else if (!game.started) lines.push(h('p', { class: 'muted' }, t('waiting')));
    else {
      const isYours = game.yours.length === 1 && game.yours.includes(game.turn);
      const side = t(game.turn);
      lines.push(h('p', { class: 'turn' }, isYours ? t('yourTurn') : t('turnOf', { side })));
    }
    if (this.pending?.shown) lines.push(h('p', { class: 'note', role: 'status', 'data-part': 'pending' }, t('pendingMove', { step: this.pending.step })));
    if (game.call === 'raichi' || game.call === 'tuichu') lines.push(h('span', { class: 'call' }, t(game.call)));
    if (!game.yours.length) lines.push(h('p', { class: 'muted' }, t('watching')));
    lines.push(...this.offers(game));
    return [card('', ...lines)];
  }

  /** @param {GameState} game */
  offers(game) {
    /** @type {HTMLElement[]} */
    const lines = [];
    const who = (/** @type {Side} */ side) => t(side);
    const wish = (/** @type {WishName} */ name) => () => { this.app.ask('wish', { wish: name }); };
    const isMine = (/** @type {Side} */ side) => game.yours.length === 1 && game.yours[0] === side;
    const answer = (/** @type {string} */ text, /** @type {WishName} */ yes, /** @type {WishName} */ no) => h('div', { class: 'offer' },
      h('p', {}, text), h('div', { class: 'actions' },
        button(t('accept'), wish(yes), { class: 'main', 'data-act': 'accept' }), button(t('decline'), wish(no), { 'data-act': 'decline' })));
    if (game.outcome) return lines;
    if (game.drawOffer && isMine(other(game.drawOffer))) lines.push(answer(t('drawOffered', { who: who(game.drawOffer) }), 'offerDraw', 'declineDraw'));
    if (game.drawOffer && isMine(game.drawOffer)) lines.push(h('p', { class: 'muted' }, t('drawWaiting')));
    if (game.takeBack && isMine(other(game.takeBack))) lines.push(answer(t('takeBackAsked', { who: who(game.takeBack) }), 'takeBack', 'declineTakeBack'));
    if (game.takeBack && isMine(game.takeBack)) lines.push(h('p', { class: 'muted' }, t('takeBackWaiting')));
    return lines;
  }

  /** @param {GameState} game @param {number} shown */
  moveList(game, shown) {
    const moves = moveTable(game.plies, parse(game.start).side, shown, (ply) => this.look(ply));
    const stepper = h('div', { class: 'stepper' },
      this.stepButton('«', t('first'), 0, 'first'), this.stepButton('‹', t('back'), shown - 1, 'back'),
      this.stepButton('›', t('forward'), shown + 1, 'forward'), this.stepButton('»', t('lastPosition'), game.plies.length, 'last'));
    return card(t('moves'), moves, game.plies.length > 0 && stepper);
  }

  /** @param {string} sign @param {string} label @param {number} ply @param {string} hook */
  stepButton(sign, label, ply, hook) {
    const count = this.game?.plies.length ?? 0;
    const shown = this.ply ?? count;
    const to = Math.max(0, Math.min(count, ply));
    return button(sign, () => this.look(to), { 'aria-label': label, title: label, disabled: to === shown, 'data-step': hook });
  }

  /**
   * Shows the position after some moves.
   * @param {number} ply
   */
  look(ply) {
    if (!this.game) return;
    const count = this.game.plies.length;
    const to = Math.max(0, Math.min(count, ply));
    const from = this.ply ?? count;
    this.ply = to === count ? null : to;
    this.picked = null;
    this.draw(to === from + 1);
  }

  /** @param {GameState} game @param {number} shown */
  actionCard(game, shown) {
    const stage = /** @type {Stage} */ (this.stage);
    const wish = (/** @type {WishName} */ name) => () => { this.app.ask('wish', { wish: name }); };
    const actions = [];
    const isPlayer = game.yours.length > 0;
    const hasPeople = game.yours.length === 1 && game.seats[other(game.yours[0])].player === 'person';
    if (!game.outcome && isPlayer) {
      if (!hasPeople) actions.push(button(t('hint'), () => this.askHint(), { class: 'main', 'data-act': 'hint' }));
      if (game.takeBacks) actions.push(button(t('takeBack'), wish('takeBack'), { 'data-act': 'take-back', disabled: game.plies.length === 0 }));
      actions.push(button(t('offerDraw'), wish('offerDraw'), { 'data-act': 'offer-draw', disabled: !game.started }));
      actions.push(button(this.asked ? t('reallyResign') : t('resign'), () => this.resign(), { 'data-act': 'resign', class: this.asked ? 'bad' : undefined }));
    }
    if (game.outcome) {
      if (isPlayer && !game.rematch) actions.push(button(t('rematch'), () => this.rematch(), { class: 'main', 'data-act': 'rematch' }));
      if (game.rematch) actions.push(h('a', { class: 'button main', href: `#game/${game.rematch}`, 'data-act': 'join-rematch' }, t('joinRematch')));
    }
    if (game.outcome || !isPlayer || !hasPeople) {
      actions.push(button(t('openTactics'), () => this.toTactics(shown), { 'data-act': 'tactics' }));
    }
    if (game.plies.length) {
      actions.push(button(t('saveGame'), () => this.save(), { 'data-act': 'save' }));
      actions.push(button(t('copyGame'), async () => this.copy(await this.record()), { 'data-act': 'copy' }));
    }
    actions.push(button(t('rules'), () => openRules(this.app, game.rules), { 'data-act': 'rules' }));
    return h('section', { class: 'card' }, h('div', { class: 'actions' }, actions, stage.turnButtons()));
  }

  async record() {
    const answer = await this.app.ask('record');
    return answer?.text ?? '';
  }

  async save() {
    download('game.tablut', await this.record());
  }

  /** @param {string} text */
  async copy(text) {
    if (text) this.app.toast(t(await copy(text) ? 'copied' : 'notCopied'));
  }

  /** @param {number} shown */
  toTactics(shown) {
    const game = /** @type {GameState} */ (this.game);
    const setup = after(parse(game.start), game.plies, shown);
    sessionStorage.setItem('tablut-tactics', JSON.stringify({
      rules: game.rules, start: game.start, moves: game.plies.slice(0, shown).map(([step]) => step),
      side: setup.side,
    }));
    location.hash = '#tactics';
  }

  resign() {
    if (this.asked) this.app.ask('wish', { wish: 'resign' });
    else {
      this.asked = true;
      setTimeout(() => { this.asked = false; this.draw(false); }, 4000);
      this.draw(false);
      /** @type {HTMLElement | null} */ (this.app.main.querySelector('[data-act="resign"]'))?.focus();
    }
  }

  async rematch() {
    const answer = await this.app.ask('rematch');
    if (answer?.game) location.hash = `#game/${answer.game.game}`;
  }

  async askHint() {
    const { game } = this;
    if (!game || game.outcome) return;
    const count = game.plies.length;
    const answer = await this.app.ask('hint', { rules: game.rules, setup: game.start, moves: game.plies.map(([step]) => step) });
    if (!answer?.hint || this.game?.plies.length !== count) return;
    this.hint = answer.hint.step;
    this.app.say(t('suggests', { step: this.hint }));
    this.mark();
  }

  /** @param {string} square */
  canPick(square) {
    const { game } = this;
    const piece = this.stage?.board?.pieces.get(square);
    return Boolean(game && piece && this.ply === null && !game.outcome
      && game.yours.includes(sideOf(piece)) && game.turn === sideOf(piece));
  }

  /** @param {string} square */
  press(square) {
    const { game } = this;
    if (!game || game.outcome) return;
    if (this.ply !== null) {
      this.look(game.plies.length);
      return;
    }
    this.wrong = null;
    if (this.picked && this.picked !== square && !this.canPick(square)) this.move(this.picked + square);
    else if (this.picked === square) this.pick(null);
    else if (this.canPick(square)) this.pick(square);
    else if (this.stage?.board?.pieces.has(square) && game.yours.length && game.started) this.explain(square);
    else this.pick(null);
  }

  /**
   * Says why a piece cannot be picked.
   * @param {string} square
   */
  async explain(square) {
    this.pick(null);
    const { game } = this;
    if (!game) return;
    const piece = this.stage?.board?.pieces.get(square);
    if (piece && !game.yours.includes(sideOf(piece))) return;
    await this.app.ask('explain', { rules: game.rules, setup: game.setup, moves: [], step: square + square, turns: true });
  }

  /** @param {string | null} square */
  pick(square) {
    const piece = square ? this.stage?.board?.pieces.get(square) : undefined;
    if (square && piece) this.app.say(t('pickedUp', { piece: t(`man_${piece}`), square }));
    else if (this.picked) this.app.say(t('putDown'));
    this.picked = square;
    this.mark();
  }

  /** @param {string} from @param {string | null} to */
  drop(from, to) {
    if (to && to !== from) this.move(from + to);
    else this.mark();
  }

  /** @param {string} step */
  move(step) {
    const { game } = this;
    if (!game) return;
    this.picked = null;
    this.wrong = null;
    this.pending = { ply: game.plies.length, step, since: performance.now(), sending: false, shown: false };
    this.mark();
    this.send(this.pending);
  }

  /**
   * Sends a move, if there is a connection; else it goes out when the game is there again.
   * @param {Pending} pending
   */
  async send(pending) {
    if (!this.app.socket.isOpen) {
      pending.shown = true;
      this.draw(false);
      return;
    }
    pending.sending = true;
    try {
      await this.app.socket.ask('move', { ply: pending.ply, step: pending.step });
      this.forget(pending);
    } catch (problem) {
      pending.sending = false;
      if (problem instanceof Lost) {
        pending.shown = true;
        if (this.pending === pending) this.draw(false);
        return;
      }
      // A new state has told what became of it.
      if (this.pending !== pending) return;
      this.forget(pending);
      this.app.complain(problem);
      this.wrong = problem instanceof Problem ? problem.square : null;
      if (problem instanceof Problem) this.app.say(problem.message);
      this.mark();
    }
  }

  /** @param {Pending} pending */
  forget(pending) {
    if (this.pending !== pending) return;
    this.pending = null;
    if (pending.shown) this.draw(false);
  }

  /**
   * What a new state says about a move that had no answer: it was made, or is sent again, or cannot be
   * made any more.
   * @param {GameState} game
   * @returns {string | null} the move that is given back
   */
  settle(game) {
    const { pending } = this;
    if (!pending) return null;
    if (game.plies[pending.ply]?.[0] === pending.step) this.pending = null;
    else if (game.plies.length !== pending.ply || game.outcome) {
      this.pending = null;
      return pending.step;
    } else if (!pending.sending) this.send(pending);
    return null;
  }

  /** @param {Command} command */
  command(command) {
    if (command.kind === 'move') this.move(command.step);
    else if (command.kind === 'square') {
      this.stage?.board?.setFocus(command.square);
      this.press(command.square);
    } else if (command.kind === 'word') this.word(command.word);
    else this.app.toast(t('notUnderstood', { text: `${command.square}=` }), 'bad');
  }

  /** @param {import('../command.js').Word} word */
  word(word) {
    switch (word) {
      case 'flip': this.stage?.flip(); break;
      case 'rotate': this.stage?.rotate(); break;
      case 'hint': this.askHint(); break;
      case 'help': openHelp(); break;
      case 'resign': this.resign(); break;
      case 'undo': this.app.ask('wish', { wish: 'takeBack' }); break;
      default: this.app.toast(t('notUnderstood', { text: word }), 'bad');
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (this.stage?.key(event)) return true;
    const shown = this.ply ?? this.game?.plies.length ?? 0;
    switch (event.key) {
      case 'ArrowLeft': this.look(shown - 1); return true;
      case 'ArrowRight': this.look(shown + 1); return true;
      case 'Home': this.look(0); return true;
      case 'End': this.look(Infinity); return true;
      case 'Escape': this.drawings = []; this.pick(null); return true;
      default: return false;
    }
  }

  /**
   * Tells a screen reader of the last move.
   * @param {GameState} game
   */
  speak(game) {
    const last = game.plies.at(-1);
    if (!last) return;
    const [step, captured] = last;
    const mover = t(other(game.turn));
    const move = t('saidMove', { who: mover, from: step.slice(0, 2), to: step.slice(2) });
    const words = [captured.length ? t('saidCaptures', { move, squares: captured.join(' ') }) : move];
    if (game.call === 'raichi' || game.call === 'tuichu') words.push(t(game.call));
    if (game.outcome) words.push(game.outcome.text);
    this.app.say(`${words.join('. ')}.`);
  }

  /** @param {GameState} game */
  end(game) {
    if (game.outcome) this.app.toast(game.outcome.text, 'good', 8000);
  }
}
