// @ts-check
/** Help: moving, premoves, sounds and looks in a few words, then every key and button of the mouse for those who have them. */

import { openDialog } from '../dialog.js';
import { h } from '../dom.js';
import { t } from '../text.js';

/** @typedef {import('../text.js').Key} Key */
/** @type {[Key, [string, Key][]][]} */
const KEYS = [
  ['keysEverywhere', [['?', 'keyHelp'], ['f', 'keyFull'], ['m', 'keySound'], ['Tab', 'keyTab']]],
  ['keysBoard', [['/', 'keyCommand'], ['v  o', 'keyFlip'], ['z', 'keyZen'], ['← ↑ → ↓', 'keyArrows'], ['Home  End', 'keyEnds'], ['Enter', 'keyEnter'], ['Esc', 'keyEscape']]],
  ['keysTactics', [
    ['← →  Home  End', 'keyTree'], ['↑ ↓', 'keyVariations'], ['c', 'keyComment'], ['p  ⌫', 'keyPromote'],
    ['r  Del', 'keyReset'], ['0 … 9', 'keyDigits'], ['[  ]', 'keyBrackets'], ['g', 'keyGame'],
    ['u  Ctrl+Z  Ctrl+Y', 'keyUndo'], ['e  b  w  k', 'keyBrush'], ['t', 'keySide'], ['s  l', 'keyFiles'], ['Ctrl+C  Ctrl+V', 'keyClipboard'],
    ['◨', 'keyRight'], ['Esc', 'keyWipe'],
  ]],
  ['engine', [['a', 'keyEngine'], ['+  −', 'keyLines'], ['x', 'keyThreat'], ['q', 'keyProve'], ['i', 'keyExplain']]],
];

/** @type {[Key, Key][]} what can be done besides pressing keys */
const NOTES = [['moving', 'movingHelp'], ['premoves', 'premovesHelp'], ['sounds', 'soundsHelp'], ['looks', 'looksHelp'], ['zen', 'zenHelp'], ['engine', 'engineHelp']];

/**
 * Keys by the names on people's keyboards.
 * @param {string} keys
 */
function nameKeys(keys) {
  const names = /** @type {const} */ ({ Enter: 'nameOfEnter', Ctrl: 'nameOfCtrl', Home: 'nameOfHome', End: 'nameOfEnd', Del: 'nameOfDelete' });
  return keys.replace(/Enter|Ctrl|Home|End|Del/g, (name) => t(names[/** @type {keyof typeof names} */ (name)]));
}

export function openHelp() {
  const groups = KEYS.map(([title, keys]) => h('section', { class: 'for-keys' },
    h('h3', {}, t(title)),
    h('dl', { class: 'keys' }, keys.flatMap(([key, text]) => [
      h('dt', {}, nameKeys(key).split('  ').map((one) => h('kbd', {}, one))), h('dd', {}, t(text)),
    ]))));
  const notes = h('section', {}, h('h3', {}, t('goodToKnow')), h('dl', { class: 'notes' }, NOTES.flatMap(([name, text]) => [h('dt', {}, t(name)), h('dd', {}, t(text))])));
  openDialog(t('help'), h('div', { class: 'key-groups', tabindex: 0 }, h('div', { class: 'help-columns' }, notes, groups))).classList.add('wide', 'help');
}
