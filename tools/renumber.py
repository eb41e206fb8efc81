r"""Number the book: `python tools/renumber.py` (make renumber); with --check, only say what it would change.

Chapters and parts count in the order of `_toc.yml`. In a chapter equations (`\tag{7.2}`), theorems and their kin
(`> **Theorem 7.2 (…).**`), exercises and figures (`**Figure 7.2.**`) count in the order in which they stand. From this
come

* the names of the chapters' files, wherever they are written;
* the texts of links, by the label they lead to: `[(7.2)](#eq-slack)`, `[Theorem 5.3](05-….ipynb#thm-…)`,
  `[figure 7.2](#fig-…)`, `[chapter 7](07-….ipynb)`; the link itself follows a label that has moved to another page;
* references in plain words, by the number they had: "Theorem 5.3", "chapters 2 and 5", "exercise 4.5", "figure 1.2",
  "(7.2)", "part IV".

So never change a number by hand. What is new is written with a question mark, `\tag{?}`, `> **Theorem ? (…).**`,
`**Figure ?.**`, `# ? Title`, `[(?)](#eq-new)`, and a new chapter's file with a letter, `07b-duality.ipynb`, in its
place in `_toc.yml`. Only the text of cells changes, line by line; every other byte of a notebook stays.
"""

import argparse
import itertools
import json
import os
import re
import sys
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ROMAN = "I II III IV V VI VII VIII IX X XI XII".split()
KINDS = {"eq": "equation", "thm": "statement", "ex": "exercise", "fig": "figure"}  # how a label begins -> what it names
CHAPTER = re.compile(r"(\d\d[a-z]?)-([a-z-]+)")
NUMBER = r"(?:\d+\.\d+|\?)"
LIST = r"\d+(?:\.\d+)?(?:(?:,|,?\s+and|,?\s+or|\s+to)\s+\d+(?:\.\d+)?)*"
ANCHOR = re.compile(r'<a id="([^"]+)">')
MASKED = r"(?P<masked>(?s:```.*?```|\$\$.*?\$\$)|\$[^$\n]+\$|`[^`\n]+`)"
PARENTHESIS = r"(?<![\w\])])\((?P<inline>\d+\.\d+)\)"
TOKENS = rf"""
  (?P<cited> \[[^\[\]]*\]\([^()\s]*references\.md\#[^()\s]*\) (?:,\s+chapters?\s+{LIST})? )
| \[(?P<text>[^\[\]]*)\]\((?P<target>[^()\s]*)\)
| (?P<tag> \\tag\{{ ) (?P<tagged>{NUMBER}) \}}
| (?P<head> ^>\s+\*\*(?P<kind>Theorem|Proposition|Lemma|Corollary|Exercise)\s ) (?P<stated>{NUMBER}) (?=\s\(|[.:])
| (?P<caption> ^\*\*Figure\s ) (?P<captioned>{NUMBER}) (?=\.\*\*)
| (?P<title> \A\#\s ) (?P<titled>\d+|\?) (?=\s)
| (?P<word> \b(?:[Cc]hapters?|[Cc]orollar(?:y|ies)|(?:[Tt]heorem|[Pp]roposition|[Ll]emma|[Ee]xercise|[Ff]igure)s?
  (?:\slike)?) ) (?P<gap>\s+) (?P<list>{LIST})
| (?P<part> \b[Pp]art\s(?=[IVX])|\bcaption:\s ) (?P<roman>[IVX]+\b|\?)
| (?P<file> (?<!\w)\d\d[a-z]?-(?:NAMES)(?![\w-]) ) (?: (?P<end>\.ipynb\#) (?P<label>[\w-]+) )?
"""


def cells(path):
    """The texts of a file: a notebook's cells, with their kind, or the whole of it."""
    if path.suffix == ".ipynb":
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            yield "".join(cell["source"]), cell["cell_type"] == "markdown"
    else:
        yield path.read_text(encoding="utf-8"), path.suffix == ".md"


