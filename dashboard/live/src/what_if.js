// The effect of the next tournament on a player: a section of the player's page, which starts when it is opened.
import { keepFields } from "./address.js";
import { rowsOf, two } from "./cells.js";
import { chooser, playersOf } from "./choose.js";
import { capital, element, given, lastOf, openDatabase, say } from "./page.js";
import { csvButton, showTable } from "./table.js";

// The limit of `dptr what-if`.
const MOST_PLAYERS = 10_000;
const MOST_ROUNDS = 1000;
const EVENT = "tournament_players => ?, tournament_rounds => ?, championship => cast(? as boolean)";

// Equal ratings are compared as the macro to_nine_decimals does.
const nine = (rating) => `round(${rating} + 1e-10 / 3, 9)`;
// The next one above has the lowest rating of all others who are rated as high or higher.
const PLAYER = `
  select
    player_name, rating, international_rank, active_rank,
    (
      select arg_min(others.player_id, (-others.rank, others.player_id)) from international_ranking as others
      where ${nine("others.rating")} >= ${nine("players.rating")} and others.player_id != players.player_id
    ) as next_above
  from presentation.player_card as players
  where player_id = ?`;
const PLACES = `
  select
    placement, percentile_score, tournament_value, rating_before, rating_change, rating_after, rank_before, rank_after,
    rank_before - rank_after as places_gained
  from marts.what_if(player => ?, ${EVENT})
  order by placement`;
const PASSED = `
  select others.rank, others.player_id, others.first_name, others.last_name, others.rating, places.placement as placement_needed
  from international_ranking as others
  asof join marts.rating_by_placement(player => ?, ${EVENT}) as places on ${nine("others.rating")} < ${nine("places.rating_after")}
  where others.player_id != ? and ${nine("others.rating")} >= ${nine("places.rating_before")}
  order by others.rank, others.player_id`;
const TAKES = `
  select rivals.player_name, takes.rival_placement, takes.rival_rating, takes.placement_needed
  from marts.what_it_takes(player => ?, rival => ?, ${EVENT}) as takes
  inner join players as rivals on rivals.player_id = ?
  order by takes.rival_placement nulls first`;

const { words } = given;
const section = document.getElementById("live");
const { player } = section.dataset;
const limits = `Enter 2 to ${MOST_PLAYERS.toLocaleString("en")} ${words.players} and at most ${MOST_ROUNDS.toLocaleString("en")} rounds.`;

const csv = element("span");
const form = element(
  "form",
  { className: "filters", hidden: true },
  number("field", capital(words.players), { min: 2, max: MOST_PLAYERS, defaultValue: 40, required: true }),
  number("rounds", "Rounds", { min: 1, max: MOST_ROUNDS, placeholder: "several" }),
  element("label", {}, "Rival", element("input", { name: "rival" })),
  element("label", {}, element("input", { type: "checkbox", name: "championship" }), capital(words.championship)),
  element("span", { className: "grow" }),
  csv,
);
const standing = element("p", { className: "lead" });
const places = part(20, "Each place");
const takes = part(8);
const passed = part(8, "Who would be passed");
const answer = element("div", { id: "answer", className: "columns" }, places, element("div", {}, takes, passed));
const status = document.getElementById("status");
status.before(element("p", { id: "newer", className: "newer", role: "status", hidden: true }), standing, form);
status.after(answer);

const fields = form.elements;
const database = openDatabase();
const show = lastOf(showChanges);
let facts;

const started = database.ready.then(async () => {
  [facts] = rowsOf(await database.query(PLAYER, { values: [player] }));
  // The file may belong to a later publication than the page.
  if (!facts) return say("The rankings no longer have this page. Use the search above.", "fault");
  if (!facts.international_rank)
    standing.textContent = `${facts.player_name} is not ranked yet and starts from ${two(facts.rating)}.`;
  else if (!facts.active_rank)
    standing.textContent = `${facts.player_name} is not among the active ${words.players}; ranks here are among all.`;
  keepFields(form, show);
  form.hidden = false;
  return show();
});
// Only the choice of another rival needs names: the first answer does not wait for them.
const rivals = chooser(
  fields.rival,
  started.then(async () => (await playersOf(database)).filter(({ id }) => id !== player)),
);

