// Compares players: their ratings over time, their meetings, and their common tournaments.
import { keepFields } from "./address.js";
import { rowsOf } from "./cells.js";
import { showCourses } from "./chart.js";
import { chooser, playersOf } from "./choose.js";
import { capital, given, lastOf, openDatabase, say } from "./page.js";
import { csvButton, showTable } from "./table.js";

// Readers cannot tell more lines apart.
const MOST = 8;
const CHOSEN = "string_split(cast($1 as varchar), ',')";
const STANDINGS = `
  select player_id, player_name, nation_code, nation_name, international_rank, rating, tournaments_played, last_played_on
  from players where list_contains(${CHOSEN}, player_id) order by list_position(${CHOSEN}, player_id)`;
const COUNTED = `
  select
    player_id, player_name, event_number, ended_on, tournament_id, tournament_name, placement, players as tournament_players, rating_before,
    rating_change, rating_after
  from rating_history where list_contains(${CHOSEN}, player_id) and is_counted
  order by list_position(${CHOSEN}, player_id), event_number`;
// Lines begin before the first event and go on after the last, so that a single event is visible, too.
const ENDS = `
  with counted as (${COUNTED}),
  room as (select cast(greatest(120, (max(ended_on) - min(ended_on)) // 20) as integer) as days from counted)
  select player_id, 0 as event_number, min(ended_on) - days as ended_on, arg_min(rating_before, event_number) as rating_after
  from counted cross join room group by player_id, days
  union all by name
  select
    player_id, max(event_number) + 1 as event_number, (select max(ended_on) from counted) + days as ended_on,
    arg_max(rating_after, event_number) as rating_after
  from counted cross join room group by player_id, days`;
// Each player against those that follow in the list.
const MEETINGS = (count) => `
  select player_id, player_name, opponent_id, opponent_name, tournaments, times_ahead, times_behind, times_level, last_met_on
  from (${Array.from(
    { length: count },
    (_, i) => `
    select *, ${i} as number, ${CHOSEN}[${i + 1}] as player_id, list_position(${CHOSEN}, opponent_id) as opponent_number
    from marts.head_to_head(${CHOSEN}[${i + 1}])`,
  ).join(" union all by name ")}
  ) inner join players using (player_id) where opponent_number > number + 1 order by number, opponent_number`;
// One column per player, named by number: an id is not an SQL name.
const COMMON = (count) => `
  select tournament_id, tournaments.tournament_name, ended_on, coalesce(stated_period, cast(ended_on as varchar)) as stated_end, players as tournament_players, min(placement) as best_placement,
    ${Array.from({ length: count }, (_, i) => `max(placement) filter (where player_id = ${CHOSEN}[${i + 1}]) as placement_${i + 1}`).join(", ")}
  from tournament_results inner join tournaments using (tournament_id)
  where list_contains(${CHOSEN}, player_id) and placement is not null and not tournament_results.is_withdrawn
  group by all having count(*) > 1 order by ended_on desc, tournament_id`;

const at = (id) => document.getElementById(id);
const form = at("controls");
const shown = at("answer");
const { words } = given;
const database = openDatabase();
const entries = playersOf(database);
const players = chooser(form.elements.players, entries, { most: MOST });

entries.then(
  () => {
    const show = lastOf(compare);
    keepFields(form, show);
    form.hidden = false;
    return show();
  },
  () => {},
);

async function compare() {
  const asked = players.show();
  const known = asked.filter(players.nameOf);
  const unknown = asked.filter((id) => !known.includes(id));
  const chosen = known.slice(0, MOST);
  const notes = [];
  if (unknown.length) notes.push(`This collection has no ${words.player} “${unknown.join("”, “")}”.`);
  if (known.length > MOST) notes.push(`These are the first ${MOST} of ${known.length} ${words.players}.`);
  shown.hidden = !chosen.length;
  // Tests read which players the page shows.
  delete shown.dataset.of;
  if (!chosen.length) return say([...notes, `Choose ${words.players} to compare.`].join(" "));
  const ask = (sql) => database.query(sql, { values: [chosen.join(",")] });
  const [standings, counted, ends, meetings, common] = await Promise.all(
    [STANDINGS, COUNTED, ENDS, MEETINGS(chosen.length), COMMON(chosen.length)].map(ask),
  );
  showTable(at("standings"), standings, "Standings", [
    { heading: capital(words.player), kind: "name", key: "player_name" },
    { heading: "Nation", kind: "nation", key: "nation_code" },
    { heading: "Rank", kind: "count", key: "international_rank" },
    { heading: "Rating", kind: "rating", key: "rating" },
    { heading: capital(words.tournaments), kind: "count", key: "tournaments_played", isWide: true },
    { heading: "Last played", kind: "day", key: "last_played_on", isWide: true },
  ]);
  await showRatings(chosen, counted, ends);
  showPart("meetings", meetings, [
    { heading: capital(words.player), kind: "name", key: "player_name" },
    { heading: "Opponent", kind: "opponent", key: "opponent_name" },
    { heading: "Met", kind: "count", key: "tournaments" },
    { heading: "Ahead", kind: "count", key: "times_ahead" },
    { heading: "Behind", kind: "count", key: "times_behind" },
    { heading: "Level", kind: "count", key: "times_level", isWide: true },
    { heading: "Last", kind: "day", key: "last_met_on", isWide: true },
  ]);
  showPart("common", common, [
    { heading: capital(words.tournament), kind: "tournament", key: "tournament_name" },
    { heading: "Ended", kind: "day", key: "stated_end", isWide: true },
    { heading: capital(words.players), kind: "count", key: "tournament_players", isWide: true },
    ...chosen.map((id, i) => ({ heading: players.nameOf(id), kind: "placement", key: `placement_${i + 1}` })),
  ]);
  const drawn = new Set(counted.rows.map(([id]) => id));
  const without = chosen.filter((id) => !drawn.has(id)).map(players.nameOf);
  if (without.length) notes.push(`No ${words.tournament} of ${without.join(", ")} counts.`);
  const many = common.rows.length;
  notes.push(
    chosen.length === 1
      ? `Choose another ${words.player} to compare with.`
      : `${chosen.length} ${words.players}, ${many.toLocaleString("en")} common ${many === 1 ? words.tournament : words.tournaments}.`,
  );
  shown.dataset.of = asked.join(",");
  say(notes.join(" "));
}

async function showRatings(chosen, counted, ends) {
  const place = at("ratings");
  place.parentElement.hidden = !counted.rows.length;
  if (!counted.rows.length) return;
  at("ratings-csv").replaceChildren(csvButton(counted, "ratings"));
  const points = [...rowsOf(counted), ...rowsOf(ends)].map((row) => ({
    ...row,
    of: players.nameOf(row.player_id),
    place: `${row.placement} of ${row.tournament_players}`,
    isEvent: row.tournament_id !== undefined,
  }));
  await showCourses(
    place,
    `Rating after each ${words.tournament}`,
    points,
    chosen.map(players.nameOf),
    capital(words.tournament),
  );
}

/** Shows a table in its section; hides the section if there are no rows. */
function showPart(id, answer, columns) {
  const section = at(id).parentElement;
  section.hidden = !answer.rows.length;
  at(`${id}-csv`).replaceChildren(csvButton(answer, id));
  showTable(at(id), answer, section.querySelector("h2").textContent, columns);
}
