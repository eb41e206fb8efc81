/* Run, change and check Python on a page. Nothing of Python is fetched before the first click.

A chapter's cells get Run and Reset; an exercise's cell gets Check; an assignment's page gets an editor for each function.
All share one interpreter, in a worker (worker.js). */
(() => {
  const base = new URL("./", document.currentScript.src);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else if (name in element && typeof value !== "string") element[name] = value;
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  };
  const button = (text, onclick, attributes = {}) => make("button", { type: "button", onclick, ...attributes }, text);

  // What a browser keeps for its reader: functions of assignments, answers to exercises. It may refuse to.
  const kept = {
    get(key) { try { return localStorage.getItem(`linclass:${key}`); } catch { return null; } },
    set(key, text) { try { localStorage.setItem(`linclass:${key}`, text); return true; } catch { return false; } },
    remove(key) { try { localStorage.removeItem(`linclass:${key}`); } catch { /* nothing was kept */ } },
    topics() {
      try {
        return Object.keys(localStorage).flatMap((key) => key.match(/^linclass:topic:(\w+)$/)?.[1] || []);
      } catch { return []; }
    },
  };

  // The interpreter.
  const engine = {
    worker: null, waiting: new Map(), number: 0, started: null,
    start(status) {
      this.status = status;
      return this.started ||= this.begin().catch((error) => { this.stop(); throw error; });
    },
    async begin() {
      if (location.protocol === "file:") {
        throw new Error("Python needs a server: run “make serve” in the project, or read this page online.");
      }
      // The name of this build; once fetched, the files are kept under it, and a page without a network finds the last one.
      let manifest;
      try {
        manifest = await (await fetch(new URL("manifest.json", base), { cache: "no-cache" })).json();
        kept.set("manifest", JSON.stringify(manifest));
      } catch (error) {
        manifest = JSON.parse(kept.get("manifest"));
        if (!manifest) throw new Error("Python could not be fetched: is there a network?");
      }
      const store = await window.caches?.open(manifest.name).catch(() => undefined); // a private window may refuse
      if (store) for (const name of await caches.keys()) {
        if (name.startsWith("linclass-live-") && name !== manifest.name) await caches.delete(name);
      }
      const address = new URL("worker.js", base).href;
      let code = await store?.match(address);
      if (!code) {
        code = await fetch(address);
        await store?.put(address, code.clone()).catch(() => {});
      }
      const text = new Blob([await code.blob()], { type: "text/javascript" });
      this.worker = new Worker(URL.createObjectURL(text), { type: "module" });
      this.worker.onmessage = ({ data }) => this.hear(data);
      await this.ask({ act: "start", base: base.href, ...manifest });
      this.status("");
      if (mine.on) mine.say(await this.ask({ act: "plug", files: mine.files() }));
    },
    hear({ id, loaded, total, printed, answer, failed }) {
      const megabytes = (bytes) => (bytes / 1e6).toFixed(1);
      if (loaded) this.status(`Loading Python: ${megabytes(loaded)}${loaded <= total ? ` of ${megabytes(total)}` : ""} MB`);
      const asked = this.waiting.get(id);
      if (!asked) return;
      if (printed !== undefined) return asked.print(printed);
      this.waiting.delete(id);
      if (failed === undefined) return asked.resolve(answer);
      asked.reject(new Error(failed)); // Python catches its own errors: this interpreter has come to its end
      this.stop(failed);
    },
    ask(message, print = () => {}) {
      return new Promise((resolve, reject) => {
        const id = ++this.number;
        this.waiting.set(id, { resolve, reject, print });
        this.worker.postMessage({ id, ...message });
      });
    },
    stop(reason = "Stopped.") {
      this.worker?.terminate();
      this.waiting.forEach(({ reject }) => reject(new Error(reason)));
      this.waiting.clear();
      this.worker = this.started = null;
      cells.forEach((cell) => { cell.ran = false; });
    },
  };
  let editing;
  const editor = () => editing ||= import(new URL("editor.js", base));

  // A chapter may compute with the reader's own functions, as kept by the assignments' pages.
  const mine = {
    get on() { return kept.get("mine") === "on" && kept.topics().length > 0; },
    note: make("span"),
    say(functions) { this.note.textContent = `Cells on this page compute with your functions: ${functions}. `; },
    files: () => Object.fromEntries(kept.topics().map((topic) => [`${topic}.py`, JSON.parse(kept.get(`topic:${topic}`)).join("\n\n\n")])),
  };

  class Cell {
    constructor(box, index) {
      const input = box.querySelector(".cell_input");
      Object.assign(this, { box, index, input, ran: false, editor: null });
      this.original = input.querySelector("pre").textContent.replace(/\n$/, "");
      this.exercise = box.matches(".tag_exercise");
      this.key = `cell:${location.pathname}:${index}`;
      this.code = this.exercise ? kept.get(this.key) || this.original : this.original;
      this.built = box.querySelector(".cell_output");
      this.output = make("div", { class: "live-output" });
      this.status = make("span", { class: "live-status", role: "status" });
      this.go = button(this.exercise ? "Check" : "Run", () => (this.busy ? engine.stop() : this.run()), { class: "live-run" });
      this.above = button("Run all above", () => this.runAbove(), { hidden: index === 0 });
      this.reset = button("Reset", () => this.restore(), { hidden: this.code === this.original });
      input.after(make("div", { class: "live-bar" }, this.go, this.above, this.reset, this.status), this.output);
      if (this.code !== this.original) this.edit();
    }
    say(text) { this.status.textContent = text; }
    async edit() {
      if (this.editor) return;
      const { edit } = await editor();
      if (this.editor) return;
      const place = this.input.querySelector(".highlight");
      place.querySelector("pre").hidden = true;
      place.querySelector(".copy")?.remove();
      this.editor = edit(place, {
        doc: this.code, label: `Code of cell ${this.index + 1}`, onRun: () => this.run(),
        onChange: (text) => {
          this.code = text;
          this.ran = false;
          this.reset.hidden = text === this.original;
          if (this.exercise) kept.set(this.key, text);
        },
      });
    }
    restore() {
      kept.remove(this.key);
      this.editor?.set(this.original);
      this.output.replaceChildren();
      this.built?.classList.remove("replaced");
      this.reset.hidden = true;
      this.say("");
      this.go.focus();
    }
    // While something runs, the button that began it stops it.
    async work(task) {
      if (this.busy) return;
      this.busy = true;
      this.go.textContent = "Stop";
      try {
        await engine.start((text) => this.say(text));
        this.say(await task());
      } catch (error) {
        this.say(error.message);
      } finally {
        this.busy = false;
        this.go.textContent = this.exercise ? "Check" : "Run";
      }
    }
    // Those above that have not run yet, or all of them, shown; one that fails says so itself, and the others go on.
    async catchUp(again) {
      const above = cells.slice(0, this.index).filter((cell) => again || !cell.ran);
      for (const [k, cell] of above.entries()) {
        this.say(`Running the cells above: ${k + 1} of ${above.length}`);
        await cell.execute(again);
      }
    }
    runAbove() {
      return this.work(async () => {
        await this.catchUp(true);
        return "The cells above have run.";
      });
    }
    run() {
      this.edit();
      return this.work(async () => {
        await this.catchUp(false);
        this.say("Running");
        await this.execute(true);
        if (this.exercise) await cells[this.index + 1]?.execute(true, this.output);
        return "";
      });
    }
    // Run the code and show what it gives, below it or in another's place.
    async execute(shown, place = this.output) {
      const own = place === this.output;
      if (shown && own) place.replaceChildren();
      const text = make("pre");
      const print = (more) => {
        if (!text.isConnected) place.append(text);
        text.append(more);
      };
      const name = `cell ${this.index + 1}`;
      const answer = await engine.ask({ act: "run", code: this.code, name }, shown ? print : undefined);
      this.ran = true;
      if (!shown) return;
      this.editor?.mark(answer.error ? answer.line : null);
      if (answer.value !== undefined) place.append(make("pre", { class: `live-${answer.kind}` }, answer.value));
      for (const picture of answer.pictures || []) place.append(make("figure", { class: "live-picture" }, drawing(picture)));
      if (answer.error) {
        const where = answer.line ? `Line ${answer.line}: ` : "";
        place.append(make("pre", { class: "live-error", role: "alert" }, where + answer.error));
      }
      if (!own || !this.built) return;
      const still = this.built.querySelector("img") && !answer.pictures?.length && !answer.error;
      this.built.classList.toggle("replaced", !still);
      if (still) place.append(make("p", { class: "live-note" }, "The picture on this page was drawn when the book was built: a browser cannot draw it."));
    }
  }
  // SVG of our own making, as an element.
  const drawing = (svg) => document.importNode(new DOMParser().parseFromString(svg, "image/svg+xml").documentElement, true);

  // An assignment, solved on its page.
  class Assignment {
    constructor(section) {
      const given = JSON.parse(section.querySelector("script").textContent);
      Object.assign(this, { section, topic: given.topic, chapters: given.chapters, key: `topic:${given.topic}` });
      this.given = [given.head, ...given.functions.map((one) => one.text)];
      const texts = JSON.parse(kept.get(this.key) || "null") || [...this.given];
      this.parts = [{ name: null }, ...given.functions].map((one, k) => new Part(this, one, k, texts[k] ?? this.given[k]));
      this.status = make("span", { class: "live-status", role: "status" });
      this.score = make("p", { class: "live-score" });
      this.go = button("Check all", () => (this.busy ? engine.stop() : this.check()), { class: "live-run" });
      const file = make("input", { type: "file", accept: ".py,text/x-python", hidden: true, onchange: () => this.load(file.files[0]) });
      const bar = make("div", { class: "live-bar" }, this.go,
        button(`Download ${this.topic}.py`, () => this.download()), button("Load a file", () => file.click()), file,
        button("Start again", () => this.restart()), this.status);
      this.book = make("p", { class: "live-book" }, "Run the book with my functions: ",
        ...this.chapters.flatMap(([title, address], k) => [k ? ", " : "", make("a", { href: address, onclick: () => kept.set("mine", "on") }, title)]));
      section.append(...this.parts.map((part) => part.box), this.score, bar, this.book);
      this.book.hidden = !kept.get(this.key);
      // What is written in another tab is written here too, or the tab that is changed last would win it all.
      addEventListener("storage", ({ key, newValue }) => { if (key === `linclass:${this.key}` && newValue) this.take(JSON.parse(newValue)); });
    }
    take(texts) {
      this.taking = true;
      this.parts.forEach((part, k) => { if (part.code !== texts[k]) part.set(texts[k]); });
      this.taking = false;
    }
    source() { return this.parts.map((part) => part.code).join("\n\n\n"); }
    keep() {
      if (this.taking) return;
      if (!kept.set(this.key, JSON.stringify(this.parts.map((part) => part.code)))) {
        this.status.textContent = "This browser keeps nothing: download your file before you leave.";
      }
      this.book.hidden = false;
    }
    async check(only) {
      this.busy = true;
      this.go.textContent = "Stop";
      const say = (text) => { this.status.textContent = text; };
      try {
        await engine.start(say);
        say("Checking");
        this.show(await engine.ask({ act: "check", source: this.source(), topic: this.topic }), only);
        say("");
      } catch (error) {
        say(error.message);
      } finally {
        this.busy = false;
        this.go.textContent = "Check all";
      }
    }
    show(result, only) {
      this.score.textContent = `${result.earned} of ${result.points} points. ${result.next}`;
      this.parts[0].output.replaceChildren(...(result.trouble ? [make("pre", { class: "live-error", role: "alert" }, result.trouble)] : []));
      for (const one of result.functions) {
        const part = this.parts.find((part) => part.name === one.name);
        if (!part || (only && part !== only)) continue;
        const done = one.earned === one.points;
        part.points.textContent = `${one.earned} of ${one.points} points`;
        part.box.classList.toggle("done", done);
        const lines = done && !one.lines.length ? ["right"] : one.lines;
        part.output.replaceChildren(make("pre", { class: done ? "live-right" : "live-text" }, lines.join("\n")));
      }
    }
    download() {
      const address = URL.createObjectURL(new Blob([`${this.source()}\n`], { type: "text/x-python" }));
      make("a", { href: address, download: `${this.topic}.py` }).click();
      setTimeout(() => URL.revokeObjectURL(address), 1000);
    }
    // A file is cut where a function that is asked for begins; what stands between goes with the one before.
    async load(file) {
      const text = (await file.text()).replace(/^\uFEFF/, "");
      const found = this.parts.slice(1).map((part) => [text.search(new RegExp(`^def ${part.name}\\b`, "m")), part])
        .filter(([at]) => at >= 0).sort(([a], [b]) => a - b);
      this.parts[0].set(text.slice(0, found[0]?.[0] ?? text.length).trimEnd());
      found.forEach(([at, part], k) => part.set(text.slice(at, found[k + 1]?.[0]).trimEnd()));
      this.status.textContent = `${found.length} functions found in ${file.name}.`;
    }
    restart() {
      if (!confirm("Throw away what you have written for this assignment?")) return;
      kept.remove(this.key);
      this.parts.forEach((part, k) => { part.set(this.given[k]); part.output.replaceChildren(); });
      kept.remove(this.key);
      this.score.textContent = "";
      this.book.hidden = true;
    }
  }
  class Part {
    constructor(assignment, { name, points }, index, code) {
      Object.assign(this, { assignment, name, code, editor: null });
      const title = name || "Imports and helpers";
      this.points = make("span", { class: "live-points" }, points ? `${points} point${points > 1 ? "s" : ""}` : "");
      this.output = make("div", { class: "live-output" });
      this.pre = make("pre", {}, code);
      this.place = make("div", { class: "highlight" }, this.pre);
      this.open = button("Write", () => this.edit(true), { "aria-label": `Write ${title}` });
      const check = button("Check", () => this.check(), { class: "live-run", "aria-label": `Check ${title}` });
      const bar = make("div", { class: "live-bar" }, this.open, ...(name ? [check] : []));
      this.box = make("section", { class: "live-part" }, make("h3", {}, make("code", {}, title), this.points), this.place, bar, this.output);
      this.title = title;
    }
    async edit(focus = false) {
      const { edit } = await editor();
      if (!this.editor) {
        this.pre.hidden = true;
        this.editor = edit(this.place, {
          doc: this.code, label: `Code of ${this.title}`, onRun: () => this.check(),
          onChange: (text) => { this.code = text; this.assignment.keep(); },
        });
        this.open.hidden = true;
      }
      if (focus) this.editor.focus();
    }
    set(text) {
      this.code = text;
      this.pre.textContent = text;
      this.editor?.set(text);
      this.assignment.keep();
    }
    async check() {
      await this.edit();
      this.assignment.check(this.name ? this : undefined);
    }
  }

  const cells = all(".cell").filter((box) => box.querySelector(".cell_input pre") && !box.matches(".tag_explore"))
    .map((box, index) => new Cell(box, index));
  all(".solve").forEach((section) => new Assignment(section));
  if (cells.length && mine.on) {
    mine.note.textContent = `Cells on this page compute with your functions (${kept.topics().join(", ")}). `;
    const note = make("p", { class: "live-note" }, mine.note,
      button("Use the book's own", () => { kept.remove("mine"); engine.stop(); note.remove(); }));
    (document.querySelector(".tools") || document.querySelector("h1")).after(note);
  }
})();
