const { num, losses, table } = linclassExplore;

const words = (name) => name.replace("_", " ").replace("zero one", "zero-one");
const hundredth = (v) => Math.round(v * 100) / 100;

linclassExplore.kinds.losses = (f, { z, chosen, names, jumps }) => {
  const on = new Set(chosen), boxes = {};
  let scale = 1;
  const times = (name) => (name === "logistic" ? scale : 1);
  const at = (name, part) => times(name) * losses[name][part](z);
  const bounds = (name) => (name === "logistic" ? scale * Math.LN2 >= 1 - 5e-4 : name !== "perceptron");
  const key = (name) => `<svg class="lcx-svg" width="30" height="10" aria-hidden="true"><path class="l${names.indexOf(name)}" d="M1 5H29"/></svg> `;
  const slider = f.range("margin z =", { min: f.panels[0].x[0], max: f.panels[0].x[1], step: 0.01, value: z }, (v) => { z = v; });
  f.range("logistic loss ×", { min: 1, max: 2, step: 0.001, value: 1, show: (v) => num(v, 3) }, (v) => {
    scale = v;
    on.add("logistic");
    boxes.logistic.checked = true;
  });
  for (const name of names)
    boxes[name] = f.check(key(name) + words(name), on.has(name), (yes) => { yes ? on.add(name) : on.delete(name); });
  const put = (v) => { z = hundredth(v); slider.put(z); f.redraw(); };
  const knobs = f.panels.map((panel) => {
    f.ground(panel, ([v]) => put(v));
    return f.knob(panel, { name: "Margin z", get: () => [z, 0], set: put, say: () => num(z) });
  });
  const graph = (panel, part) => (name) => {
    const cls = `l${names.indexOf(name)}`, jump = jumps[part][name], [low, high] = panel.x;
    if (!jump) return panel.curve((x) => times(name) * losses[name][part](x), cls);
    return panel.path([[low, jump[1]], [jump[0], jump[1]], [jump[0], 0], [high, 0]], cls);
  };
  f.draw = () => {
    const shown = names.filter((name) => on.has(name));
    f.panels.forEach((panel, part) => {
      panel.set("back", panel.line(z, -9, z, 9, "dash"), shown.map(graph(panel, part)));
      panel.set("front", shown.filter((name) => !(part && name === "zero_one")).map((name) => panel.dot(z, at(name, part), "fillf", 4)));
      knobs[part].update();
    });
    const [values, slopes] = [0, 1].map((part) => Object.fromEntries(shown.map((name) => [name, at(name, part)])));
    f.numbers = { z, scale, values, slopes };
    const rows = shown.map((name) => [key(name) + words(name), num(values[name], 3),
      name === "zero_one" ? "0 or none" : num(slopes[name], 3), bounds(name) ? "yes" : "no"]);
    f.say(table(["loss", `value at z = ${num(z)}`, "slope there", "never below zero-one"], rows)
      + (on.has("logistic") ? `<p>Logistic loss × ${num(scale, 3)} at z = 0: ${num(scale * Math.LN2, 3)}</p>` : ""),
    `At margin ${num(z)}: ` + shown.map((name) => `${words(name)} ${num(values[name])}`).join(", ") + ".");
  };
};
