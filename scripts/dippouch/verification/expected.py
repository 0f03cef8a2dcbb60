"""What the published tables must hold, recomputed from the seeds in exact arithmetic.

Each table is made row by row in the order of its key, one rating system after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from dippouch.rating.systems import read_default_system, read_rating_systems
from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import NATIONS
from dippouch.verification import fact_tables, rating_tables
from dippouch.verification.inputs import read_inputs
from dippouch.verification.ledger import careers_of, rated_results, systems_today, values_of
from dippouch.verification.table_types import ExpectedTable, FixedPoint, fixed_point


def expected_tables(seeds: Path) -> Iterator[ExpectedTable]:
    """Every table that ratings flow into, one after the other; the rows of each must be taken before the next.

    Args:
        seeds: the folder of the collection.

    Raises:
        UserError: when a seed cannot be read.
    """
    inputs = read_inputs(seeds)
    tournaments, people = inputs.tournaments, inputs.people
    stated = read_rating_systems(seeds)
    systems = dict(sorted(systems_today(stated, tournaments.values()).items()))
    values = {system: values_of(rules, tournaments.values()) for system, rules in systems.items()}
    nations = {row["nation_code"].strip().upper(): row["name"].strip() for row in read_rows(seeds / NATIONS)}
    default = read_default_system(seeds)

    yield rating_tables.tournament_results(inputs)
    yield rating_tables.included_tournaments(tournaments, values)
    yield fact_tables.tournaments_table(seeds, tournaments)
    yield fact_tables.circuit_tournaments(seeds, tournaments)
    yield fact_tables.circuits(seeds)
    played = rated_results(tournaments.values())
    ratings: dict[str, tuple[FixedPoint, int]] = {}
    for system, rules in systems.items():
        careers = careers_of(rules, values[system], played)
        for table in (
            rating_tables.rating_history(careers, values[system]),
            rating_tables.international_ranking(careers, people),
            rating_tables.national_ranking(careers, people, nations),
            rating_tables.yearly_ranking(rules, careers, people),
        ):
            yield replace(table, system=system)
        if system == default:
            ratings = {player_id: (career.ratings[-1], career.counted) for player_id, career in careers.items()}
    initial = fixed_point(systems[default].initial_rating) if default in systems else None
    yield rating_tables.players(inputs, initial, ratings)
    yield fact_tables.rating_systems(seeds, stated, systems, values, tournaments)
    yield fact_tables.published_scores(tournaments)
    if initial is not None:
        yield fact_tables.published_values(tournaments, values[default])
        yield fact_tables.published_rankings(inputs.published, initial, ratings)
    yield fact_tables.included_circuits(seeds, values)
