// @ts-check
/** Help: moving, premoves, sounds and looks in a few words, then every key and button of the mouse for those who have them. */

import { openDialog } from '../dialog.js';
import { h } from '../dom.js';
import { nameKeys } from '../keys.js';
import { t } from '../text.js';

/** @typedef {import('../text.js').Key} Key */
/** @type {[Key, [string, Key][]][]} */
const KEYS = [
  ['keysEverywhere', [['?', 'keyHelp'], ['f', 'keyFull'], ['m', 'keySound'], ['Shift+T', 'keyTheme'], ['Shift+S', 'keySettings'], ['Tab', 'keyTab']]],
  ['keysBoard', [['/', 'keyCommand'], ['v  o', 'keyFlip'], ['z', 'keyZen'], ['← ↑ → ↓', 'keyArrows'], ['Home  End', 'keyEnds'], ['Enter', 'keyEnter'], ['Esc', 'keyEscape']]],
  ['keysPlay', [['h', 'keyHint'], ['u', 'keyTakeBack'], ['d  r', 'keyDraw'], ['.', 'keyMore'], ['a  h  n', 'keyAfter']]],
  ['learn', [['p  n', 'keyLesson']]],
  ['keysTactics', [
    ['← →  Home  End', 'keyTree'], ['↑ ↓', 'keyVariations'], ['c  !', 'keyComment'], ['p  ⌫', 'keyPromote'], ['y', 'keyCopyLine'], ['d  ,  n  .', 'keyDrawers'],
    ['r  Del', 'keyReset'], ['0 … 9', 'keyDigits'], ['[  ]', 'keyBrackets'], ['g', 'keyGame'],
    ['u  Ctrl+Z  Ctrl+Y', 'keyUndo'], ['e  b  w  k', 'keyBrush'], ['t', 'keySide'], ['s  l', 'keyFiles'], ['Ctrl+C  Ctrl+V', 'keyClipboard'],
    ['◨', 'keyRight'], ['Esc', 'keyWipe'],
  ]],
  ['engine', [['a', 'keyEngine'], ['+  −', 'keyLines'], ['x', 'keyThreat'], ['q', 'keyProve'], ['i', 'keyExplain'], ['h', 'keyReview']]],
];

/** @type {[Key, Key][]} what can be done besides pressing keys */
const NOTES = [['moving', 'movingHelp'], ['premoves', 'premovesHelp'], ['sounds', 'soundsHelp'], ['looks', 'looksHelp'], ['zen', 'zenHelp'], ['engine', 'engineHelp']];

export function openHelp() {
  const groups = KEYS.map(([title, keys]) => h('section', { class: 'for-keys' },
    h('h3', {}, t(title)),
    h('dl', { class: 'keys' }, keys.flatMap(([key, text]) => [
      h('dt', {}, nameKeys(key).split('  ').map((one) => h('kbd', {}, one))), h('dd', {}, t(text)),
    ]))));
  const notes = h('section', {}, h('h3', {}, t('goodToKnow')), h('dl', { class: 'notes' }, NOTES.flatMap(([name, text]) => [h('dt', {}, t(name)), h('dd', {}, t(text))])));
  openDialog(t('help'), h('div', { class: 'key-groups', tabindex: 0 }, h('div', { class: 'help-columns' }, notes, groups))).classList.add('wide', 'help');
}
