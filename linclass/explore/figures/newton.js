const { num, sigmoid, clamp, sum } = linclassExplore;

const TEMPO = 700; // milliseconds from step to step while it plays

// Decimal digits of x that are right: -log10 of its distance to the nearest root, between -1 and most.
const digitsRight = (x, roots, most) => {
  const error = Math.min(...roots.map((root) => Math.abs(x - root)));
  if (!Number.isFinite(error)) return -1;
  return error === 0 ? most : clamp(-Math.log10(error), -1, most);
};

// Each function with its slope; m holds y x of the examples of a logistic risk.
const functionsOf = (m) => ({
  logistic: [(x) => sum(m.map((v) => -v * sigmoid(-v * x))), (x) => sum(m.map((v) => v * v * sigmoid(v * x) * sigmoid(-v * x)))],
  sqrt: [(x) => x * x - 2, (x) => 2 * x],
  arctan: [Math.atan, (x) => 1 / (1 + x * x)],
});

linclassExplore.kinds.newton = (f, { start, name, steps, m, functions, most }) => {
  const [plane, digits] = f.panels, formulas = functionsOf(m);
  let eta = functions[name].eta;
  f.select("f(x) =", Object.keys(functions).map((k) => [k, functions[k].words]), name, (v) => { name = v; eta = functions[v].eta; etas.put(eta); });
  const starts = f.range("start x₀ =", { min: plane.x[0], max: plane.x[1], step: 0.01, value: start }, (v) => { start = v; });
  const count = f.range("steps", { min: 1, max: 10, step: 1, value: steps, show: String }, (v) => { steps = v; });
  f.motion(count, TEMPO);
  const etas = f.range("gradient descent’s η =", { min: 0.02, max: 2, step: 0.02, value: eta }, (v) => { eta = v; });
  const begin = (x) => { start = Math.round(x * 100) / 100; starts.put(start); };
  const knob = f.knob(plane, { name: "Start", get: () => [start, 0], say: () => num(start), set: begin });
  f.ground(plane, ([x]) => begin(x));
  f.draw = () => {
    const [value, slope] = formulas[name], roots = functions[name].roots.map(Number);
    const newton = [start], slow = [start], drawn = [];
    for (let k = 0; k < steps; k++) {
      const x = newton[k], h = value(x), next = x - h / slope(x);
      newton.push(next);
      slow.push(slow[k] - eta * value(slow[k]));
      if (Number.isFinite(next)) drawn.push(plane.line(x, 0, x, h, "dash"), plane.line(x, h, next, 0, "acc thin"));
    }
    plane.set("back", plane.line(-99, 0, 99, 0, "quiet"), plane.curve(value, "p"), drawn);
    plane.set("front", roots.map((root) => plane.mark(root, 0, "star")));
    knob.update();
    const [right, slowly] = [newton, slow].map((path) => path.map((x) => digitsRight(x, roots, most)));
    digits.set("back", [[slowly, "n dash", "filln"], [right, "acc", "filla"]].flatMap(([heights, cls, fill]) => [
      digits.path(heights.map((h, k) => [k, h]), cls), ...heights.map((h, k) => digits.dot(k, h, fill, 3.5))]));
    f.numbers = { start, name, eta, newton, slow, roots, digits: right, slow_digits: slowly };
    const [fast, behind] = [right[steps], slowly[steps]].map((h) => num(h, 1));
    f.say(`<p>Newton: ${newton.slice(0, 6).map((x) => num(x, 4)).join(" → ")}${steps > 5 ? " → …" : ""}</p>
      <p>after ${steps} steps: Newton ${fast} digits right, gradient descent ${behind}</p>`,
    `Start ${num(start)}: after ${steps} steps Newton is at ${num(newton[steps], 4)}, ${fast} digits right; gradient descent ${behind}.`);
  };
};
