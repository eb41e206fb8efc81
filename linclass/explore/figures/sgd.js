linclassExplore.kinds.sgd = (f, { X, y, loss, lam, bottom, least }) => {
  const { num, losses } = linclassExplore;
  const [plane, chart] = f.panels;
  const [value, slope] = losses[loss], n = y.length;
  let rule = "constant", scale = 0.3, batch = 1, sampling = "shuffle", seed = 0, start = [0, 0], updates = 200;
  const rules = { constant: () => scale, inverse: (t) => scale / t, inverse_sqrt: (t) => scale / Math.sqrt(t) };
  const random = (state) => () => { // mulberry32: a small generator, so that a seed gives the same draws everywhere
    state = (state + 0x6D2B79F5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const drawer = () => {
    const next = random(seed), order = X.map((_, i) => i);
    let at = n;
    return () => {
      if (sampling === "uniform") return Math.floor(next() * n);
      if (at === n) {
        at = 0;
        if (sampling === "shuffle") for (let i = n - 1; i > 0; i--) {
          const j = Math.floor(next() * (i + 1));
          [order[i], order[j]] = [order[j], order[i]];
        }
      }
      return order[at++];
    };
  };
  const risk = (a, b) => X.reduce((sum, x, i) => sum + value(y[i] * (a * x[0] + b * x[1])), 0) / n + lam / 2 * (a * a + b * b);
  const walk = () => {
    const draw = drawer(), path = [start], draws = [];
    for (let t = 1; t <= updates; t++) {
      const [a, b] = path[t - 1], eta = rules[rule](t);
      const rows = Array.from({ length: batch }, draw);
      let [g, h] = [lam * a, lam * b];
      for (const i of rows) {
        const w = slope(y[i] * (a * X[i][0] + b * X[i][1])) * y[i] / batch;
        g += w * X[i][0];
        h += w * X[i][1];
      }
      draws.push(rows);
      path.push([a - eta * g, b - eta * h]);
    }
    return { path, draws };
  };
  f.select("step η<sub>t</sub>", [["constant", "η"], ["inverse", "η / t"], ["inverse_sqrt", "η / √t"]], rule, (v) => { rule = v; });
  f.select("batch", [1, 4, 16].filter((b) => b < n).concat(n).map((b) => [b, b === n ? `all ${n}` : b]), batch, (v) => { batch = +v; });
  f.select("sampling", [["shuffle", "shuffled"], ["uniform", "uniform"], ["cycle", "cycle, sorted by label"]], sampling, (v) => { sampling = v; });
  const sizes = [0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10];
  f.range("η =", { min: 0, max: sizes.length - 1, step: 1, value: sizes.indexOf(scale), show: (v) => String(sizes[v]) }, (v) => { scale = sizes[v]; });
  f.range("updates", { min: 1, max: 200, step: 1, value: updates, show: String }, (v) => { updates = v; });
  f.button("Other draws", () => { seed++; });
  const knob = f.points(plane, {
    count: () => 1, get: () => start, set: (i, a, b) => { start = [a, b]; }, cls: () => "knob", name: () => "Start of the path",
  });
  f.draw = () => {
    const { path, draws } = walk(), risks = path.map(([a, b]) => risk(a, b));
    let low = Infinity;
    const best = risks.map((r) => (low = Math.min(low, r)));
    const view = (r) => Math.log10(Math.max(r - least, 1e-6));
    plane.set("back", plane.path(path, "n thin"));
    plane.set("front", plane.mark(...path[updates], "dotn"));
    knob.update();
    chart.set("back", chart.path(risks.map((r, t) => [t, view(r)]), "n thin"), chart.path(best.map((r, t) => [t, view(r)]), "acc"));
    const [a, b] = path[updates], far = Math.hypot(a - bottom[0], b - bottom[1]);
    f.numbers = { rule, scale, batch, sampling, seed, start, path, draws, risks, best: low, least };
    f.say(`<p>after ${updates} updates (${num(updates * batch / n, 1)} epochs): θ = (${num(a, 3)}, ${num(b, 3)}), ${num(far, 3)} from the minimum</p>
      <p>risk above the minimum: now ${num(risks[updates] - least, 5)} (orange), best so far ${num(low - least, 5)} (green)</p>`,
    `After ${updates} updates: risk ${num(risks[updates] - least, 4)} above the minimum, best so far ${num(low - least, 4)}.`);
  };
};
