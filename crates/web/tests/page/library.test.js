import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gamesWith, libraryHref, readWanted, REASONS, searchAsk } from '../../page/views/library.js';
import { gameHref } from '../../page/views/found.js';
import en from '../../page/text/en.js';

test('a search stands in its address and comes back from it', () => {
  const wanted = { player: 'Ann & Bob', rules: 'ashton', least: '10', mine: '1' };
  const href = libraryHref(wanted);
  assert.deepEqual(readWanted(new URLSearchParams(href.split('?')[1])), wanted);
  assert.equal(libraryHref({ player: '' }), '#library');
  assert.deepEqual(readWanted(new URLSearchParams('nonsense=1&player=')), {});
});

test('what people type becomes what the server takes', () => {
  const ask = searchAsk({ line: 'e4-d4, D1c1', least: '10', most: 'many', from: '2026-11-17', side: 'green' }, 'ashton');
  assert.deepEqual(ask.moves, ['e4d4', 'd1c1']);
  assert.equal(ask.rules, 'ashton');
  assert.deepEqual([ask.least, ask.most, ask.side], [10, null, null]);
  assert.equal(ask.fromMs, new Date(2026, 10, 17).getTime());
  assert.equal(ask.untilMs, null);
  // Without a position no rule set is meant.
  assert.equal(searchAsk({}, 'ashton').rules, null);
  const placed = searchAsk(readWanted(new URLSearchParams(gamesWith('berkeley', '9/9/4K4 w').split('?')[1])), 'ashton');
  assert.deepEqual(placed.place, { rules: 'berkeley', setup: '9/9/4K4 w' });
});

test('every reason has its words', () => {
  for (const [, key] of REASONS) assert.ok(key in en, key);
  assert.equal(REASONS.length, 13);
});

test('a game that ships is opened as its moves', () => {
  const game = { game: '', rules: 'ashton', moves: ['e4d4', 'd1c1'] };
  assert.equal(gameHref(/** @type {any} */ (game)), '#analysis/ashton/start/e4d4.d1c1');
  assert.equal(gameHref(/** @type {any} */ ({ ...game, game: 'abc' })), '#game/abc');
});
