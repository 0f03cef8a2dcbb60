"""Load a collection into DuckDB tables for the verification: tournaments and results after corrections, people, rules.

The dbt models compute the same independently; the two share no SQL. Scores and values come from exact fractions.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

import duckdb

from dippouch.db import literal
from dippouch.errors import UserError
from dippouch.rating.rules import EventFacts, RatingRules, percentile_score, tournament_value, value_rule
from dippouch.rating.systems import read_default_system, read_rating_systems
from dippouch.seeds.parquet import parquet_files
from dippouch.seeds.schema import SEEDS, Seed

# Unicode does not decompose letters with a stroke; it decomposes the others into an ASCII letter and an accent.
PLAIN_LETTERS = dict(zip("ØøŁłĐđĦħŦŧı", "OoLlDdHhTti", strict=True)) | {
    letter: plain
    for letter in map(chr, range(0xC0, 0x250))
    if (plain := unicodedata.normalize("NFD", letter)[0]).isascii()
}

_SEEDS = (
    *(
        "raw_tournaments",
        "raw_results",
        "raw_published_rankings",
        "ref_corrections",
        "ref_player_aliases",
        "ref_players",
    ),
    *("ref_tournament_kinds", "ref_rating_systems", "ref_nations", "ref_circuits", "ref_circuit_tournaments"),
)
_TABLES = """
create or replace temp table corrections as
-- Of several decisions on a field the last holds. One without a value says that the document is right.
with last_decisions as (
    from ref_corrections
    qualify row_number() over (
        partition by tournament_id, player_id, field
        order by correction_number desc
    ) = 1
)
select tournament_id, player_id, map(list(field), list(value)) as corrected
from last_decisions
where value is not null
group by tournament_id, player_id;

create or replace temp table tournaments as
select
    stated.tournament_id,
    source_tournament_id,
    coalesce(corrected['name'], stated.name) as name,
    coalesce(corrected['subtitle'], subtitle) as subtitle,
    nullif(upper(coalesce(corrected['kind'], stated.kind)), 'NONE') as kind,
    kinds.name as kind_name,
    coalesce(kinds.is_world_championship, false) as is_world_championship,
    coalesce(cast(corrected['started_on'] as date), started_on) as started_on,
    coalesce(cast(corrected['ended_on'] as date), ended_on) as ended_on,
    coalesce(corrected['place'], place) as place,
    upper(coalesce(corrected['nation_code'], nation_code)) as nation_code,
    coalesce(cast(corrected['players'] as integer), players) as players,
    coalesce(cast(corrected['rounds'] as integer), rounds) as rounds,
    coalesce(cast(corrected['boards'] as integer), boards) as boards,
    coalesce(corrected['withdrawn'] = 'true', false) as is_withdrawn,
    is_withdrawn or coalesce(len(list_filter(map_keys(corrected), lambda field: field != 'withdrawn')), 0) > 0
        as is_corrected,
    coalesce(list_has_any(map_keys(corrected), ['players', 'rounds', 'started_on', 'ended_on', 'kind']), false)
        as is_value_corrected,
    coefficient_1, coefficient_2, coefficient_3,
    source_document, source_sha256, source_form, source_last_update
from raw_tournaments as stated
left join corrections on stated.tournament_id = corrections.tournament_id and corrections.player_id is null
left join ref_tournament_kinds as kinds on upper(coalesce(corrected['kind'], stated.kind)) = upper(kinds.kind);

create or replace temp table results as
select
    stated.tournament_id,
    coalesce(alias_there.player_id, alias.player_id, stated.player_id) as player_id,
    stated.player_id as listed_player_id,
    listed_name,
    coalesce(corrected['first_name'], first_name) as first_name,
    coalesce(corrected['last_name'], last_name) as last_name,
    upper(coalesce(corrected['nation_code'], stated.nation_code)) as nation_code,
    upper(coalesce(corrected['location_code'], location_code)) as location_code,
    if(corrected['placement'] is null, placement, cast(nullif(corrected['placement'], 'none') as integer)) as placement,
    published_score,
    tournaments.started_on, tournaments.ended_on, tournaments.players,
    listed_by,
    coalesce(corrected['withdrawn'] = 'true', false) as is_result_withdrawn,
    is_result_withdrawn or tournaments.is_withdrawn as is_withdrawn
