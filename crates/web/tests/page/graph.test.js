import assert from 'node:assert/strict';
import { test } from 'node:test';
import { across, corners, plyAt } from '../../page/views/graph.js';

const point = (ply, chance) => ({ ply, score: { chance, units: 0, winner: null, plies: null } });

test('a press finds the nearest ply', () => {
  assert.deepEqual([-1, 0, 0.12, 0.13, 0.5, 1, 2].map((part) => plyAt(part, 4)), [0, 0, 0, 1, 2, 4, 4]);
  assert.equal(plyAt(0.7, 0), 0);
});

test('a review in the making ends where it has come to', () => {
  const { line, area } = corners([point(3, 500), point(4, 1000)], 4);
  assert.equal(line, '300,40 400,0');
  assert.equal(area, '300,80 300,40 400,0 400,80');
  assert.deepEqual(corners([], 4), { line: '', area: '' });
  assert.equal(across(0, 0), 0);
});
