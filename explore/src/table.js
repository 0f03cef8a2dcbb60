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

/** Shows an answer in a place. @param {HTMLElement} place @param {import("./database.js").Answer} answer @param {string} name */
export function showTable(place, answer, name) {
  const body = element("tbody");
  const table = element("table", {},
    element("caption", { className: "vh" }, name),
    element("thead", {}, element("tr", {}, ...answer.columns.map((column) => element("th", { scope: "col", className: styleOf(column) }, column.name)))),
    body);
  const scroll = element("div", { className: "scroll", tabIndex: 0, role: "region", ariaLabel: name }, table);
  const pages = element("nav", { className: "pages", ariaLabel: `Pages of ${name}` });
  const count = Math.ceil(answer.rows.length / SIZE);

  function turn(page) {
    const rows = answer.rows.slice(page * SIZE, (page + 1) * SIZE);
    body.replaceChildren(...rows.map((row) => element("tr", {}, ...row.map((value, i) => cell(value, answer.columns[i])))));
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

function cell(value, column) {
  const text = value === null ? element("span", { className: "quiet" }, "–") : textOf(value, column);
  const page = PAGES[column.name];
  const inside = page && ID.test(value) ? element("a", { href: root + page(value) }, text) : text;
  return element("td", { className: styleOf(column) }, inside);
}

function styleOf({ kind }) {
  return kind === "number" ? "n" : kind === "day" || kind === "time" ? "date" : "";
}
