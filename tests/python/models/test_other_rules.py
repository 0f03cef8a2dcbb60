"""The whole history under other rules equals, bit for bit, that of a collection with these rules."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import duckdb
import pytest

from dippouch.collection.schema import SEEDS
from support.compiled import CompiledProject
from support.seed_rows import Rows, correction, read_collection

Rules = dict[str, Any]

# Rules to try, with their limits among them.
TRIED: list[Rules] = [
    {"initial_rating": 55.5},
    {"maximum_value": 0},
    {"maximum_value": 0, "world_championship_value": 0},
    {"base_value": 0, "several_rounds_divisor": 0.01, "one_round_divisor": 1000},
    {"first_counted_on": date.min, "base_value": 7.25},
    {"counted_years": 5},
    {"counted_years": 8, "world_championship_value": 100},
]
# Tournaments that the functions leave out: all are played, then some excluded until a day.
LEFT_OUT: list[Rules] = [{}, {"excluded_tournaments": ["wac-6-2009", "it's none"], "day": "2009-12-31"}]
HISTORY = (
    "select * exclude (rating_system_id, listed_players, listed_place, expected_place, places_better)"
    " from marts.rating_history where rating_system_id = ? order by all"
)
RANKING = (
    "select player_id, rank, rating, tournaments_counted from marts.international_ranking where rating_system_id = ?"
)
COLUMNS = "player_id, rank, rating, tournaments_counted, default_rank, default_rating"


def rows_of(marts: duckdb.DuckDBPyConnection, function: str, rules: Rules, columns: str = "*") -> list[tuple[Any, ...]]:
    arguments = ", ".join(f"{name} => ${name}" for name in rules)
    return marts.execute(f"select {columns} from marts.{function}({arguments}) order by all", rules).fetchall()


def with_systems(rows: Rows, opened_on: str) -> Rows:
    """Return a collection with the default rating system, and a variant of it for each set of rules to try.

    With a day, all of them continue the published ranking, as if it were of that day.
    """
    (default,) = (row for row in rows["ref_rating_systems"] if row["rating_system_id"] == "dptr")
    if opened_on:
        listed = [row | {"last_update": opened_on} for row in rows["raw_published_rankings"]]
        default = default | {"opening_ranking": listed[0]["ranking_name"], "opened_on": opened_on}
        rows = rows | {"raw_published_rankings": listed}
    tried = [
        default
        | {name: "" if value == date.min else str(value) for name, value in rules.items()}
        | {"rating_system_id": f"tried-{number}"}
        for number, rules in enumerate(TRIED)
    ]
    return rows | {"ref_rating_systems": [default, *tried]}


def without(rows: Rows, left_out: Rules) -> Rows:
    """Return a collection without tournaments after a day, and with the excluded ones withdrawn."""
    kept = [row for row in rows["raw_tournaments"] if row["ended_on"] <= left_out.get("day", str(date.max))]
    ids = {row["tournament_id"] for row in kept}
    excluded = sorted(ids.intersection(left_out.get("excluded_tournaments", [])))
    return rows | {
        "raw_tournaments": kept,
        "raw_results": [row for row in rows["raw_results"] if row["tournament_id"] in ids],
        "ref_corrections": [correction(number, each, "withdrawn", "true") for number, each in enumerate(excluded, 1)],
    }


@pytest.mark.parametrize("opened_on", ["", "2007-01-01"])
@pytest.mark.parametrize("left_out", LEFT_OUT, ids=["all", "some"])
def test_other_rules_give_what_a_collection_with_them_gives(
    compiled_project: CompiledProject, left_out: Rules, opened_on: str
) -> None:
    rows = with_systems(read_collection(), opened_on)
    with compiled_project.build(rows) as marts, compiled_project.build(without(rows, left_out)) as of_these_rules:
        people = marts.execute("select player_id from marts.players").fetchall()
        on_day = "select player_id, rank, rating from marts.ranking_on(?, 'dptr')"
        ranked = marts.execute(on_day, [left_out.get("day", date.max)]).fetchall()
        default = {player: tuple(of) for player, *of in ranked}
        for number, rules in enumerate(TRIED):
            system = f"tried-{number}"
            history = of_these_rules.execute(HISTORY, [system]).fetchall()
            assert rows_of(marts, "history_under", rules | left_out) == history
            ranking = {player: tuple(of) for player, *of in of_these_rules.execute(RANKING, [system]).fetchall()}
            found = rows_of(marts, "ranking_under", rules | left_out, COLUMNS)
            assert {(player,) for player, *_ in found} == set(people)
            for player, *of, default_rank, default_rating in found:
                assert tuple(of) == ranking.get(player, (None, rules.get("initial_rating", 40), 0))
                assert (default_rank, default_rating) == default.get(player, (None, 40.0))


# The limits of a rating system's columns, as declared by the seed.
POSSIBLE = {
    name: rule
    for name, rule in SEEDS["ref_rating_systems"].columns.items()
    if rule.get("type") in ("double", "integer")
}


@pytest.mark.parametrize("name", POSSIBLE)
def test_impossible_rules_are_refused_and_the_ends_of_the_possible_are_not(published: Path, name: str) -> None:
    lowest, highest = POSSIBLE[name]["from"], POSSIBLE[name]["to"]
    with duckdb.connect(str(published), read_only=True) as connection:
        for value in (lowest, highest):
            assert len(rows_of(connection, "ranking_under", {name: value})) == 237
        for value in (-1 if name == "counted_years" else lowest - 0.01, highest + 1, float("nan")):
            with pytest.raises(duckdb.Error, match=rf"{name}|cast"):
                rows_of(connection, "history_under", {name: value})
