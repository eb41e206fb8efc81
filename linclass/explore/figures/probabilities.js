const { num, dot, sigmoid } = linclassExplore;

linclassExplore.kinds.probabilities = (f, { X, y, theta, theta_0, miss, dearest, threshold, probe, sure }) => {
  const [p, costs] = f.panels, n = y.length;
  const logOdds = (q) => Math.log(q / (1 - q)), odds = logOdds(sure);
  const chances = X.map((x) => sigmoid(dot(theta, x) + theta_0));
  const counted = (wrong) => chances.filter((q, i) => wrong(q, y[i])).length;
  const alarmsAt = (t) => counted((q, label) => q > t && label < 0);
  const missesAt = (t) => counted((q, label) => q <= t && label > 0);
  // What the mistakes at a threshold cost, per example, if a false alarm and a miss together cost 1.
  const costAt = (t) => (alarmsAt(t) + miss * missesAt(t)) / ((1 + miss) * n);
  const steps = [...chances].sort((a, b) => a - b);
  const staircase = () => {
    const corners = [[0, costAt(0)]];
    for (const at of steps) corners.push([at, corners.at(-1)[1]], [at, costAt(at)]);
    return [...corners, [1, corners.at(-1)[1]]];
  };
  f.range("threshold", { min: 0.01, max: 0.99, step: 0.01, value: threshold }, (v) => { threshold = v; });
  f.range("a miss costs", { min: 1, max: dearest, step: 1, value: miss, show: (v) => `${v}` }, (v) => { miss = v; });
  const knob = f.knob(p, {
    name: "Probe", get: () => probe, set: (...at) => { probe = at; },
    say: () => `probability of plus one ${num(f.numbers.probability)}`,
  });
  f.ground(p, (at) => { probe = at; });
  f.draw = () => {
    const alarms = alarmsAt(threshold), misses = missesAt(threshold), cost = costAt(threshold), named = 1 / (1 + miss);
    const corners = staircase(), cheapest = Math.min(...corners.map(([, height]) => height));
    const probability = sigmoid(dot(theta, probe) + theta_0);
    p.set("back", p.sides(theta, theta_0, logOdds(threshold)), p.level(theta, theta_0, logOdds(threshold), ""), p.level(theta, theta_0, odds, "dash p"), p.level(theta, theta_0, -odds, "dash n"));
    p.keepExamples(X, y, (i) => (chances[i] > threshold) !== (y[i] > 0));
    f.numbers = { threshold, miss, alarms, misses, cost, named, cost_named: costAt(named), cheapest, probability, probe };
    knob.update();
    p.set("front", p.text(...probe, num(probability), "halo", 11, 4));
    costs.set("back", costs.path(corners, "acc"), costs.line(named, 0, named, 1, "dash"));
    costs.set("front", costs.mark(threshold, cost, "knob solid"));
    f.say(`<p>false alarms: ${alarms}, misses: ${misses}; cost ${alarms} + ${miss} · ${misses} = ${alarms + miss * misses}; in the plot, per example and with prices that add up to 1, ${num(cost, 3)}</p>
      <p>the prices name the threshold 1/(1 + ${miss}) = ${num(named)}: ${num(f.numbers.cost_named, 3)} there, ${num(cheapest, 3)} at the cheapest; P(+1) at the open circle: ${num(probability, 3)}</p>`,
    `Threshold ${num(threshold)}, a miss costs ${miss}: ${alarms} false alarms, ${misses} misses, mean cost ${num(cost, 3)}; the cheapest is ${num(cheapest, 3)}.`);
  };
};
