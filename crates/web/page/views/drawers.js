// @ts-check
/**
 * The drawers of the analysis board: setting up, what to show, what is kept, texts. One is open at a time, in the place of
 * the moves, so that nothing else moves.
 */

import { offer, openDialog } from '../dialog.js';
import { miniature } from '../board/miniature.js';
import { pieceShape, svg } from '../board/shapes.js';
import { parse } from '../board/state.js';
import { button, copy, download, h, select, tick } from '../dom.js';
import { iconButton } from '../icons.js';
import { Problem } from '../protocol.js';
import { hasCoordinates } from '../settings.js';
import { t } from '../text.js';
import { BRUSHES } from './hand.js';
import { openRules } from './rules.js';

/** @typedef {import('../../protocol/message').SideName} Side */
/** @typedef {import('../../protocol/message').LibraryEntry} LibraryEntry */
/** @typedef {import('../../protocol/message').StudyEntry} StudyEntry */
/** @typedef {import('./analysis.js').AnalysisView} AnalysisView */
/** @typedef {typeof OVERLAYS[number] | 'startMarks'} Overlay */
/** @typedef {'setup' | 'show' | 'keep' | 'text'} Drawer */

/** What can be shown over the board. */
const OVERLAYS = /** @type {const} */ (['lanes', 'capturable', 'hostileWhite', 'hostileBlack', 'reachWhite', 'reachBlack']);

/** How long a text may be, in bytes; the server has the same limit. */
const LONGEST_TEXT = 1024 * 1024;

export class Drawers {
  /** @param {AnalysisView} view */
  constructor(view) {
    this.view = view;
    /** @type {Drawer | null} */
    this.open = null;
    this.isSaving = false;
    this.format = 'record';
    this.faults = h('div', { 'data-part': 'faults' });
    this.playHere = /** @type {HTMLButtonElement} */ (button(t('playFromHere'), () => view.playFromHere(), { class: 'main', 'data-act': 'play-here' }));
    this.setup = h('div', { class: 'drawer-part' });
    this.slots = h('div', { class: 'drawer-part' });
    this.back = h('div', { class: 'actions' }, button(t('newBoard'), () => this.openBoard(), { 'data-act': 'my-board' }));
    this.studies = h('ul', { class: 'library-list', 'data-part': 'studies' });
    this.positions = h('ul', { class: 'library-list', 'data-part': 'positions' });
    this.area = /** @type {HTMLTextAreaElement} */ (h('textarea', {
      rows: 3, spellcheck: 'false', placeholder: t('pasteHint'), 'aria-label': t('asText'), 'data-field': 'text',
    }));
    this.fault = h('p', { class: 'faults', role: 'alert', 'data-part': 'read-fault' });
    this.file = /** @type {HTMLInputElement} */ (h('input', { type: 'file', class: 'unseen', tabindex: -1, 'aria-hidden': 'true', 'data-field': 'file' }));
    this.file.addEventListener('change', () => this.readFile());
    this.place = h('div', { class: 'drawer', tabindex: -1 });
    this.close = iconButton('close', t('close'), () => this.toggle(null), { key: 'Esc', class: 'drawer-close', 'data-act': 'close-drawer' });
    /** @type {Record<Drawer, HTMLElement>} */
    this.parts = {
      setup: this.setup, show: this.showPart(), keep: this.keepPart(), text: this.textPart(),
    };
    this.place.append(this.file);
  }

  /**
   * Opens a drawer, or closes it.
   * @param {Drawer | null} drawer
   * @param {boolean} [stay] whether one that is open stays so
   */
  toggle(drawer, stay = false) {
    this.open = this.open === drawer && !stay ? null : drawer;
    this.view.moves.hidden = this.open !== null;
    this.place.classList.toggle('is-open', this.open !== null);
    this.place.replaceChildren(this.file, ...(this.open ? [this.close, this.parts[this.open]] : []));
    if (this.open !== 'setup' && this.view.hand.tool !== 'move') this.view.hand.setTool('move');
    if (this.open === 'keep') {
      this.findStudies();
      this.findPositions('');
    }
    if (this.open === 'text') this.writeText();
    this.draw();
    this.view.bar.draw();
    this.view.showCurrent();
  }

  draw() {
    if (this.open === 'setup') this.drawSetup();
    if (this.open === 'keep') this.drawSlots();
    this.back.hidden = this.view.study.name === null && this.view.study.own;
    this.drawFaults();
  }

