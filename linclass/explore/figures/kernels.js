const { num, label, sum, joined } = linclassExplore;

const BARS = 8; // the largest votes that are shown
const FAINT = 0.02; // votes below this share of the largest get no line
const CORNERS = [[0, 0], [1, 0], [1, 1], [0, 1]]; // of a cell, in turn: across and down

// The line where a field on a grid crosses a level: a segment for each cell that it passes, by linear interpolation.
const contour = (field, [w, h], level, cls) => {
  const parts = [];
  for (let r = 0; r + 1 < field.length; r++) for (let c = 0; c + 1 < field[r].length; c++) {
    const cut = [];
    CORNERS.forEach(([ax, ay], e) => {
      const [bx, by] = CORNERS[(e + 1) % CORNERS.length];
      const s = field[r + ay][c + ax] - level, t = field[r + by][c + bx] - level;
      if (s > 0 !== t > 0) cut.push([(c + ax + (bx - ax) * s / (s - t)) * w, (r + ay + (by - ay) * s / (s - t)) * h]);
    });
    for (let e = 0; e + 1 < cut.length; e += 2) parts.push(joined(cut.slice(e, e + 2)));
  }
  return parts.length ? `<path class="${cls}" d="M${parts.join("M")}"/>` : "";
};

// Where a field has a sign: of each cell the part that has it, and whole cells that are neighbours in a row as one.
const region = (field, [w, h], sign, cls) => {
  const parts = [], place = ([x, y]) => [x * w, y * h];
  field.slice(1).forEach((below, r) => {
    const height = ([x, y]) => sign * (y > r ? below : field[r])[x];
    let from = null;
    for (let c = 0; c < below.length; c++) {
      const corners = c + 1 < below.length ? CORNERS.map(([ax, ay]) => [c + ax, r + ay]) : [];
      const inside = corners.filter((at) => height(at) > 0).length;
      if (inside < CORNERS.length && from !== null) {
        parts.push([[from, r], [c, r], [c, r + 1], [from, r + 1]].map(place));
        from = null;
      }
      if (inside === CORNERS.length) from ??= c;
      else if (inside) parts.push(corners.flatMap((at, e) => {
        const next = corners[(e + 1) % CORNERS.length], s = height(at), t = height(next);
        const cut = s > 0 !== t > 0 ? [at.map((v, d) => v + (next[d] - v) * s / (s - t))] : [];
        return [...(s > 0 ? [at] : []), ...cut];
      }).map(place));
    }
  });
  return `<path class="${cls}" d="${parts.map((part) => `M${joined(part)}Z`).join("")}"/>`;
};

linclassExplore.kinds.kernels = (f, { X, y, taus, alphas, offsets, probe, start, grid }) => {
  const [p, votes] = f.panels, [columns, rows] = grid, fields = {};
  let k = start;
  f.range("τ =", { min: 0, max: taus.length - 1, step: 1, value: k, show: (v) => num(taus[v], 3) }, (v) => { k = v; });
  const knob = f.knob(p, {
    name: "Question point", get: () => probe, set: (...at) => { probe = at; }, say: () => `score ${num(f.numbers.score)}`,
  });
  const kernel = (x, i) => Math.exp(-((x[0] - X[i][0]) ** 2 + (x[1] - X[i][1]) ** 2) / (2 * taus[k] ** 2));
  const score = (x) => alphas[k].reduce((total, a, i) => (a ? total + a * kernel(x, i) : total), offsets[k]);
  const between = ([low, high], share) => low + (high - low) * share;
  const field = () => fields[k] ??= Array.from({ length: rows + 1 }, (_, r) => Array.from({ length: columns + 1 }, (_, c) =>
    score([between(p.x, c / columns), between(p.y, 1 - r / rows)])));
  const bar = (share, v, row, words) => votes.line(0, row, share, row, "vote " + (v > 0 ? "p" : "n"))
    + votes.text(votes.x[0] + 0.05, row, words, "sm", 0, 4) + votes.text(votes.x[1] - 0.05, row, num(v, 3), "sm e", 0, 4);
  f.ground(p, (at) => { probe = at; });
  f.draw = () => {
    const alpha = alphas[k], offset = offsets[k], heights = field(), cell = [p.size[0] / columns, p.size[1] / rows];
    const parts = alpha.map((a, i) => a * kernel(probe, i)), total = offset + sum(parts);
    const order = parts.map((_, i) => i).sort((i, j) => Math.abs(parts[j]) - Math.abs(parts[i])).slice(0, BARS);
    const largest = Math.max(Math.abs(offset), ...order.map((i) => Math.abs(parts[i])), 1e-12);
    p.set("back", region(heights, cell, 1, "area p"), region(heights, cell, -1, "area n"), [[0, ""], [1, "thin p"], [-1, "thin n"]].map(([level, cls]) => contour(heights, cell, level, cls)));
    p.keepExamples(X, y, (i) => alpha[i]);
    p.set("front", order.filter((i) => Math.abs(parts[i]) > FAINT * largest).map((i) =>
      p.line(...probe, ...X[i], `wire ${parts[i] > 0 ? "p" : "n"}`).replace("/>", ` style="stroke-width:${num(4 * Math.abs(parts[i]) / largest, 1)}"/>`)));
    f.numbers = { tau: taus[k], alpha, theta_0: offset, probe, votes: parts, score: total };
    knob.update();
    votes.set("back", votes.line(0, -2, 0, 12, "quiet"),
      order.map((i, r) => bar(parts[i] / largest, parts[i], BARS - r, `point ${i + 1}`)), bar(offset / largest, offset, 0, "θ₀"));
    const voters = alpha.filter((a) => a).length;
    f.say(`<p>score at the open circle: ${num(total, 3)} = sum of ${voters} votes and θ₀ = ${num(offset, 3)}; prediction ${label(total)}</p>
      <p>points with a rim vote (α ≠ 0): ${voters} of ${y.length}</p>`,
    `Tau ${num(taus[k], 3)}: score ${num(total)} at the question point, ${voters} of ${y.length} points vote.`);
  };
};
