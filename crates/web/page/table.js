// @ts-check
/** Tables of figures. */

import { h } from './dom.js';
import { t } from './text.js';

/**
 * A table that scrolls by itself if it must. A column of names (`th`) or of `words` begins at the left, any other ends at the right.
 * @param {string} name
 * @param {(string | number)[]} heads an empty one is none
 * @param {HTMLElement[]} rows
 * @param {'' | 'stacked' | 'cross'} [kind] with `stacked`, each row is a block on a phone, in which every cell says its head
 */
export function figures(name, heads, rows, kind = '') {
  const isWords = (/** @type {number} */ n) => rows[0]?.children[n]?.matches('th, .words');
  if (kind === 'stacked') {
    for (const row of rows) [...row.children].forEach((cell, n) => cell.setAttribute('data-head', String(heads[n])));
  }
  return h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': t('table') },
    h('table', { class: `figures ${kind}`, 'data-table': name },
      h('thead', {}, h('tr', {}, heads.map((head, n) => head === '' ? h('td', {}) : h('th', { scope: 'col', class: isWords(n) && 'words' }, head)))),
      h('tbody', {}, rows)));
}
