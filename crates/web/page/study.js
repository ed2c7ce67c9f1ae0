// @ts-check
/** A study as the server shows it, with the ways through its tree. Pure; it knows no rules. */

import { after, parse } from './board/state.js';

/** @typedef {import('../protocol/message').StudyState} StudyState */
/** @typedef {import('../protocol/message').NodeInfo} NodeInfo */
/** @typedef {import('./board/state.js').Setup} Setup */

/** The name of the root. */
export const ROOT = 0;

/** The signs of marks, by their numbers in PGN; the last is our own. */
export const SIGNS = /** @type {const} */ ([
  [1, '!'], [2, '?'], [3, '!!'], [4, '??'], [5, '!?'], [6, '?!'], [7, '□'], [18, '+−'], [19, '−+'], [200, '⊢'],
]);

/** Marks of which a move has one at most: how good it is. */
const JUDGEMENTS = [1, 2, 3, 4, 5, 6];

/**
 * The marks of a move after one of them was pressed: it goes if it was there, and replaces others of its kind.
 * @param {number[]} nags
 * @param {number} pressed
 */
export function pressMark(nags, pressed) {
  if (nags.includes(pressed)) return nags.filter((nag) => nag !== pressed);
  const kind = JUDGEMENTS.includes(pressed) ? JUDGEMENTS : pressed === 18 || pressed === 19 ? [18, 19] : [];
  return [...nags.filter((nag) => !kind.includes(nag)), pressed];
}

export class StudyModel {
  /** @param {StudyState} state */
  constructor(state) {
    this.state = state;
    /** @type {Map<number, NodeInfo>} */
    this.nodes = new Map(state.nodes.map((node) => [node.node, node]));
    /** @type {Map<number, number[]>} */
    this.children = new Map();
    for (const { node, parent } of state.nodes) {
      if (node === ROOT) continue;
      const siblings = this.children.get(parent);
      if (siblings) siblings.push(node);
      else this.children.set(parent, [node]);
    }
  }

  /** @param {number} node */
  has(node) {
    return this.nodes.has(node);
  }

  /** @param {number} node @returns {NodeInfo} */
  get(node) {
    return /** @type {NodeInfo} */ (this.nodes.get(node) ?? this.nodes.get(ROOT));
  }

  /** @param {number} node the nodes one move on, the line before its variations */
  childrenOf(node) {
    return this.children.get(node) ?? [];
  }

  /**
   * Where a move leads from a node, if that is in the tree.
   * @param {number} node
   * @param {string} step
   * @returns {number | undefined}
   */
  child(node, step) {
    return this.childrenOf(node).find((child) => this.get(child).step === step);
  }

  /** @param {number} node the nodes that lead to it, without the root and with itself */
  line(node) {
    const line = [];
    for (let at = node; at !== ROOT; at = this.get(at).parent) line.push(at);
    return line.reverse();
  }

  /** @param {number} node the moves that lead to it */
  moves(node) {
    return this.line(node).map((one) => /** @type {string} */ (this.get(one).step));
  }

  /** @param {number} node the last node of the line that goes on from there */
  last(node) {
    let at = node;
    for (let [next] = this.childrenOf(at); next !== undefined; [next] = this.childrenOf(at)) at = next;
    return at;
  }

  /** Whether there are moves. */
  get hasMoves() {
    return this.nodes.size > 1;
  }

  /**
   * The pieces and the side to move at a node.
   * @param {number} node
   * @returns {Setup}
   */
  setup(node) {
    const plies = this.line(node).map((one) => {
      const { step, takes } = this.get(one);
      return /** @type {[string, string[]]} */ ([step, takes ?? []]);
    });
    return after(parse(this.state.setup), plies, plies.length);
  }

  /**
   * The next variation in a direction: another move in place of the one that leads to a node, or, where there is none,
   * of the nearest one before (up) or behind (down) that has variations.
   * @param {number} node
   * @param {1 | -1} way
   * @returns {number}
   */
  variation(node, way) {
    const siblings = (/** @type {number} */ one) => (one === ROOT ? [] : this.childrenOf(this.get(one).parent));
    if (siblings(node).length > 1) {
      const all = siblings(node);
      return all[(all.indexOf(node) + way + all.length) % all.length];
    }
    const path = way < 0 ? this.line(node).reverse() : this.line(this.last(node)).slice(this.line(node).length);
    return path.find((one) => siblings(one).length > 1) ?? node;
  }

  /**
   * The number before a move: `3.` or `3…`. The first move of the study is number one, whoever makes it.
   * @param {number} node
   */
  number(node) {
    const ply = this.line(node).length;
    return `${Math.ceil(ply / 2)}${ply % 2 ? '.' : '…'}`;
  }

  /** @param {number} node whether it is on the main line */
  isMain(node) {
    return this.line(node).every((one) => this.childrenOf(this.get(one).parent)[0] === one);
  }
}
