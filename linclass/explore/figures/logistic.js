const { num, dot, sum, losses, sigmoid } = linclassExplore;

const raised = (digits) => [...digits].map((c) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[c]).join("");
const scientific = (v) => v.toExponential(1).replace("e-", "·10⁻").replace("e+", "·10").replace(/\d+$/, raised);

linclassExplore.kinds.logistic = (f, { X, y, lams, path, probe, start, sure }) => {
  const [p, norms] = f.panels, odds = Math.log(sure / (1 - sure));
  let k = start;
  f.range("λ =", { min: 0, max: lams.length - 1, step: 1, value: k, show: (v) => scientific(lams[v]) }, (v) => { k = v; });
  const knob = f.knob(p, {
    name: "Probe", get: () => probe, set: (...at) => { probe = at; },
    say: () => `probability of plus one ${num(f.numbers.probability)}`,
  });
  f.ground(p, (at) => { probe = at; });
  f.draw = () => {
    const [a, b, theta_0] = path[k], theta = [a, b], size = Math.hypot(a, b);
    const score = (x) => dot(theta, x) + theta_0;
    const likelihood = -sum(X.map((x, i) => losses.logistic[0](y[i] * score(x))));
    const probability = sigmoid(score(probe));
    const steps = [-odds, -odds / 2, 0, odds / 2, odds];
    p.set("back", steps.map((s) => p.half(theta, theta_0, s, 1, "shade p")), steps.map((s) => p.half(theta, theta_0, s, -1, "shade n")), p.level(theta, theta_0, 0, ""), p.level(theta, theta_0, odds, "dash p"), p.level(theta, theta_0, -odds, "dash n"));
    p.keepExamples(X, y, (i) => y[i] * score(X[i]) <= 0);
    f.numbers = { lam: lams[k], theta, theta_0, norm: size, log_likelihood: likelihood, probability, probe };
    knob.update();
    p.set("front", p.text(...probe, num(probability), "halo", 11, 4));
    norms.set("front", norms.mark(Math.log10(lams[k]), size, "knob solid"));
    f.say(`<p>θ = (${num(a)}, ${num(b)}), θ₀ = ${num(theta_0)}; |θ| = ${num(size)}; log-likelihood ${num(likelihood, 4)}</p>
      <p>width of the strip where the model is less than 90% sure: ${num(2 * odds / size, 3)}; P(+1) at the open circle: ${num(probability, 3)}</p>`,
    `Lambda ${lams[k].toExponential(1)}: norm of theta ${num(size)}, log-likelihood ${num(likelihood, 4)}, probability at the probe ${num(probability)}.`);
  };
};
