/** Gets the folder's files from the cache, an earlier version's cache, or the host, and checks each. */
const LARGE = 200_000; // bytes. Larger files come one after another on a first visit
const TURNS = [/\.asm\.mjs$/, /\.wasm$/, /^pocket\/engine\//, /^pocket\/house/];
// the small files for a first install. Pictures, licences and the scripts about other phones come later
const NEEDED = /^(?!pocket\/(phones|going_on|licences)).*\.(html|js|mjs|css)$|^pocket\/(engine\/|front)/;
const NEARLY = 0.75; // the part of a file after which the next is asked for, so the connection has no pause
const LANES = 4; // small files fetched at once: over HTTP/1.1 browsers do six, and two are for the large files
const TOLD_EVERY_MS = 200;
// the wait for a page to ask why the install failed. Later a page would start the install again
const ASKED_WITHIN_MS = 5000;

/** The error for a file that did not come. Pages that ask get its `why`. */
class Missing extends Error {
  /**
   * @param {string} why
   * @param {string} name
   */
  constructor(why, name) {
    super(`${name}: ${why}`);
    Object.assign(this, { why, file: name });
  }
}

/** @param {FolderFile} file */
const address = file => new URL(file.name, registration.scope).href;

/**
 * @param {ArrayBuffer} bytes
 * @param {FolderFile} file
 */
async function isRight(bytes, file) {
  const sum = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return file.sha256 === Array.from(sum, byte => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Returns the bytes of a file in a cache. Null if the file is missing or damaged.
 * @param {Cache} cache
 * @param {FolderFile} file
 */
async function kept(cache, file) {
  try {
    const bytes = await (await cache.match(address(file)))?.arrayBuffer();
    return bytes?.byteLength === file.bytes && (await isRight(bytes, file)) ? bytes : null;
  } catch {
    return null;
  }
}

/**
 * Unpacks more bytes. Returns true if the file is complete, false if not yet, null if it is damaged or another file.
 * @param {Unpacking} packed
 * @param {Uint8Array} came
 * @param {boolean} [last]
 */
function unpackedSoFar(packed, came, last) {
  try {
    return packed.push(came, last);
  } catch {
    return null;
  }
}

/**
 * Returns the number of bytes to fetch for a file.
 * @param {FolderFile} file
 */
const sentOf = ({ packed, bytes }) => packed || bytes;

/**
 * Reads and unpacks a host's answer for a file. Resolves to null if the length is wrong or the packed file damaged.
 * Rejects if the network cuts it off.
 * @param {any} answer
 * @param {FolderFile} file
 * @param {(count: number) => void} got
 */
async function unpacked(answer, file, got) {
  const bytes = new Uint8Array(file.bytes);
  const reader = answer.body.getReader();
  const packed = file.packed ? new Unpacking(bytes) : null;
  let at = 0;
  for (let { done, value } = await reader.read(); !done; { done, value } = await reader.read()) {
    if (packed) {
      const whole = unpackedSoFar(packed, value);
      if (whole !== false) reader.cancel().catch(() => {}); // surplus bytes are ignored
      if (whole === null) return null;
    } else if (at + value.length > file.bytes) {
      await reader.cancel();
      return null;
    } else {
      bytes.set(value, at);
    }
    at += value.length;
    got(value.length);
  }
  if (packed) {
    if (!unpackedSoFar(packed, new Uint8Array(), true)) return null;
    got(file.packed - at);
  }
  return packed || at === file.bytes ? bytes.buffer : null;
}

/**
 * Fetches a file from the host, and checks it. Rejects with Missing if there is no network, or if the host has another
 * version of the file.
 * @param {FolderFile} file
 * @param {(count: number) => void} [got]
 * @param {RequestCache} [way] the cache mode. The browser's cache may have the page's own scripts already. If they
 *   are wrong, the host is asked
 */
async function fetched(file, got = () => {}, way = 'force-cache') {
  const from = file.packed ? `${address(file)}.lzma` : address(file);
  let why = 'network';
  /** @type {RequestCache[]} */
  const ways = [way, 'reload'];
  for (const cache of ways) {
    let had = 0;
    try {
      const answer = await fetch(from, { cache, mode: 'same-origin' });
      why = answer.status < 500 ? 'differs' : 'network';
      const bytes = answer.ok
        ? await unpacked(answer, file, count => {
            had += count;
            got(count);
          })
        : null;
      if (bytes && (await isRight(bytes, file))) return bytes;
    } catch {
      why = 'network';
    }
    got(-had);
  }
  throw new Missing(why, file.name);
}

/**
 * @param {Cache} cache
 * @param {FolderFile} file
 * @param {ArrayBuffer} bytes
 */
async function keep(cache, file, bytes) {
  try {
    await cache.put(address(file), respond(bytes, 200, type(file.name)));
  } catch {
    throw new Missing('full', file.name);
  }
}

const coming = new Map();
const storing = new Map(); // the fetches under way, by name, until the file is in the cache
let done = 0;
let toldAt = 0; // the bytes last reported

/**
 * Reports newly fetched bytes.
 * @param {number} count
 * @param {any} of all bytes to fetch, or those of the large files
 */
function progress(count, of) {
  done += count;
  if (done < of && Date.now() < toldAt + TOLD_EVERY_MS) return;
  toldAt = Date.now();
  tell({ installing: { version: BUILT.version, done, of } });
}

/** @param {FolderFile[]} files */
const sizeOf = files => files.reduce((sum, file) => sum + sentOf(file), 0);

/**
 * The current try to install this version.
 * @type {Promise<unknown>}
 */
let tried = Promise.resolve();
/**
 * The error of the file that did not come, if any.
 * @type {any}
 */
let lacks = null;
/**
 * Called once a page knows the reason.
 * @type {(value?: unknown) => void}
 */
let answered;
const known = new Promise(resolve => {
  answered = resolve;
});

/**
 * Makes an install fail, but only once a page knows the reason (or after ASKED_WITHIN_MS): a failed version can't be
 * asked.
 * @param {any} error
 */
async function refuse(error) {
  lacks = error;
  await Promise.race([known, new Promise(late => setTimeout(late, ASKED_WITHIN_MS))]);
  throw error;
}

/**
 * Tells a page the reason why a needed file did not come, once it is known; '' if none is missing.
 * @param {MessagePort} port
 */
async function tellWhy(port) {
  await tried.catch(() => {});
  port.postMessage({ why: lacks ? (lacks.why ?? 'network') : '' });
  answered();
}

/**
 * Fetches these files into the cache.
 * @param {FolderFile[]} wanted
 * @param {boolean} [told] true to report progress to pages
 */
async function fill(wanted, told) {
  // small files first, as a guest needs some of them to go on as host
  const files = [...wanted].sort((one, other) => one.bytes - other.bytes);
  const of = sizeOf(files);
  const cache = await caches.open(CACHE);
  const earlier = await Promise.all((await earlierCaches()).map(name => caches.open(name)));
  const got = told ? (/** @type {number} */ count) => progress(count, of) : () => {};
  // not from the browser's HTTP cache, which may have files of another version
  const way = told ? 'no-cache' : 'force-cache';
  /** @param {FolderFile} file */
  async function have(file) {
    if (await kept(cache, file)) return got(sentOf(file));
    for (const other of earlier) {
      const bytes = await kept(other, file);
      if (bytes) {
        got(sentOf(file));
        return keep(cache, file, bytes);
      }
    }
    return keep(cache, file, await (coming.get(file.name) ?? fetched(file, got, way)));
  }
  const lane = async () => {
    for (let file = files.shift(); file; file = files.shift()) await have(file);
  };
  try {
    await Promise.all(Array.from({ length: LANES }, lane));
    if (told) await tell({ installing: { version: BUILT.version, done: of, of } });
  } finally {
    files.length = 0; // stops the other lanes. Files fetched so far stay in the cache
  }
}

async function install() {
  const first = (await earlierCaches()).length === 0;
  const all = [...FILES.values()];
  done = 0;
  if (!first) return fill(all, true);
  await bring(all);
  await fill(all.filter(({ bytes, name }) => bytes < LARGE && NEEDED.test(name)));
}

/**
 * Fetches the large files of a first visit one after another, as they share one connection. A page's request for such a
 * file waits for it.
 * @param {FolderFile[]} files
 */
async function bring(files) {
  const cache = await caches.open(CACHE);
  const here = new Set((await cache.keys()).map(({ url }) => url));
  /** @param {FolderFile} file */
  const turn = ({ name }) => TURNS.findIndex(kind => kind.test(name));
  const large = files
    .filter(file => file.bytes >= LARGE && turn(file) >= 0)
    .sort((one, other) => turn(one) - turn(other));
  const missing = large.filter(file => !here.has(address(file)));
  const of = sizeOf(missing);
  /** @type {Promise<unknown>} */
  let before = Promise.resolve();
  for (const file of missing) {
    const begun = before;
    before = new Promise((/** @type {(value?: unknown) => void} */ nearly) => {
      let had = 0;
      /** @param {number} count */
      const got = count => {
        had += count;
        progress(count, of);
        if (had > NEARLY * sentOf(file)) nearly();
      };
      const bytes = begun.then(() => fetched(file, got));
      coming.set(file.name, bytes);
      bytes.then(nearly, nearly);
      storing.set(
        file.name,
        bytes
          .then(found => keep(cache, file, found))
          .catch(() => {})
          .finally(() => coming.delete(file.name)),
      );
    });
  }
}

/** Fetches the files that the first install left out. Resolves to true if all files are here now. */
async function complete() {
  const cache = await caches.open(CACHE);
  const here = new Set((await cache.keys()).map(({ url }) => url));
  const missing = [...FILES.values()].filter(file => !here.has(address(file)));
  return fill(missing).then(
    () => true,
    () => false,
  );
}

const earlierCaches = async () => (await caches.keys()).filter(name => name.startsWith(OURS) && name !== CACHE);

/**
 * Returns the bytes of a file, fetched again if necessary; null if it can't be had.
 * @param {FolderFile} file
 */
async function had(file) {
  const cache = await caches.open(CACHE);
  return (!coming.has(file.name) && (await kept(cache, file))) || again(cache, file);
}

/**
 * Fetches a missing or damaged file from the host again. Resolves to its bytes; null if it can't be had.
 * @param {Cache} cache
 * @param {FolderFile} file
 */
async function again(cache, file) {
  try {
    if (coming.has(file.name)) return await coming.get(file.name);
    coming.set(file.name, fetched(file));
    const found = await coming.get(file.name);
    keep(cache, file, found).catch(() => {}); // if the disk is full, the page gets the file all the same
    if (lacks?.file === file.name) lacks = null;
    return found;
  } catch (error) {
    return lost(file, error);
  } finally {
    coming.delete(file.name);
  }
}

/**
 * Reports a needed file that can't be had. Returns null, in place of its bytes.
 * @param {FolderFile} file
 * @param {any} error
 */
async function lost(file, error) {
  const comesLater = file.bytes >= LARGE || !NEEDED.test(file.name); // such a file comes only after the first install
  const isNew = comesLater && !(await (await caches.open(CACHE)).match(address(file)));
  lacks = isNew ? error : new Missing('damaged', file.name);
  registration.update().catch(() => {}); // the host may have a newer version, complete
  if (!isNew) await tell({ damaged: { name: file.name, told: WORDS[LANGUAGE].damaged } });
  return null;
}

/**
 * Returns the cache's own answer for a file; null if it is missing or damaged. For such an answer browsers keep the
 * compiled WebAssembly, but not for an answer that a service worker makes.
 * @param {FolderFile} file
 */
async function asItLies(file) {
  const cache = await caches.open(CACHE);
  await storing.get(file.name);
  return (await kept(cache, file)) ? cache.match(address(file)) : null;
}
