// @ts-check
/** Sounds of our own: a few notes that the browser makes by itself. */

/**
 * A note: when it starts and how long it rings in seconds, its pitch at both ends in hertz, how loud it is.
 * @typedef {[start: number, length: number, from: number, to: number, volume: number, wave: OscillatorType]} Note
 */

/** @typedef {keyof typeof SCORES} Sound */
const SCORES = {
  /** Wood on wood. */
  move: /** @type {Note[]} */ ([[0, 0.07, 320, 170, 0.5, 'triangle'], [0, 0.03, 900, 500, 0.12, 'square']]),
  /** Two of them, the second lower. */
  capture: /** @type {Note[]} */ ([[0, 0.07, 320, 170, 0.5, 'triangle'], [0.07, 0.11, 190, 90, 0.6, 'triangle']]),
  /** The king sees a way out. */
  call: /** @type {Note[]} */ ([[0, 0.16, 587, 587, 0.25, 'sine'], [0.1, 0.24, 880, 880, 0.25, 'sine']]),
  /** A game begins, or the other player is there. */
  begin: /** @type {Note[]} */ ([[0, 0.14, 392, 392, 0.25, 'sine'], [0.1, 0.2, 523, 523, 0.25, 'sine']]),
  /** A game is over. */
  end: /** @type {Note[]} */ ([[0, 0.3, 523, 523, 0.22, 'sine'], [0.12, 0.3, 392, 392, 0.22, 'sine'], [0.24, 0.5, 262, 262, 0.25, 'sine']]),
  /** It is not allowed. */
  refused: /** @type {Note[]} */ ([[0, 0.12, 140, 110, 0.4, 'triangle']]),
  /** Ten seconds are left. */
  hurry: /** @type {Note[]} */ ([[0, 0.08, 880, 880, 0.2, 'sine'], [0.14, 0.08, 880, 880, 0.2, 'sine']]),
};

/** @type {boolean | null} nothing until somebody has chosen */
let chosen = null;

/** @type {AudioContext | null} */
let context = null;

/**
 * Whether sounds are wanted; who has chosen nothing hears them unless the system asks for less.
 * @returns {boolean}
 */
export function isAudible() {
  return chosen ?? !matchMedia('(prefers-reduced-motion: reduce)').matches;
}

/** @param {boolean | null} on */
export function setAudible(on) {
  chosen = on;
}

/** @param {Sound} name */
export function playSound(name) {
  // Before the first press on a page browsers keep it silent, and what was due then is not played later.
  const { userActivation } = /** @type {{ userActivation?: { hasBeenActive: boolean } }} */ (navigator);
  if (!isAudible() || userActivation?.hasBeenActive === false) return;
  // To get ready for the first one takes several frames; what it tells of is to be seen before.
  if (context || document.hidden) ring(name);
  else requestAnimationFrame(() => setTimeout(() => ring(name)));
}

/** @param {Sound} name */
function ring(name) {
  try {
    context ??= new AudioContext();
  } catch {
    // A machine without sound is as good as one that is silent.
    return;
  }
  if (context.state === 'suspended') context.resume().catch(() => {});
  document.documentElement.dataset.sounded = name;
  const now = context.currentTime;
  for (const [start, length, from, to, volume, wave] of SCORES[name]) note(context, now + start, length, from, to, volume, wave);
}

/**
 * @param {AudioContext} audio
 * @param {number} at @param {number} length @param {number} from @param {number} to @param {number} volume @param {OscillatorType} wave
 */
function note(audio, at, length, from, to, volume, wave) {
  const tone = new OscillatorNode(audio, { type: wave, frequency: from });
  const gain = new GainNode(audio, { gain: 0 });
  tone.frequency.exponentialRampToValueAtTime(to, at + length);
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(volume / 3, at + 0.004);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + length);
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + length);
}
