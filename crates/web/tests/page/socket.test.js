import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { Lost, Socket } from '../../page/socket.js';

/** The longest time in which a page may not know that its connection is dead, in milliseconds. */
const NOTICED = 6000;

/** The connections that the page has made, the newest last. */
const lines = [];

/** A connection whose other end is the test. */
class Line {
  static OPEN = 1;

  constructor() {
    this.readyState = 0;
    this.sent = [];
    this.isClosed = false;
    lines.push(this);
  }

  open() {
    this.readyState = Line.OPEN;
    this.onopen();
  }

  send(text) {
    this.sent.push(JSON.parse(text));
  }

  answer(message) {
    this.onmessage({ data: JSON.stringify(message) });
  }

  close() {
    this.isClosed = true;
  }
}

/** A page that is connected, with what it heard of its connection. */
function page() {
  const heard = [];
  const socket = new Socket({
    open: () => {}, online: (online) => heard.push(online), event: () => {}, problem: (problem) => assert.fail(problem),
  });
  lines[0].open();
  return { socket, heard };
}

/** Lets time pass until something holds, and says how much it took. */
function passed(holds) {
  for (let ms = 0; ; ms += 1) {
    if (holds()) return ms;
    assert.ok(ms < 100_000, 'never');
    mock.timers.tick(1);
  }
}

/** Nothing happens to the page but what the test does. */
const deaf = { addEventListener: () => {} };

beforeEach(() => {
  lines.length = 0;
  mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  Object.assign(globalThis, deaf, { WebSocket: Line, location: { protocol: 'http:', host: 'here' }, document: deaf, window: globalThis });
});

afterEach(() => mock.timers.reset());

test('a connection that fell silent is noticed within six seconds, whenever that was', () => {
  for (let early = 0; early < 2000; early += 125) {
    lines.length = 0;
    const { heard } = page();
    mock.timers.tick(early);
    lines[0].answer({ re: 0, ok: 'done' });
    const silent = passed(() => heard.at(-1) === false);
    assert.ok(silent <= NOTICED, `${silent} ms`);
    // Whoever only had nothing to say was asked before, and had time to answer.
    assert.deepEqual(lines[0].sent.map((one) => one.do), ['ping', 'ping']);
    assert.ok(lines[0].isClosed);
    mock.timers.reset();
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
  }
});

test('a server that answers is never given up, however little it has to say', () => {
  const { heard } = page();
  for (let second = 0, answered = 0; second < 600; second += 1) {
    mock.timers.tick(1000);
    for (; answered < lines[0].sent.length; answered += 1) lines[0].answer({ re: 0, ok: 'done' });
  }
  assert.deepEqual([lines.length, heard], [1, [true]]);
});

test('a page that lost its server tries again at once, and every five seconds as long as it takes', () => {
  const { heard } = page();
  lines[0].onclose();
  assert.deepEqual(heard, [true, false]);
  for (const [tries, pause] of [200, 400, 800, 1600, 3200, 5000, 5000].entries()) {
    assert.equal(passed(() => lines.length === tries + 2), pause);
    if (tries < 6) lines.at(-1).onclose();
  }
  lines.at(-1).open();
  assert.equal(heard.at(-1), true);
});

test('what was asked is answered, sent later, or known to be in doubt, and nothing else', async () => {
  const { socket } = page();
  const first = socket.ask('games');
  lines[0].answer({ re: 1, ok: { games: [] } });
  assert.deepEqual(await first, { games: [] });
  const second = socket.ask('games');
  lines[0].onclose();
  await assert.rejects(second, Lost);
  const third = socket.ask('games');
  passed(() => lines.length === 2);
  lines[1].open();
  assert.deepEqual(lines[1].sent, [{ id: 3, do: 'games' }]);
  lines[1].answer({ re: 3, ok: { games: [] } });
  assert.deepEqual(await third, { games: [] });
});
