#!/usr/bin/env python3
"""Recompute every rating of a published file from its seeds, and print what differs.

It needs only duckdb, and uses no code of the project. FACTS chooses among the statements of documents and decisions;
`percentile_score`, `tournament_value` and `rate` are the rules, with 50 digits; EXPECTED has the rows of published
tables. Names and nations are not verified: no rating depends on them.
"""

import argparse
import csv
import glob
from decimal import Decimal, getcontext
from pathlib import Path
from typing import Any

import duckdb

getcontext().prec = 50
SEEDS = [f"documents/raw_{name}" for name in ("documents", "tournaments", "results", "published_rankings")]
SEEDS += [
    f"reference/ref_{name}"
    for name in ("player_aliases", "corrections", "tournament_kinds", "rating_systems", "settings")
]
FACTS = """
-- Follow every decision "the listed id is this person" to the end of its chain.
create or replace temp table aliases as
with recursive chains as (
    select listed_player_id as listed, tournament_id, player_id as person, 1 as length from ref_player_aliases
    union all
    select listed, chains.tournament_id, further.player_id, length + 1
    from chains inner join ref_player_aliases as further
        on person = further.listed_player_id and further.tournament_id is null
    where if(length > 17, error('aliases of ' || listed || ' in a circle'), true)
)
select listed, tournament_id, arg_max(person, length) as person from chains group by listed, tournament_id;

-- Tables go before players' pages, then what replaces, the better source, the first import (the last that replaces).
create or replace temp table documents as
select document_id, about, coalesce(map {'wdd': 1, 'wdr': 3}[left(source_form, 3)], 2) as source,
    row_number() over (order by about = 'player', replaces != 'true', source,
        if(replaces = 'true', -1, 1) * cast(import_number as integer), document_id) as position
from raw_documents;

-- The last statement of all: a World Championship, or a single round, if only that has the printed value.
create or replace temp table proofs as
select document_id, tournament_id, any_value(fact) as fact, any_value(meant) as value
from raw_tournaments as stated
inner join ref_rating_systems as rules on coalesce(reproduced_ranking, opening_ranking) is not null
    and rating_system_id = coalesce((select value from ref_settings where setting = 'rating_system'), 'dptr')
cross join (
    select 'kind' as fact, min(kind) as meant from ref_tournament_kinds where is_world_championship = 'true'
    union all values ('rounds', '1'), ('rounds', '2')
) as possible
where (fact = 'kind' or rounds is null or (rounds = '1') = (meant = '1')) and (
    abs(coefficient_1::double - case
        when fact = 'kind' then world_championship_value::double when stated.ended_on < first_counted_on then 0
        else least(maximum_value::double, base_value::double
            + players::double / if(meant = '1', one_round_divisor, several_rounds_divisor)::double)
    end) <= 0.005 + 1e-9
    or (players is null and fact = 'rounds' and coefficient_1::double <= maximum_value::double)
)
group by document_id, tournament_id having count(*) = 1;

-- The lesser source adds nobody at the placement of somebody of the better one whom it lacks.
create or replace temp table doubtful as
with listed as (from raw_results inner join documents using (document_id) where about = 'tournament')
select own.document_id, tournament_id, own.player_id
from listed as own inner join listed as better using (tournament_id, placement)
where own.source = 3 and better.source = 1
    and (tournament_id, own.player_id) not in (select (tournament_id, player_id) from listed where source = 1)
    and (own.document_id, tournament_id, better.player_id) not in (select (document_id, tournament_id, player_id) from listed);

create or replace temp table stated as
select document_id, tournament_id, '' as player_id, fact, value, 1e9 as later from proofs where value != '2'
union all
select document_id, tournament_id, '', fact, value, 0
from (unpivot raw_tournaments on started_on, ended_on, players, rounds, kind into name fact value value)
union all
select document_id, tournament_id, player_id, 'placement', placement, 0
from raw_results anti join doubtful using (document_id, tournament_id, player_id);

-- The last correction holds, unless it restores the documents' statement, else the first statement of the fact.
create or replace temp table facts as
with tables as (from raw_tournaments inner join documents using (document_id) where about = 'tournament'),
ordered as (
    select tournament_id, player_id, fact, value, later + position as position
    from stated inner join documents using (document_id)
    -- A table without a kind is not of the kind of a player's page.
    where fact != 'kind' or about = 'tournament' or tournament_id not in (select tournament_id from tables)
    union all
    select tournament_id, coalesce(player_id, ''), field, value, 0 from ref_corrections
    qualify row_number() over (partition by tournament_id, player_id, field order by cast(correction_number as integer) desc) = 1
)
select tournament_id, player_id, map(list(fact), list(value)) as known
from (select tournament_id, player_id, fact, arg_min(value, position) as value from ordered group by all) group by all;

create or replace temp table tournaments as
select tournament_id, coalesce(known['withdrawn'] = 'true', false) as is_withdrawn,
    coalesce(cast(kinds.is_world_championship as boolean), false) as is_world_championship,
    cast(known['started_on'] as date) as started_on, cast(known['ended_on'] as date) as ended_on,
    cast(known['players'] as integer) as players, cast(known['rounds'] as integer) as rounds
from facts left join ref_tournament_kinds as kinds on upper(known['kind']) = upper(kinds.kind) where player_id = '';

create or replace temp table results as
select
    tournament_id, started_on, ended_on, players, facts.player_id as listed_player_id,
    -- An alias for one tournament overrides one for all.
    coalesce(there.person, everywhere.person, facts.player_id) as player_id,
    cast(nullif(known['placement'], 'none') as integer) as placement,
    coalesce(known['withdrawn'] = 'true', false) or is_withdrawn as is_withdrawn,
    (players + 0.5 - placement) / players * 100 as percentile_score
from facts inner join tournaments using (tournament_id)
left join aliases as there on facts.player_id = there.listed and facts.tournament_id = there.tournament_id
left join aliases as everywhere on facts.player_id = everywhere.listed and everywhere.tournament_id is null
where facts.player_id != '';

-- The results that move ratings, career after career.
create or replace temp table events as
select
    row_number() over (order by player_id, ended_on, started_on, tournament_id) as position,
    player_id, tournament_id, ended_on, placement, players, percentile_score
from results where not is_withdrawn and placement > 0 and players > 0;

create or replace temp table rating_systems as
select
    * replace (coalesce(cast(opened_on as date), '0001-01-01') as opened_on),
    greatest('0001-01-01', cast(first_counted_on as date), cast(
        (select max(ended_on) from tournaments where not is_withdrawn) - to_years(cast(counted_years as integer)) as date
    )) as counted_from
from ref_rating_systems;

-- The ratings in the published ranking that a system continues; earlier tournaments do not count.
create or replace temp table openings as
select rating_system_id, opened_on, coalesce(person, published.player_id) as player_id, arg_min(published_rating, position) as published_rating
from rating_systems
inner join raw_published_rankings as published on opening_ranking = ranking_name and opened_on = cast(last_update as date)
inner join documents using (document_id) left join aliases on published.player_id = listed and tournament_id is null
group by all;

create or replace temp table tournament_values (rating_system_id varchar, tournament_id varchar, tournament_value double);
create or replace temp table ratings (rating_system_id varchar, position bigint, rating_before double, rating_after double);
"""

