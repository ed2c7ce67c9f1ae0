import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hundredths, scoreSign, scoreWords } from '../../page/score.js';
import { setLang } from '../../page/text.js';

const score = (chance, units, winner = null, plies = null) => ({ chance, units, winner, plies });

test('scores are short, and white is positive', () => {
  assert.equal(scoreSign(score(640, 194)), '+1.9');
  assert.equal(scoreSign(score(400, -97)), '−1.0');
  assert.equal(scoreSign(score(500, 3)), '0.0');
  assert.equal(scoreSign(score(1000, null, 'white', 5)), '#5');
  assert.equal(scoreSign(score(0, null, 'black', 4)), '#−4');
  assert.equal(scoreSign(score(1000, null, 'white')), '++');
  assert.equal(scoreSign(score(0, null, 'black', 0)), '0–1');
  assert.equal(hundredths(-5), '−0.05');
});

test('words say who is better, and by how much', () => {
  const words = [score(500, 0), score(560, 80), score(700, 300), score(20, -1400), score(1000, null, 'white', 5)].map(scoreWords);
  assert.deepEqual(words, ['about equal', 'White is slightly better', 'White is better', 'Black is winning', 'White wins in 5 plies']);
});

test('a score has the decimal sign of the language', async () => {
  await setLang('de');
  assert.equal(scoreSign(score(640, 194)), '+1,9');
  await setLang('en');
});
