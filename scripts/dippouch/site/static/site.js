// Additions to pages that also work without scripts: a search over all pages, and select lists.
document.documentElement.classList.add("scripts");

const root = document.documentElement.dataset.root;

// Letters without accents and case.
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const wordsOf = (text) =>
  plain(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

// The number of slips between two words: letters added, lost, changed, or two neighbours exchanged.
function slips(one, other) {
  let before = [],
    last = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    for (let j = 1; j <= other.length; j++) {
      row[j] = Math.min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (one[i - 1] !== other[j - 1]));
      const exchanged = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (exchanged) row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[other.length];
}
// As for people in imports: one slip in words from four letters on, two from eight. Another number is no slip.
const isNear = (typed, word) =>
  typed.length >= 4 && !/^\d+$/.test(typed) && slips(typed, word) <= (typed.length >= 8 ? 2 : 1);

// How well typed words fit the words of a text; 0 unless each of them begins one of these words, or with `near` resembles one.
function fit(typed, words, near) {
  const best = typed.map((part) => {
    if (near) return words.some((word) => isNear(part, word)) ? 1 : Number(words.some((word) => word.startsWith(part)));
    return Math.max(0, ...words.map((word) => (word === part ? 2 : Number(word.startsWith(part)))));
  });
  return best.every(Boolean) ? best.reduce((sum, one) => sum + one, 0) : 0;
}

// The entries that have the typed words, else those with words that resemble them; each with how well it fits. Entries have `words`.
function fittingOf(typed, entries) {
  const fitting = (near) =>
    entries.map((entry) => ({ entry, how: fit(typed, entry.words, near) })).filter(({ how }) => how);
  return [fitting(false), fitting(true)].find((some) => some.length) ?? [];
}
window.siteSearch = { wordsOf, fittingOf, isNear: (typed, text) => fit(typed, wordsOf(text), true) > 0 };

function loadScript(address) {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
}

// A list below a field, following the ARIA pattern "combobox". `read` returns a promise of entries with `label` and `note`, which are
// found by the label, an `id` and further words (`also`); `onChoose` is called with the chosen one. Live pages use it, too.
function combobox(field, list, read, onChoose) {
  let found = [];
  let marked = -1;

  function close() {
    list.hidden = true;
    marked = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }

  function mark(number) {
    if (!found.length) return;
    marked = (number + found.length) % found.length;
    for (const [i, item] of [...list.children].entries()) item.setAttribute("aria-selected", String(i === marked));
    field.setAttribute("aria-activedescendant", list.children[marked].id);
  }

  function choose(number = marked) {
    if (list.hidden || !found[number]) return false;
    close();
    onChoose(found[number]);
    return true;
  }

  async function show() {
    const entries = await read();
    const typed = wordsOf(field.value);
    if (!typed.length) return close();
    for (const entry of entries) entry.words ??= wordsOf([entry.label, entry.id, entry.also].join(" "));
    // Better fits first; equal ones stay in their order.
    found = fittingOf(typed, entries)
      .sort((a, b) => b.how - a.how)
      .map(({ entry }) => entry);
    found.length = Math.min(found.length, 8);
    list.replaceChildren(
      ...found.map((entry, i) => {
        const item = document.createElement("li");
        item.id = `${list.id}-${i}`;
        item.role = "option";
        item.append(Object.assign(document.createElement("span"), { textContent: entry.label }));
        item.append(Object.assign(document.createElement("small"), { textContent: entry.note }));
        item.addEventListener("mousedown", (event) => {
          event.preventDefault();
          choose(i);
        });
        return item;
      }),
    );
    if (!found.length)
      list.append(Object.assign(document.createElement("li"), { className: "quiet", textContent: "Nothing found" }));
    list.hidden = false;
    field.setAttribute("aria-expanded", String(found.length > 0));
    mark(0);
  }

  field.addEventListener("input", (event) => {
    // The typed text is not a value of the form; only a choice is.
    event.stopPropagation();
    show();
  });
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") mark(marked + 1);
    else if (event.key === "ArrowUp") mark(marked - 1);
    else if (event.key === "Escape") close();
    else if (event.key !== "Enter" || !choose()) return;
    event.preventDefault();
  });
}

function prepareSearch(form) {
  const field = form.querySelector("input");
  let reading;
  // Loaded on first use, as a script, because pages opened from a disk may not fetch.
  const read = () =>
    (reading ??= loadScript(`${root}search.js`).then(() =>
      window.searchEntries.map(([label, note, address, also]) => ({ label, note, address, also })),
    ));

  field.addEventListener("focus", read);
  combobox(field, form.querySelector("ul"), read, ({ address }) => (location.href = root + address));
  form.addEventListener("submit", (event) => field.value.trim() && event.preventDefault());
}

