// @ts-check
/** The connection to the server: questions with answers, events, and coming back after a break. */

import { Problem } from './protocol.js';

/** @typedef {import('./protocol.js').Answer} Answer */

const SLOWEST = 5000;

export class Socket {
  /**
   * @param {object} events
   * @param {() => void} events.open
   * @param {(online: boolean) => void} events.online
   * @param {(message: Record<string, unknown>) => void} events.event
   */
  constructor(events) {
    this.events = events;
    this.last = 0;
    this.wait = 200;
    /** @type {Map<number, { resolve: (answer: Answer) => void, reject: (problem: Error) => void }>} */
    this.waiting = new Map();
    /** @type {string[]} what is sent once the connection is there */
    this.queue = [];
    this.connect();
  }

  connect() {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket = socket;
    socket.onopen = () => {
      this.wait = 200;
      this.events.online(true);
      this.events.open();
      for (const text of this.queue.splice(0)) socket.send(text);
    };
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = () => {
      this.events.online(false);
      const lost = new Problem({ text: '' });
      for (const { reject } of this.waiting.values()) reject(lost);
      this.waiting.clear();
      this.queue = [];
      setTimeout(() => this.connect(), this.wait);
      this.wait = Math.min(this.wait * 2, SLOWEST);
    };
  }

  /** @param {Record<string, any>} message */
  receive(message) {
    if (message.event) {
      this.events.event(message);
      return;
    }
    const waiting = this.waiting.get(message.re);
    this.waiting.delete(message.re);
    if (!waiting) return;
    if (message.error) waiting.reject(new Problem(message.error));
    else waiting.resolve(message.ok === 'done' ? {} : message.ok);
  }

  /**
   * Asks the server for something.
   * @param {string} what
   * @param {Record<string, unknown>} [details]
   * @returns {Promise<Answer>}
   */
  ask(what, details = {}) {
    this.last += 1;
    const id = this.last;
    const text = JSON.stringify({ id, do: what, ...details });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      if (this.socket && this.socket.readyState === WebSocket.OPEN) this.socket.send(text);
      else this.queue.push(text);
    });
  }
}
