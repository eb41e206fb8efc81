"""The map of the notes: which claim stands where in the notes, and where the book treats it. From `notes_map.yml`."""

from pathlib import Path

import yaml


def read(root):
    """The map: its notes with their sections, and its rows."""
    return yaml.safe_load((Path(root) / "book/notes_map.yml").read_text(encoding="utf-8"))


def page(root):
    """Markdown: each note's sections with the claims that stand there and links to where they are treated."""
    table = read(root)
    lines = [f"**{len(table['rows'])}** claims and slips, in **{len(table['notes'])}** notes.\n"]
    for name, note in table["notes"].items():
        lines += [f"## {name}: {note['title']}\n", "| section | id | claim | treated in |", "|---|---|---|---|"]
        for section in note["sections"]:
            rows = [row for row in table["rows"] if section in row["notes"].get(name, [])]
            for k, row in enumerate(rows):
                links = "<br>".join(f"[{link_text(target)}]({target})" for target in row["in"])
                lines.append(f"| {section if k == 0 else ''} | {row['id']} | {row['claim']} | {links} |")
        lines.append("")
    return "\n".join(lines)


def link_text(target):
    """What a link shows: the chapter's number or the page's name, and the label in it."""
    path, _, label = target.partition("#")
    stem = path.removesuffix(".ipynb").removesuffix(".md")
    name = f"chapter {int(stem[:2])}" if stem[:2].isdigit() else stem
    return f"{name}, {label}" if label else name
