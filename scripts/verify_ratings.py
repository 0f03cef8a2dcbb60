#!/usr/bin/env python3
"""Recompute every rating of a published file from its seeds, and print what differs.

It needs only duckdb, and uses no code of the project. FACTS chooses among the statements of documents and decisions;
functions are the rules, with 50 digits; EXPECTED has the rows to publish. No rating depends on names and nations.
"""

import argparse
import glob
from decimal import Decimal, getcontext
from pathlib import Path
from typing import Any

import duckdb

getcontext().prec = 50
FACTS = """
-- Follow every decision "the listed id is this person" to the end of its chain.
create or replace temp table aliases as
with recursive chains as (
    select listed_player_id as listed, tournament_id, player_id as person, 1 as length from ref_player_aliases
    union all
    select listed, chains.tournament_id, further.player_id, length + 1
    from chains inner join (from ref_player_aliases where tournament_id is null) as further on person = listed_player_id
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
select document_id, tournament_id, any_value(wdc) as kind, any_value(one) as rounds
from raw_tournaments as stated inner join ref_rating_systems on coalesce(reproduced_ranking, opening_ranking) is not null
    and rating_system_id = coalesce((select value from ref_settings where setting = 'rating_system'), 'dptr')
cross join lateral (
    select min(kind) as wdc, null as one, null as divisor from ref_tournament_kinds where is_world_championship = 'true'
    union all select null, '1', one_round_divisor union all select null, null, several_rounds_divisor
)
where (divisor is null or rounds is null or (rounds = '1') = (one is not null)) and (
    abs(coefficient_1::double - case
        when divisor is null then world_championship_value::double when stated.ended_on < first_counted_on then 0
        else least(maximum_value::double, base_value::double + players::double / divisor::double)
    end) <= 0.005 + 1e-9
    or (players is null and divisor is not null and coefficient_1::double <= maximum_value::double)
)
group by document_id, tournament_id having count(*) = 1;

-- A year or a month states no days if another document has days that begin or end in it.
update raw_tournaments as rough set started_on = null, ended_on = null from raw_tournaments as fine
where rough.tournament_id = fine.tournament_id and rough.started_on <= fine.ended_on and rough.ended_on >= fine.started_on
    and rough.ended_on::date - rough.started_on::date > fine.ended_on::date - fine.started_on::date and rough.started_on like '%-01'
    and rough.ended_on in (last_day(rough.started_on::date)::varchar, replace(rough.started_on, '-01-01', '-12-31'));

-- The lesser source adds nobody at the placement of somebody of the better one whom it lacks.
create or replace temp table doubtful as
with listed as (from raw_results inner join documents using (document_id) where about = 'tournament')
select own.document_id, tournament_id, own.player_id
from listed as own inner join listed as better using (tournament_id, placement)
where own.source = 3 and better.source = 1
    and (tournament_id, own.player_id) not in (select (tournament_id, player_id) from listed where source = 1)
    and (own.document_id, tournament_id, better.player_id) not in (select (document_id, tournament_id, player_id) from listed);

-- The first statement of each fact of a tournament and a result. Its last correction goes first, unless that restores.
create or replace temp table facts as
select tournament_id, player_id,
    arg_min(columns(['started_on', 'ended_on', 'players', 'rounds', 'placement', 'withdrawn']), position),
    -- A table without a kind is not of the kind of a player's page.
    if(bool_or(about = 'tournament'), arg_min(kind, position) filter (about != 'player'), arg_min(kind, position)) as kind
from (
    from raw_tournaments inner join documents using (document_id)
    union all by name select * replace (1e9 + position as position) from proofs inner join documents using (document_id)
    union all by name
    from raw_results inner join documents using (document_id) anti join doubtful using (document_id, tournament_id, player_id)
    union all by name select *, 'correction' as about, 0 as position from (
        pivot ref_corrections on field in (started_on, ended_on, players, rounds, placement, withdrawn, kind)
        using arg_max_null(value, cast(correction_number as integer)) group by tournament_id, player_id
    )
) group by tournament_id, player_id;

create or replace temp table tournaments as
select tournament_id, withdrawn is not distinct from 'true' as is_withdrawn,
    coalesce(cast(kinds.is_world_championship as boolean), false) as is_world_championship,
    cast(columns(['started_on', 'ended_on']) as date), cast(columns(['players', 'rounds']) as integer)
from facts left join ref_tournament_kinds as kinds on upper(facts.kind) = upper(kinds.kind) where player_id is null;

create or replace temp table results as
select own.tournament_id, coalesce(there.person, everywhere.person, own.player_id) as player_id,
    own.player_id as listed_player_id, cast(nullif(own.placement, 'none') as integer) as placement,
    tournaments.players, tournaments.started_on, tournaments.ended_on,
    own.withdrawn is not distinct from 'true' or is_withdrawn as is_withdrawn,
    (tournaments.players + 0.5 - cast(nullif(own.placement, 'none') as integer)) / tournaments.players * 100 as percentile_score
from facts as own
inner join tournaments on own.tournament_id = tournaments.tournament_id and own.player_id is not null
-- An alias for one tournament overrides one for all.
left join aliases as there on own.player_id = there.listed and own.tournament_id = there.tournament_id
left join aliases as everywhere on own.player_id = everywhere.listed and everywhere.tournament_id is null;

-- The results that move ratings.
create or replace temp table events as from results where not is_withdrawn and placement > 0 and players > 0;

create or replace temp table rating_systems as
select * replace (coalesce(cast(opened_on as date), '0001-01-01') as opened_on),
    greatest('0001-01-01', cast(first_counted_on as date), cast(last_day - to_years(cast(counted_years as integer)) as date)) as counted_from
from ref_rating_systems cross join (select max(ended_on) as last_day from tournaments where not is_withdrawn);

create or replace temp table tournament_values (rating_system_id varchar, tournament_id varchar, tournament_value double);
-- Event number 0 is the rating in a published ranking that a system continues.
create or replace temp table history as
select coalesce(person, published.player_id) as player_id, null::varchar as tournament_id, rating_system_id, 0 as event_number,
    opened_on as ended_on, null::integer as players, null::integer as placement, null::double as percentile_score,
    null::double as tournament_value, null::double as rating_before,
    cast(arg_min(published_rating, position) as double) as rating_after
from rating_systems
inner join raw_published_rankings as published on opening_ranking = ranking_name and opened_on = cast(last_update as date)
inner join documents using (document_id) left join aliases on published.player_id = listed and tournament_id is null
group by all;
"""
RANKS = """
-- The rankings at the end of every year; year 9999 is the current one. Ratings that are equal to nine decimals share a rank.
create or replace temp table ranked as
with standings as (
    select rating_system_id, player_id, rating_after as rating, round(rating_after + 1e-10 / 3, 9) as nine_decimals,
        count(*) filter (tournament_value > 0) over career as tournaments_counted, lead(ended_on) over career as held_to,
        unnest(range(
            year(ended_on), coalesce(year(held_to), 1 + greatest((select year(max(ended_on)) from events), year(opened_on)))
        ) || if(held_to is null, [9999], [])) as year
    from history inner join rating_systems using (rating_system_id)
    window career as (partition by rating_system_id, player_id order by event_number)
    qualify tournaments_counted > 0 or bool_or(event_number = 0) over career
)
select * exclude (nine_decimals, held_to),
    rank() over (partition by rating_system_id, year order by nine_decimals desc) as rank,
    rank() over (partition by rating_system_id, year, nation_code order by nine_decimals desc) as national_rank
from standings inner join (from published.marts.players select player_id, nation_code) using (player_id)
left join (from events select player_id, max(ended_on) as last_played_on group by player_id) using (player_id);
"""
EXPECTED = {
    "tournaments": "select * from tournaments",
    "tournament_results": "select * exclude (started_on, ended_on, players) from results",
    "included_tournaments": "select * from tournament_values",
    "rating_history": "select *, rating_after - rating_before as rating_change from history where event_number > 0",
    "international_ranking": "select * exclude (year, national_rank) from ranked where year = 9999",
    "national_ranking": """
        select rating_system_id, player_id, nation_code, rating, rank as international_rank, national_rank
        from ranked where year = 9999 and nation_code is not null
    """,
    "yearly_ranking": "select * exclude (national_rank, last_played_on) from ranked where year < 9999",
}


