/**
 * The service worker: keeps the folder's files on this device, and passes the house's requests on to its engine.
 *
 * Every file of the list below is fetched once, and kept only if its SHA-256 is right. It is checked again each time it
 * is served, and fetched again if it is damaged. The first version on a device is installed with the small files of the
 * page and the engine. The large files come meanwhile, one after another in the order of their use, so the engine
 * starts with the first. Then the page asks for all other files. A later version is installed as a whole. If one of its
 * files can't be fetched, the version before stays.
 *
 * Messages from pages, with a port for answers:
 *
 * - {engine: true}: this page runs the engine, and requests go to that port
 * - {front: answer}: serve this front page until the engine is there (sw/front.js), answered by {front}
 * - {skipWaiting: true}: use this version now
 * - {version: true}: answered by {version}
 * - {complete: true}: fetch the missing files, answered by {complete}
 * - {why: true}: answered by {why} when this version is installed or can't be: '', or the reason why a needed file did
 *   not come (network, full, differs or damaged)
 *
 * Messages to pages:
 *
 * - {installing: {version, done, of}}, in bytes
 * - {engineWanted: start}: the browser ended this worker and started it again, so the page with the engine sends its
 *   port again
 * - {damaged: {name, told}}: a file is damaged and could not be fetched again
 *
 * The build appends the scripts of the folder sw/ to this file, because browsers check only this one for a new version.
 */
// biome-ignore format: the build puts the list here, as JSON.
/** @type {{version: string, files: FolderFile[]}} */
const BUILT = { version: "", files: [] };
const SCOPE = new URL(registration.scope).pathname;
/** The path, escaped as in an HTML attribute. */
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
/** docs/contribute/pocket.md gives the reason for each. The house's own pages have stricter headers, from the house. */
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
 * Sends a message to this folder's pages. Other folders of the host have their own service workers.
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
 * Answers with one plain sentence, as a page if a page was asked for.
 * @param {Request} request
 * @param {string} key
 * @param {number} [status]
 */
function sorry(request, key, status = 503) {
  const told = WORDS[LANGUAGE][key];
  if (request.mode !== 'navigate') return respond(told, status, 'text/plain; charset=utf-8');
  const head = `<!doctype html><html lang="${LANGUAGE}" dir="auto"><meta charset="utf-8">`;
  const wide = '<meta name="viewport" content="width=device-width">';
  return respond(`${head}${wide}<title>Pubdice</title><p>${told}</p></html>`, status, type('.html'));
}

/**
 * A script that the page needs, and that can't be had. Without it, the page could not even report that.
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
  // only for a needed script, as the house works without the scripts about other phones
  if (page instanceof WindowClient && NEEDED.test(file.name)) {
    lacking = file;
    page.navigate(page.url).catch(() => {});
  }
  return sorry(request, 'damaged');
}

/**
 * Returns the page with the engine, for any address of the house: the addresses in it get the folder's path.
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
    // A page asks by HEAD if the web server has the documents here. 204 (it has not) shows no error in the console.
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
  // Any page of the host can send messages here. Those of another folder's pages, and of framed pages, are ignored.
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
