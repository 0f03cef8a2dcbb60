// The SQL editor: CodeMirror in the colours of the site, with completion of the published names and their comments.
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { PostgreSQL, SQLDialect, sql } from "@codemirror/lang-sql";
import { bracketMatching, HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { lintKeymap, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { EditorView, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const duckdb = SQLDialect.define({
  ...PostgreSQL.spec,
  keywords: `${PostgreSQL.spec.keywords} qualify exclude replace describe summarize pivot unpivot asof positional semi anti sample macro`,
});
const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--accent)", fontWeight: "600" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--up)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--focus-text)" },
  { tag: tags.comment, color: "var(--faint)", fontStyle: "italic" },
]);

/**
 * @param {HTMLElement} place
 * @param {string} text
 * @param {() => void} onRun called by Ctrl+Enter
 * @param {() => void} onChange called when the text changes
 */
export function editorIn(place, text, onRun, onChange) {
  const language = new Compartment();
  const runs = () => {
    onRun();
    return true;
  };
  const view = new EditorView({
    parent: place,
    state: EditorState.create({
      doc: text,
      extensions: [
        keymap.of([
          { key: "Mod-Enter", run: runs },
          ...closeBracketsKeymap,
          ...completionKeymap,
          ...lintKeymap,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        lineNumbers(),
        history(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ icons: false }),
        syntaxHighlighting(colours),
        EditorView.lineWrapping,
        EditorView.updateListener.of(({ docChanged }) => docChanged && onChange()),
        EditorView.contentAttributes.of({
          "aria-label": "SQL",
          "aria-describedby": "keys",
          spellcheck: "false",
          autocapitalize: "off",
        }),
        language.of(sql({ dialect: duckdb })),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    write: (query) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: query } }),
    /** Marks the position of an error; null removes the mark. */
    mark(error) {
      const end = view.state.doc.length;
      const from = Math.min(error?.position ?? 0, Math.max(0, end - 1));
      const word = view.state.wordAt(from);
      const found = {
        from,
        to: Math.max(word?.to ?? 0, Math.min(from + 1, end)),
        severity: "error",
        message: error?.message,
      };
      view.dispatch(setDiagnostics(view.state, error ? [found] : []));
      if (error) view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from) });
    },
    complete: (names) =>
      view.dispatch({ effects: language.reconfigure(sql({ dialect: duckdb, schema: schemaOf(names) })) }),
  };
}

/** Converts the published names to the format of CodeMirror's SQL completion. */
function schemaOf({ relations, columns, functions }) {
  const schema = {};
  const inSchema = (name, label, self, children) => {
    // Names in the default schema need no prefix.
    if (name !== "main") schema[name] ??= { self: { label: name, type: "namespace" }, children: {} };
    const target = name === "main" ? schema : schema[name].children;
    target[label] = { self, children };
  };
  for (const [name, label, comment, detail] of relations) {
    const own = columns.filter(([of, table]) => of === name && table === label);
    inSchema(
      name,
      label,
      { label, type: "type", detail, info: comment || undefined },
      own.map(([, , column, type, about]) => ({
        label: column,
        type: "property",
        detail: type,
        info: about || undefined,
      })),
    );
  }
  for (const [name, label, parameters, comment] of functions) {
    inSchema(
      name,
      label,
      { label, type: "function", detail: `(${parameters})`, info: comment || undefined, apply: `${label}(` },
      [],
    );
  }
  return schema;
}
