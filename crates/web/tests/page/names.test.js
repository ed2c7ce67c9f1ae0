import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setLang, t } from '../../page/text.js';
import { playerName } from '../../page/views/names.js';

const seat = (player, name = null) => ({ player, name, taken: true, present: true, men: 9, left: null });

test('engines are called by what they do, people by their names', () => {
  assert.equal(playerName(seat('level:3'), 'white', false), t('engineLevel', { n: '3' }));
  assert.equal(playerName(seat('time:0.5'), 'white', false), t('engineTime', { n: '0.5' }));
  assert.equal(playerName(seat('random'), 'white', false), t('randomPlayer'));
  assert.equal(playerName(seat('person', 'Ann'), 'white', false), 'Ann');
  assert.equal(playerName(seat('person', 'Ann'), 'white', true), `Ann (${t('you')})`);
  assert.equal(playerName(seat('person'), 'white', true), t('you'));
});

test('the time of an engine is written as the language writes numbers', async () => {
  await setLang('it');
  assert.match(playerName(seat('time:0.5'), 'white', false), /0,5/);
  await setLang('en');
  assert.match(playerName(seat('time:0.5'), 'white', false), /0\.5/);
});

test('a person without a name, and a player from elsewhere, are called by their colour', () => {
  for (const player of ['person', 'remote']) {
    for (const side of ['white', 'black']) assert.equal(playerName(seat(player), side, false), t(side));
  }
});

test('every other player without a name is called by the text that chose it', () => {
  for (const player of ['nodes:20000', 'nodes:500,tempo=0', 'baseline', 'baseline:4', 'engine:./a b:c', 'client']) {
    assert.equal(playerName(seat(player), 'black', false), player);
    assert.equal(playerName(seat(player, 'Team'), 'black', false), 'Team');
  }
});
