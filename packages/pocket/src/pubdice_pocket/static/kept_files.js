/**
 * Files on this phone for Emscripten's file system. Every call returns at once, and fsync returns when the bytes are on
 * the disk.
 *
 * They lie in the origin private file system. Opening a file there takes a promise, and a write of SQLite cannot wait
 * for one. So a pool of access handles is opened beforehand. Each file of the pool starts with a header with its path.
 * A file without a path is spare. (SQLite's own WebAssembly build has the same design, as its SAH pool.)
 *
 * A header also has a generation, so a rename is one write: of two files with one path, the later one counts.
 */

const HEADER = 4096;
const NAMED = 512;
const SPARE = 16;
const MOST_PATH = 400;
const BLOCK = 4096;
// error numbers of Emscripten
const [PERM, NOENT, IO, EXIST, ISDIR, INVAL, NOSPC, NOTEMPTY, NAMETOOLONG] = [63, 44, 29, 20, 31, 28, 51, 55, 37];
const DIRECTORY = 0o40700;
const FILE = 0o100600;
const OFFSET_BASIS = 0x811c9dc5;
const PRIME = 0x01000193;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * A checksum (32-bit FNV-1a). The checksum of an incomplete header does not match.
 * @param {string} text
 */
function sum(text) {
  let found = OFFSET_BASIS;
  for (const byte of encoder.encode(text)) found = Math.imul(found ^ byte, PRIME) >>> 0;
  return found.toString(16);
}

/**
 * A file of the pool. The path is "" if the file is spare, and null if its header cannot be read. The size does not
 * count the header. The size is cached: there is no other writer, and SQLite asks for it before most calls.
 */
export class KeptFile {
  /** @param {FileSystemSyncAccessHandle} handle */
  constructor(handle) {
    this.handle = handle;
    this.changed = Date.now();
    this.size = Math.max(0, handle.getSize() - HEADER);
    const bytes = new Uint8Array(NAMED);
    const length = handle.read(bytes, { at: 0 });
    const written = decoder.decode(bytes.subarray(0, length));
    const [path, generation, found] = written.split('\n');
    this.generation = +generation || 0;
    this.path = found === sum(path + generation) ? path : /^\0*$/.test(written) ? '' : null;
  }

  /**
   * Gives the file a path, or "" for none. The change is on the disk when this returns.
   * @param {string} path
   * @param {number} generation
   */
  call(path, generation) {
    const bytes = new Uint8Array(NAMED);
    encoder.encodeInto(`${path}\n${generation}\n${sum(`${path}${generation}`)}\n`, bytes);
    if (this.handle.write(bytes, { at: 0 }) < NAMED) throw new DOMException('', 'QuotaExceededError');
    this.handle.flush();
    Object.assign(this, { path, generation, changed: Date.now() });
    if (!path) this.truncate(0);
  }

  /**
   * Reads into a buffer. Returns the number of bytes.
   * @param {any} buffer
   * @param {number} position
   */
  read(buffer, position) {
    return this.handle.read(buffer, { at: HEADER + position });
  }

  /**
   * Writes bytes. Returns their number, which is smaller if the device has no room.
   * @param {Uint8Array} bytes
   * @param {number} position
   */
  write(bytes, position) {
    const count = this.handle.write(bytes, { at: HEADER + position });
    this.size = Math.max(this.size, position + count);
    this.changed = Date.now();
    return count;
  }

  /** @param {number} size */
  truncate(size) {
    this.handle.truncate(HEADER + size);
    this.size = size;
  }

  /** Waits until the whole file is on the disk. */
  flush() {
    this.handle.flush();
  }
}

/**
 * Opens the pool of a folder in the origin private file system, with at least `spare` spare files if there is room. All
 * files are opened in parallel, as each takes a call to another process. Rejects if another tab has the pool open,
 * or if storage is denied. The error's `isThere` is true if the folder has files.
 * @param {string} folder
 * @param {any} [spare]
 */
