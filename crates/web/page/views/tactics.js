// @ts-check
/** The tactics board: set up anything, move freely, see what could happen, or play by the rules. */

import { parse, put, shift, sideOf, other, write } from '../board/state.js';
import { History } from '../history.js';
import { Problem } from '../protocol.js';
import { Stage } from '../stage.js';
import { t } from '../text.js';
import { openHelp } from './help.js';
import { BRUSHES, TacticsPanel } from './panel.js';

/** @typedef {import('../../protocol/message').SideName} Side */
/** @typedef {import('../board/state.js').Setup} Setup */
/** @typedef {import('../board/state.js').Piece} Piece */
/** @typedef {import('../../protocol/message').PositionInfo} Place */
/** @typedef {import('../../protocol/message').StudyInfo} StudyInfo */
/** @typedef {import('./panel.js').Brush} Brush */
/** @typedef {import('./panel.js').Overlay} Overlay */
/** @typedef {'move' | 'paint' | 'draw'} Tool */
/**
 * Everything that can be undone. A snapshot is never changed.
 * @typedef {object} Snapshot
 * @property {string} rules
 * @property {string} setup where the moves start
 * @property {[string, string[]][]} plies moves by the rules from there on, with what they captured
 * @property {string} board the position on the board
 * @property {boolean} mechanics whether the rules are in force
 * @property {Record<number, Place>} slots
 * @property {import('../board/board.js').Drawing[]} drawings
 * @property {string | null} last the last move, free or not
 */

/** How long nothing changes before the server is asked about a position, in milliseconds. */
const PAUSE = 40;

export class TacticsView {
  /**
   * @param {import('../app.js').App} app
   * @param {string[]} address rule set and position, if the address names them
   */
  constructor(app, address) {
    this.app = app;
    /** @type {Brush} */
    this.brush = 'empty';
    /** @type {Tool} */
    this.tool = 'move';
    /** @type {string | null} */
    this.picked = null;
    /** @type {string | null} */
    this.wrong = null;
    /** @type {StudyInfo | null} */
    this.study = null;
    this.question = 0;
    this.later = 0;
    /** Moves by the rules, one after another: a quick second click waits for the first. */
    this.steps = Promise.resolve();
    /** @type {number | null} */
    this.slot = null;
    /** @type {Set<Overlay>} */
    this.overlays = new Set(/** @type {Overlay[]} */ ((app.setting('overlays') ?? 'lanes,startMarks,coordinates').split(',')));
    this.history = new History(this.first());
    /** @type {Stage} */
    this.stage = new Stage(app, this.now.rules, {
      press: (square) => this.press(square),
      drop: (from, to) => this.drop(from, to),
      canDrag: (square) => this.board.pieces.has(square),
      paint: (square, isFirst) => this.paint(square, isFirst),
      painted: () => this.refresh(),
      draw: (from, to) => this.sketch(from, to),
      wheel: (delta) => this.turnBrush(delta),
      tool: () => this.tool,
    }, (command) => this.command(command));
    this.panel = new TacticsPanel(this);
    this.applyLook();
    this.refresh();
    this.loadSlots();
    const handed = sessionStorage.getItem('tablut-tactics');
    sessionStorage.removeItem('tablut-tactics');
    if (handed) this.takeOver(JSON.parse(handed));
    else if (address.length > 1) this.follow(address);
    this.clipboard = new AbortController();
    const { signal } = this.clipboard;
    document.addEventListener('paste', (event) => this.paste(event), { signal });
    document.addEventListener('copy', (event) => this.copy(event), { signal });
    window.addEventListener('pagehide', () => this.autosave(), { signal });
  }

  leave() {
    clearTimeout(this.later);
    this.autosave();
    this.clipboard.abort();
  }