def read_seeds(connection: duckdb.DuckDBPyConnection, seeds: Path) -> None:
    """Make a table of every seed, with cells as trimmed text or null; Parquet files have the rows of large seeds."""
    # Without options, DuckDB would guess which characters quote and comment.
    csv = "read_csv(?, header = true, all_varchar = true, delim = ',', quote = '\"', escape = '\"', comment = '', skip = 0)"
    for path in seeds.glob("*/r*_*.csv"):
        rows, files, parquet = f"from {csv}", [[glob.escape(str(path))]], path.with_suffix(".parquet")
        if parquet.exists():
            rows += " union all by name from read_parquet(?)"
            files.append([glob.escape(str(file)) for file in sorted(parquet.glob("*.parquet")) or [parquet]])
        cells = "nullif(trim(cast(columns('(.*)') as varchar)), '') as '\\1'"
        connection.execute(f'create or replace temp table "{path.stem}" as select {cells} from ({rows})', files)


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


def recompute(connection: duckdb.DuckDBPyConnection, seeds: Path) -> None:
    """Make tables of the facts, values and ratings of a collection. A tournament's value is in percent of the gap."""
    read_seeds(connection, seeds)
    connection.execute(FACTS)
    tournaments = connection.execute("select event from tournaments as event").fetchall()
    for (rules,) in connection.execute("select rules from rating_systems as rules").fetchall():
        system, career, number, rating, rows = rules["rating_system_id"], None, 0, Decimal(0), []
        values = {event["tournament_id"]: tournament_value(rules, event) for (event,) in tournaments}
        insert(connection, "tournament_values", [(system, event, float(value)) for event, value in values.items()])
        opening = "select player_id, cast(rating_after as varchar) from history where rating_system_id = ?"
        openings = dict(connection.execute(opening, [system]).fetchall())
        careers = "from events where ended_on > ? order by player_id, ended_on, started_on, tournament_id"
        events = connection.execute(careers, [rules["opened_on"]]).fetchall()
        for tournament, player, _, placement, players, _, day, *_ in events:
            if player != career:
                career, number, rating = player, 0, Decimal(openings.get(player, rules["initial_rating"]))
            number, before, score = number + 1, rating, percentile_score(players, placement)
            rating = before + values[tournament] / 100 * (score - before)
            figures = map(float, (score, values[tournament], before, rating))
            rows.append((player, tournament, system, number, day, players, placement, *figures))
        insert(connection, "history", rows)


