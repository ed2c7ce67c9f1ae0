// @ts-check
/** The moves of a study as a tree: the main line in two columns, comments and variations between its moves. */

import { h, unbroken } from '../dom.js';
import { ROOT, SIGNS } from '../study.js';
import { t } from '../text.js';

/** @typedef {import('../study.js').StudyModel} StudyModel */
/** @typedef {import('../dom.js').Child} Child */

/**
 * @param {StudyModel} model
 * @param {number} cursor
 * @param {(node: number) => void} go
 * @returns {HTMLElement}
 */
export function drawTree(model, cursor, go) {
  const tree = h('div', { class: 'tree', role: 'group', 'aria-label': t('moves') });
  const root = model.get(ROOT);
  if (root.comment) tree.append(comment(root.comment, root.nags));
  /** @type {HTMLElement | null} the row whose second place is free */
  let row = null;
  let node = model.childrenOf(ROOT)[0];
  while (node !== undefined) {
    const ply = model.line(node).length;
    const cell = move(model, node, cursor, go, false);
    if (ply % 2) {
      row = h('div', { class: 'pair' }, h('span', { class: 'number' }, Math.ceil(ply / 2)), cell);
      tree.append(row);
    } else {
      if (!row) {
        row = h('div', { class: 'pair' }, h('span', { class: 'number' }, Math.ceil(ply / 2)), h('span', { class: 'elsewhere' }, '…'));
        tree.append(row);
      }
      row.append(cell);
      row = null;
    }
    const info = model.get(node);
    const others = model.childrenOf(info.parent).slice(1);
    const notes = [...(info.comment ? [comment(info.comment, info.nags)] : []),
      ...others.map((other) => h('div', { class: 'variation' }, line(model, other, cursor, go)))];
    if (notes.length) {
      if (row) row.append(h('span', { class: 'elsewhere' }, '…'));
      tree.append(...notes);
      row = null;
    }
    [node] = model.childrenOf(node);
  }
  return tree;
}

/**
 * A line of moves within a sentence, its own variations in brackets.
 * @param {StudyModel} model
 * @param {number} first
 * @param {number} cursor
 * @param {(node: number) => void} go
 * @returns {Child[]}
 */
function line(model, first, cursor, go) {
  /** @type {Child[]} */
  const parts = [];
  /** @type {number | undefined} */
  let node = first;
  let isNumberDue = true;
  while (node !== undefined) {
    const info = model.get(node);
    const isFirstOfPair = model.line(node).length % 2 === 1;
    const number = isNumberDue || isFirstOfPair ? [h('span', { class: 'number' }, model.number(node)), ' '] : [];
    parts.push(h('span', { class: 'numbered' }, ...number, move(model, node, cursor, go, true)), ' ');
    isNumberDue = false;
    if (info.comment) {
      parts.push(h('span', { class: 'said' }, unbroken(info.comment)), ' ');
      isNumberDue = true;
    }
    const siblings = model.childrenOf(info.parent);
    if (node === siblings[0] && node !== first) {
      for (const other of siblings.slice(1)) {
        const inner = line(model, other, cursor, go);
        parts.push(h('span', { class: 'brackets' }, '(', ...inner, ')'), ' ');
        isNumberDue = true;
      }
    }
    [node] = model.childrenOf(node);
  }
  // No blank before a bracket.
  if (parts.at(-1) === ' ') parts.pop();
  return parts;
}

/**
 * @param {StudyModel} model
 * @param {number} node
 * @param {number} cursor
 * @param {(node: number) => void} go
 * @param {boolean} isInline
 */
function move(model, node, cursor, go, isInline) {
  const { step, takes = [], ends, nags = [] } = model.get(node);
  const text = `${step?.slice(0, 2)}–${step?.slice(2)}${takes.length ? `×${takes.length > 1 ? takes.length : ''}` : ''}`;
  return h('button', {
    type: 'button', class: isInline ? 'move inline' : 'move', 'data-node': node, onclick: () => go(node), 'aria-current': node === cursor ? 'true' : undefined,
  }, text, ends && h('span', { class: 'mark ends', title: t('endsGame') }, '#'), nags.map(sign));
}

/** @param {number} nag a mark in its colour and as a sign */
export function sign(nag) {
  const known = SIGNS.find(([number]) => number === nag);
  return h('span', { class: `mark nag-${nag}`, title: known && t(`nag_${known[0]}`) }, known ? known[1] : `$${nag}`);
}

/**
 * A comment between the moves; one about a bad move is tinted.
 * @param {string} text
 * @param {number[]} [nags]
 */
function comment(text, nags = []) {
  const isBad = nags.some((nag) => nag === 2 || nag === 4 || nag === 6);
  return h('p', { class: isBad ? 'comment bad' : 'comment' }, unbroken(text));
}
