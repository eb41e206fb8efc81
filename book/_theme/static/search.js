/* Searching: loaded with the first query, or to mark the words that led to a page. MiniSearch and the index come then. */
window.linclassSearch = (() => {
  const root = document.documentElement.dataset.content_root;
  const KINDS = { chapter: "Chapter", section: "Section", theorem: "Statement", equation: "Equation", figure: "Figure", exercise: "Exercise", term: "Glossary", function: "Function" };
  // How much a find counts: prose before code before reference, and what a chapter says before what an appendix lists.
  const WORTH = { chapter: 2.4, section: 1.5, theorem: 1.35, equation: 1.2, figure: 0.5, term: 1.1, exercise: 0.8, function: 0.45 };
  const LISTS = /\/(ledger|notes-map|slips|api|instructors)\.html$/;
  const SIDES = /^(?:[\d.]+ )?(Exercises|Check yourself|Where the notes say it|Further reading|Tasks)$/;
  const worth = ({ kind, title, address }) => WORTH[kind] * (SIDES.test(title) || (LISTS.test(address) && kind === "section") ? 0.3 : 1);
  const BOOST = { title: 5, label: 4, code: 1.5, text: 1 };
  const SHOWN = 10;
  const GREEK = Object.fromEntries(`α alpha β beta γ gamma δ delta ε epsilon ϵ epsilon ζ zeta η eta θ theta ϑ theta ι iota κ kappa λ lambda μ mu
    ν nu ξ xi π pi ρ rho σ sigma ς sigma τ tau υ upsilon φ phi ϕ phi χ chi ψ psi ω omega ∇ gradient ∑ sum`.split(/\s+/).reduce((pairs, word, i, all) =>
    (i % 2 ? [...pairs, [all[i - 1], word]] : pairs), []));
  const STOP = new Set(`a an and are as at be between but by can difference do does for from has have how i if in is it its many much not of on or
    so that the this to linclass was what when where which who whose why will with you`.split(/\s+/));
  const WORD = /\d+\.\d+|[\p{L}\p{N}\p{M}]+(?:[_'’-][\p{L}\p{N}\p{M}]+)*/gu;

  // One spelling for what people write in several: θ₀, theta_0; margins, margin; Cross-Entropy.
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace(/[α-ωϑϕϵ∇∑]/g, (sign) => GREEK[sign] || sign);
  const stem = (word) => (/[^sui]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word).replace(/iz(?=e|ing|ation)/, "is");
  const split = (word) => (/^\d+\.\d+$/.test(word) ? [word] : word.replace(/['’]s$/, "").split(/[_'’-]/).filter(Boolean).map(stem));
  const joined = (word) => stem(word.replace(/[_'’-]/g, ""));
  const wordsOf = (text) => fold(text).match(WORD) || [];
  // A word with a hyphen or an underscore is known by its parts and as one.
  const pieces = (word) => { const parts = split(word); return parts.length > 1 ? [joined(word), ...parts] : parts; };
  const phrase = (text, spelling = split) => wordsOf(text).flatMap(spelling).filter((word) => !STOP.has(word)).join(" ");

  const load = (name) => new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement("script"), { src: `${root}_static/${name}.js`, onload: resolve, onerror: reject });
    document.head.append(script);
  });
  let index, engine, ready;
  const take = (given) => { index = given; };
  const prepare = () => (ready ??= Promise.all([load("minisearch"), load("search-index")]).then(() => {
    const parents = [];
    const documents = index.entries.map(([page, anchor, kind, title, text, names], id) => {
      const kindName = index.kinds[kind];
      if (["chapter", "section"].includes(kindName)) parents[page] = title;
      return { id, address: index.pages[page][0], page: index.pages[page][1], anchor, kind: kindName, title, text, section: parents[page],
        [kindName === "section" || kindName === "chapter" ? "code" : "label"]: names };
    });
    engine = new MiniSearch({
      fields: Object.keys(BOOST), storeFields: ["address", "page", "anchor", "kind", "title", "text", "section"],
      tokenize: (text) => wordsOf(text).flatMap(pieces), processTerm: (term) => (STOP.has(term) ? null : term),
    });
    engine.addAll(documents);
    index.titles = documents.map(({ kind, title }) => ` ${phrase(kind === "function" ? title.split(".").at(-1) : title)} `);
    index.worth = documents.map(worth);
  }));

  // The query as typed, with words joined, mended, or replaced by what the glossary says they mean here.
  const exact = { prefix: false, fuzzy: false };
  const mend = (word) => (engine.search(word, exact).length ? word : engine.search(word, { prefix: true, fuzzy: 2 })[0]?.terms[0] || word);
  const readings = (query) => {
    const plain = phrase(query), mended = plain.split(" ").map(mend).join(" ");
    const known = index.synonyms.map((pair) => pair.map((words) => phrase(words)))
      .filter(([name]) => ` ${mended} `.includes(` ${name} `));
    return [...new Set([plain, phrase(query, joined), mended, ...known.map(([name, word]) => ` ${mended} `.replace(` ${name} `, ` ${word} `).trim())])];
  };
  const find = (query) => {
    const all = readings(query);
    if (!all[0]) return [];
    const boostDocument = (id) => index.worth[id] * all.reduce((best, words) => Math.max(best,
      index.titles[id].trim() === words ? 6 : index.titles[id].includes(` ${words} `) ? 2.5 : 1), 1);
    const options = (combineWith) => ({
      combineWith, boost: BOOST, boostDocument, weights: { fuzzy: 0.15, prefix: 0.35 },
      prefix: (term) => term.length > 2 && !/^\d/.test(term),
      fuzzy: (term) => (term.length > 4 && !/\d/.test(term) ? (term.length > 6 ? 2 : 1) : false),
    });
    const run = (combineWith) => engine.search({ combineWith: "OR", queries: all.map((words) => ({ queries: [words], ...options(combineWith) })) }, { boostDocument });
    const found = run("AND");
    if (found.length >= 3) return found;
    const seen = new Set(found.map(({ id }) => id));
    return [...found, ...run("OR").filter(({ id }) => !seen.has(id))];
  };

  // Marking: whole words only.
  const escape = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  const matches = (text, terms) => [...text.matchAll(WORD)].filter(([word]) => pieces(fold(word)).some((piece) => terms.has(piece)));
  const marked = (text, terms) => {
    let html = "", from = 0;
    for (const { 0: word, index: at } of matches(text, terms)) {
      html += `${escape(text.slice(from, at))}<mark>${escape(word)}</mark>`;
      from = at + word.length;
    }
    return html + escape(text.slice(from));
  };
  // The stretch of a text with the most different words of the query.
  const LONG = 170;
  const around = (text, terms) => {
    const found = matches(text, terms);
    const worth = ({ index: at }) => new Set(found.filter((one) => one.index >= at && one.index < at + LONG - 30).map(([word]) => fold(word))).size;
    const best = found.reduce((before, one) => (before && worth(before) >= worth(one) ? before : one), undefined);
    const start = best && best.index > LONG / 2 ? text.lastIndexOf(" ", best.index - 40) + 1 : 0;
    const end = start + LONG < text.length ? text.lastIndexOf(" ", start + LONG) : text.length;
    return `${start ? "… " : ""}${marked(text.slice(start, end), terms)}${end < text.length ? " …" : ""}`;
  };
  const item = ({ address, anchor, kind, title, text, page, section, terms }) => {
    const words = new Set(terms), query = new URLSearchParams({ marked: terms.slice(0, 12).join(" ") });
    const place = section === page || section === title ? page : `${page} › ${section}`;
    return `<li class="find-${kind}"><a href="${root}${address}?${escape(String(query))}${anchor ? "#" + anchor : ""}">
      <span class="find-title">${marked(title, words)}</span> <span class="find-where">${KINDS[kind]}${title === page || place === KINDS[kind] ? "" : ` · ${escape(place)}`}</span>
      <span class="find-text">${around(text, words)}</span></a></li>`;
  };

  // A field and the list below it: results while one types, arrows to go through them, Enter for the first.
  const enliven = (box, count) => {
    const [field, list, status] = ["input", ".find-list", ".find-status"].map((name) => box.querySelector(name));
    let asked = 0;
    const show = async () => {
      const turn = ++asked, query = field.value.trim();
      try { await prepare(); } catch { status.textContent = "The search could not be loaded. The contents list every chapter."; return; }
      if (turn !== asked) return;
      const found = query ? find(query) : [];
      list.innerHTML = found.slice(0, count).map(item).join("");
      status.textContent = !query ? "" : found.length ? `${found.length} found` : `Nothing found for “${query}”. Try fewer or other words.`;
      list.dataset.query = query;
    };
    field.addEventListener("input", show);
    box.addEventListener("keydown", (event) => {
      const links = [...list.querySelectorAll("a")], at = links.indexOf(document.activeElement);
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && links.length) {
        event.preventDefault();
        (links[at + step] || (step < 0 ? field : links.at(-1))).focus();
      } else if (event.key === "Enter" && document.activeElement === field) {
        event.preventDefault();
        show().then(() => list.querySelector("a")?.click());
      }
    });
    if (field.value) show();
    return field;
  };
  let dialog;
  const open = () => {
    if (!dialog) {
      document.body.insertAdjacentHTML("beforeend", `<dialog class="finder" aria-label="Search the book"><form class="search" role="search">
        <input type="search" aria-label="Search the book" placeholder="Words, a formula’s number, a function" autocomplete="off" spellcheck="false">
        <button class="finder-close" type="button">Close</button></form><p class="find-status" role="status"></p><ol class="find-list"></ol></dialog>`);
      dialog = document.querySelector(".finder");
      enliven(dialog, SHOWN);
      dialog.addEventListener("click", (event) => { if (event.target === dialog || event.target.closest(".finder-close, .find-list a")) dialog.close(); });
    }
    if (!dialog.open) dialog.showModal();
    dialog.querySelector("input").select();
    prepare().catch(() => {});
  };

  // On arrival: the words that were searched for, marked in the section that the address names, until Escape.
  const mark = () => {
    const terms = new Set((new URLSearchParams(location.search).get("marked") || "").split(" ").filter(Boolean));
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const place = target?.closest("section, dl.py") || document.querySelector("article");
    if (!terms.size || !place || !CSS.highlights) return;
    const ranges = [], walker = document.createTreeWalker(place, NodeFilter.SHOW_TEXT, (node) =>
      (node.parentElement.closest(".katex-mathml, script, style") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT));
    while (walker.nextNode()) for (const { 0: word, index: at } of matches(walker.currentNode.data, terms)) {
      const range = new Range();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + word.length);
      ranges.push(range);
    }
    CSS.highlights.set("found", new Highlight(...ranges));
    addEventListener("keydown", (event) => { if (event.key === "Escape") CSS.highlights.delete("found"); });
  };

  // The page of the search itself: its address holds the query.
  const page = document.querySelector(".search-page");
  if (page) {
    const field = page.querySelector("input");
    field.value = new URLSearchParams(location.search).get("q") || "";
    enliven(page, 50);
    field.addEventListener("input", () => history.replaceState(null, "", `?${new URLSearchParams({ q: field.value })}`));
    field.focus();
  }
  // What an address leads to, in words: for previews where pages cannot be fetched.
  const look = (path, anchor) => prepare().then(() => {
    const found = index.entries.find(([page, id]) => path.endsWith(`/${index.pages[page][0]}`) && (!anchor || id === anchor));
    const paragraph = Object.assign(document.createElement("p"), { textContent: found?.[4] });
    return found ? [Object.assign(document.createElement("p"), { className: "find-title", textContent: found[3] }), paragraph] : [];
  });
  return { take, open, mark, look, find: (query) => prepare().then(() => find(query)) };
})();
