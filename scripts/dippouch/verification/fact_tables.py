"""The published tables that state facts rather than ratings, and those that compare ratings with published ones."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

from dippouch.rating.rules import FIGURES, RatingRules, agrees_with_printed
from dippouch.rating.systems import read_shown_system
from dippouch.seeds.files import read_rows
from dippouch.seeds.schema import CIRCUIT_TOURNAMENTS, CIRCUITS, RATING_SYSTEMS, TOURNAMENT_KINDS, Row
from dippouch.verification.inputs import Inputs, Tournament, date_or_none, text_or_none
from dippouch.verification.ledger import value_of
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
                    (step["circuit_id"], step["tournament_id"]),
                    (
                        text_or_none(step["tournament_name"]),
                        step["tournament_id"] in inputs.tournaments,
                        text_or_none(step["source"]),
                    ),
                )
                for step in steps
            )
        ),
    )
    circuits = _read_circuits(seeds)
    rows: Rows = (
        (
            (circuit["circuit_id"],),
            (
                text_or_none(circuit["name"]),
                int(circuit["year"]),
                sum(step["circuit_id"] == circuit["circuit_id"] for step in steps),
            ),
        )
        for circuit in circuits
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
            missing = None if tournament.players is None else tournament.players - tournament.placements_listed
            yield (
                (tournament_id,),
                (
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
                    tournament.results_listed,
                    missing,
                    tournament.is_withdrawn,
                    tournament.is_corrected,
                    *(_printed(stated[f"coefficient_{number}"]) for number in (1, 2, 3)),
                    *(text_or_none(stated[column]) for column in _SOURCE),
                    date_or_none(stated["source_last_update"]),
                ),
            )

    columns = (
        *("name", "subtitle", "kind", "kind_name", "is_world_championship", "started_on", "ended_on", "place"),
        *("nation_code", "players", "rounds", "boards", "results_listed", "results_missing"),
        *("is_withdrawn", "is_corrected", "coefficient_1", "coefficient_2", "coefficient_3"),
        *(*_SOURCE, "source_last_update"),
    )
    return ExpectedTable("tournaments", ("tournament_id",), columns, rows())


_SOURCE = ("source_tournament_id", "source_document", "source_sha256", "source_form")


def _printed(text: str) -> Decimal | None:
    return Decimal(text) if text else None


def rating_systems_table(
    systems: dict[str, RatingRules], today: dict[str, RatingRules], seeds: Path, tournaments: Iterable[Tournament]
) -> ExpectedTable:
    """The rules of every system, as stated (`systems`) and as they count today, and the last event that counts."""
    known = list(tournaments)
    stated = {row["rating_system_id"]: row for row in read_rows(seeds / RATING_SYSTEMS)}
    shown = read_shown_system(seeds)

    def rows() -> Rows:
        for system, rules in sorted(systems.items()):
            counted = (event.ended_on for event in known if value_of(today[system], event) > 0)
            yield (
                (system,),
                (
                    text_or_none(stated[system]["name"]),
                    text_or_none(stated[system]["author"]),
                    *(FixedPoint.of(getattr(rules, column)) for column in FIGURES),
                    rules.first_counted_on,
                    max(counted, default=None),
                    system == shown,
                ),
            )

    columns = ("name", "author", *FIGURES, "first_counted_on", "last_update", "is_shown_first")
    return ExpectedTable("rating_systems", ("rating_system_id",), columns, rows())


def included_circuits_table(
    seeds: Path, today: dict[str, RatingRules], tournaments: dict[str, Tournament]
) -> ExpectedTable:
    """How many tournaments of a circuit a system counts."""
    steps = defaultdict(list)
    for step in read_rows(seeds / CIRCUIT_TOURNAMENTS):
        steps[step["circuit_id"]].append(step["tournament_id"])
    circuits = _read_circuits(seeds)

    def rows() -> Rows:
        for system, rules in sorted(today.items()):
            for circuit in circuits:
                known = steps[circuit["circuit_id"]]
                imported = [tournaments[step] for step in known if step in tournaments]
                counted = sum(value_of(rules, event) > 0 for event in imported)
                yield (system, circuit["circuit_id"]), (len(known), len(imported), counted, counted > 0)

    columns = ("tournaments", "tournaments_imported", "tournaments_counted", "is_counted")
    return ExpectedTable("included_circuits", ("rating_system_id", "circuit_id"), columns, rows())


def published_comparisons(
    inputs: Inputs, rules: RatingRules | None, ratings: dict[str, tuple[FixedPoint, int]]
) -> Iterator[ExpectedTable]:
    """Our figures beside those that documents published.

    Args:
        inputs: the collection.
        rules: the system shown first as it counts today; None when the collection has no such system.
        ratings: rating and counted events under it, by player.
    """
    scored = sorted(
        (result for result in inputs.results if result.published_score),
        key=lambda result: (result.tournament.tournament_id, result.player_id),
    )
    scores: Rows = (
        (
            (result.tournament.tournament_id, result.player_id),
            (
                Decimal(result.published_score),
                fixed_point(result.score),
                result.score is not None and agrees_with_printed(result.score, Fraction(result.published_score)),
            ),
        )
        for result in scored
    )
    yield ExpectedTable(
        "published_score_comparison",
        ("tournament_id", "player_id"),
        ("published_score", "percentile_score", "agrees"),
        scores,
    )
    if rules is None:
        return
    valued = sorted(
        (t.tournament_id, Fraction(t.stated["coefficient_1"]), value_of(rules, t))
        for t in inputs.tournaments.values()
        if t.stated["coefficient_1"]
    )
    values: Rows = (
        ((tournament_id,), (Decimal(str(float(printed))), FixedPoint.of(value), agrees_with_printed(value, printed)))
        for tournament_id, printed, value in valued
    )
    yield ExpectedTable(
        "published_coefficient_comparison",
        ("tournament_id",),
        ("published_value", "tournament_value", "agrees"),
        values,
    )

    initial = FixedPoint.of(rules.initial_rating)

    def ranking() -> Rows:
        for row in sorted(
            inputs.published,
            key=lambda row: (row.stated["ranking_name"].strip(), row.stated["last_update"], row.player_id),
        ):
            rating, counted = ratings.get(row.player_id, (initial, 0))
            published = Decimal(row.stated["published_rating"])
            yield (
                (row.stated["ranking_name"].strip(), date_or_none(row.stated["last_update"]), row.player_id),
                (
                    int(row.stated["published_rank"]),
                    row.stated["listed_name"],
                    published,
                    rating,
                    FixedPoint(rating - FixedPoint.of(Fraction(published))),
                    counted,
                ),
            )

    columns = ("published_rank", "listed_name", "published_rating", "rating", "difference", "tournaments_counted")
    key = ("ranking_name", "last_update", "player_id")
    yield ExpectedTable("published_ranking_comparison", key, columns, ranking())
