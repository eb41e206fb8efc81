linclassExplore.kinds.perceptron = (f, { X, y, epochs }) => {
  const { num, label } = linclassExplore;
  const [p, bars] = f.panels;
  const first = [X.map((x) => [...x]), [...y]];
  let walk, bound, at, timer = null;
  // The walk of linclass.perceptron.fit_perceptron from (0, 0): the parameters after each mistake.
  const run = () => {
    let theta = [0, 0], theta_0 = 0;
    const steps = [{ theta, theta_0 }], history = [];
    while (history.length < epochs && history.at(-1) !== 0) {
      let mistakes = 0;
      X.forEach((x, i) => {
        if (y[i] * (theta[0] * x[0] + theta[1] * x[1] + theta_0) > 0) return;
        theta = [theta[0] + y[i] * x[0], theta[1] + y[i] * x[1]];
        theta_0 += y[i];
        mistakes++;
        steps.push({ theta, theta_0, i, epoch: history.length });
      });
      history.push(mistakes);
    }
    return { steps, history };
  };
  // The shortest vector in the hull of all y (x, 1), moving weight from the worst of its parts to the best. Its
  // direction is the separator of largest margin, and gives the smallest of Novikoff's bounds (R / gamma)^2.
  const separator = () => {
    const V = X.map((x, i) => [y[i] * x[0], y[i] * x[1], y[i]]);
    const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
    const w = V.map((_, i) => (i ? 0 : 1)), R2 = Math.max(...V.map((v) => dot(v, v)));
    let u = [...V[0]], low = 0;
    for (let k = 0; k < 20000; k++) {
      const z = V.map((v) => dot(v, u));
      let a = 0, b = -1;
      z.forEach((v, i) => { if (v < z[a]) a = i; if (w[i] > 0 && (b < 0 || v > z[b])) b = i; });
      low = z[a];
      if (z[b] - low <= 1e-13 * R2) break;
      const d = V[a].map((v, c) => v - V[b][c]), t = Math.min(w[b], (z[b] - low) / dot(d, d));
      w[a] += t;
      w[b] -= t;
      u = u.map((v, c) => v + t * d[c]);
    }
    low = Math.min(...V.map((v) => dot(v, u)));
    return low > 1e-9 * R2 ? { theta: [u[0], u[1]], theta_0: u[2], bound: R2 * dot(u, u) / low ** 2 } : null;
  };
  const renew = () => {
    walk = run();
    bound = separator();
    slider.max = walk.steps.length - 1;
    go(Math.min(at ?? 1e9, walk.steps.length - 1));
  };
  const go = (k) => { at = Math.max(0, Math.min(walk.steps.length - 1, k)); slider.put(at); };
  const stop = () => { clearInterval(timer); timer = null; play.textContent = "Play"; };
  const points = f.points(p, {
    count: () => y.length, get: (i) => X[i], set: (i, a, b) => { X[i] = [a, b]; at = undefined; renew(); },
    cls: (i) => (y[i] > 0 ? "pos" : "neg") + (walk.steps[at].i === i ? " err" : ""),
    name: (i) => `Point ${i + 1}`, say: (i) => `at ${num(X[i][0])}, ${num(X[i][1])}, label ${label(y[i])}`,
    act: (i, key) => (key === "Enter" || key === " " ? flip(i) : drop(i)),
  });
  const change = () => { at = undefined; renew(); };
  const flip = (i) => { y[i] = -y[i]; change(); };
  const drop = (i) => { if (y.length > 2) { X.splice(i, 1); y.splice(i, 1); change(); } };
  const put = (x, sign) => { X.push(x); y.push(sign); change(); points.chosen = y.length - 1; };
  const slider = f.range("after mistake", { min: 0, max: 1, step: 1, value: 0, show: String }, (v) => { stop(); at = v; });
  f.button("Back", () => { stop(); go(at - 1); });
  f.button("Step", () => { stop(); go(at + 1); });
  const play = f.button("Play", () => {
    if (timer) return stop();
    if (f.still.matches) return go(walk.steps.length - 1);
    if (at === walk.steps.length - 1) go(0);
    play.textContent = "Pause";
    timer = setInterval(() => {
      go(at + 1);
      if (at === walk.steps.length - 1) stop();
      f.redraw();
    }, 450);
  });
  const middle = () => [(p.x[0] + p.x[1]) / 2, (p.y[0] + p.y[1]) / 2];
  f.button("Flip chosen point", () => flip(points.chosen));
  f.button("Remove it", () => drop(points.chosen));
  f.button("Add +1", () => put(middle(), 1));
  f.button("Add −1", () => put(middle(), -1));
  f.button("Start again", () => { stop(); X = first[0].map((x) => [...x]); y = [...first[1]]; change(); });
  renew();
  f.draw = () => {
    const { theta, theta_0, i } = walk.steps[at], last = walk.steps.length - 1;
    const before = walk.steps[Math.max(0, at - 1)];
    const settled = walk.history.at(-1) === 0;
    p.set("back", at > 1 ? p.level(before.theta, before.theta_0, 0, "dash") : "", p.level(theta, theta_0, 0, ""));
    points.update();
    const now = at ? walk.steps[at].epoch : -1;
    bars.set("back", walk.history.map((n, k) => bars.line(k + 1, 0, k + 1, n, k === now ? "stem n" : "stem")));
    f.numbers = { X, y, at, theta, theta_0, mistakes: last, history: walk.history, settled, separator: bound };
    const outcome = settled ? `settled after ${last} mistakes in ${walk.history.length} epochs`
      : `made ${last} mistakes in ${walk.history.length} epochs and has not settled`;
    const limit = bound ? `the bound (R/γ)² is ${num(bound.bound, 1)}` : "no separator found, so there is no bound";
    f.say(`<p>after mistake ${at} of ${last}${at ? `, on point ${i + 1} in epoch ${walk.steps[at].epoch + 1}` : ""}: θ = (${num(theta[0])}, ${num(theta[1])}), θ₀ = ${num(theta_0, 0)}</p>
      <p>The walk ${outcome}; ${limit}.</p>`, `After mistake ${at} of ${last}. The walk ${outcome}; ${limit}.`);
  };
};
