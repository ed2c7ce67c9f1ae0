// @ts-check
/**
 * Keeps the page in the browser, so that it opens while the server is away and can say so. Everything else comes from the
 * server: what is kept here is only ever a file of the page.
 */

/** @typedef {{ waitUntil(done: Promise<unknown>): void }} LifeEvent */
/** @typedef {LifeEvent & { request: Request, respondWith(answer: Promise<Response>): void }} FetchEvent */

const KEPT = 'tablut-page-1';

/** What never changes under its name has its content in the name. */
const LASTING = '/a/';

/** Paths that are not files of the page. */
const LIVE = /^\/(socket$|image\/|embed\/)/;

self.addEventListener('install', (event) => {
  const life = /** @type {LifeEvent} */ (/** @type {unknown} */ (event));
  life.waitUntil(caches.open(KEPT).then((kept) => kept.add('/')).then(() => /** @type {any} */ (self).skipWaiting()));
});

self.addEventListener('activate', (event) => {
  const life = /** @type {LifeEvent} */ (/** @type {unknown} */ (event));
  life.waitUntil(caches.keys().then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))))
    .then(() => /** @type {any} */ (self).clients.claim()));
});

self.addEventListener('fetch', (event) => {
  const fetching = /** @type {FetchEvent} */ (/** @type {unknown} */ (event));
  const { request } = fetching;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || LIVE.test(pathname)) return;
  fetching.respondWith(answer(request, pathname));
});

/**
 * The file from the server, or as it was last time; every address that is opened is the one page.
 * @param {Request} request
 * @param {string} path
 */
async function answer(request, path) {
  const kept = await caches.open(KEPT);
  const name = request.mode === 'navigate' ? '/' : request.url;
  if (path.startsWith(LASTING)) {
    const lasting = await kept.match(name);
    if (lasting) return lasting;
  }
  try {
    const fresh = await fetch(request);
    // A page that is opened by another path has its own title and picture, and is the same page behind them.
    if (fresh.ok && (request.mode !== 'navigate' || path === '/')) await kept.put(name, fresh.clone());
    return fresh;
  } catch (away) {
    const last = await kept.match(name);
    if (last) return last;
    throw away;
  }
}
