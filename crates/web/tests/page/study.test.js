import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pressMark, ROOT, SIGNS, StudyModel } from '../../page/study.js';

/** 1. e4d4 d1c1 (1... e2d2 2. e3f3) 2. d5d6, and 1. e4f4 */
const STATE = {
  study: 'abc', name: null, own: true, rules: 'ashton', setup: '3bbb3/4b4/4w4/b3w3b/bbwwKwwbb/b3w3b/4w4/4b4/3bbb3 w', byRules: true, cursor: 0,
  undo: false, redo: false, headers: [],
  nodes: [
    { node: 0, parent: 0, step: null }, { node: 1, parent: 0, step: 'e4d4' }, { node: 2, parent: 1, step: 'd1c1' }, { node: 5, parent: 2, step: 'd5d6', takes: ['e3'] },
    { node: 3, parent: 1, step: 'e2d2' }, { node: 4, parent: 3, step: 'e3f3' }, { node: 7, parent: 0, step: 'e4f4' },
  ],
};
const model = new StudyModel(STATE);

test('lines and ways through the tree', () => {
  assert.deepEqual(model.line(4), [1, 3, 4]);
  assert.deepEqual(model.moves(5), ['e4d4', 'd1c1', 'd5d6']);
  assert.deepEqual(model.childrenOf(ROOT), [1, 7]);
  assert.equal(model.child(1, 'e2d2'), 3);
  assert.equal(model.child(1, 'a1a2'), undefined);
  assert.equal(model.last(ROOT), 5);
  assert.equal(model.last(3), 4);
  assert.equal(model.hasMoves, true);
  assert.equal(model.isMain(5), true);
  assert.equal(model.isMain(4), false);
  assert.equal(model.number(2), '1…');
  assert.equal(model.number(5), '2.');
});

test('up and down go through variations, or to the nearest', () => {
  assert.equal(model.variation(2, 1), 3);
  assert.equal(model.variation(3, 1), 2);
  assert.equal(model.variation(3, -1), 2);
  assert.equal(model.variation(4, -1), 3);
  assert.equal(model.variation(5, -1), 2);
  assert.equal(model.variation(5, 1), 5);
  assert.equal(model.variation(ROOT, 1), 1);
  assert.equal(model.variation(ROOT, -1), ROOT);
});

test('the position at a node is the root with its moves made', () => {
  const setup = model.setup(5);
  assert.equal(setup.side, 'black');
  assert.equal(setup.pieces.get('d6'), 'w');
  assert.equal(setup.pieces.has('e3'), false);
  assert.equal(model.setup(ROOT).pieces.size, 25);
  assert.equal(model.get(99).node, ROOT);
});

test('a move has one judgement, one verdict and any other marks', () => {
  assert.deepEqual(pressMark([], 1), [1]);
  assert.deepEqual(pressMark([1], 4), [4]);
  assert.deepEqual(pressMark([1, 18], 19), [1, 19]);
  assert.deepEqual(pressMark([4, 200], 4), [200]);
  assert.deepEqual(pressMark([4], 200), [4, 200]);
  for (const [nag] of SIGNS) assert.deepEqual(pressMark([nag], nag), []);
});
