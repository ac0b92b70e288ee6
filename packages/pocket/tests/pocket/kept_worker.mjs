// Python in a browser's worker, on the files of a pocket house below /kept. It runs the code of each message, and
// returns the result.

import createModule from './engine/pyodide.asm.mjs';
import { loadPyodide } from './engine/pyodide.mjs';
import { keptFileSystem, openPool, withDataSync } from './kept_files.js';
import { LIBRARIES } from './libraries.js';

let flushes = 0;
const { flush } = FileSystemSyncAccessHandle.prototype;
FileSystemSyncAccessHandle.prototype.flush = function () {
  flushes += 1;
  return flush.call(this);
};

async function begin() {
  const indexURL = new URL('./engine/', import.meta.url).href;
  const createPyodideModule = settings => createModule(withDataSync(settings));
  const [files, python] = await Promise.all([openPool('tests', 100), loadPyodide({ indexURL, createPyodideModule })]);
  python.FS.mkdirTree('/kept');
  python.FS.mount(keptFileSystem(python.FS, files), {}, '/kept');
  for (const name of ['house.zip', 'tests.zip'])
    python.unpackArchive(await (await fetch(name)).arrayBuffer(), 'zip', { extractDir: '/packages' });
  for (const path of LIBRARIES)
    python.FS.writeFile(`/packages/${path}`, new Uint8Array(await (await fetch(path.split('/').at(-1))).arrayBuffer()));
  python.registerJsModule('disk', { flushes: () => flushes });
  python.runPython(`import sys; sys.path.insert(0, '/packages')`);
  return python;
}

const python = begin();
self.onmessage = async ({ data }) => {
  try {
    postMessage({ came: await (await python).runPythonAsync(data) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};
