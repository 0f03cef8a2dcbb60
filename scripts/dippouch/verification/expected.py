"""What the published tables must hold, recomputed from the seeds with exact fractions.

Each table is made row by row in the order of its key, one rating system after the other.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from fractions import Fraction
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
from dippouch.verification.inputs import ScoredResult, read_inputs
from dippouch.verification.ledger import careers_of, systems_today
from dippouch.verification.rating_tables import (
    included_tournaments,
    players,
    rankings,
    rating_history,
    tournament_results,
    yearly_ranking,
)
from dippouch.verification.table_types import ExpectedTable, FixedPoint


def expected_tables(seeds: Path, tolerance: Fraction) -> Iterator[ExpectedTable]:
    """Every table that ratings flow into, one after the other; the rows of each must be taken before the next.

    Args:
        seeds: the folder of the collection.
        tolerance: how far apart two ratings are the same for a rank.

    Raises:
        UserError: when a seed cannot be read.
    """
    inputs = read_inputs(seeds)
    tournaments, people, results = inputs.tournaments, inputs.people, inputs.results
    systems = systems_today(read_rating_systems(seeds), tournaments.values())
    nations = {row["nation_code"].strip().upper(): row["name"].strip() for row in read_rows(seeds / NATIONS)}
    near = FixedPoint.of(tolerance)
    shown = read_shown_system(seeds)

    results.sort(key=lambda result: (result.tournament.tournament_id, result.player_id))
    yield tournament_results(results, people)
    yield included_tournaments(systems, tournaments.values())
    yield from stated_tables(seeds, inputs)
    # Everybody's events by end date, start date, tournament id: the order in which every system applies them.
    results.sort(key=_order_of_events)
    published: dict[str, tuple[FixedPoint, int]] = {}
    for system, rules in sorted(systems.items()):
        careers = careers_of(rules, results)
        yield rating_history(system, careers)
        yield from rankings(system, careers, people, nations, near)
        yield yearly_ranking(system, rules, careers, people, near)
        if system == shown:
            published = {player_id: (career[-1].after, career[-1].counted) for player_id, career in careers.items()}
    initial = FixedPoint.of(systems[shown].initial_rating) if shown in systems else None
    yield players(initial, published, people, results, near)
    yield rating_systems_table(read_rating_systems(seeds), systems, seeds, tournaments.values())
    yield from published_comparisons(inputs, systems.get(shown), published)
    yield included_circuits_table(seeds, systems, tournaments)


def _order_of_events(result: ScoredResult) -> tuple[str, date, date, str]:
    event = result.tournament
    return result.player_id, event.ended_on, event.started_on, event.tournament_id
