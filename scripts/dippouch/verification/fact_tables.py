"""The published tables that state facts rather than ratings, and those that compare ratings with published ones."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from operator import attrgetter, itemgetter
from pathlib import Path

from dippouch.rating.rules import FIGURES, RatingRules, agrees_with_printed
from dippouch.rating.systems import read_shown_system
from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import CIRCUIT_TOURNAMENTS, CIRCUITS, RATING_SYSTEMS, TOURNAMENT_KINDS, Row
from dippouch.verification.inputs import Inputs, PublishedRating, Tournament, date_or_none, exact_score, text_or_none
from dippouch.verification.ledger import EventValue
from dippouch.verification.table_types import ExpectedTable, FixedPoint, Rows, fixed_point


def stated_tables(seeds: Path, inputs: Inputs) -> Iterator[ExpectedTable]:
    """Tournaments and circuits, as the seeds state them."""
    yield _tournaments(seeds, inputs.tournaments)
    steps = read_rows(seeds / CIRCUIT_TOURNAMENTS)
    yield ExpectedTable(
        "circuit_tournaments",
        ("circuit_id", "tournament_id"),
        ("tournament_name", "is_imported", "source"),
        iter(
            sorted(
                (
                    (
                        step["circuit_id"],
                        step["tournament_id"],
                        text_or_none(step["tournament_name"]),
                        step["tournament_id"] in inputs.tournaments,
                        text_or_none(step["source"]),
                    )
                    for step in steps
                ),
                key=itemgetter(0, 1),
            )
        ),
    )
    lengths = Counter(step["circuit_id"] for step in steps)
    rows: Rows = (
        (circuit["circuit_id"], text_or_none(circuit["name"]), int(circuit["year"]), lengths[circuit["circuit_id"]])
        for circuit in _read_circuits(seeds)
    )
    yield ExpectedTable("circuits", ("circuit_id",), ("name", "year", "tournaments"), rows)


def _read_circuits(seeds: Path) -> list[Row]:
    return sorted(read_rows(seeds / CIRCUITS), key=lambda circuit: circuit["circuit_id"])


def _tournaments(seeds: Path, tournaments: dict[str, Tournament]) -> ExpectedTable:
    kind_names = {row["kind"].strip().upper(): row["name"].strip() for row in read_rows(seeds / TOURNAMENT_KINDS.path)}

    def rows() -> Rows:
        for tournament_id, tournament in sorted(tournaments.items()):
            stated = tournament.stated
            kind = text_or_none(stated["kind"].upper())
            placed = sum(result.placement is not None for result in tournament.results)
            yield (
                tournament_id,
                *(text_or_none(stated[column]) for column in ("name", "subtitle")),
                kind,
                kind_names.get(kind or ""),
                tournament.is_world_championship,
                tournament.started_on,
                tournament.ended_on,
                text_or_none(stated["place"]),
                text_or_none(stated["nation_code"].upper()),
                tournament.players,
                tournament.rounds,
                int(stated["boards"]) if stated["boards"] else None,
                len(tournament.results),
                None if tournament.players is None else tournament.players - placed,
                tournament.is_withdrawn,
                tournament.is_corrected,
                *(_printed(stated[f"coefficient_{number}"]) for number in (1, 2, 3)),
                *(text_or_none(stated[column]) for column in _SOURCE),
                date_or_none(stated["source_last_update"]),
            )

    columns = (
        *("name", "subtitle", "kind", "kind_name", "is_world_championship", "started_on", "ended_on", "place"),
        *("nation_code", "players", "rounds", "boards", "results_listed", "results_missing"),
        *("is_withdrawn", "is_corrected", "coefficient_1", "coefficient_2", "coefficient_3"),
        *(*_SOURCE, "source_last_update"),
    )
    return ExpectedTable("tournaments", ("tournament_id",), columns, rows())


_DOCUMENT = ("source_document", "source_sha256", "source_form")
_SOURCE = ("source_tournament_id", *_DOCUMENT)
# What a published ranking says of itself and of where a player is found.
_OF_RANKING = ("author", "source_player_id", *_DOCUMENT)


def _printed(text: str) -> Decimal | None:
    return Decimal(text) if text else None


def rating_systems_table(
    systems: dict[str, RatingRules],
    today: dict[str, RatingRules],
    values: dict[str, dict[str, EventValue]],
    seeds: Path,
    tournaments: dict[str, Tournament],
) -> ExpectedTable:
    """The rules of every system, as stated and as they count today, and the last event that counts by the values of today."""
    stated = {row["rating_system_id"]: row for row in read_rows(seeds / RATING_SYSTEMS)}
    shown = read_shown_system(seeds)

    def rows() -> Rows:
        for system, rules in sorted(systems.items()):
            counted = (event.ended_on for event_id, event in tournaments.items() if values[system][event_id].exact > 0)
            yield (
                system,
                text_or_none(stated[system]["name"]),
                text_or_none(stated[system]["author"]),
                *(fixed_point(getattr(rules, column)) for column in FIGURES),
                rules.first_counted_on,
                rules.counted_years,
                today[system].first_counted_on,
                max(counted, default=None),
                system == shown,
            )

    columns = (
        "name",
        "author",
        *FIGURES,
        "first_counted_on",
        "counted_years",
        "counted_from",
        "last_update",
        "is_default",
    )
    return ExpectedTable("rating_systems", ("rating_system_id",), columns, rows(), figures=FIGURES)


def included_circuits_table(seeds: Path, values: dict[str, dict[str, EventValue]]) -> ExpectedTable:
    """How many tournaments of a circuit a system counts; the values by system and tournament."""
    steps = defaultdict(list)
    for step in read_rows(seeds / CIRCUIT_TOURNAMENTS):
        steps[step["circuit_id"]].append(step["tournament_id"])
    circuits = _read_circuits(seeds)

    def rows() -> Rows:
        for system, of_system in sorted(values.items()):
            for circuit in circuits:
                known = steps[circuit["circuit_id"]]
                imported = [of_system[step] for step in known if step in of_system]
                counted = sum(value.exact > 0 for value in imported)
                yield system, circuit["circuit_id"], len(known), len(imported), counted, counted > 0

    columns = ("tournaments", "tournaments_imported", "tournaments_counted", "is_counted")
    return ExpectedTable("included_circuits", ("rating_system_id", "circuit_id"), columns, rows())


def published_comparisons(
    inputs: Inputs, rules: RatingRules | None, values: dict[str, EventValue], ratings: dict[str, tuple[FixedPoint, int]]
) -> Iterator[ExpectedTable]:
    """Our figures beside those that documents published.

    Args:
        inputs: the collection.
        rules: the default rating system; None when the collection has no such system.
        values: what it makes of every tournament today, by id.
        ratings: rating and counted events under it, by player.
    """
    yield _published_scores(inputs.tournaments)
    if rules is not None:
        yield _published_values(inputs.tournaments, values)
        yield _published_ranking(inputs.published, fixed_point(rules.initial_rating), ratings)


def _published_scores(tournaments: dict[str, Tournament]) -> ExpectedTable:
    def rows() -> Rows:
        for tournament_id, tournament in sorted(tournaments.items()):
            for result in sorted(tournament.results, key=attrgetter("player_id")):
                if result.published_score:
                    printed, exact = Decimal(result.published_score), exact_score(result)
                    agrees = exact is not None and agrees_with_printed(exact, printed)
                    yield tournament_id, result.player_id, printed, result.score, agrees

    columns = ("published_score", "percentile_score", "agrees")
    key = ("tournament_id", "player_id")
    return ExpectedTable("published_score_comparison", key, columns, rows(), figures=("percentile_score",))


def _published_values(tournaments: dict[str, Tournament], values: dict[str, EventValue]) -> ExpectedTable:
    def rows() -> Rows:
        for tournament_id, tournament in sorted(tournaments.items()):
            if tournament.stated["coefficient_1"]:
                printed, value = Fraction(tournament.stated["coefficient_1"]), values[tournament_id]
                published = Decimal(str(float(printed)))
                agrees = agrees_with_printed(value.exact, printed)
                yield tournament_id, published, value.figure, tournament.is_corrected, agrees

    columns = ("published_value", "tournament_value", "is_corrected", "agrees")
    name = "published_coefficient_comparison"
    return ExpectedTable(name, ("tournament_id",), columns, rows(), figures=("tournament_value",))


def _published_ranking(
    listed: list[PublishedRating], initial: FixedPoint, ratings: dict[str, tuple[FixedPoint, int]]
) -> ExpectedTable:
    def rows() -> Rows:
        for row in sorted(
            listed, key=lambda row: (row.stated["ranking_name"].strip(), row.stated["last_update"], row.player_id)
        ):
            rating, counted = ratings.get(row.player_id, (initial, 0))
            published = Decimal(row.stated["published_rating"])
            yield (
                row.stated["ranking_name"].strip(),
                date_or_none(row.stated["last_update"]),
                row.player_id,
                int(row.stated["published_rank"]),
                row.stated["listed_name"],
                published,
                rating,
                rating - fixed_point(Fraction(published)),
                counted,
                *(text_or_none(row.stated[column]) for column in _OF_RANKING),
            )

    columns = (
        *("published_rank", "listed_name", "published_rating", "rating", "difference", "tournaments_counted"),
        *_OF_RANKING,
    )
    key = ("ranking_name", "last_update", "player_id")
    return ExpectedTable("published_ranking_comparison", key, columns, rows(), figures=("rating", "difference"))
