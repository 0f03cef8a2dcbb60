// What scripts add to pages that are whole without them: a search over all pages, and lists that can be chosen from.
document.documentElement.classList.add("scripts");

const root = document.documentElement.dataset.root;

// Letters without accents and case, as people type them.
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function loadScript(address) {
  return new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = address;
    script.onload = done;
    script.onerror = failed;
    document.head.append(script);
  });
}

// The search: a list below the field, as the pattern "combobox" of the ARIA practices says.
function prepareSearch(form) {
  const field = form.querySelector("input");
  const list = form.querySelector("ul");
  let reading = null;
  let chosen = -1;

  // Read when it is first wanted, as a script, because pages opened from a disk may not fetch.
  function read() {
    reading ??= loadScript(root + "search.js").then(() =>
      window.searchEntries.map(([label, note, address]) => ({ label, note, address, text: plain(label) })),
    );
    return reading;
  }

  function close() {
    list.hidden = true;
    chosen = -1;
    field.setAttribute("aria-expanded", "false");
    field.removeAttribute("aria-activedescendant");
  }

  function mark(number) {
    const items = [...list.children].filter((item) => item.dataset.address);
    if (!items.length) return;
    chosen = (number + items.length) % items.length;
    items.forEach((item, i) => item.setAttribute("aria-selected", String(i === chosen)));
    field.setAttribute("aria-activedescendant", items[chosen].id);
  }

  async function show() {
    const entries = await read();
    const words = plain(field.value).split(/\s+/).filter(Boolean);
    if (!words.length) return close();
    const found = [];
    for (const entry of entries) {
      if (words.every((word) => entry.text.includes(word))) found.push(entry);
      if (found.length === 8) break;
    }
    list.replaceChildren(
      ...found.map((entry, i) => {
        const item = document.createElement("li");
        item.id = `found-${i}`;
        item.role = "option";
        item.dataset.address = root + entry.address;
        item.append(Object.assign(document.createElement("span"), { textContent: entry.label }));
        item.append(Object.assign(document.createElement("small"), { textContent: entry.note }));
        item.addEventListener("mousedown", () => (location.href = item.dataset.address));
        return item;
      }),
    );
    if (!found.length) list.append(Object.assign(document.createElement("li"), { className: "quiet", textContent: "Nothing found" }));
    list.hidden = false;
    field.setAttribute("aria-expanded", String(found.length > 0));
    mark(0);
  }

  field.addEventListener("input", show);
  field.addEventListener("focus", read);
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") mark(chosen + 1);
    else if (event.key === "ArrowUp") mark(chosen - 1);
    else if (event.key === "Escape") close();
    else return;
    event.preventDefault();
  });
  form.addEventListener("submit", (event) => {
    const item = list.hidden ? null : list.children[chosen];
    if (field.value.trim()) event.preventDefault();
    if (item?.dataset.address) location.href = item.dataset.address;
  });
}

document.querySelectorAll("form.find").forEach(prepareSearch);
// A list of pages to go to.
document.querySelectorAll("select[data-go]").forEach((list) => {
  list.addEventListener("change", () => (location.href = list.value));
});
// What is wider than the screen can be scrolled by keyboard.
document.querySelectorAll(".scroll").forEach((place) => {
  if (place.scrollWidth > place.clientWidth) {
    place.tabIndex = 0;
    place.role = "region";
    place.ariaLabel = place.querySelector("caption")?.textContent ?? "Table";
  }
});
