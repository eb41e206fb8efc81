const { num, dot, sum, losses } = linclassExplore;

const SIZES = [0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10]; // steps to choose from
const BATCHES = [1, 4, 16];
const TEMPO = 60; // milliseconds from update to update while it plays
const FLOOR = 1e-6; // the chart of logarithms ends here
const RULES = { constant: ["η", () => 1], inverse: ["η / t", (t) => t], inverse_sqrt: ["η / √t", Math.sqrt] }; // what divides eta

// mulberry32: a small generator, so that a seed gives the same draws everywhere.
const random = (state) => () => {
  state = (state + 0x6D2B79F5) | 0;
  let t = Math.imul(state ^ (state >>> 15), 1 | state);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
};

// A function that draws one of n examples at each call.
const drawer = (n, sampling, seed) => {
  const next = random(seed), order = Array.from({ length: n }, (_, i) => i);
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

linclassExplore.kinds.sgd = (f, { X, y, loss, lam, bottom, least, eta, updates }) => {
  const [plane, chart] = f.panels, [value, slope] = losses[loss], n = y.length;
  let rule = "constant", scale = eta, batch = 1, sampling = "shuffle", seed = 0, start = [0, 0];
  const risk = (theta) => sum(X.map((x, i) => value(y[i] * dot(theta, x)))) / n + lam / 2 * dot(theta, theta);
  const gradient = (theta, rows) => {
    const g = theta.map((v) => lam * v);
    for (const i of rows) {
      const w = slope(y[i] * dot(theta, X[i])) * y[i] / rows.length;
      g[0] += w * X[i][0];
      g[1] += w * X[i][1];
    }
    return g;
  };
  const walk = () => {
    const draw = drawer(n, sampling, seed), path = [start], draws = [];
    for (let t = 1; t <= updates; t++) {
      draws.push(Array.from({ length: batch }, draw));
      const theta = path[t - 1], g = gradient(theta, draws[t - 1]), step = scale / RULES[rule][1](t);
      path.push([theta[0] - step * g[0], theta[1] - step * g[1]]);
    }
    return { path, draws };
  };
  f.select("step η<sub>t</sub>", Object.entries(RULES).map(([key, [words]]) => [key, words]), rule, (v) => { rule = v; });
  f.select("batch", [...BATCHES.filter((b) => b < n), n].map((b) => [b, b === n ? `all ${n}` : b]), batch, (v) => { batch = +v; });
  f.select("sampling", [["shuffle", "shuffled"], ["uniform", "uniform"], ["cycle", "cycle, sorted by label"]], sampling, (v) => { sampling = v; });
  f.range("η =", { min: 0, max: SIZES.length - 1, step: 1, value: SIZES.indexOf(scale), show: (v) => String(SIZES[v]) }, (v) => { scale = SIZES[v]; });
  const slider = f.range("updates", { min: 1, max: updates, step: 1, value: updates, show: String }, (v) => { updates = v; });
  f.motion(slider, TEMPO);
  f.button("Other draws", () => { seed++; });
  f.more = { read: () => seed, write: (v) => { seed = v; } };
  const knob = f.knob(plane, { name: "Start of the path", get: () => start, set: (...at) => { start = at; } });
  f.ground(plane, (at) => { start = at; });
  f.draw = () => {
    const { path, draws } = walk(), risks = path.map(risk), [a, b] = path[updates];
    let low = Infinity;
    const best = risks.map((r) => (low = Math.min(low, r)));
    const line = (values, cls) => chart.path(values.map((r, t) => [t, Math.log10(Math.max(r - least, FLOOR))]), cls);
    plane.set("back", plane.path(path, "n thin"));
    plane.set("front", plane.mark(a, b, "dotn"));
    knob.update();
    chart.set("back", line(risks, "n thin"), line(best, "acc"));
    f.numbers = { rule, scale, batch, sampling, seed, start, path, draws, risks, best: low, least };
    f.say(`<p>after ${updates} updates (${num(updates * batch / n, 1)} epochs): θ = (${num(a, 3)}, ${num(b, 3)}), ${num(Math.hypot(a - bottom[0], b - bottom[1]), 3)} from the minimum</p>
      <p>risk above the minimum: now ${num(risks[updates] - least, 5)} (orange), best so far ${num(low - least, 5)} (green)</p>`,
    `After ${updates} updates: risk ${num(risks[updates] - least, 4)} above the minimum, best so far ${num(low - least, 4)}.`);
  };
};
