// Make tables searchable, sortable and paged: the table library shows all rows of the data file beside the page.
// A column's kind determines its cells; they look like the rows that the page has without scripts.
(() => {
  const table = document.querySelector("table[data-rows]");
  const data = window.tableRows;
  if (!table || !data) return;
  const { DataTable } = window.tableLibrary;
  const root = document.documentElement.dataset.root;
  const escaped = (text) => DataTable.util.escapeHtml(String(text));
  const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
  const none = '<span class="quiet">–</span>';

  function person([id, first, last]) {
    return `<a href="${root}players/${id}.html">${escaped(first)} <b>${escaped(last)}</b></a>`;
  }
  function move(places) {
    if (places === null) return '<span class="quiet">new</span>';
    if (places === 0) return "";
    return places > 0 ? `<span class="up">▲ ${places}</span>` : `<span class="down">▼ ${-places}</span>`;
  }
  function course(ratings) {
    const [low, high, initial] = data.scale;
    const y = (rating) => (21 - (18 * (rating - low)) / (high - low || 1)).toFixed(1);
    const x = (i) => (3 + (86 * i) / (ratings.length - 1 || 1)).toFixed(1);
    const points = ratings.map((rating, i) => `${x(i)},${y(rating)}`).join(" ");
    return (
      `<svg class="spark" viewBox="0 0 92 24" aria-hidden="true"><line x1="0" x2="92" y1="${y(initial)}" y2="${y(initial)}"/>` +
      `<polyline points="${points}"/><circle cx="89" cy="${y(ratings.at(-1))}" r="2.2"/></svg>`
    );
  }
  function day(text, withDay) {
    if (!text) return none;
    const [year, month, date] = text.split("-");
    return `<time datetime="${text}">${withDay && date ? `${Number(date)} ` : ""}${month ? `${months[month - 1]} ` : ""}${year}</time>`;
  }
  const kinds = {
    person: {
      show: person,
      order: ([, first, last]) => `${last} ${first}`,
      text: ([, first, last]) => `${first} ${last}`,
    },
    persons: {
      show: (list) => list.map(person).join(", ") || none,
      text: (list) => list.map(([, f, l]) => `${f} ${l}`).join(" "),
      order: (list) => (list[0] || ["", "", ""])[2],
    },
    nation: {
      show: (code) =>
        code
          ? `<a class="nation" href="${root}nations/${code.toLowerCase()}.html" title="${escaped(data.nations[code] || code)}">${code}</a>`
          : none,
    },
    move: { show: move, order: (places) => (places === null ? -1e9 : places) },
    course: { show: course, order: (ratings) => ratings.at(-1) - ratings[0], text: () => "" },
    fixed: { show: (number) => (number === null ? none : number.toFixed(2)) },
    standing: {
      show: ([number, provisional]) =>
        number.toFixed(2) + (provisional ? '<span class="provisional" title="provisional">?</span>' : ""),
      order: ([number]) => number,
      text: ([number]) => String(number),
    },
    month: { show: (text) => day(text, false) },
    day: { show: (text) => day(text, true) },
    // A stated month or year counts as its last day.
    ended: { show: (text) => day(text, true), order: (text) => text.padEnd(10, "-99-99") },
    event: {
      show: ([id, name]) => `<a href="${root}tournaments/${id}.html">${escaped(name)}</a>`,
      order: ([, name]) => name,
      text: ([, name]) => name,
    },
    plain: { show: (value) => (value === null || value === "" ? none : escaped(value)) },
  };

  const columns = [...table.tHead.rows[0].cells].map((heading, i) => {
    const kind = kinds[heading.dataset.kind] || kinds.plain;
    return {
      className: heading.className,
      cellType: heading.dataset.kind === "person" || heading.dataset.kind === "event" ? "th" : "td",
      data: null,
      render: (row, purpose) => {
        const value = row[i];
        if (purpose === "display") return kind.show(value);
        // The library reads the value as HTML.
        if (purpose === "filter") return escaped((kind.text || String)(value === null ? "" : value));
        return kind.order ? kind.order(value) : value === null ? "" : value;
      },
      orderSequence: heading.dataset.first === "desc" ? ["desc", "asc"] : ["asc", "desc"],
      createdCell: (cell) => cell.tagName === "TH" && cell.setAttribute("scope", "row"),
    };
  });

  const size = Number(table.dataset.size);
  table.tBodies[0].replaceChildren();
  for (const nav of document.querySelectorAll("nav.pages")) nav.remove();
  const shown = new DataTable(table, {
    data: data.rows,
    columns,
    deferRender: true,
    autoWidth: false,
    order: [],
    // Ties stay in the order of the rank.
    ...(table.dataset.tied && { orderFixed: { post: [[Number(table.dataset.tied), "asc"]] } }),
    pageLength: size,
    displayStart: size * (Number(table.dataset.page) - 1),
    lengthChange: false,
    layout: { topStart: null, topEnd: null, bottomStart: "info", bottomEnd: data.rows.length > size ? "paging" : null },
    language: {
      info: "_START_–_END_ of _TOTAL_",
      infoEmpty: "None",
      infoFiltered: "(of _MAX_)",
      zeroRecords: "None found",
      thousands: ",",
    },
  });

  shown.on("draw", () => window.prepareTable(table));
  window.prepareTable(table);

  const field = document.querySelector("[data-filter='text']");
  if (field)
    field.addEventListener("input", () => {
      shown.search(field.value).draw();
      // Treat words without a match as misspelled.
      const words = window.siteSearch.wordsOf(field.value);
      if (!shown.page.info().recordsDisplay) shown.search((text) => window.siteSearch.isNear(words, text)).draw();
    });
  document.querySelectorAll("select[data-filter='column']").forEach((list) => {
    const number = Number(list.dataset.column);
    list.addEventListener("change", () => {
      shown
        .column(number)
        .search(list.value ? (text) => text === list.value : "")
        .draw();
    });
  });
})();
