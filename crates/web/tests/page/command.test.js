import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommand } from '../../page/command.js';

test('moves, squares, pieces and words are understood', () => {
  const move = { kind: 'move', step: 'e4d4' };
  for (const text of ['e4d4', 'E4-D4', ' e4 d4 ', '/e4d4', 'e4 to d4', 'e4 → d4', 'e4>d4', 'e4 a d4']) {
    assert.deepEqual(parseCommand(text), move, text);
  }
  assert.deepEqual(parseCommand('e4'), { kind: 'square', square: 'e4' });
  for (const [text, piece] of [['e4=w', 'w'], ['e4 king', 'K'], ['e4 = re', 'K'], ['e4 nero', 'b'], ['e4 empty', null], ['e4=.', null]]) {
    assert.deepEqual(parseCommand(text), { kind: 'put', square: 'e4', piece }, text);
  }
  assert.deepEqual(parseCommand('gira'), { kind: 'word', word: 'flip' });
});

test('everything else means nothing', () => {
  for (const text of ['', 'e', 'e0', 'j4', 'e4d', 'e4dd4', 'e4=q', 'constructor', 'e4 toString', '__proto__', '🙂']) {
    assert.equal(parseCommand(text), null, text);
  }
});
