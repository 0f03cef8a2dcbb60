"""What the published tables must hold, recomputed from the seeds with exact fractions.

Each table is made row by row in the order of its key, one rating system after the other, and figures are kept as whole
numbers of 2^-100: exact far beyond what doubles can show, and small enough that a million results can be verified.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from pathlib import Path

from dippouch.collection.reference import PUBLISHED_SYSTEM, read_rating_systems
from dippouch.collection.seeds import read_rows
from dippouch.verifying.facts import (
    included_circuits_table,
    observed_tables,
    published_comparisons,
    rating_systems_table,
)
from dippouch.verifying.observations import Appearance, Person, Tournament, read_observations, text_or_none
from dippouch.verifying.oracle import (
    EventFacts,
    RatingRules,
    counted_from,
    tournament_value,
    updated_rating,
    value_rule,
)
from dippouch.verifying.tables import ExpectedTable, Figure, Rank, Rows

# A fraction grows with every event of a career. Past so many bits it is cut to _PLACES binary places, an error that is
# no larger than 2^-300 and that later events only shrink.
_LONGEST_FRACTION, _PLACES = 4096, 300


@dataclass(frozen=True, slots=True)
class _Step:
    """One line of a player's ledger."""

    appearance: Appearance
    value: Fraction
    before: Figure
    after: Figure
    counted: int


Career = list[_Step]


def expected_tables(seeds: Path, tolerance: Fraction) -> Iterator[ExpectedTable]:
    """Every table that ratings flow into, one after the other; the rows of each must be taken before the next.

    Args:
        seeds: the folder of the collection.
        tolerance: how far apart two ratings are the same for a rank.

    Raises:
        KeeperError: when a seed cannot be read.
    """
    observations = read_observations(seeds)
    tournaments, people, appearances = observations.tournaments, observations.people, observations.appearances
    systems = systems_today(read_rating_systems(seeds), tournaments.values())
    nations = _read_nations(seeds)
    near = Figure.of(tolerance)

    appearances.sort(key=lambda a: (a.tournament.tournament_id, a.player_id))
    yield _tournament_results(appearances, people)
    yield _included_tournaments(systems, tournaments.values())
    yield from observed_tables(seeds, observations)
    # Everybody's events by end date, start date, tournament id: the order in which every system applies them.
    appearances.sort(
        key=lambda a: (a.player_id, a.tournament.ended_on, a.tournament.started_on, a.tournament.tournament_id)
    )
    published: dict[str, tuple[Figure, int]] = {}
    for system, rules in sorted(systems.items()):
        careers = _careers(rules, appearances)
        yield _rating_history(system, careers)
        yield from _rankings(system, careers, people, nations, near)
        yield _yearly_ranking(system, rules, careers, people, near)
        if system == PUBLISHED_SYSTEM:
            published = {player_id: (career[-1].after, career[-1].counted) for player_id, career in careers.items()}
    initial = Figure.of(systems[PUBLISHED_SYSTEM].initial_rating) if PUBLISHED_SYSTEM in systems else None
    yield _players(initial, published, people, appearances, near)
    yield rating_systems_table(read_rating_systems(seeds), systems, seeds, tournaments.values(), _value)
    yield from published_comparisons(observations, systems.get(PUBLISHED_SYSTEM), published, _value)
    yield included_circuits_table(seeds, systems, tournaments, _value)


def systems_today(systems: dict[str, RatingRules], tournaments: Iterable[Tournament]) -> dict[str, RatingRules]:
    """The rules with the first day that they count from as the collection stands."""
    last = max((tournament.ended_on for tournament in tournaments if not tournament.is_withdrawn), default=None)
    if last is None:
        return systems
    return {system: replace(rules, first_counted_on=counted_from(rules, last)) for system, rules in systems.items()}


def _value(rules: RatingRules, tournament: Tournament) -> Fraction:
    if tournament.is_withdrawn:
        return Fraction(0)
    return tournament_value(rules, **_weighed(tournament))


def _weighed(tournament: Tournament) -> EventFacts:
    return EventFacts(
        is_world_championship=tournament.is_world_championship,
        ended_on=tournament.ended_on,
        players=tournament.players,
        rounds=tournament.rounds,
    )


