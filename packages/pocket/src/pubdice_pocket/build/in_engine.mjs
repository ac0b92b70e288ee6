/** Runs in_engine.py in the engine whose files lie in a folder: node in_engine.mjs FOLDER. */
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(`${folder}/pyodide.mjs`).href);
// No columns in bytecode, and sets in one order, give the same bytes every time.
const python = await loadPyodide({ indexURL: `${folder}/`, env: { PYTHONNODEBUGRANGES: '1', PYTHONHASHSEED: '0' } });
python.mountNodeFS('/made', folder);
let status = 0;
try {
  await python.runPythonAsync(`${readFileSync(new URL('in_engine.py', import.meta.url), 'utf8')}\nawait main()`);
} catch (error) {
  console.error(String(error));
  status = 1;
}
process.exit(status); // the engine leaves handles open
