linclassExplore.kinds.kernels = (f, { X, y, taus, alphas, offsets, probe, start }) => {
  const { num, label } = linclassExplore;
  const [p, votes] = f.panels;
  let k = start;
  f.range("τ =", { min: 0, max: taus.length - 1, step: 1, value: k, show: (v) => num(taus[v], 3) }, (v) => { k = v; });
  const kernel = (x, i) => Math.exp(-((x[0] - X[i][0]) ** 2 + (x[1] - X[i][1]) ** 2) / (2 * taus[k] ** 2));
  const knob = f.points(p, {
    count: () => 1, get: () => probe, set: (i, a, b) => { probe = [a, b]; }, cls: () => "knob",
    name: () => "Question point", say: () => `score ${num(f.numbers.score)}`,
  });
  // Lines where the field crosses a level: a segment for each cell of the grid that it passes, by linear interpolation.
  const contour = (field, columns, rows, level, cls) => {
    const parts = [];
    const [w, h] = [p.size[0] / columns, p.size[1] / rows];
    for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) {
      const v = [field[r][c], field[r][c + 1], field[r + 1][c + 1], field[r + 1][c]].map((s) => s - level);
      const cut = [];
      [[0, 0, 1, 0], [1, 0, 1, 1], [1, 1, 0, 1], [0, 1, 0, 0]].forEach(([ax, ay, bx, by], e) => {
        const [s, t] = [v[e], v[(e + 1) % 4]];
        if (s > 0 !== t > 0) cut.push([(c + ax + (bx - ax) * s / (s - t)) * w, (r + ay + (by - ay) * s / (s - t)) * h]);
      });
      for (let e = 0; e + 1 < cut.length; e += 2) parts.push(cut.slice(e, e + 2).map((q) => q.map((u) => Math.round(u * 10) / 10).join(" ")).join("L"));
    }
    return parts.length ? `<path class="${cls}" d="M${parts.join("M")}"/>` : "";
  };
  const columns = 53, rows = 41;
  const fields = {};
  const field = () => fields[k] ??= Array.from({ length: rows + 1 }, (_, r) => Array.from({ length: columns + 1 }, (_, c) =>
    score([p.x[0] + (p.x[1] - p.x[0]) * c / columns, p.y[1] - (p.y[1] - p.y[0]) * r / rows])));
  const score = (x) => alphas[k].reduce((sum, a, i) => (a ? sum + a * kernel(x, i) : sum), offsets[k]);
  f.draw = () => {
    const alpha = alphas[k], grid = field();
    const parts = alpha.map((a, i) => a * kernel(probe, i)), total = parts.reduce((s, v) => s + v, offsets[k]);
    const order = parts.map((_, i) => i).sort((i, j) => Math.abs(parts[j]) - Math.abs(parts[i])).slice(0, 8);
    const largest = Math.max(Math.abs(offsets[k]), ...order.map((i) => Math.abs(parts[i])), 1e-12);
    p.set("back", contour(grid, columns, rows, 0, ""), contour(grid, columns, rows, 1, "thin p"), contour(grid, columns, rows, -1, "thin n"));
    p.keep(X.map((x, i) => [...x, (y[i] > 0 ? "pos" : "neg") + (alpha[i] ? " err" : "")]));
    p.set("front", order.filter((i) => Math.abs(parts[i]) > 0.02 * largest).map((i) =>
      p.line(...probe, ...X[i], `wire ${parts[i] > 0 ? "p" : "n"}`).replace("/>", ` style="stroke-width:${num(4 * Math.abs(parts[i]) / largest, 1)}"/>`)));
    f.numbers = { tau: taus[k], alpha, theta_0: offsets[k], probe, votes: parts, score: total };
    knob.update();
    const bar = (v, row, words) => votes.line(0, row, v / largest, row, "vote " + (v > 0 ? "p" : "n"))
      + votes.text(-1.45, row, words, "sm", 0, 4) + votes.text(1.45, row, num(v, 3), "sm e", 0, 4);
    votes.set("back", votes.line(0, -2, 0, 12, "quiet"), order.map((i, r) => bar(parts[i], 8 - r, `point ${i + 1}`)), bar(offsets[k], 0, "θ₀"));
    const voters = alpha.filter((a) => a).length;
    f.say(`<p>score at the open circle: ${num(total, 3)} = sum of ${voters} votes and θ₀ = ${num(offsets[k], 3)}; prediction ${label(total)}</p>
      <p>points with a rim vote (α ≠ 0): ${voters} of ${y.length}</p>`,
    `Tau ${num(taus[k], 3)}: score ${num(total)} at the question point, ${voters} of ${y.length} points vote.`);
  };
};
