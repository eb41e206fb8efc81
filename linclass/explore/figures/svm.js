linclassExplore.kinds.svm = (f, { X, y, C }) => {
  const { num, label } = linclassExplore;
  const [p, kkt] = f.panels;
  const n = y.length;
  let dual = y.map(() => 0);
  // The dual by pairs: move the two multipliers that violate optimality most, until none does by more than 1e-10.
  const solve = () => {
    const [U, V] = [0, 1].map((c) => Float64Array.from(X, (x) => x[c]));
    let u = 0, v = 0, high = 0, low = 0; // theta = (u, v)
    for (let i = 0; i < n; i++) { u += dual[i] * y[i] * U[i]; v += dual[i] * y[i] * V[i]; }
    for (let k = 0; k < 50000; k++) {
      let a = -1, b = -1;
      high = -Infinity;
      low = Infinity;
      for (let i = 0; i < n; i++) {
        const g = y[i] - u * U[i] - v * V[i];
        if ((y[i] > 0 ? dual[i] < C : dual[i] > 0) && g > high) { high = g; a = i; }
        if ((y[i] > 0 ? dual[i] > 0 : dual[i] < C) && g < low) { low = g; b = i; }
      }
      if (high - low <= 1e-10 * (1 + Math.abs(high))) break;
      const d = U[a] - U[b], e = V[a] - V[b];
      const room = Math.min(y[a] > 0 ? C - dual[a] : dual[a], y[b] > 0 ? dual[b] : C - dual[b]);
      const t = Math.min(room, (high - low) / Math.max(d * d + e * e, 1e-12));
      dual[a] += y[a] * t;
      dual[b] -= y[b] * t;
      for (const i of [a, b]) {
        if (dual[i] < 1e-14 * C) dual[i] = 0;
        if (dual[i] > C * (1 - 1e-14)) dual[i] = C;
      }
      u += t * d;
      v += t * e;
    }
    return { theta: [u, v], theta_0: (high + low) / 2 };
  };
  const points = f.points(p, {
    count: () => n, get: (i) => X[i], set: (i, a, b) => { X[i] = [a, b]; },
    cls: (i) => (y[i] > 0 ? "pos" : "neg") + (dual[i] > 0 ? " err" : ""),
    name: (i) => `Point ${i + 1}, label ${label(y[i])}`,
    say: (i) => `at ${num(X[i][0])}, ${num(X[i][1])}, slack ${num(f.numbers.slacks[i])}, multiplier ${num(dual[i])}`,
  });
  f.range("C =", { min: -2, max: 3, step: "any", value: Math.log10(C), show: (v) => num(10 ** v, v < 0 ? 3 : v < 1 ? 2 : 0) }, (v) => {
    const fresh = 10 ** v;
    dual = dual.map((a) => (a === C ? fresh : a * fresh / C));
    C = fresh;
  });
  f.draw = () => {
    const { theta, theta_0 } = solve(), size = Math.hypot(...theta);
    const margins = X.map((x, i) => y[i] * (theta[0] * x[0] + theta[1] * x[1] + theta_0));
    const slacks = margins.map((z) => Math.max(0, 1 - z));
    const push = (i) => slacks[i] * y[i] / size ** 2;
    const [right, left] = [1, -1].map((s) => p.ends(theta, theta_0, s));
    p.set("back", size > 0 ? p.path([...right, ...left.reverse()], "band") : "",
      [1, -1, 0].map((s) => p.level(theta, theta_0, s, s ? "dash" : "")),
      X.map((x, i) => (slacks[i] > 1e-9 ? p.line(...x, x[0] + push(i) * theta[0], x[1] + push(i) * theta[1], "thin " + (y[i] > 0 ? "p" : "n")) : "")));
    f.numbers = { X, C, theta, theta_0, dual, slacks, margins };
    points.update();
    kkt.keep(margins.map((z, i) => [z, dual[i] / C, (y[i] > 0 ? "pos" : "neg") + (i === points.chosen ? " err" : "")]));
    const support = dual.filter((a) => a > 0).length, full = dual.filter((a) => a === C).length, i = points.chosen;
    const wrong = margins.filter((z) => z <= 0).length, total = slacks.reduce((a, b) => a + b, 0);
    f.say(`<p>margin width 2/|θ| = ${num(2 / size)}, sum of slacks ${num(total)}, mistakes ${wrong} of ${n};
      support vectors ${support}, of which ${full} at C</p>
      <p>Point ${i + 1}, y = ${label(y[i])}: margin ${num(margins[i])}, slack ${num(slacks[i])}, multiplier ${num(dual[i], 3)}${dual[i] === C ? " = C" : ""}</p>`,
    `Margin width ${num(2 / size)}, ${support} support vectors, sum of slacks ${num(total)}, ${wrong} mistakes.`);
  };
};
