linclassExplore.kinds.newton = (f, { start, name, steps, m, functions }) => {
  const { num, sigmoid, clamp } = linclassExplore;
  const [plane, digits] = f.panels;
  const sum = (term) => m.reduce((total, v) => total + term(v), 0);
  const formulas = {
    logistic: [(x) => sum((v) => -v * sigmoid(-v * x)), (x) => sum((v) => v * v * sigmoid(v * x) * sigmoid(-v * x))],
    sqrt: [(x) => x * x - 2, (x) => 2 * x],
    arctan: [Math.atan, (x) => 1 / (1 + x * x)],
  };
  let eta = functions[name].eta;
  f.select("f(x) =", Object.keys(functions).map((k) => [k, functions[k].words]), name, (v) => { name = v; eta = functions[v].eta; etas.put(eta); });
  const starts = f.range("start x₀ =", { min: -6, max: 6, step: 0.01, value: start }, (v) => { start = v; });
  f.range("steps", { min: 1, max: 10, step: 1, value: steps, show: String }, (v) => { steps = v; });
  const etas = f.range("gradient descent’s η =", { min: 0.02, max: 2, step: 0.02, value: eta }, (v) => { eta = v; });
  const knob = f.points(plane, {
    count: () => 1, get: () => [start, 0], cls: () => "knob", name: () => "Start", say: () => num(start),
    set: (i, x) => { start = Math.round(x * 100) / 100; starts.put(start); },
  });
  f.draw = () => {
    const [value, slope] = formulas[name], roots = functions[name].roots.map(Number);
    const newton = [start], slow = [start], drawn = [];
    for (let k = 0; k < steps; k++) {
      const x = newton[k], h = value(x), next = x - h / slope(x);
      newton.push(next);
      slow.push(slow[k] - eta * value(slow[k]));
      if (Number.isFinite(next)) drawn.push(plane.line(x, 0, x, h, "dash"), plane.line(x, h, next, 0, "acc thin"));
    }
    const right = (x) => { const e = Math.min(...roots.map((r) => Math.abs(x - r))); return e === 0 ? 16 : Number.isFinite(e) ? clamp(-Math.log10(e), -1, 16) : -1; };
    plane.set("back", plane.line(-99, 0, 99, 0, "quiet"), plane.curve(value, "p"), drawn);
    plane.set("front", roots.map((r) => plane.mark(r, 0, "star")));
    knob.update();
    const dots = (path, cls) => path.map((x, k) => `<circle class="${cls}" r="3.5" cx="${digits.px(k)}" cy="${digits.py(right(x))}"/>`);
    digits.set("back", [[slow, "n dash", "filln"], [newton, "acc", "filla"]].map(([path, cls, dot]) => [
      digits.path(path.map((x, k) => [k, right(x)]), cls), dots(path, dot)].flat()).flat());
    f.numbers = { start, name, eta, newton, slow, roots, digits: newton.map(right), slow_digits: slow.map(right) };
    const end = newton[steps];
    f.say(`<p>Newton: ${newton.slice(0, 6).map((x) => num(x, 4)).join(" → ")}${steps > 5 ? " → …" : ""}</p>
      <p>after ${steps} steps: Newton ${num(right(end), 1)} digits right, gradient descent ${num(right(slow[steps]), 1)}</p>`,
    `Start ${num(start)}: after ${steps} steps Newton is at ${num(end, 4)}, ${num(right(end), 1)} digits right; gradient descent ${num(right(slow[steps]), 1)}.`);
  };
};
