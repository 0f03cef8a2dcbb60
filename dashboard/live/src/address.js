// Keeps the reader's choices in the address, after the #, so that readers can bookmark and share every view.

/** The choices in the address: texts by name. @returns {Record<string, string>} */
export function asked() {
  const found = {};
  for (const part of location.hash.slice(1).split("&")) {
    const [, name, text] = /^(\w+)=(.*)$/s.exec(part) ?? [];
    try {
      if (name) found[name] = decodeURIComponent(text);
    } catch {
      // Not a valid encoding, such as a truncated address.
    }
  }
  return found;
}

/** The address of this page with choices, without empty ones. @param {Record<string, string>} chosen */
export function addressOf(chosen) {
  const parts = Object.entries(chosen)
    .filter(([, text]) => text)
    .map(([name, text]) => `${name}=${encodeURIComponent(text).replaceAll("%2C", ",")}`);
  return new URL(`#${parts.join("&")}`, location.href).href;
}

/** Puts choices into the address, without a new entry in the browser's history. @param {Record<string, string>} chosen */
export function keep(chosen) {
  history.replaceState(null, "", addressOf(chosen));
}

/**
 * Keeps the named fields of a form in the address if they differ from their defaults; a check box is `yes` or `no`.
 * @param {HTMLFormElement} form
 * @param {() => void} onChange called when the reader changes a field or follows a link to another address of this page
 * @returns {{read: () => void, write: () => void}} `read` sets the fields from the address, `write` does the reverse
 */
export function keepFields(form, onChange) {
  const fields = () => [...form.elements].filter(({ name }) => name);

  function read() {
    const found = asked();
    form.reset();
    for (const field of fields()) {
      if (!(field.name in found)) continue;
      if (field.type === "checkbox") field.checked = found[field.name] === "yes";
      else field.value = found[field.name];
      // An option that this publication lacks.
      if (field.selectedIndex < 0) field.selectedIndex = 0;
    }
  }

  function write() {
    const moved = fields().filter((field) => !isDefault(field));
    keep(Object.fromEntries(moved.map((field) => [field.name, textOf(field)])));
  }

  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("input", () => {
    write();
    onChange();
  });
  window.addEventListener("hashchange", () => {
    read();
    onChange();
  });
  read();
  return { read, write };
}

function isDefault(field) {
  if (field.type === "checkbox") return field.checked === field.defaultChecked;
  if (field.options)
    return field.value === ([...field.options].find((option) => option.defaultSelected) ?? field.options[0])?.value;
  return field.value === field.defaultValue;
}

function textOf(field) {
  return field.type === "checkbox" ? (field.checked ? "yes" : "no") : field.value;
}
