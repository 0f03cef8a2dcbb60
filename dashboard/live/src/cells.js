// Columns of tables that look like those of pages without scripts: a kind determines the look of its cells.
// Values are text, never markup.
import { element, root } from "./page.js";

/**
 * @typedef {{[name: string]: any}} Row a row of an answer, by column name
 * @typedef {{heading: string, kind: keyof typeof KINDS, key?: string, isWide?: boolean}} Column phones leave wide ones out
 */

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const ID = /^[a-z0-9]+(-[a-z0-9]+)*$/;

/** Text of little weight, such as a dash for a missing value. @param {string} text */
export const quiet = (text) => element("span", { className: "quiet" }, text);

/** A link to the page of an id; without a link if the text is no id. @param {string} folder @param {string} id @param {(Node | string)[]} inside */
export function link(folder, id, ...inside) {
  return ID.test(id)
    ? element("a", { href: `${root}${folder}/${id}.html` }, ...inside)
    : element("span", {}, ...inside);
}

// A minus sign instead of a hyphen.
const number = (options) => (value) => value.toLocaleString("en", options).replace("-", "−");
const digits = (count) => ({ minimumFractionDigits: count, maximumFractionDigits: count });
const count = number({});
const signed = number({ signDisplay: "exceptZero" });
const signedTwo = number({ ...digits(2), signDisplay: "exceptZero" });

/** Formats a day, or a month or a year of which no day is stated. @param {string} text */
export function dayOf(text) {
  const [year, month, day] = text.split("-");
  return [day && Number(day), month && MONTHS[month - 1], year].filter(Boolean).join(" ");
}

/** Formats a rating with two digits, as on every page. @param {number} value */
export const two = number(digits(2));

function change(value) {
  const text = signedTwo(value);
  const direction = { "+": "up", "−": "down" }[text[0]];
  return direction ? element("span", { className: direction }, text) : quiet(text);
}

function places(gained) {
  if (gained === 0) return "";
  return element(
    "span",
    { className: gained > 0 ? "up" : "down" },
    `${gained > 0 ? "▲" : "▼"}\u202f${count(Math.abs(gained))}`,
  );
}

function person(row, prefix) {
  const name = [row[`${prefix}first_name`], element("b", {}, row[`${prefix}last_name`] ?? "")].filter(Boolean);
  return link("players", row[`${prefix}player_id`], ...name.flatMap((part, i) => (i ? [" ", part] : [part])));
}

function nation(code, row) {
  return element(
    "a",
    { className: "nation", href: `${root}nations/${code.toLowerCase()}.html`, title: row.nation_name ?? "" },
    code,
  );
}

// The class and the content of the cells of each kind; a `head` cell names its row.
const KINDS = {
  rank: { style: "n rank", show: count },
  move: { style: "n move", show: places, none: "new" },
  person: { isHead: true, show: (_, row) => person(row, "") },
  nation: { show: nation },
  name: { isHead: true, show: (name, row) => link("players", row.player_id, name) },
  opponent: { isHead: true, show: (name, row) => link("players", row.opponent_id, name) },
  tournament: { isHead: true, show: (name, row) => link("tournaments", row.tournament_id, name) },
  placement: {
    style: "n",
    show: (place, row) => (place === row.best_placement ? element("b", {}, count(place)) : count(place)),
  },
  rating: { style: "n rating", show: two },
  fixed: { style: "n", show: two },
  count: { style: "n", show: count },
  needed: { style: "n", show: count, none: "no place" },
  change: { style: "n", show: change },
  signed: { style: "n", show: signed },
  day: { style: "date", show: dayOf },
};

/** The rows of an answer, by column name. @param {import("./database.js").Answer} answer @returns {Row[]} */
export function rowsOf({ columns, rows }) {
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, i) => [name, row[i]])));
}

/** The class of a column's cells. @param {Column} column */
export function styleOf({ kind, isWide }) {
  return `${KINDS[kind].style ?? ""} ${isWide ? "w" : ""}`.trim();
}

/** The cell of a row in a column. @param {Column} column @param {Row} row */
export function cellOf(column, row) {
  const { isHead, show, none } = KINDS[column.kind];
  const value = column.key ? row[column.key] : row;
  const inside = value === null ? quiet(none ?? "–") : show(value, row);
  return isHead
    ? element("th", { scope: "row", className: styleOf(column) }, inside)
    : element("td", { className: styleOf(column) }, inside);
}
