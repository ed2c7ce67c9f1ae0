// @ts-check
/** The evaluation bar: how likely each side is to win. White grows from the bottom. */

import { h } from '../dom.js';
import { scoreSign, scoreWords } from '../score.js';
import { t } from '../text.js';

/** @typedef {import('../score.js').Score} Score */

export class EvaluationBar {
  constructor() {
    this.white = h('div', { class: 'evalbar-white' });
    this.element = h('div', { class: 'evalbar', role: 'meter', 'aria-label': t('evaluation'), 'aria-valuemin': 0, 'aria-valuemax': 100, 'data-part': 'evalbar' }, this.white);
    this.show(null);
  }

  /**
   * @param {Score | null} score nothing if nobody knows
   * @param {boolean} [isTurned] whether White sits on top
   */
  show(score, isTurned = false) {
    const chance = score ? score.chance / 10 : 50;
    this.element.classList.toggle('unknown', !score);
    this.element.classList.toggle('turned', isTurned);
    // Something of each side stays to be seen, until the game is over.
    const shown = score?.plies === 0 ? chance : Math.max(2, Math.min(98, chance));
    this.white.style.height = `${shown}%`;
    const words = score ? `${scoreSign(score)}, ${scoreWords(score)}` : t('notEvaluated');
    this.element.setAttribute('aria-valuenow', String(Math.round(chance)));
    this.element.setAttribute('aria-valuetext', words);
    this.element.title = words;
  }
}
