// @ts-check
/** The ten slots of a visitor. They have nothing to do with the tree: undoing one never touches the other. */

import { t } from '../text.js';

/** @typedef {import('../../protocol/message').PositionInfo} Place */
/** @typedef {import('./analysis.js').AnalysisView} AnalysisView */

export class Slots {
  /** @param {AnalysisView} view */
  constructor(view) {
    this.view = view;
    /** @type {Record<number, Place>} */
    this.places = {};
    /** @type {number | null} the one that was loaded last */
    this.last = null;
  }

  async load() {
    const answer = await this.view.app.ask('slots');
    this.places = Object.fromEntries(answer?.slots ?? []);
    this.view.drawers.draw();
  }

  /** @param {number} number @param {Place | null} place */
  async fill(number, place) {
    const answer = await this.view.app.ask('saveSlot', { number, place });
    if (!answer) return undefined;
    const { [number]: _, ...rest } = this.places;
    this.places = place ? { ...rest, [number]: place } : rest;
    this.view.drawers.draw();
    return answer.before;
  }

  /** @param {number} number */
  async save(number) {
    const before = await this.fill(number, { rules: this.view.study.rules, setup: this.view.line });
    if (before !== undefined) this.view.app.toast(t('slotSaved', { n: number }), 'good', 5000, () => this.fill(number, before));
  }

  /** @param {number} number */
  async open(number) {
    const place = this.places[number];
    if (!place) return;
    this.last = number;
    await this.view.edits.openPlace(place);
    this.view.app.say(t('slotLoaded', { n: number }));
    this.view.drawers.draw();
  }

  /**
   * The next filled slot in a direction.
   * @param {number} way
   */
  step(way) {
    const filled = Object.keys(this.places).map(Number).sort((a, b) => a - b);
    if (!filled.length) {
      this.view.app.toast(t('noSlots'));
      return;
    }
    const at = this.last ?? (way > 0 ? -1 : 10);
    const next = way > 0 ? filled.find((n) => n > at) : filled.reverse().find((n) => n < at);
    if (next !== undefined) this.open(next);
  }
}
