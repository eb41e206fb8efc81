const { num, sum } = linclassExplore;

const TEMPO = 60; // milliseconds from step to step while it plays

linclassExplore.kinds.kernel_sgd = (f, { x, y, tau, lams, k, draws, exact, least, steps, scale, floor, ceiling, probe }) => {
  const [plane, risks] = f.panels, m = y.length;
  const kernel = (a, b) => Math.exp(-(((a - b) / tau) ** 2) / 2);
  const K = x.map((a) => x.map((b) => kernel(a, b)));
  const score = (alpha, u) => sum(alpha.map((a, i) => a * kernel(x[i], u)));
  const hinge = (s, label) => Math.max(0, 1 - label * s), slope = (s, label) => (label * s <= 1 ? -label : 0);
  const risk = (alpha, lam) => {
    const scores = K.map((row) => sum(row.map((v, i) => v * alpha[i])));
    return sum(scores.map((s, i) => hinge(s, y[i]))) / m + lam / 2 * sum(alpha.map((a, i) => a * scores[i]));
  };
  // One step of each form on example i: alpha, and its step size at step t.
  const forms = [
    [(alpha, i, lam, eta) => {
      const pull = eta * (slope(sum(K[i].map((v, j) => v * alpha[j])), y[i]) + m * lam * alpha[i]);
      return alpha.map((a, j) => a - pull * K[i][j]);
    }, (t) => scale / Math.sqrt(t)],
    [(alpha, i, lam, eta) => {
      const pull = eta * slope(sum(K[i].map((v, j) => v * alpha[j])), y[i]);
      return alpha.map((a, j) => (1 - eta * lam) * a - (j === i ? pull : 0));
    }, (t, lam) => 1 / lam / (t + 1)],
  ];
  const walk = ([step, size], lam) => {
    let alpha = x.map(() => 0);
    const values = [risk(alpha, lam)];
    for (let t = 1; t <= steps; t++) values.push(risk(alpha = step(alpha, draws[t - 1], lam, size(t, lam)), lam));
    return { alpha, values };
  };
  const count = f.range("steps", { min: 1, max: draws.length, step: 1, value: steps, show: String }, (v) => { steps = v; });
  f.motion(count, TEMPO);
  f.range("λ =", { min: 0, max: lams.length - 1, step: 1, value: k, show: (v) => String(lams[v]) }, (v) => { k = v; });
  const knob = f.knob(plane, {
    name: "Probe", get: () => [probe, 0], set: (u) => { probe = Math.round(u * 100) / 100; },
    say: () => `at ${num(probe)} the scores are ${f.numbers.scores.map((s) => num(s)).join(" and ")}`,
  });
  f.ground(plane, ([u]) => { probe = Math.round(u * 100) / 100; });
  f.draw = () => {
    const lam = lams[k], runs = forms.map((form) => walk(form, lam));
    const height = (v) => (v < Infinity ? Math.min(Math.log10(Math.max(v - least[k], 10 ** floor)), ceiling) : ceiling);
    plane.set("back", [[exact[k], "dash"], [runs[0].alpha, "n dash"], [runs[1].alpha, "acc"]].map(([alpha, cls]) => plane.curve((u) => score(alpha, u), cls)));
    plane.keep(x.map((u, i) => [u, y[i], y[i] > 0 ? "pos" : "neg"]));
    risks.set("back", runs.map(({ values }, j) => risks.path(values.map((v, t) => [t, height(v)]), j ? "acc" : "n dash")));
    const scores = [...runs.map(({ alpha }) => score(alpha, probe)), score(exact[k], probe)];
    const last = runs.map(({ values }) => values[steps]);
    f.numbers = { lam, steps, probe, scores, alphas: runs.map(({ alpha }) => alpha), risks: last, least: least[k], limit: 2 / (m * lam) };
    knob.update();
    f.say(`<p>after ${steps} steps at λ = ${lam}: risk ${num(last[0], 4)} in coefficient space, ${num(last[1], 4)} by the functional form, at least ${num(least[k], 4)}</p>
      <p>score at ${num(probe)}: ${num(scores[0])}, ${num(scores[1])}, exactly ${num(scores[2])}; steps in coefficient space are safe below 2/(mλ) = ${num(2 / (m * lam))}</p>`,
    `After ${steps} steps at lambda ${lam}: risk ${num(last[0], 3)} in coefficient space, ${num(last[1], 3)} by the functional form, the minimum is ${num(least[k], 3)}.`);
  };
};
