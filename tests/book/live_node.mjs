/* The page's Python in Node: `node live_node.mjs FOLDER FILE`, the file being [[topic, source], …] as JSON. */
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, file] = process.argv.slice(2);
const { loadPyodide } = await import(join(folder, "pyodide", "pyodide.mjs"));
const py = await loadPyodide({ indexURL: join(folder, "pyodide") });
py._module.LDSO.loadedLibsByName.__main__.exports.backtrace = () => 0;
const packages = py.runPython("import site; site.getsitepackages()[0]");
for (const name of ["numpy.zip", "linclass.zip"]) {
  py.unpackArchive(new Uint8Array(readFileSync(join(folder, name))), "zip", { extractDir: packages });
}
for (const name of ["pictures.py", "by_matplotlib.py"]) py.FS.writeFile(`${packages}/${name}`, readFileSync(join(folder, name)));
py.runPython(readFileSync(join(folder, "interpreter.py"), "utf8"));
const check = py.runPython("import json\nlambda source, topic: json.dumps(check(source, topic))");
const asked = JSON.parse(readFileSync(file, "utf8"));
console.log(JSON.stringify(asked.map(([topic, source]) => JSON.parse(check(source, topic)))));