class Book:
    """What is written, and what is due."""

    def __init__(self, root):
        self.root, self.book, self.problems = root, root / "book", []
        self.contents = (root / "_toc.yml").read_text(encoding="utf-8")
        listed = [m for m in re.findall(r"file: book/(\S+)", self.contents) if CHAPTER.fullmatch(m)]
        self.names = {CHAPTER.fullmatch(stem)[2]: number for number, stem in enumerate(listed, 1)}
        self.files = {}  # a chapter's name -> its file as it is
        for path in sorted(self.book.glob("*.ipynb")):
            if (match := CHAPTER.fullmatch(path.stem)) and match[2] in self.names:
                self.files[match[2]] = path
        for name in self.names.keys() - self.files.keys():
            raise SystemExit(f"_toc.yml names the chapter {name}, and no file in book/ is called so")
        self.due = defaultdict(set)  # (kind, number as written) -> the numbers it may have meant
        self.labels = {}  # label -> (the page it is on, kind, number due)
        parts = re.findall(r"caption: ([IVX]+|\?) ", self.contents)
        for old, new in zip(parts, ROMAN, strict=False):
            self.due["part", old].add(new)
        for path in self.pages():
            for label in (label for text, prose in cells(path) if prose for label in ANCHOR.findall(text)):
                if self.labels.setdefault(label, (path, None, None))[0] != path:
                    self.problems.append(f"{label} is on two pages, {self.labels[label][0].name} and {path.name}")
        for name, number in self.names.items():
            self.count(name, number)
        names = "|".join(sorted(self.names, key=len, reverse=True))
        self.inner = re.compile(TOKENS.replace("NAMES", names), re.MULTILINE | re.VERBOSE)
        self.outer = re.compile(f"{MASKED}|{PARENTHESIS}|{self.inner.pattern}", re.MULTILINE | re.VERBOSE)

    def pages(self):
        found = [path for kind in ("ipynb", "md") for path in sorted(self.book.rglob(f"*.{kind}"))]
        return [path for path in found if ".ipynb_checkpoints" not in path.parts]

    def count(self, name, number):
        """The numbers that are due in a chapter, those that are there, and the labels before them."""
        path, counts, waiting = self.files[name], defaultdict(int), defaultdict(list)
        defined = re.compile(
            rf'<a id="(?P<label>[^"]+)">|\\tag\{{(?P<equation>{NUMBER})\}}|\A# (?P<chapter>\d+|\?)\s'
            rf"|^>\s+\*\*(?:Exercise\s(?P<exercise>{NUMBER})|\w+\s(?P<statement>{NUMBER}))(?=\s\(|[.:])"
            rf"|^\*\*Figure\s(?P<figure>{NUMBER})(?=\.\*\*)",
            re.MULTILINE,
        )
        for match in (match for text, prose in cells(path) if prose for match in defined.finditer(text)):
            kind, old = match.lastgroup, match[match.lastgroup]
            if kind == "label":
                waiting[KINDS.get(old.split("-")[0])].append(old)
            elif kind == "chapter":
                self.due[kind, old].add(str(number))
            else:
                counts[kind] += 1
                new = f"{number}.{counts[kind]}"
                self.due[kind, old].add(new)
                self.labels |= {label: (path, kind, new) for label in waiting.pop(kind, ())}

    def rewrite(self, path):
        """The texts of a file as they should be, in order."""
        chapter = next((name for name, file in self.files.items() if file == path), None)
        counts = defaultdict(int)
        in_book = self.book in path.parents

        def counted(kind):
            counts[kind] += 1
            return f"{self.names[chapter]}.{counts[kind]}"

        def meant(kind, old):
            """The number now due to what had this number, for a reference in plain words."""
            new = self.due.get((kind, old), set())
            if len(new) != 1:
                why = f"{len(new)} things of that number" if new else "nothing of that number"
                self.problems.append(f"{path.relative_to(self.root)}: there is {why}: {kind} {old}")
            return next(iter(new)) if len(new) == 1 else old

        def replace(match):
            if match.groupdict().get("masked"):
                return self.inner.sub(replace, match["masked"])
            if old := match.groupdict().get("inline"):
                return f"({meant('equation', old)})" if ("equation", old) in self.due else match[0]
            if match["target"] is not None:
                return self.link(match["text"], match["target"], path, meant) if in_book else match[0]
            if match["tag"] and chapter:
                return f"{match['tag']}{counted('equation')}}}"
            if match["head"] and chapter:
                return match["head"] + counted("exercise" if match["kind"] == "Exercise" else "statement")
            if match["caption"] and chapter:
                return match["caption"] + counted("figure")
            if match["title"] and chapter:
                return f"{match['title']}{self.names[chapter]}"
            if match["word"]:
                return in_words(match, meant)
            if match["part"]:
                return match["part"] + meant("part", match["roman"])
            if match["label"] in self.labels:
                return f"{self.address(self.labels[match['label']][0], path)}#{match['label']}"
            if match["file"]:
                return self.stem(match["file"]) + (f"{match['end']}{match['label']}" if match["end"] else "")
            return match[0]

        for text, prose in cells(path):
            yield text, (self.outer if prose and chapter else self.inner).sub(replace, text)

    def stem(self, written):
        """A chapter's file name, however numbered, with the number that is due."""
        name = CHAPTER.fullmatch(written)[2]
        return f"{self.names[name]:02}-{name}"

    def address(self, page, origin):
        """A page's path as a link from another page says it, its name as it will be."""
        match = CHAPTER.fullmatch(page.stem)
        name = self.stem(page.stem) + page.suffix if match and match[2] in self.names else page.name
        return Path(os.path.relpath(page.with_name(name), origin.parent)).as_posix()

    def link(self, text, target, origin, meant):
        """A link with the number of what it leads to, and to where that is."""
        path, _, label = target.partition("#")
        match = CHAPTER.search(Path(path).stem)
        page = self.files.get(match[2]) if match else None if path else origin
        kind = number = None
        if label in self.labels and "references" not in path:
            page, kind, number = self.labels[label]
            target = f"#{label}" if page == origin else f"{self.address(page, origin)}#{label}"
        elif page and path:
            target = self.address(page, origin) + target[len(path) :]
        chapter = CHAPTER.fullmatch(page.stem) if page else None
        found = re.findall(NUMBER, text)
        if chapter and chapter[2] in self.names and re.match(r"(?:[Cc]hapters? )?(?:\d+|\?)(?:\s|$)", text):
            text = re.sub(r"\d+|\?", str(self.names[chapter[2]]), text, count=1)
        elif number and len(found) == 1:
            text = re.sub(NUMBER, number, text)
        elif number:
            text = re.sub(NUMBER, lambda old: meant(kind, old[0]), text)
        else:
            text = self.inner.sub(lambda match: in_words(match, meant), text)
        return f"[{text}]({target})"


