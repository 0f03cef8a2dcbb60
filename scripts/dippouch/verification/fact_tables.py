"""The published tables that state facts rather than ratings, and those that compare ratings with printed ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from decimal import Decimal
from fractions import Fraction
from operator import itemgetter
from pathlib import Path

from dippouch.rating.rules import FIGURES, RatingRules, agrees_with_printed
from dippouch.rating.systems import read_default_system
from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import CIRCUIT_TOURNAMENTS, CIRCUITS, RATING_SYSTEMS, TOURNAMENT_KINDS, Row
from dippouch.verification.inputs import PublishedRating, Tournament, date_or_none, exact_score, text_or_none
from dippouch.verification.ledger import EventValue
from dippouch.verification.table_types import FixedPoint, Rows, expected_table, fixed_point

_DOCUMENT = ("source_document", "source_sha256", "source_form")
_COEFFICIENTS = ("coefficient_1", "coefficient_2", "coefficient_3")
# What a published ranking says of itself and of where a player is found.
_OF_RANKING = ("author", "source_player_id", *_DOCUMENT)


@expected_table(
    "tournaments",
    "tournament_id",
    "kind_name is_world_championship started_on ended_on players rounds boards results_listed results_missing is_withdrawn"
    " is_corrected kind nation_code name subtitle place source_tournament_id source_document source_sha256 source_form"
    " source_last_update coefficient_1 coefficient_2 coefficient_3",
)
def tournaments_table(seeds: Path, tournaments: Mapping[str, Tournament]) -> Rows:
    """Every tournament after corrections."""
    kind_names = {row["kind"].strip().upper(): row["name"].strip() for row in read_rows(seeds / TOURNAMENT_KINDS.path)}
    for tournament_id, tournament in tournaments.items():
        stated = tournament.stated
        placed = sum(result.placement is not None for result in tournament.results)
        kind = text_or_none(stated["kind"].upper())
        yield (
            *(tournament_id, kind_names.get(kind or ""), tournament.is_world_championship),
            *(tournament.started_on, tournament.ended_on, tournament.players, tournament.rounds),
            int(stated["boards"]) if stated["boards"] else None,
            len(tournament.results),
            None if tournament.players is None else tournament.players - placed,
            *(tournament.is_withdrawn, tournament.is_corrected, kind, text_or_none(stated["nation_code"].upper())),
            *(text_or_none(stated[name]) for name in ("name", "subtitle", "place", "source_tournament_id", *_DOCUMENT)),
            date_or_none(stated["source_last_update"]),
            *(Decimal(stated[name]) if stated[name] else None for name in _COEFFICIENTS),
        )


@expected_table("circuit_tournaments", "circuit_id tournament_id", "tournament_name is_imported source")
def circuit_tournaments(seeds: Path, tournaments: Mapping[str, Tournament]) -> Rows:
    """Every step of every circuit."""
    for step in sorted(read_rows(seeds / CIRCUIT_TOURNAMENTS), key=itemgetter("circuit_id", "tournament_id")):
        circuit_id, tournament_id = step["circuit_id"], step["tournament_id"]
        name, source = text_or_none(step["tournament_name"]), text_or_none(step["source"])
        yield circuit_id, tournament_id, name, tournament_id in tournaments, source


@expected_table("circuits", "circuit_id", "name year tournaments")
def circuits(seeds: Path) -> Rows:
    """Every circuit, with how many steps it has."""
    for circuit, steps in _read_circuits(seeds):
        yield circuit["circuit_id"], text_or_none(circuit["name"]), int(circuit["year"]), len(steps)


@expected_table(
    "included_circuits",
    "rating_system_id circuit_id",
    "name year tournaments tournaments_imported tournaments_counted is_counted",
)
def included_circuits(seeds: Path, values: dict[str, dict[str, EventValue]]) -> Rows:
    """How many tournaments of a circuit a system counts; the values by system and tournament."""
    for system, of_system in values.items():
        for circuit, steps in _read_circuits(seeds):
            imported = [of_system[step] for step in steps if step in of_system]
            counted = sum(value.exact > 0 for value in imported)
            yield (
                *(system, circuit["circuit_id"], text_or_none(circuit["name"]), int(circuit["year"])),
                *(len(steps), len(imported), counted, counted > 0),
            )


def _read_circuits(seeds: Path) -> list[tuple[Row, list[str]]]:
    """The circuits by id, each with its tournaments."""
    steps = defaultdict(list)
    for step in read_rows(seeds / CIRCUIT_TOURNAMENTS):
        steps[step["circuit_id"]].append(step["tournament_id"])
    ordered = sorted(read_rows(seeds / CIRCUITS), key=itemgetter("circuit_id"))
    return [(circuit, steps[circuit["circuit_id"]]) for circuit in ordered]


@expected_table(
    "rating_systems",
    "rating_system_id",
    f"name author {' '.join(FIGURES)} first_counted_on counted_years counted_from last_update is_default",
)
def rating_systems(
    seeds: Path,
    systems: dict[str, RatingRules],
    today: dict[str, RatingRules],
    values: dict[str, dict[str, EventValue]],
    tournaments: Mapping[str, Tournament],
) -> Rows:
    """The rules of every system, as stated and as they count today, and the last event that counts by the values of today."""
    stated = {row["rating_system_id"]: row for row in read_rows(seeds / RATING_SYSTEMS)}
    default = read_default_system(seeds)
    for system, rules in sorted(systems.items()):
        counted = (event.ended_on for event_id, event in tournaments.items() if values[system][event_id].exact > 0)
        yield (
            *(system, text_or_none(stated[system]["name"]), text_or_none(stated[system]["author"])),
            *(fixed_point(getattr(rules, column)) for column in FIGURES),
            *(rules.first_counted_on, rules.counted_years, today[system].first_counted_on),
            *(max(counted, default=None), system == default),
        )


@expected_table("published_score_comparison", "tournament_id player_id", "published_score percentile_score agrees")
def published_scores(tournaments: Mapping[str, Tournament]) -> Rows:
    """Our percentile scores beside printed ones."""
    for tournament_id, tournament in tournaments.items():
        for result in tournament.results:
            if result.published_score:
                printed, exact = Decimal(result.published_score), exact_score(result)
                agrees = exact is not None and agrees_with_printed(exact, printed)
                yield tournament_id, result.player_id, printed, result.score, agrees


@expected_table(
    "published_coefficient_comparison", "tournament_id", "published_value tournament_value is_corrected agrees"
)
def published_values(tournaments: Mapping[str, Tournament], values: dict[str, EventValue]) -> Rows:
    """Our tournament values under the default system beside printed ones."""
    for tournament_id, tournament in tournaments.items():
        if tournament.stated["coefficient_1"]:
            printed, value = Fraction(tournament.stated["coefficient_1"]), values[tournament_id]
            published = Decimal(str(float(printed)))
            agrees = agrees_with_printed(value.exact, printed)
            yield tournament_id, published, value.figure, tournament.is_corrected, agrees


@expected_table(
    "published_ranking_comparison",
    "ranking_name last_update player_id",
    f"published_rank listed_name published_rating rating difference tournaments_counted {' '.join(_OF_RANKING)}",
)
def published_rankings(
    listed: list[PublishedRating], initial: FixedPoint, ratings: dict[str, tuple[FixedPoint, int]]
) -> Rows:
    """Our ratings under the default system beside printed ones."""
    for row in sorted(listed, key=lambda row: (row.ranking_name, row.stated["last_update"], row.player_id)):
        rating, counted = ratings.get(row.player_id, (initial, 0))
        published = Decimal(row.stated["published_rating"])
        yield (
            *(row.ranking_name, date_or_none(row.stated["last_update"]), row.player_id),
            *(int(row.stated["published_rank"]), row.stated["listed_name"], published),
            *(rating, rating - fixed_point(Fraction(published)), counted),
            *(text_or_none(row.stated[column]) for column in _OF_RANKING),
        )