  /**
   * A link to a position; what it names may be anything, so the server reads it first.
   * @param {string[]} address
   */
  async follow([rules, ...setup]) {
    history.replaceState(null, '', '#tactics');
    try {
      const { read } = await this.app.socket.ask('read', { rules, text: setup.join('/') });
      if (read) await this.open(read.place.rules, read.place.setup, []);
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.app.toast(problem.message || t('notDone'), 'bad', 0);
    }
  }

  /** @param {ClipboardEvent} event */
  paste(event) {
    const target = /** @type {Element} */ (event.target);
    const text = event.clipboardData?.getData('text/plain') ?? '';
    if (target.closest?.('input, textarea') || !text) return;
    event.preventDefault();
    this.panel.readText(text);
  }

  /**
   * Copies the position, if nothing else is selected.
   * @param {ClipboardEvent} event
   */
  copy(event) {
    const target = /** @type {Element} */ (event.target);
    if (target.closest?.('input, textarea') || !document.getSelection()?.isCollapsed) return;
    event.clipboardData?.setData('text/plain', this.now.board);
    event.preventDefault();
    this.app.toast(t('copied'));
  }

  get now() {
    return this.history.now;
  }

  /** @returns {import('../board/board.js').Board} */
  get board() {
    return /** @type {import('../board/board.js').Board} */ (this.stage.board);
  }

  /** The position on the board. */
  get setup() {
    return parse(this.now.board);
  }

  /**
   * What was on the board last time.
   * @returns {Snapshot}
   */
  first() {
    const { app } = this;
    let place = { rules: app.defaultRules, setup: app.set(app.defaultRules).start };
    try {
      const kept = JSON.parse(app.setting('board') ?? 'null');
      if (kept && app.sets.some(([id]) => id === kept.rules)) place = kept;
    } catch {
      // A setting that nobody can read is as good as none.
    }
    return {
      rules: place.rules, setup: place.setup, plies: [], board: place.setup, mechanics: false, slots: {}, drawings: [], last: null,
    };
  }

  /**
   * A game that was opened here from elsewhere.
   * @param {{ rules: string, start: string, moves: string[] }} game
   */
  takeOver(game) {
    this.open(game.rules, game.start, game.moves);
  }

  async loadSlots() {
    const answer = await this.app.ask('slots');
    const slots = Object.fromEntries(answer?.slots ?? []);
    this.history.replace({ ...this.now, slots });
    this.panel.draw();
  }

  /**
   * Changes something, so that it can be undone.
   * @param {Partial<Snapshot>} change
   * @param {'push' | 'replace'} [how]
   */
  change(change, how = 'push') {
    this.history[how]({ ...this.now, ...change });
    this.refresh(change.last ?? null);
  }

  /**
   * Another position, from which moves start.
   * @param {Setup} setup
   * @param {string | null} last
   * @param {'push' | 'replace'} [how]
   */
  edit(setup, last = null, how = 'push') {
    const line = write({ ...setup, quiet: 0 });
    this.picked = null;
    this.change({ setup: line, board: line, plies: [], last }, how);
  }

  /** @param {string | null} slide */
  refresh(slide = null) {
    const { now } = this;
    if (this.stage.board?.ground.start !== this.app.set(now.rules).start) {
      this.stage.setRules(now.rules);
      this.applyLook();
    }
    if (this.picked && !this.setup.pieces.has(this.picked)) this.picked = null;
    this.wrong = null;
    this.board.setPieces(this.setup.pieces, slide);
    this.mark();
    this.panel.draw();
    // Answers to earlier questions are not wanted any more; the next one waits for a pause.
    this.question += 1;
    clearTimeout(this.later);
    document.body.dataset.kept = 'false';
    this.later = window.setTimeout(() => {
      this.autosave();
      this.ask();
    }, PAUSE);
  }

  /** Keeps the board as it is; the page is marked when the server has it. */
  async autosave() {
    const { question } = this;
    const { rules, board } = this.now;
    await this.app.keep('board', JSON.stringify({ rules, setup: board }));
    if (question === this.question) document.body.dataset.kept = 'true';
  }

