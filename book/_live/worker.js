/* The page's Python: one interpreter, in a worker of its own, so that the page never waits and Stop can end it.

The first message says where the files are and how they are called in this build. All of them go through `get`, which
keeps them in the browser's own store: a worker started again, on this page or the next, needs no network. */
const tell = (message) => postMessage(message);
let python, py;

// Python has so much memory and no more: an array too many is then a MemoryError, and not the end of the page.
const MOST = 2 ** 30, PAGE = 2 ** 16; // bytes
const { grow } = WebAssembly.Memory.prototype;
WebAssembly.Memory.prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * PAGE > MOST) throw new RangeError("no more memory");
  return grow.call(this, pages);
};

// `home` is where the interpreter is; `packages` are what it brings along itself, if it is a full distribution.
async function start({ base, name, total, home, packages }) {
  const store = await self.caches?.open(name).catch(() => undefined); // a private window may refuse
  let loaded = 0;
  const remote = self.fetch;
  const get = async (file, options) => {
    const address = new URL(file, base).href;
    const kept = await store?.match(address);
    if (kept) return kept;
    const response = await remote(address, options);
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

  const archives = Promise.all([...(packages ? [] : ["numpy.zip"]), "linclass.zip"].map(bytes));
  const ours = ["pictures.py", "by_matplotlib.py", "interpreter.py"];
  const texts = Promise.all(ours.map(async (file) => (await get(file)).text()));
  const indexURL = new URL(home, base).href;
  const { loadPyodide } = await script(`${indexURL}pyodide.mjs`);
  await script(`${indexURL}pyodide.asm.js`); // else the loader would look for it itself
  self.fetch = (address, options) => (String(address).startsWith(indexURL) ? get(address, options) : remote(address, options));
  py = await loadPyodide({ indexURL });
  if (packages) await py.loadPackage(packages);
  // Our NumPy asks who called it before it reuses a large temporary array, by a function that this build of C has not.
  // An empty answer makes it take a new array.
  else py._module.LDSO.loadedLibsByName.__main__.exports.backtrace = () => 0;
  self.fetch = remote;
  const folder = py.runPython("import site; site.getsitepackages()[0]");
  for (const archive of await archives) py.unpackArchive(archive, "zip", { extractDir: folder });
  python = py.toPy({ __name__: "interpreter" });
  (await texts).forEach((text, k) => py.FS.writeFile(`${folder}/${ours[k]}`, text));
  py.runPython((await texts).at(-1), { globals: python });
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
