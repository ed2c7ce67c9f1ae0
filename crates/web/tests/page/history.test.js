import assert from 'node:assert/strict';
import { test } from 'node:test';
import { History } from '../../page/history.js';

test('what was done can be undone and redone', () => {
  const history = new History(0);
  assert.equal(history.undo(), false);
  history.push(1);
  history.push(2);
  assert.equal(history.undo() && history.undo(), true);
  assert.equal(history.now, 0);
  assert.equal(history.redo(), true);
  assert.equal(history.now, 1);
});

test('something new forgets what was undone', () => {
  const history = new History('a');
  history.push('b');
  history.undo();
  history.push('c');
  assert.equal(history.redo(), false);
  assert.equal(history.now, 'c');
});

test('what belongs together is one step', () => {
  const history = new History('a');
  history.push('b');
  history.replace('c');
  history.undo();
  assert.equal(history.now, 'a');
});

test('old steps are forgotten', () => {
  const history = new History(0, 3);
  for (let n = 1; n < 10; n += 1) history.push(n);
  let steps = 0;
  while (history.undo()) steps += 1;
  assert.deepEqual([steps, history.now], [3, 6]);
});
