// @ts-check
/** Windows over the page. */

import { h } from './dom.js';
import { iconButton } from './icons.js';
import { t } from './text.js';

/** @param {string} title @param {...Node} children @returns {HTMLDialogElement} with nothing to press but what closes it, see `offer` */
export function openDialog(title, ...children) {
  const dialog = /** @type {HTMLDialogElement} */ (h('dialog', { 'aria-label': title }));
  const close = iconButton('close', t('close'), () => dialog.close(), { 'data-act': 'close', autofocus: true });
  dialog.append(h('section', { class: 'card' }, h('div', { class: 'dialog-head' }, h('h2', {}, title), close), ...children,
    h('div', { class: 'actions dialog-actions' })));
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * What can be done in a window: at its foot, one beside the other.
 * @param {HTMLDialogElement} dialog
 * @param {...HTMLElement} buttons
 */
export function offer(dialog, ...buttons) {
  dialog.querySelector('.dialog-actions')?.append(...buttons);
}
