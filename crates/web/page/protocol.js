// @ts-check
/**
 * How requests and their answers belong together. The messages themselves are generated from
 * `crates/web/src/message` into `protocol/message.d.ts`.
 *
 * @typedef {import('../protocol/message').Ask} Ask
 * @typedef {import('../protocol/message').Answer} Answer
 * @typedef {import('../protocol/message').AnswerOf} AnswerOf
 * @typedef {import('../protocol/message').ServerEvent} ServerEvent
 * @typedef {import('../protocol/message').ServerMessage} ServerMessage
 */

import { printed } from './text.js';

/** @typedef {Ask['do']} AskName the name of a request */

/**
 * The fields of a request besides its name.
 * @template {AskName} K
 * @typedef {Omit<Extract<Ask, { do: K }>, 'do'>} Fields
 */

/**
 * What `ask` wants after the name of a request: its fields, if it has any.
 * @template {AskName} K
 * @typedef {keyof Fields<K> extends never ? [] : [Fields<K>]} Details
 */

/**
 * What a request gets: an object with its answer under the answer's name, or an empty one if there is
 * nothing to say but that it was done.
 * @template {AskName} K
 * @typedef {AnswerOf[K] extends 'done' ? {} : Extract<Answer, { [N in AnswerOf[K]]: unknown }>} Reply
 */

/** A refusal of the server: a sentence, and perhaps the square that causes it. */
export class Problem extends Error {
  /** @param {import('../protocol/message').Problem} problem */
  constructor(problem) {
    super(printed(problem.text));
    this.square = problem.square ?? null;
  }
}
