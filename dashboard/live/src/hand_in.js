// Hand in a result: who played, what every rating would become, and a file that the importer takes without a question.
import { rowsOf, two } from "./cells.js";
import { element, given, lastOf, openDatabase, save, say } from "./page.js";
import { faultsOfPlaces, idOf, readStandings } from "./standings.js";
import { csvOf } from "./table.js";

const LIST = "string_split(cast(? as varchar), ',')";
const KINDS =
  "select kind, kind_name, is_world_championship from tournament_kinds order by not is_world_championship, kind_name";
// After a decision, a listed id belongs to a person with another one.
const IDS =
  "select player_id from players union select listed_player_id from tournament_results union select listed_player_id from player_aliases";
const FOUND = `
  select asked.text, found.* from (select unnest(${LIST}) as text) as asked, lateral (from marts.find_player(asked.text)) as found`;
// The places in a known tournament that stay, because the standings lack their people.
const KEPT = `select placement from tournament_results where tournament_id = ? and not is_withdrawn and not list_contains(${LIST}, player_id)`;
const RATINGS = `
  select
    player_id, ratings.tournament_value, ratings.rating as rating_after,
    coalesce(players.rating, (select initial_rating from rating_systems where is_default)) as rating_before
  from marts.ratings_with(map(${LIST}, cast(${LIST} as integer[])), tournament => ?, tournament_players => ?, tournament_rounds => ?,
    championship => cast(? as boolean), first_day => ?, last_day => ?) as ratings
  left join players using (player_id)`;
const LIKE = `
  select
    tournament_id, tournaments.tournament_name, ended_on, count(*) filter (where list_contains(${LIST}, player_id)) as people_in_both,
    tournament_id in (select tournament_id from corrections) as is_decided
  from tournaments inner join tournament_results using (tournament_id) where not tournaments.is_withdrawn
    and started_on <= cast(? as date) + 7 and ended_on >= cast(? as date) - 7 group by all order by people_in_both desc, tournament_id`;
// Matches that leave no doubt who is meant, unless the nations differ.
const SURE = ["id", "name", "listed id"];
// Choices beside the ids of people and tournaments, which have neither sign.
const [NEW, NOBODY] = ["+", "*"];

const { words } = given;
const form = document.getElementById("controls");
const fields = form.elements;
const [answer, body, mistakes, output, explanation, download, send, preview] = [
  "answer",
  "people",
  "faults",
  "output",
  "explanation",
  "download",
  "send",
  "preview",
].map((id) => document.getElementById(id));
const vocabulary = JSON.parse(document.getElementById("vocabulary").textContent);
const database = openDatabase();
const show = lastOf(handIn);
const [people, choices] = [new Map(), new Map()];
let known;
let read = { text: "", rows: [], faults: [] };
let refusal = "";

database.ready.then(
  async () => {
    const ask = async (sql) => (await database.query(sql)).rows;
    known = {
      kinds: await ask(KINDS),
      people: new Set((await ask(IDS)).flat()),
      tournaments: new Set((await ask("select tournament_id from tournaments")).flat()),
    };
    known.nations = new Map(
      (await ask("select nation_code, nation_name from nations")).flatMap(([code, name]) => [
        [code, code],
        [name.toUpperCase(), code],
      ]),
    );
    fields.kind.append(...known.kinds.map(([kind, name]) => element("option", { value: kind }, `${name} (${kind})`)));
    form.addEventListener("submit", (event) => event.preventDefault());
    for (const place of [form, answer])
      place.addEventListener("input", ({ target }) => target !== fields.file && show());
    fields.file.addEventListener("change", () => readFile(fields.file.files[0]));
    // The same file may have changed.
    fields.file.addEventListener("click", () => (fields.file.value = ""));
    // Without these, a dropped file would replace the page.
    form.addEventListener("dragover", (event) => event.preventDefault());
    form.addEventListener("drop", (event) => {
      if (!event.dataTransfer.files.length) return;
      event.preventDefault();
      readFile(event.dataTransfer.files[0]);
    });
    form.hidden = false;
    return show();
  },
  () => {},
);

async function readFile(file) {
  const text = (await file?.text()) ?? "";
  refusal = /[\0\ufffd]/.test(text)
    ? `“${file.name}” is no text in UTF-8. Copy the cells of a workbook, and paste them instead.`
    : "";
  fields.standings.value = refusal ? "" : text;
  show();
}

