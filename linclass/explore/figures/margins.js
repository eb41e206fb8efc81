const { num, label, dot, clamp } = linclassExplore;

const degrees = (cosine) => Math.acos(clamp(cosine, -1, 1)) * 180 / Math.PI;

linclassExplore.kinds.margins = (f, { X, y, theta, theta_0, anchor }) => {
  const [p] = f.panels;
  const score = (x) => dot(theta, x) + theta_0;
  const margin = (i) => y[i] * score(X[i]);
  const size = () => Math.hypot(...theta);
  const foot = (x) => { const t = score(x) / dot(theta, theta); return [x[0] - t * theta[0], x[1] - t * theta[1]]; };
  const tip = () => [anchor[0] + theta[0], anchor[1] + theta[1]];
  const scale = (c) => { theta = theta.map((v) => v * c); theta_0 *= c; };
  const points = f.examples(p, X, y, { rim: (i) => margin(i) <= 0, tell: (i) => `margin ${num(margin(i))}` });
  const shift = f.knob(p, {
    name: "Boundary: move to shift it", get: () => anchor,
    set: (...at) => { anchor = at; theta_0 = -dot(theta, anchor); },
  });
  const turn = f.knob(p, {
    name: "Tip of theta: move to turn and stretch it", cls: "knob solid", get: tip,
    set: (a, b) => {
      const wish = [a - anchor[0], b - anchor[1]];
      if (Math.hypot(...wish) > 1e-3) { theta = wish; theta_0 = -dot(theta, anchor); }
    },
  });
  f.button("Double θ and θ₀", () => scale(2));
  f.button("Halve them", () => scale(0.5));
  f.button("Turn θ around", () => scale(-1));
  f.editing(p, X, y, points);
  f.draw = () => {
    const i = points.chosen, x = X[i], distance = score(x) / size();
    const margins = y.map((_, k) => margin(k));
    const wrong = margins.filter((z) => z <= 0).length, error = wrong / y.length;
    const cosine = dot(theta, x) / (size() * Math.hypot(...x));
    p.set("back", p.sides(theta, theta_0, 0), p.level(theta, theta_0, 0, ""), p.line(...foot(x), ...x, "dash"));
    p.set("front", p.arrow(...anchor, ...tip(), "acc"), p.text(...tip(), "θ", "acc halo", 11, 4));
    for (const handles of [points, shift, turn]) handles.update();
    f.numbers = { theta, theta_0, X, y, margins, distance, cosine, error, chosen: i };
    f.say(`<p>θ = (${num(theta[0])}, ${num(theta[1])}), θ₀ = ${num(theta_0)}, |θ| = ${num(size())};
      mistakes ${wrong} of ${y.length}, training error ${num(error)}</p>
      <p>Point ${i + 1}, y = ${label(y[i])}: score ${num(score(x))}, margin ${num(margins[i])},
      signed distance ${num(distance)}, angle with θ ${num(degrees(cosine), 0)}°</p>`,
    `${wrong} of ${y.length} points wrong. Point ${i + 1}: margin ${num(margins[i])}, signed distance ${num(distance)}.`);
  };
};
