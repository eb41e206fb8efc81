const { num, label, side, dot, clamp } = linclassExplore;

const TEMPO = 450; // milliseconds from step to step while it plays
const MOST_STEPS = 20000; // of the search for a separator
const FLAT = 1e-13, NO_MARGIN = 1e-9; // relative to the largest square norm: where that search ends, and what is none

// The walk of linclass.perceptron.fit_perceptron from (0, 0): the parameters after each mistake.
const run = (X, y, epochs) => {
  let theta = [0, 0], theta_0 = 0;
  const steps = [{ theta, theta_0 }], history = [];
  while (history.length < epochs && history.at(-1) !== 0) {
    let mistakes = 0;
    X.forEach((x, i) => {
      if (y[i] * (dot(theta, x) + theta_0) > 0) return;
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
const separator = (X, y) => {
  const V = X.map((x, i) => [y[i] * x[0], y[i] * x[1], y[i]]);
  const times = (a, b) => dot(a, b) + a[2] * b[2];
  const w = V.map((_, i) => (i ? 0 : 1)), R2 = Math.max(...V.map((v) => times(v, v)));
  let u = [...V[0]];
  for (let k = 0; k < MOST_STEPS; k++) {
    const z = V.map((v) => times(v, u));
    let a = 0, b = -1;
    z.forEach((v, i) => { if (v < z[a]) a = i; if (w[i] > 0 && (b < 0 || v > z[b])) b = i; });
    if (z[b] - z[a] <= FLAT * R2) break;
    const d = V[a].map((v, c) => v - V[b][c]), t = Math.min(w[b], (z[b] - z[a]) / times(d, d));
    w[a] += t;
    w[b] -= t;
    u = u.map((v, c) => v + t * d[c]);
  }
  const low = Math.min(...V.map((v) => times(v, u)));
  return low > NO_MARGIN * R2 ? { theta: [u[0], u[1]], theta_0: u[2], bound: R2 * times(u, u) / low ** 2 } : null;
};

linclassExplore.kinds.perceptron = (f, { X, y, epochs }) => {
  const [p, bars] = f.panels;
  let walk, bound, at, epochSeen = -1;
  const last = () => walk.steps.length - 1;
  const go = (k) => { at = clamp(k, 0, last()); slider.put(at); };
  // After each change of the points: the walk anew, shown at its end.
  const renew = () => {
    walk = run(X, y, epochs);
    bound = separator(X, y);
    slider.max = last();
    go(last());
  };
  const erred = (i, k) => walk.steps.some((step) => step.i === i && step.epoch === k);
  const points = f.examples(p, X, y, {
    over: (i) => f.over(i), rim: (i) => walk.steps[at].i === i,
    cls: (i) => side(y[i], walk.steps[at].i === i) + (f.hovered === i || erred(i, epochSeen) ? " twin" : ""), name: (i) => `Point ${i + 1}`, tell: (i) => `label ${label(y[i])}`,
    set: (i, ...x) => { X[i] = x; renew(); },
  });
  const slider = f.range("after mistake", { min: 0, max: 1, step: 1, value: 0, show: String }, (v) => { at = v; });
  f.motion(slider, TEMPO, true);
  f.editing(p, X, y, points, renew);
  // The mouse over a bar marks whom that epoch got wrong.
  for (const [event, seen] of [["pointermove", (e) => Math.round(bars.at(e)[0]) - 1], ["pointerleave", () => -1]])
    bars.svg.addEventListener(event, (e) => { if (epochSeen !== seen(e)) { epochSeen = seen(e); f.draw(); } });
  renew();
  f.draw = () => {
    const { theta, theta_0, i, epoch } = walk.steps[at], { history } = walk, mistakes = last();
    const before = walk.steps[Math.max(0, at - 1)], settled = history.at(-1) === 0;
    p.set("back", ...p.sides(theta, theta_0, 0), at > 1 ? p.level(before.theta, before.theta_0, 0, "dash") : "", p.level(theta, theta_0, 0, ""));
    points.update();
    bars.set("back", history.map((n, k) => bars.line(k + 1, 0, k + 1, n, erred(f.hovered, k) ? "stem acc" : k === epoch ? "stem n" : "stem")));
    f.numbers = { X, y, at, theta, theta_0, mistakes, history, settled, separator: bound };
    const outcome = settled ? `settled after ${mistakes} mistakes in ${history.length} epochs`
      : `made ${mistakes} mistakes in ${history.length} epochs and has not settled`;
    const limit = bound ? `the bound (R/γ)² is ${num(bound.bound, 1)}` : "no separator found, so there is no bound";
    f.say(`<p>after mistake ${at} of ${mistakes}${at ? `, on point ${i + 1} in epoch ${epoch + 1}` : ""}: θ = (${num(theta[0])}, ${num(theta[1])}), θ₀ = ${num(theta_0, 0)}</p>
      <p>The walk ${outcome}; ${limit}.</p>`, `After mistake ${at} of ${mistakes}. The walk ${outcome}; ${limit}.`);
  };
};
