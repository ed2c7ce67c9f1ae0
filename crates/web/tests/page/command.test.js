import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseCommand } from '../../page/command.js';
import { setLang } from '../../page/text.js';

test('moves, squares, pieces and words are understood', () => {
  const move = { kind: 'move', step: 'e4d4' };
  for (const text of ['e4d4', 'E4-D4', ' e4 d4 ', '/e4d4', 'e4 to d4', 'e4 → d4', 'e4>d4']) {
    assert.deepEqual(parseCommand(text), move, text);
  }
  assert.deepEqual(parseCommand('e4'), { kind: 'square', square: 'e4' });
  for (const [text, piece] of [['e4=w', 'w'], ['e4 king', 'K'], ['e4 empty', null], ['e4=.', null]]) {
    assert.deepEqual(parseCommand(text), { kind: 'put', square: 'e4', piece }, text);
  }
  assert.deepEqual(parseCommand('reset'), { kind: 'word', word: 'start' });
});

test('words are understood in English and in the language of the page', async () => {
  for (const [lang, move, put, word] of /** @type {const} */ ([['it', 'e4 a d4', 'e4 = re', 'gira'], ['de', 'e4 nach d4', 'e4 könig', 'Drehen']])) {
    await setLang(lang);
    for (const text of [move, 'e4 to d4']) assert.deepEqual(parseCommand(text), { kind: 'move', step: 'e4d4' }, text);
    for (const text of [put, 'e4 king']) assert.deepEqual(parseCommand(text), { kind: 'put', square: 'e4', piece: 'K' }, text);
    for (const text of [word, 'flip']) assert.deepEqual(parseCommand(text), { kind: 'word', word: 'flip' }, text);
  }
  await setLang('en');
  assert.equal(parseCommand('gira'), null);
});

test('everything else means nothing', () => {
  for (const text of ['', 'e', 'e0', 'j4', 'e4d', 'e4dd4', 'e4=q', 'constructor', 'e4 toString', '__proto__', '🙂']) {
    assert.equal(parseCommand(text), null, text);
  }
});