  /** The connection is back: only what was not answered is asked again. */
  reconnect() {
    this.ask();
  }

  /** Asks what can be said of the position. */
  async ask() {
    const { question, now } = this;
    const answer = await this.app.ask('study', this.line());
    if (question !== this.question) return;
    this.study = answer?.study ?? null;
    if (this.study && now.plies.length) this.board.setPieces(parse(this.study.setup).pieces, null);
    this.mark();
    this.panel.draw();
    if (this.study?.outcome) this.app.say(this.study.outcome);
  }

  /** The position and its moves, as questions name them. */
  line() {
    const { rules, setup, plies } = this.now;
    return { rules, setup, moves: plies.map(([step]) => step) };
  }

  mark() {
    const { study, overlays, picked } = this;
    const has = (/** @type {Overlay} */ name) => overlays.has(name);
    const reach = (/** @type {Side} */ side) => [...new Set((study?.targets ?? [])
      .filter(({ from }) => {
        const piece = this.board.pieces.get(from);
        return piece && sideOf(piece) === side;
      }).map(({ to }) => to))];
    this.board.setMarks({
      last: this.now.last,
      picked,
      targets: picked ? (study?.targets ?? []).filter(({ from }) => from === picked) : [],
      lanes: has('lanes') ? study?.lanes : [],
      threats: has('capturable') && study ? [...study.capturable.black, ...study.capturable.white] : [],
      hostileToWhite: has('hostileWhite') ? study?.hostile.white : [],
      hostileToBlack: has('hostileBlack') ? study?.hostile.black : [],
      reachWhite: has('reachWhite') ? reach('white') : [],
      reachBlack: has('reachBlack') ? reach('black') : [],
      drawings: this.now.drawings,
      wrong: this.wrong,
    });
  }

  /** @param {Overlay} name @param {boolean} on */
  overlay(name, on) {
    if (on) this.overlays.add(name);
    else this.overlays.delete(name);
    this.app.keep('overlays', [...this.overlays].join(','));
    this.applyLook();
    this.mark();
  }

  applyLook() {
    this.board.showStarts = this.overlays.has('startMarks');
    this.board.showCoordinates = this.overlays.has('coordinates');
    this.board.build();
  }

  /** @param {string} square */
  press(square) {
    const piece = this.setup.pieces.get(square);
    this.wrong = null;
    if (!this.picked || this.picked === square || (piece && !this.isTarget(square))) {
      this.pick(piece && this.picked !== square ? square : null);
    } else this.step(this.picked + square);
  }

  /** @param {string} square */
  isTarget(square) {
    return (this.study?.targets ?? []).some(({ from, to }) => from === this.picked && to === square);
  }

  /** @param {string | null} square */
  pick(square) {
    const piece = square ? this.setup.pieces.get(square) : undefined;
    if (square && piece) this.app.say(t('pickedUp', { piece: t(`man_${piece}`), square }));
    this.picked = square;
    this.mark();
  }

  /** @param {string} from @param {string | null} to */
  drop(from, to) {
    if (to && to !== from) this.step(from + to);
    else if (!to && !this.now.mechanics) this.edit(put(this.setup, from, null));
    else this.mark();
  }

  /**
   * Makes a move: free, or by the rules.
   * @param {string} step
   */
  step(step) {
    this.picked = null;
    if (this.now.mechanics) {
      this.mark();
      this.steps = this.steps.then(() => this.stepByRules(step));
      return;
    }
    this.edit(shift(this.setup, step), step);
    this.say(step, []);
  }

  /** @param {string} step */
  async stepByRules(step) {
    const { now } = this;
    const line = this.line();
    try {
      const { study } = await this.app.socket.ask('study', { ...line, moves: [...line.moves, step] });
      if (this.now !== now || !study) return;
      const captured = study.captures.at(-1) ?? [];
      this.change({ plies: [...now.plies, [step, captured]], board: study.setup, last: step });
      this.say(step, captured);
    } catch (problem) {
      this.app.complain(problem);
      this.wrong = problem instanceof Problem ? problem.square : null;
      this.mark();
    }
  }

