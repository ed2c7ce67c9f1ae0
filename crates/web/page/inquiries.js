// @ts-check
/** What the engine works on for this page: questions with numbers, and what is found as it comes. */

import { Lost } from './socket.js';

/** @typedef {import('../protocol/message').InquiryAsk} InquiryAsk */
/** @typedef {import('../protocol/message').FoundInfo} FoundInfo */
/**
 * @typedef {object} Inquiry
 * @property {InquiryAsk} inquiry
 * @property {(found: FoundInfo, isDone: boolean) => void} hear
 * @property {(problem: unknown) => void} refuse
 */
/** @typedef {(what: 'inquire' | 'dismiss', details: any) => Promise<unknown>} Ask */

export class Inquiries {
  /**
   * @param {Ask} ask
   * @param {() => boolean} isHidden whether nobody sees the page
   * @param {() => void} [onWait] no engine is there to begin
   */
  constructor(ask, isHidden, onWait = () => {}) {
    this.ask = ask;
    this.isHidden = isHidden;
    this.onWait = onWait;
    this.last = 0;
    /** @type {Map<number, Inquiry>} */
    this.underWay = new Map();
  }

  /**
   * Asks the engine for something, until it is found or `end` is called. Lines are only looked for while
   * somebody can see them.
   * @param {InquiryAsk} inquiry
   * @param {Inquiry['hear']} hear
   * @param {Inquiry['refuse']} [refuse]
   * @returns {number} for `end`
   */
  begin(inquiry, hear, refuse = () => {}) {
    this.last += 1;
    this.underWay.set(this.last, { inquiry, hear, refuse });
    this.send(this.last);
    return this.last;
  }

  /** @param {number} number */
  async send(number) {
    const one = this.underWay.get(number);
    if (!one || isEndless(one) && this.isHidden()) return;
    try {
      await this.ask('inquire', { number, inquiry: one.inquiry });
    } catch (problem) {
      // It is asked again when the connection is back.
      if (problem instanceof Lost) return;
      if (this.underWay.delete(number)) one.refuse(problem);
    }
  }

  /**
   * Nobody wants to know any more.
   * @param {number} number
   */
  end(number) {
    if (this.underWay.delete(number)) this.dismiss(number);
  }

  /** @param {number} number */
  dismiss(number) {
    // What the server does not hear ends with the connection.
    this.ask('dismiss', { number }).catch(() => {});
  }

  /** @param {{ number: number, done: boolean, found: FoundInfo }} event */
  found({ number, done, found }) {
    const one = this.underWay.get(number);
    if (done) this.underWay.delete(number);
    if (found.kind !== 'waiting') one?.hear(found, done);
    else if (one) this.onWait();
  }

  /** The connection is new. */
  renew() {
    for (const number of this.underWay.keys()) this.send(number);
  }

  /** Somebody sees the page again, or nobody does any more. */
  seen() {
    for (const [number, one] of this.underWay) {
      if (!isEndless(one)) continue;
      if (this.isHidden()) this.dismiss(number);
      else this.send(number);
    }
  }
}

/** @param {Inquiry} one */
function isEndless({ inquiry }) {
  return inquiry.kind === 'lines';
}
