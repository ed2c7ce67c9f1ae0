import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  after, difference, parse, place, put, readTargets, shift, squareName, squares, turned, unturned, way, write,
} from '../../page/board/state.js';

const START = '3bbb3/4b4/4w4/b3w3b/bbwwKwwbb/b3w3b/4w4/4b4/3bbb3 w';

test('positions are written as they were read', () => {
  for (const line of [START, '9/9/9/9/9/9/9/9/9 b', '7/7/3w3/2wKw2/7/7/7 b 12', 'KKKKKKKKK/9/9/9/9/9/9/9/9 w']) {
    assert.equal(write(parse(line)), line);
  }
  const start = parse(START);
  assert.equal(start.pieces.size, 25);
  assert.equal(start.pieces.get('e5'), 'K');
  assert.equal(start.side, 'white');
});

test('squares have names from the top left', () => {
  assert.equal(squareName(0, 0), 'a1');
  assert.deepEqual(place('i9'), [8, 8]);
  assert.equal(squares(9).length, 81);
  assert.equal(squares(7).at(-1), 'g7');
});

test('a set-up is never changed in place', () => {
  const start = parse(START);
  const other = put(put(start, 'a1', 'K'), 'e5', null);
  assert.equal(start.pieces.has('a1'), false);
  assert.equal(other.pieces.get('a1'), 'K');
  assert.equal(other.pieces.has('e5'), false);
  assert.equal(shift(start, 'e4d4', ['e5']).pieces.get('d4'), 'w');
  assert.equal(start.pieces.has('e5'), true);
});

test('a game is followed move by move', () => {
  const plies = [['e4d4', []], ['e2c2', ['e3', 'd4']]];
  const start = parse(START);
  assert.equal(after(start, plies, 0), start);
  assert.equal(after(start, plies, 1).side, 'black');
  const end = after(start, plies, 2);
  assert.equal(end.pieces.size, 23);
  assert.equal(end.side, 'white');
});

test('turning the board four times changes nothing, and can be turned back', () => {
  for (const square of squares(9)) {
    const [column, row] = place(square);
    for (let turn = 0; turn < 4; turn += 1) {
      const [x, y] = turned(column, row, 9, turn);
      assert.deepEqual(unturned(x, y, 9, turn), [column, row]);
    }
    assert.deepEqual(turned(column, row, 9, 4), [column, row]);
  }
  assert.deepEqual(turned(0, 0, 9, 1), [8, 0]);
  assert.deepEqual(turned(0, 0, 9, 2), [8, 8]);
});

test('what changes between two pictures is one move and its captures', () => {
  const before = parse(START).pieces;
  const now = shift(parse(START), 'e4d4', ['e5']).pieces;
  assert.deepEqual(difference(before, now, 'e4d4'), { moved: [['e4', 'd4']], gone: [['e5', 'K']], come: [] });
  assert.deepEqual(difference(before, before, 'e4d4'), { moved: [], gone: [], come: [] });
  const free = difference(before, now, null);
  assert.deepEqual(free.come, ['d4']);
  assert.equal(free.gone.length, 2);
});

test('a move onto a piece of the same kind is no slide', () => {
  const before = new Map([['a1', 'b'], ['a5', 'b']]);
  const now = new Map([['a5', 'b']]);
  assert.deepEqual(difference(before, now, 'a1a5'), { moved: [], gone: [['a1', 'b']], come: [] });
});

test('a quick hand passes every square on its way', () => {
  assert.deepEqual(way('a1', 'd1'), ['b1', 'c1', 'd1']);
  assert.deepEqual(way('e5', 'e2'), ['e4', 'e3', 'e2']);
  assert.deepEqual(way('a1', 'c3'), ['b2', 'c3']);
  assert.deepEqual(way('a1', 'e3'), ['b2', 'c2', 'd3', 'e3']);
  assert.deepEqual(way('c3', 'c3'), []);
});

test('where pieces can go is told in short, or at length by an older server', () => {
  const long = { from: 'a1', to: 'a2' };
  assert.deepEqual(readTargets(['e2 d2xd3xc2 e1!', long]), [
    { from: 'e2', to: 'd2', takes: ['d3', 'c2'], wins: false },
    { from: 'e2', to: 'e1', takes: [], wins: true },
    long,
  ]);
  assert.deepEqual(readTargets([]), []);
});
