/* The editor of a cell, bundled by tools/live_assets.py: what is written here is all of CodeMirror that a page loads. */
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, drawSelection, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: "var(--code-keyword)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: tags.comment, color: "var(--code-comment)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--code-number)" },
  { tag: [tags.definition(tags.variableName), tags.function(tags.definition(tags.variableName))], color: "var(--code-name)" },
]);

// The line that an error names, marked until the next change.
const markLine = StateEffect.define();
const marked = StateField.define({
  create: () => Decoration.none,
  update(marks, change) {
    for (const effect of change.effects) if (effect.is(markLine)) {
      const { lines } = change.state.doc;
      if (!(effect.value >= 1 && effect.value <= lines)) return Decoration.none;
      return Decoration.set([Decoration.line({ class: "faulty" }).range(change.state.doc.line(effect.value).from)]);
    }
    return change.docChanged ? Decoration.none : marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/* An editor in `parent`; Tab indents, and after Escape it goes on to the next thing, as CodeMirror has it. */
export function edit(parent, { doc, label, onRun, onChange }) {
  const run = () => { onRun(); return true; };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc,
      extensions: [
        keymap.of([{ key: "Shift-Enter", run }, { key: "Mod-Enter", run }]),
        history(), drawSelection(), indentOnInput(), bracketMatching(), indentUnit.of("    "), python(), marked,
        syntaxHighlighting(colours), keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-multiline": "true", autocapitalize: "off", spellcheck: "false" }),
        EditorView.updateListener.of((update) => { if (update.docChanged) onChange(update.state.doc.toString()); }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    set: (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } }),
    mark: (line) => view.dispatch({ effects: markLine.of(line ?? 0) }),
    focus: () => view.focus(),
  };
}