from raw_results as stated
inner join tournaments on stated.tournament_id = tournaments.tournament_id
left join corrections on stated.tournament_id = corrections.tournament_id and stated.player_id = corrections.player_id
left join ref_player_aliases as alias_there
    on stated.player_id = alias_there.listed_player_id and stated.tournament_id = alias_there.tournament_id
left join ref_player_aliases as alias on stated.player_id = alias.listed_player_id and alias.tournament_id is null;

-- Withdrawn results, and those of withdrawn tournaments, count nowhere.
create or replace temp table counted_results as
from results
where not is_withdrawn;

create or replace temp table listed_ratings as
select
    ranking_name, author,
    coalesce(alias.player_id, stated.player_id) as player_id,
    source_player_id, listed_name, first_name, last_name,
    upper(nation_code) as nation_code,
    upper(location_code) as location_code,
    last_update, published_rank, published_rating, source_document, source_sha256, source_form
from raw_published_rankings as stated
left join ref_player_aliases as alias on stated.player_id = alias.listed_player_id and alias.tournament_id is null;

create or replace temp table people as
-- The rating keeper's word, then the latest tournament that states a fact, both first under the person's own id, then
-- under an alias; then a published ranking, and last withdrawn results.
with statements as (
    select coalesce(alias.player_id, stated.player_id) as player_id, if(alias.player_id is null, 1, 3) as precedence,
        'rating keeper ' || stated.player_id as said,
        first_name, last_name, upper(nation_code) as nation_code, upper(location_code) as location_code,
        source as known_from
    from ref_players as stated
    left join ref_player_aliases as alias on stated.player_id = alias.listed_player_id and alias.tournament_id is null
    union all by name
    select player_id, case when is_withdrawn then 5 when player_id = listed_player_id then 2 else 3 end as precedence,
        max(cast(ended_on as varchar) || ' ' || tournament_id || ' ' || listed_player_id) as said, first_name, last_name,
        nation_code, location_code
    from results
    group by all
    union all by name
    select player_id, 4 as precedence, cast(last_update as varchar) || ' ' || ranking_name as said, first_name, last_name,
        nation_code, location_code
    from listed_ratings
),

facts as (
    select player_id, fact, value, max({'precedence': -precedence, 'said': said}) as weight
    from statements
    unpivot include nulls (value for fact in (first_name, last_name, nation_code, location_code, known_from))
    group by all
),

preferred as (
    select *, arg_max(value, weight) over (partition by player_id, fact) as preferred
    from facts
),

-- Of spellings that differ in accents only, the one with most of them holds, unless the rating keeper wrote the name.
chosen as (
    select player_id, fact, arg_max(value, {
        'is_decided': weight['precedence'] = -1, 'accents': len(regexp_replace(value, '[ -~]', '', 'g')), 'weight': weight
    }) as value
    from preferred
    where value is null
        or translate(value, getvariable('accented'), getvariable('plain'))
        = translate(preferred, getvariable('accented'), getvariable('plain'))
    group by player_id, fact
)

from (
    pivot chosen on fact in ('first_name', 'last_name', 'nation_code', 'location_code', 'known_from')
    using any_value(value)
);

create or replace temp table rating_systems as
select
    *,
    greatest(
        first_counted_on,
        -- Ten years before 29 February are 28 February.
        cast((select max(ended_on) from tournaments where not is_withdrawn) - to_years(counted_years) as date)
    ) as counted_from,
    rating_system_id = getvariable('default_system') as is_default
from ref_rating_systems;
"""
_EVENTS = """
create or replace temp table events as
select
    player_id,
    cast(row_number() over (partition by player_id order by ended_on, started_on, tournament_id) as integer) as event_number,
    tournament_id, ended_on, placement, players, percentile_score
