// @ts-check
/** Undo and redo over snapshots that are never changed. Pure. */

/** @template T */
export class History {
  /** @param {T} first @param {number} [most] how many steps are kept */
  constructor(first, most = 500) {
    this.now = first;
    this.most = most;
    /** @type {T[]} */
    this.past = [];
    /** @type {T[]} */
    this.future = [];
  }

  /**
   * A new snapshot that can be undone.
   * @param {T} next
   */
  push(next) {
    this.past.push(this.now);
    if (this.past.length > this.most) this.past.shift();
    this.future = [];
    this.now = next;
  }

  /**
   * A new snapshot that belongs to the last one, as when painting goes on.
   * @param {T} next
   */
  replace(next) {
    this.now = next;
  }

  /** @returns {boolean} whether there was something to undo */
  undo() {
    const before = this.past.pop();
    if (before === undefined) return false;
    this.future.push(this.now);
    this.now = before;
    return true;
  }

  /** @returns {boolean} whether there was something to redo */
  redo() {
    const next = this.future.pop();
    if (next === undefined) return false;
    this.past.push(this.now);
    this.now = next;
    return true;
  }
}