async function handIn() {
  const text = fields.standings.value;
  // A reader may change every field during a query: read it once, and show no file of earlier choices.
  output.hidden = true;
  if (text !== read.text) {
    say("Looking people up …");
    read = { text, ...readStandings(text, vocabulary) };
    await lookUp(read.rows);
    body.replaceChildren(...read.rows.map(rowOf));
  }
  answer.hidden = !text.trim();
  if (answer.hidden)
    return say(
      refusal ||
        `State the facts and paste the standings: then this page shows the ${words.players} and their ratings.`,
      refusal && "fault",
    );
  const event = eventOf();
  const rows = read.rows.filter(({ who }) => who.value !== NOBODY);
  const listed = rows.filter(({ who }) => who.value);
  const open = rows.length - listed.length;
  // A line that is left out may have any fault.
  const isOut = ({ line }) => read.rows.some((row) => row.line === line && row.who.value === NOBODY);
  const faults = [...faultsOfFacts(), ...read.faults.filter((fault) => !isOut(fault)), ...identify(listed)];
  if (fields.players.checkValidity()) faults.push(...faultsOfPlaces(rows, event.players));
  const near = faults.length ? [] : await tournamentsLike(event, listed);
  const choice = fields.same.value;
  const same = near.find(({ tournament_id: id }) => id === choice);
  if (same?.is_decided)
    faults.push({
      text: `The keeper corrected this known ${words.tournament}, and the corrections stay: send the standings as they are.`,
    });
  else if (same) {
    const kept = (
      await database.query(KEPT, { values: [same.tournament_id, listed.map(({ id }) => id).join()] })
    ).rows.map(([place]) => ({ place }));
    if (faultsOfPlaces([...listed, ...kept], event.players).length)
      faults.push({
        text: `The known ${words.tournament} has others at these places, or more ${words.players}: list them, too.`,
      });
  }
  mistakes.replaceChildren(
    ...faults.map(({ line, text: wrong }) => element("li", {}, line ? `Line ${line} ${wrong}.` : wrong)),
  );
  event.id = same?.tournament_id ?? freeId(event.nameId, known.tournaments);
  const placed = faults.length ? [] : listed.filter(({ place }) => place);
  const isChampionship = known.kinds.some(([kind, , is]) => kind === event.kind && is);
  const values = [
    placed.map(({ id }) => id).join(),
    placed.map(({ place }) => place).join(),
    event.id,
    event.players,
    event.rounds,
    isChampionship,
    ...event.days,
  ];
  const ratings = placed.length ? rowsOf(await database.query(RATINGS, { values })) : [];
  showRatings(ratings);
  const toDo = [
    faults.length && "mend what is listed below",
    open && `say who ${open === 1 ? "one of them is" : `${open} of them are`}`,
    near.length && !choice && `say whether this is a known ${words.tournament}`,
  ].filter(Boolean);
  const value = ratings.find(({ tournament_value: worth }) => worth !== null)?.tournament_value;
  const others = ratings.filter(
    (one) => one.rating_before !== one.rating_after && !listed.some(({ id }) => id === one.player_id),
  ).length;
  say(
    [
      placed.length &&
        (value
          ? `This ${words.tournament} is worth ${two(value)}.`
          : `This ${words.tournament} is worth nothing, and changes no rating.`),
      others && `Other ratings that change: ${others}.`,
      toDo.length ? `To do: ${toDo.join("; ")}.` : "Nothing is open: the file is below.",
    ]
      .filter(Boolean)
      .join(" "),
    faults.length ? "fault" : "",
  );
  if (!toDo.length) showFile(event, listed, same ? " --replace" : near.length ? " --another-event" : "");
}

/** The facts in the form. */
function eventOf() {
  const { first, last } = fields;
  // The days of this place: the importer asks about those in the future.
  const today = Date.now() - new Date().getTimezoneOffset() * 60_000;
  const latest = (first.valueAsNumber || today) + vocabulary.days * 86_400_000;
  [first.max, last.max] = [today, Math.min(today, latest)].map((moment) => new Date(moment).toISOString().slice(0, 10));
  last.min = first.value;
  const [name, place] = [fields.name, fields.place].map(({ value }) => value.trim().replace(/\s+/g, " "));
  const days = [first.value, last.value || first.value];
  const [id, year] = [idOf(name), days[1].slice(0, 4)];
  const nameId = id.split("-").includes(year) ? id : [id, year].filter(Boolean).join("-");
  return {
    name,
    place,
    days,
    nameId,
    players: fields.players.valueAsNumber,
    rounds: fields.rounds.valueAsNumber,
    kind: fields.kind.value,
  };
}

