/** The folder's files, each checked: from the cache, from an earlier version's cache, or from the host. */
const LARGE = 200_000; // bytes from which a file comes in its turn, on the first visit
const TURNS = [/\.asm\.mjs$/, /\.wasm$/, /^pocket\/engine\//, /^pocket\/house/];
// of the small files: pictures, licences and the scripts about other phones come with the rest
const NEEDED = /^(?!pocket\/(phones|going_on|licences)).*\.(html|js|mjs|css)$|^pocket\/(engine\/|front)/;
const NEARLY = 0.75; // of a file: then the next is asked for, so the line has no pause
const LANES = 4; // small files fetched at once: over HTTP/1.1 browsers do six, and two are for the large files
const TOLD_EVERY_MS = 200;
// for so long a version that is not installed can be asked for the reason; later a page starts the install again
const ASKED_WITHIN_MS = 5000;

/** The error for a file that did not come. A page that asks gets its `why`. */
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
 * The bytes of a file in a cache. Null if it is missing or damaged.
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
 * True if the file is complete with these bytes, else false. Null if it is damaged, or another file.
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
 * The bytes to fetch for a file.
 * @param {FolderFile} file
 */
const sentOf = ({ packed, bytes }) => packed || bytes;

/**
 * A host's answer for a file, unpacked. Null if its length is wrong, or if it is packed and damaged. Rejects if the
 * network cuts it off.
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
 * A file from the host, checked. Rejects with Missing if there is no network, or if the host has another version of it.
 * @param {FolderFile} file
 * @param {(count: number) => void} [got]
 * @param {RequestCache} [way] the cache mode: the browser may have the page's own scripts already, and if they are
 *   wrong, the host is asked
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
const storing = new Map(); // fetches under way by name, until the file is in the cache
let done = 0;
let toldAt = 0; // bytes

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
 * The install.
 * @type {Promise<unknown>}
 */
let tried = Promise.resolve();
/**
 * The error about a missing file.
 * @type {any}
 */
let lacks = null;
/**
 * Called once a page knows.
 * @type {(value?: unknown) => void}
 */
let answered;
const known = new Promise(resolve => {
  answered = resolve;
});

/**
 * Fails an install once a page knows the reason: after that this version can't be asked.
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
  // small files first: a guest who goes on as host needs some of them
  const files = [...wanted].sort((one, other) => one.bytes - other.bytes);
  const of = sizeOf(files);
  const cache = await caches.open(CACHE);
  const earlier = await Promise.all((await earlierCaches()).map(name => caches.open(name)));
  const got = told ? (/** @type {number} */ count) => progress(count, of) : () => {};
  // the browser's HTTP cache has files of another version
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
    files.length = 0; // fetched files stay, for the next try
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
 * Fetches the large files of a first visit one after another, as they share one line. A request for one of them waits
 * for it.
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

/** Fetches the files that the first visit has not asked for. True if everything is here now. */
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
 * The bytes of a file, fetched again if necessary; null if it can't be had.
 * @param {FolderFile} file
 */
async function had(file) {
  const cache = await caches.open(CACHE);
  return (!coming.has(file.name) && (await kept(cache, file))) || again(cache, file);
}

/**
 * The bytes of a missing or damaged file, from the host; null if it can't be had.
 * @param {Cache} cache
 * @param {FolderFile} file
 */
async function again(cache, file) {
  try {
    if (coming.has(file.name)) return await coming.get(file.name);
    coming.set(file.name, fetched(file));
    const found = await coming.get(file.name);
    keep(cache, file, found).catch(() => {}); // a full disk: the page gets the file all the same
    if (lacks?.file === file.name) lacks = null;
    return found;
  } catch (error) {
    return lost(file, error);
  } finally {
    coming.delete(file.name);
  }
}

/**
 * Handles a needed file that can't be had. Returns null for its bytes.
 * @param {FolderFile} file
 * @param {any} error
 */
async function lost(file, error) {
  const comesLater = file.bytes >= LARGE || !NEEDED.test(file.name); // after the install of a first visit
  const isNew = comesLater && !(await (await caches.open(CACHE)).match(address(file)));
  lacks = isNew ? error : new Missing('damaged', file.name);
  registration.update().catch(() => {}); // the host may have a newer version, and that one is complete
  if (!isNew) await tell({ damaged: { name: file.name, told: WORDS[LANGUAGE].damaged } });
  return null;
}

/**
 * A file as it is in the cache; null if it is missing or damaged. Browsers keep compiled WebAssembly for an answer from
 * a cache, and for no answer that a service worker makes.
 * @param {FolderFile} file
 */
async function asItLies(file) {
  const cache = await caches.open(CACHE);
  await storing.get(file.name);
  return (await kept(cache, file)) ? cache.match(address(file)) : null;
}