def compare(connection: duckdb.DuckDBPyConnection, table: str, expected: str) -> tuple[int, list[tuple[Any, ...]]]:
    """Return the number of rows of a table; and of wrong ones the table, count, key, found, expected, wrong columns."""
    types = {name: kind for name, kind, *_ in connection.execute(f"describe {expected}").fetchall()}
    key = ", ".join(name for name in types if name.endswith(("_id", "year", "event_number")))
    ((count,),) = connection.execute(f"select count(*) from published.marts.{table}").fetchall()
    # The bound allows careers of 10,000 tournaments: see docs/methodology.md.
    near = {name: f"abs(own.{name} - must.{name}) <= 1e-9 or " for name, kind in types.items() if kind == "DOUBLE"}
    same = {name: f"({near.get(name, '')}own.{name} is not distinct from must.{name})" for name in ["copies", *types]}
    wrong = ", ".join(f"if({equal}, null, '{name}')" for name, equal in same.items())
    own = f"select {', '.join(types)}, count(*) over (partition by {key}) as copies from published.marts.{table}"
    return count, connection.execute(
        f"select '{table}', count(*) over (), concat_ws(' ', {key}), own, must, [{wrong}] from ({own}) as own"
        f" full join (select *, 1 as copies from ({expected})) as must using ({key})"
        f" where ({' and '.join(same.values())}) is not true order by {key} limit 5"
    ).fetchall()


def verify(connection: duckdb.DuckDBPyConnection, seeds: Path) -> tuple[int, list[tuple[Any, ...]]]:
    """Compare the database attached as `published` with its seeds; return the number of rows, and differences."""
    recompute(connection, seeds)
    connection.execute(RANKS)
    found = [compare(connection, table, expected) for table, expected in EXPECTED.items()]
    return sum(rows for rows, _ in found), [row for _, rows in found for row in rows]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Recompute every rating of a published file from its seeds.")
    parser.add_argument("--database", default="warehouse/rankings.duckdb")
    parser.add_argument("--seeds", default="seeds", type=Path)
    arguments = parser.parse_args()
    with duckdb.connect() as connection:
        connection.execute("attach '{}' as published (read_only)".format(arguments.database.replace("'", "''")))
        rows, differences = verify(connection, arguments.seeds)
    print("\n".join(map(str, differences)) or f"All {rows:,} rows agree with the exact recomputation.")
    raise SystemExit(1 if differences else 0)
