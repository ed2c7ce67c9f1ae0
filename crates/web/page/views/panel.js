// @ts-check
/** The cards beside the tactics board: tools, state, overlays, slots, library, texts. */

import { moveTable } from './moves.js';
import { openRules } from './rules.js';
import { miniature } from '../board/miniature.js';
import { pieceShape, svg } from '../board/shapes.js';
import { parse } from '../board/state.js';
import { button, card, copy, download, field, foldingCard, h, select, tick } from '../dom.js';
import { Problem } from '../protocol.js';
import { t } from '../text.js';

/** @typedef {import('../../protocol/message').SideName} Side */
/** @typedef {import('../../protocol/message').LibraryEntry} LibraryEntry */
/** @typedef {'empty' | 'b' | 'w' | 'K'} Brush */
/** @typedef {typeof OVERLAYS[number] | 'startMarks' | 'coordinates'} Overlay */

/**
 * The brushes, in the order of the wheel.
 * @type {Brush[]}
 */
export const BRUSHES = ['empty', 'b', 'w', 'K'];

/** What can be shown over the board. */
const OVERLAYS = /** @type {const} */ (['lanes', 'capturable', 'hostileWhite', 'hostileBlack', 'reachWhite', 'reachBlack']);

/** How long a text may be, in bytes; the server has the same limit. */
const LONGEST_TEXT = 1024 * 1024;

export class TacticsPanel {
  /** @param {import('./tactics.js').TacticsView} view */
  constructor(view) {
    this.view = view;
    this.isSaving = false;
    this.format = 'line';
    /** @type {[string, string][]} */
    this.texts = [];
    this.tools = h('div');
    this.state = h('div');
    this.show = h('div');
    this.slots = h('div');
    this.list = h('ul', { class: 'library-list' });
    this.area = /** @type {HTMLTextAreaElement} */ (h('textarea', {
      rows: 5, spellcheck: 'false', placeholder: t('pasteHint'), 'aria-label': t('asText'), 'data-field': 'text',
    }));
    this.fault = h('p', { class: 'faults', role: 'alert', 'data-part': 'read-fault' });
    this.file = /** @type {HTMLInputElement} */ (h('input', { type: 'file', class: 'unseen', tabindex: -1, 'aria-hidden': 'true', 'data-field': 'file' }));
    this.file.addEventListener('change', () => this.readFile());
    view.stage.cards.replaceChildren(this.tools, this.state, this.slots, this.show, this.libraryCard(), this.textCard());
    this.findPositions('');
  }

  draw() {
    this.drawTools();
    this.drawState();
    this.drawSlots();
    this.drawOverlays();
  }

  drawTools() {
    const { view } = this;
    const { now } = view;
    const tool = (/** @type {import('./tactics.js').Tool} */ name, /** @type {string} */ label) => button(label, () => view.setTool(name), {
      'aria-pressed': String(view.tool === name), 'data-tool': name,
    });
    const brushes = BRUSHES.map((brush) => {
      const picture = svg('svg', { viewBox: '-5 -5 10 10', 'aria-hidden': 'true' }, brush === 'empty'
        ? [svg('rect', { x: -3.4, y: -3.4, width: 6.8, height: 6.8, rx: 1, class: 'no-piece' })] : [pieceShape(brush)]);
      return h('button', {
        type: 'button', class: 'brush', 'aria-pressed': String(view.brush === brush), 'data-brush': brush,
        onclick: () => { view.setBrush(brush); if (view.tool !== 'paint') view.setTool('paint'); },
      }, picture, t(`brush_${brush}`));
    });
    const side = (/** @type {Side} */ name, /** @type {string} */ label) => button(label, () => {
      if (view.setup.side !== name) view.toggleSide();
    }, { 'aria-pressed': String(view.setup.side === name), 'data-side': name });
    this.tools.replaceChildren(card('',
      h('div', { class: 'choices', role: 'group', 'aria-label': t('tools') },
        tool('move', t('toolMove')), tool('paint', t('toolPaint')), tool('draw', t('toolDraw'))),
      h('div', { class: 'brushes', role: 'group', 'aria-label': t('brush') }, brushes),
      h('div', { class: 'row' }, h('span', { class: 'muted' }, t('toMove')),
        h('div', { class: 'choices', role: 'group', 'aria-label': t('toMove') }, side('white', t('white')), side('black', t('black')))),
      field(t('ruleSet'), select(view.app.sets, now.rules, (value) => view.setRules(value), { 'data-field': 'rules' })),
      h('div', { class: 'actions' },
        button(`↶ ${t('undo')}`, () => view.undo(), { 'data-act': 'undo', disabled: !view.history.past.length }),
        button(`↷ ${t('redo')}`, () => view.redo(), { 'data-act': 'redo', disabled: !view.history.future.length }),
        button(t('startPosition'), () => view.reset(), { 'data-act': 'reset' }),
        button(t('clearBoard'), () => view.clear(), { 'data-act': 'clear' }),
        ...view.stage.turnButtons(),
        button(t('rules'), () => openRules(view.app, now.rules), { 'data-act': 'rules' }),
        now.drawings.length > 0 && button(t('clearDrawings'), () => view.change({ drawings: [] }), { 'data-act': 'clear-drawings' }))));
  }

