// @ts-check
/** What the address of the page names. */

/**
 * The parts of an address such as `#game/abc/secret`; nothing if they cannot be read.
 * @param {string} hash
 * @returns {string[] | null}
 */
export function readLink(hash) {
  try {
    return hash.replace(/^#/, '').split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}
