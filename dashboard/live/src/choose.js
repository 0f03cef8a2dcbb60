// A field to choose players or tournaments by typing; its list is that of the site's search.
import { element } from "./page.js";

/** @typedef {{id: string, label: string, note: string, also: string}} Entry its label is unique; `also` has further words to find it by */

/** Every player in the database, by rank. @param {import("./database.js").Database} database */
export function playersOf(database) {
  return entriesOf(
    database,
    `
    select
      player_id,
      player_name || if(count(*) over (partition by player_name) > 1, ' (' || player_id || ')', ''),
      concat_ws(', ', nation_code, coalesce('rank ' || international_rank, 'not ranked')),
      nation_code
    from players order by international_rank nulls last, player_id`,
  );
}

/** Every tournament in the database, the latest first. @param {import("./database.js").Database} database */
export function tournamentsOf(database) {
  return entriesOf(
    database,
    `
    select
      tournament_id,
      tournament_name || coalesce(', ' || stated_period, strftime(ended_on, ', %-d %b %Y')) || if(count(*) over (partition by tournament_name, ended_on) > 1, ' (' || tournament_id || ')', ''),
      concat_ws(', ', place, nation_code),
      concat_ws(' ', kind, subtitle, place, nation_code)
    from tournaments where not is_withdrawn order by ended_on desc, tournament_id`,
  );
}

/** Adds the nations of ranked players to a select list. @param {import("./database.js").Database} database @param {HTMLSelectElement} list */
export async function addNations(database, list) {
  await database.ready;
  const { rows } = await database.query(
    "select distinct nation_code, nation_name from national_ranking order by nation_name, nation_code",
  );
  list.append(...rows.map(([value, name]) => element("option", { value }, name)));
}

/**
 * The rows of a ranking with a nation and with words in any text of theirs; misspelled words count if nothing has them as typed.
 * @param {import("./database.js").Answer} ranking @param {string} words @param {string} nation its code; empty for all
 */
export function foundIn(ranking, words, nation) {
  const { wordsOf, fittingOf } = window.siteSearch;
  const at = ranking.columns.findIndex(({ name }) => name === "nation_code");
  const ofNation = ranking.rows.filter((row) => !nation || row[at] === nation);
  const typed = wordsOf(words);
  if (!typed.length) return { ...ranking, rows: ofNation };
  const entries = ofNation.map((row) => ({
    row,
    words: wordsOf(row.filter((_, i) => ranking.columns[i].kind === "text").join(" ")),
  }));
  return { ...ranking, rows: fittingOf(typed, entries).map(({ entry }) => entry.row) };
}

async function entriesOf(database, sql) {
  await database.ready;
  const { rows } = await database.query(sql);
  return rows.map(([id, label, note, also]) => ({ id, label, note, also: also ?? "" }));
}

/**
 * Adds a field with suggestions to an input of a form. The input itself is hidden and holds the chosen ids, joined by commas.
 * A single choice is shown in the field. Each of several is a button below it, which removes the choice.
 * @param {HTMLInputElement} input within its label
 * @param {Promise<Entry[]>} entries
 * @param {{most?: number}} [options] maximum number of choices
 * @returns {{show: () => string[], nameOf: (id: string) => string | undefined}} `show` displays the ids of the input and
 *   returns them, in order and without duplicates; `nameOf` returns the name of an id, if the entries have it
 */
export function chooser(input, entries, { most = 1 } = {}) {
  const isOne = most === 1;
  const list = element("ul", { id: `${input.name}-found`, role: "listbox", ariaLabel: "Found", hidden: true });
  const field = element("input", {
    id: `${input.name}-field`,
    type: "text",
    autocomplete: "off",
    placeholder: "Type a name",
    role: "combobox",
    ariaExpanded: "false",
    ariaAutoComplete: "list",
  });
  field.setAttribute("aria-controls", list.id);
  const chips = element("span", { className: "chips" });
  const label = input.closest("label");
  label.htmlFor = field.id;
  label.after(element("span", { className: "find choose" }, field, list), chips);
  input.hidden = true;
  let names = null;

  const idsOf = () => [
    ...new Set(
      input.value
        .split(",")
        .map((id) => id.trim())
        .filter(Boolean),
    ),
  ];
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
    chips.replaceChildren(
      ...ids.map((id) => {
        const onclick = () => {
          change(ids.filter((other) => other !== id));
          field.focus();
        };
        return element("button", { type: "button", ariaLabel: `Remove ${labelOf(id)}`, onclick }, `${labelOf(id)} ×`);
      }),
    );
    return ids;
  }

  // Chosen ones, too: without them, their names would find somebody else.
  async function others() {
    const chosen = isOne ? [] : idsOf();
    return (await entries).map((entry) => (chosen.includes(entry.id) ? { ...entry, note: "chosen already" } : entry));
  }

  if (isOne) {
    field.addEventListener("focus", () => field.select());
    // An empty field clears the choice; other text is replaced by the current choice.
    field.addEventListener("blur", () => (field.value.trim() || !idsOf().length ? show() : change([])));
  }
  window.combobox(field, list, others, ({ id }) => change(isOne ? [id] : [...idsOf(), id]));
  entries.then(
    (known) => {
      names = new Map(known.map(({ id, label: name }) => [id, name]));
      // Do not overwrite text that the reader is typing.
      if (!isOne || document.activeElement !== field) show();
    },
    () => {},
  );
  return { show, nameOf: (id) => names?.get(id) };
}
