// @ts-check
/** Small helpers to build the page. */

/** @typedef {string | number | Node | null | undefined | false} Child */

/**
 * Makes an element. Keys that start with `on` are listeners, `class` and names with a hyphen are
 * attributes, booleans switch attributes, the rest are attributes too.
 * @param {string} tag
 * @param {Record<string, unknown>} [properties]
 * @param {...(Child | Child[])} children
 * @returns {HTMLElement}
 */
export function h(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === 'function') {
      element.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    } else if (name === 'value') {
      /** @type {HTMLInputElement} */ (element).value = String(value);
    } else element.setAttribute(name, value === true ? '' : String(value));
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) {
      element.append(child instanceof Node ? child : String(child));
    }
  }
  return element;
}

/**
 * A button that says what it does.
 * @param {string} label
 * @param {() => void} act
 * @param {Record<string, unknown>} [properties]
 */
export function button(label, act, properties = {}) {
  return h('button', { type: 'button', onclick: act, ...properties }, label);
}

/**
 * A choice among values.
 * @param {[string, string][]} options value and label
 * @param {string} value
 * @param {(value: string) => void} change
 * @param {Record<string, unknown>} [properties]
 */
export function select(options, value, change, properties = {}) {
  const list = h('select', {
    ...properties,
    onchange: (/** @type {Event} */ event) => change(/** @type {HTMLSelectElement} */ (event.target).value),
  }, options.map(([key, label]) => h('option', { value: key, selected: key === value }, label)));
  return /** @type {HTMLSelectElement} */ (list);
}

/**
 * A card of the side column.
 * @param {string} title nothing for none
 * @param {...(Child | Child[])} children
 */
export function card(title, ...children) {
  return h('section', { class: 'card', 'aria-label': title || undefined },
    title && h('h2', {}, title), ...children);
}

/**
 * A card that can be folded away.
 * @param {string} title
 * @param {...(Child | Child[])} children
 */
export function foldingCard(title, ...children) {
  return h('details', { class: 'card', open: true }, h('summary', {}, title), h('div', { class: 'folded' }, ...children));
}

/**
 * The way back from a page to the one it belongs to.
 * @param {string} href
 * @param {string} label
 */
export function wayBack(href, label) {
  return h('a', { class: 'way-back', href }, `‹ ${label}`);
}

/**
 * A text in which no move is broken at its dash.
 * @param {string} text
 * @returns {Child[]}
 */
export function unbroken(text) {
  return text.split(/([a-z]\d+–[a-z]\d+)/).map((part, n) => n % 2 ? h('span', { class: 'numbered' }, part) : part);
}

/**
 * A labelled field.
 * @param {string} label
 * @param {HTMLElement} field
 */
export function field(label, field) {
  return h('label', { class: 'field' }, h('span', {}, label), field);
}

/**
 * A box to tick.
 * @param {string} label
 * @param {boolean} checked
 * @param {(on: boolean) => void} change
 * @param {string} [id]
 */
export function tick(label, checked, change, id) {
  const box = h('input', {
    type: 'checkbox', checked, 'data-tick': id,
    onchange: (/** @type {Event} */ event) => change(/** @type {HTMLInputElement} */ (event.target).checked),
  });
  return h('label', { class: 'tick' }, box, h('span', {}, label));
}

/**
 * Saves a text as a file.
 * @param {string} name
 * @param {string} text
 */
export function download(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = h('a', { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/**
 * Copies a text; without a clipboard it is selected for copying by hand.
 * @param {string} text
 */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = /** @type {HTMLTextAreaElement} */ (h('textarea', { class: 'unseen' }));
    area.value = text;
    document.body.append(area);
    area.select();
    const done = document.execCommand('copy');
    area.remove();
    return done;
  }
}
