import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Inquiries } from '../../page/inquiries.js';
import { Problem } from '../../page/protocol.js';
import { Lost } from '../../page/socket.js';

const LINES = { kind: 'lines', rules: 'ashton', setup: '', moves: [], lines: 1, pass: false };
const REVIEW = { kind: 'review', rules: 'ashton', setup: '', moves: [], kept: false };

/** Inquiries with all that was sent, and a page that can be hidden. */
function page(answer = async () => ({})) {
  const sent = [];
  const state = { isHidden: false };
  const inquiries = new Inquiries((what, details) => {
    sent.push([what, details.number]);
    return answer(what);
  }, () => state.isHidden);
  return { inquiries, sent, state };
}

test('what is found goes to whoever asked, until the end', () => {
  const { inquiries, sent } = page();
  const heard = [];
  const number = inquiries.begin(LINES, (found, isDone) => heard.push([found.kind, isDone]));
  inquiries.found({ number, done: false, found: { kind: 'lines' } });
  inquiries.found({ number: number + 1, done: false, found: { kind: 'proof' } });
  inquiries.found({ number, done: true, found: { kind: 'lines' } });
  inquiries.found({ number, done: true, found: { kind: 'lines' } });
  assert.deepEqual(heard, [['lines', false], ['lines', true]]);
  inquiries.end(number);
  assert.deepEqual(sent, [['inquire', number]]);
});

test('nobody hears what came too late', () => {
  const { inquiries, sent } = page();
  const number = inquiries.begin(LINES, () => assert.fail('nobody asks any more'));
  inquiries.end(number);
  inquiries.found({ number, done: false, found: { kind: 'lines' } });
  assert.deepEqual(sent, [['inquire', number], ['dismiss', number]]);
});

test('lines are looked for only while somebody sees them; a review goes on', () => {
  const { inquiries, sent, state } = page();
  const lines = inquiries.begin(LINES, () => {});
  const review = inquiries.begin(REVIEW, () => {});
  state.isHidden = true;
  inquiries.seen();
  const unseen = inquiries.begin(LINES, () => {});
  state.isHidden = false;
  inquiries.seen();
  assert.deepEqual(sent, [['inquire', lines], ['inquire', review], ['dismiss', lines], ['inquire', lines], ['inquire', unseen]]);
});

test('a refusal is told, a broken connection is mended', async () => {
  for (const [problem, expected] of [[new Problem({ text: 'busy' }), 1], [new Lost(), 0]]) {
    let refused = 0;
    const { inquiries, sent } = page(async (what) => { if (what === 'inquire') throw problem; });
    inquiries.begin(LINES, () => {}, () => { refused += 1; });
    await Promise.resolve();
    await Promise.resolve();
    assert.equal(refused, expected);
    inquiries.renew();
    assert.equal(sent.length, expected ? 1 : 2);
  }
});
