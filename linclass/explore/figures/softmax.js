linclassExplore.kinds.softmax = (f, { logits, y }) => {
  const { num, table } = linclassExplore;
  const [bars, simplex] = f.panels;
  const corners = [[0, 0], [1, 0], [0.5, Math.sqrt(3) / 2]];
  const knobs = f.points(bars, {
    count: () => 3, get: (k) => [k, logits[k]], set: (k, _, v) => put(k, Math.round(v * 100) / 100), axis: "y",
    cls: (k) => "knob" + (k === y ? " solid" : ""), name: (k) => `Logit of class ${k}`, say: (k) => num(logits[k]),
  });
  const sliders = logits.map((v, k) => f.range(`logit ${k}`, { min: -4, max: 4, step: 0.01, value: v }, (w) => { logits[k] = w; }));
  const put = (k, v) => { logits[k] = Math.max(-4, Math.min(4, v)); sliders[k].put(logits[k]); };
  f.select("true class", [[0, "0"], [1, "1"], [2, "2"]], y, (v) => { y = +v; });
  const all = (c) => () => { if (logits.every((v) => Math.abs(v + c) <= 4)) logits.forEach((v, k) => put(k, v + c)); };
  f.button("Add ½ to all", all(0.5));
  f.button("Take ½ from all", all(-0.5));
  f.draw = () => {
    const top = Math.max(...logits), e = logits.map((s) => Math.exp(s - top)), total = e[0] + e[1] + e[2];
    const p = e.map((v) => v / total), loss = Math.log(total) + top - logits[y];
    const gradient = p.map((v, k) => v - (k === y ? 1 : 0));
    bars.set("back", bars.line(-0.6, 0, 2.6, 0, "quiet"), logits.map((s, k) => bars.line(k, 0, k, s, "bar " + (k === y ? "acc" : ""))));
    knobs.update();
    const at = [0, 1].map((c) => p.reduce((sum, v, k) => sum + v * corners[k][c], 0));
    simplex.set("back", simplex.arrow(...at, ...corners[y], "acc"));
    simplex.set("front", simplex.mark(...at, "knob solid"));
    f.numbers = { logits, y, probabilities: p, cross_entropy: loss, gradient };
    const rows = Object.entries({ logit: logits, probability: p, gradient }).map(([name, v]) => [name, ...v.map((w) => num(w, 3))]);
    f.say(`${table(["class", 0, 1, 2], rows)}<p>cross-entropy for true class ${y}: ${num(loss, 3)} = −log ${num(p[y], 3)}</p>`,
    `Probabilities ${p.map((v) => num(v)).join(", ")}; cross-entropy ${num(loss)}.`);
  };
};
