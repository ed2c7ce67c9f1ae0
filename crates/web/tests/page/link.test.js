import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  adopted, analysisPath, embedPath, gamePath, imagePath, readLine, readLink, readQuery, readSetup, writeLine, writeSetup,
} from '../../page/link.js';

test('an address is cut into its parts', () => {
  assert.deepEqual(readLink(''), ['']);
  assert.deepEqual(readLink('#game/abc/secret'), ['game', 'abc', 'secret']);
  assert.deepEqual(readLink('#tactics/ashton/9%2F9%20w'), ['tactics', 'ashton', '9/9 w']);
  assert.deepEqual(readLink('#analysis/ashton/start/e4d4?turn=2'), ['analysis', 'ashton', 'start', 'e4d4']);
  assert.equal(readQuery('#analysis/ashton?turn=2&ply=7').get('ply'), '7');
  assert.equal(readQuery('#analysis').get('ply'), null);
});

test('an address that cannot be read is nothing', () => {
  for (const hash of ['#tactics/ashton/%', '#game/%zz', '#%E0%A4%A']) assert.equal(readLink(hash), null, hash);
});

test('a shared path becomes an address of the page', () => {
  const at = (/** @type {string} */ text) => adopted(new URL(text, 'http://tablut.example'));
  assert.equal(at('/'), null);
  assert.equal(at('/#game/abc'), null);
  assert.equal(at('/index.html#play'), null);
  assert.equal(at('/game/abc?turn=2'), '#game/abc?turn=2');
  assert.equal(at('/game/abc#secret'), '#game/abc/secret');
  assert.equal(at('/analysis/ashton/start/e4d4.d1c1?ply=1'), '#analysis/ashton/start/e4d4.d1c1?ply=1');
  // Somebody else's site cannot be made of it.
  assert.equal(at('//evil.example/x') ?? '', '#x');
});

test('positions and lines come back from links as they were', () => {
  const setup = '9/9/1b1K5/9/9/9/9/9/9 b 3';
  assert.equal(writeSetup(setup), '9.9.1b1K5.9.9.9.9.9.9_b_3');
  assert.equal(readSetup(writeSetup(setup)), setup);
  assert.deepEqual(readLine(writeLine(['e4d4', 'd1c1'])), ['e4d4', 'd1c1']);
  assert.deepEqual(readLine(undefined), []);
});

test('links carry rules, set-up, line and orientation', () => {
  assert.equal(analysisPath({ rules: 'ashton' }), '/analysis/ashton/start');
  const path = analysisPath({ rules: 'ashton', setup: '9/9 b', line: ['e4d4', 'd1c1'], turn: 2, ply: 1 });
  assert.equal(path, '/analysis/ashton/9.9_b/e4d4.d1c1?turn=2&ply=1');
  assert.equal(gamePath('abc', { turn: 0, ply: 0 }), '/game/abc?ply=0');
  assert.equal(imagePath(path, 'png', { arrows: 'e4d4' }), '/image/analysis/ashton/9.9_b/e4d4.d1c1.png?turn=2&ply=1&arrows=e4d4');
  assert.equal(imagePath(gamePath('abc'), 'gif'), '/image/game/abc.gif');
  assert.equal(embedPath(gamePath('abc')), '/embed/game/abc');
});
