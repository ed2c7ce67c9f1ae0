import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isAudible, setAudible } from '../../page/sounds.js';

test('sounds are on, unless the system wants less or somebody has chosen', () => {
  for (const [isReduced, chosen, isHeard] of [[false, null, true], [true, null, false], [true, true, true], [false, false, false]]) {
    globalThis.matchMedia = (query) => ({ matches: isReduced && query.includes('reduced-motion: reduce') });
    setAudible(chosen);
    assert.equal(isAudible(), isHeard, `${isReduced} ${chosen}`);
  }
});
