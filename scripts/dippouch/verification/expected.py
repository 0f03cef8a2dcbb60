"""What the published tables must hold, recomputed from the seeds in exact arithmetic.

Each table is made row by row in the order of its key, one rating system after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from dippouch.rating.systems import read_rating_systems, read_shown_system
from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import NATIONS
from dippouch.verification.fact_tables import (
    included_circuits_table,
    published_comparisons,
    rating_systems_table,
    stated_tables,
)
from dippouch.verification.inputs import read_inputs
from dippouch.verification.ledger import careers_of, rated_results, systems_today, values_of
from dippouch.verification.rating_tables import (
    included_tournaments,
    players,
    rankings,
    rating_history,
    tournament_results,
    yearly_ranking,
)
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
    systems = systems_today(stated, tournaments.values())
    values = {system: values_of(rules, tournaments.values()) for system, rules in systems.items()}
    nations = {row["nation_code"].strip().upper(): row["name"].strip() for row in read_rows(seeds / NATIONS)}
    shown = read_shown_system(seeds)

    yield tournament_results(tournaments.values())
    yield included_tournaments(values, tournaments.values())
    yield from stated_tables(seeds, inputs)
    played = rated_results(tournaments.values())
    published: dict[str, tuple[FixedPoint, int]] = {}
    for system, rules in sorted(systems.items()):
        careers = careers_of(rules, values[system], played)
        yield rating_history(system, careers, values[system])
        yield from rankings(system, careers, people, nations)
        yield yearly_ranking(system, rules, careers)
        if system == shown:
            published = {player_id: (career.ratings[-1], career.counted) for player_id, career in careers.items()}
    initial = fixed_point(systems[shown].initial_rating) if shown in systems else None
    yield players(initial, published, people, tournaments.values())
    yield rating_systems_table(stated, systems, values, seeds, tournaments)
    yield from published_comparisons(inputs, systems.get(shown), values.get(shown, {}), published)
    yield included_circuits_table(seeds, values)
