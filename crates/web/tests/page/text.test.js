import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import en from '../../page/text/en.js';
import it from '../../page/text/it.js';
import { fill, firstLang } from '../../page/text.js';

const FOLDER = new URL('../../page/', import.meta.url);

test('every text is there in every language, with the same gaps', () => {
  assert.deepEqual(Object.keys(it), Object.keys(en));
  const gaps = (text) => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const [key, text] of Object.entries(en)) {
    assert.notEqual(text.trim(), '', key);
    assert.notEqual(it[key].trim(), '', key);
    assert.deepEqual(gaps(it[key]), gaps(text), key);
  }
});

test('every text is used', () => {
  const files = readdirSync(FOLDER, { recursive: true }).map(String);
  const code = files.filter((name) => name.endsWith('.js') && !name.startsWith('text/'))
    .map((name) => readFileSync(new URL(name, FOLDER), 'utf8')).join('\n');
  const unused = Object.keys(en).filter((key) => {
    const prefix = key.match(/^(man|brush|format|state)_/)?.[0];
    return !code.includes(`'${key}'`) && !(prefix && code.includes(`\`${prefix}$`));
  });
  assert.deepEqual(unused, []);
});

test('gaps are filled, and unknown ones stay', () => {
  assert.equal(fill('{a} and {b}', { a: 1 }), '1 and {b}');
});

test('the first language we speak is taken from the browser', () => {
  assert.equal(firstLang(['de-DE', 'it-IT', 'en']), 'it');
  assert.equal(firstLang(['en-GB', 'it']), 'en');
  assert.equal(firstLang(['de']), 'en');
  assert.equal(firstLang([]), 'en');
});