export async function openPool(folder, spare = SPARE) {
  const root = await navigator.storage.getDirectory();
  const directory = await root.getDirectoryHandle(folder, { create: true });
  /** @type {any[]} */
  const entries = [];
  // not Array.fromAsync, which the oldest supported browsers lack
  for await (const entry of directory.values()) entries.push(entry);
  /** @type {PromiseSettledResult<KeptFile>[]} */
  const tried = await Promise.allSettled(
    entries.map(async entry => new KeptFile(await entry.createSyncAccessHandle())),
  );
  const files = tried.flatMap(each => (each.status === 'fulfilled' ? each.value : []));
  const refused = tried.flatMap(each => (each.status === 'rejected' ? each.reason : []))[0];
  if (refused) {
    closePool(files);
    throw Object.assign(refused, { isThere: true });
  }
  files.sort((one, other) => other.generation - one.generation);
  for (const [at, file] of files.entries()) {
    if (file.path && files.findIndex(({ path }) => path === file.path) < at) file.call('', 0);
  }
  const lacking = Math.max(0, spare - files.filter(({ path }) => path === '').length);
  const made = await Promise.allSettled(
    Array.from({ length: lacking }, async (_, more) => {
      const entry = await directory.getFileHandle(`${Date.now()}-${more}-${Math.random()}`, { create: true });
      const file = new KeptFile(await entry.createSyncAccessHandle());
      // reserves the header, so SQLite's journal finds room on a full device
      file.truncate(0);
      return file;
    }),
  );
  files.push(...made.flatMap(each => (each.status === 'fulfilled' ? each.value : [])));
  // on a full device the existing files can still be read
  if (!files.length) throw made.flatMap(each => (each.status === 'rejected' ? each.reason : []))[0];
  return files;
}

/**
 * Returns the settings of an Emscripten module with a real fdatasync, by which SQLite waits for the disk. Emscripten's
 * own does nothing.
 * @param {Record<string, any>} settings
 */
export function withDataSync({ instantiateWasm, ...settings }) {
  return {
    ...settings,
    /**
     * @param {any} imports
     * @param {any} done
     */
    instantiateWasm(imports, done) {
      imports.env.__syscall_fdatasync = (/** @type {number} */ file) => -imports.wasi_snapshot_preview1.fd_sync(file);
      return instantiateWasm(imports, done);
    },
  };
}

/**
 * Closes the pool, so another tab can open it.
 * @param {KeptFile[]} files
 */
export function closePool(files) {
  for (const { handle } of files) handle.close();
}

/**
 * Returns the file system type of a pool, for `FS.mount`. An empty folder exists only until the engine ends.
 * @param {any} FS
 * @param {KeptFile[]} files
 * @param {() => void} [full] called when the device has no room left
 * @param {() => void} [writing] called before each write
 */