function faultsOfFacts() {
  return [...fields]
    .filter((field) => !field.checkValidity())
    .map((field) => ({
      text: `${field.labels[0].firstChild.textContent.trim()}: ${field.validationMessage} ${field.validity.patternMismatch ? field.title : ""}`,
    }));
}

/** Finds whom each name may mean, by the whole name and by the last name. */
async function lookUp(rows) {
  const textsOf = ({ firstName, lastName }) => [idOf(`${firstName} ${lastName}`), idOf(lastName)];
  const unknown = [...new Set(rows.flatMap(textsOf))].filter((text) => text && !people.has(text));
  for (const text of unknown) people.set(text, []);
  if (unknown.length)
    for (const found of rowsOf(await database.query(FOUND, { values: [unknown.join()] })))
      people.get(found.text).push(found);
  for (const row of rows) {
    const [found, namesakes] = textsOf(row).map((text) => people.get(text) ?? []);
    const likely = [...found, ...namesakes.filter(({ matched_by: how }) => how === "words" || SURE.includes(how))];
    const sure = found.filter(({ matched_by: how }) => SURE.includes(how));
    row.nation = known.nations.get(row.cells.nation_code?.toUpperCase()) ?? "";
    row.likely = new Map(likely.map((one) => [one.player_id, one]));
    const isOfAnother = row.cells.nation_code && sure[0]?.nation_code && sure[0].nation_code !== row.nation;
    // A single word may be a total, or nobody.
    row.guess = sure.length === 1 && !isOfAnother ? sure[0].player_id : likely.length || !row.firstName ? "" : NEW;
  }
}

/** A row of the table, with the choice who it is; choices stay when the standings change. */
function rowOf(row, i, rows) {
  const nation =
    row.cells.nation_code && !row.nation
      ? element(
          "small",
          {},
          `${row.cells.nation_code} is no code or English name that this page knows, so it is not in the file`,
        )
      : "";
  const key = `${row.name} ${rows.slice(0, i).filter(({ name }) => name === row.name).length}`;
  const labelOf = (one) =>
    [one.player_name, one.nation_code, one.international_rank && `rank ${one.international_rank}`]
      .filter(Boolean)
      .join(", ");
  const options = [
    ["", "Choose …"],
    ...[...row.likely].map(([id, one]) => [id, labelOf(one)]),
    [NEW, "somebody new"],
    [NOBODY, "nobody: leave it out"],
  ];
  row.who = element(
    "select",
    { ariaLabel: `Who is ${row.name}?`, onchange: () => choices.set(key, row.who.value) },
    ...options.map(([value, label]) => element("option", { value }, label)),
  );
  row.who.value =
    row.likely.has(choices.get(key)) || [NEW, NOBODY].includes(choices.get(key)) ? choices.get(key) : row.guess;
  row.figures = ["n w", "n rating", "n"].map((className) => element("td", { className }));
  row.shown = element(
    "tr",
    {},
    element("td", { className: "n rank" }, row.place ? row.place.toLocaleString("en") : "–"),
    element(
      "th",
      { scope: "row" },
      element("span", { className: "who" }, element("span", {}, row.name, nation), row.who),
    ),
    ...row.figures,
  );
  return row.shown;
}

/** Gives every listed row the id of its person, and returns the faults of those who are listed twice. */
function identify(listed) {
  const [lines, faults] = [new Map(), []];
  // Known people first: no new one may get their id.
  for (const row of listed.toSorted((one, other) => (one.who.value === NEW) - (other.who.value === NEW))) {
    row.id =
      row.who.value === NEW ? freeId(idOf(`${row.firstName} ${row.lastName}`), known.people, lines) : row.who.value;
    if (lines.has(row.id))
      faults.push({ line: row.line, text: `is the person of line ${lines.get(row.id)}, too: choose another one` });
    lines.set(row.id, row.line);
  }
  return faults;
}

