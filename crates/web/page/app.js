// @ts-check
/** The page: its views, its language and look, and the one connection they share. */

import { drawBar } from './bar.js';
import { miniature } from './board/miniature.js';
import { parse } from './board/state.js';
import { offer, openDialog } from './dialog.js';
import { button, h } from './dom.js';
import { Inquiries } from './inquiries.js';
import { adopt, readLink, readQuery } from './link.js';
import { Problem } from './protocol.js';
import { applyLook, isDark, LOOKS, openSettings, recall, remember } from './settings.js';
import { Lost, Socket } from './socket.js';
import { isAudible, setAudible } from './sounds.js';
import { firstLang, knownLang, lang, setLang, t } from './text.js';
import { openHelp } from './views/help.js';
import { GameView } from './views/game.js';
import { showGames } from './views/games.js';
import { HomeView } from './views/home.js';
import { showLearn } from './views/learn.js';
import { LessonView } from './views/lesson.js';
import { LibraryView } from './views/library.js';
import { LobbyView } from './views/lobby.js';
import { PuzzleView } from './views/puzzle.js';
import { showRules } from './views/rules.js';
import { AdminView } from './views/admin.js';
import { AnalysisView } from './views/analysis.js';
import { keepToken, knownToken, sayToken } from './views/organiser.js';
import { showRatings, showTournaments, TournamentView } from './views/tournament.js';
import { WatchView } from './views/watch.js';

/** @typedef {import('../protocol/message').Welcome} Welcome */
/** @typedef {import('../protocol/message').GameState} GameState */
/**
 * @typedef {object} View
 * @property {() => void} [leave]
 * @property {(event: KeyboardEvent) => boolean} [key] whether the key meant something
 * @property {(state: GameState) => void} [state]
 * @property {(game: string, text: string) => void} [lost]
 * @property {(state: import('../protocol/message').StudyState) => void} [hear] the study was changed on another page
 * @property {() => void} [reconnect]
 * @property {() => void} [restyle] the board is to be drawn anew
 */

/**
 * The tab that a screen belongs to.
 * @type {Record<string, import('./bar.js').Tab>}
 */
const HOMES = {
  play: 'play', game: 'play', analysis: 'analysis', tactics: 'analysis', study: 'analysis', rules: 'learn', learn: 'learn', lesson: 'learn',
  puzzle: 'learn', tournaments: 'watch', tournament: 'watch', ratings: 'watch', watch: 'watch', games: 'library', library: 'library',
};

/**
 * What people ask for and want to know of if it came to nothing; all else is asked again by itself.
 * @type {Set<import('./protocol.js').AskName>}
 */
const DEEDS = new Set(['name', 'serverSetting', 'read', 'write', 'saveSlot', 'savePosition', 'deletePosition', 'studyGame', 'nameStudy', 'deleteStudy', 'newGame', 'wish',
  'rematch', 'record', 'runTournament', 'correctTournament', 'hint', 'exportGames', 'tagGame']);