def in_words(match, meant):
    """The numbers after a word such as "chapters" or "Theorem", one or several."""
    if not match["word"]:
        return match[0]
    kind = {"c": "chapter", "e": "exercise", "f": "figure"}.get(match["word"][0].lower(), "statement")
    kind = "statement" if match["word"].lower().startswith("cor") else kind
    return match["word"] + match["gap"] + re.sub(r"\d+(?:\.\d+)?", lambda old: meant(kind, old[0]), match["list"])


def with_sources(raw, sources):
    """A notebook's file with other texts in its cells: lines that change are replaced, and nothing else is touched."""
    pieces, sources, position, inside = [], list(sources), 0, None
    strings = re.compile(r'"(?:[^"\\]|\\.)*"')
    tokens = list(strings.finditer(raw))
    for token, after in itertools.zip_longest(tokens, tokens[1:]):
        between = raw[token.end() : after.start() if after else len(raw)]
        if inside is not None:
            old, new = inside.pop(0) if inside else (None, None)
            if json.loads(token[0]) != old:
                raise ValueError("a notebook whose cells were not found in its file")
            if old != new:
                pieces += [raw[position : token.start()], json.dumps(new, ensure_ascii=False)]
                position = token.end()
            inside = None if "]" in between or not inside else inside
        elif token[0] == '"source"' and re.match(r"\s*:\s*(?:\[\s*)?$", between) and sources:
            old, new = sources.pop(0)
            lines = list(zip(old.splitlines(True), new.splitlines(True), strict=True))
            inside = lines if "[" in between else [(old, new)]
        elif token[0] == '"source"' and re.match(r"\s*:\s*\[\s*\]", between):
            sources.pop(0)
    return "".join([*pieces, raw[position:]])


def changes(root):
    """What is due: the texts of files, the names of chapters' files, and what hinders."""
    book, texts = Book(root), {}
    others = [*root.glob("linclass/**/*.py"), *root.glob("linclass/**/*.js"), *root.glob("benchmarks/*.py")]
    others += [path for path in root.glob("tests/**/*.py") if path.parent.name != "book"]
    others += [path for path in [root / "_toc.yml", root / "book" / "notes_map.yml"] if path.exists()]
    for path in [*book.pages(), *others]:
        raw, pairs = path.read_text(encoding="utf-8"), list(book.rewrite(path))
        if any(old != new for old, new in pairs):
            texts[path] = with_sources(raw, pairs) if path.suffix == ".ipynb" else pairs[0][1]
    named_only = [root / "README.md", root / "CONTRIBUTING.md", *root.glob("tests/book/*.py"), *root.glob("tools/*.py")]
    file = re.compile(rf"(?<!\w)\d\d[a-z]?-(?:{'|'.join(map(re.escape, book.names))})(?![\w-])")
    for path in filter(Path.exists, named_only):
        raw = path.read_text(encoding="utf-8")
        if raw != (new := file.sub(lambda match: book.stem(match[0]), raw)):
            texts[path] = new
    names = {path: path.with_name(book.stem(path.stem) + path.suffix) for path in book.files.values()}
    return texts, {old: new for old, new in names.items() if old != new}, list(dict.fromkeys(book.problems))


def main(root=ROOT, check=False):
    """Change what is due, unless something hinders; the exit code."""
    texts, names, problems = changes(root)
    if problems:
        print("Nothing was changed.", *problems, sep="\n", file=sys.stderr)
        return 1
    for path in sorted({*texts, *names}):
        new = f" -> {names[path].name}" if path in names else ""
        print(("would change " if check else "changed ") + path.relative_to(root).as_posix() + new)
    if not check:
        for path, text in texts.items():
            path.write_text(text, encoding="utf-8")
        for path, new in names.items():
            path.rename(new)
        if any(path.suffix == ".ipynb" for path in texts):
            print("Now run the notebooks whose code speaks of numbers (make notebooks), and make test.")
    return int(check and bool(texts or names))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; fail if something would change")
    sys.exit(main(check=parser.parse_args().check))
