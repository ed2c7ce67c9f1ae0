// @ts-check
/** The window with all ways to show a game or a position to others. */

import { openDialog } from '../dialog.js';
import { button, copy, h } from '../dom.js';
import { embedPath, imagePath } from '../link.js';
import { isDark, watchTheme } from '../settings.js';
import { t } from '../text.js';

/** @typedef {import('../app.js').App} App */
/** @typedef {import('../board/board.js').Drawing} Drawing */

/** How wide and high a board on another site is. */
const FRAME = [480, 560];

/** Whether the page was opened at the server's own machine, by a name that means nothing elsewhere. */
export function isHere() {
  return ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
}

/**
 * Where others reach this server: people at its own machine know it by a name that means nothing elsewhere.
 * @param {App} app
 */
export function site(app) {
  return isHere() ? app.welcome?.public ?? location.origin : location.origin;
}

/**
 * What is drawn on a board, as pictures know it.
 * @param {Drawing[]} drawings
 * @returns {Record<string, string>}
 */
export function drawn(drawings) {
  const arrows = drawings.filter((one) => one.to).map((one) => one.from + one.to);
  const marks = drawings.filter((one) => !one.to).map((one) => one.from);
  return {
    ...(arrows.length ? { arrows: arrows.join(',') } : {}), ...(marks.length ? { marks: marks.join(',') } : {}),
  };
}

/**
 * Opens the window for what a path shows.
 * @param {App} app
 * @param {string} path as `analysisPath` and `gamePath` write it
 * @param {{ drawings?: Drawing[], moves?: boolean }} [more] what is drawn on the board, and whether there are moves to be filmed
 */
export function openShare(app, path, more = {}) {
  const place = h('div', { class: 'share-parts' });
  const draw = () => place.replaceChildren(...parts(app, path, more));
  draw();
  const dialog = openDialog(t('share'), place);
  // Pictures have the colours of the page.
  dialog.addEventListener('close', watchTheme(draw));
}

/**
 * @param {App} app
 * @param {string} path
 * @param {{ drawings?: Drawing[], moves?: boolean }} more
 * @returns {HTMLElement[]}
 */
function parts(app, path, { drawings = [], moves = true }) {
  const base = site(app);
  /** @type {Record<string, string>} */
  const theme = isDark() ? { theme: 'dark' } : {};
  const look = { ...theme, ...drawn(drawings) };
  const picture = imagePath(path, 'png', { ...look, size: '800' });
  const line = (/** @type {string} */ label, /** @type {string} */ text, /** @type {string} */ hook) => h('div', { class: 'share-line' },
    h('h3', {}, label),
    h('div', { class: 'link-line' },
      h('input', {
        readonly: true, value: text, 'data-link': hook, 'aria-label': label,
        onfocus: (/** @type {FocusEvent} */ event) => /** @type {HTMLInputElement} */ (event.target).select(),
      }),
      button(t('copy'), async () => app.toast(t(await copy(text) ? 'copied' : 'notCopied')), { 'data-act': `copy-${hook}` })));
  const [width, height] = FRAME;
  const frame = `<iframe src="${base}${embedPath(path)}" width="${width}" height="${height}" title="Tablut"></iframe>`;
  const save = (/** @type {'svg' | 'png' | 'gif'} */ ending) => {
    const details = ending === 'gif' ? theme : look;
    return h('a', {
      class: 'button', href: imagePath(path, ending, ending === 'png' ? { ...details, size: '800' } : details), download: `tablut.${ending}`, 'data-act': `save-${ending}`,
    }, ending.toUpperCase());
  };
  return [
    h('img', { class: 'share-picture', src: imagePath(path, 'svg', look), alt: t('board'), width: 240, height: 240 }),
    line(t('shareLink'), base + path, 'share'),
    h('h3', {}, t('sharePicture')),
    h('div', { class: 'actions' }, save('png'), save('svg'), moves && save('gif')),
    line(t('sharePictureLink'), base + picture, 'picture'),
    line(t('shareFrame'), frame, 'frame'),
  ];
}
