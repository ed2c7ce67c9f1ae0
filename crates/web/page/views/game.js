// @ts-check
/** A game: the board, the players and their clocks, the moves, and what a press means. */

import { after, other, parse, readTargets, shift, sideOf } from '../board/state.js';
import { leftNow } from '../clock.js';
import { copy, download, h } from '../dom.js';
import { pressByKey } from '../keys.js';
import { readSight } from '../link.js';
import { Problem } from '../protocol.js';
import { Lost } from '../socket.js';
import { playSound } from '../sounds.js';
import { Stage } from '../stage.js';
import { t } from '../text.js';
import { actionRow } from './actions.js';
import { announce } from './announce.js';
import { openHelp } from './help.js';
import { moveTable } from './moves.js';
import { playerCard, turnClocks } from './seats.js';
import { invitation, statusLines } from './status.js';

/** @typedef {import('../../protocol/message').GameState} GameState */
/** @typedef {import('../../protocol/message').SideName} Side */
/** @typedef {import('../../protocol/message').WishName} WishName */
/** @typedef {import('../../protocol/message').TargetInfo} TargetInfo */
/** @typedef {import('../command.js').Command} Command */
/**
 * A move of which it is not known yet whether it was made. One that is allowed as far as the page knows is on the board
 * at once.
 * @typedef {{ ply: number, step: string, target: TargetInfo | null, since: number, sending: boolean, kept: boolean, shown: boolean }} Pending
 */

/** After how many milliseconds without an answer a move is shown as pending. */
const SLOW = 1000;

/** With how many milliseconds left the clock is heard. */
const HURRY = 10_000;

