// An answer as a table with pages, and as CSV. Values are text, never markup.
import { element, root } from "./page.js";
import { textOf } from "./values.js";

const SIZE = 50;
// Pages of the site that ids lead to.
const PAGES = {
  player_id: (id) => `players/${id}.html`,
  opponent_id: (id) => `players/${id}.html`,
  tournament_id: (id) => `tournaments/${id}.html`,
};
const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/**
 * Shows an answer in a place. A column may have a `title`, a number of `digits`, a sign (`isSigned`), the column of an id that it is
 * `linked` by, or be hidden (`isHidden`).
 * @param {HTMLElement} place @param {import("./database.js").Answer} answer @param {string} name
 */
export function showTable(place, answer, name) {
  const shown = answer.columns.map((column, i) => ({ ...column, i })).filter(({ isHidden }) => !isHidden);
  const body = element("tbody");
  const table = element("table", {},
    element("caption", { className: "vh" }, name),
    element("thead", {}, element("tr", {}, ...shown.map((column) => element("th", { scope: "col", className: styleOf(column) }, column.title ?? column.name)))),
    body);
  const scroll = element("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: name }, table);
  const pages = element("nav", { className: "pages", ariaLabel: `Pages of ${name}` });
  const count = Math.ceil(answer.rows.length / SIZE);

  function turn(page) {
    const rows = answer.rows.slice(page * SIZE, (page + 1) * SIZE);
    body.replaceChildren(...rows.map((row) => element("tr", {}, ...shown.map((column) => cell(row, column, answer.columns)))));
    const first = page * SIZE + 1;
    const info = element("span", { className: "info", ariaLive: "polite" }, `${first.toLocaleString("en")}–${(first + rows.length - 1).toLocaleString("en")} of ${answer.rows.length.toLocaleString("en")}`);
    const button = (text, to, label) => element("button", { type: "button", disabled: to < 0 || to >= count, ariaLabel: label, onclick: () => turn(to) }, text);
    pages.replaceChildren(info, button("‹", page - 1, "Previous page"), ` ${page + 1} / ${count} `, button("›", page + 1, "Next page"));
  }

  turn(0);
  pages.hidden = count < 2;
  place.replaceChildren(scroll, pages);
}

/** An answer as CSV: a heading, no value is an empty cell, numbers are not rounded. @param {import("./database.js").Answer} answer */
export function csvOf({ columns, rows }) {
  const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  const line = (cells) => cells.map(quoted).join(",");
  return [line(columns.map(({ name }) => name)), ...rows.map((row) => line(row.map((value, i) => textOf(value, columns[i]))))].join("\r\n") + "\r\n";
}

function cell(row, column, columns) {
  const value = row[column.i];
  const text = value === null ? element("span", { className: "quiet" }, "–") : column.title ? figureOf(value, column) : textOf(value, column);
  const of = column.linked ?? column.name;
  const id = row[columns.findIndex(({ name }) => name === of)];
  const page = PAGES[of];
  const inside = page && ID.test(id) ? element("a", { href: root + page(id) }, text) : text;
  return element("td", { className: styleOf(column) }, inside);
}

/** A number as people read it. */
function figureOf(value, { kind, digits = 0, isSigned }) {
  if (kind !== "number") return String(value);
  return value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits, signDisplay: isSigned ? "exceptZero" : "auto" });
}

function styleOf({ kind }) {
  return kind === "number" ? "n" : kind === "day" || kind === "time" ? "date" : "";
}
