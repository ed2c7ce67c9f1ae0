// @ts-check
/** What came of files that were imported. */

import { h } from '../dom.js';
import { t } from '../text.js';

/**
 * @param {HTMLElement} place
 * @param {{ name: string, imported: number, faults: [number | null, string][] }[]} files
 */
export function showReport(place, files) {
  const all = files.reduce((sum, file) => sum + file.imported, 0);
  const faulty = files.filter((file) => file.faults.length > 0);
  const fault = (/** @type {[number | null, string]} */ [game, text]) => h('li', {}, game === null ? text : `${t('gameNumber', { n: game })}: ${text}`);
  place.replaceChildren(h('section', { class: 'card', 'data-part': 'import-report' },
    h('p', {}, h('strong', {}, t('importDone', { n: all }))),
    faulty.map((file) => h('details', { open: true }, h('summary', {}, `${file.name}: ${t('importFaults', { n: file.faults.length })}`),
      h('ul', { class: 'sentences bad-text' }, file.faults.slice(0, 50).map(fault))))));
}