export function keptFileSystem(FS, files, full = () => {}, writing = () => {}) {
  /** @param {number} code */
  const fail = code => {
    throw new FS.ErrnoError(code);
  };
  /** @param {string} path */
  const at = path => files.find(file => file.path === path);
  /**
   * @param {any} parent
   * @param {string} name
   */
  const pathOf = (parent, name) => (parent.path ? `${parent.path}/${name}` : name);
  /** @param {string} path */
  const below = path => files.filter(file => file.path?.startsWith(path ? `${path}/` : ''));
  const next = () => Math.max(...files.map(({ generation }) => generation)) + 1;

  /**
   * Does work on the disk. A failure becomes an error of the file system.
   * @template T
   * @param {() => T} work
   */
  function onDisk(work) {
    try {
      return work();
    } catch (/** @type {any} */ error) {
      if (error.name !== 'QuotaExceededError') return fail(IO);
      full();
      return fail(NOSPC);
    }
  }

  /**
   * @param {any} parent
   * @param {string} name
   * @param {string} path
   * @param {KeptFile} [kept]
   */
  function make(parent, name, path, kept) {
    const node = FS.createNode(parent, name, kept ? FILE : DIRECTORY, 0);
    return Object.assign(node, { node_ops: nodes, stream_ops: kept ? streams : { llseek }, kept, path });
  }

  /**
   * @param {any} stream
   * @param {number} offset
   * @param {number} whence
   */
  function llseek({ position, node }, offset, whence) {
    const to = offset + [0, position, node.kept?.size ?? 0][whence];
    return to < 0 ? fail(INVAL) : to;
  }

  const nodes = {
    /** @param {any} node */
    getattr({ id, mode, kept }) {
      const time = new Date(kept?.changed ?? 0);
      const size = kept?.size ?? BLOCK;
      return {
        dev: 1,
        ino: id,
        mode,
        nlink: 1,
        uid: 0,
        gid: 0,
        rdev: 0,
        size,
        atime: time,
        mtime: time,
        ctime: time,
        blksize: BLOCK,
        blocks: Math.ceil(size / BLOCK),
      };
    },
    /**
     * @param {any} node
     * @param {{mode?: number, size?: number}} attributes
     */
    setattr(node, { mode, size }) {
      const { kept } = node;
      node.mode = mode ?? node.mode;
      if (size !== undefined) onDisk(() => kept.truncate(size));
    },
    /**
     * @param {any} parent
     * @param {string} name
     */
    lookup(parent, name) {
      const path = pathOf(parent, name);
      const file = at(path);
      return file || below(path).length ? make(parent, name, path, file) : fail(NOENT);
    },
    /**
     * @param {any} parent
     * @param {string} name
     * @param {number} mode
     */
    mknod(parent, name, mode) {
      const path = pathOf(parent, name);
      if (encoder.encode(path).length > MOST_PATH) fail(NAMETOOLONG);
      if (FS.isDir(mode)) return make(parent, name, path);
      if (!FS.isFile(mode)) fail(PERM);
      if (at(path)) fail(EXIST);
      onDisk(writing); // the callback may free a file
      const spare = at('') ?? fail(NOSPC);
      onDisk(() => {
        // a phone that died during a write may have left bytes
        spare.truncate(0);
        spare.call(path, next());
      });
      return make(parent, name, path, spare);
    },
    /**
     * @param {any} node
     * @param {any} parent
     * @param {string} name
     */
    rename(node, parent, name) {
      if (!node.kept) fail(PERM);
      const path = pathOf(parent, name);
      const before = at(path);
      onDisk(() => node.kept.call(path, next()));
      if (before && before !== node.kept) onDisk(() => before.call('', 0));
      try {
        FS.hashRemoveNode(FS.lookupNode(parent, name));
      } catch {
        // no file had this name
      }
      Object.assign(node, { path, name });
    },
    /**
     * @param {any} parent
     * @param {string} name
     */
    unlink(parent, name) {
      const file = at(pathOf(parent, name)) ?? fail(ISDIR);
      onDisk(() => file.call('', 0));
    },
    /**
     * @param {any} parent
     * @param {string} name
     */
    rmdir: (parent, name) => below(pathOf(parent, name)).length && fail(NOTEMPTY),
    /** @param {any} node */
    readdir({ path }) {
      const from = path ? path.length + 1 : 0;
      return ['.', '..', ...new Set(below(path).map(file => (file.path ?? '').slice(from).split('/')[0]))];
    },
  };
  const streams = {
    llseek,
    /**
     * @param {any} stream
     * @param {Uint8Array} buffer
     * @param {number} offset
     * @param {number} length
     * @param {number} position
     */
    read({ node }, buffer, offset, length, position) {
      return onDisk(() => node.kept.read(buffer.subarray(offset, offset + length), position));
    },
    /**
     * @param {any} stream
     * @param {Uint8Array} buffer
     * @param {number} offset
     * @param {number} length
     * @param {number} position
     */
    write({ node }, buffer, offset, length, position) {
      const count = onDisk(() => {
        writing();
        return node.kept.write(buffer.subarray(offset, offset + length), position);
      });
      if (count || !length) return count;
      full();
      return fail(NOSPC);
    },
    /** @param {any} stream */
    fsync: ({ node }) => onDisk(() => node.kept.flush()) ?? 0,
  };
  return { mount: () => make(null, '/', '') };
}
