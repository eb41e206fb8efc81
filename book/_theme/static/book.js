/* What a page does beyond being read: choose a theme, copy code, reach what scrolls, follow the outline. */
(() => {
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  // Theme: as the system, light, dark.
  const button = document.querySelector(".theme");
  const names = { auto: "as the system", light: "light", dark: "dark" };
  const paint = () => button?.setAttribute("aria-label", `Colour theme: ${names[root.dataset.theme] || names.auto}`);
  button?.addEventListener("click", () => {
    const order = Object.keys(names);
    root.dataset.theme = order[(order.indexOf(root.dataset.theme || "auto") + 1) % 3];
    try { localStorage.theme = root.dataset.theme; } catch { /* a browser that keeps nothing */ }
    paint();
  });
  paint();

  // The contents on a phone: opened by its link, closed by its own link or Escape.
  addEventListener("keydown", (event) => {
    if (event.key === "Escape" && location.hash === "#contents") {
      location.hash = "";
      document.querySelector(".menu").focus();
    }
  });

  // The search, from any page: by its field, by / or by Ctrl K. What it needs is loaded at that moment.
  const find = document.querySelector("a.find");
  const searching = () => (window.linclassSearch ? Promise.resolve() : new Promise((resolve, reject) => document.head.append(
    Object.assign(document.createElement("script"), { src: `${root.dataset.content_root}_static/search.js`, onload: resolve, onerror: reject }))));
  const search = (event) => {
    event.preventDefault();
    searching().then(() => linclassSearch.open(), () => { location = find.href; });
  };
  find.addEventListener("click", (event) => { if (!event.ctrlKey && !event.metaKey) search(event); });
  addEventListener("keydown", (event) => {
    const typing = document.activeElement.matches("input, textarea, select");
    if ((event.key === "/" && !typing) || (event.key === "k" && (event.ctrlKey || event.metaKey))) search(event);
  });
  if (new URLSearchParams(location.search).has("marked")) searching().then(() => linclassSearch.mark());

  // What scrolls sideways can be reached and scrolled with the keyboard. Looking lays out the whole page, so it waits for
  // the first Tab, which is when it matters.
  const reach = (box) => {
    if (box.scrollWidth > box.clientWidth + 1) {
      box.tabIndex = 0;
      box.setAttribute("role", "group");
      const kind = box.matches("pre") ? "Code" : box.querySelector("img") ? "Figure" : box.matches(".scroll") ? "Table" : "Formula";
      box.setAttribute("aria-label", kind);
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    }
  };
  const reachAll = () => all(".math-scroll, .scroll, pre").forEach(reach);
  const first = (event) => {
    if (event.key !== "Tab") return;
    removeEventListener("keydown", first);
    reachAll();
    addEventListener("resize", reachAll);
    addEventListener("toggle", reachAll, true);
  };
  addEventListener("keydown", first);

  // Copy buttons, where a browser can copy: one listener serves them all. The style sheet writes their word, so that no
  // search finds it.
  if (navigator.clipboard) all(".highlight-python > .highlight, .highlight-bash > .highlight").forEach((box) =>
    box.insertAdjacentHTML("afterbegin", '<button class="copy" type="button" aria-label="Copy this code"></button>'));
  addEventListener("click", async (event) => {
    const copy = event.target.closest(".copy");
    if (!copy) return;
    await navigator.clipboard.writeText(copy.parentElement.querySelector("pre").innerText);
    copy.classList.add("copied");
    setTimeout(() => copy.classList.remove("copied"), 1500);
  });

  // The outline: open where it has a column of its own, and marking the section in view.
  const outline = document.querySelector(".outline");
  const wide = matchMedia("(min-width: 80rem)");
  if (outline) {
    const fit = () => { outline.open = wide.matches; };
    wide.addEventListener("change", fit);
    fit();
    const links = new Map(all("a[href^='#']", outline).map((link) => [link.hash.slice(1), link]));
    const watch = new IntersectionObserver((entries) => entries.forEach((entry) => {
      if (!entry.isIntersecting) return;
      links.forEach((link) => link.removeAttribute("aria-current"));
      links.get(entry.target.id)?.setAttribute("aria-current", "true");
    }), { rootMargin: "-10% 0px -75% 0px" });
    all("article section[id]").filter((section) => links.has(section.id)).forEach((section) => watch.observe(section));
  }

  // A folded answer that an address points into is opened.
  const unfold = () => {
    for (let box = document.getElementById(decodeURIComponent(location.hash.slice(1))); box; box = box.parentElement) {
      if (box.tagName === "DETAILS") box.open = true;
    }
  };
  addEventListener("hashchange", unfold);
  unfold();

  // Paper has no folds, and shows what was never on the screen: braces and roots need their fonts by then.
  if (document.querySelector(".katex")) addEventListener("load", () => setTimeout(() => document.fonts.forEach((face) => {
    if (face.family.includes("KaTeX_Size")) face.load();
  }), 3000));
  addEventListener("beforeprint", () => all("details").forEach((details) => { details.open = true; }));
})();
