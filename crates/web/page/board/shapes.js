// @ts-check
/** The shapes of the board: squares, marks and pieces as SVG. One unit is one tenth of a square. */

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Makes an SVG element.
 * @param {string} name
 * @param {Record<string, string | number>} [attributes]
 * @param {Element[]} [children]
 * @returns {SVGElement}
 */
export function svg(name, attributes = {}, children = []) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return /** @type {SVGElement} */ (element);
}

/** A circle that looks the same everywhere.
 * @param {number} r @param {string} look */
const disc = (r, look) => svg('circle', { r, class: look });

/**
 * A piece around the origin, of the set that the page has chosen: discs seen from above, or carved men seen from the side.
 * @param {'b' | 'w' | 'K'} piece
 */
export function pieceShape(piece) {
  const look = { b: 'attacker', w: 'defender', K: 'king' }[piece];
  const isCarved = document.documentElement.dataset.pieces === 'carved';
  return svg('g', { class: `man ${look}`, 'data-piece': piece }, isCarved ? carved(piece) : discs(piece));
}

/** @param {'b' | 'w' | 'K'} piece */
function discs(piece) {
  if (piece === 'K') {
    return [
      svg('ellipse', { cx: 0.2, cy: 0.5, rx: 4.2, ry: 4.2, class: 'shade' }),
      disc(4, 'body'),
      svg('path', { d: 'M-2.1 1.2 -2.5-1.5-1.1-.5 0-2.4 1.1-.5 2.5-1.5 2.1 1.2z', class: 'crown' }),
      svg('path', { d: 'M-2.1 2.1H2.1', class: 'crown-band' }),
    ];
  }
  return [svg('ellipse', { cx: 0.2, cy: 0.45, rx: 3.6, ry: 3.6, class: 'shade' }), disc(3.5, 'body'), disc(2.4, 'ring')];
}

/** @param {'b' | 'w' | 'K'} piece */
function carved(piece) {
  const shade = svg('ellipse', { cx: 0.2, cy: 3.5, rx: 3.3, ry: 0.9, class: 'shade' });
  if (piece === 'K') {
    return [
      shade, svg('path', { d: 'M-3 3.4C-2.6.6-2.2-.2-2.2-1.2H2.2C2.2-.2 2.6.6 3 3.4Q0 4.3-3 3.4z', class: 'body' }),
      svg('path', { d: 'M-2.2-1.3-2.8-3.9-1.3-2.9 0-4.5 1.3-2.9 2.8-3.9 2.2-1.3z', class: 'crown' }),
      svg('path', { d: 'M-1.9 1.3H1.9', class: 'crown-band' }),
    ];
  }
  if (piece === 'w') {
    return [
      shade, svg('path', { d: 'M-2.9 3.3C-2.3 1.3-1.5.8-1.3-.3A2 2 0 1 1 1.3-.3C1.5.8 2.3 1.3 2.9 3.3Q0 4.1-2.9 3.3z', class: 'body' }),
      svg('path', { d: 'M-1.9 1.9Q0 2.6 1.9 1.9', class: 'ring' }),
    ];
  }
  // A round shield before the man, with its boss.
  return [
    shade, svg('path', { d: 'M-3 3.3C-2.8-.9-1.9-3.4 0-3.4S2.8-.9 3 3.3Q0 4.1-3 3.3z', class: 'body' }),
    svg('circle', { cy: 0.9, r: 1.7, class: 'ring' }), svg('circle', { cy: 0.9, r: 0.5, class: 'ring' }),
  ];
}

/** The engraving of the castle. */
export function castleShape() {
  return svg('g', { class: 'castle-mark' }, [
    svg('rect', { x: -2.8, y: -2.8, width: 5.6, height: 5.6, rx: 0.3 }),
    svg('path', { d: 'M-2.8-2.8 2.8 2.8M2.8-2.8-2.8 2.8' }),
  ]);
}

/**
 * Chevrons that point outwards.
 * @param {number} angle
 */
export function escapeShape(angle) {
  return svg('g', { class: 'escape-mark', transform: `rotate(${angle})` }, [
    svg('path', { d: 'M-1.7 1.4 0-.3 1.7 1.4' }),
    svg('path', { d: 'M-1.7-.4 0-2.1 1.7-.4', class: 'faint' }),
  ]);
}

/** Hatching over a camp square. */
export function campShape() {
  return svg('path', {
    class: 'camp-mark',
    d: 'M-5-3 -3-5M-5-1 -1-5M-5 1 1-5M-5 3 3-5M-5 5 5-5M-3 5 5-3M-1 5 5-1M1 5 5 1M3 5 5 3',
  });
}

/** A small ring: a white man starts here. */
export function startShape() {
  return svg('circle', { r: 1.1, class: 'start-mark' });
}

/** A five-pointed star. */
export function starShape() {
  const points = [];
  for (let n = 0; n < 10; n += 1) {
    const radius = n % 2 ? 0.85 : 2.1;
    const angle = (n * Math.PI) / 5;
    points.push(`${(radius * Math.sin(angle)).toFixed(2)},${(-radius * Math.cos(angle)).toFixed(2)}`);
  }
  return svg('polygon', { points: points.join(' '), class: 'star' });
}

/** Colours that change across a piece, and a pattern for threats. */
export function definitions() {
  const gradient = (/** @type {string} */ id) => svg('radialGradient', { id, cx: 0.35, cy: 0.3, r: 0.85 }, [
    svg('stop', { offset: 0, class: `${id}-light` }),
    svg('stop', { offset: 1, class: `${id}-dark` }),
  ]);
  const arrow = svg('marker', {
    id: 'arrow-head', viewBox: '0 0 4 4', refX: 2.2, refY: 2, markerWidth: 3, markerHeight: 3, orient: 'auto',
  }, [svg('path', { d: 'M0 0 4 2 0 4z', class: 'arrow-head' })]);
  return svg('defs', {}, [gradient('attacker-fill'), gradient('defender-fill'), arrow]);
}
