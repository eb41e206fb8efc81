linclassExplore.kinds.losses = (f, { z, chosen, names }) => {
  const { num, losses, table } = linclassExplore;
  const [value, slope] = f.panels;
  const words = (name) => name.replace("_", " ").replace("zero one", "zero-one");
  const key = (name) => `<svg class="lcx-svg" width="30" height="10" aria-hidden="true"><path class="l${names.indexOf(name)}" d="M1 5H29"/></svg> `;
  const on = new Set(chosen), kinks = { perceptron: 0, hinge: 1 };
  let scale = 1;
  const times = (name) => (name === "logistic" ? scale : 1);
  const slider = f.range("margin z =", { min: -3, max: 3, step: 0.01, value: z }, (v) => { z = v; });
  f.range("logistic loss ×", { min: 1, max: 2, step: 0.001, value: 1, show: (v) => num(v, 3) }, (v) => { scale = v; on.add("logistic"); boxes.logistic.checked = true; });
  const boxes = {};
  for (const name of names)
    boxes[name] = f.check(key(name) + words(name), on.has(name), (yes) => { yes ? on.add(name) : on.delete(name); });
  for (const panel of f.panels) panel.svg.addEventListener("pointerdown", (event) => {
    const follow = (e) => { z = Math.round(panel.inside(panel.at(e))[0] * 100) / 100; slider.put(z); f.redraw(); };
    const stop = () => { removeEventListener("pointermove", follow); };
    follow(event);
    addEventListener("pointermove", follow);
    addEventListener("pointerup", stop, { once: true });
    addEventListener("pointercancel", stop, { once: true });
  });
  f.draw = () => {
    const shown = names.filter((name) => on.has(name));
    const graph = (panel, part) => (name) => {
      const c = `l${names.indexOf(name)}`;
      const step = (at, left) => panel.path([[-3, left], [at, left], [at, 0], [3, 0]], c);
      if (name === "zero_one") return step(0, part ? 0 : 1);
      if (part && name in kinks) return step(kinks[name], -1);
      return panel.curve((x) => times(name) * losses[name][part](x), c);
    };
    f.panels.forEach((panel, part) => {
      panel.set("back", panel.line(z, -9, z, 9, "dash"), shown.map(graph(panel, part)));
      panel.set("front", shown.filter((name) => !(part && name === "zero_one")).map((name) => {
        const h = times(name) * losses[name][part](z);
        return `<circle class="fillf" r="4" cx="${panel.px(z)}" cy="${panel.py(h)}"/>`;
      }));
    });
    f.numbers = { z, scale, values: {}, slopes: {} };
    const rows = shown.map((name) => {
      const v = f.numbers.values[name] = times(name) * losses[name][0](z);
      const s = f.numbers.slopes[name] = times(name) * losses[name][1](z);
      const bound = name === "logistic" ? (scale * Math.LN2 >= 1 - 5e-4 ? "yes" : "no") : name === "perceptron" ? "no" : "yes";
      return [key(name) + words(name), num(v, 3), name === "zero_one" ? "0 or none" : num(s, 3), bound];
    });
    f.say(table([`at z = ${num(z)}`, "value", "slope", "≥ zero-one?"], rows)
      + (on.has("logistic") ? `<p>Logistic loss × ${num(scale, 3)} at z = 0: ${num(scale * Math.LN2, 3)}</p>` : ""),
    `At margin ${num(z)}: ` + shown.map((name) => `${words(name)} ${num(f.numbers.values[name], 2)}`).join(", ") + ".");
  };
};
