import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import en from '../../page/text/en.js';
import { LANGUAGES } from '../../page/text/languages.js';
import { fill, firstLang, knownLang, number, printed } from '../../page/text.js';

const FOLDER = new URL('../../page/', import.meta.url);

/** The texts of each language but English. */
const OTHERS = await Promise.all(LANGUAGES.map(([code]) => code).filter((code) => code !== 'en')
  .map(async (code) => [code, (await import(`../../page/text/${code}.js`)).default]));

const forms = (text) => typeof text === 'string' ? [text] : Object.values(text);
const gaps = (text) => (text.match(/\{\w+\}/g) ?? []).sort();

test('every text is there in every language, with the same gaps', () => {
  for (const [code, texts] of OTHERS) {
    const missing = Object.keys(en).filter((key) => !(key in texts));
    const unknown = Object.keys(texts).filter((key) => !(key in en));
    assert.deepEqual({ missing, unknown }, { missing: [], unknown: [] }, code);
    for (const [key, text] of Object.entries(en)) {
      assert.equal(typeof texts[key], typeof text, `${code}: ${key}`);
      for (const form of forms(texts[key])) {
        assert.notEqual(form.trim(), '', `${code}: ${key}`);
        assert.deepEqual(gaps(form), gaps(forms(text).at(-1)), `${code}: ${key}`);
      }
    }
  }
});

test('every plural has the forms of its language', () => {
  for (const [code, texts] of [['en', en], ...OTHERS]) {
    const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
    for (const [key, text] of Object.entries(texts)) {
      if (typeof text === 'string') continue;
      const missing = pluralCategories.filter((form) => !(form in text));
      assert.deepEqual(missing, [], `${code}: ${key}`);
    }
  }
});

test('sentences are translated', () => {
  for (const [code, texts] of OTHERS) {
    // Names and signs may be alike; whole sentences are not.
    const same = Object.keys(en).filter((key) => forms(en[key]).some((form) => form.split(' ').length > 3 && forms(texts[key]).includes(form)));
    assert.deepEqual(same.filter((key) => key !== 'minutesPlus'), [], code);
  }
});

test('no two commands have the same word', () => {
  for (const [code, texts] of [['en', en], ...OTHERS]) {
    for (const kinds of [['b', 'w', 'K', 'empty'], ['flip', 'rotate', 'start', 'clear', 'undo', 'redo', 'hint', 'help', 'game', 'resign']]) {
      const words = kinds.flatMap((kind) => [...new Set([...en[`word_${kind}`].split(' '), ...texts[`word_${kind}`].split(' ')])]);
      assert.equal(new Set(words).size, words.length, code);
      assert.deepEqual(words, words.map((word) => word.toLowerCase()), code);
    }
  }
});

test('every text is used', () => {
  const files = readdirSync(FOLDER, { recursive: true }).map(String);
  const code = files.filter((name) => name.endsWith('.js') && !name.startsWith('text/'))
    .map((name) => readFileSync(new URL(name, FOLDER), 'utf8')).join('\n');
  const unused = Object.keys(en).filter((key) => {
    const prefix = key.match(/^(man|brush|format|state|word|limit|look|homeMan|nag|term|termHint)_/)?.[0];
    return !code.includes(`'${key}'`) && !(prefix && code.includes(`\`${prefix}$`));
  });
  assert.deepEqual(unused, []);
});

test('nothing is said past the texts', () => {
  // A label, title or placeholder with a word of its own in it would stay in one language.
  const files = readdirSync(new URL('views/', FOLDER)).map((name) => `views/${name}`);
  for (const name of [...files, 'app.js', 'bar.js', 'settings.js', 'stage.js', 'dialog.js', 'dom.js']) {
    const code = readFileSync(new URL(name, FOLDER), 'utf8');
    for (const [line] of code.matchAll(/(?:'aria-label'|title|placeholder|alt): '(?!client:)[^']*[a-z]{2}[^']*'/g)) assert.fail(`${name}: ${line}`);
  }
});

test('gaps are filled, and unknown ones stay', () => {
  assert.equal(fill('{a} and {b}', { a: 1 }), '1 and {b}');
});

test('plurals and numbers follow the language', () => {
  const moves = { one: '{n} move', other: '{n} moves' };
  assert.deepEqual([0, 1, 2].map((n) => fill(moves, { n }, 'en')), ['0 moves', '1 move', '2 moves']);
  assert.equal(fill('{n} min', { n: 1.5 }, 'de'), '1,5 min');
  assert.equal(number(1234.56, 1, 1, 'it'), '1234,6');
});

test('the first language we speak is taken from the browser', () => {
  assert.equal(firstLang(['xx-XX', 'it-IT', 'en']), 'it');
  assert.equal(firstLang(['en-GB', 'it']), 'en');
  assert.equal(firstLang(['DE-at']), 'de');
  assert.equal(firstLang(['xx']), 'en');
  assert.equal(firstLang([]), 'en');
  assert.deepEqual(['de', 'xx', '', null].map(knownLang), ['de', null, null, null]);
});

test('numbers below zero have a true minus sign', () => {
  assert.equal(number(-3.25, 1), '−3.3');
  assert.equal(fill('{n} points', { n: -2 }, 'en'), '−2 points');
});

test('what the server quotes is quoted as people print it, and examples stay as they are typed', () => {
  const text = '"no game" can\'t be read, as in [Rules "ashton"] or "a \\" b"';
  assert.equal(printed(text, 'en'), '“no game” can’t be read, as in [Rules "ashton"] or “a \\" b”');
  assert.equal(printed('nötig sind "board" und "turn"', 'de'), 'nötig sind „board“ und „turn“');
  assert.equal(printed('servono "board" e "turn"', 'it'), 'servono «board» e «turn»');
  assert.equal(printed('a lone " stays', 'en'), 'a lone " stays');
});