async function showChanges() {
  rivals.show();
  if (!form.checkValidity()) return say(limits, "fault");
  const event = [
    fields.field.valueAsNumber,
    fields.rounds.value ? fields.rounds.valueAsNumber : null,
    fields.championship.checked,
  ];
  const rival = fields.rival.value === player ? "" : fields.rival.value || facts.next_above;
  const outcomes = await database.query(PLACES, { values: [player, ...event] });
  const others = await database.query(PASSED, { values: [player, ...event, player] });
  csv.replaceChildren(csvButton(outcomes, `what-if-${player}`));
  places.fill(null, null, outcomes, [
    { heading: "Place", kind: "rank", key: "placement" },
    { heading: "Rating", kind: "rating", key: "rating_after" },
    { heading: "Change", kind: "change", key: "rating_change" },
    { heading: "Rank", kind: "count", key: "rank_after" },
    { heading: "", kind: "move", key: "places_gained" },
  ]);
  showPassed(others);
  takes.hidden = true;
  if (rival) showTakes(await database.query(TAKES, { values: [player, rival, ...event, rival] }));
  else takes.fill(`Nobody is ahead of ${facts.player_name}`, "Choose a rival.");
  say(summary(rowsOf(outcomes)));
}

function showPassed(others) {
  passed.fill(
    null,
    others.rows.length
      ? "The worst place that is enough, if the others do not play."
      : "Not even the first place passes anybody.",
    others,
    [
      { heading: "Rank", kind: "rank", key: "rank" },
      { heading: capital(words.player), kind: "person" },
      { heading: "Rating", kind: "fixed", key: "rating" },
      { heading: "Place needed", kind: "needed", key: "placement_needed" },
    ],
  );
}

function showTakes(crossings) {
  const [atHome] = rowsOf(crossings);
  const name = atHome.player_name;
  const needed = atHome.placement_needed;
  const enough = needed
    ? `place ${needed.toLocaleString("en")} or better is enough`
    : "not even the first place is enough";
  takes.fill(
    `To be ahead of ${name}`,
    `If ${name} does not play, ${enough}. If ${name} plays, too:`,
    { ...crossings, rows: crossings.rows.slice(1) },
    [
      { heading: "Rival's place", kind: "count", key: "rival_placement" },
      { heading: "Rival's rating", kind: "fixed", key: "rival_rating" },
      { heading: "Place needed", kind: "needed", key: "placement_needed" },
    ],
  );
}

/** Describes the outcomes in sentences. */
function summary(outcomes) {
  const [first] = outcomes;
  const last = outcomes.at(-1);
  const worth = two(first.tournament_value);
  if (first.tournament_value === 0) return `This ${words.tournament} is worth nothing and changes no rating.`;
  const standingAt = ({ rating_after: rating, rank_after: rank }) =>
    `${two(rating)} and rank ${rank.toLocaleString("en")}`;
  const kept = outcomes.findLast(({ rating_change: change }) => change >= 0);
  const keeps = kept
    ? `place ${kept.placement.toLocaleString("en")} or better keeps ${two(first.rating_before)}`
    : `no place keeps ${two(first.rating_before)}`;
  return (
    `This ${words.tournament} is worth ${worth}: it moves a rating ${worth} % of the way to the percentile score of the place. ` +
    `The first place gives ${standingAt(first)}, the last one ${standingAt(last)}; ${keeps}.`
  );
}

/** Makes a field of the form for a whole number. */
function number(name, label, limitsOf) {
  return element("label", {}, label, element("input", { type: "number", name, ...limitsOf }));
}

/** Makes a part of the answer: a heading, a sentence and a table with pages of `size` rows. */
function part(size, heading = "") {
  const title = element("h3", {}, heading);
  const sentence = element("p", { className: "lead" });
  const place = element("div");
  const made = element("section", { hidden: true }, title, sentence, place);
  made.fill = (newHeading, text, rows, columns) => {
    if (newHeading) title.textContent = newHeading;
    sentence.textContent = text ?? "";
    sentence.hidden = !text;
    made.hidden = false;
    if (rows?.rows.length) showTable(place, rows, title.textContent, columns, size);
    else place.replaceChildren();
  };
  return made;
}