export class App {
  constructor() {
    this.bar = /** @type {HTMLElement} */ (document.getElementById('bar'));
    this.main = /** @type {HTMLElement} */ (document.getElementById('main'));
    this.toastBox = /** @type {HTMLElement} */ (document.getElementById('toast'));
    this.speaker = /** @type {HTMLElement} */ (document.getElementById('speaker'));
    /** @type {Welcome | null} */
    this.welcome = null;
    /** @type {View | null} */
    this.view = null;
    /** @type {import('../protocol/message').PositionInfo | null} the set-up of the next game */
    this.nextSetup = null;
    this.wasOnline = true;
    /** What the screen is called. */
    this.heading = 'Tablut';
    this.quiet = 0;
    this.icon = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel="icon"]'));
    this.calm = this.icon.href;
    for (const look of LOOK_NAMES) applyLook(look, recall(look));
    setAudible(spoken(recall('sound')));
    this.socket = new Socket({
      open: () => this.greet(),
      online: (online) => this.online(online),
      event: (event) => {
        switch (event.event) {
          case 'state': this.view?.state?.(event); break;
          case 'lost': this.view?.lost?.(event.game, event.text); break;
          case 'study': this.view?.hear?.(event); break;
          case 'found': this.inquiries.found(event); break;
          // The connection ends next, and `online` tells.
          case 'closing': break;
          default: ignore(event);
        }
      },
      problem: (problem) => this.complain(problem),
    });
    /** What the engine works on for whoever looks at this page. */
    this.inquiries = new Inquiries((what, details) => this.socket.ask(what, details), () => document.hidden, () => this.toast(t('engineAway'), 'bad'));
    document.addEventListener('visibilitychange', () => this.inquiries.seen());
    window.addEventListener('hashchange', () => this.show());
    window.addEventListener('resize', () => this.placeToast());
    document.addEventListener('keydown', (event) => this.key(event));
    /** Whether the page came with what the server says first, and has not heard it from the server yet. */
    this.isTold = false;
    const told = document.getElementById('welcome');
    if (told?.lang === lang() && told.textContent && !knownToken()) {
      this.isTold = true;
      this.begin(JSON.parse(told.textContent));
    }
  }

  async greet() {
    const welcome = (await this.ask('hello', { lang: lang() }))?.welcome;
    if (!welcome) return;
    const token = knownToken();
    // The connection is new; the one who sits here is not.
    if (token) await sayToken(this, token);
    const isFirst = this.welcome === null;
    if (isFirst) this.begin(welcome);
    else {
      this.welcome = welcome;
      // What was asked for meanwhile is on its way: nothing has to be drawn again.
      if (this.isTold) {
        this.isTold = false;
        return;
      }
      this.inquiries.renew();
      if (this.view?.reconnect) this.view.reconnect();
      else this.show();
    }
  }

  /**
   * Draws the page for the first time.
   * @param {Welcome} welcome
   */
  begin(welcome) {
    this.welcome = welcome;
    const kept = knownLang(this.setting('lang'));
    if (kept && kept !== lang()) {
      this.speakLanguage(kept);
      return;
    }
    for (const look of LOOK_NAMES) {
      const value = this.setting(look);
      if (value) remember(look, applyLook(look, value));
    }
    setAudible(spoken(this.setting('sound') ?? recall('sound')));
    this.show();
  }

  /** @param {string} name */
  setting(name) {
    return this.welcome?.settings.find(([key]) => key === name)?.[1] ?? null;
  }

  /**
   * Keeps a setting; done when the server has it.
   * @param {string} name
   * @param {string} value
   */
  async keep(name, value) {
    if (!this.welcome || this.setting(name) === value) return;
    this.welcome.settings = [...this.welcome.settings.filter(([key]) => key !== name), [name, value]];
    await this.ask('setting', { name, value });
  }

  /**
   * Asks the server; a refusal is shown.
   * @template {import('./protocol.js').AskName} K
   * @param {K} what
   * @param {import('./protocol.js').Details<K>} details
   */
  async ask(what, ...details) {
    try {
      return await this.socket.ask(what, ...details);
    } catch (problem) {
      if (problem instanceof Lost && DEEDS.has(what)) this.toast(t('notDone'), 'bad', 0);
      else this.complain(problem);
      return null;
    }
  }

  /** @param {unknown} problem */
  complain(problem) {
    if (problem instanceof Problem) {
      if (problem.message) this.toast(problem.message, 'bad');
    } else throw problem;
  }

  /** @param {string} id */
  set(id) {
    const sets = this.welcome?.sets ?? [];
    return sets.find((set) => set.id === id) ?? sets[0];
  }

  get sets() {
    return /** @type {[string, string][]} */ ((this.welcome?.sets ?? []).map((set) => [set.id, set.name]));
  }

  /** The rule set of new boards: what the visitor chose, or else the server. */
  get defaultRules() {
    const chosen = this.setting('rules');
    return this.welcome?.sets.some((set) => set.id === chosen) && chosen || this.serverRules;
  }

  /** The rule set that the server gives to those who chose none. */
  get serverRules() {
    return this.welcome?.defaultRules ?? 'ashton';
  }

  /** Draws the view that the address names. */
  show() {
    if (!this.welcome) return;
    const [name, ...rest] = readLink(location.hash) ?? ['?'];
    this.view?.leave?.();
    this.view = null;
    // What can be undone belongs to the view that is left.
    if (this.wasOnline) this.toastBox.replaceChildren();
    this.main.replaceChildren();
    this.main.className = '';
    document.body.classList.remove('zen');
    const tab = HOMES[name] ?? null;
    this.heading = tab ? t(tab) : 'Tablut';
    this.setTitle(tab ? this.heading : '');
    drawBar(this, tab);
    switch (name) {
      case 'analysis':
      case 'study':
      case 'tactics': this.view = new AnalysisView(this, name, rest, readQuery(location.hash)); break;
      case 'games': showGames(this); break;
      case 'tournaments': showTournaments(this); break;
      case 'tournament': this.view = new TournamentView(this, rest[0] ?? '', rest[1] === 'public'); break;
      case 'organiser':
        // A link for organisers; it does not stay in the history.
        if (rest[0]) keepToken(rest[0]);
        location.replace('#tournaments');
        location.reload();
        return;
      case 'ratings': showRatings(this); break;
      case 'admin': this.view = new AdminView(this); break;
      case 'learn': showLearn(this); break;
      case 'lesson': this.view = new LessonView(this, rest); break;
      case 'puzzle': this.view = new PuzzleView(this, rest); break;
      case 'watch': this.view = new WatchView(this); break;
      case 'library': this.view = new LibraryView(this, readQuery(location.hash)); break;
      case 'rules': showRules(this, rest[0] ?? this.defaultRules, rest[1]); break;
      case 'game': this.view = new GameView(this, rest[0] ?? '', rest[1] ?? null, readQuery(location.hash)); break;
      case '': this.view = new HomeView(this); break;
      case 'play': this.view = new LobbyView(this); break;
      default: this.deadEnd(t('badLink'), '#', t('toStart'));
    }
  }

  /**
   * Says that there is nothing here, and where to go instead.
   * @param {string} text
   * @param {string} href
   * @param {string} label
   * @param {() => void} [again] what may help
   */
  deadEnd(text, href, label, again) {
    const ground = this.set(this.defaultRules);
    this.main.replaceChildren(h('article', { class: 'page', 'data-part': 'dead-end' }, ground && miniature(ground, parse(ground.start).pieces), h('h1', {}, text),
      h('div', { class: 'actions' }, h('a', { class: 'button main', href }, label),
        again && button(t('tryAgain'), again, { 'data-act': 'try-again' }))));
    this.say(text);
  }

  /**
   * What the tab of the browser says.
   * @param {string} text
   * @param {boolean} [isCalling] whether somebody is waited for: the icon says so too
   */
  setTitle(text, isCalling = false) {
    document.title = text ? `${text} · Tablut` : 'Tablut';
    const href = isCalling ? '/icon-turn.svg' : this.calm;
    if (this.icon.getAttribute('href') !== href) this.icon.setAttribute('href', href);
  }

  /** @param {string} rules for the boards to come */
  chooseRules(rules) {
    this.keep('rules', rules);
    const [name] = readLink(location.hash) ?? [];
    if (name === 'rules') location.hash = `#rules/${rules}`;
    else if (name === '' || name === 'play' || name === 'learn') this.show();
    else this.toast(t('rulesChosen', { name: this.set(rules).name }));
  }

  /** @param {import('./text.js').Lang} next */
  chooseLanguage(next) {
    this.keep('lang', next);
    this.speakLanguage(next);
  }

  /** @param {import('./settings.js').Look} look @param {string} value */
  chooseLook(look, value) {
    const known = applyLook(look, value);
    remember(look, known);
    this.keep(look, known);
    this.view?.restyle?.();
  }

  /** @param {boolean} on */
  chooseSound(on) {
    setAudible(on);
    remember('sound', on ? 'on' : 'off');
    this.keep('sound', on ? 'on' : 'off');
  }

  /** @param {boolean} on */
  chooseCoordinates(on) {
    this.keep('coordinates', on ? 'on' : 'off');
    this.view?.restyle?.();
  }

  /** @param {import('./text.js').Lang} next */
  async speakLanguage(next) {
    try {
      await setLang(next);
    } catch {
      // Its texts did not come; what is here goes on being spoken.
      this.toast(t('notDone'), 'bad');
      this.show();
      return;
    }
    remember('lang', next);
    const welcome = (await this.ask('hello', { lang: next }))?.welcome;
    if (welcome) this.welcome = welcome;
    this.show();
  }

  switchTheme() {
    this.chooseLook('theme', isDark() ? 'light' : 'dark');
  }

  askName() {
    const input = /** @type {HTMLInputElement} */ (h('input', {
      value: this.welcome?.name ?? '', maxlength: 40, 'data-field': 'name', autocomplete: 'nickname', 'aria-label': t('yourName'),
    }));
    const dialog = openDialog(t('yourName'), h('p', { class: 'muted' }, t('nameHint')), input);
    const save = async () => {
      const name = input.value.trim();
      if (await this.ask('name', { name })) {
        if (this.welcome) this.welcome.name = name || null;
        dialog.close();
        this.show();
      }
    };
    input.addEventListener('keydown', (event) => { if (event.key === 'Enter') save(); });
    offer(dialog, button(t('save'), save, { class: 'main', 'data-act': 'save-name' }));
    input.focus();
  }

  /** @param {boolean} online */
  online(online) {
    if (online === this.wasOnline) return;
    this.wasOnline = online;
    const isAway = !online && (!this.welcome || this.isTold);
    // Whatever was asked for is lost, and has to be asked for again.
    if (!online) this.isTold = false;
    document.body.classList.toggle('offline', !online);
    if (isAway) {
      this.view?.leave?.();
      this.view = null;
      this.welcome = null;
      // The page itself came from the browser's own memory, or the server went away behind it.
      drawBar(this, null);
      this.main.replaceChildren(h('article', { class: 'page', 'data-part': 'away' }, h('h1', {}, 'Tablut'), h('p', {}, t('serverAway'))));
      return;
    }
    this.toast(online ? t('online') : t('offline'), online ? 'good' : 'bad', online ? undefined : 0);
  }

  /**
   * Says something for a moment. With `undo`, what happened can be taken back.
   * @param {string} text
   * @param {'good' | 'bad'} [kind]
   * @param {number} [ms] nothing stays
   * @param {() => void} [undo]
   * @param {string} [label] what `undo` does, if it is something else
   */
  toast(text, kind = 'good', ms = 5000, undo = undefined, label = undefined) {
    clearTimeout(this.quiet);
    const act = undo && button(label ?? t('undo'), () => { this.toastBox.replaceChildren(); undo(); }, { 'data-act': label ? 'toast-act' : 'toast-undo' });
    const close = !ms && button('×', () => this.toastBox.replaceChildren(), { 'aria-label': t('close'), title: t('close'), 'data-act': 'toast-close' });
    this.toastBox.replaceChildren(h('div', { class: `toast ${kind}` }, text, act, close));
    this.placeToast();
    if (ms) this.quiet = window.setTimeout(() => this.toastBox.replaceChildren(), ms);
  }

  /** On a wide window a message stands between the places and what is on the right, however long their names are. */
  placeToast() {
    const [places, right] = [this.bar.querySelector('nav'), this.bar.querySelector('.bar-right')];
    if (!places || !right) return;
    const { style } = this.toastBox;
    style.setProperty('--after-places', `${places.getBoundingClientRect().right}px`);
    style.setProperty('--until-right', `${right.getBoundingClientRect().left}px`);
    // The strip between bar and board is free too; one that is longer had better lie over the bar's right than over the board.
    if (this.toastBox.offsetHeight > this.bar.offsetHeight + 8) style.setProperty('--until-right', '100vw');
  }

  /**
   * Tells a screen reader.
   * @param {string} text
   */
  say(text) {
    this.speaker.textContent = text;
  }

  /** Fills the screen with the page, or gives the screen back. */
  async fullScreen() {
    try {
      if (document.fullscreenElement) await document.exitFullscreen();
      else await document.documentElement.requestFullscreen();
    } catch {
      this.toast(t('noFullScreen'), 'bad');
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const dialog = document.querySelector('dialog');
    if (dialog) {
      // Wherever the focus is: a window over the page has the keys.
      if (event.key === 'Escape') dialog.close();
      return;
    }
    const target = /** @type {HTMLInputElement} */ (event.target);
    // Undo means the board, unless there is something in the command field to undo.
    const isUndo = (event.ctrlKey || event.metaKey) && target.matches?.('.command') && target.value === '';
    // Escape leaves a field, and lets go of what is on the board.
    if (target.closest?.('input, textarea, select') && !isUndo && event.key !== 'Escape') return;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isPlain && event.key === '?') openHelp();
    else if (isPlain && event.key === 'm') {
      this.chooseSound(!isAudible());
      this.toast(t(isAudible() ? 'soundsOn' : 'soundsOff'), 'good', 2000);
    } else if (isPlain && event.key === 'f') this.fullScreen();
    else if (isPlain && event.shiftKey && event.key.toLowerCase() === 't') this.switchTheme();
    else if (isPlain && event.shiftKey && event.key.toLowerCase() === 's') openSettings(this);
    else if (!this.view?.key?.(event)) return;
    event.preventDefault();
  }
}

/** @type {import('./settings.js').Look[]} */
const LOOK_NAMES = /** @type {import('./settings.js').Look[]} */ (Object.keys(LOOKS));

/**
 * A setting that is on or off; nothing if nobody chose.
 * @param {string | null} value
 */
function spoken(value) {
  return value === null ? null : value === 'on';
}

/**
 * An event of a newer server than the page. For the type check there is none: a new one needs a case.
 * @param {never} _event
 */
function ignore(_event) {}

if (typeof document !== 'undefined') {
  await setLang(knownLang(recall('lang')) ?? firstLang(navigator.languages)).catch(() => setLang('en'));
  adopt();
  new App();
  navigator.serviceWorker?.register('/sw.js').catch(() => {
    // Without it the page works as long as the server does.
  });
}
