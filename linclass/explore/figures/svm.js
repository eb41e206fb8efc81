const { num, label, dot, sum } = linclassExplore;

const MOST_STEPS = 50000, TOLERANCE = 1e-10; // of the solver
const EDGE = 1e-14; // multipliers this near to 0 or C, as a share of C, are there
const NO_SLACK = 1e-9; // less is not drawn

// The dual by pairs: move the two multipliers that violate optimality most, until none does by more than the tolerance.
const solve = (X, y, C, dual) => {
  const n = y.length, [U, V] = [0, 1].map((c) => Float64Array.from(X, (x) => x[c]));
  let u = 0, v = 0, high = 0, low = 0; // theta = (u, v)
  for (let i = 0; i < n; i++) { u += dual[i] * y[i] * U[i]; v += dual[i] * y[i] * V[i]; }
  for (let k = 0; k < MOST_STEPS; k++) {
    let a = -1, b = -1;
    high = -Infinity;
    low = Infinity;
    for (let i = 0; i < n; i++) {
      const g = y[i] - u * U[i] - v * V[i];
      if ((y[i] > 0 ? dual[i] < C : dual[i] > 0) && g > high) { high = g; a = i; }
      if ((y[i] > 0 ? dual[i] > 0 : dual[i] < C) && g < low) { low = g; b = i; }
    }
    if (high - low <= TOLERANCE * (1 + Math.abs(high))) break;
    const d = U[a] - U[b], e = V[a] - V[b];
    const room = Math.min(y[a] > 0 ? C - dual[a] : dual[a], y[b] > 0 ? dual[b] : C - dual[b]);
    const t = Math.min(room, (high - low) / Math.max(d * d + e * e, 1e-12));
    dual[a] += y[a] * t;
    dual[b] -= y[b] * t;
    for (const i of [a, b]) {
      if (dual[i] < EDGE * C) dual[i] = 0;
      if (dual[i] > C * (1 - EDGE)) dual[i] = C;
    }
    u += t * d;
    v += t * e;
  }
  return { theta: [u, v], theta_0: (high + low) / 2 };
};

linclassExplore.kinds.svm = (f, { X, y, C }) => {
  const [p, kkt] = f.panels;
  let dual = y.map(() => 0);
  const points = f.examples(p, X, y, {
    over: (i) => f.over(i), rim: (i) => dual[i] > 0, tell: (i) => `slack ${num(f.numbers.slacks[i])}, multiplier ${num(dual[i])}`,
  });
  kkt.over = (i) => f.over(i);
  f.range("C =", { min: -2, max: 3, step: "any", value: Math.log10(C), show: (v) => num(10 ** v, v < 0 ? 3 : v < 1 ? 2 : 0) }, (v) => {
    const fresh = 10 ** v;
    dual = dual.map((a) => (a === C ? fresh : a * fresh / C));
    C = fresh;
  });
  f.editing(p, X, y, points, () => { dual = y.map(() => 0); });
  f.draw = () => {
    const { theta, theta_0 } = solve(X, y, C, dual), size = Math.hypot(...theta), i = points.chosen;
    const margins = X.map((x, k) => y[k] * (dot(theta, x) + theta_0));
    const slacks = margins.map((z) => Math.max(0, 1 - z));
    const edge = (x, k) => x.map((v, c) => v + slacks[k] * y[k] / size ** 2 * theta[c]);
    const [right, left] = [1, -1].map((s) => p.ends(theta, theta_0, s));
    p.set("back", size > 0 ? p.path([...right, ...left.reverse()], "band") : "",
      [1, -1, 0].map((s) => p.level(theta, theta_0, s, s ? "dash" : "")),
      X.map((x, k) => (slacks[k] > NO_SLACK ? p.line(...x, ...edge(x, k), "thin " + (y[k] > 0 ? "p" : "n")) : "")));
    f.numbers = { X, y, C, theta, theta_0, dual, slacks, margins };
    points.update();
    kkt.keepExamples(margins.map((z, k) => [z, dual[k] / C]), y, (k) => k === i, f.hovered);
    const support = dual.filter((a) => a > 0).length, full = dual.filter((a) => a === C).length;
    const wrong = margins.filter((z) => z <= 0).length, total = num(sum(slacks));
    f.say(`<p>margin width 2/|θ| = ${num(2 / size)}, sum of slacks ${total}, mistakes ${wrong} of ${y.length};
      support vectors ${support}, of which ${full} at C</p>
      <p>Point ${i + 1}, y = ${label(y[i])}: margin ${num(margins[i])}, slack ${num(slacks[i])}, multiplier ${num(dual[i], 3)}${dual[i] === C ? " = C" : ""}</p>`,
    `Margin width ${num(2 / size)}, ${support} support vectors, sum of slacks ${total}, ${wrong} mistakes.`);
  };
};
