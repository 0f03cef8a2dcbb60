// Players or tournaments chosen by typing: the list below the field is that of the search of the site.
import { element } from "./page.js";

/** @typedef {{id: string, label: string, note: string}} Entry a label is that of one entry only */

/** Every player of the database, the first of the ranking first. @param {import("./database.js").Database} database */
export function playersOf(database) {
  return entriesOf(database, `
    select
      player_id,
      player_name || if(count(*) over (partition by player_name) > 1, ' (' || player_id || ')', ''),
      concat_ws(', ', nation_code, coalesce('rank ' || international_rank, 'not ranked'))
    from players order by international_rank nulls last, player_id`);
}

/** Every tournament of the database, the last first. @param {import("./database.js").Database} database */
export function tournamentsOf(database) {
  return entriesOf(database, `
    select
      tournament_id,
      name || ', ' || ended_on || if(count(*) over (partition by name, ended_on) > 1, ' (' || tournament_id || ')', ''),
      nation_code
    from tournaments where not is_withdrawn order by ended_on desc, tournament_id`);
}

async function entriesOf(database, sql) {
  await database.ready;
  const { rows } = await database.query(sql);
  return rows.map(([id, label, note]) => ({ id, label, note: note ?? "" }));
}

/**
 * Makes an input of a form a field with suggestions. The input itself is hidden and keeps the chosen ids, joined by commas.
 * One choice is shown in the field; each of several is a button below it, which takes the choice back.
 * @param {HTMLInputElement} input within its label
 * @param {Promise<Entry[]>} entries
 * @param {{most?: number}} [options] how many can be chosen
 * @returns {{show: () => string[], nameOf: (id: string) => string | undefined}} shows the ids of the input and gives them, in
 *   their order and without repetitions; the name of an id, if the entries have it
 */
export function chooser(input, entries, { most = 1 } = {}) {
  const isOne = most === 1;
  const list = element("ul", { id: `${input.name}-found`, role: "listbox", ariaLabel: "Found", hidden: true });
  const field = element("input", {
    id: `${input.name}-field`, type: "text", autocomplete: "off", placeholder: "Type a name", role: "combobox", ariaExpanded: "false", ariaAutoComplete: "list",
  });
  field.setAttribute("aria-controls", list.id);
  const chips = element("span", { className: "chips" });
  const label = input.closest("label");
  label.htmlFor = field.id;
  label.after(element("span", { className: "find choose" }, field, list), chips);
  input.hidden = true;
  let names = null;

  const idsOf = () => [...new Set(input.value.split(",").map((id) => id.trim()).filter(Boolean))];
  const labelOf = (id) => names?.get(id) ?? (names ? `${id} (unknown)` : id);

  function change(ids) {
    input.value = ids.join(",");
    field.value = "";
    show();
    input.dispatchEvent(new Event("input", { bubbles: true }));
  }

  function show() {
    const ids = idsOf();
    if (isOne) {
      field.value = ids.map(labelOf).join(", ");
      return ids;
    }
    field.readOnly = ids.length >= most;
    field.placeholder = field.readOnly ? `At most ${most}` : "Type a name";
    chips.replaceChildren(...ids.map((id) => {
      const onclick = () => {
        change(ids.filter((other) => other !== id));
        field.focus();
      };
      return element("button", { type: "button", ariaLabel: `Remove ${labelOf(id)}`, onclick }, `${labelOf(id)} ×`);
    }));
    return ids;
  }

  async function others() {
    const chosen = idsOf();
    return (await entries).filter(({ id }) => isOne || !chosen.includes(id));
  }

  if (isOne) {
    field.addEventListener("focus", () => field.select());
    // An empty field is no choice; another text than a choice gives way to it.
    field.addEventListener("blur", () => (field.value.trim() || !idsOf().length ? show() : change([])));
  }
  window.combobox(field, list, others, ({ id }) => change(isOne ? [id] : [...idsOf(), id]));
  entries.then((known) => {
    names = new Map(known.map(({ id, label: name }) => [id, name]));
    // Not over a text that is being typed.
    if (!isOne || document.activeElement !== field) show();
  }, () => {});
  return { show, nameOf: (id) => names?.get(id) };
}
