/**
 * The service worker: keeps the folder's files on this device, and passes the house's requests on to its engine.
 *
 * Every file of the list below is fetched once, and kept only if its SHA-256 is that of the list; it is checked again
 * each time it is handed out, and fetched again if it is damaged. The first version on a device is installed with its
 * small files that the engine and the page are made of, while the large ones are already coming, one after the other in
 * the order in which they are needed: the engine begins with the first. The page then has the rest fetched. A later
 * version is installed whole: if it could not fetch everything, the one before stays.
 *
 * Messages from pages: {engine: true} with a port (this page runs the engine; requests go to that port), {front: what}
 * with a port (what the front page is until the engine is there, see sw/front.js; it is told {front}), {skipWaiting:
 * true} (use this version now), {version: true} with a port (it is told {version}), {complete: true} with a port (fetch
 * what is missing; it is told {complete}), {why: true} with a port (it is told {why} once this version is installed or
 * can't be: '' or why a file that was needed did not come, being network, full, differs or damaged). Messages to pages:
 * {installing: {version, done, of}} in bytes; {engineWanted: its start} (the browser ended this worker and started
 * it again: who runs the engine sends its port once more), {damaged: {name, told}} (a file is damaged and could not be
 * fetched again).
 *
 * The build puts the parts below sw/ behind this file, in one script: browsers look at that one for a new version.
 */
// biome-ignore format: the build puts the list here, as JSON.
/** @type {{version: string, files: FolderFile[]}} */
const BUILT = { version: "", files: [] };
const SCOPE = new URL(registration.scope).pathname;
/** The same as pages write it. */
const SCOPE_IN_PAGES = SCOPE.replaceAll('&', '&amp;').replaceAll("'", '&#x27;');
const OURS = `pubdice ${SCOPE} `; // caches belong to a host, which may have several folders
const CACHE = OURS + BUILT.version;
const FILES = new Map(BUILT.files.map(file => [file.name, file]));
const PAGE = 'index.html';

/**
 * The build puts the words here, from the "worker" of each words/CODE.json.
 * @type {Record<string, Record<string, string>>}
 */
const WORDS = {};
const LANGUAGE = navigator.languages.map(tag => tag.toLowerCase().split('-')[0]).find(code => WORDS[code]) ?? 'en';

/** @type {Record<string, string>} */
const TYPES = {
  css: 'text/css',
  html: 'text/html',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  mjs: 'text/javascript',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain',
  wasm: 'application/wasm',
  webp: 'image/webp',
  webmanifest: 'application/manifest+json',
  zip: 'application/zip',
};
/** docs/play/pocket.md says why each of them. Those of the house's own pages are stricter, and come from the house. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; " +
    "connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; form-action 'self'; " +
    "base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(self), geolocation=(), microphone=(), payment=(), usb=()',
};

/**
 * Tells this folder's pages; those of other folders of the host have a service worker of their own.
 * @param {any} message
 */
async function tell(message) {
  for (const page of await clients.matchAll({ includeUncontrolled: true, type: 'window' })) {
    if (page.url.startsWith(registration.scope)) page.postMessage(message);
  }
}

/** @param {string} name */
const type = name => {
  const found = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return found.startsWith('text/') ? `${found}; charset=utf-8` : found;
};
/**
 * @param {any} body
 * @param {number} status
 * @param {string} kind
 */
const respond = (body, status, kind) => new Response(body, { status, headers: { ...HEADERS, 'content-type': kind } });

/**
 * One plain sentence, as a page if a page was asked for.
 * @param {Request} request
 * @param {string} key
 * @param {number} [status]
 */
function sorry(request, key, status = 503) {
  const told = WORDS[LANGUAGE][key];
  if (request.mode !== 'navigate') return respond(told, status, 'text/plain; charset=utf-8');
  const head = `<!doctype html><html lang="${LANGUAGE}"><meta charset="utf-8">`;
  const wide = '<meta name="viewport" content="width=device-width">';
  return respond(`${head}${wide}<title>Pubdice</title><p>${told}</p></html>`, status, type('.html'));
}

/**
 * a script of the page that can't be had: without it the page could not even say so
 * @type {FolderFile | null}
 */
let lacking = null;

/**
 * @param {FolderFile} file
 * @param {any} event
 */
async function handOut(file, { request, clientId }) {
  if (file.name === PAGE && lacking) {
    if (!(await had(lacking))) return sorry(request, 'damaged');
    lacking = null;
  }
  const ready = coming.get(file.name);
  const lies = file.name.endsWith('.wasm') && (await asItLies(file));
  if (lies) return lies;
  const bytes = await (ready
    ? ready.catch((/** @type {any} */ error) => (error.why === 'differs' ? lost(file, error) : had(file)))
    : had(file));
  if (bytes) return respond(file.name === PAGE ? anywhere(bytes) : bytes, 200, type(file.name));
  const page = request.destination === 'script' ? await clients.get(clientId) : null;
  // what other phones are let in by, the house can do without
  if (page instanceof WindowClient && NEEDED.test(file.name)) {
    lacking = file;
    page.navigate(page.url).catch(() => {});
  }
  return sorry(request, 'damaged');
}

/**
 * The page with the engine at any address of the house: it names its parts from its own folder, as it knows no other.
 * @param {Uint8Array} bytes
 */
const anywhere = bytes =>
  new TextDecoder().decode(bytes).replace(/ (href|src)="(?=pocket\/|manifest\.)/g, begun => begun + SCOPE_IN_PAGES);

addEventListener('install', event => {
  tried = install();
  event.waitUntil(tried.catch(refuse));
});
addEventListener('activate', event =>
  event.waitUntil(
    (async () => {
      await Promise.all((await earlierCaches()).map(name => caches.delete(name)));
      await clients.claim();
    })(),
  ),
);

addEventListener('fetch', event => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return event.respondWith(Response.error());
  if (!url.pathname.startsWith(SCOPE)) return;
  const name = url.pathname.slice(SCOPE.length);
  if (name.startsWith('docs/')) {
    // The documents, if the web server has them beside this folder. A page asks by HEAD: 204 is no error in its console.
    const isThere = () => fetch(request).then(({ ok }) => ok, () => false); // biome-ignore format: one line
    if (request.method === 'HEAD') event.respondWith(isThere().then(ok => respond(null, ok ? 200 : 204, type('html'))));
    return;
  }
  const file = FILES.get(name);
  if (file) event.respondWith(handOut(file, event));
  else if (name === 'files.json') event.respondWith(respond(JSON.stringify(BUILT), 200, type(name)));
  else if (request.mode === 'navigate' && request.destination === 'document') {
    event.respondWith(handOut(/** @type {FolderFile} */ (FILES.get(PAGE)), event));
  } else event.respondWith(withoutEngine(event, name + url.search));
});

addEventListener('message', event => {
  const { data, ports, source } = event;
  // Any page of the host can send messages here: a page of another folder, or one in a frame, is not asked for an
  // engine.
  if (!data || !source?.url.startsWith(registration.scope) || source.frameType === 'nested') return;
  if (data.skipWaiting) skipWaiting();
  if (data.version) ports[0].postMessage({ version: BUILT.version, start: START });
  if (data.complete) event.waitUntil(complete().then(whole => ports[0].postMessage({ complete: whole })));
  if (data.why) event.waitUntil(tellWhy(ports[0]));
  if (data.engine) runs(ports[0], source.id);
  if ('front' in data) {
    front = data.front;
    ports[0].postMessage({ front: true });
  }
});
