// @ts-check
/** The rows of icons under the moves: what can be done at a node, steps through the tree, and the drawers. */

import { copy, h } from '../dom.js';
import { iconButton } from '../icons.js';
import { ROOT, SIGNS } from '../study.js';
import { t } from '../text.js';

/** @typedef {import('./analysis.js').AnalysisView} AnalysisView */
/** @typedef {import('./drawers.js').Drawer} Drawer */

export class NodeBar {
  /** @param {AnalysisView} view */
  constructor(view) {
    this.view = view;
    /** @type {'comment' | 'mark' | null} */
    this.open = null;
    /** Whether what can be done at a node is in sight where there is little room. */
    this.isEditing = false;
    /** @type {number} the node whose comment is in the field */
    this.commented = ROOT;
    /** @type {{ node: number, text: string } | null} a comment that the server does not have yet */
    this.unkept = null;
    this.area = /** @type {HTMLTextAreaElement} */ (h('textarea', { rows: 3, maxlength: 4000, 'aria-label': t('comment'), placeholder: t('commentHint'), 'data-field': 'comment' }));
    this.area.addEventListener('blur', () => this.keepComment());
    this.area.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' || (event.key === 'Enter' && (event.ctrlKey || event.metaKey))) {
        event.stopPropagation();
        this.keepComment();
        this.toggle(null);
      }
    });
    this.editor = h('div', { class: 'node-editor' });
    this.row = h('div', { class: 'edit-row' });
    this.steps = h('div');
  }

  /** @param {'comment' | 'mark' | null} what */
  toggle(what) {
    this.open = this.open === what ? null : what;
    this.editor.replaceChildren(...(this.open === 'comment' ? [this.area] : []));
    this.draw();
  }

  /**
   * Shows the row of a node where there is little room, or puts it away with what it opened.
   * @param {boolean} on
   */
  toggleRow(on) {
    this.isEditing = on;
    if (on || !this.open) this.draw();
    else {
      this.keepComment();
      this.toggle(null);
    }
  }

  editComment() {
    if (this.open !== 'comment') this.toggle('comment');
    this.area.focus();
  }

  /** Sends the comment in the field, if it is another. */
  keepComment() {
    const { view } = this;
    if (this.open !== 'comment' || !view.model.has(this.commented)) return;
    const [node, text] = [this.commented, this.area.value.trim()];
    if (text === (view.model.get(node).comment ?? '')) return;
    this.unkept = { node, text };
    view.edits.change({ kind: 'comment', node, text }).then((isKept) => {
      if (isKept && this.unkept?.text === text) this.unkept = null;
    });
  }

  draw() {
    const { view } = this;
    const info = view.model.get(view.node);
    if (this.open === 'comment' && (document.activeElement !== this.area || this.commented !== view.node)) {
      this.commented = view.node;
      // What could not be sent stays in the field.
      this.area.value = this.unkept?.node === view.node ? this.unkept.text : info.comment ?? '';
    }
    if (this.open === 'mark') this.editor.replaceChildren(this.marks(info.nags ?? []));
    const isRoot = view.node === ROOT;
    const isEditing = this.isEditing || this.open !== null;
    view.app.main.classList.toggle('editing', isEditing);
    this.row.replaceChildren(h('div', { class: 'icon-row', role: 'toolbar', 'aria-label': t('thisMove') },
      iconButton('undo', t('undo'), () => view.edits.undo(), { key: 'Ctrl+Z', 'data-act': 'undo', disabled: !view.study.undo }),
      iconButton('redo', t('redo'), () => view.edits.redo(), { key: 'Ctrl+Y', 'data-act': 'redo', disabled: !view.study.redo }),
      h('span', { class: 'gap' }),
      iconButton('comment', t('comment'), () => (this.open === 'comment' ? this.toggle(null) : this.editComment()), { key: 'c', 'data-act': 'comment', 'aria-pressed': String(this.open === 'comment') }),
      iconButton('mark', t('mark'), () => this.toggle('mark'), { key: '!', 'data-act': 'mark', 'aria-pressed': String(this.open === 'mark'), disabled: isRoot && this.open !== 'mark' }),
      iconButton('promote', t('promote'), () => view.edits.promote(), { key: 'p', 'data-act': 'promote', disabled: isRoot || view.model.isMain(view.node) }),
      iconButton('delete', t('deleteLine'), () => view.edits.remove(), { key: '⌫', 'data-act': 'delete', disabled: isRoot, class: 'grave' }),
      iconButton('copy', t('copyMoves'), () => this.copyLine(), { key: 'y', 'data-act': 'copy-line', disabled: isRoot })));
    this.steps.replaceChildren(h('div', { class: 'icon-row', role: 'toolbar', 'aria-label': t('actions') },
      this.step('first', t('first'), 'Home'), this.step('back', t('back'), '←'), this.step('forward', t('forward'), '→'), this.step('last', t('lastPosition'), 'End'),
      h('span', { class: 'gap' }),
      iconButton('more', t('thisMove'), () => this.toggleRow(!isEditing), { 'data-act': 'edit-row', 'aria-pressed': String(isEditing), class: 'small-only' }),
      iconButton('flip', t('flip'), () => view.stage.flip(), { key: 'v', 'data-act': 'flip' }),
      this.drawer('setup', 'edit', t('setUp'), 'd'), this.drawer('show', 'analysis', t('overlays'), ','), this.drawer('keep', 'library', t('kept'), 'n'), this.drawer('text', 'share', t('textAndShare'), '.')));
  }

  /** @param {'first' | 'back' | 'forward' | 'last'} name @param {string} label @param {string} key */
  step(name, label, key) {
    const { view } = this;
    const isEnd = name === 'first' || name === 'back' ? view.node === ROOT : view.model.childrenOf(view.node).length === 0;
    return iconButton(name, label, () => view.walk(name), { key, 'data-step': name, disabled: isEnd, class: name === 'first' || name === 'last' ? 'far' : '' });
  }

  /** @param {Drawer} name @param {import('../icons.js').IconName} picture @param {string} label @param {string} key */
  drawer(name, picture, label, key) {
    const { drawers } = this.view;
    return iconButton(picture, label, () => drawers.toggle(name), { key, 'data-act': `drawer-${name}`, 'aria-pressed': String(drawers.open === name) });
  }

  /** @param {number[]} nags */
  marks(nags) {
    return h('div', { class: 'marks', role: 'group', 'aria-label': t('mark') }, SIGNS.map(([nag, text]) => {
      const label = t(`nag_${nag}`);
      return h('button', {
        type: 'button', class: `mark-button nag-${nag}`, title: label, 'aria-label': label, 'aria-pressed': String(nags.includes(nag)), 'data-nag': nag,
        onclick: () => this.view.edits.pressMark(nag),
      }, text);
    }));
  }

  /** Copies the moves up to here as a record, which every board of ours reads. */
  async copyLine() {
    const { view } = this;
    const { rules, root, moves } = view.sight;
    const setup = root === view.app.set(rules).start ? '' : `[Setup "${root}"]\n`;
    const line = moves.map((step, n) => `${n % 2 ? '' : `${n / 2 + 1}. `}${step.slice(0, 2)}-${step.slice(2)}`).join(' ');
    const text = `[Rules "${rules}"]\n${setup}\n${line} *\n`;
    view.app.toast(t(await copy(text) ? 'copied' : 'notCopied'));
  }
}
