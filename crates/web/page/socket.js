// @ts-check
/** The connection to the server: questions with answers, events, and coming back after a break. */

import { Problem } from './protocol.js';

/** @typedef {import('./protocol.js').AskName} AskName */
/** @typedef {import('./protocol.js').ServerMessage} ServerMessage */
/**
 * @template {AskName} K
 * @typedef {import('./protocol.js').Details<K>} Details
 */
/**
 * @template {AskName} K
 * @typedef {import('./protocol.js').Reply<K>} Reply
 */

const SLOWEST = 5000;

/** How often the connection is looked at, in milliseconds. */
const BEAT = 1000;

/** After how many beats in which nothing came the server is asked whether it is there, again and again. */
const ASK = 2;

/**
 * After how many such beats the connection is given up. Beats are counted, not seconds: a browser that
 * slows down a page nobody sees, or a machine that slept, slows down both.
 */
const GIVE_UP = 5;

/** The connection broke before an answer came; nobody knows whether it was done. */
export class Lost extends Problem {
  constructor() {
    super({ text: '' });
  }
}

export class Socket {
  /**
   * @param {object} events
   * @param {() => void} events.open
   * @param {(online: boolean) => void} events.online
   * @param {(event: import('./protocol.js').ServerEvent) => void} events.event
   * @param {(problem: Problem) => void} events.problem something is wrong that nobody asked about
   */
  constructor(events) {
    this.events = events;
    this.last = 0;
    this.wait = 200;
    /** @type {Map<number, { resolve: (answer: any) => void, reject: (problem: Error) => void }>} */
    this.waiting = new Map();
    /** @type {string[]} what is sent once the connection is there */
    this.queue = [];
    /** @type {WebSocket | null} */
    this.socket = null;
    this.retry = 0;
    /** Whether the server has said that it ends, and another takes over. */
    this.isMoving = false;
    /** Beats since something came. */
    this.quiet = 0;
    setInterval(() => this.beat(), BEAT);
    // Whoever comes back to the page, or into the net, does not wait for the next try.
    for (const name of ['visibilitychange', 'online', 'pageshow']) {
      (name === 'visibilitychange' ? document : window).addEventListener(name, () => {
        if (document.visibilityState === 'visible') this.wake();
      });
    }
    this.connect();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    clearTimeout(this.retry);
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/socket`);
    this.socket = socket;
    this.quiet = 0;
    socket.onopen = () => {
      this.wait = 200;
      this.quiet = 0;
      this.events.online(true);
      this.events.open();
      for (const text of this.queue.splice(0)) socket.send(text);
    };
    socket.onmessage = (event) => {
      this.quiet = 0;
      this.receive(JSON.parse(event.data));
    };
    socket.onclose = () => this.lose(socket);
  }

  /** Looks whether the connection lives: one that is dead often does not say so. */
  beat() {
    const { socket } = this;
    if (!socket) return;
    this.quiet += 1;
    if (this.quiet >= GIVE_UP) this.lose(socket);
    else if (this.isOpen && this.quiet % ASK === 0) this.ping();
  }

  ping() {
    // Nobody waits for this answer; that something comes is enough.
    this.socket?.send(JSON.stringify({ id: 0, do: 'ping' }));
  }

  /** The page is visible again. */
  wake() {
    if (!this.socket) this.connect();
    else if (this.isOpen) this.ping();
  }

  /**
   * The connection is gone, or as good as gone.
   * @param {WebSocket} socket
   */
  lose(socket) {
    if (this.socket !== socket) return;
    this.socket = null;
    socket.onopen = null;
    socket.onmessage = null;
    socket.onclose = null;
    socket.close();
    // Who only moves to another server is not away, unless that takes more than one try.
    const { isMoving } = this;
    this.isMoving = false;
    if (!isMoving) this.events.online(false);
    const waiting = [...this.waiting.values()];
    this.waiting.clear();
    this.queue = [];
    for (const { reject } of waiting) reject(new Lost());
    this.retry = window.setTimeout(() => this.connect(), isMoving ? 0 : this.wait);
    if (!isMoving) this.wait = Math.min(this.wait * 2, SLOWEST);
  }

  /** @param {ServerMessage} message */
  receive(message) {
    if ('event' in message) {
      if (message.event === 'closing') this.isMoving = true;
      this.events.event(message);
      return;
    }
    const waiting = this.waiting.get(message.re);
    this.waiting.delete(message.re);
    if (!waiting) {
      if ('error' in message) this.events.problem(new Problem(message.error));
      return;
    }
    if ('error' in message) waiting.reject(new Problem(message.error));
    else waiting.resolve(message.ok === 'done' ? {} : message.ok);
  }

  /**
   * Asks the server for something.
   * @template {AskName} K
   * @param {K} what
   * @param {Details<K>} details
   * @returns {Promise<Reply<K>>}
   */
  ask(what, ...details) {
    this.last += 1;
    const id = this.last;
    const text = JSON.stringify({ id, do: what, ...details[0] });
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      if (this.isOpen) this.socket?.send(text);
      else this.queue.push(text);
    });
  }
}
