// Laboratory: rates the whole history under the rules of the form, and compares with the published ranking.
import { keepFields } from "./address.js";
import { rowsOf } from "./cells.js";
import { addNations, chooser, foundIn, tournamentsOf } from "./choose.js";
import { element, lastOf, openDatabase, save, say } from "./page.js";
import { csvOf, showTable } from "./table.js";

// Delay in milliseconds after the reader's last change, before a query runs.
const REST = 120;
const MOVERS = 8;
const NUMBERS = [
  "initial_rating",
  "world_championship_value",
  "one_round_divisor",
  "several_rounds_divisor",
  "base_value",
  "maximum_value",
  "counted_years",
];
const DAYS = ["first_counted_on", "day"];
const ARGUMENTS = `${NUMBERS.map((name) => `${name} => cast(? as double)`).join(", ")},
  ${DAYS.map((name) => `${name} => cast(? as date)`).join(", ")}, excluded_tournaments => string_split(cast(? as varchar), ',')`;

// A player who is ranked on one side only has no rating on the other, so there is no gain or loss.
const RANKING = `
  create or replace temp table laboratory as
  select rank, default_rank, default_rank - rank as places_gained, player_id, player_name, nation_code,
    case when rank is not null then rating end as rating,
    case when default_rank is not null then default_rating end as default_rating,
    case when rank is not null and default_rank is not null then rating - default_rating end as rating_gained,
    tournaments_counted
  from marts.ranking_under(${ARGUMENTS})
  where rank is not null or default_rank is not null`;
const FIGURES = `
  select
    coalesce((select player_name from laboratory where rank = 1 order by player_id limit 1), 'nobody') as leader,
    count(*) filter (where rank != default_rank) as moved,
    count(rating_gained) as ranked_twice,
    max(abs(rating_gained)) as largest,
    count(*) filter (where rank is null) as gone,
    count(*) filter (where default_rank is null) as come
  from laboratory`;
const MOVES = (condition, order) => `
  select player_id, player_name, default_rank, rank, rating, rating_gained
  from laboratory where rating_gained ${condition} order by rating_gained ${order}, player_id limit ${MOVERS}`;
const DEFAULT_SKILL = `
  create or replace temp table default_skill as
  select tournament_id, concordance from marts.skill_under(day => cast(? as date))`;
const VERDICTS = { better: "These rules are better", worse: "These rules are worse" };
// Pairing cancels the effect of a tournament that is easy or hard to predict for both. The interval is a normal approximation,
// which needs about 30 pairs.
const SKILL = `
  with compared as (
    select other.tournament_id, other.ended_on, other.concordance, published.concordance as default_concordance,
      other.concordance - published.concordance as advantage
    from marts.skill_under(${ARGUMENTS}) as other
    inner join default_skill as published on other.tournament_id = published.tournament_id
  ),
  summed as (
    select count(*) as tournaments, avg(concordance order by ended_on, tournament_id) as concordance,
      avg(default_concordance order by ended_on, tournament_id) as default_concordance,
      avg(advantage order by ended_on, tournament_id) as advantage,
      1.96 * stddev_samp(advantage order by ended_on, tournament_id) / sqrt(count(*)) as margin
    from compared
  )
  select tournaments, printf('%.2f %%', 100 * concordance) as share, printf('%.2f %%', 100 * default_concordance) as default_share,
    printf('%+.2f to %+.2f', 100 * (advantage - margin), 100 * (advantage + margin)) as interval,
    case
      when tournaments < 30 then 'too few'
      when advantage - margin > 0 then 'better'
      when advantage + margin < 0 then 'worse'
      else 'no clear difference'
    end as verdict
  from summed`;

const COLUMNS = [
  { heading: "Rank", kind: "rank", key: "rank" },
  { heading: "Published rank", kind: "count", key: "default_rank", isWide: true },
  { heading: "Places", kind: "signed", key: "places_gained", isWide: true },
  { heading: "Name", kind: "name", key: "player_name" },
  { heading: "Nation", kind: "nation", key: "nation_code", isWide: true },
  { heading: "Rating", kind: "rating", key: "rating" },
  { heading: "Published rating", kind: "fixed", key: "default_rating", isWide: true },
  { heading: "Change", kind: "change", key: "rating_gained" },
  { heading: "Counted", kind: "count", key: "tournaments_counted", isWide: true },
];

const at = (id) => document.getElementById(id);
const fieldOf = (slider) => slider.parentElement.querySelector("[type=number]");
const form = at("rules");
const answer = at("answer");
const database = openDatabase();
const without = chooser(form.elements.without, tournamentsOf(database), { most: Infinity });
const show = lastOf(rateAgain);
const nations = addNations(database, form.elements.nation);
let timer;
/** The day of the table `default_skill`; undefined while there is none. */
let skillDay;
let ranking;
/** The rows of the ranking that the reader searches. */
let found;

