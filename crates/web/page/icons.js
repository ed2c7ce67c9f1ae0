// @ts-check
/** Icons of our own in one sprite: strokes on a grid of 24, drawn in the colour of the text around them. */

import { h } from './dom.js';
import { told } from './keys.js';
import { svg } from './board/shapes.js';

/** The strokes of each icon: a path, or a circle by its centre and radius after a `c`. */
const STROKES = /** @type {const} */ ({
  // The tabs
  play: ['c12 12 8', 'c12 12 3.4'],
  analysis: ['M3 12s3.4-6 9-6 9 6 9 6-3.4 6-9 6-9-6-9-6z', 'c12 12 2.6'],
  learn: ['M12 7c-2-1.6-4.6-2-8-2v13c3.4 0 6 .4 8 2 2-1.6 4.6-2 8-2V5c-3.4 0-6 .4-8 2z', 'M12 7v13'],
  watch: ['M4 6h16v11H4z', 'M9 20.5h6'],
  library: ['M6.5 4h11v16.5L12 16.5l-5.5 4z'],
  // Stepping through moves
  first: ['M6 5v14', 'M18 6l-7 6 7 6'],
  back: ['M14.5 6l-6 6 6 6'],
  forward: ['M9.5 6l6 6-6 6'],
  last: ['M18 5v14', 'M6 6l7 6-7 6'],
  // Playing
  hint: ['M9.5 18h5', 'M10.5 21h3', 'M8.8 15a6 6 0 1 1 6.4 0c-.5.5-.7 1.2-.7 2h-5c0-.8-.2-1.5-.7-2z'],
  undo: ['M9 14L4.5 9.5 9 5', 'M4.5 9.5H14a5 5 0 0 1 0 10h-3'],
  redo: ['M15 14l4.5-4.5L15 5', 'M19.5 9.5H10a5 5 0 0 0 0 10h3'],
  flip: ['M8 4v15', 'M4.5 15.5L8 19l3.5-3.5', 'M16 20V5', 'M12.5 8.5L16 5l3.5 3.5'],
  rotate: ['M20 12a8 8 0 1 1-2.6-5.9', 'M20 3.5v4.5h-4.5'],
  draw: ['M5 6.5L7.5 5v7', 'M18 5L6.5 19.5', 'M14.3 14.6a2.2 2.2 0 1 1 3.9 1.4l-3.9 3.5h4.4'],
  resign: ['M6 21V4', 'M6 4.5h11.5l-3 4 3 4H6'],
  rematch: ['M4 12a8 8 0 0 1 14-5.3', 'M18.5 3v4.2h-4.2', 'M20 12a8 8 0 0 1-14 5.3', 'M5.5 21v-4.2h4.2'],
  more: ['c5.5 12 .9', 'c12 12 .9', 'c18.5 12 .9'],
  close: ['M6 6l12 12', 'M18 6L6 18'],
  accept: ['M5 12.5l4.5 4.5L19 7.5'],
  // The engine
  threat: ['M12 3.5l9 16H3z', 'M12 10v4.5', 'c12 17 .3'],
  prove: ['M4 12.5l4.5 4.5L17 8.5', 'M11 15.5l1.5 1.5L21 8.5'],
  explain: ['M5 20V11', 'M12 20V4', 'M19 20v-6', 'M3 20.5h18'],
  review: ['M3.5 19.5h17', 'M4 15l4.5-5 4 3.5L20 5'],
  // What can be done with a game
  copy: ['M9 9h10.5v11H9z', 'M15 9V4.5H4.5V15H9'],
  save: ['M12 4v11', 'M7.5 11L12 15.5 16.5 11', 'M4.5 19.5h15'],
  load: ['M12 15.5V4.5', 'M7.5 9L12 4.5 16.5 9', 'M4.5 19.5h15'],
  rules: ['M6 3.5h12v17H6z', 'M9 8h6', 'M9 12h6', 'M9 16h4'],
  share: ['M12 15V3.5', 'M8 7l4-3.5L16 7', 'M5 11.5v9h14v-9'],
  full: ['M4 9V4h5', 'M15 4h5v5', 'M20 15v5h-5', 'M9 20H4v-5'],
  zen: ['M3.5 12h4', 'M16.5 12h4', 'c12 12 4.5'],
  // A tree of moves
  comment: ['M4 5h16v11H10l-4.5 4v-4H4z'],
  mark: ['M8 4v10', 'c8 18.5 .7', 'M15.2 7.5a2.3 2.3 0 1 1 3.3 2c-.8.5-1.1 1-1.1 2V14', 'c17.4 18.5 .7'],
  promote: ['M12 20V6', 'M6.5 11L12 5.5 17.5 11'],
  delete: ['M5 7h14', 'M9.5 7V4.5h5V7', 'M7 7l1 13h8l1-13'],
  edit: ['M5 19l1-4.2L16.2 4.6l3.2 3.2L9.2 18z', 'M14 7l3 3'],
  // The bar
  theme: ['c12 12 8', 'M12 4v16', 'M12 8l4.5-2.2', 'M12 12.5l7.5-3.5', 'M12 17l7-3.3'],
  help: ['c12 12 9', 'M9.5 9.5a2.6 2.6 0 1 1 3.7 2.3c-.8.4-1.2 1-1.2 1.9', 'c12 17 .4'],
  settings: ['M4 7h9', 'M17 7h3', 'c15 7 2', 'M4 17h3', 'M11 17h9', 'c9 17 2'],
  sound: ['M4 9.5v5h3.5l4.5 4v-13l-4.5 4z', 'M15.5 9a4 4 0 0 1 0 6', 'M18 6.5a8 8 0 0 1 0 11'],
  silent: ['M4 9.5v5h3.5l4.5 4v-13l-4.5 4z', 'M16 9.5l5 5', 'M21 9.5l-5 5'],
});

/** @typedef {keyof typeof STROKES} IconName */

const PREFIX = 'icon-';

/** @param {string} stroke */
function shape(stroke) {
  if (!stroke.startsWith('c')) return svg('path', { d: stroke });
  const [cx, cy, r] = stroke.slice(1).split(' ');
  return svg('circle', { cx, cy, r });
}

/** Puts the sprite into the page, once. */
function sprite() {
  if (document.getElementById('sprite')) return;
  const symbols = Object.entries(STROKES).map(([name, strokes]) => svg('symbol', { id: PREFIX + name, viewBox: '0 0 24 24' }, strokes.map(shape)));
  document.body.append(svg('svg', { id: 'sprite', class: 'unseen', 'aria-hidden': 'true' }, symbols));
}

/**
 * A picture of the sprite; what it means is said by what is around it.
 * @param {IconName} name
 * @returns {SVGElement}
 */
export function icon(name) {
  sprite();
  return svg('svg', { class: 'icon', 'aria-hidden': 'true', 'data-icon': name }, [svg('use', { href: `#${PREFIX}${name}` })]);
}

/**
 * A button that is only a picture: its words are in a tooltip and for screen readers, with the key that does the same.
 * @param {IconName} name
 * @param {string} label
 * @param {() => void} act
 * @param {Record<string, unknown> & { key?: string }} [properties]
 */
export function iconButton(name, label, act, properties = {}) {
  const { key, ...rest } = properties;
  return h('button', {
    type: 'button', onclick: act, 'aria-label': label, ...told(label, key), ...rest,
    class: `icon-button ${rest.class ?? ''}`.trim(),
  }, icon(name));
}