from counted_results
inner join scores using (players, placement);
"""


@dataclass(frozen=True)
class ExactFigures:
    """Figures as fractions; the tables hold the nearest doubles.

    Attributes:
        initial_ratings: by rating system.
        scores: percentile scores by players and placement.
        values: tournament values in percent, by rating system and tournament.
    """

    initial_ratings: dict[str, Fraction]
    scores: dict[tuple[int, int], Fraction]
    values: dict[tuple[str, str], Fraction]


def load_collection(connection: duckdb.DuckDBPyConnection, seeds: Path) -> ExactFigures:
    """Load a collection into temporary tables; return its exact figures.

    Raises:
        UserError: when a seed cannot be read, a cell does not fit its column, or a value is not from 0 to 100 percent.
    """
    systems = read_rating_systems(seeds)
    variables = {
        "accented": "".join(PLAIN_LETTERS),
        "plain": "".join(PLAIN_LETTERS.values()),
        "default_system": read_default_system(seeds),
    }
    try:
        for name, value in variables.items():
            connection.execute(f"set variable {name} = {literal(value)}")
        for name in _SEEDS:
            connection.execute(f"create or replace temp view {name} as {_rows_of(seeds, SEEDS[name])}")
        connection.execute(_TABLES)
        scores = _load_scores(connection)
        values = _load_values(connection, systems)
        connection.execute(_EVENTS)
    except (duckdb.Error, ValueError) as error:
        raise UserError(f"{seeds}: found {error}; expected seeds that pass the tests of the build") from None
    return ExactFigures({system: rules.initial_rating for system, rules in systems.items()}, scores, values)


def _rows_of(seeds: Path, seed: Seed) -> str:
    """Return the query for the rows of a seed, with its declared types."""
    path = seeds / seed.path
    if seed.name.startswith("raw_") and (files := parquet_files(seeds / seed.parquet_path)):
        rows = f"(select cast(columns(*) as varchar) from read_parquet([{', '.join(map(literal, files))}]))"
    else:
        types = ", ".join(f"{column}: 'varchar'" for column in seed.columns)
        rows = f"read_csv({literal(path)}, header = true, auto_detect = false, columns = {{{types}}})"
    cells = (f"cast(nullif(trim({column}), '') as {seed.sql_type(column)}) as {column}" for column in seed.columns)
    return f"select {', '.join(cells)} from {rows}"


def _load_scores(connection: duckdb.DuckDBPyConnection) -> dict[tuple[int, int], Fraction]:
    """Make the table of percentile scores, for every field size and placement."""
    placed = connection.execute(
        "select distinct players, placement from results where players > 0 and placement is not null"
    )
    scores = {(players, placement): percentile_score(players, placement) for players, placement in placed.fetchall()}
    rows = [(*placed, float(score)) for placed, score in scores.items()]
    make_table(connection, "scores", {"players": "integer", "placement": "integer", "percentile_score": "double"}, rows)
    return scores


def _load_values(
    connection: duckdb.DuckDBPyConnection, systems: dict[str, RatingRules]
) -> dict[tuple[str, str], Fraction]:
    """Make the table of tournament values under every rating system."""
    counted_from = dict(connection.execute("select rating_system_id, counted_from from rating_systems").fetchall())
    tournaments = connection.execute(
        "select tournament_id, is_withdrawn, is_world_championship, ended_on, players, rounds from tournaments"
        " order by tournament_id"
    ).fetchall()
    values, rows = {}, []
    for system, stated in systems.items():
        rules = replace(stated, first_counted_on=counted_from[system])
        for tournament_id, is_withdrawn, is_world_championship, ended_on, players, rounds in tournaments:
            event = EventFacts(
                is_world_championship=is_world_championship, ended_on=ended_on, players=players, rounds=rounds
            )
            rule = "withdrawn" if is_withdrawn else value_rule(rules, **event)
            value = Fraction(0) if is_withdrawn else tournament_value(rules, **event)
            if not 0 <= value <= 100:
                raise UserError(
                    f"tournament {tournament_id}: found the value {float(value)} by the rule `{rule}`; expected 0 to 100"
                    " percent. The rules are in the seed of the rating systems"
                )
            values[system, tournament_id] = value
            rows.append((system, tournament_id, float(value), value > 0, rule))
    types = {"rating_system_id": "varchar", "tournament_id": "varchar", "tournament_value": "double"}
    make_table(connection, "tournament_values", types | {"is_counted": "boolean", "value_rule": "varchar"}, rows)
    return values


def make_table(
    connection: duckdb.DuckDBPyConnection, table: str, types: dict[str, str], rows: Sequence[Sequence[object]]
) -> None:
    """Make a temporary table of rows; `types` gives the type of each column."""
    columns = zip(*rows, strict=True) if rows else ([] for _ in types)
    cells = ", ".join(f"unnest(cast(${n} as {type_}[])) as {name}" for n, (name, type_) in enumerate(types.items(), 1))
    connection.execute(f"create or replace temp table {table} as select {cells}", [list(column) for column in columns])