  drawFaults() {
    if (this.open !== 'setup') return;
    const faults = this.view.survey?.faults;
    this.faults.className = faults?.length ? 'faults' : '';
    // What no game can begin from is not offered.
    this.playHere.disabled = Boolean(faults?.length);
    this.playHere.title = faults?.[0] ?? '';
    this.faults.replaceChildren(...(faults?.length
      ? [h('h2', {}, t('faults')), h('ul', {}, faults.map((fault) => h('li', {}, fault)))] : [h('p', { class: 'muted' }, faults ? t('sound') : '')]));
  }

  /** Opens what the position is set up with where it says what is wrong with that. */
  showFaults() {
    this.toggle('setup', true);
    this.faults.scrollIntoView({ block: 'nearest' });
  }

  drawSetup() {
    const { view } = this;
    const tool = (/** @type {import('./hand.js').Tool} */ name, /** @type {string} */ label) => button(label, () => view.hand.setTool(name), {
      'aria-pressed': String(view.hand.tool === name), 'data-tool': name,
    });
    const brushes = BRUSHES.map((brush) => {
      const picture = svg('svg', { viewBox: '-5 -5 10 10', 'aria-hidden': 'true' }, brush === 'empty'
        ? [svg('rect', { x: -3.4, y: -3.4, width: 6.8, height: 6.8, rx: 1, class: 'no-piece' })] : [pieceShape(brush)]);
      return h('button', {
        type: 'button', class: 'brush', 'aria-pressed': String(view.hand.brush === brush), 'data-brush': brush,
        onclick: () => { view.hand.setBrush(brush); if (view.hand.tool !== 'paint') view.hand.setTool('paint'); },
      }, picture, t(`brush_${brush}`));
    });
    const side = (/** @type {Side} */ name, /** @type {string} */ label) => button(label, () => {
      if (view.setup.side !== name) view.edits.toggleSide();
    }, { 'aria-pressed': String(view.setup.side === name), 'data-side': name });
    const mechanics = tick(t('mechanics'), view.study.byRules, () => view.edits.toggleRules(), 'mechanics');
    mechanics.title = t('mechanicsHint');
    this.setup.replaceChildren(
      h('div', { class: 'choices drawer-top', role: 'group', 'aria-label': t('tools') },
        tool('move', t('toolMove')), tool('paint', t('toolPaint')), tool('draw', t('toolDraw'))),
      // What the right button paints is in force, but not at hand.
      h('div', { class: view.hand.tool === 'paint' ? 'brushes' : 'brushes resting', role: 'group', 'aria-label': t('brush') }, brushes),
      h('div', { class: 'row turn-row' }, h('span', { class: 'muted' }, t('toMove')),
        h('div', { class: 'choices', role: 'group', 'aria-label': t('toMove') }, side('white', t('white')), side('black', t('black'))), mechanics),
      h('div', { class: 'link-line' },
        select(view.app.sets, view.study.rules, (value) => view.edits.setRules(value), { 'aria-label': t('ruleSet'), 'data-field': 'rules' }),
        iconButton('rules', t('rules'), () => openRules(view.app, view.study.rules), { 'data-act': 'rules' })),
      h('div', { class: 'actions' },
        button(t('startPosition'), () => view.edits.reset(), { 'data-act': 'reset' }),
        button(t('clearBoard'), () => view.edits.clear(), { 'data-act': 'clear' }),
        button(t('rotate'), () => view.stage.rotate(), { 'data-act': 'rotate' }),
        (view.model.get(view.node).drawings ?? []).length > 0 && button(t('clearDrawings'), () => view.hand.clearDrawings(), { 'data-act': 'clear-drawings' })),
      this.faults,
      h('div', { class: 'actions thumb' }, this.playHere));
  }

  showPart() {
    const { view } = this;
    const one = (/** @type {Overlay} */ name) => tick(t(name), view.overlays.has(name), (on) => view.overlay(name, on), name);
    return h('div', { class: 'drawer-part' }, h('h2', {}, t('overlays')),
      h('div', { class: 'ticks' }, [...OVERLAYS, /** @type {const} */ ('startMarks')].map(one),
        tick(t('coordinates'), hasCoordinates(view.app), (on) => view.app.chooseCoordinates(on), 'coordinates')));
  }

