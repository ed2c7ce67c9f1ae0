// @ts-check
/** Why a position is worth what it is: terms, the network's number, and what each man is worth. */

import { h } from '../dom.js';
import { iconButton } from '../icons.js';
import { hundredths } from '../score.js';
import { t } from '../text.js';

/** @typedef {import('../../protocol/message').WeightsInfo} WeightsInfo */
/** @typedef {import('./engine.js').Bench} Bench */

export class WeightsPanel {
  /** @param {Bench} bench */
  constructor(bench) {
    this.bench = bench;
    this.isOn = false;
    /** @type {WeightsInfo | null} */
    this.weights = null;
    this.why = '';
    this.asked = '';
    this.button = iconButton('explain', t('explainHint'), () => this.toggle(), { key: 'i', 'data-act': 'explain', 'aria-pressed': 'false' });
    this.element = h('section', { class: 'weights', 'aria-label': t('explain'), 'data-part': 'weights', hidden: true });
  }

  toggle() {
    this.isOn = !this.isOn;
    this.asked = '';
    this.follow();
    this.draw();
    this.bench.mark();
    if (this.isOn) this.element.scrollIntoView({ block: 'nearest' });
  }

  /** The board shows something else. */
  async follow() {
    if (!this.isOn) return;
    const line = this.bench.line();
    const asked = JSON.stringify(line);
    if (asked === this.asked) return;
    this.asked = asked;
    this.weights = null;
    this.why = '';
    if (line) {
      try {
        const { weights } = await this.bench.app.socket.ask('weigh', line);
        if (asked === this.asked) this.weights = weights;
      } catch (problem) {
        if (asked === this.asked) this.why = problem instanceof Error ? problem.message : '';
      }
    } else this.why = t('notEvaluated');
    this.draw();
    this.bench.mark();
  }

  /**
   * What each man is worth to its own side, in hundredths.
   * @returns {[string, number][]}
   */
  worths() {
    return this.isOn ? this.weights?.men ?? [] : [];
  }

  draw() {
    this.button.setAttribute('aria-pressed', String(this.isOn));
    this.element.hidden = !this.isOn;
    if (!this.isOn) {
      this.element.replaceChildren();
      return;
    }
    const { weights } = this;
    const cell = (/** @type {number} */ units) => h('td', {}, hundredths(units));
    const rows = (weights?.terms ?? []).filter(({ points }) => points.white !== 0 || points.black !== 0).map(({ term, points }) => h('tr', { 'data-term': term },
      h('th', { scope: 'row', title: t(`termHint_${term}`) }, t(`term_${term}`)), cell(points.white), cell(points.black), cell(points.white - points.black)));
    this.element.replaceChildren(
      h('div', { class: 'proof-head' }, h('strong', {}, t('explain')),
        h('span', { class: 'muted', 'data-part': 'network' }, this.why || (weights ? t(weights.network === null ? 'noNetwork' : 'networkSays', { score: hundredths(weights.network ?? 0) }) : '')),
        iconButton('close', t('close'), () => this.toggle(), { 'data-act': 'close-weights' })),
      ...(weights ? [
        h('div', { class: 'scroll weights-table', tabindex: 0, role: 'group', 'aria-label': t('terms') }, h('table', { class: 'figures' },
          h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('terms')), h('th', { scope: 'col' }, t('white')), h('th', { scope: 'col' }, t('black')), h('th', { scope: 'col' }, t('forWhite')))),
          h('tbody', {}, rows),
          h('tfoot', {}, h('tr', {}, h('th', { scope: 'row' }, t('sum')), h('td', {}), h('td', {}), cell(weights.hand))))),
        h('p', { class: 'muted' }, weights.network === null ? '' : `${t('networkHint')} `, t('worthHint')),
      ] : []));
  }

  /** @param {string} key */
  key(key) {
    if (key !== 'i') return false;
    this.toggle();
    return true;
  }
}
