// Charts by Vega-Lite, in the colours of the page, as wide as their container. The page contains their data.
(() => {
  const axis = {
    domain: false,
    ticks: false,
    title: null,
    labelColor: "var(--soft)",
    labelFontSize: 12,
    labelPadding: 8,
    gridColor: "var(--line)",
    labelFont: "system-ui, sans-serif",
  };
  const base = {
    $schema: "https://vega.github.io/schema/vega-lite/v6.json",
    width: "container",
    height: 230,
    background: null,
    autosize: { type: "fit", contains: "padding" },
    config: { view: { stroke: null }, font: "system-ui, sans-serif" },
  };

  // Tick marks: years, or, for less than about two years, months.
  const years = (from, to) =>
    new Date(to) - new Date(from) > 2 * 365 * 864e5
      ? { format: "%Y", tickCount: "year" }
      : { format: "%b %Y", tickCount: "month" };
  const ranksMarked = (rows) => {
    const ranks = rows.map(({ rank }) => rank).filter((rank) => rank !== null);
    const first = Math.min(...ranks),
      last = Math.max(...ranks),
      step = Math.max(1, Math.ceil((last - first) / 4));
    return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, mark) => first + mark * step);
  };

  const charts = {
    // The rating after each tournament, as a step; `initial` is the rating before the first.
    rating: ({ events, initial, from, to, tournament }) => {
      const steps = [
        { ended_on: from, rating_after: initial },
        ...events,
        { ended_on: to, rating_after: events.at(-1).rating_after },
      ];
      const x = {
        field: "ended_on",
        type: "temporal",
        scale: { domain: [from, to] },
        axis: { ...axis, grid: false, ...years(from, to), labelOverlap: true, labelSeparation: 8 },
      };
      const y = {
        field: "rating_after",
        type: "quantitative",
        scale: { zero: false, nice: true },
        axis: { ...axis, tickCount: 5 },
      };
      return {
        ...base,
        layer: [
          {
            data: { values: [{ rating_after: initial }] },
            mark: { type: "rule", stroke: "var(--faint)", strokeDash: [3, 4] },
            encoding: { y },
          },
          {
            data: { values: steps },
            mark: { type: "line", interpolate: "step-after", stroke: "var(--accent-2)", strokeWidth: 2 },
            encoding: { x, y },
          },
          {
            data: { values: events },
            mark: {
              type: "point",
              filled: true,
              fill: "var(--accent)",
              stroke: "var(--paper)",
              strokeWidth: 1.4,
              opacity: 1,
            },
            encoding: {
              x,
              y,
              // More dots would hide the line.
              size: {
                condition: { test: "datum.is_world_championship", value: events.length > 60 ? 60 : 110 },
                value: events.length > 60 ? 0 : 48,
              },
              tooltip: [
                { field: "tournament_name", title: tournament },
                { field: "ended_on", type: "temporal", title: "Ended", format: "%b %Y" },
                { field: "placement", title: "Placement" },
                { field: "rating_change", title: "Change", format: "+.2f" },
                { field: "rating_after", title: "Rating", format: ".2f" },
              ],
            },
          },
        ],
      };
    },
    // A bar for each year.
    years: ({ rows, field, label }) => ({
      ...base,
      height: 190,
      data: { values: rows },
      mark: { type: "bar", fill: "var(--accent-2)", cornerRadiusEnd: 2 },
      encoding: {
        x: {
          field: "year",
          type: "ordinal",
          axis: { ...axis, grid: false, labelAngle: 0, labelOverlap: true },
          scale: { paddingInner: 0.25 },
        },
        y: { field, type: "quantitative", axis: { ...axis, tickCount: 4 } },
        tooltip: [
          { field: "year", title: "Year" },
          { field, title: label },
        ],
      },
    }),
    // The rank by year, first place on top. Ticks are whole numbers only.
    ranks: ({ rows, field, label }) => ({
      ...base,
      height: 190,
      data: { values: rows },
      mark: {
        type: "line",
        interpolate: "linear",
        stroke: "var(--accent-2)",
        strokeWidth: 2,
        point: { filled: true, fill: "var(--accent)", size: 36 },
      },
      encoding: {
        x: { field: "year", type: "ordinal", axis: { ...axis, grid: false, labelAngle: 0, labelOverlap: true } },
        y: {
          field,
          type: "quantitative",
          scale: { reverse: true, zero: false, nice: false },
          axis: { ...axis, values: ranksMarked(rows), format: "d" },
        },
        tooltip: [
          { field: "year", title: "Year" },
          { field, title: label },
        ],
      },
    }),
  };

  // Interpret expressions instead of compiling them: the pages' security policy forbids running text as a script.
  const draw = (place, spec) => window.vegaEmbed(place, spec, { renderer: "svg", actions: false, ast: true });
  window.siteCharts = { base, axis, years, draw };

  function show(figure) {
    if (figure.querySelector(".chart")) return;
    const data = JSON.parse(figure.querySelector("script").textContent);
    const place = document.createElement("div");
    place.className = "chart";
    place.role = "img";
    place.setAttribute("aria-label", figure.dataset.label);
    figure.prepend(place);
    draw(place, charts[figure.dataset.chart](data)).then(() => {
      figure.querySelector(".still, .instead")?.remove();
    });
  }

  // A switch shows one chart of its section. A hidden one has no width, so it is drawn when it is shown.
  for (const section of document.querySelectorAll("section[data-switch]")) {
    const buttons = [...section.querySelectorAll(".seg button")];
    const choose = (chosen) =>
      section.querySelectorAll("figure").forEach((figure, i) => {
        figure.hidden = i !== chosen;
        buttons[i].setAttribute("aria-pressed", String(i === chosen));
        if (i === chosen) show(figure);
      });
    for (const [i, button] of buttons.entries()) button.addEventListener("click", () => choose(i));
    choose(0);
  }
  document.querySelectorAll("figure[data-chart]:not([hidden])").forEach(show);
})();