RANKS = """
-- The bound allows careers of 10,000 tournaments: see docs/methodology.md.
create or replace temp macro near(own, must) as
    own is not distinct from must
    or typeof(own) = 'DOUBLE' and abs(try_cast(own as double) - try_cast(must as double)) <= 1e-9;

create or replace temp table history as
select * exclude (position), rating_after - rating_before as rating_change,
    row_number() over (partition by rating_system_id, player_id order by position) as event_number
from events inner join ratings using (position) inner join tournament_values using (rating_system_id, tournament_id);

-- How long each rating holds; the rating of a published ranking that a system continues is event number 0.
create or replace temp table held as
select *, lead(held_from) over career as held_to,
    count(*) filter (tournament_value > 0) over career as tournaments_counted
from (
    select *, ended_on as held_from, rating_after as rating from history
    union all by name
    select * rename (opened_on as held_from), 0 as event_number, cast(published_rating as double) as rating from openings
)
window career as (partition by rating_system_id, player_id order by event_number);

-- The rankings at the end of every year; year 9999 is the current one. Ratings that are equal to nine decimals share a rank.
create or replace temp table ranked as
select
    *, rank() over (partition by rating_system_id, year order by round(rating + 1e-10 / 3, 9) desc) as rank,
    rank() over (partition by rating_system_id, year, nation_code order by round(rating + 1e-10 / 3, 9) desc) as national_rank
from (
    select rating_system_id, player_id, rating, tournaments_counted, unnest(range(
        year(held_from),
        coalesce(year(held_to), 1 + greatest((select year(max(ended_on)) from events), year(opened_on)))
    ) || if(held_to is null, [9999], [])) as year
    from held inner join rating_systems using (rating_system_id)
    where tournaments_counted > 0 or (rating_system_id, player_id) in (from openings select rating_system_id, player_id)
)
inner join (from published.marts.players select player_id, nation_code) using (player_id)
left join (from events select player_id, max(ended_on) as last_played_on group by player_id) using (player_id);
"""

