/* The page's Python: one interpreter, in a worker of its own, so that the page never waits and Stop can end it.

The first message says where the files are and how they are called in this build. All of them go through `get`, which
keeps them in the browser's own store: a worker started again, on this page or the next, needs no network. */
const tell = (message) => postMessage(message);
let python, py;

async function start({ base, name, total }) {
  const store = self.caches && await caches.open(name);
  let loaded = 0;
  const get = async (file) => {
    const address = new URL(file, base).href;
    const kept = await store?.match(address);
    if (kept) return kept;
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${file} could not be fetched (${response.status})`);
    const counter = new TransformStream({
      transform(chunk, controller) {
        loaded += chunk.length;
        tell({ loaded, total });
        controller.enqueue(chunk);
      },
    });
    const whole = new Response(await new Response(response.body.pipeThrough(counter)).blob(), { headers: response.headers });
    await store?.put(address, whole.clone()).catch(() => {}); // a full disk is no reason to stop
    return whole;
  };
  const script = async (file) => import(URL.createObjectURL(new Blob([await (await get(file)).blob()], { type: "text/javascript" })));
  const bytes = async (file) => new Uint8Array(await (await get(file)).arrayBuffer());

  const archives = Promise.all(["numpy.zip", "linclass.zip"].map(bytes));
  const ours = Promise.all(["pictures.py", "interpreter.py"].map(async (file) => (await get(file)).text()));
  const [{ loadPyodide }, lock] = [await script("pyodide/pyodide.mjs"), await get("pyodide/pyodide-lock.json")];
  await script("pyodide/pyodide.asm.js"); // else the loader would look for it itself
  const files = Object.fromEntries(await Promise.all(["pyodide.asm.wasm", "python_stdlib.zip"].map(
    async (file) => [file, await get(`pyodide/${file}`)])));
  const remote = self.fetch; // what the loader asks for is at hand
  self.fetch = async (address, options) => files[String(address).split("/").pop()]?.clone() || remote(address, options);
  py = await loadPyodide({ indexURL: new URL("pyodide/", base).href, lockFileURL: URL.createObjectURL(await lock.blob()) });
  self.fetch = remote;
  // NumPy asks who called it before it reuses a large temporary array, by a function that this build of C has not. An
  // empty answer makes it take a new array.
  py._module.LDSO.loadedLibsByName.__main__.exports.backtrace = () => 0;
  const folder = py.runPython("import site; site.getsitepackages()[0]");
  for (const archive of await archives) py.unpackArchive(archive, "zip", { extractDir: folder });
  python = py.toPy({ __name__: "interpreter" });
  const [pictures, interpreter] = await ours;
  py.FS.writeFile(`${folder}/pictures.py`, pictures);
  py.runPython(interpreter, { globals: python });
  py.runPython("pictures.stand_in()", { globals: python });
}

const plain = (value) => (value?.toJs ? value.toJs({ dict_converter: Object.fromEntries }) : value);
const acts = {
  start,
  run: ({ id, code, name }) => python.get("run")(code, name, (text) => tell({ id, printed: text })),
  check: ({ source, topic }) => python.get("check")(source, topic),
  plug: ({ files }) => python.get("plug")(py.toPy(files)),
};
onmessage = async ({ data }) => {
  try {
    tell({ id: data.id, answer: plain(await acts[data.act](data)) });
  } catch (error) {
    tell({ id: data.id, failed: String(error.message || error) });
  }
};
