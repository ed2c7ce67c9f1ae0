// @ts-check
/** Windows over the page. */

import { button, card, h } from './dom.js';
import { t } from './text.js';

/** @param {string} title @param {...Node} children @returns {HTMLDialogElement} */
export function openDialog(title, ...children) {
  const dialog = /** @type {HTMLDialogElement} */ (h('dialog', { 'aria-label': title }));
  dialog.append(card(title, ...children,
    h('div', { class: 'actions dialog-actions' }, button(t('close'), () => dialog.close(), { 'data-act': 'close', autofocus: true }))));
  dialog.addEventListener('close', () => dialog.remove());
  dialog.addEventListener('click', (event) => { if (event.target === dialog) dialog.close(); });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
