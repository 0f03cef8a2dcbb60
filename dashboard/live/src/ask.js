// Ask: SQL on the published tables, views and functions, with the answer as a table, a chart or CSV.
import { asked, keep } from "./address.js";
import { showChart, chartsOf } from "./chart.js";
import { editorIn } from "./editor.js";
import { Cancelled } from "./errors.js";
import { element, lastOf, notice, openDatabase, say } from "./page.js";
import { csvButton, showTable } from "./table.js";

const LIMIT = 10_000;
const first = "select rank, player_name, rating\nfrom international_ranking\norder by rank, player_id\nlimit 10";

const [run, cancel, share] = ["run", "cancel", "share"].map((id) => document.getElementById(id));
const [shown, status] = ["answer", "status"].map((id) => document.getElementById(id));
const database = openDatabase();
const editor = editorIn(document.getElementById("editor"), asked().q ?? first, ask, markOld);
const answerLast = lastOf(answer);
let interruption = new AbortController();

run.disabled = false;
run.addEventListener("click", ask);
cancel.addEventListener("click", () => interruption.abort());
// A link to a question runs it at once; a query in the address of a new page waits for Run.
window.addEventListener("hashchange", askAddress);
document.addEventListener("click", ({ target }) => {
  // The address has this question already, so it does not change.
  if (target.closest(".questions a")?.hash === location.hash) askAddress();
});
share.addEventListener("click", async () => {
  keep({ q: editor.text() });
  try {
    await navigator.clipboard.writeText(location.href);
    say("The address of this question is copied.");
  } catch {
    say("The address of this page is that of the question.");
  }
});
document.getElementById("ask").hidden = false;
database.ready.then(
  async () => {
    if (cancel.hidden) say("Press Run to ask.");
    editor.complete(await namesOf(database));
  },
  () => {
    run.disabled = true;
  },
);

function askAddress() {
  const query = asked().q;
  if (query === undefined) return;
  editor.write(query);
  status.focus({ preventScroll: true });
  ask();
}

/** Cancels an earlier query that still runs, and answers the one in the editor. */
function ask() {
  if (run.disabled || !editor.text().trim()) return;
  interruption.abort();
  shown.replaceChildren();
  status.scrollIntoView({ block: "center" });
  answerLast();
}

async function answer() {
  interruption = new AbortController();
  const { signal } = interruption;
  cancel.hidden = false;
  editor.mark(null);
  notice();
  try {
    say("Waiting for the database …");
    await database.ready;
    say("Asking …");
    const found = await database.query(editor.text(), { limit: LIMIT, signal, isTakenBack: true });
    if (signal.aborted) throw new Cancelled();
    show(found);
  } catch (error) {
    if (error.position !== undefined) editor.mark(error);
    throw error;
  } finally {
    cancel.hidden = true;
  }
}

/** Marks the rows of a query that the reader has changed since. */
function markOld() {
  if (!shown.hasChildNodes() || shown.className) return;
  shown.className = "old";
  say("These rows answer the query before your changes. Press Run to ask this one.");
}

function show(answer) {
  const { rows, columns, isCut, milliseconds } = answer;
  shown.className = "";
  const count = `${rows.length.toLocaleString("en")} ${rows.length === 1 ? "row" : "rows"} in ${(milliseconds / 1000).toFixed(2)} s.`;
  say(
    isCut
      ? `The answer has more rows: these are the first ${LIMIT.toLocaleString("en")}, here and as CSV. ${count}`
      : count,
  );
  if (!columns.length || !rows.length) return shown.replaceChildren();
  const place = element("div");
  const charts = chartsOf(answer);
  const buttons = element(
    "div",
    { className: "filters" },
    element("span", { className: "grow" }),
    csvButton(answer, "answer"),
  );
  if (charts.length) {
    const views = element(
      "select",
      { id: "view", onchange: () => draw(Number(views.value)) },
      element("option", { value: -1 }, "Table"),
      ...charts.map(({ label }, i) => element("option", { value: i }, `Chart: ${label}`)),
    );
    buttons.prepend(element("label", {}, "Show as ", views));
  }
  const draw = (number) => (number < 0 ? showTable(place, answer, "Answer") : showChart(place, charts[number]));
  draw(-1);
  shown.replaceChildren(buttons, place);
}

/** The names that the editor completes: schemas, relations with their columns, functions; each with its comment. */
async function namesOf(database) {
  const relations = await database.query(`
    select schema_name, view_name, comment, 'view' from duckdb_views() where database_name = 'rankings' and not internal
    union all
    select schema_name, table_name, comment, 'table' from duckdb_tables() where database_name = 'rankings'
    order by all`);
  const columns = await database.query(`
    select schema_name, table_name, column_name, data_type, comment from duckdb_columns()
    where database_name = 'rankings' and not internal order by schema_name, table_name, column_index`);
  const functions = await database.query(`
    select schema_name, function_name, any_value(array_to_string(parameters, ', ')), any_value(comment) from duckdb_functions()
    where database_name = 'rankings' and not internal group by all order by all`);
  return { relations: relations.rows, columns: columns.rows, functions: functions.rows };
}
