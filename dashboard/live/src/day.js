// The ranking of any day, and the moves since another day.
import { keepFields } from "./address.js";
import { dayOf } from "./cells.js";
import { addNations, foundIn } from "./choose.js";
import { capital, element, given, lastOf, openDatabase, say } from "./page.js";
import { csvButton, showTable } from "./table.js";

const DAYS = "select min(valid_from), max(valid_from) from rating_periods where is_ranked";
const ASKED = `
  with asked as (select cast(? as date) as day)
  select
    day,
    coalesce(try_cast(? as date), cast(day - interval 1 year as date)) as since,
    (select arg_max(tournament_name, (ended_on, tournament_id)) from included_tournaments where is_counted and ended_on <= day) as last_name
  from asked`;
const RANKING = `
  select
    if(cast(? as boolean), active_rank, rank) as rank, places_gained, player_id, first_name, last_name, nation_code, nation_name, national_rank,
    rating, rating_gained, tournaments_counted, last_played_on
  from marts.ranking_between(day => ?, since => ?)
  where not cast(? as boolean) or is_active
  order by 1, player_id`;

const form = document.getElementById("controls");
const fields = form.elements;
const place = document.getElementById("answer");
const csv = document.getElementById("csv");
const { words } = given;
const database = openDatabase();

database.ready.then(
  async () => {
    const [[first, last]] = (await database.query(DAYS)).rows;
    if (!last) return say(`Nobody is ranked yet: no ${words.tournament} counts.`);
    fields.day.min = first;
    fields.day.defaultValue = last;
    await addNations(database, fields.nation);
    const show = lastOf(showRanking);
    keepFields(form, show);
    form.hidden = false;
    return show();
  },
  () => {},
);

async function showRanking() {
  const { day, since, nation, search, active } = fields;
  if (!day.value) return askFor("Choose a day.");
  // Unless the reader chose a day to compare with, it follows the day of the ranking.
  const chosen = since.value === since.defaultValue ? null : since.value;
  const [[on, from, lastName]] = (await database.query(ASKED, { values: [day.value, chosen] })).rows;
  if (from > on) return askFor(`Choose an earlier day than ${dayOf(on)} to compare with.`);
  if (!chosen) since.defaultValue = from;
  const ranking = await database.query(RANKING, { values: [active.checked, on, from, active.checked] });
  const answer = foundIn(ranking, search.value, nation.value);
  const count = ranking.rows.length;
  const found = answer.rows.length === count ? "" : `${answer.rows.length.toLocaleString("en")} of `;
  say(
    lastName
      ? `${found}${count.toLocaleString("en")} ${count === 1 ? words.player : words.players} at the end of ${dayOf(on)}, after ${lastName}; moves since ${dayOf(from)}.`
      : `Nobody was ranked at the end of ${dayOf(on)}: no ${words.tournament} had counted yet.`,
  );
  csv.replaceChildren(csvButton(answer, `ranking-${on}`));
  if (!answer.rows.length)
    return place.replaceChildren(element("p", { className: "quiet" }, count ? "None found." : ""));
  showTable(place, answer, "Ranking", [
    { heading: "Rank", kind: "rank", key: "rank" },
    // The moves are those of the whole ranking.
    ...(active.checked ? [] : [{ heading: "", kind: "move", key: "places_gained" }]),
    { heading: capital(words.player), kind: "person" },
    { heading: "Nation", kind: "nation", key: "nation_code", isWide: Boolean(nation.value) },
    { heading: "In the nation", kind: "count", key: "national_rank", isWide: !nation.value },
    { heading: "Rating", kind: "rating", key: "rating" },
    { heading: "Change", kind: "change", key: "rating_gained", isWide: true },
    { heading: capital(words.tournaments), kind: "count", key: "tournaments_counted", isWide: true },
    { heading: "Last played", kind: "day", key: "last_played_on", isWide: true },
  ]);
}

/** Says what to choose, instead of an answer to the last choice. */
function askFor(what) {
  place.replaceChildren();
  csv.replaceChildren();
  return say(what);
}