EXPECTED = {
    "tournaments": "select * from tournaments",
    "tournament_results": "select * exclude (started_on, ended_on, players) from results",
    "included_tournaments": "select * from tournament_values",
    "rating_history": "select * from history",
    "international_ranking": "select * exclude (year, national_rank) from ranked where year = 9999",
    "national_ranking": """
        select rating_system_id, player_id, nation_code, rating, rank as international_rank, national_rank
        from ranked where year = 9999 and nation_code is not null
    """,
    "yearly_ranking": "select rating_system_id, player_id, nation_code, rating, rank, year from ranked where year < 9999",
}


def read_seeds(connection: duckdb.DuckDBPyConnection, seeds: Path) -> None:
    """Make a table of every seed that moves ratings, with cells as trimmed text or null. Parquet goes before CSV."""
    for name in SEEDS:
        table, parquet = Path(name).name, seeds / f"{name}.parquet"
        # DuckDB would guess which characters quote and comment.
        with (seeds / f"{name}.csv").open(encoding="utf-8-sig", newline="") as file:
            head, *rows = csv.reader(file)
        columns = ", ".join('"' + column.replace('"', '""') + '" varchar' for column in head)
        connection.execute(f"create or replace temp table {table} ({columns})")
        insert(connection, table, [tuple(cell.strip(" ") or None for cell in row) for row in rows])
        if parquet.exists():
            files = [glob.escape(str(path)) for path in sorted(parquet.glob("*.parquet")) or [parquet]]
            cells = "select nullif(trim(cast(columns('(.*)') as varchar)), '') as '\\1' from read_parquet(?)"
            connection.execute(f"insert into {table} by name {cells}", [files])


def insert(connection: duckdb.DuckDBPyConnection, table: str, rows: list[tuple[Any, ...]]) -> None:
    """Append rows to a table."""
    if rows:
        cells = ", ".join(f"unnest(${number})" for number in range(1, len(rows[0]) + 1))
        connection.execute(f"insert into {table} select {cells}", [list(column) for column in zip(*rows, strict=True)])


def percentile_score(players: int, placement: int) -> Decimal:
    """Return the percentage of the field that a placement beats, counting half of itself."""
    return (players + Decimal("0.5") - placement) / players * 100


def tournament_value(rules: dict[str, Any], event: dict[str, Any]) -> Decimal:
    """Return the percentage of the gap to the percentile score by which a tournament moves a rating."""
    is_early = event["ended_on"] < rules["counted_from"] and not event["is_world_championship"]
    if event["is_withdrawn"] or event["players"] is None or is_early or event["ended_on"] <= rules["opened_on"]:
        return Decimal(0)
    if event["is_world_championship"]:
        return Decimal(rules["world_championship_value"])
    divisor = Decimal(rules["one_round_divisor" if event["rounds"] == 1 else "several_rounds_divisor"])
    return min(Decimal(event["players"]) / divisor + Decimal(rules["base_value"]), Decimal(rules["maximum_value"]))