  /** @param {string} step @param {string[]} captured */
  say(step, captured) {
    const piece = this.setup.pieces.get(step.slice(2));
    const who = piece ? t(`man_${piece}`) : '';
    const move = t('saidMove', { who, from: step.slice(0, 2), to: step.slice(2) });
    this.app.say(captured.length ? t('saidCaptures', { move, squares: captured.join(' ') }) : move);
  }

  /** @param {string} square @param {boolean} isFirst */
  paint(square, isFirst) {
    const piece = this.brush === 'empty' ? null : this.brush;
    if (!isFirst && (this.setup.pieces.get(square) ?? null) === piece) return;
    this.edit(put(this.setup, square, piece), null, isFirst ? 'push' : 'replace');
  }

  /** @param {Brush} brush */
  setBrush(brush) {
    this.brush = brush;
    this.app.say(t(`brush_${brush}`));
    this.panel.draw();
  }

  /** @param {number} delta */
  turnBrush(delta) {
    const at = BRUSHES.indexOf(this.brush) + delta;
    this.setBrush(BRUSHES[Math.max(0, Math.min(BRUSHES.length - 1, at))]);
  }

  /** @param {Tool} tool */
  setTool(tool) {
    this.tool = tool;
    this.picked = null;
    this.mark();
    this.panel.draw();
  }

  /** @param {string} from @param {string} to */
  sketch(from, to) {
    const drawing = { from, to: from === to ? null : to };
    const { drawings } = this.now;
    const rest = drawings.filter((one) => one.from !== drawing.from || one.to !== drawing.to);
    this.change({ drawings: rest.length < drawings.length ? rest : [...drawings, drawing] });
  }

  reset() {
    this.edit(parse(this.app.set(this.now.rules).start));
  }

  clear() {
    this.edit({ ...this.setup, pieces: new Map() });
  }

  toggleSide() {
    this.edit({ ...this.setup, side: other(this.setup.side) });
  }

  toggleMechanics() {
    const { now } = this;
    this.change({ mechanics: !now.mechanics, setup: now.board, plies: [] });
  }

  /** @param {string} rules */
  setRules(rules) {
    const ground = this.app.set(rules);
    const fits = ground.size === this.setup.size;
    const isStart = this.now.board === this.app.set(this.now.rules).start;
    const line = fits && !isStart ? this.now.board : ground.start;
    this.change({ rules, setup: line, board: line, plies: [], last: null });
  }

  /**
   * Slots that were changed by a step through the history go to the server.
   * @param {Snapshot} before
   */
  async syncSlots(before) {
    const { slots } = this.now;
    for (let number = 0; number < 10; number += 1) {
      const [old, place] = [before.slots[number] ?? null, slots[number] ?? null];
      if (JSON.stringify(old) !== JSON.stringify(place)) await this.app.ask('saveSlot', { number, place });
    }
  }

  undo() {
    const before = this.now;
    if (this.history.undo()) {
      this.refresh();
      this.syncSlots(before);
    }
  }

  redo() {
    const before = this.now;
    if (this.history.redo()) {
      this.refresh(this.now.last);
      this.syncSlots(before);
    }
  }

  /** @param {number} number */
  async saveSlot(number) {
    const place = { rules: this.now.rules, setup: this.now.board };
    if (!await this.app.ask('saveSlot', { number, place })) return;
    this.change({ slots: { ...this.now.slots, [number]: place } });
    this.app.toast(t('slotSaved', { n: number }), 'good', 5000, () => this.undo());
  }

  /** @param {number} number */
  loadSlot(number) {
    const place = this.now.slots[number];
    if (!place) return;
    this.slot = number;
    this.open(place.rules, place.setup, []);
    this.app.toast(t('slotLoaded', { n: number }), 'good', 2000);
  }

