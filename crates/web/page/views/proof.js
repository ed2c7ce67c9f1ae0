// @ts-check
/** Proofs: can a side force a win from here, and how, against every answer. */

import { button, h } from '../dom.js';
import { iconButton } from '../icons.js';
import { dashed } from '../score.js';
import { t } from '../text.js';
import { arrow } from './engine.js';

/** @typedef {import('../../protocol/message').ProofInfo} ProofInfo */
/** @typedef {import('../../protocol/message').WinInfo} WinInfo */
/** @typedef {import('../board/board.js').Arrow} Arrow */
/** @typedef {import('./engine.js').Bench} Bench */
/** @typedef {import('./engine.js').Line} Line */
/** @typedef {{ line: Line, win: WinInfo }} ProofNode a position of a proof in which the winner is to move, or the first one */

export class ProofPanel {
  /** @param {Bench} bench */
  constructor(bench) {
    this.bench = bench;
    /** @type {number | null} */
    this.number = null;
    /** @type {Line | null} what the proof is about */
    this.about = null;
    /** @type {ProofInfo | null} */
    this.proof = null;
    this.isDone = false;
    this.why = '';
    /** @type {ProofNode[]} what is known of the proof that is walked through */
    this.nodes = [];
    this.isWalking = false;
    /** @type {string | null} the answer that is pointed at */
    this.pointed = null;
    /** Whether a proof is wanted as soon as the server knows what is on the board. */
    this.isDue = false;
    this.element = h('section', { class: 'proof', 'aria-label': t('proof'), 'data-part': 'proof', hidden: true });
  }

  /** Looks for a forced win on the board, or ends doing so. */
  prove() {
    const line = this.bench.line();
    if (this.number !== null || this.isAbout(line)) {
      this.close();
      return;
    }
    this.close();
    if (!line) {
      this.isDue = this.bench.isSettling();
      if (!this.isDue) this.bench.app.toast(t('overHere'));
      return;
    }
    this.about = line;
    this.ask(line, null, (proof, isDone) => {
      this.proof = proof;
      this.isDone = isDone;
      if (isDone && proof.win) this.nodes = [{ line, win: proof.win }];
      if (isDone) this.bench.app.say(this.verdict());
      this.draw();
      this.bench.mark();
    });
    this.draw();
    this.element.scrollIntoView({ block: 'nearest' });
  }

  /**
   * @param {Line} line
   * @param {{ winner: import('../../protocol/message').SideName, plies: number } | null} known
   * @param {(proof: ProofInfo, isDone: boolean) => void} hear
   */
  ask(line, known, hear) {
    const { inquiries } = this.bench.app;
    const number = inquiries.begin({ kind: 'proof', ...line, known }, (found, isDone) => {
      if (isDone && this.number === number) this.number = null;
      if (found.kind === 'proof') hear(found, isDone);
      else if (isDone) this.fail(t('notProved'));
    }, (problem) => {
      if (this.number === number) this.number = null;
      this.fail(problem instanceof Error ? problem.message : '');
    });
    this.number = number;
  }

  /** @param {string} why */
  fail(why) {
    this.why = why;
    this.isDone = true;
    this.draw();
  }

  stop() {
    if (this.number !== null) this.bench.app.inquiries.end(this.number);
    this.number = null;
  }

  close() {
    this.stop();
    this.about = null;
    this.proof = null;
    this.isDone = false;
    this.why = '';
    this.nodes = [];
    this.isWalking = false;
    this.draw();
    this.bench.mark();
  }

  leave() {
    this.stop();
  }

  /** @param {Line | null} line */
  isAbout(line) {
    return Boolean(line && this.about && same(line, this.about));
  }

  /** The board shows something else. */
  follow() {
    if (this.isDue && !this.bench.isSettling()) {
      this.isDue = false;
      this.prove();
      return;
    }
    if (!this.about) return;
    const line = this.bench.line();
    if (!this.isWalking) {
      if (!this.isAbout(line)) this.close();
      return;
    }
    const parent = line && !this.at(line) ? this.parentOf(line) : null;
    if (line && parent) this.goOn(line, parent);
    this.draw();
  }

  /**
   * Where in the proof a position is.
   * @param {Line} line
   * @returns {{ node: ProofNode, isAnswered: boolean } | null} with `isAnswered`, the loser is to move
   */
  at(line) {
    for (const node of this.nodes) {
      const { step } = node.win;
      if (same(line, node.line)) return { node, isAnswered: !step };
      if (step && same(line, after(node.line, step))) return { node, isAnswered: true };
    }
    return null;
  }

  /**
   * The place in the proof that an answer of the loser led away from.
   * @param {Line} line
   */
  parentOf(line) {
    const answer = line.moves.at(-1);
    const before = { ...line, moves: line.moves.slice(0, -1) };
    const place = answer ? this.at(before) : null;
    const found = place?.isAnswered ? place.node.win.answers.find(([step]) => step === answer) : undefined;
    return place && found ? { winner: place.node.win.winner, plies: found[1] } : null;
  }

  /**
   * The loser has answered: how does the winner go on?
   * @param {Line} line
   * @param {{ winner: import('../../protocol/message').SideName, plies: number }} known
   */
  goOn(line, known) {
    if (known.plies === 0) return;
    this.stop();
    this.ask(line, known, (proof, isDone) => {
      if (!isDone || !proof.win) return;
      this.nodes.push({ line, win: proof.win });
      const now = this.bench.line();
      if (proof.win.step && now && same(now, line)) this.bench.play([proof.win.step]);
      this.draw();
      this.bench.mark();
    });
  }