document.querySelectorAll("form.find").forEach(prepareSearch);
// A live section fetches nothing until it is opened, by its reader or by an address with choices for it.
document.querySelectorAll("details[data-start]").forEach((section) => {
  const openIfAsked = () => (section.open ||= location.hash.includes("="));
  const sayWhy = () =>
    (section.querySelector("#status").textContent = "A script of this page could not be read: load the page again.");
  section.addEventListener("toggle", () => loadScript(root + section.dataset.start).catch(sayWhy), { once: true });
  window.addEventListener("hashchange", openIfAsked);
  openIfAsked();
});
// "This is me": the reader's own player, kept in this browser alone. Some browsers refuse to keep anything.
const KEY = "this-is-me";
const kept = (() => {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
})();
window.siteOwnPlayer = () => kept?.getItem(KEY) ?? "";

// A button that opens the cells of a row that phones leave out, `wide` by number, in a row below it.
function openerOf(row, headings, wide) {
  const opener = Object.assign(document.createElement("button"), {
    type: "button",
    className: "opener",
    ariaLabel: "More",
    ariaExpanded: "false",
  });
  opener.addEventListener("click", () => {
    const isOpen = opener.ariaExpanded === "true";
    opener.ariaExpanded = String(!isOpen);
    if (isOpen) return row.nextElementSibling.remove();
    const facts = document.createElement("dl");
    for (const i of wide) {
      const fact = document.createElement("div");
      fact.append(document.createElement("dt"), document.createElement("dd"));
      fact.firstChild.textContent = headings[i].textContent;
      fact.lastChild.append(...row.cells[i].cloneNode(true).childNodes);
      facts.append(fact);
    }
    const opened = Object.assign(document.createElement("tr"), { className: "opened" });
    opened.insertCell().append(facts);
    opened.cells[0].colSpan = headings.length;
    row.after(opened);
  });
  return opener;
}

// Called whenever the rows of a table change: adds these buttons, and marks the links to the reader's own player and their rows.
window.prepareTable = (table) => {
  const headings = [...(table.tHead?.rows[0].cells ?? [])];
  const wide = [...headings.keys()].filter((i) => headings[i].classList.contains("w"));
  for (const opened of table.querySelectorAll("tr.opened")) opened.remove();
  const own = `players/${window.siteOwnPlayer()}.html`;
  for (const row of table.tBodies[0].rows) {
    for (const link of row.querySelectorAll("a")) link.classList.toggle("own", link.getAttribute("href").endsWith(own));
    row.classList.toggle("own", row.querySelector("a.own") !== null);
    if (!wide.length || row.cells.length !== headings.length) continue;
    row.querySelector(".opener")?.remove();
    (row.querySelector("th") ?? row.cells[0]).prepend(openerOf(row, headings, wide));
  }
  tighten(table);
};
// Breaks the words of a table that is wider than its place, also after a phone is turned.
function tighten(table) {
  table.classList.remove("tight");
  table.classList.toggle("tight", table.parentElement.scrollWidth > table.parentElement.clientWidth);
}
window.addEventListener("resize", () => document.querySelectorAll("main table").forEach(tighten));
const prepareTables = () => document.querySelectorAll("main table").forEach(window.prepareTable);

document.querySelectorAll("button[data-own]").forEach((button) => {
  const { own } = button.dataset;
  const show = () => {
    button.textContent = window.siteOwnPlayer() === own ? "This is not me" : "This is me";
    prepareTables();
  };
  button.addEventListener("click", () => {
    if (window.siteOwnPlayer() === own) kept.removeItem(KEY);
    else kept.setItem(KEY, own);
    show();
  });
  button.hidden = !kept;
  show();
});
prepareTables();

// The rank at the end of any day: 1, and the number of players whose rating of that day is higher.
document.querySelectorAll("form[data-ranks-of]").forEach((form) => {
  const field = form.querySelector("input");
  const said = form.querySelector("output");
  const show = async () => {
    if (!window.rankPeriods) await loadScript(`${root}rank-periods.js`);
    const day = Number(field.value.replaceAll("-", ""));
    const numberOn = (periods) => periods.findLast(([from]) => from <= day)?.[1] ?? 0;
    const own = numberOn(window.rankPeriods[form.dataset.ranksOf]);
    const ranked = Object.values(window.rankPeriods).map(numberOn).filter(Boolean);
    const rank = ranked.filter((number) => number > own).length + 1;
    said.textContent = !day
      ? ""
      : own
        ? `${rank.toLocaleString("en")} of ${ranked.length.toLocaleString("en")}`
        : "not ranked yet";
  };
  field.addEventListener("input", () =>
    show().catch(() => (said.textContent = "The ranks could not be read: load the page again.")),
  );
  form.addEventListener("submit", (event) => event.preventDefault());
});
// A select list of pages.
document.querySelectorAll("select[data-go]").forEach((list) => {
  list.addEventListener("change", () => (location.href = list.value));
});
// Make wide content scrollable by keyboard.
document.querySelectorAll(".scroll").forEach((place) => {
  if (place.scrollWidth > place.clientWidth) {
    place.tabIndex = 0;
    place.role = "region";
    place.ariaLabel = place.querySelector("caption")?.textContent ?? "Table";
  }
});