def _cut(rating: Fraction) -> Fraction:
    """The rating, cut where it has become too long to be handled."""
    if rating.denominator.bit_length() <= _LONGEST_FRACTION:
        return rating
    return Fraction((rating.numerator << _PLACES) // rating.denominator, 1 << _PLACES)


def _careers(rules: RatingRules, appearances: list[Appearance]) -> dict[str, Career]:
    """Everybody's ledger under one rating system, people in the order of their ids."""
    values: dict[str, Fraction] = {}
    careers: dict[str, Career] = {}
    rating, before, counted = rules.initial_rating, Figure.of(rules.initial_rating), 0
    for appearance in appearances:
        if appearance.score is None:
            continue
        career = careers.get(appearance.player_id)
        if career is None:
            career = careers[appearance.player_id] = []
            rating, before, counted = rules.initial_rating, Figure.of(rules.initial_rating), 0
        tournament = appearance.tournament
        value = values.get(tournament.tournament_id)
        if value is None:
            value = values[tournament.tournament_id] = _value(rules, tournament)
        rating = _cut(updated_rating(rating, appearance.score, value))
        after = Figure.of(rating)
        counted += value > 0
        career.append(_Step(appearance, value, before, after, counted))
        before = after
    return careers


def _read_nations(seeds: Path) -> dict[str, str]:
    rows = read_rows(seeds / "reference/nations.csv")
    return {row["nation_code"].strip().upper(): row["name"].strip() for row in rows}


def _figure(fraction: Fraction | None) -> Figure | None:
    return None if fraction is None else Figure.of(fraction)


def _named(person: Person) -> tuple[str | None, str | None, str | None]:
    return person.first_name, person.last_name, person.nation_code


def _tournament_results(appearances: list[Appearance], people: dict[str, Person]) -> ExpectedTable:
    rows: Rows = (
        (
            (a.tournament.tournament_id, a.player_id),
            (a.placement, *_named(people[a.player_id]), _figure(a.score), a.listed_name),
        )
        for a in appearances
    )
    columns = ("placement", "first_name", "last_name", "nation_code", "percentile_score", "listed_name")
    return ExpectedTable("tournament_results", ("tournament_id", "player_id"), columns, rows)


def _included_tournaments(systems: dict[str, RatingRules], tournaments: Iterable[Tournament]) -> ExpectedTable:
    ordered = sorted(tournaments, key=lambda tournament: tournament.tournament_id)

    def rows() -> Rows:
        for system, rules in sorted(systems.items()):
            for tournament in ordered:
                value = _value(rules, tournament)
                yield (
                    (system, tournament.tournament_id),
                    (
                        text_or_none(tournament.stated["name"]),
                        tournament.ended_on,
                        tournament.players,
                        tournament.rounds,
                        Figure.of(value),
                        value > 0,
                        "withdrawn" if tournament.is_withdrawn else value_rule(rules, **_weighed(tournament)),
                    ),
                )

    columns = ("name", "ended_on", "players", "rounds", "tournament_value", "is_counted", "value_rule")
    return ExpectedTable("included_tournaments", ("rating_system_id", "tournament_id"), columns, rows())


def _rating_history(system: str, careers: dict[str, Career]) -> ExpectedTable:
    def rows() -> Rows:
        for player_id, career in careers.items():
            for number, step in enumerate(career, start=1):
                event = step.appearance
                yield (
                    (system, player_id, number),
                    (
                        event.tournament.tournament_id,
                        event.tournament.ended_on,
                        event.placement,
                        event.tournament.players,
                        _figure(event.score),
                        Figure.of(step.value),
                        step.before,
                        Figure(step.after - step.before),
                        step.after,
                    ),
                )

    return ExpectedTable(
        "rating_history",
        ("rating_system_id", "player_id", "event_number"),
        (
            "tournament_id",
            "ended_on",
            "placement",
            "players",
            "percentile_score",
            "tournament_value",
            "rating_before",
            "rating_change",
            "rating_after",
        ),
        rows(),
        system,
    )


def _ranked(ratings: dict[str, Figure], near: Figure) -> dict[str, Rank]:
    """The rank of everybody, with the ranks that ratings within the tolerance could have."""
    order = sorted(ratings.items(), key=lambda item: item[1], reverse=True)
    ranks = {}
    first = last = exact = 0
    for position, (player_id, rating) in enumerate(order, start=1):
        if position == 1 or rating != order[position - 2][1]:
            exact = position
        while order[first][1] - rating > near:
            first += 1
        last = max(last, first)
        while last < len(order) and rating - order[last][1] <= near:
            last += 1
        ranks[player_id] = Rank(exact, first + 1, last)
    return ranks


def _rankings(
    system: str, careers: dict[str, Career], people: dict[str, Person], nations: dict[str, str], near: Figure
) -> Iterator[ExpectedTable]:
    last = {player_id: career[-1] for player_id, career in careers.items() if career[-1].counted}
    ranks = _ranked({player_id: step.after for player_id, step in last.items()}, near)
    international: Rows = (
        (
            (system, player_id),
            (
                ranks[player_id],
                *_named(people[player_id]),
                step.after,
                step.counted,
                step.appearance.tournament.ended_on,
            ),
        )
        for player_id, step in last.items()
    )
    by_nation: dict[str, dict[str, Figure]] = defaultdict(dict)
    for player_id, step in last.items():
        if nation := people[player_id].nation_code:
            by_nation[nation][player_id] = step.after
    within = {player_id: rank for ratings in by_nation.values() for player_id, rank in _ranked(ratings, near).items()}
    national: Rows = (
        (
            (system, player_id),
            (
                *_named(people[player_id]),
                nations[people[player_id].nation_code or ""],
                within[player_id],
                ranks[player_id],
                step.after,
            ),
        )
        for player_id, step in last.items()
        if player_id in within
    )
    key = ("rating_system_id", "player_id")
    yield ExpectedTable(
        "international_ranking",
        key,
        ("rank", "first_name", "last_name", "nation_code", "rating", "tournaments_counted", "last_played_on"),
        international,
        system,
    )
    yield ExpectedTable(
        "national_ranking",
        key,
        ("first_name", "last_name", "nation_code", "nation_name", "national_rank", "international_rank", "rating"),
        national,
        system,
    )


def _yearly_ranking(
    system: str, rules: RatingRules, careers: dict[str, Career], people: dict[str, Person], near: Figure
) -> ExpectedTable:
    def rows() -> Rows:
        days = [step.appearance.tournament.ended_on for career in careers.values() for step in career]
        if not days:
            return
        first_day = rules.first_counted_on or min(days)
        positions = dict.fromkeys(careers, 0)
        for year in range(first_day.year, max(days).year + 1):
            ratings = {}
            for player_id, career in careers.items():
                position = positions[player_id]
                while position < len(career) and career[position].appearance.tournament.ended_on.year <= year:
                    position += 1
                positions[player_id] = position
                if position and career[position - 1].counted:
                    ratings[player_id] = career[position - 1].after
            ranks = _ranked(ratings, near)
            for player_id, rating in ratings.items():
                yield (system, year, player_id), (ranks[player_id], people[player_id].nation_code, rating)

    key = ("rating_system_id", "year", "player_id")
    return ExpectedTable("yearly_ranking", key, ("rank", "nation_code", "rating"), rows(), system)


def _players(
    initial: Figure | None,
    published: dict[str, tuple[Figure, int]],
    people: dict[str, Person],
    appearances: list[Appearance],
    near: Figure,
) -> ExpectedTable:
    """Everybody, with where they stand under the published system."""
    played: dict[str, list[date]] = defaultdict(list)
    for appearance in appearances:
        played[appearance.player_id].append(appearance.tournament.ended_on)
    ranks = _ranked({player_id: rating for player_id, (rating, counted) in published.items() if counted}, near)
    rows: Rows = (
        (
            (player_id,),
            (
                *_named(person),
                person.location_code,
                person.known_from,
                len(played[player_id]),
                min(played[player_id], default=None),
                max(played[player_id], default=None),
                published[player_id][0] if player_id in published else initial,
                ranks.get(player_id),
            ),
        )
        for player_id, person in sorted(people.items())
    )
    columns = (
        "first_name",
        "last_name",
        "nation_code",
        "location_code",
        "known_from",
        "tournaments_played",
        "first_played_on",
        "last_played_on",
        "rating",
        "international_rank",
    )
    return ExpectedTable("players", ("player_id",), columns, rows)