  /** Goes through the proof on the board, from the winner's first move on. */
  walk() {
    const first = this.nodes[0];
    if (!first) return;
    this.isWalking = true;
    const line = this.bench.line();
    if (first.win.step && line && same(line, first.line)) this.bench.play([first.win.step]);
    this.draw();
    this.bench.mark();
  }

  /** What was found, in words. */
  verdict() {
    const { proof } = this;
    if (this.why) return this.why;
    if (!proof) return t('proving');
    const { win } = proof;
    if (win) {
      const words = t(win.winner === 'white' ? 'whiteWinsIn' : 'blackWinsIn', { n: this.pliesLeft() ?? win.plies });
      return `${words}, ${t(win.shortest ? 'shortest' : 'perhapsShorter')}`;
    }
    if (!this.isDone) return t('provingNone', { n: proof.noneWithin });
    return t(proof.proved ? 'provedNone' : 'unknownNone', { n: proof.noneWithin });
  }

  /** In how many plies the position on the board is won, as the engine counts too; nothing beside the proof. */
  pliesLeft() {
    const line = this.bench.line();
    const place = line ? this.at(line) : null;
    if (!place) return null;
    const { win } = place.node;
    return place.isAnswered && win.step ? win.plies - 1 : win.plies;
  }

  /**
   * What is proved of the position on the board.
   * @returns {import('../score.js').Score | null}
   */
  get score() {
    const plies = this.pliesLeft();
    if (plies === null) return null;
    const { winner } = this.nodes[0].win;
    return { chance: winner === 'white' ? 1000 : 0, units: null, winner, plies };
  }

  /**
   * The winner's move, or every answer to it.
   * @returns {Arrow[]}
   */
  arrows() {
    const line = this.isWalking ? this.bench.line() : null;
    const place = line ? this.at(line) : null;
    if (!place) return [];
    const { win } = place.node;
    if (!place.isAnswered) return win.step ? [arrow(win.step, 'best')] : [];
    const pointed = win.answers.filter(([step]) => step === this.pointed).map(([step]) => arrow(step, 'other'));
    return [...win.answers.map(([step]) => arrow(step, 'answer')), ...pointed];
  }

  draw() {
    this.element.hidden = !this.about;
    if (!this.about) {
      this.element.replaceChildren();
      return;
    }
    const canWalk = this.isDone && this.nodes.length > 0 && !this.isWalking;
    this.element.replaceChildren(
      h('div', { class: 'proof-head' }, h('strong', {}, t('proof')),
        h('span', { class: 'muted', 'data-part': 'verdict', role: 'status' }, this.verdict()),
        canWalk && button(t('walkThrough'), () => this.walk(), { 'data-act': 'walk' }),
        this.isDone ? iconButton('close', t('close'), () => this.close(), { 'data-act': 'close-proof' }) : button(t('stop'), () => this.close(), { class: 'plain', 'data-act': 'close-proof' })),
      ...(this.isWalking ? this.walkParts() : []));
    if (this.isWalking) this.element.scrollIntoView({ block: 'nearest' });
  }

  /**
   * Points at an answer on the board, where there may be many.
   * @param {string | null} step
   */
  point(step) {
    if (this.pointed === step) return;
    this.pointed = step;
    this.bench.mark();
  }

  /** @returns {HTMLElement[]} */
  walkParts() {
    const line = this.bench.line();
    const place = line ? this.at(line) : null;
    if (!place) {
      const text = this.number !== null ? t('proving') : line ? t('offProof') : t('proofEnds');
      return [h('p', { class: 'muted', 'data-part': 'walk' }, text)];
    }
    const { win } = place.node;
    const side = t(win.winner);
    if (!place.isAnswered && win.step) {
      const { step } = win;
      return [h('p', { 'data-part': 'walk' }, t('winnerPlays', { side }), ' ', button(dashed(step), () => this.bench.play([step]), { 'data-step': step }))];
    }
    if (!win.answers.length) return [h('p', { 'data-part': 'walk' }, t('proofEnds'))];
    // Counted from the board, as everything else is: the answer itself is one ply.
    return [
      h('p', { class: 'muted', 'data-part': 'walk' }, t('everyAnswer', { n: win.answers.length })),
      h('div', { class: 'answers', tabindex: 0, role: 'group', 'aria-label': t('everyAnswer', { n: win.answers.length }) }, win.answers.map(([step, plies]) => button(`${dashed(step)} #${plies + 1}`, () => this.bench.play([step]), {
        class: 'answer', 'data-answer': step, onpointerenter: () => this.point(step), onpointerleave: () => this.point(null), onfocus: () => this.point(step), onblur: () => this.point(null), title: t(win.winner === 'white' ? 'whiteWinsIn' : 'blackWinsIn', { n: plies + 1 }),
      }))),
    ];
  }

  /** @param {string} key */
  key(key) {
    if (key !== 'q') return false;
    this.prove();
    return true;
  }
}

/** @param {Line} line @param {string} step @returns {Line} */
function after(line, step) {
  return { ...line, moves: [...line.moves, step] };
}

/** @param {Line} one @param {Line} other */
function same(one, other) {
  return one.rules === other.rules && one.setup === other.setup && one.moves.join() === other.moves.join();
}
