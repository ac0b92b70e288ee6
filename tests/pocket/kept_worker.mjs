// Python in a browser's worker, on the files that a pocket house keeps: /kept. Runs what it is told, and tells what came.
import { loadPyodide } from './engine/pyodide.mjs';
import { keptFileSystem, openPool } from './kept_files.js';
import { LIBRARIES } from './libraries.js';

async function begin() {
  const [files, python] = await Promise.all([openPool('tests', 100), loadPyodide({ indexURL: new URL('./engine/', import.meta.url).href })]);
  python.FS.mkdirTree('/kept');
  python.FS.mount(keptFileSystem(python.FS, files), {}, '/kept');
  for (const name of ['house.zip', 'later.zip', 'tests.zip'])
    python.unpackArchive(await (await fetch(name)).arrayBuffer(), 'zip', { extractDir: '/packages' });
  for (const path of LIBRARIES)
    python.FS.writeFile(`/packages/${path}`, new Uint8Array(await (await fetch(path.split('/').at(-1))).arrayBuffer()));
  python.runPython(`import sys; sys.path.insert(0, '/packages')`);
  return python;
}

const python = begin();
onmessage = async ({ data }) => {
  try {
    postMessage({ came: await (await python).runPythonAsync(data) });
  } catch (error) {
    postMessage({ failed: String(error) });
  }
};
