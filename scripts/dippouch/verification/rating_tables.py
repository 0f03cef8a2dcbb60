"""The published tables that ratings flow into, row by row from everybody's ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from datetime import date
from itertools import compress, count, islice, repeat
from operator import sub

from dippouch.rating.rules import RatingRules
from dippouch.verification.inputs import Inputs, Person, Tournament, text_or_none
from dippouch.verification.ledger import Career, EventValue
from dippouch.verification.table_types import FixedPoint, Rows, expected_table

# The international rank of a row's player, as the ranking itself says it.
_INTERNATIONAL_RANK = (
    "(select any_value(ranked.rank) from published.marts.international_ranking as ranked"
    " where ranked.player_id = own.player_id and ranked.rating_system_id = {system})"
)


@expected_table(
    "tournament_results",
    "tournament_id player_id",
    "placement percentile_score listed_name first_name last_name nation_code",
)
def tournament_results(inputs: Inputs) -> Rows:
    """Every result, with its percentile score."""
    for tournament_id, tournament in inputs.tournaments.items():
        for result in tournament.results:
            person = inputs.people[result.player_id]
            yield (
                *(tournament_id, result.player_id, result.placement, result.score, result.listed_name),
                *(person.first_name, person.last_name, person.nation_code),
            )


@expected_table(
    "included_tournaments",
    "rating_system_id tournament_id",
    "name ended_on players rounds tournament_value is_counted value_rule",
)
def included_tournaments(tournaments: Mapping[str, Tournament], values: dict[str, dict[str, EventValue]]) -> Rows:
    """What every rating system makes of every tournament; the values by system and tournament."""
    for system, of_system in values.items():
        for tournament_id, tournament in tournaments.items():
            value = of_system[tournament_id]
            yield (
                *(system, tournament_id, text_or_none(tournament.stated["name"])),
                *(tournament.ended_on, tournament.players, tournament.rounds),
                *(value.figure, value.exact > 0, value.rule),
            )


@expected_table(
    "rating_history",
    "player_id event_number",
    "tournament_id ended_on placement players percentile_score tournament_value rating_before rating_change rating_after",
)
def rating_history(careers: dict[str, Career], values: dict[str, EventValue]) -> Rows:
    """Every line of the ledger under one rating system, which makes `values` of the tournaments."""
    # A career at once, column by column.
    for player_id, career in careers.items():
        tournaments = [result.tournament for result in career.results]
        before, after = career.ratings, career.ratings[1:]
        yield from zip(
            repeat(player_id),
            count(1),
            [tournament.tournament_id for tournament in tournaments],
            [tournament.ended_on for tournament in tournaments],
            [result.placement for result in career.results],
            [tournament.players for tournament in tournaments],
            [result.score for result in career.results],
            [values[tournament.tournament_id].figure for tournament in tournaments],
            before,
            map(sub, after, before),
            after,
            strict=False,
        )


@expected_table(
    "international_ranking",
    "player_id",
    "first_name last_name nation_code rating tournaments_counted last_played_on",
    rank="rank() over (order by rating desc)",
)
def international_ranking(careers: dict[str, Career], people: dict[str, Person]) -> Rows:
    """Everybody with a counted event under one rating system."""
    for player_id, career in careers.items():
        if career.counted:
            person, last = people[player_id], career.results[-1].tournament
            yield (
                *(player_id, person.first_name, person.last_name, person.nation_code),
                *(career.ratings[-1], career.counted, last.ended_on),
            )


@expected_table(
    "national_ranking",
    "player_id",
    "nation_code nation_name first_name last_name rating",
    national_rank="rank() over (partition by nation_code order by rating desc)",
    international_rank=_INTERNATIONAL_RANK.format(system="own.rating_system_id"),
)
def national_ranking(careers: dict[str, Career], people: dict[str, Person], nations: dict[str, str]) -> Rows:
    """The ranked players of known nations under one rating system."""
    for player_id, career in careers.items():
        person = people[player_id]
        if career.counted and (nation := person.nation_code):
            yield player_id, nation, nations[nation], person.first_name, person.last_name, career.ratings[-1]


@expected_table(
    "yearly_ranking",
    "year player_id",
    "nation_code rating",
    rank="rank() over (partition by year order by rating desc)",
)
def yearly_ranking(rules: RatingRules, careers: dict[str, Career], people: dict[str, Person]) -> Rows:
    """The ranking at the end of every year under one rating system."""
    if not careers:
        return
    first_day = rules.first_counted_on or min(c.results[0].tournament.ended_on for c in careers.values())
    last_day = max(career.results[-1].tournament.ended_on for career in careers.values())
    changes = _by_year(careers)
    nations = [people[player_id].nation_code for player_id in careers]
    ratings: list[FixedPoint | None] = [None] * len(careers)
    is_rated = bytearray(len(careers))
    # What counts from the first day on may rest on events before it.
    for year in range(min([first_day.year, *changes]), last_day.year + 1):
        for place, rating in changes[year].items():
            ratings[place] = rating
            is_rated[place] = True
        if year >= first_day.year:
            rated = [compress(values, is_rated) for values in (careers, nations, ratings)]
            yield from zip(repeat(year), *rated, strict=False)


def _by_year(careers: dict[str, Career]) -> dict[int, dict[int, FixedPoint]]:
    """By year the rating at its end of everybody who played in it, once an event of theirs was worth something.

    People are known by their place in `careers`.
    """
    changes: dict[int, dict[int, FixedPoint]] = defaultdict(dict)
    for place, career in enumerate(careers.values()):
        steps = zip(career.results, career.ratings[1:], strict=True)
        for result, rating in islice(steps, career.uncounted_first, None):
            changes[result.tournament.ended_on.year][place] = rating
    return changes


@expected_table(
    "players",
    "player_id",
    "first_name last_name nation_code location_code known_from tournaments_played first_played_on last_played_on rating",
    international_rank=_INTERNATIONAL_RANK.format(
        system="(select any_value(rating_system_id) from published.marts.rating_systems where is_default)"
    ),
)
def players(inputs: Inputs, initial: FixedPoint | None, ratings: dict[str, tuple[FixedPoint, int]]) -> Rows:
    """Everybody, with the rating under the default system; `initial` for who has none."""
    played: dict[str, list[date]] = defaultdict(list)
    for tournament in inputs.tournaments.values():
        for result in tournament.results:
            played[result.player_id].append(tournament.ended_on)
    for player_id, person in inputs.people.items():
        days = played[player_id]
        yield (
            *(player_id, person.first_name, person.last_name, person.nation_code, person.location_code),
            *(person.known_from, len(days), min(days, default=None), max(days, default=None)),
            ratings.get(player_id, (initial, 0))[0],
        )
