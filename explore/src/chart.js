// Charts of an answer, if its columns allow one: over days or years, or a bar for each name.
import { element, root } from "./page.js";

const MOST_ROWS = 5000;
const MOST_BARS = 40;

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
  const measures = columns.map((column, i) => ({ ...column, i })).filter(({ kind, i }) => kind === "number" && i !== across);
  // One line per name, if there are few enough names to read.
  const several = times >= 0 && names >= 0 && new Set(rows.map((row) => row[names])).size <= 8 ? names : -1;
  return measures.map(({ name, i }) => {
    const values = rows.map((row) => ({ x: row[across], y: row[i] === null ? null : Number(row[i]), of: several < 0 ? "" : row[several] }));
    return { label: `${name} by ${columns[across].name}`, title: name, isTime: times >= 0, isDay: columns[across].kind === "day", isSeveral: several >= 0, values };
  });
}

/** Draws a chart into an element. */
export async function showChart(place, { label, title, isTime, isDay, isSeveral, values }) {
  const drawing = element("div", { className: "chart", role: "img", ariaLabel: label });
  place.replaceChildren(element("figure", {}, drawing, element("figcaption", {}, label)));
  if (!window.siteCharts) {
    await loadScript(`${root}assets/chart-library.js`);
    await loadScript(`${root}assets/charts.js`);
  }
  const { base, axis, draw } = window.siteCharts;
  const isRank = /rank$/.test(title);
  const scale = { zero: !isTime && !isRank, reverse: isRank };
  const y = { field: "y", type: "quantitative", scale, axis: { ...axis, tickCount: 5 } };
  const tooltip = [{ field: "x", title: isTime ? "When" : "Name", type: isDay ? "temporal" : "nominal" }, { field: "y", title, type: "quantitative" }];
  const colour = isSeveral ? { color: { field: "of", type: "nominal", title: null, legend: { labelColor: "var(--soft)", labelFontSize: 12, orient: "bottom", columns: Math.max(1, Math.floor(place.clientWidth / 190)) } } } : {};
  const spec = isTime
    ? {
      ...base,
      mark: { type: "line", strokeWidth: 2, point: { filled: true, size: 36 }, ...(isSeveral ? {} : { stroke: "var(--accent-2)", color: "var(--accent)" }) },
      encoding: { x: { field: "x", type: isDay ? "temporal" : "ordinal", axis: { ...axis, grid: false, labelAngle: 0, labelOverlap: true } }, y, tooltip, ...colour },
    }
    : {
      ...base,
      height: Math.max(120, values.length * 24),
      mark: { type: "bar", fill: "var(--accent-2)", cornerRadiusEnd: 2 },
      encoding: { y: { field: "x", type: "nominal", sort: null, axis: { ...axis, grid: false, labelLimit: 180 } }, x: { ...y, scale: { zero: true } }, tooltip },
    };
  await draw(drawing, { ...spec, data: { values } });
}