  drawState() {
    const { view } = this;
    const { now, study } = view;
    const faults = study?.faults ?? [];
    const mechanics = tick(t('mechanics'), now.mechanics, () => view.toggleMechanics(), 'mechanics');
    mechanics.title = t('mechanicsHint');
    const side = t(view.setup.side);
    const call = study?.call;
    this.state.replaceChildren(card('', mechanics,
      now.mechanics && (study?.outcome
        ? h('p', { class: 'outcome', 'data-outcome': 'over' }, study.outcome)
        : h('p', { class: 'turn' }, t('turnOf', { side }))),
      (call === 'raichi' || call === 'tuichu') && h('span', { class: 'call' }, t(call)),
      now.mechanics && now.plies.length > 0 && moveTable(now.plies, parse(now.setup).side, now.plies.length, (ply) => {
        while (view.now.plies.length > ply && view.history.past.length) view.undo();
      }),
      !now.mechanics && study && (faults.length
        ? h('div', { class: 'faults' }, h('h3', {}, t('faults')), h('ul', {}, faults.map((fault) => h('li', {}, fault))))
        : h('p', { class: 'muted' }, t('sound'))),
      h('div', { class: 'actions' }, button(t('playFromHere'), () => {
        view.app.nextSetup = { rules: now.rules, setup: now.board };
        location.hash = '#play';
      }, { class: 'main', 'data-act': 'play-here' }))));
  }

  drawOverlays() {
    const { view } = this;
    const one = (/** @type {Overlay} */ name) => tick(t(name), view.overlays.has(name), (on) => view.overlay(name, on), name);
    if (this.show.childElementCount) return;
    this.show.replaceChildren(foldingCard(t('overlays'), h('div', { class: 'ticks' }, [...OVERLAYS, /** @type {const} */ ('startMarks'), /** @type {const} */ ('coordinates')].map(one))));
  }

  drawSlots() {
    const { view } = this;
    const cells = Array.from({ length: 10 }, (_, n) => {
      const place = view.now.slots[n];
      const label = place ? t('slot', { n }) : t('slotEmpty', { n });
      return h('button', {
        type: 'button', class: `slot${place ? '' : ' empty'}`, 'aria-label': label, title: label, 'data-slot': n,
        'data-filled': place ? 'yes' : undefined, 'aria-pressed': String(view.slot === n && Boolean(place)),
        onclick: () => {
          if (this.isSaving || !place) view.saveSlot(n);
          else view.loadSlot(n);
          this.isSaving = false;
        },
      }, place && miniature(view.app.set(place.rules), parse(place.setup).pieces), h('span', {}, n));
    });
    this.slots.replaceChildren(card(t('slots'), h('div', { class: 'slots' }, cells),
      h('div', { class: 'actions' }, button(this.isSaving ? t('chooseSlot') : t('saveInto'), () => {
        this.isSaving = !this.isSaving;
        this.drawSlots();
      }, { 'aria-pressed': String(this.isSaving), 'data-act': 'save-into' }))));
  }

  libraryCard() {
    const { view } = this;
    const name = /** @type {HTMLInputElement} */ (h('input', { placeholder: t('positionName'), 'aria-label': t('positionName'), maxlength: 80, 'data-field': 'position-name' }));
    const search = /** @type {HTMLInputElement} */ (h('input', { type: 'search', placeholder: t('search'), 'aria-label': t('search'), 'data-field': 'search' }));
    search.addEventListener('input', () => this.findPositions(search.value));
    const save = async () => {
      if (!name.value.trim()) {
        name.focus();
        return;
      }
      const saved = await view.app.ask('savePosition', { position: null, name: name.value, rules: view.now.rules, setup: view.now.board });
      if (!saved) return;
      view.app.toast(t('positionSaved', { name: name.value.trim() }));
      name.value = '';
      this.findPositions(search.value);
    };
    name.addEventListener('keydown', (event) => { if (event.key === 'Enter') save(); });
    return foldingCard(t('library'), h('div', { class: 'link-line' }, name, button(t('save'), save, { 'data-act': 'save-position' })), search, this.list);
  }

