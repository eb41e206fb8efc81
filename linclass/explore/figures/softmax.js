const { num, table, clamp, sum } = linclassExplore;

const LIMIT = 4; // of a logit, either way
const LEAST = 0.005; // the smallest probability that a press in the triangle gives

linclassExplore.kinds.softmax = (f, { logits, y, corners, levels }) => {
  const [bars, simplex] = f.panels;
  const put = (k, v) => { logits[k] = clamp(v, -LIMIT, LIMIT); sliders[k].put(logits[k]); };
  const knobs = f.handles(bars, {
    count: () => logits.length, get: (k) => [k, logits[k]], set: (k, _, v) => put(k, Math.round(v * 100) / 100), axis: "y",
    cls: (k) => "knob" + (k === y ? " solid" : ""), name: (k) => `Logit of class ${k}`, say: (k) => num(logits[k]),
  });
  const sliders = logits.map((v, k) => f.range(`logit ${k}`, { min: -LIMIT, max: LIMIT, step: 0.01, value: v }, (w) => { logits[k] = w; }));
  f.select("true class", logits.map((_, k) => [k, k]), y, (v) => { y = +v; });
  const all = (c) => () => { if (logits.every((v) => Math.abs(v + c) <= LIMIT)) logits.forEach((v, k) => put(k, v + c)); };
  f.button("Add ½ to all", all(0.5));
  f.button("Take ½ from all", all(-0.5));
  // A press in the triangle: logits with these probabilities, and with the mean they had, if that fits.
  f.ground(simplex, ([u, v]) => {
    const third = v / corners[2][1], p = [1 - third / 2 - u, u - third / 2, third].map((share) => Math.max(share, LEAST));
    const logs = p.map((share) => Math.log(share)), mean = (sum(logits) - sum(logs)) / logs.length;
    const shift = clamp(mean, -LIMIT - Math.min(...logs), LIMIT - Math.max(...logs));
    logs.forEach((value, k) => put(k, value + shift));
  });
  f.draw = () => {
    const top = Math.max(...logits), e = logits.map((s) => Math.exp(s - top)), total = sum(e);
    const p = e.map((v) => v / total), loss = Math.log(total) + top - logits[y];
    const gradient = p.map((v, k) => v - (k === y ? 1 : 0));
    bars.set("back", bars.line(bars.x[0], 0, bars.x[1], 0, "quiet"), logits.map((s, k) => bars.line(k, 0, k, s, "bar " + (k === y ? "acc" : ""))));
    knobs.update();
    const at = [0, 1].map((c) => sum(p.map((v, k) => v * corners[k][c])));
    // Where the cross-entropy is at most each level: a triangle at the corner of the true class.
    const shade = (level) => simplex.path(corners.map((at) => at.map((v, c) => corners[y][c] + (1 - Math.exp(-level)) * (v - corners[y][c]))), "shade acc");
    simplex.set("back", levels.map(shade), simplex.arrow(...at, ...corners[y], "acc"));
    simplex.set("front", simplex.mark(...at, "knob solid"));
    f.numbers = { logits, y, probabilities: p, cross_entropy: loss, gradient };
    const rows = Object.entries({ logit: logits, probability: p, gradient }).map(([name, v]) => [name, ...v.map((w) => num(w, 3))]);
    f.say(`${table(["class", 0, 1, 2], rows)}<p>cross-entropy for true class ${y}: ${num(loss, 3)} = −log ${num(p[y], 3)}</p>`,
    `Probabilities ${p.map((v) => num(v)).join(", ")}; cross-entropy ${num(loss)}.`);
  };
};