  drawSlots() {
    const { view } = this;
    const cells = Array.from({ length: 10 }, (_, n) => {
      const place = view.slots.places[n];
      const label = place ? t('slot', { n }) : t('slotEmpty', { n });
      return h('button', {
        type: 'button', class: `slot${place ? '' : ' empty'}`, 'aria-label': label, title: label, 'data-slot': n,
        'data-filled': place ? 'yes' : undefined, 'aria-pressed': String(view.slots.last === n && Boolean(place)),
        onclick: () => {
          if (this.isSaving || !place) view.slots.save(n);
          else view.slots.open(n);
          this.isSaving = false;
        },
      }, place && miniature(view.app.set(place.rules), parse(place.setup).pieces), h('span', {}, n));
    });
    this.slots.replaceChildren(h('h2', {}, t('slots')), h('div', { class: 'slots' }, cells),
      h('div', { class: 'actions' }, button(this.isSaving ? t('chooseSlot') : t('saveInto'), () => {
        this.isSaving = !this.isSaving;
        this.drawSlots();
      }, { 'aria-pressed': String(this.isSaving), 'data-act': 'save-into' })));
  }

  keepPart() {
    const { view } = this;
    /**
     * A name and what it is given to.
     * @param {string} label
     * @param {string} hook
     * @param {(name: string) => Promise<boolean>} save
     */
    const naming = (label, hook, save) => {
      const name = /** @type {HTMLInputElement} */ (h('input', { placeholder: label, 'aria-label': label, maxlength: 80, 'data-field': `${hook}-name` }));
      const act = async () => {
        if (!name.value.trim()) name.focus();
        else if (await save(name.value.trim())) name.value = '';
      };
      name.addEventListener('keydown', (event) => { if (event.key === 'Enter') act(); });
      return h('div', { class: 'link-line' }, name, button(t('save'), act, { 'data-act': `save-${hook}` }));
    };
    const search = /** @type {HTMLInputElement} */ (h('input', { type: 'search', placeholder: t('search'), 'aria-label': t('search'), 'data-field': 'search' }));
    search.addEventListener('input', () => this.findPositions(search.value));
    return h('div', { class: 'drawer-part' },
      h('h2', {}, t('studies')),
      naming(t('studyName'), 'study', (name) => this.nameStudy(name)),
      this.back, this.studies, this.slots,
      h('h2', {}, t('positionsKept')),
      naming(t('positionName'), 'position', (name) => this.savePosition(name, search.value)),
      search, this.positions);
  }

  /** Goes to the visitor's board without a name. */
  openBoard() {
    if (this.view.app.setting('study')) this.view.app.keep('study', '');
    if (location.hash === '#analysis') this.view.arrival.open(null);
    else location.hash = '#analysis';
  }

  /** @param {string} name */
  async nameStudy(name) {
    const { view } = this;
    const state = view.study;
    const answer = await view.app.ask('nameStudy', { study: state.name === null ? null : state.study ?? null, rules: state.rules, name });
    if (!answer) return false;
    view.show(answer.study);
    view.arrival.remember();
    history.replaceState(null, '', `#study/${answer.study.study}`);
    view.app.toast(t('studyNamed', { name }));
    this.findStudies();
    return true;
  }

  async findStudies() {
    const { view } = this;
    const answer = await view.app.ask('studies');
    const entries = answer?.studies ?? [];
    this.studies.replaceChildren(...entries.map((entry) => this.studyEntry(entry)));
    if (!entries.length) this.studies.replaceChildren(h('li', { class: 'muted' }, t('noStudies')));
  }

  /** @param {StudyEntry} entry */
  studyEntry(entry) {
    const { view } = this;
    const isOpen = view.study.study === entry.study;
    return h('li', {},
      h('a', { class: 'entry button', href: `#study/${entry.study}`, 'data-study': entry.name, 'aria-current': isOpen ? 'true' : undefined },
        miniature(view.app.set(entry.rules), parse(entry.setup).pieces), h('span', {}, entry.name), h('span', { class: 'muted' }, t('movesCount', { n: entry.moves }))),
      iconButton('close', t('delete', { name: entry.name }), () => this.deleteStudy(entry), { 'data-act': 'delete-study' }));
  }

