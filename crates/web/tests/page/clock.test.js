import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockText, leftNow, urgency } from '../../page/clock.js';

test('clocks read as people expect', () => {
  for (const [ms, text] of [[0, '0.0'], [-5, '0.0'], [99, '0.0'], [9_999, '9.9'], [10_000, '0:10'],
    [59_001, '1:00'], [61_000, '1:01'], [3_600_000, '1:00:00'], [86_400_000, '24:00:00']]) {
    assert.equal(clockText(ms), text);
  }
});

test('the colour warns at 15, 10 and 5 seconds', () => {
  assert.deepEqual([15_001, 15_000, 10_000, 5_000, 0].map(urgency), ['calm', 'amber', 'orange', 'red', 'red']);
});

test('only a running clock loses time, and never below nothing', () => {
  assert.equal(leftNow(1000, 50, 250, true), 800);
  assert.equal(leftNow(1000, 50, 250, false), 1000);
  assert.equal(leftNow(1000, 0, 5000, true), 0);
});
