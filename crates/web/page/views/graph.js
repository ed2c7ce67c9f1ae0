// @ts-check
/** The graph of a game: White's winning chance after each move. A press goes there. */

import { svg } from '../board/shapes.js';
import { scoreSign } from '../score.js';
import { t } from '../text.js';

/** @typedef {import('../score.js').Score} Score */
/** @typedef {{ ply: number, score: Score, mark?: import('../../protocol/message').MarkName | null }} GraphPoint */

const WIDTH = 400;
const HEIGHT = 80;

/**
 * Where a ply stands in the graph.
 * @param {number} ply
 * @param {number} plies
 */
export function across(ply, plies) {
  return plies > 0 ? Math.round((ply / plies) * WIDTH * 100) / 100 : 0;
}

/**
 * The ply that is nearest to a place in the graph, from 0 at its left to 1 at its right.
 * @param {number} part
 * @param {number} plies
 */
export function plyAt(part, plies) {
  return Math.round(Math.max(0, Math.min(1, part)) * plies);
}

/**
 * The points as the corners of a line, and of the area under it.
 * @param {GraphPoint[]} points
 * @param {number} plies
 */
export function corners(points, plies) {
  const line = points.map(({ ply, score }) => `${across(ply, plies)},${height(score)}`);
  if (!points.length) return { line: '', area: '' };
  const [first, last] = [points[0], points[points.length - 1]];
  return { line: line.join(' '), area: [`${across(first.ply, plies)},${HEIGHT}`, ...line, `${across(last.ply, plies)},${HEIGHT}`].join(' ') };
}

/** @param {Score} score */
function height({ chance }) {
  return Math.round((1 - chance / 1000) * HEIGHT * 100) / 100;
}

/**
 * @param {GraphPoint[]} points by ply
 * @param {number} plies
 * @param {number | null} shown the ply on the board
 * @param {(ply: number) => void} look
 */
export function drawGraph(points, plies, shown, look) {
  const { line, area } = corners(points, plies);
  const at = points.find(({ ply }) => ply === shown);
  const graph = svg('svg', {
    class: 'graph', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', role: 'slider', tabindex: 0, 'data-part': 'graph',
    'aria-label': t('graph'), 'aria-valuemin': 0, 'aria-valuemax': plies, 'aria-valuenow': shown ?? 0,
    'aria-valuetext': at ? `${t('plyNumber', { n: at.ply })}: ${scoreSign(at.score)}` : t('plyNumber', { n: shown ?? 0 }),
  }, [
    svg('rect', { width: WIDTH, height: HEIGHT, class: 'graph-black' }),
    svg('polygon', { points: area, class: 'graph-white' }),
    svg('line', { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2, class: 'graph-middle' }),
    svg('polyline', { points: line, class: 'graph-line' }),
    ...(shown === null ? [] : [svg('line', { x1: across(shown, plies), x2: across(shown, plies), y1: 0, y2: HEIGHT, class: 'graph-now' })]),
  ]);
  // Points are round whatever the width of the graph: lines without length and with round ends.
  for (const { ply, score, mark } of points) {
    if (mark) graph.append(svg('line', { x1: across(ply, plies), x2: across(ply, plies), y1: height(score), y2: height(score), class: `graph-point ${mark}`, 'data-mark': ply }));
  }
  graph.addEventListener('pointerdown', (event) => {
    const { left, width } = graph.getBoundingClientRect();
    if (width > 0) look(plyAt((/** @type {PointerEvent} */ (event).clientX - left) / width, plies));
  });
  graph.addEventListener('keydown', (event) => {
    const { key } = /** @type {KeyboardEvent} */ (event);
    const next = { ArrowLeft: (shown ?? 1) - 1, ArrowRight: (shown ?? -1) + 1, Home: 0, End: plies }[key];
    if (next === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    look(Math.max(0, Math.min(plies, next)));
  });
  return graph;
}
