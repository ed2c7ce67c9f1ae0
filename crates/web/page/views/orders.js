// @ts-check
/** What is typed, pressed on the keyboard, copied and pasted on the analysis board. */

import { put } from '../board/state.js';
import { pressByKey } from '../keys.js';
import { Problem } from '../protocol.js';
import { t } from '../text.js';
import { openHelp } from './help.js';

/** @typedef {import('./analysis.js').AnalysisView} AnalysisView */

/**
 * Does what was typed.
 * @param {AnalysisView} view
 * @param {import('../command.js').Command} command
 */
export async function obeyCommand(view, command) {
  if (command.kind === 'put') view.edits.setUp(put(view.setup, command.square, command.piece));
  else if (command.kind === 'square') {
    view.board.setFocus(command.square);
    view.hand.pick(view.setup.pieces.has(command.square) ? command.square : null);
  } else if (command.kind === 'word') word(view, command.word);
  else if (view.study.byRules) view.hand.step(command.step);
  else {
    const { rules, root, moves } = view.sight;
    /** @type {unknown} */
    const problem = await view.app.socket.ask('explain', { rules, setup: root, moves, step: command.step, turns: false }).then(() => null, (reason) => reason);
    if (view.setup.pieces.has(command.step.slice(0, 2))) await view.hand.step(command.step);
    if (!problem) return;
    if (!(problem instanceof Problem)) throw problem;
    // Free moves ignore the rules, but it is good to know.
    if (problem.message) view.stage.tell(problem.message);
  }
}

/** @param {AnalysisView} view @param {import('../command.js').Word} word */
function word(view, word) {
  switch (word) {
    case 'flip': view.stage.flip(); break;
    case 'rotate': view.stage.rotate(); break;
    case 'start': view.edits.reset(); break;
    case 'clear': view.edits.clear(); break;
    case 'undo': view.edits.undo(); break;
    case 'redo': view.edits.redo(); break;
    case 'game': view.edits.toggleRules(); break;
    case 'help': openHelp(); break;
    default: view.stage.tell(t('notUnderstood', { text: word }));
  }
}

/**
 * Does what a key means; says whether it means anything.
 * @param {AnalysisView} view
 * @param {KeyboardEvent} event
 */
export function obeyKey(view, event) {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.ctrlKey || event.metaKey) {
    if (key === 'z' && !event.shiftKey) view.edits.undo();
    else if (key === 'y' || key === 'z') view.edits.redo();
    else return false;
    return true;
  }
  if (event.altKey) return false;
  /** @type {Record<string, () => void>} keys that may be held down */
  const steps = {
    ArrowLeft: () => view.walk('back'), ArrowRight: () => view.walk('forward'), ArrowUp: () => view.walk('up'), ArrowDown: () => view.walk('down'),
    Home: () => view.walk('first'), End: () => view.walk('last'),
  };
  if (steps[key]) {
    steps[key]();
    return true;
  }
  if (view.stage.key(event) || view.instrument.key(key)) return true;
  if (key >= '0' && key <= '9' && key.length === 1) {
    if (!event.repeat) view.slots.save(Number(key));
    return true;
  }
  const isBoard = !(/** @type {Element} */ (event.target)).closest?.('input, textarea, select');
  /** @type {Record<string, () => void>} */
  const acts = {
    r: () => view.edits.reset(), g: () => view.edits.toggleRules(), u: () => view.edits.undo(), t: () => view.edits.toggleSide(),
    e: () => view.hand.setBrush('empty'), b: () => view.hand.setBrush('b'), w: () => view.hand.setBrush('w'), k: () => view.hand.setBrush('K'),
    s: () => view.drawers.saveFile(), l: () => view.drawers.loadFile(), p: () => view.edits.promote(), c: () => view.bar.editComment(),
    '[': () => view.slots.step(-1), ']': () => view.slots.step(1),
    Backspace: () => view.edits.remove(), Escape: () => view.letGo(isBoard), Delete: () => view.edits.clear(),
  };
  const act = acts[key];
  // A key that is held down resets or saves once.
  if (act && !event.repeat) act();
  return Boolean(act) || pressByKey(view.stage.cards, event);
}

/**
 * Reads what is pasted, unless it is for a field.
 * @param {AnalysisView} view
 * @param {ClipboardEvent} event
 */
export async function paste(view, event) {
  const target = /** @type {Element} */ (event.target);
  const text = event.clipboardData?.getData('text/plain') ?? '';
  if (target.closest?.('input, textarea') || !text) return;
  event.preventDefault();
  await view.drawers.readText(text);
}

/**
 * Copies the position, if nothing else is selected.
 * @param {AnalysisView} view
 * @param {ClipboardEvent} event
 */
export function copyPosition(view, event) {
  const target = /** @type {Element} */ (event.target);
  if (target.closest?.('input, textarea') || !document.getSelection()?.isCollapsed) return;
  event.clipboardData?.setData('text/plain', view.line);
  event.preventDefault();
  view.app.toast(t('copied'));
}