export class GameView {
  /**
   * @param {import('../app.js').App} app
   * @param {string} id
   * @param {string | null} secret
   * @param {URLSearchParams} query how a link wants it to be seen
   */
  constructor(app, id, secret, query) {
    this.app = app;
    this.link = readSight(query);
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
    /** @type {'resign' | 'draw' | null} what is asked about once more */
    this.asked = null;
    /** @type {Pending | null} */
    this.pending = null;
    /** @type {string | null} a move that is made as soon as it is one's turn */
    this.premove = null;
    /** @type {TargetInfo[]} where pieces could go if it were their turn */
    this.prospects = [];
    this.isHurried = false;
    /** @type {Stage | null} */
    this.stage = null;
    /** @type {Record<'top' | 'bottom' | 'status' | 'moves' | 'row', HTMLElement> | null} */
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
      else this.app.deadEnd(problem.message, '#play', t('newGame'), () => this.join());
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

  restyle() {
    this.stage?.restyle();
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
    const grown = before ? game.plies.length - before.plies.length : 0;
    if (!before || grown) this.turnPage(game, grown);
    const given = this.settle(game);
    this.draw(grown > 0);
    announce(this.app, before, game);
    if (before && !before.outcome && game.outcome) this.end(game);
    if (given) this.app.toast(t('moveNotMade', { step: given }), 'bad', 0);
    this.playPremove(game);
  }

  /**
   * The game has another position than before.
   * @param {GameState} game
   * @param {number} grown by how many plies
   */
  turnPage(game, grown) {
    const isMine = (/** @type {string | null} */ square) => {
      const piece = square ? parse(game.setup).pieces.get(square) : undefined;
      return piece !== undefined && game.yours.includes(sideOf(piece));
    };
    // A piece that was picked to be moved next stays in the hand, unless it was taken.
    if (!isMine(this.picked) || grown < 0) this.picked = null;
    if (grown < 0 || game.outcome) this.premove = null;
    this.hint = null;
    this.wrong = null;
    this.prospects = [];
    this.stage?.hush();
    if (grown > 0) {
      this.ply = null;
      this.drawings = [];
    }
    if (this.ply !== null && this.ply >= game.plies.length) this.ply = null;
  }

  /** @param {GameState} game */
  build(game) {
    this.stage = new Stage(this.app, game.rules, {
      press: (square) => this.press(square),
      drop: (from, to) => this.drop(from, to),
      canDrag: (square) => this.canPick(square),
      draw: (from, to) => this.sketch(from, to),
    }, (command) => this.command(command), t('commandHintGame'));
    const { turn, ply } = this.link;
    if (turn !== undefined) this.stage.board?.rotate(turn);
    else if (game.yours.length === 1 && game.yours[0] === 'black') this.stage.flip();
    if (ply !== undefined && ply < game.plies.length) this.ply = ply;
    const { cards, commandLine } = this.stage;
    const [status, moves, row] = [h('div'), h('div', { class: 'moves-place' }), h('div')];
    this.parts = { top: h('div', { class: 'part-top' }), bottom: h('div', { class: 'part-bottom' }), status, moves, row };
    cards.classList.add('fixed');
    // The last move stays in sight when the window changes its shape.
    new ResizeObserver(() => moves.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })).observe(moves);
    cards.replaceChildren(this.parts.top,
      h('section', { class: 'card part-main', 'aria-label': t('moves') }, status, moves, commandLine, row), this.parts.bottom);
  }

  /**
   * The side at the bottom of the screen.
   * @returns {Side}
   */
  get near() {
    return this.game?.yours.length === 1 ? this.game.yours[0] : 'white';
  }

  /**
   * Whose turn it is, the move that is under way counted.
   * @param {GameState} game
   */
  next(game) {
    return this.pending?.target ? other(game.turn) : game.turn;
  }

  /** @param {boolean} slide */
  draw(slide) {
    const { game, stage, parts } = this;
    if (!game || !stage || !stage.board || !parts) return;
    const shown = this.ply ?? game.plies.length;
    const pending = this.ply === null && this.pending?.target ? this.pending : null;
    const setup = after(parse(game.start), game.plies, shown);
    const pieces = pending ? shift(setup, pending.step, pending.target?.takes).pieces : setup.pieces;
    stage.board.setPieces(pieces, slide ? this.lastStep(game) : null);
    this.mark();
    parts.top.replaceChildren(playerCard(game, other(this.near)));
    parts.bottom.replaceChildren(playerCard(game, this.near));
    this.drawWords(game, shown);
    parts.moves.replaceChildren(game.invitation && !game.outcome ? invitation(this, game)
      : moveTable(game.plies, parse(game.start).side, shown, (ply) => this.look(ply)));
    parts.moves.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
    turnClocks(this.app.main, game, this.since);
  }

  /** @param {GameState} game @param {number} shown */
  drawWords(game, shown) {
    this.parts?.status.replaceChildren(statusLines(this, game));
    this.parts?.row.replaceChildren(actionRow(this, game, shown));
  }

  /**
   * The move that led to what is shown.
   * @param {GameState} game
   */
  lastStep(game) {
    const shown = this.ply ?? game.plies.length;
    if (this.ply === null && this.pending?.target) return this.pending.step;
    return shown > 0 ? game.plies[shown - 1][0] : null;
  }

  mark() {
    const { game, stage, picked } = this;
    if (!game || !stage?.board) return;
    const isLive = this.ply === null;
    const targets = picked && this.isAhead(game, picked) ? this.prospects : readTargets(game.targets);
    stage.board.setMarks({
      last: this.lastStep(game),
      picked,
      targets: picked ? targets.filter((target) => target.from === picked) : [],
      lanes: isLive && !this.pending ? game.lanes : [],
      hint: isLive ? (this.pending?.shown ? this.pending.step : this.hint) : null,
      premove: isLive ? this.premove : null,
      wrong: this.wrong,
      drawings: this.drawings,
    });
  }

  /** @param {string} from @param {string} to */
  sketch(from, to) {
    if (this.premove || this.picked) {
      // The right button lets go of what was planned.
      this.letGo();
      if (from === to) return;
    }
    const drawing = { from, to: from === to ? null : to };
    const same = (/** @type {import('../board/board.js').Drawing} */ one) => one.from === drawing.from && one.to === drawing.to;
    this.drawings = this.drawings.some(same)
      ? this.drawings.filter((one) => !same(one)) : [...this.drawings, drawing];
    this.mark();
  }

  tick() {
    const { game, pending } = this;
    if (!game || !this.parts) return;
    if (pending && !pending.shown && performance.now() - pending.since > SLOW) {
      pending.shown = true;
      this.draw(false);
    }
    turnClocks(this.app.main, game, this.since);
    const mine = game.yours.length === 1 ? game.seats[game.yours[0]].left : null;
    const isClose = mine !== null && game.running === game.yours[0] && leftNow(mine, this.since, performance.now(), true) < HURRY;
    if (isClose && !this.isHurried) playSound('hurry');
    this.isHurried = isClose;
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

  /**
   * Asks once more about something, or not any more.
   * @param {'resign' | 'draw' | null} what
   */
  ask(what) {
    this.asked = what;
    if (!this.game) return;
    this.drawWords(this.game, this.ply ?? this.game.plies.length);
    /** @type {HTMLElement | null} */ (this.parts?.row.querySelector(what ? 'button' : '[data-act="resign"]'))?.focus();
  }

  /** @param {WishName} wish */
  async wish(wish) {
    this.asked = null;
    await this.app.ask('wish', { wish });
    if (this.game) this.drawWords(this.game, this.ply ?? this.game.plies.length);
  }

  async record() {
    const answer = await this.app.ask('record');
    return answer?.text ?? '';
  }

  async save() {
    download('game.tablut', await this.record());
  }

  async copyRecord() {
    await this.copy(await this.record());
  }

  /** @param {string} text */
  async copy(text) {
    if (text) this.app.toast(t(await copy(text) ? 'copied' : 'notCopied'));
  }

  /**
   * Opens the game on the analysis board.
   * @param {number} shown
   */
  analyse(shown) {
    location.hash = `#analysis/game/${encodeURIComponent(this.id)}?ply=${shown}`;
  }

  /** Lets the engine look at every move of the game, on the analysis board. */
  review() {
    location.hash = `#analysis/game/${encodeURIComponent(this.id)}?review=yes`;
  }

  async rematch() {
    const answer = await this.app.ask('rematch');
    if (answer?.game) location.hash = `#game/${answer.game.game}`;
  }

  /** Takes the game back that nobody has joined. */
  async cancel() {
    if (await this.app.ask('cancelGame')) location.hash = '#play';
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

  /**
   * Whether a piece would move before it is its turn.
   * @param {GameState} game
   * @param {string} square
   */
  isAhead(game, square) {
    const piece = this.stage?.board?.pieces.get(square);
    return this.pending !== null || piece === undefined || sideOf(piece) !== game.turn;
  }

  /** @param {string} square */
  canPick(square) {
    const { game } = this;
    const piece = this.stage?.board?.pieces.get(square);
    if (!game || !piece || this.ply !== null || game.outcome || !game.started) return false;
    const side = sideOf(piece);
    // Who has one side may plan a move while the other thinks.
    return game.yours.includes(side) && (game.yours.length === 1 || side === this.next(game));
  }

  /** @param {string} square */
  press(square) {
    const { game } = this;
    if (!game) return;
    this.stage?.hush();
    this.wrong = null;
    if (this.drawings.length) this.drawings = [];
    if (game.outcome) {
      this.mark();
      return;
    }
    if (this.ply !== null) {
      this.look(game.plies.length);
      return;
    }
    if (this.premove) {
      this.letGo();
      return;
    }
    if (this.picked && this.picked !== square && !this.canPick(square)) this.move(this.picked + square);
    else if (this.picked === square) this.pick(null);
    else if (this.canPick(square)) this.pick(square);
    else if (this.stage?.board?.pieces.has(square) && game.yours.length && game.started) this.explain(square);
    else this.pick(null);
  }

  /** Nothing is picked and nothing planned any more. */
  letGo() {
    this.premove = null;
    this.pick(null);
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
    try {
      await this.app.socket.ask('explain', { rules: game.rules, setup: game.setup, moves: [], step: square + square, turns: true });
    } catch (problem) {
      this.refuse(problem);
    }
  }

  /** @param {string | null} square */
  pick(square) {
    const { game } = this;
    const piece = square ? this.stage?.board?.pieces.get(square) : undefined;
    if (square && piece) this.app.say(t('pickedUp', { piece: t(`man_${piece}`), square }));
    else if (this.picked) this.app.say(t('putDown'));
    this.picked = square;
    this.mark();
    if (game && square && this.isAhead(game, square)) this.foresee(game);
  }

  /**
   * Finds where pieces could go if it were their turn.
   * @param {GameState} game
   */
  async foresee(game) {
    const moves = this.pending?.target ? [this.pending.step] : [];
    const answer = await this.app.socket.ask('survey', { rules: game.rules, setup: game.setup, moves }).catch(() => null);
    if (!answer?.survey || this.game !== game) return;
    this.prospects = answer.survey.targets.map((target) => ({ ...target, takes: [], wins: false }));
    this.mark();
  }

  /** @param {string} from @param {string | null} to */
  drop(from, to) {
    if (to && to !== from) this.move(from + to);
    else this.mark();
  }

  /**
   * Makes a move, or plans one if it is not one's turn yet.
   * @param {string} step
   */
  move(step) {
    const { game } = this;
    if (!game) return;
    this.stage?.hush();
    this.picked = null;
    this.wrong = null;
    if (this.canPick(step.slice(0, 2)) && this.isAhead(game, step.slice(0, 2))) {
      this.premove = step;
      this.app.say(t('premoveSet', { step }));
      this.mark();
      return;
    }
    this.premove = null;
    const target = readTargets(game.targets).find(({ from, to }) => from + to === step) ?? null;
    this.pending = { ply: game.plies.length, step, target, since: performance.now(), sending: false, kept: false, shown: false };
    if (target) playSound(target.takes?.length ? 'capture' : 'move');
    this.draw(target !== null);
    this.send(this.pending);
  }

  /**
   * Makes the move that was planned, now that it is one's turn.
   * @param {GameState} game
   */
  playPremove(game) {
    const { premove } = this;
    if (!premove || this.pending || !game.yours.includes(game.turn)) return;
    this.premove = null;
    this.move(premove);
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
      this.pending = null;
      this.premove = null;
      this.draw(false);
      this.refuse(problem);
    }
  }

  /**
   * Says at the board why something is not allowed.
   * @param {unknown} problem
   */
  refuse(problem) {
    if (!(problem instanceof Problem)) throw problem;
    if (!problem.message) return;
    this.stage?.tell(problem.message);
    this.app.say(problem.message);
    playSound('refused');
    this.wrong = problem.square;
    this.mark();
  }

  /**
   * The server has the move. It stays on the board until the new state has it too.
   * @param {Pending} pending
   */
  forget(pending) {
    if (this.pending !== pending) return;
    pending.kept = true;
    if ((this.game?.plies.length ?? 0) <= pending.ply) return;
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
    // What the server had made and does not show was taken back meanwhile.
    if (game.plies[pending.ply]?.[0] === pending.step || pending.kept) this.pending = null;
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
    else this.stage?.tell(t('notUnderstood', { text: `${command.square}=` }));
  }

  /** @param {import('../command.js').Word} word */
  word(word) {
    switch (word) {
      case 'flip': this.stage?.flip(); break;
      case 'rotate': this.stage?.rotate(); break;
      case 'hint': this.askHint(); break;
      case 'help': openHelp(); break;
      case 'resign': this.ask('resign'); break;
      case 'undo': this.wish('takeBack'); break;
      default: this.stage?.tell(t('notUnderstood', { text: word }));
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
      case 'Escape':
        this.drawings = [];
        if (this.asked) this.ask(null);
        this.letGo();
        return true;
      default: return this.stage ? pressByKey(this.stage.cards, event) : false;
    }
  }

  /** @param {GameState} game */
  end(game) {
    // Where nothing else says it.
    if (game.outcome && document.body.classList.contains('zen')) this.app.toast(game.outcome.text, 'good', 8000);
  }
}
