// An answer as a table with pages, and as CSV. Values are text, never markup.
import { cellOf, link, quiet, rowsOf, styleOf } from "./cells.js";
import { element, given, save } from "./page.js";
import { decimalsOf, shortText, textOf } from "./values.js";

// The folders of the pages that ids link to.
const FOLDERS = { player_id: "players", opponent_id: "players", tournament_id: "tournaments" };
const NATIONAL = ["nation_code", "national_rank"];

/**
 * Shows an answer in an element: every column under its own name, or the given columns.
 * @param {HTMLElement} place @param {import("./database.js").Answer} answer @param {string} name
 * @param {import("./cells.js").Column[]} [chosen] those about nations are left out if nobody has one
 * @param {number} [size] number of rows on a page
 */
export function showTable(place, answer, name, chosen, size = 50) {
  const columns = given.nations ? chosen : chosen?.filter(({ key }) => !NATIONAL.includes(key));
  const headings = columns
    ? columns.map((column) => [column.heading || element("span", { className: "vh" }, "Change"), styleOf(column)])
    : answer.columns.map((column) => [column.name, plainStyle(column)]);
  const rows = columns ? rowsOf(answer) : answer.rows;
  const decimals = columns
    ? []
    : answer.columns.map((column, i) =>
        decimalsOf(
          rows.map((row) => row[i]),
          column,
        ),
      );
  const cells = columns
    ? (row) => columns.map((column) => cellOf(column, row))
    : (row) => row.map((value, i) => plainCell(value, answer.columns[i], decimals[i]));
  const body = element("tbody");
  const table = element(
    "table",
    {},
    element("caption", { className: "vh" }, name),
    element(
      "thead",
      {},
      element("tr", {}, ...headings.map(([heading, className]) => element("th", { scope: "col", className }, heading))),
    ),
    body,
  );
  const scroll = element("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: name }, table);
  const pages = element("nav", { className: "pages", ariaLabel: `Pages of ${name}` });
  const count = Math.ceil(rows.length / size);

  function turn(page) {
    const shown = rows.slice(page * size, (page + 1) * size);
    body.replaceChildren(...shown.map((row) => element("tr", {}, ...cells(row))));
    window.prepareTable(table);
    const first = page * size + 1;
    const info = element(
      "span",
      { className: "info", ariaLive: "polite" },
      `${first.toLocaleString("en")}–${(first + shown.length - 1).toLocaleString("en")} of ${rows.length.toLocaleString("en")}`,
    );
    const button = (text, to, label) =>
      element(
        "button",
        { type: "button", disabled: to < 0 || to >= count, ariaLabel: label, onclick: () => turn(to) },
        text,
      );
    pages.replaceChildren(
      info,
      button("‹", page - 1, "Previous page"),
      ` ${page + 1} / ${count} `,
      button("›", page + 1, "Next page"),
    );
  }

  pages.hidden = count < 2;
  place.replaceChildren(scroll, pages);
  turn(0);
}

/** A button that saves an answer as CSV. @param {import("./database.js").Answer} answer @param {string} name of the file */
export function csvButton(answer, name) {
  const file = new Blob([csvOf(answer)], { type: "text/csv" });
  return element("button", { type: "button", onclick: () => save(file, `${name}.csv`) }, "CSV");
}

/** An answer as CSV with a heading; nulls are empty cells, and numbers are not rounded. */
export function csvOf({ columns, rows }) {
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (cells) => cells.map(quoted).join(",");
  const lines = [
    line(columns.map(({ name }) => name)),
    ...rows.map((row) => line(row.map((value, i) => textOf(value, columns[i])))),
  ];
  return `${lines.join("\r\n")}\r\n`;
}

function plainCell(value, column, decimals) {
  const text = shortText(value, column, decimals);
  const folder = FOLDERS[column.name];
  const inside = value === null ? quiet("–") : folder ? link(folder, value, text) : text;
  return element("td", { className: plainStyle(column) }, inside);
}

function plainStyle({ kind }) {
  return kind === "number" ? "n" : kind === "day" || kind === "time" ? "date" : "";
}
