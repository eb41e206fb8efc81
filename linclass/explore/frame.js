// What the figures share: turns the still pictures into living ones. Each kind of figure is a function (figure, data).
// frame.py puts the style sheets in the place of CSS_TEXT and the markers' shapes in the place of MARKS.
window.linclassExplore = (() => {
  const clamp = (v, lo, hi) => Math.min(hi, Math.max(lo, v));
  const num = (v, digits = 2) => {
    if (!Number.isFinite(v)) return Number.isNaN(v) ? "none" : v > 0 ? "∞" : "−∞";
    if (v !== 0 && (Math.abs(v) >= 1e5)) return v.toExponential(2).replace("e+", "e").replace("-", "−");
    return (Math.abs(v) < 0.5 * 10 ** -digits ? 0 : v).toFixed(digits).replace("-", "−");
  };
  const label = (y) => (y > 0 ? "+1" : "−1");
  // The marker of an example with this label, where asked for with a dark rim.
  const side = (y, rim) => (y > 0 ? "pos" : "neg") + (rim ? " err" : "");
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
  const sum = (values) => values.reduce((total, v) => total + v, 0);
  // Coordinates in the picture, with one decimal; a line that goes farther is cut off, out of sight.
  const FAR = 1e5, HEAD = 9, INSET = 16;
  const coord = (v) => String(Math.round(clamp(v, -FAR, FAR) * 10) / 10);
  const joined = (places) => places.map((place) => place.map(coord).join(" ")).join("L");
  const marks = MARKS;
  // The tag's name is apart, so that no tool that rewrites tables in a page takes this for one.
  const table = (head, rows) => {
    const cells = (row, tag) => `<tr><th>${row[0]}</th>${row.slice(1).map((v) => `<${tag}>${v}</${tag}>`).join("")}</tr>`;
    return `<${"table"}><thead>${cells(head, "th")}</thead><tbody>${rows.map((row) => cells(row, "td")).join("")}</tbody></${"table"}>`;
  };
  const add = (parent, tag, attributes = {}, html = "") => {
    const element = parent.namespaceURI.endsWith("svg") && tag === "g"
      ? document.createElementNS(parent.namespaceURI, tag) : document.createElement(tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    element.innerHTML = html;
    return parent.appendChild(element);
  };

  // One plot. Its axes and its fixed layer are the still picture's; back, pts and front are drawn here.
  class Panel {
    constructor(spec, image) {
      const source = decodeURIComponent(image.getAttribute("src").replace(/^[^,]*,/, ""));
      const svg = new DOMParser().parseFromString(source, "image/svg+xml").documentElement;
      svg.querySelector("style").remove();
      this.svg = document.importNode(svg, true);
      this.svg.setAttribute("role", "group");
      this.svg.setAttribute("aria-label", image.alt);
      image.replaceWith(this.svg);
      Object.assign(this, spec);
      this.layers = {};
      for (const g of this.svg.querySelectorAll("[data-layer]")) this.layers[g.dataset.layer] = g;
      this.layers.pts.innerHTML = "";
    }
    px(x) { return (x - this.x[0]) / (this.x[1] - this.x[0]) * this.size[0]; }
    py(y) { return (this.y[1] - y) / (this.y[1] - this.y[0]) * this.size[1]; }
    at(event) {
      const p = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.layers.pts.getScreenCTM().inverse());
      return [this.x[0] + p.x / this.size[0] * (this.x[1] - this.x[0]),
        this.y[1] - p.y / this.size[1] * (this.y[1] - this.y[0])];
    }
    inside([x, y]) { return [clamp(x, ...this.x), clamp(y, ...this.y)]; }
    centre() { return [(this.x[0] + this.x[1]) / 2, (this.y[0] + this.y[1]) / 2]; }
    place([x, y]) { return [this.px(x), this.py(y)]; }
    // Where a mark is shown: at its place, or where that is outside, near the edge, with the direction it lies in.
    spot(at) {
      const place = this.place(at);
      if (place.every((v, c) => v >= 0 && v <= this.size[c])) return { at, way: "" };
      const near = place.map((v, c) => clamp(v, INSET, this.size[c] - INSET));
      const turn = Math.round(Math.atan2(place[1] - near[1], place[0] - near[0]) * 180 / Math.PI);
      return { at: [this.x[0] + near[0] / this.size[0] * (this.x[1] - this.x[0]), this.y[1] - near[1] / this.size[1] * (this.y[1] - this.y[0])],
        way: `<path class="way" transform="rotate(${turn})" d="M8 0h6m-4-4l4 4-4 4"/>` };
    }
    translate(at) { return `translate(${this.place(at).map(coord).join(" ")})`; }
    set(layer, ...parts) { this.layers[layer].innerHTML = parts.flat().join(""); }
    line(x1, y1, x2, y2, cls) { return this.path([[x1, y1], [x2, y2]], cls); }
    path(points, cls) { return `<path class="${cls}" d="M${joined(points.map((at) => this.place(at)))}"/>`; }
    curve(formula, cls, count = 120) {
      const [lo, hi] = this.x;
      return this.path(Array.from({ length: count + 1 }, (_, i) => lo + (hi - lo) * i / count).map((x) => [x, formula(x)]), cls);
    }
    text(x, y, words, cls = "", dx = 0, dy = 0) {
      return `<text class="${cls}" x="${coord(this.px(x) + dx)}" y="${coord(this.py(y) + dy)}">${words}</text>`;
    }
    mark(x, y, cls) {
      return `<g class="pt ${cls}" transform="${this.translate([x, y])}">${marks[cls.split(" ")[0]]}</g>`;
    }
    dot(x, y, cls, radius) { return `<circle class="${cls}" r="${radius}" cx="${this.px(x)}" cy="${this.py(y)}"/>`; }
    // Many marks, [x, y, class] each, kept from frame to frame: what has not changed is not touched.
    keep(items) {
      if (!this.kept) this.layers.pts.prepend(this.kept = add(this.layers.pts, "g"));
      while (this.kept.children.length > items.length) this.kept.lastChild.remove();
      items.forEach(([x, y, cls], i) => {
        const element = this.kept.children[i] || this.keepOne(i);
        const { at, way } = this.spot([x, y]), place = this.translate(at);
        if (element.place !== place) element.setAttribute("transform", element.place = place);
        if (element.cls === cls && element.way === way) return;
        element.setAttribute("class", "pt " + (element.cls = cls));
        element.innerHTML = marks[cls.split(" ")[0]] + (element.way = way);
      });
    }
    keepOne(i) {
      const element = add(this.kept, "g");
      for (const [event, which] of [["pointerenter", i], ["pointerleave", -1]]) element.addEventListener(event, () => this.over?.(which));
      return element;
    }
    // Examples that stay where they are, with a rim where rim(i) says so.
    keepExamples(X, y, rim, twin = -1) { this.keep(X.map((x, i) => [...x, side(y[i], rim(i)) + (i === twin ? " twin" : "")])); }
    arrow(x1, y1, x2, y2, cls) {
      const [[a, b], [c, d]] = [this.place([x1, y1]), this.place([x2, y2])];
      const length = Math.hypot(c - a, d - b);
      if (length < 1) return "";
      const [u, v] = [(c - a) / length * HEAD, (d - b) / length * HEAD];
      const head = [[c - u - v / 2, d - v + u / 2], [c, d], [c - u + v / 2, d - v - u / 2]];
      return `<path class="${cls}" d="M${joined([[a, b], [c, d]])}M${joined(head)}"/>`;
    }
    // Two points of the line theta . x + theta_0 = level, well outside the panel, which clips what is drawn to them.
    ends(theta, theta_0, level) {
      const square = dot(theta, theta), [cx, cy] = this.centre();
      const t = (level - theta_0 - dot(theta, [cx, cy])) / square;
      const reach = 2 * (this.x[1] - this.x[0] + this.y[1] - this.y[0]) / Math.sqrt(square);
      const [x, y] = [cx + t * theta[0], cy + t * theta[1]];
      return [[x - reach * theta[1], y + reach * theta[0]], [x + reach * theta[1], y - reach * theta[0]]];
    }
    // All of one side of that line: where the score is above the level, or below it.
    half(theta, theta_0, level, side, cls) {
      const far = side * 2 * (this.x[1] - this.x[0] + this.y[1] - this.y[0]) * Math.hypot(...theta);
      return far ? this.path([...this.ends(theta, theta_0, level), ...this.ends(theta, theta_0, level + far).reverse()], cls) : "";
    }
    sides(theta, theta_0, level) { return [[1, "area p"], [-1, "area n"]].map(([side, cls]) => (dot(theta, theta) ? this.half(theta, theta_0, level, side, cls) : "")); }
    level(theta, theta_0, level, cls) {
      return theta[0] || theta[1] ? this.path(this.ends(theta, theta_0, level), cls) : "";
    }
  }

  // Handles to drag, by pointer or with the arrow keys: one tab stop, Page Up and Page Down go from one to the next.
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  const PAGES = { PageDown: 1, PageUp: -1 };
  const ACTS = ["Enter", " ", "Delete", "Backspace"];
  const STEP = 0.1; // of an arrow key; a tenth of it with Shift
  class Handles {
    constructor(figure, panel, options) {
      Object.assign(this, { figure, panel, ...options });
      this.chosen = 0;
      this.layer = add(panel.layers.pts, "g");
      this.elements = [];
      (panel.handles ??= []).push(this);
      // Under a handle the page stays. The style sheet's touch-action says so; not every browser heeds it in an SVG.
      this.layer.addEventListener("touchmove", (event) => { if (event.cancelable) event.preventDefault(); }, { passive: false });
    }
    update() {
      const count = this.count();
      while (this.elements.length > count) this.elements.pop().remove();
      while (this.elements.length < count) this.elements.push(this.make(this.elements.length));
      this.chosen = clamp(this.chosen, 0, Math.max(0, count - 1));
      this.elements.forEach((element, i) => this.dress(element, i, count > 1));
    }
    // What has not changed is not touched.
    dress(element, i, many) {
      const at = this.get(i), spot = this.panel.spot(at), place = this.panel.translate(spot.at), chosen = i === this.chosen;
      if (element.place !== place) element.setAttribute("transform", element.place = place);
      const cls = `pt drag ${this.cls(i)}${chosen && many ? " chosen" : ""}`;
      if (element.cls !== cls) {
        element.setAttribute("class", element.cls = cls);
        const shape = this.cls(i).split(" ")[0];
        if (element.shape !== shape) element.way = "";
        if (element.shape !== shape) element.innerHTML = `<path class="finger" d="M0 0h.1"/><circle class="hit" r="15"/>${marks[element.shape = shape]}`;
      }
      if (element.way !== spot.way) {
        element.querySelector(".way")?.remove();
        element.insertAdjacentHTML("beforeend", element.way = spot.way);
      }
      const stop = chosen ? "0" : "-1";
      if (element.stop !== stop) element.setAttribute("tabindex", element.stop = stop);
      if (!chosen) return;
      if (element.called !== this.name(i)) element.setAttribute("aria-label", element.called = this.name(i));
      element.setAttribute("aria-valuenow", at[this.axis === "y" ? 1 : 0]);
      element.setAttribute("aria-valuetext", this.say ? this.say(i) : at.map((v) => num(v)).join(", "));
    }
    make(i) {
      const [least, most] = this.axis === "y" ? this.panel.y : this.panel.x;
      const element = add(this.layer, "g", { role: "slider", "aria-label": this.name(i), "aria-valuenow": 0, "aria-valuemin": least, "aria-valuemax": most });
      if (this.over) for (const [event, which] of [["pointerenter", i], ["pointerleave", -1]]) element.addEventListener(event, () => this.over(which));
      element.addEventListener("pointerdown", (event) => {
        if (event.button) return;
        event.preventDefault();
        const [handles, near] = this.nearest(event);
        handles.grasp(near, event);
      });
      element.addEventListener("pointermove", (event) => {
        if (event.pointerId !== this.grip?.id || i !== this.chosen) return;
        const [x, y] = this.panel.at(event);
        this.move(i, x + this.grip.dx, y + this.grip.dy);
      });
      for (const end of ["pointerup", "pointercancel"]) element.addEventListener(end, (event) => {
        if (event.pointerId === this.grip?.id) this.grip = null;
      });
      element.addEventListener("focus", () => { if (this.chosen !== i) { this.chosen = i; this.figure.redraw(); } });
      element.addEventListener("dblclick", () => { this.act?.(this.chosen, "Enter"); this.figure.redraw(); });
      element.addEventListener("keydown", (event) => { if (this.press(i, event)) event.preventDefault(); });
      return element;
    }
    move(i, x, y) { this.set(i, ...this.panel.inside([x, y])); this.figure.redraw(); }
    // Where handles overlap, of all in the panel the one whose centre is nearest to the hand.
    nearest(event) {
      const hand = this.panel.place(this.panel.at(event));
      const far = ([handles, i]) => Math.hypot(...this.panel.place(this.panel.spot(handles.get(i)).at).map((v, c) => v - hand[c]));
      const all = this.panel.handles.flatMap((handles) => handles.elements.map((_, i) => [handles, i]));
      return all.reduce((best, one) => (far(one) < far(best) ? one : best));
    }
    // The pointer holds the handle where it took it, not at its centre, until it lets go.
    grasp(i, event) {
      const [[x, y], [ex, ey]] = [this.panel.spot(this.get(i)).at, this.panel.at(event)];
      this.grip = { id: event.pointerId, dx: x - ex, dy: y - ey };
      this.choose(i);
      this.elements[i].setPointerCapture(event.pointerId);
    }
    choose(i) {
      this.chosen = i;
      this.update();
      this.elements[i]?.focus({ preventScroll: true });
      this.figure.redraw();
    }
    // A key on handle i; whether it meant something.
    press(i, { key, shiftKey }) {
      if (ARROWS[key]) {
        const [x, y] = this.get(i), step = STEP * (shiftKey ? 0.1 : 1);
        this.move(i, x + ARROWS[key][0] * step, y + ARROWS[key][1] * step);
      } else if (PAGES[key]) this.choose((i + PAGES[key] + this.count()) % this.count());
      else if (this.act && ACTS.includes(key)) {
        this.act(i, key);
        this.figure.draw();
        this.elements[this.chosen]?.focus();
      } else return false;
      return true;
    }
  }

  class Figure {
    constructor(root, data) {
      this.root = root;
      root.lcx = this;
      // What has the focus keeps its keys: JupyterLab would fold the section away at an arrow.
      root.addEventListener("focusin", (event) => event.target.setAttribute("data-lm-suppress-shortcuts", ""));
      this.panels = data.panels.map((spec) => new Panel(spec, root.querySelector("img")));
      root.querySelector(".lcx-off").remove();
      const caption = root.querySelector("figcaption");
      const side = document.createElement("div");
      side.className = "lcx-side";
      caption.before(side);
      this.controls = add(side, "div", { class: "lcx-controls" });
      this.readout = add(side, "div", { class: "lcx-read" });
      root.classList.toggle("lcx-one", this.panels.length === 1);
      this.status = add(root, "p", { class: "lcx-hidden", role: "status" });
      this.still = matchMedia("(prefers-reduced-motion: reduce)");
      this.inputs = [];
      this.grips = [];
    }
    // Draw at the next frame, once however often it is asked for.
    redraw() {
      this.waiting ??= requestAnimationFrame(() => { this.waiting = undefined; this.draw(); });
      clearTimeout(this.noting);
      this.noting = setTimeout(() => this.note(), 400);
    }
    // What is shown, as text that brings it back: what a figure says is more than controls and handles, those, these.
    state() {
      const short = (value) => JSON.parse(JSON.stringify(value, (_, v) => (typeof v === "number" ? Math.round(v * 1e4) / 1e4 : v)));
      return JSON.stringify(short([this.more?.read() ?? 0, this.grips.map((grip) => grip.elements.map((_, i) => grip.get(i))),
        this.inputs.map((input) => (input.type === "checkbox" ? +input.checked : input.value))]));
    }
    bring(text) {
      const [more, places, values] = JSON.parse(text);
      this.more?.write(more);
      places.forEach((list, g) => { if (this.grips[g] !== this.more?.points) list.forEach((at, i) => this.grips[g].set(i, ...at)); });
      values.forEach((value, i) => {
        if (this.inputs[i].type === "checkbox") this.inputs[i].checked = !!value; else this.inputs[i].value = value;
        this.inputs[i].dispatchEvent(new Event("input"));
      });
      this.draw();
    }
    // On a page of the book the address holds what is shown, so that a link shows it to others.
    note() {
      const here = new URL(location.href), now = this.state(), key = this.root.id;
      if (!ofTheBook() || !key || !this.root.isConnected) return;
      if (now === this.first) here.searchParams.delete(key); else here.searchParams.set(key, now);
      if (now !== this.first) here.hash = key;
      if (here.href !== location.href) history.replaceState(history.state, "", here);
    }
    // Buttons that move a slider: on, back where asked for, and by itself, unless the reader wants no motion.
    motion(slider, tempo, back = false) {
      let timer = null;
      const go = (v) => { slider.put(clamp(v, +slider.min, +slider.max)); slider.dispatchEvent(new Event("input")); };
      this.halt = () => { clearInterval(timer); timer = null; play.textContent = "Play"; };
      if (back) this.button("Back", () => { this.halt(); go(+slider.value - 1); });
      this.button("Step", () => { this.halt(); go(+slider.value + 1); });
      const play = this.button("Play", () => {
        if (timer) return this.halt();
        if (this.still.matches) return go(+slider.max);
        if (+slider.value >= +slider.max) go(+slider.min);
        play.textContent = "Pause";
        timer = setInterval(() => { go(+slider.value + 1); if (+slider.value >= +slider.max) this.halt(); }, tempo);
      });
      slider.addEventListener("pointerdown", this.halt);
    }
    // The example under the mouse, in whichever panel, is marked in both.
    over(i) { this.hovered = i; this.draw(); }
    // What the figure says now: rows of numbers to see, and one sentence for a screen reader once the hand rests.
    say(rows, sentence) {
      this.readout.innerHTML = rows;
      clearTimeout(this.later);
      if (this.spoken) this.later = setTimeout(() => { this.status.textContent = sentence; }, 500);
      this.spoken = true;
    }
    range(name, { min, max, step, value, show = num }, change) {
      const box = add(this.controls, "label", { class: "lcx-range" }, `<span>${name} <output></output></span>`);
      const input = add(box, "input", { type: "range", min, max, step });
      const output = box.querySelector("output");
      const tell = () => { output.textContent = show(+input.value); input.setAttribute("aria-valuetext", show(+input.value)); };
      input.put = (v) => { input.value = v; tell(); };
      input.put(value);
      input.addEventListener("input", () => { tell(); change(+input.value); this.redraw(); });
      this.inputs.push(input);
      return input;
    }
    select(name, options, value, change) {
      const box = add(this.controls, "label", {}, `<span>${name}</span> `);
      const input = add(box, "select");
      for (const [key, words] of options) add(input, "option", { value: key }, words);
      input.value = value;
      input.addEventListener("input", () => { change(input.value); this.redraw(); });
      this.inputs.push(input);
      return input;
    }
    check(name, checked, change, cls = "") {
      const box = add(this.controls, "label", { class: "lcx-check " + cls });
      const input = add(box, "input", { type: "checkbox" });
      add(box, "span", {}, name);
      input.checked = checked;
      input.addEventListener("input", () => { change(input.checked); this.redraw(); });
      this.inputs.push(input);
      return input;
    }
    button(name, press) {
      const button = add(this.controls, "button", { type: "button" }, name);
      button.addEventListener("click", () => { press(); this.redraw(); });
      return button;
    }
    handles(panel, options) {
      const handles = new Handles(this, panel, options);
      this.grips.push(handles);
      return handles;
    }
    // One open circle to drag: get() is where it is, set(x, y) moves it.
    knob(panel, { name, set, cls = "knob", ...options }) {
      return this.handles(panel, { count: () => 1, name: () => name, cls: () => cls, set: (_, x, y) => set(x, y), ...options });
    }
    // The examples, to drag, with a rim where rim(i) says so; tell(i) is what is said of one after its place.
    examples(panel, X, y, { rim, tell, ...options }) {
      return this.handles(panel, {
        count: () => y.length, get: (i) => X[i], set: (i, ...x) => { X[i] = x; }, cls: (i) => side(y[i], rim(i)) + (this.hovered === i ? " twin" : ""),
        name: (i) => `Point ${i + 1}, label ${label(y[i])}`,
        say: (i) => `at ${num(X[i][0])}, ${num(X[i][1])}, ${tell(i)}`, ...options,
      });
    }
    // A press on empty ground, where there is nothing to take hold of.
    ground(panel, press) {
      panel.svg.addEventListener("click", (event) => {
        const at = panel.at(event);
        if (event.target.closest(".drag") || panel.inside(at).some((v, c) => v !== at[c])) return;
        press(at, event.shiftKey);
        this.redraw();
      });
    }
    // Examples that can be flipped, removed and, by a press on empty ground, added; each label keeps one of them.
    editing(panel, X, y, points, changed = () => {}) {
      const spare = (i) => y.filter((sign) => sign === y[i]).length > 1;
      const flip = (i) => { if (spare(i)) { y[i] = -y[i]; changed(); } };
      const drop = (i) => { if (spare(i)) { X.splice(i, 1); y.splice(i, 1); changed(); } };
      const put = (sign, at = panel.centre()) => { X.push(at); y.push(sign); changed(); points.chosen = y.length - 1; };
      points.act = (i, key) => (key === "Enter" || key === " " ? flip(i) : drop(i));
      this.ground(panel, (at, shift) => put(shift ? -1 : 1, at));
      this.button("Flip chosen point", () => flip(points.chosen));
      this.button("Remove it", () => drop(points.chosen));
      this.button("Add +1", () => put(1));
      this.button("Add −1", () => put(-1));
      this.more = {
        points, read: () => [X, y, points.chosen],
        write: ([places, signs, chosen]) => {
          X.splice(0, X.length, ...places);
          y.splice(0, y.length, ...signs);
          points.chosen = chosen;
          changed();
        },
      };
    }
  }

  // The losses of the margin, as in linclass.losses: value and slope.
  const softplus = (s) => Math.max(s, 0) + Math.log1p(Math.exp(-Math.abs(s)));
  const sigmoid = (s) => (s >= 0 ? 1 / (1 + Math.exp(-s)) : Math.exp(s) / (1 + Math.exp(s)));
  const losses = {
    zero_one: [(z) => (z <= 0 ? 1 : 0), () => NaN],
    perceptron: [(z) => Math.max(0, -z), (z) => (z <= 0 ? -1 : 0)],
    hinge: [(z) => Math.max(0, 1 - z), (z) => (z <= 1 ? -1 : 0)],
    logistic: [(z) => softplus(-z), (z) => -sigmoid(-z)],
    exponential: [(z) => Math.exp(-z), (z) => -Math.exp(-z)],
    squared: [(z) => (1 - z) ** 2, (z) => -2 * (1 - z)],
    modified_squared: [(z) => Math.max(0, 1 - z) ** 2, (z) => -2 * Math.max(0, 1 - z)],
  };

  const kinds = {};
  const ofTheBook = () => document.documentElement.dataset.content_root !== undefined;
  const enliven = (root) => {
    if (root.classList.contains("lcx-on")) return;
    root.still ??= root.innerHTML;
    root.classList.add("lcx-on");
    const data = JSON.parse(root.querySelector("script").textContent);
    const figure = new Figure(root, data);
    kinds[root.dataset.kind](figure, data);
    figure.button("Reset", () => reset(root));
    figure.draw();
    figure.first = figure.state();
    const wanted = ofTheBook() && new URLSearchParams(location.search).get(root.id);
    try { if (wanted && !root.again) figure.bring(wanted); } catch { reset(root); } // an address that is none
  };
  // As it was at first: the still picture, brought to life again.
  const reset = (root) => {
    root.lcx.halt?.();
    root.again = true;
    root.innerHTML = root.still;
    root.classList.remove("lcx-on");
    enliven(root);
    root.lcx.note();
    root.lcx.controls.lastChild.focus({ preventScroll: true });
  };
  // A figure comes to life when it comes near the window, or at the first Tab, so that loading a page costs no time.
  const near = new IntersectionObserver((entries) => entries.forEach((entry) => {
    if (entry.isIntersecting) enliven(entry.target);
  }), { rootMargin: "50% 0px" });
  const known = () => [...document.querySelectorAll("figure.lcx")].filter((root) => kinds[root.dataset.kind]);
  const wake = () => {
    if (!document.getElementById("lcx-style")) add(document.head, "style", { id: "lcx-style" }, CSS_TEXT);
    known().forEach((root, k, all) => {
      if (ofTheBook() && all.findIndex((other) => other.dataset.kind === root.dataset.kind) === k) root.id = `explore-${root.dataset.kind}`;
      near.observe(root);
    });
  };
  addEventListener("keydown", (event) => { if (event.key === "Tab") known().forEach(enliven); });
  return { kinds, wake, num, label, side, dot, sum, clamp, joined, table, losses, sigmoid };
})();