function freeId(base, taken, alsoTaken = new Map()) {
  for (let number = 1; ; number += 1) {
    const id = number === 1 ? base : `${base}-${number}`;
    if (!taken.has(id) && !alsoTaken.has(id) && !new RegExp(`^(?:${vocabulary.reserved})$`).test(id)) return id;
  }
}

/** The known tournaments of this week and name, or with some of these people: more than the importer asks about. */
async function tournamentsLike({ days, nameId }, listed) {
  const near = rowsOf(
    await database.query(LIKE, { values: [listed.map(({ id }) => id).join(","), ...days.toReversed()] }),
  ).filter((one) => one.people_in_both || one.tournament_id.replace(/-\d{1,2}$/, "") === nameId);
  const labels = near.map((one) => [
    one.tournament_id,
    `Yes: ${one.tournament_name}, ${one.ended_on}, with ${one.people_in_both} of these people`,
  ]);
  const chosen = fields.same.value;
  fields.same.replaceChildren(
    ...[["", "Choose …"], ...labels, [NEW, `No, another ${words.tournament}`]].map(([value, label]) =>
      element("option", { value }, label),
    ),
  );
  fields.same.value = near.length && [NEW, ...labels.map(([id]) => id)].includes(chosen) ? chosen : "";
  fields.same.closest("label").hidden = !near.length;
  return near;
}

/** Shows the ratings beside the people; every digit of the new one is its title. */
function showRatings(ratings) {
  const ratingOf = new Map(ratings.map((rating) => [rating.player_id, rating]));
  for (const row of read.rows) {
    const rating = row.who.value && row.who.value !== NOBODY ? ratingOf.get(row.id) : undefined;
    const { rating_before: before, rating_after: after } = rating ?? {};
    const texts = rating
      ? [two(before), two(after), `${after > before ? "+" : ""}${two(after - before)}`]
      : ["–", "–", "–"];
    for (const [i, cell] of row.figures.entries()) cell.textContent = texts[i];
    row.figures[1].title = after ?? "";
    row.figures[2].className = `n ${after > before ? "up" : after < before ? "down" : "quiet"}`;
    row.shown.classList.toggle("open", !row.who.value);
  }
}

function showFile(event, listed, option) {
  const name = `${event.id}.csv`;
  const command = `dptr import ${name}${option}`;
  explanation.textContent = `Download the file of this ${words.tournament}, and send it to the keeper, who imports it with “${command}”.`;
  preview.textContent = fileOf(event, listed);
  output.hidden = false;
  download.onclick = () => save(new Blob([preview.textContent], { type: "text/csv" }), name);
  const letter = `${event.name}, ${event.days.join(" - ")}\r\nThe file ${name} is attached.\r\nImport: ${command}`;
  const { contact, page } = form.dataset;
  const title = `Result: ${event.name}`;
  const facts = contact.startsWith("https:")
    ? { title, page, tournament: event.id, stated: letter }
    : { subject: title, body: letter };
  send.href = `${contact || "mailto:"}${contact.includes("?") ? "&" : "?"}${Object.entries(facts)
    .map((fact) => fact.map(encodeURIComponent).join("="))
    .join("&")}`;
}

/** The importer's own format: a fact on each line, then the table. */
function fileOf({ name, days, place, players, rounds, kind, id }, listed) {
  const facts = Object.entries({
    date: [...new Set(days)].join(" - "),
    place,
    players,
    rounds,
    kind,
    tournament_id: id,
  });
  const parts = listed.some(({ cells }) => cells.last_name !== undefined) ? ["first_name", "last_name"] : ["name"];
  const columns = ["placement", ...parts, "nation_code", "player_id", "game_score"].map((column) => ({ name: column }));
  const rows = listed.map((row) => ({
    ...row.cells,
    placement: String(row.place ?? "-"),
    nation_code: row.nation,
    player_id: row.id,
  }));
  const above = facts.filter(([, value]) => value !== "").map((fact) => [fact.join(": ")]);
  return (
    csvOf({ columns: [{ name: `name: ${name}` }], rows: [...above, [""]] }) +
    csvOf({ columns, rows: rows.map((row) => columns.map((column) => row[column.name] ?? "")) })
  );
}
