// Additions to pages that also work without scripts: a search over all pages, and select lists.
document.documentElement.classList.add("scripts");

const root = document.documentElement.dataset.root;

// Letters without accents and case.
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

// The likeness of two words, from 0 to 1: the share of common pairs of letters (Dice's coefficient). Longer groups of
// letters would rarely match after a swap of two letters.
const pairs = (word) => Array.from({ length: word.length + 1 }, (_, i) => `^${word}$`.slice(i, i + 2));
function alike(one, other) {
  const known = pairs(other);
  return (2 * pairs(one).filter((pair) => known.includes(pair)).length) / (one.length + other.length + 2);
}
// The likeness of a text to the typed words: that of the least alike word; 0 for no match.
function likeness(typed, text) {
  const words = text.split(/[^\p{L}\p{N}]+/u);
  const least = Math.min(...typed.map((word) => Math.max(...words.map((other) => alike(word, other)))));
  return least > 0.45 ? least : 0;
}
window.siteSearch = { wordsOf: (text) => plain(text).split(/\s+/).filter(Boolean), likeness: (typed, text) => likeness(typed, plain(text)) };

function loadScript(address) {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
}

// A list below a field, following the ARIA pattern "combobox". `read` returns a promise of entries with `label` and `note`;
// `onChoose` is called with the chosen one. Live pages use it, too.
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
    const words = window.siteSearch.wordsOf(field.value);
    if (!words.length) return close();
    for (const entry of entries) entry.text ??= plain(entry.label);
    found = entries.filter((entry) => words.every((word) => entry.text.includes(word)));
    if (!found.length) {
      const near = entries.map((entry) => ({ entry, how: likeness(words, entry.text) })).filter(({ how }) => how);
      found = near.sort((a, b) => b.how - a.how).map(({ entry }) => entry);
    }
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
    if (!found.length) list.append(Object.assign(document.createElement("li"), { className: "quiet", textContent: "Nothing found" }));
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
  let reading = null;

  // Loaded on first use, as a script, because pages opened from a disk may not fetch.
  function read() {
    reading ??= loadScript(`${root}search.js`).then(() => window.searchEntries.map(([label, note, address]) => ({ label, note, address })));
    return reading;
  }

  field.addEventListener("focus", read);
  combobox(field, form.querySelector("ul"), read, ({ address }) => (location.href = root + address));
  form.addEventListener("submit", (event) => field.value.trim() && event.preventDefault());
}

document.querySelectorAll("form.find").forEach(prepareSearch);
// A live section fetches nothing until it is opened, by its reader or by an address with choices for it.
document.querySelectorAll("details[data-start]").forEach((section) => {
  const openIfAsked = () => (section.open ||= location.hash.includes("="));
  const sayWhy = () => (section.querySelector("#status").textContent = "A script of this page could not be read: load the page again.");
  section.addEventListener("toggle", () => loadScript(root + section.dataset.start).catch(sayWhy), { once: true });
  window.addEventListener("hashchange", openIfAsked);
  openIfAsked();
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
