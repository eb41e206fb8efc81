linclassExplore.kinds.margins = (f, { X, y, theta, theta_0, anchor }) => {
  const { num, label } = linclassExplore;
  const [p] = f.panels;
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1];
  const score = (x) => dot(theta, x) + theta_0;
  const size = () => Math.hypot(...theta);
  const foot = (x) => { const t = score(x) / dot(theta, theta); return [x[0] - t * theta[0], x[1] - t * theta[1]]; };
  const tip = () => [anchor[0] + theta[0], anchor[1] + theta[1]];
  const scale = (c) => { theta = theta.map((v) => v * c); theta_0 *= c; };
  const points = f.points(p, {
    count: () => y.length, get: (i) => X[i], set: (i, a, b) => { X[i] = [a, b]; },
    cls: (i) => (y[i] > 0 ? "pos" : "neg") + (y[i] * score(X[i]) <= 0 ? " err" : ""),
    name: (i) => `Point ${i + 1}, label ${label(y[i])}`,
    say: (i) => `at ${num(X[i][0])}, ${num(X[i][1])}, margin ${num(y[i] * score(X[i]))}`,
  });
  const shift = f.points(p, {
    count: () => 1, get: () => anchor, cls: () => "knob", name: () => "Boundary: move to shift it",
    set: (i, a, b) => { anchor = [a, b]; theta_0 = -dot(theta, anchor); },
  });
  const turn = f.points(p, {
    count: () => 1, get: tip, cls: () => "knob solid", name: () => "Tip of theta: move to turn and stretch it",
    set: (i, a, b) => {
      const wish = [a - anchor[0], b - anchor[1]];
      if (Math.hypot(...wish) > 1e-3) { theta = wish; theta_0 = -dot(theta, anchor); }
    },
  });
  f.button("Double θ and θ₀", () => scale(2));
  f.button("Halve them", () => scale(0.5));
  f.button("Turn θ around", () => scale(-1));
  f.draw = () => {
    const i = points.chosen, x = X[i], s = score(x);
    const margins = X.map((v, k) => y[k] * score(v));
    const wrong = margins.filter((z) => z <= 0).length;
    const cosine = dot(theta, x) / (size() * Math.hypot(...x));
    p.set("back", p.level(theta, theta_0, 0, ""), p.line(...foot(x), ...x, "dash"));
    p.set("front", p.arrow(...anchor, ...tip(), "acc"), p.text(...tip(), "θ", "acc halo", 11, 4));
    points.update(); shift.update(); turn.update();
    f.numbers = { theta, theta_0, X, margins, distance: s / size(), cosine, error: wrong / y.length, chosen: i };
    f.say(`<p>θ = (${num(theta[0])}, ${num(theta[1])}), θ₀ = ${num(theta_0)}, |θ| = ${num(size())};
      mistakes ${wrong} of ${y.length}, training error ${num(wrong / y.length)}</p>
      <p>Point ${i + 1}, y = ${label(y[i])}: score ${num(s)}, margin ${num(y[i] * s)},
      signed distance ${num(s / size())}, angle with θ ${num(Math.acos(Math.max(-1, Math.min(1, cosine))) * 180 / Math.PI, 0)}°</p>`,
    `${wrong} of ${y.length} points wrong. Point ${i + 1}: margin ${num(y[i] * s)}, signed distance ${num(s / size())}.`);
  };
};