  /** @param {StudyEntry} entry */
  deleteStudy(entry) {
    const { view } = this;
    const dialog = openDialog(t('delete', { name: entry.name }), h('p', {}, t('deleteStudyHint')));
    offer(dialog, button(t('deleteForGood'), async () => {
      dialog.close();
      if (!await view.app.ask('deleteStudy', { study: entry.study })) return;
      if (view.study.study === entry.study) {
        view.app.keep('study', '');
        history.replaceState(null, '', '#analysis');
        await view.arrival.open(null);
      }
      this.findStudies();
    }, { class: 'bad', 'data-act': 'really-delete' }));
  }

  /** @param {string} name @param {string} search */
  async savePosition(name, search) {
    const { view } = this;
    const saved = await view.app.ask('savePosition', { position: null, name, rules: view.study.rules, setup: view.line });
    if (!saved) return false;
    view.app.toast(t('positionSaved', { name }));
    this.findPositions(search);
    return true;
  }

  /** @param {string} search */
  async findPositions(search) {
    const answer = await this.view.app.ask('library', { search });
    const entries = answer?.library ?? [];
    const again = () => this.findPositions(search);
    this.positions.replaceChildren(...entries.map((entry) => this.entry(entry, again)));
    if (!entries.length) this.positions.replaceChildren(h('li', { class: 'muted' }, t(search ? 'nothingFound' : 'noPositions')));
  }

  /** @param {LibraryEntry} entry @param {() => void} again */
  entry(entry, again) {
    const { view } = this;
    return h('li', {},
      h('button', { type: 'button', class: 'entry', 'data-position': entry.name, onclick: () => view.edits.openPlace(entry) },
        miniature(view.app.set(entry.rules), parse(entry.setup).pieces), h('span', {}, entry.name)),
      iconButton('close', t('delete', { name: entry.name }), async () => {
        if (!await view.app.ask('deletePosition', { position: entry.id })) return;
        again();
        view.app.toast(t('positionDeleted', { name: entry.name }), 'good', 8000, async () => {
          await view.app.ask('savePosition', { position: null, name: entry.name, rules: entry.rules, setup: entry.setup });
          again();
        });
      }, { 'data-act': 'delete-position' }));
  }

  textPart() {
    const { view } = this;
    const formats = /** @type {const} */ (['record', 'line', 'diagram', 'board', 'json', 'java', 'moves', 'berkeley']);
    return h('div', { class: 'drawer-part whole' },
      h('div', { class: 'link-line drawer-top' }, select(formats.map((name) => [name, t(`format_${name}`)]), this.format, (value) => {
        this.format = value;
        this.writeText();
      }, { 'aria-label': t('format'), 'data-field': 'format' }),
      iconButton('save', t('saveFile'), () => this.saveFile(), { key: 's', 'data-act': 'save-file' }),
      iconButton('load', t('loadFile'), () => this.loadFile(), { key: 'l', 'data-act': 'load-file' })), this.area, this.fault,
      h('div', { class: 'actions' },
        button(t('share'), () => view.share(), { class: 'main', 'data-act': 'share' }),
        button(t('copy'), async () => {
          await this.writeText();
          view.app.toast(t(await copy(this.area.value) ? 'copied' : 'notCopied'));
        }, { 'data-act': 'copy-text' }),
        button(t('readText'), () => this.readText(this.area.value), { 'data-act': 'read-text' })));
  }

  /** @returns {Promise<[string, string][]>} what is on the board in every format */
  async texts() {
    const { study: state, node } = this.view;
    await this.view.edits.queue;
    const study = state.name === null && state.own ? null : state.study ?? null;
    return (await this.view.app.ask('write', { study, rules: state.rules, node }))?.texts ?? [];
  }

  /** Puts the board into the text field. */
  async writeText() {
    this.area.value = (await this.texts()).find(([name]) => name === this.format)?.[1] ?? '';
  }

  /** @param {string} text */
  async readText(text) {
    const { app } = this.view;
    this.fault.replaceChildren();
    this.fault.removeAttribute('tabindex');
    if (new Blob([text]).size > LONGEST_TEXT) {
      this.refuse(t('textTooLong'));
      return;
    }
    try {
      await this.view.arrival.read(text);
      // What can be taken back is told already.
      if (!app.toastBox.querySelector('button')) app.toast(t('onYourBoard'));
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
    // Where there is little room it scrolls.
    this.fault.tabIndex = 0;
    this.toggle('text', true);
  }

  async saveFile() {
    const text = (await this.texts()).find(([name]) => name === 'record')?.[1];
    if (text) download('study.tablut', text);
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