  /**
   * The next filled slot in a direction.
   * @param {number} way
   */
  stepSlot(way) {
    const filled = Object.keys(this.now.slots).map(Number).sort((a, b) => a - b);
    if (!filled.length) {
      this.app.toast(t('noSlots'));
      return;
    }
    const at = this.slot ?? (way > 0 ? -1 : 10);
    const next = way > 0 ? filled.find((n) => n > at) : filled.reverse().find((n) => n < at);
    if (next !== undefined) this.loadSlot(next);
  }

  /**
   * Opens a position, or the last position of a game; a refusal is shown.
   * @param {string} rules
   * @param {string} setup
   * @param {string[]} moves
   */
  async open(rules, setup, moves) {
    try {
      await this.load(rules, setup, moves);
    } catch (problem) {
      this.app.complain(problem);
    }
  }

  /**
   * Opens a position, or the last position of a game, or throws why not.
   * @param {string} rules
   * @param {string} setup
   * @param {string[]} moves
   */
  async load(rules, setup, moves) {
    this.picked = null;
    if (!moves.length) {
      this.change({ rules, setup, board: setup, plies: [], last: null });
      return;
    }
    const { study } = await this.app.socket.ask('study', { rules, setup, moves });
    if (!study) return;
    const { captures, setup: board } = study;
    const plies = moves.map((step, n) => /** @type {[string, string[]]} */ ([step, captures[n] ?? []]));
    this.change({ rules, setup, plies, board, mechanics: true, last: moves.at(-1) ?? null });
  }

  /** @param {import('../command.js').Command} command */
  async command(command) {
    if (command.kind === 'put') this.edit(put(this.setup, command.square, command.piece));
    else if (command.kind === 'square') {
      this.board.setFocus(command.square);
      this.pick(this.setup.pieces.has(command.square) ? command.square : null);
    } else if (command.kind === 'word') this.word(command.word);
    else if (this.now.mechanics) this.step(command.step);
    else {
      try {
        await this.app.socket.ask('explain', { ...this.line(), step: command.step, turns: false });
      } catch (problem) {
        // Free moves ignore the rules, but it is good to know.
        this.app.complain(problem);
      }
      if (this.setup.pieces.has(command.step.slice(0, 2))) this.step(command.step);
    }
  }

  /** @param {import('../command.js').Word} word */
  word(word) {
    switch (word) {
      case 'flip': this.stage.flip(); break;
      case 'rotate': this.stage.rotate(); break;
      case 'start': this.reset(); break;
      case 'clear': this.clear(); break;
      case 'undo': this.undo(); break;
      case 'redo': this.redo(); break;
      case 'game': this.toggleMechanics(); break;
      case 'help': openHelp(); break;
      default: this.app.toast(t('notUnderstood', { text: word }), 'bad');
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (event.ctrlKey || event.metaKey) {
      if (key === 'z' && !event.shiftKey) this.undo();
      else if (key === 'y' || key === 'z') this.redo();
      else return false;
      return true;
    }
    if (event.altKey) return false;
    if (this.stage.key(event)) return true;
    if (key >= '0' && key <= '9' && key.length === 1) {
      this.saveSlot(Number(key));
      return true;
    }
    /** @type {Record<string, () => void>} */
    const acts = {
      r: () => this.reset(), g: () => this.toggleMechanics(), u: () => this.undo(), t: () => this.toggleSide(),
      e: () => this.setBrush('empty'), b: () => this.setBrush('b'), w: () => this.setBrush('w'), k: () => this.setBrush('K'),
      s: () => this.panel.saveFile(), l: () => this.panel.loadFile(),
      '[': () => this.stepSlot(-1), ']': () => this.stepSlot(1),
      ArrowLeft: () => this.stepSlot(-1), ArrowRight: () => this.stepSlot(1),
      Escape: () => this.pick(null), Delete: () => this.clear(),
    };
    const act = acts[key];
    // A key that is held down resets or saves once.
    if (act && !event.repeat) act();
    return Boolean(act);
  }
}
