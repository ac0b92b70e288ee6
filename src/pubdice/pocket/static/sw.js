/**
 * The service worker: keeps the folder's files on this device, and passes the house's requests on to its engine.
 *
 * Every file of the list below is fetched once, and kept only if its SHA-256 is that of the list; it is checked again
 * each time it is handed out, and fetched again if it is damaged. The first version on a device is installed with its
 * small files that the engine and the page are made of, while the large ones are already coming, one after the other in
 * the order in which they are needed: the engine begins with the first. The page then has the rest fetched. A later
 * version is installed whole: if it could not fetch everything, the one before stays.
 *
 * Messages from pages: {engine: true} with a port (this page runs the engine; requests go to that port), {skipWaiting:
 * true} (use this version now), {version: true} with a port (it is told {version}), {complete: true} with a port (fetch
 * what is missing; it is told {complete}). Messages to pages: {installing: {version, done, of}} in bytes, {notInstalled:
 * {version, why}}, why being network, full or differs; {engineWanted: true} (the browser ended this worker and started it
 * again: who runs the engine sends its port once more), {damaged: {name, told}} (a file is damaged and could not be
 * fetched again).
 */
const BUILT = { version: "", files: [] };
const SCOPE = new URL(registration.scope).pathname;
const OURS = `pubdice ${SCOPE} `;  // caches belong to a host, which may have several folders
const CACHE = OURS + BUILT.version;
const FILES = new Map(BUILT.files.map(file => [file.name, file]));
const PAGE = 'index.html';
const LARGE = 200_000;  // bytes from which a file comes in its turn, on the first visit
const LAST = /^pocket\/later/;  // comes once the house is open, so nobody is told how far it is
const TURNS = [/\.asm\.mjs$/, /\.wasm$/, /^pocket\/engine\//, /^pocket\/house/, LAST];
const NEEDED = /\.(html|js|mjs|css)$|^pocket\/engine\//;  // of the small ones; pictures and licences come with the rest
const NEARLY = 0.9;  // of a file: the next one is asked for, so that the line has no pause
const LANES = 6;  // files fetched at once, as many as browsers do over HTTP/1.1
const TOLD_EVERY_MS = 200;
const ENGINE_WITHIN_MS = 20_000, HEAD_WITHIN_MS = 120_000, LOOK_EVERY_MS = 1000, MOST_WAITING = 100;

const WORDS = {
  en: {
    damaged: 'A part of Pubdice on this device is damaged. Connect to the network, close this page and open it again. No game is lost.',
    noEngine: 'Pubdice is not running. Reload this page.',
    slow: 'Pubdice does not answer. Reload this page. No game is lost.',
  },
  de: {
    damaged: 'Ein Teil von Pubdice auf diesem Gerät ist beschädigt. Geh ins Netz, schließ diese Seite und öffne sie wieder. Kein Spiel ist verloren.',
    noEngine: 'Pubdice läuft nicht. Lade diese Seite neu.',
    slow: 'Pubdice antwortet nicht. Lade diese Seite neu. Kein Spiel ist verloren.',
  },
};
const LANGUAGE = navigator.language?.startsWith('de') ? 'de' : 'en';

const TYPES = {
  css: 'text/css', html: 'text/html', jpg: 'image/jpeg', js: 'text/javascript', json: 'application/json', mjs: 'text/javascript',
  png: 'image/png', svg: 'image/svg+xml', txt: 'text/plain', wasm: 'application/wasm', webp: 'image/webp',
  webmanifest: 'application/manifest+json', zip: 'application/zip',
};
/** docs/pocket.md says why each of them. Those of the house's own pages are stricter, and come from the house. */
const HEADERS = {
  'content-security-policy': "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; "
    + "connect-src 'self'; worker-src 'self'; frame-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
};
const ASKED_WITH = ['accept', 'accept-language', 'content-type', 'last-event-id', 'idempotency-key'];

/** Why a version is not installed; ``why`` is told to pages. */
class NotInstalled extends Error {
  constructor(why, name) {
    super(`${name}: ${why}`);
    this.why = why;
  }
}

/** Tells this folder's pages; those of other folders of the host have a service worker of their own. */
async function tell(message) {
  for (const page of await clients.matchAll({ includeUncontrolled: true, type: 'window' })) {
    if (page.url.startsWith(registration.scope)) page.postMessage(message);
  }
}

// Installing: every file, from the cache, from an earlier version's, or from the host.

const address = file => new URL(file.name, registration.scope).href;

async function isRight(bytes, file) {
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return file.sha256 === Array.from(sum, byte => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes of a file in a cache; null if it is not there, or damaged. */
async function kept(cache, file) {
  try {
    const bytes = await (await cache.match(address(file)))?.arrayBuffer();
    return bytes?.byteLength === file.bytes && await isRight(bytes, file) ? bytes : null;
  } catch {
    return null;
  }
}

/** What a host sends for a file, unpacked; null if its length is wrong. A host may have unpacked it itself. */
async function unpacked(answer, file, got) {
  const source = answer.body.getReader(), first = await source.read();
  let parts = new ReadableStream({
    start: sink => (first.done ? sink.close() : sink.enqueue(first.value)),
    async pull(sink) {
      const { done, value } = await source.read();
      if (done) sink.close(); else sink.enqueue(value);
    },
    cancel: why => source.cancel(why),
  });
  if (file.packed && first.value?.[0] === 0x1f) parts = parts.pipeThrough(new DecompressionStream('gzip'));
  const bytes = new Uint8Array(file.bytes), reader = parts.getReader();
  let at = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    if (at + value.length > file.bytes) {
      await reader.cancel();
      return null;
    }
    bytes.set(value, at);
    at += value.length;
    got(value.length);
  }
  return at === file.bytes ? bytes.buffer : null;
}

/** A file from the host, checked. Rejects with NotInstalled: no network, or the host has another version of it. */
async function fetched(file, got = () => {}) {
  const from = file.packed ? `${address(file)}.gz` : address(file);
  let why = 'network';
  for (const cache of ['no-cache', 'reload']) {  // what the browser has if the host says it is right, else only the host's
    let had = 0;
    try {
      const answer = await fetch(from, { cache, mode: 'same-origin' });
      why = answer.status < 500 ? 'differs' : 'network';
      const bytes = answer.ok ? await unpacked(answer, file, count => { had += count; got(count); }) : null;
      if (bytes && await isRight(bytes, file)) return bytes;
    } catch {
      why = 'network';
    }
    got(-had);
  }
  throw new NotInstalled(why, file.name);
}

async function keep(cache, file, bytes) {
  try {
    await cache.put(address(file), new Response(bytes, { headers: { 'content-type': type(file.name) } }));
  } catch {
    throw new NotInstalled('full', file.name);
  }
}

const coming = new Map();  // what is being fetched for somebody, by name
let done = 0, toldAt = 0;  // bytes

/** So many bytes more have come, of those that are large or else of all. */
function progress(count, of) {
  done += count;
  if (done < of && Date.now() < toldAt + TOLD_EVERY_MS) return;
  toldAt = Date.now();
  tell({ installing: { version: BUILT.version, done, of } });
}

const sizeOf = files => files.reduce((sum, { bytes }) => sum + bytes, 0);

async function notInstalled(error) {
  await tell({ notInstalled: { version: BUILT.version, why: error.why ?? 'network' } });
  throw error;
}

/** Keeps these files. told: whether pages hear how far it is. */
async function fill(wanted, told) {
  const files = [...wanted].sort((one, other) => other.bytes - one.bytes);
  const of = sizeOf(files), cache = await caches.open(CACHE);
  const earlier = await Promise.all((await earlierCaches()).map(name => caches.open(name)));
  const got = told ? count => progress(count, of) : () => {};
  async function have(file) {
    if (await kept(cache, file)) return got(file.bytes);
    for (const other of earlier) {
      const bytes = await kept(other, file);
      if (bytes) {
        got(file.bytes);
        return keep(cache, file, bytes);
      }
    }
    return keep(cache, file, await (coming.get(file.name) ?? fetched(file, got)));
  }
  const lane = async () => { while (files.length) await have(files.shift()); };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
    if (told) await tell({ installing: { version: BUILT.version, done: of, of } });
  } catch (error) {
    files.length = 0;  // what is there stays, for the next try
    await notInstalled(error);
  }
}

async function install() {
  const first = (await earlierCaches()).length === 0, all = [...FILES.values()];
  done = 0;
  if (!first) return fill(all, true);
  await bring(all);
  await fill(all.filter(({ bytes, name }) => bytes < LARGE && NEEDED.test(name)));
}

/** Fetches the large files of a first visit in their turns, as all share one line. A request for one of them waits for it. */
async function bring(files) {
  const cache = await caches.open(CACHE), here = new Set((await cache.keys()).map(({ url }) => url));
  const turn = ({ name }) => TURNS.findIndex(kind => kind.test(name));
  const large = files.filter(file => file.bytes >= LARGE && turn(file) >= 0).sort((one, other) => turn(one) - turn(other));
  const missing = large.filter(file => !here.has(address(file)));
  const of = sizeOf(missing.filter(({ name }) => !LAST.test(name)));
  let before = Promise.resolve();
  for (const file of missing) {
    const begun = before;
    before = new Promise(nearly => {
      let had = 0;
      const got = count => {
        had += count;
        if (!LAST.test(file.name)) progress(count, of);
        if (had > NEARLY * file.bytes) nearly();
      };
      const bytes = begun.then(() => fetched(file, got));
      coming.set(file.name, bytes);
      bytes.then(nearly, nearly);
      bytes.then(found => keep(cache, file, found)).catch(() => {}).finally(() => coming.delete(file.name));
    });
  }
}

/** Fetches what the first visit has not asked for; whether everything is here now. */
async function complete() {
  const cache = await caches.open(CACHE);
  const here = new Set((await cache.keys()).map(({ url }) => url));
  const missing = [...FILES.values()].filter(file => !here.has(address(file)));
  return fill(missing).then(() => true, () => false);
}

const earlierCaches = async () => (await caches.keys()).filter(name => name.startsWith(OURS) && name !== CACHE);

addEventListener('install', event => event.waitUntil(install()));
addEventListener('activate', event => event.waitUntil((async () => {
  await Promise.all((await earlierCaches()).map(name => caches.delete(name)));
  await clients.claim();
})()));

// Handing files out.

const type = name => {
  const found = TYPES[name.slice(name.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
  return found.startsWith('text/') ? `${found}; charset=utf-8` : found;
};
const respond = (body, status, kind) => new Response(body, { status, headers: { ...HEADERS, 'content-type': kind } });

/** One plain sentence, as a page if a page was asked for. */
function sorry(request, key) {
  const told = WORDS[LANGUAGE][key];
  if (request.mode !== 'navigate') return respond(told, 503, 'text/plain; charset=utf-8');
  const head = `<!doctype html><html lang="${LANGUAGE}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">`;
  return respond(`${head}<title>Pubdice</title><p>${told}</p></html>`, 503, type('.html'));
}

/** The bytes of a file, fetched again if need be; null if it can't be had. */
async function had(file) {
  const cache = await caches.open(CACHE);
  return !coming.has(file.name) && await kept(cache, file) || again(cache, file);
}

/** The bytes of a file that is missing or damaged, from the host; null if there are none. */
async function again(cache, file) {
  const isNew = file.bytes >= LARGE && !await cache.match(address(file));
  try {
    if (coming.has(file.name)) return await coming.get(file.name);
    coming.set(file.name, fetched(file));
    const found = await coming.get(file.name);
    keep(cache, file, found).catch(() => {});  // a full disk: the page has it all the same
    return found;
  } catch (error) {
    registration.update().catch(() => {});  // the host may have a newer version, which is whole
    if (isNew) await notInstalled(error).catch(() => {});
    return null;
  } finally {
    coming.delete(file.name);
  }
}

let lacking = null;  // a script of the page that can't be had: without it the page could not even say so

async function handOut(file, { request, clientId }) {
  if (file.name === PAGE && lacking) {
    if (!await had(lacking)) return sorry(request, 'damaged');
    lacking = null;
  }
  const bytes = await had(file);
  if (bytes) return respond(file.name === PAGE ? anywhere(bytes) : bytes, 200, type(file.name));
  tell({ damaged: { name: file.name, told: WORDS[LANGUAGE].damaged } });
  const page = request.destination === 'script' && await clients.get(clientId);
  if (page?.type === 'window') {
    lacking = file;
    page.navigate(page.url).catch(() => {});
  }
  return sorry(request, 'damaged');
}

/** The page with the engine at any address of the house: it names its parts from its own folder, as it knows no other. */
const anywhere = bytes => new TextDecoder().decode(bytes).replace(/ (href|src)="(?=pocket\/|manifest\.)/g, `$&${SCOPE}`);

addEventListener('fetch', event => {
  const { request } = event, url = new URL(request.url);
  if (url.origin !== location.origin) return event.respondWith(Response.error());
  if (!url.pathname.startsWith(SCOPE)) return;
  const name = url.pathname.slice(SCOPE.length), file = FILES.get(name);
  if (file) event.respondWith(handOut(file, event));
  else if (name === 'files.json') event.respondWith(respond(JSON.stringify(BUILT), 200, type(name)));
  else if (request.mode === 'navigate' && request.destination === 'document') {
    event.respondWith(handOut(FILES.get(PAGE), event));
  } else event.respondWith(asked(event, url.pathname + url.search));
});

// Passing requests on to the engine.

let engine = null, runner = '';  // the port of the page that runs it, and that page
let waiting = [];

addEventListener('message', event => {
  const { data, ports, source } = event;
  // Any page of the host can send messages here: a page of another folder, or one in a frame, is not asked for an engine.
  if (!data || !source?.url.startsWith(registration.scope) || source.frameType === 'nested') return;
  if (data.skipWaiting) skipWaiting();
  if (data.version) ports[0].postMessage({ version: BUILT.version });
  if (data.complete) event.waitUntil(complete().then(whole => ports[0].postMessage({ complete: whole })));
  if (data.engine) {
    [engine, runner] = [ports[0], source.id];
    for (const ready of waiting.splice(0)) ready(engine);
  }
});

/** Whether the page is open that runs the engine: a port does not say that nobody reads it any more. */
const isThere = async () => engine !== null && await clients.get(runner) !== undefined;

/** The engine's port; null if no page has sent one in time. */
async function running() {
  if (await isThere()) return engine;
  tell({ engineWanted: true });
  if (waiting.length >= MOST_WAITING) waiting.shift()(null);
  return new Promise(ready => {
    waiting.push(ready);
    setTimeout(ready, ENGINE_WITHIN_MS, null);
  });
}

async function asked(event, target) {
  const { request } = event, headers = [...request.headers].filter(([name]) => ASKED_WITH.includes(name));
  const body = request.method === 'POST' ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array();
  // Browsers add Origin and Sec-Fetch-Site after the service worker. What a page of ours fetches comes from that page; a
  // form may come from another website's frame (CSRF), but the referrer of none begins with our address.
  const own = request.mode !== 'navigate' || request.referrer.startsWith(registration.scope);
  if (request.method === 'POST') headers.push(['content-length', String(body.length)], ['sec-fetch-site', own ? 'same-origin' : 'cross-site']);
  const port = await running();
  if (!port) return sorry(request, 'noEngine');
  const { port1, port2 } = new MessageChannel();
  return new Promise(answer => {
    let stream, ended;
    const parts = new ReadableStream({
      start: sink => { stream = sink; },
      cancel() {
        port1.postMessage('gone');
        ended();
      },
    });
    event.waitUntil(new Promise(resolve => { ended = resolve; }));  // a browser ends a worker that seems idle
    const late = setTimeout(() => failed('slow'), HEAD_WITHIN_MS);
    const looking = setInterval(async () => { if (!await isThere()) failed('noEngine'); }, LOOK_EVERY_MS);
    const begun = () => {
      clearTimeout(late);
      clearInterval(looking);
    };
    const failed = why => {
      begun();
      answer(sorry(request, why));
      try {
        stream.error(new Error(why));
      } catch { /* it is whole, or nobody reads it any more */ }
      port1.close();
      ended();
    };
    port1.onmessage = ({ data }) => {
      if (data.status) {
        begun();
        const bare = [204, 303, 304].includes(data.status);
        const sent = new Headers(data.headers);
        for (const [name, value] of Object.entries(HEADERS)) if (!sent.has(name)) sent.set(name, value);
        answer(new Response(bare ? null : parts, { status: data.status, headers: sent }));
      } else if (data.failed) failed('slow');
      else {
        try {
          if (data.part.length) stream.enqueue(data.part);
          if (!data.more) stream.close();
        } catch { /* nobody reads it any more */ }
        if (!data.more) {
          port1.close();
          ended();
        }
      }
    };
    port.postMessage({ method: request.method, target, headers, body }, [port2]);
  });
}
