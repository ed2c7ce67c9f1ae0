// @ts-check
/**
 * The languages there are: code and what each calls itself. The registry is in Rust,
 * `crates/rules/src/text/lang.rs`; a test of this crate says what has to stand here.
 */

export const LANGUAGES = /** @type {const} */ ([
  ['en', 'English'],
  ['it', 'Italiano'],
  ['de', 'Deutsch'],
]);
