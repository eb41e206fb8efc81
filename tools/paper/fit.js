/* What is wider than the paper is set smaller: code, formulas and tables. The window is as wide as the text. */
() => {
  const shrink = (box, content, least) => {
    for (let tries = 0; tries < 3; tries++) {
      const room = box.clientWidth, needed = content.scrollWidth;
      if (needed <= room + 1) return;
      const now = parseFloat(getComputedStyle(content).fontSize);
      content.style.fontSize = `${Math.max(least, now * (room / needed) * 0.995)}px`;
    }
  };
  const LEAST = 7.5; // pixels, below which nobody reads
  for (const code of document.querySelectorAll("pre")) shrink(code, code, LEAST);
  for (const formula of document.querySelectorAll(".math-scroll")) shrink(formula, formula, LEAST);
  for (const table of document.querySelectorAll("table")) shrink(table.parentElement, table, LEAST);
}