form.addEventListener("input", ({ target }) => {
  // A slider and its field show the same rule.
  if (target.type === "range") fieldOf(target).value = target.value;
});
const { read, write } = keepFields(form, rate);
// An address may name a nation before the list has it.
nations.then(
  () => {
    read();
    rate();
  },
  () => {},
);
rate();
form.hidden = false;
// The fields above the ranking belong to the form, but only choose rows.
answer.addEventListener("input", () => {
  write();
  showFound();
});
at("csv").addEventListener("click", () => save(new Blob([csvOf(found)], { type: "text/csv" }), "ranking.csv"));

/** The rules that differ from the published ones. */
function moved() {
  const fields = [...NUMBERS, ...DAYS].map((name) => form.elements[name]);
  return Object.fromEntries(
    fields
      .filter(({ value, defaultValue }) => value !== "" && value !== defaultValue)
      .map(({ name, value }) => [name, value]),
  );
}

/** Rates again after a pause in the reader's changes; only the newest rules are shown. */
function rate() {
  for (const slider of form.querySelectorAll("[type=range]")) {
    const field = fieldOf(slider);
    slider.value = field.value === "" ? field.defaultValue : field.value;
  }
  for (const field of form.querySelectorAll("[name]"))
    field.parentElement.classList.toggle("changed", field.name in moved());
  without.show();
  clearTimeout(timer);
  timer = setTimeout(show, REST);
}

async function rateAgain() {
  const address = location.hash;
  const rules = moved();
  const values = [
    ...NUMBERS.map((name) => (name in rules ? Number(rules[name]) : null)),
    ...DAYS.map((name) => rules[name] ?? null),
    form.elements.without.value || null,
  ];
  try {
    await nations;
    say("Rating again …");
    const started = performance.now();
    await database.query(RANKING, { values });
    const gains = await database.query(MOVES("> 0", "desc"));
    const losses = await database.query(MOVES("< 0", "asc"));
    ranking = await database.query("from laboratory order by rank nulls last, default_rank nulls last, player_id");
    showRanking(await one(FIGURES), gains, losses);
    const day = rules.day ?? null;
    if (day !== skillDay) await database.query(DEFAULT_SKILL, { values: [day] });
    skillDay = day;
    showSkill(await one(SKILL, values));
    say(`Rated again in ${((performance.now() - started) / 1000).toFixed(2)} s.`);
    // Tests read which rules the page shows.
    answer.dataset.of = address;
  } catch (error) {
    skillDay = undefined;
    answer.hidden = true;
    throw error;
  }
}

/** The single row of an answer, by column name. */
async function one(sql, values = []) {
  const [row] = rowsOf(await database.query(sql, { values }));
  return row;
}

function showRanking({ leader, moved: others, ranked_twice: ranked, largest, gone, come }, gains, losses) {
  const figure = (name, value, id = "") => element("div", {}, element("dt", {}, name), element("dd", { id }, value));
  at("figures").replaceChildren(
    figure("First", leader),
    figure("Changed ranks", `${others.toLocaleString("en")} of ${ranked.toLocaleString("en")}`),
    figure("Largest change", largest === null ? "–" : largest.toFixed(2)),
    figure("Correctly predicted pairs", at("share")?.textContent ?? "…", "share"),
  );
  at("comings").textContent =
    gone || come
      ? `Ranked only by the published rules: ${gone.toLocaleString("en")}. Ranked only by these: ${come.toLocaleString("en")}. They neither gain nor lose.`
      : "";
  answer.hidden = false;
  for (const [id, moves] of [
    ["gains", gains],
    ["losses", losses],
  ])
    showRows(at(id), moves, `Largest ${id}`, "Nobody.");
  showFound();
}

/** Shows the rows of the ranking that have the searched words and the nation. */
function showFound() {
  found = foundIn(ranking, form.elements.search.value, form.elements.nation.value);
  showRows(
    at("ranking"),
    found,
    "Ranking under these rules",
    ranking.rows.length ? "None found." : "Nobody is ranked under these rules.",
  );
}

function showRows(place, moves, name, empty) {
  if (!moves.rows.length) return place.replaceChildren(element("p", { className: "quiet" }, empty));
  const names = new Set(moves.columns.map((column) => column.name));
  showTable(
    place,
    moves,
    name,
    COLUMNS.filter(({ key }) => names.has(key)),
  );
}

function showSkill({ tournaments, share, default_share: published, interval, verdict }) {
  at("share").textContent = share ?? "–";
  if (share === null) return at("skill").replaceChildren("No finishing order can be compared.");
  const judged =
    verdict === "too few"
      ? "Too few to say which is better."
      : `${VERDICTS[verdict] ?? "No clear difference"} (95 % interval of the difference ${interval} points).`;
  at("skill").textContent =
    `Correctly predicted pairs: ${share} under these rules, ${published} under the published ones, at ${tournaments.toLocaleString("en")} ${form.dataset.tournaments}. ${judged}`;
}
