// @ts-check
/**
 * What the address of the page names, and the links people share.
 *
 * Shared links are paths (`/analysis/ashton/start/e4d4?turn=2`, `/game/abc`), so that the server can show
 * a preview of them. The page itself works with what is behind `#`: `adopt` turns one into the other.
 */

/**
 * The parts of an address such as `#game/abc/secret`, without its query; nothing if they cannot be read.
 * @param {string} hash
 * @returns {string[] | null}
 */
export function readLink(hash) {
  try {
    return hash.replace(/^#/, '').split('?')[0].split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}

/**
 * The query of an address such as `#game/abc?turn=2`.
 * @param {string} hash
 */
export function readQuery(hash) {
  return new URLSearchParams(hash.split('?')[1] ?? '');
}

/**
 * What stands behind `#` for a path that was shared; nothing for the plain page.
 * @param {{ pathname: string, search: string, hash: string }} address
 * @returns {string | null}
 */
export function adopted({ pathname, search, hash }) {
  const path = pathname.replace(/^\/+|\/+$/g, '');
  if (!path || path === 'index.html') return null;
  // The secret of an invitation stands behind `#`, where no server sees it.
  const secret = hash.length > 1 ? `/${hash.slice(1)}` : '';
  return `#${path}${secret}${search}`;
}

/** Makes the address that was opened the page's own. */
export function adopt() {
  const hash = adopted(location);
  if (hash !== null) history.replaceState(null, '', `/${hash}`);
}

/**
 * A position in one line as it is written in links.
 * @param {string} setup
 */
export function writeSetup(setup) {
  return setup.trim().replaceAll('/', '.').replace(/\s+/g, '_');
}

/**
 * A position in one line from a link; `start` stays what it is.
 * @param {string} text
 */
export function readSetup(text) {
  return text.replaceAll('.', '/').replaceAll('_', ' ');
}

/**
 * Moves as they are written in links.
 * @param {string[]} moves
 */
export function writeLine(moves) {
  return moves.join('.');
}

/**
 * Moves from a link.
 * @param {string | undefined} text
 * @returns {string[]}
 */
export function readLine(text) {
  return (text ?? '').split('.').filter((word) => word !== '');
}

/**
 * @typedef {object} Sight how something is looked at
 * @property {number} [turn] quarters clockwise
 * @property {number} [ply] after which move; the last if nothing is said
 */

/**
 * How a link wants something to be looked at; what is no number is not said.
 * @param {URLSearchParams} query
 * @returns {Sight}
 */
export function readSight(query) {
  const number = (/** @type {string} */ name) => (/^\d+$/.test(query.get(name) ?? '') ? Number(query.get(name)) : undefined);
  return { turn: number('turn'), ply: number('ply') };
}

/** @param {Sight} sight */
function query({ turn, ply }) {
  const parts = [turn ? `turn=${turn}` : '', ply === undefined ? '' : `ply=${ply}`].filter((part) => part !== '');
  return parts.length ? `?${parts.join('&')}` : '';
}

/**
 * The path of a position and moves from there on.
 * @param {{ rules: string, setup?: string | null, line?: string[] } & Sight} what without a set-up the start
 */
export function analysisPath({ rules, setup, line = [], ...sight }) {
  const parts = ['', 'analysis', encodeURIComponent(rules), setup ? writeSetup(setup) : 'start'];
  if (line.length) parts.push(writeLine(line));
  return parts.join('/') + query(sight);
}

/**
 * The path of a game.
 * @param {string} id
 * @param {Sight} [sight]
 */
export function gamePath(id, sight = {}) {
  return `/game/${encodeURIComponent(id)}${query(sight)}`;
}

/**
 * The path of a picture of what another path shows.
 * @param {string} path of a game or of a position
 * @param {'svg' | 'png' | 'gif'} ending
 * @param {Record<string, string>} [more] such as `arrows`, `marks`, `theme`, `size`
 */
export function imagePath(path, ending, more = {}) {
  const [place, search = ''] = path.split('?');
  const all = new URLSearchParams(search);
  for (const [key, value] of Object.entries(more)) all.set(key, value);
  const text = all.toString();
  return `/image${place}.${ending}${text ? `?${text}` : ''}`;
}

/**
 * The path of a board for other sites.
 * @param {string} path of a game or of a position
 */
export function embedPath(path) {
  return `/embed${path}`;
}
