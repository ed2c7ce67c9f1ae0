import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readLink } from '../../page/link.js';

test('an address is cut into its parts', () => {
  assert.deepEqual(readLink(''), ['']);
  assert.deepEqual(readLink('#game/abc/secret'), ['game', 'abc', 'secret']);
  assert.deepEqual(readLink('#tactics/ashton/9%2F9%20w'), ['tactics', 'ashton', '9/9 w']);
});

test('an address that cannot be read is nothing', () => {
  for (const hash of ['#tactics/ashton/%', '#game/%zz', '#%E0%A4%A']) assert.equal(readLink(hash), null, hash);
});
