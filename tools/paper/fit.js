/* What is wider than the paper is set smaller: code, formulas and tables. The window is as wide as the text. One line too
   wide would make the browser shrink every page. */
() => {
  const LEAST = 8; // pixels (6 pt), below which nobody reads
  const shrink = (box, content) => {
    for (let tries = 0; tries < 3 && content.scrollWidth > box.clientWidth + 1; tries++) {
      const now = parseFloat(getComputedStyle(content).fontSize);
      content.style.fontSize = `${Math.max(LEAST, now * (box.clientWidth / content.scrollWidth) * 0.995)}px`;
    }
    return content.scrollWidth <= box.clientWidth + 1;
  };
  for (const code of document.querySelectorAll("pre")) {
    if (shrink(code, code)) continue;
    code.style.cssText = "white-space: pre-wrap; overflow-wrap: anywhere"; // a command of more columns than a page has
  }
  for (const formula of document.querySelectorAll(".math-scroll")) shrink(formula, formula);
  for (const table of document.querySelectorAll("table")) shrink(table.parentElement, table);
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 1) throw new Error(`something is ${wide} pixels wider than the page`);
}
