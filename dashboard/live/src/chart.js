// Charts of an answer, if its columns allow one: over days or years, or a bar for each name.
import { element, root } from "./page.js";

const MOST_ROWS = 5000;
const MOST_BARS = 40;
// Colours of lines, readable in light and dark mode.
const LINES = ["#2f7fb8", "#d9691e", "#2f8f5b", "#a457b8", "#b08a00", "#cc4a5f", "#2a9d9a", "#84705c"];

/**
 * The possible charts of an answer.
 * @param {import("./database.js").Answer} answer
 * @returns {{label: string, spec: object}[]}
 */
export function chartsOf({ columns, rows }) {
  if (rows.length < 2 || rows.length > MOST_ROWS) return [];
  const times = columns.findIndex(({ name, kind }) => kind === "day" || (kind === "number" && name === "year"));
  const names = columns.findIndex(({ kind }) => kind === "text");
  const across = times >= 0 ? times : names;
  if (across < 0 || (times < 0 && rows.length > MOST_BARS)) return [];
  const measures = columns
    .map((column, i) => ({ ...column, i }))
    .filter(({ kind, i }) => kind === "number" && i !== across);
  // One line per name, if there are few enough names to read.
  const several = times >= 0 && names >= 0 && new Set(rows.map((row) => row[names])).size <= 8 ? names : -1;
  return measures.map(({ name, i }) => {
    const values = rows.map((row) => ({
      x: row[across],
      y: row[i] === null ? null : Number(row[i]),
      of: several < 0 ? "" : row[several],
    }));
    return {
      label: `${name} by ${columns[across].name}`,
      title: name,
      isTime: times >= 0,
      isDay: columns[across].kind === "day",
      isSeveral: several >= 0,
      values,
    };
  });
}

/**
 * Draws the ratings of players into an element: one stepped line per player, one mark per event.
 * @param {HTMLElement} place @param {string} label
 * @param {{of: string, event_number: number, ended_on: string, rating_after: number, isEvent: boolean}[]} points events also have
 *   `tournament_name`, `place` and `rating_change`
 * @param {string[]} names the names of the players, in order @param {string} word the word for a tournament
 */
export function showCourses(place, label, points, names, word) {
  const days = points.map((point) => point.ended_on).sort();
  const [from, to] = [days[0], days.at(-1)];
  const colours = LINES.slice(0, names.length);
  return drawn(place, label, points, ({ base, axis, years }) => ({
    ...base,
    height: 300,
    encoding: {
      x: {
        field: "ended_on",
        type: "temporal",
        scale: { domain: [from, to] },
        axis: { ...axis, grid: false, ...years(from, to), labelOverlap: true, labelSeparation: 8 },
      },
      y: { field: "rating_after", type: "quantitative", scale: { zero: false }, axis: { ...axis, tickCount: 5 } },
      color: {
        field: "of",
        type: "nominal",
        scale: { domain: names, range: colours },
        legend: names.length > 1 ? legendIn(place) : null,
      },
    },
    layer: [
      {
        mark: { type: "line", interpolate: "step-after", strokeWidth: 2 },
        encoding: { order: { field: "event_number", type: "quantitative" } },
      },
      {
        transform: [{ filter: "datum.isEvent" }],
        // Many large marks would hide the lines.
        mark: {
          type: "point",
          filled: true,
          size: points.length > 300 ? 14 : 60,
          opacity: 1,
          stroke: "var(--paper)",
          strokeWidth: points.length > 300 ? 0 : 1,
        },
        encoding: {
          shape: {
            field: "of",
            type: "nominal",
            scale: { domain: names },
            legend: names.length > 1 ? legendIn(place) : null,
          },
          tooltip: [
            { field: "of", title: "Name" },
            { field: "tournament_name", title: word },
            { field: "place", title: "Placement" },
            { field: "rating_change", title: "Change", format: "+.2f" },
            { field: "rating_after", title: "Rating", format: ".2f" },
          ],
        },
      },
    ],
  }));
}

/** Draws a chart into an element. */
export function showChart(place, chart) {
  return drawn(place, chart.label, chart.values, (site) => specOf(place, chart, site));
}

async function drawn(place, label, values, spec) {
  const drawing = element("div", { className: "chart", role: "img", ariaLabel: label });
  place.replaceChildren(element("figure", {}, drawing, element("figcaption", {}, label)));
  if (!window.siteCharts) {
    await loadScript(`${root}assets/chart-library.js`);
    await loadScript(`${root}assets/charts.js`);
  }
  await window.siteCharts.draw(drawing, { ...spec(window.siteCharts), data: { values } });
}

function legendIn(place) {
  return {
    title: null,
    labelColor: "var(--soft)",
    labelFontSize: 12,
    orient: "bottom",
    columns: Math.max(1, Math.floor(place.clientWidth / 190)),
  };
}

function specOf(place, { title, isTime, isDay, isSeveral, values }, { base, axis }) {
  const isRank = /rank$/.test(title);
  const scale = { zero: !isTime && !isRank, reverse: isRank };
  const y = { field: "y", type: "quantitative", scale, axis: { ...axis, tickCount: 5 } };
  const tooltip = [
    { field: "x", title: isTime ? "When" : "Name", type: isDay ? "temporal" : "nominal" },
    { field: "y", title, type: "quantitative" },
  ];
  const colour = isSeveral ? { color: { field: "of", type: "nominal", legend: legendIn(place) } } : {};
  return isTime
    ? {
        ...base,
        mark: {
          type: "line",
          strokeWidth: 2,
          point: { filled: true, size: 36 },
          ...(isSeveral ? {} : { stroke: "var(--accent-2)", color: "var(--accent)" }),
        },
        encoding: {
          x: {
            field: "x",
            type: isDay ? "temporal" : "ordinal",
            axis: { ...axis, grid: false, labelAngle: 0, labelOverlap: true },
          },
          y,
          tooltip,
          ...colour,
        },
      }
    : {
        ...base,
        height: Math.max(120, values.length * 24),
        mark: { type: "bar", fill: "var(--accent-2)", cornerRadiusEnd: 2 },
        encoding: {
          y: { field: "x", type: "nominal", sort: null, axis: { ...axis, grid: false, labelLimit: 180 } },
          x: { ...y, scale: { zero: true } },
          tooltip,
        },
      };
}
