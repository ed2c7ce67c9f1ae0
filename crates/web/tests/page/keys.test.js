import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pressByKey, told } from '../../page/keys.js';
import { setLang } from '../../page/text.js';

test('a button tells of its key in the reader’s language, and screen readers in theirs', async () => {
  await setLang('de');
  assert.deepEqual(told('Zurück', 'Home'), { title: 'Zurück (Pos1)', 'aria-keyshortcuts': 'Home' });
  assert.deepEqual(told('Rückgängig', 'Ctrl+Z'), { title: 'Rückgängig (Strg+Z)', 'aria-keyshortcuts': 'Control+Z' });
  assert.deepEqual(told('Weiter', '→'), { title: 'Weiter (→)', 'aria-keyshortcuts': 'ArrowRight' });
  assert.deepEqual(told('Mehr', '+'), { title: 'Mehr (+)', 'aria-keyshortcuts': 'Plus' });
  assert.deepEqual(told('Mehr'), { title: 'Mehr' });
});

test('a key presses its button once, and only without others', () => {
  let presses = 0;
  const button = { getAttribute: () => 'h', click: () => { presses += 1; } };
  const place = { querySelectorAll: () => [button] };
  const plain = { key: 'h', ctrlKey: false, metaKey: false, altKey: false, repeat: false };
  assert.equal(pressByKey(place, plain), true);
  assert.equal(presses, 1);
  // Capitals are the same key; one that is held down is done.
  assert.equal(pressByKey(place, { ...plain, key: 'H' }), true);
  assert.equal(pressByKey(place, { ...plain, repeat: true }), true);
  assert.equal(presses, 2);
  assert.equal(pressByKey(place, { ...plain, ctrlKey: true }), false);
  assert.equal(pressByKey(place, { ...plain, key: 'j' }), false);
  assert.equal(presses, 2);
});
