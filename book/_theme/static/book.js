/* What a page does beyond being read: choose a theme, copy code, reach what scrolls, follow the outline. */
(() => {
  const root = document.documentElement;
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];

  // Theme: as the system has it, or the one of the two that the button says. The first click changes what one sees.
  const button = document.querySelector(".theme");
  const names = { auto: "Auto", light: "Light", dark: "Dark" };
  const system = matchMedia("(prefers-color-scheme: dark)");
  const paint = () => {
    const theme = root.dataset.theme ||= "auto";
    button.lastChild.textContent = names[theme];
    button.setAttribute("aria-label", `Colour theme: ${theme === "auto" ? "as the system" : theme}`);
  };
  button.addEventListener("click", () => {
    const order = system.matches ? ["auto", "light", "dark"] : ["auto", "dark", "light"];
    root.dataset.theme = order[(order.indexOf(root.dataset.theme) + 1) % 3];
    try { localStorage.theme = root.dataset.theme; } catch { /* a browser that keeps nothing */ }
    paint();
  });
  paint();

  // The contents: beside the text where there is room, with this page in view; elsewhere in a dialog, from which one
  // comes back to where one was. Without this script the link shows them.
  const contents = document.querySelector(".contents");
  const here = contents.querySelector("[aria-current]");
  const beside = matchMedia("(min-width: 60.01rem)");
  if (here && beside.matches) requestAnimationFrame(() => { contents.scrollTop = here.offsetTop - contents.clientHeight / 3; });
  const dialog = document.createElement("dialog");
  dialog.className = "contents-dialog";
  dialog.setAttribute("aria-label", "Contents");
  const home = contents.parentElement;
  const close = () => { if (dialog.open) dialog.close(); };
  dialog.addEventListener("close", () => { home.prepend(contents); dialog.remove(); });
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog || event.target.closest(".close")) { event.preventDefault(); close(); }
  });
  document.querySelector(".menu").addEventListener("click", (event) => {
    event.preventDefault();
    dialog.append(contents);
    document.body.append(dialog);
    dialog.showModal();
    here?.scrollIntoView({ block: "center" });
  });
  beside.addEventListener("change", close);

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

  // How far one has read, as a line; in the outline, the section one is in. Where the outline has no column of its own it
  // stays below the bar, says the section's name, and opens over the text.
  const outline = document.querySelector(".outline");
  if (outline) {
    const wide = matchMedia("(min-width: 80rem)"), said = outline.querySelector("summary span"), words = said.textContent;
    const links = all("nav a[href^='#']", outline).filter((link) => link.hash);
    const sections = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
    const parts = sections.filter((section) => section?.matches("article > section > section"));
    const READING = 0.3; // of the window's height: what has its heading above this line is being read
    const begun = (section) => section?.getBoundingClientRect().top < innerHeight * READING;
    const bar = document.querySelector(".bar"); // not the root: what is set there, every element of the page must hear
    let marked;
    const follow = () => {
      const rest = root.scrollHeight - innerHeight;
      bar.style.setProperty("--read", rest > 0 ? Math.min(1, scrollY / rest).toFixed(4) : 0);
      const part = parts.findLast(begun); // to look into another would lay it out
      const now = part ? sections.findLastIndex((section) => part.contains(section) && begun(section)) : -1;
      if (now === marked) return;
      links[marked]?.removeAttribute("aria-current");
      links[marked = now]?.setAttribute("aria-current", "true");
      said.textContent = wide.matches || now < 0 ? words : links[now].textContent;
    };
    let asked;
    const soon = () => { asked ??= requestAnimationFrame(() => { asked = undefined; follow(); }); };
    const fit = () => { outline.open = wide.matches; marked = undefined; soon(); };
    wide.addEventListener("change", fit);
    addEventListener("scroll", soon, { passive: true });
    addEventListener("resize", soon);
    const shut = () => { if (!wide.matches) outline.open = false; };
    addEventListener("click", (event) => { if (!outline.contains(event.target) || event.target.closest("nav a")) shut(); });
    outline.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && !wide.matches && outline.open) { shut(); outline.querySelector("summary").focus(); }
    });
    fit();
  }

  // A folded answer that an address points into is opened.
  const unfold = () => {
    for (let box = document.getElementById(decodeURIComponent(location.hash.slice(1))); box; box = box.parentElement) {
      if (box.tagName === "DETAILS") box.open = true;
    }
  };
  addEventListener("hashchange", unfold);
  unfold();

  // Previews: a reference shows what it leads to, under the mouse, with the focus, or at the first tap (the second follows
  // it). Nothing on the page moves, and Escape closes it. What lies on another page is taken from there.
  const refers = (link) => link?.matches("article a[href]:not(.headerlink, .eqno, .tools a, [download], [target])") && link.origin === location.origin
    && link.pathname.endsWith(".html") && (link.hash || link.pathname !== location.pathname);
  const pages = new Map();
  const pageOf = (address) => {
    if (address === location.pathname) return Promise.resolve(document);
    if (!pages.has(address)) pages.set(address, fetch(address).then((answer) => answer.text()).then((text) => new DOMParser().parseFromString(text, "text/html")));
    return pages.get(address);
  };
  const excerpt = (page, id) => {
    const target = id ? page.getElementById(id) : page.querySelector("article > section");
    if (!target) return [];
    if (target.matches("figure")) return all(":scope > figcaption, img:not(.lcx *), .lcx-panels", target);
    if (target.matches("section")) return all(":scope > :is(h1, h2, h3, h4, p)", target).slice(0, 3);
    return target.matches("dt") ? [target, target.nextElementSibling] : [target];
  };
  // A copy that can be read and not used: no ids, nothing to click, addresses as seen from the page it comes from.
  const copyOf = (node, address) => {
    const copy = document.importNode(node, true);
    copy.querySelectorAll(".headerlink, .copy, .eqno:empty").forEach((extra) => extra.remove());
    if (copy.matches(".lcx-panels")) copy.classList.add("lcx"); // which has its colours
    [copy, ...copy.querySelectorAll("[id], a, img, [role=slider]")].forEach((part) => {
      for (const name of ["id", "href", "tabindex", "role"]) part.removeAttribute(name);
      if (part.matches("img")) { part.src = new URL(part.getAttribute("src"), address).href; part.loading = "eager"; }
    });
    return copy;
  };
  // The card comes to the page with the first preview: a new child of the body costs a restyle of all there is to see.
  const card = Object.assign(document.createElement("div"), { className: "preview", popover: "manual", id: "preview" });
  card.setAttribute("role", "tooltip");
  let shown, waiting;
  const hide = () => {
    clearTimeout(waiting);
    if (shown) { shown.removeAttribute("aria-describedby"); card.hidePopover(); }
    shown = undefined;
  };
  const place = (link) => {
    const from = link.getClientRects()[0], gap = 8, below = innerHeight - from.bottom;
    card.style.maxHeight = `${Math.max(from.top - 64, below) - 2 * gap}px`;
    const { width, height } = card.getBoundingClientRect();
    card.style.left = `${Math.max(gap, Math.min(from.left, innerWidth - width - gap))}px`;
    card.style.top = `${below > height + gap || below > from.top - 64 ? from.bottom + gap : from.top - gap - height}px`;
  };
  const preview = async (link) => {
    hide();
    shown = link;
    const id = decodeURIComponent(link.hash.slice(1));
    const nodes = location.protocol === "file:" && link.pathname !== location.pathname
      ? await searching().then(() => linclassSearch.look(link.pathname, id)) : excerpt(await pageOf(link.pathname).catch(() => document), id);
    if (shown !== link || !nodes.length) { if (shown === link) shown = undefined; return; }
    card.replaceChildren(...nodes.map((node) => copyOf(node, link.href)));
    if (!card.isConnected) document.body.append(card);
    card.showPopover();
    link.setAttribute("aria-describedby", "preview");
    place(link);
  };
  if (card.showPopover) {
    let touched;
    addEventListener("pointerdown", (event) => { touched = event.pointerType === "touch"; if (shown && !card.contains(event.target) && event.target.closest("a") !== shown) hide(); }, true);
    addEventListener("pointerover", (event) => {
      if (event.pointerType === "touch") return;
      const link = event.target.closest?.("a");
      if (card.contains(event.target) || (link && link === shown)) return clearTimeout(waiting);
      clearTimeout(waiting);
      waiting = setTimeout(() => (refers(link) ? preview(link) : hide()), refers(link) ? 200 : 250);
    });
    addEventListener("focusin", ({ target }) => { if (target.matches(":focus-visible") && !touched && refers(target)) preview(target); else if (target !== shown) hide(); });
    addEventListener("focusout", (event) => { if (event.target === shown && !touched) hide(); });
    addEventListener("keydown", (event) => { touched = false; if (event.key === "Escape") hide(); }, true);
    addEventListener("scroll", () => { if (shown && card.matches(":popover-open")) place(shown); }, { passive: true });
    addEventListener("click", (event) => {
      const link = event.target.closest("a");
      if (!touched || !refers(link) || link === shown || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      preview(link);
    });
  }

  // Paper has no folds but those of code, and shows what was never on the screen: braces and roots need their fonts by
  // then, so the reader's first move asks for them.
  const complete = () => document.fonts.forEach((face) => { if (/KaTeX_(AMS|Size)/.test(face.family)) face.load(); });
  if (document.querySelector(".katex")) for (const move of ["keydown", "pointerdown", "scroll"]) addEventListener(move, complete, { once: true });
  addEventListener("beforeprint", () => all("details:not(.hide)").forEach((details) => { details.open = true; }));
  document.querySelector(".print")?.addEventListener("click", () => { complete(); document.fonts.ready.then(() => print()); });
})();