  /** @param {string} search */
  async findPositions(search) {
    const answer = await this.view.app.ask('library', { search });
    const entries = answer?.library ?? [];
    const again = () => this.findPositions(search);
    this.list.replaceChildren(...entries.map((entry) => this.entry(entry, again)));
    if (!entries.length) this.list.replaceChildren(h('li', { class: 'muted' }, t(search ? 'nothingFound' : 'noPositions')));
  }

  /** @param {LibraryEntry} entry @param {() => void} again */
  entry(entry, again) {
    const { view } = this;
    return h('li', {},
      h('button', { type: 'button', class: 'entry', 'data-position': entry.name, onclick: () => view.open(entry.rules, entry.setup, []) },
        miniature(view.app.set(entry.rules), parse(entry.setup).pieces), h('span', {}, entry.name)),
      button('×', async () => {
        if (!await view.app.ask('deletePosition', { position: entry.id })) return;
        again();
        view.app.toast(t('positionDeleted', { name: entry.name }), 'good', 8000, async () => {
          await view.app.ask('savePosition', { position: null, name: entry.name, rules: entry.rules, setup: entry.setup });
          again();
        });
      }, { class: 'plain', 'aria-label': t('delete', { name: entry.name }), title: t('delete', { name: entry.name }), 'data-act': 'delete-position' }));
  }

  textCard() {
    const choose = h('div', {});
    const formats = /** @type {const} */ (['line', 'diagram', 'board', 'json', 'java', 'record', 'moves', 'berkeley']);
    choose.append(field(t('format'), select(formats.map((name) => [name, t(`format_${name}`)]), this.format, (value) => {
      this.format = value;
      this.writeText();
    }, { 'data-field': 'format' })));
    return foldingCard(t('asText'), choose, this.area, this.fault, this.file, h('div', { class: 'actions' },
      button(t('copy'), async () => {
        await this.writeText();
        this.view.app.toast(t(await copy(this.area.value) ? 'copied' : 'notCopied'));
      }, { 'data-act': 'copy-text' }),
      button(t('copyLink'), async () => {
        const { rules, board } = this.view.now;
        const link = `${location.origin}/#tactics/${rules}/${encodeURIComponent(board)}`;
        this.view.app.toast(t(await copy(link) ? 'copied' : 'notCopied'));
      }, { 'data-act': 'copy-link' }),
      button(t('readText'), () => this.readText(this.area.value), { 'data-act': 'read-text' }),
      button(t('saveFile'), () => this.saveFile(), { 'data-act': 'save-file' }),
      button(t('loadFile'), () => this.loadFile(), { 'data-act': 'load-file' })));
  }

  /** Puts the position into the text field. */
  async writeText() {
    const answer = await this.view.app.ask('write', this.view.line());
    const text = answer?.texts?.find(([name]) => name === this.format)?.[1];
    this.area.value = text ?? '';
    return this.area.value;
  }

  /** @param {string} text */
  async readText(text) {
    const { app, now } = this.view;
    this.fault.replaceChildren();
    if (new Blob([text]).size > LONGEST_TEXT) {
      this.refuse(t('textTooLong'));
      return;
    }
    try {
      const { read } = await app.socket.ask('read', { text, rules: now.rules });
      if (read) await this.view.load(read.place.rules, read.place.setup, read.moves);
      app.toast(t('textRead'));
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      this.refuse(problem.message || t('notDone'));
    }
  }

  /**
   * Says why a text was not read, until the next one is.
   * @param {string} text
   */
  refuse(text) {
    this.fault.replaceChildren(text);
    // The card may be folded, as when the text was pasted onto the board.
    const fold = this.fault.closest('details');
    if (fold) fold.open = true;
    this.view.app.toast(text, 'bad');
  }

  async saveFile() {
    const answer = await this.view.app.ask('write', this.view.line());
    const text = answer?.texts?.find(([name]) => name === 'record')?.[1];
    if (text) download('position.tablut', text);
  }

  loadFile() {
    this.file.click();
  }

  async readFile() {
    const file = this.file.files?.[0];
    this.file.value = '';
    if (!file) return;
    if (file.size > LONGEST_TEXT) this.refuse(t('textTooLong'));
    else await this.readText(await file.text());
  }
}
