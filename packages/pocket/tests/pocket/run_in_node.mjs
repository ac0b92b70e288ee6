// The engine with the house in it, run by Node. FOLDER has the engine's files, house.zip and libraries.js, unpacked. It
// runs main() of a Python module, and prints its result.
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const folder = process.argv[2];
const { loadPyodide } = await import(pathToFileURL(`${folder}/engine/pyodide.mjs`));
const python = await loadPyodide({ indexURL: `${folder}/engine/` });
python.FS.mkdirTree('/house');
python.FS.mkdirTree('/pocket');
python.unpackArchive(new Uint8Array(readFileSync(`${folder}/house.zip`)), 'zip', { extractDir: '/house' });
const { LIBRARIES } = await import(
  `data:text/javascript,${encodeURIComponent(readFileSync(`${folder}/libraries.js`, 'utf8'))}`
);
for (const path of LIBRARIES)
  python.FS.writeFile(`/house/${path}`, readFileSync(`${folder}/engine/${path.split('/').at(-1)}`));
python.runPython(`import sys; sys.path.insert(0, '/house')`);
const told = await python.runPythonAsync(`${readFileSync(process.argv[3], 'utf8')}\nawait main()`);
console.log(told);
process.exit(0);