def rate(connection: duckdb.DuckDBPyConnection, rules: dict[str, Any], values: dict[str, Decimal]) -> None:
    """Rate every career under a rating system: a tournament moves the rating by its value, in percent of the gap."""
    system, rating, rows = rules["rating_system_id"], Decimal(0), []
    query = """
        select position, row_number() over (partition by player_id order by position), tournament_id, players, placement,
            coalesce(published_rating, $2)
        from events left join (from openings where rating_system_id = $1) using (player_id)
        where ended_on > $3 order by position
    """
    events = connection.execute(query, [system, rules["initial_rating"], rules["opened_on"]])
    for position, number, tournament, players, placement, start in events.fetchall():
        before = Decimal(start) if number == 1 else rating
        rating = before + values[tournament] / 100 * (percentile_score(players, placement) - before)
        rows.append((system, position, float(before), float(rating)))
    insert(connection, "ratings", rows)


def recompute(connection: duckdb.DuckDBPyConnection, seeds: Path) -> None:
    """Make tables of the facts, scores, values and ratings of a collection."""
    read_seeds(connection, seeds)
    connection.execute(FACTS)
    tournaments = connection.execute("select event from tournaments as event").fetchall()
    for (rules,) in connection.execute("select rules from rating_systems as rules").fetchall():
        values = {event["tournament_id"]: tournament_value(rules, event) for (event,) in tournaments}
        rows = [(rules["rating_system_id"], event, float(value)) for event, value in values.items()]
        insert(connection, "tournament_values", rows)
        rate(connection, rules, values)


def compare(connection: duckdb.DuckDBPyConnection, table: str, expected: str) -> tuple[int, list[tuple[Any, ...]]]:
    """Return the number of rows of a table; and of wrong ones the table, count, key, found, expected, wrong columns."""
    columns = [name for name, *_ in connection.execute(f"describe {expected}").fetchall()]
    key = ", ".join(name for name in columns if name.endswith(("_id", "year", "event_number")))
    ((count,),) = connection.execute(f"select count(*) from published.marts.{table}").fetchall()
    near = {name: f"near(own.{name}, must.{name})" for name in ["copies", *columns]}
    wrong = ", ".join(f"if({same}, null, '{name}')" for name, same in near.items())
    own = f"select {', '.join(columns)}, count(*) over (partition by {key}) as copies from published.marts.{table}"
    return count, connection.execute(
        f"select '{table}', count(*) over (), concat_ws(' ', {key}), own, must, [{wrong}] from ({own}) as own"
        f" full join (select *, 1 as copies from ({expected})) as must using ({key})"
        f" where ({' and '.join(near.values())}) is not true order by {key} limit 5"
    ).fetchall()


def verify(connection: duckdb.DuckDBPyConnection, seeds: Path) -> tuple[int, list[tuple[Any, ...]]]:
    """Compare the database attached as `published` with its seeds; return the number of rows, and differences."""
    recompute(connection, seeds)
    connection.execute(RANKS)
    found = [compare(connection, table, expected) for table, expected in EXPECTED.items()]
    return sum(rows for rows, _ in found), [row for _, rows in found for row in rows]


def main() -> None:
    """Print what differs, and exit with 1 if anything does."""
    parser = argparse.ArgumentParser(description="Recompute every rating of a published file from its seeds.")
    parser.add_argument("--database", default="warehouse/rankings.duckdb")
    parser.add_argument("--seeds", default="seeds", type=Path)
    arguments = parser.parse_args()
    with duckdb.connect() as connection:
        database = arguments.database.replace("'", "''")
        connection.execute(f"attach '{database}' as published (read_only)")
        rows, differences = verify(connection, arguments.seeds)
    print("\n".join(map(str, differences)) or f"All {rows:,} rows agree with the exact recomputation.")
    raise SystemExit(1 if differences else 0)


if __name__ == "__main__":
    main()
