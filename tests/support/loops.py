"""Records, careers and predictions once more, in plain loops over every player and every day.

The published tables that they start from (results, tournaments, rating history, yearly ranking) are verified elsewhere,
with fractions. Each function gives the rows that a mart must hold.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import date
from itertools import combinations
from math import sqrt
from statistics import mean, stdev
from typing import Any

import duckdb
from dateutil.relativedelta import relativedelta

PUBLISHED = "dptr"
PREDICTORS = ("rating", "percentile average", "number of events")
Row = dict[str, Any]
Table = set[tuple[Any, ...]]


def _rows(connection: duckdb.DuckDBPyConnection, query: str) -> list[Row]:
    cursor = connection.execute(query)
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


class Facts:
    """What the loops start from, read through a connection where tables are `marts.<name>`."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.results = _rows(connection, "from marts.tournament_results")
        self.tournaments = {row["tournament_id"]: row for row in _rows(connection, "from marts.tournaments")}
        (self.settings,) = _rows(connection, "from marts.settings")
        self.counted = _rows(connection, "from marts.included_tournaments where is_counted")
        self.year_ends = _rows(connection, "from marts.yearly_ranking")
        self.careers: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in _rows(connection, "from marts.rating_history order by event_number"):
            self.careers[row["rating_system_id"], row["player_id"]].append(row)
        self.systems = sorted({system for system, _ in self.careers})
        self.days = sorted({row["ended_on"] for career in self.careers.values() for row in career})

    def careers_of(self, system: str) -> dict[str, list[Row]]:
        """Every player's events under a system, in order."""
        return {player: career for (of, player), career in self.careers.items() if of == system}

    def ended_on(self, result: Row) -> date:
        """The last day of the tournament of a result."""
        day = self.tournaments[result["tournament_id"]]["ended_on"]
        assert isinstance(day, date)
        return day

    def first_years(self) -> dict[str, int]:
        """The year of everybody's first tournament."""
        years: dict[str, list[int]] = defaultdict(list)
        for result in self.results:
            years[result["player_id"]].append(self.ended_on(result).year)
        return {player: min(played) for player, played in years.items()}


def rating_on(career: list[Row], day: date) -> float | None:
    """The rating at the end of a day; none before the first counted event."""
    past = [row for row in career if row["ended_on"] <= day]
    if not any(row["tournament_value"] > 0 for row in past):
        return None
    rating = past[-1]["rating_after"]
    assert isinstance(rating, float)
    return rating


def _ratings_on(careers: dict[str, list[Row]], day: date) -> dict[str, float]:
    ratings = {player: rating_on(career, day) for player, career in careers.items()}
    return {player: rating for player, rating in ratings.items() if rating is not None}


def number_one_reigns(facts: Facts) -> Table:
    """Who leads is looked up from scratch after every day on which anybody played."""
    found: Table = set()
    for system in facts.systems:
        careers_ = facts.careers_of(system)
        running: dict[str, tuple[date, float, bool]] = {}
        for day in facts.days:
            ratings = _ratings_on(careers_, day)
            leaders = {player for player, rating in ratings.items() if rating == max(ratings.values())}
            for player in set(running) - leaders:
                since, highest, shared = running.pop(player)
                found.add((system, player, since, day, (day - since).days, highest, shared))
            for player in leaders:
                since, highest, shared = running.get(player, (day, 0.0, False))
                running[player] = (since, max(highest, ratings[player]), shared or len(leaders) > 1)
        for player, (since, highest, shared) in running.items():
            found.add((system, player, since, None, None, highest, shared))
    return found


def player_records(facts: Facts) -> Table:
    """The rating of everybody after each of their days, and everybody's ranks at the ends of years."""
    ranks: dict[tuple[str, str], list[tuple[int, int]]] = defaultdict(list)
    for row in facts.year_ends:
        ranks[row["rating_system_id"], row["player_id"]].append((row["rank"], row["year"]))
    found: Table = set()
    for key, career in facts.careers.items():
        ends = [(rating_on(career, day), day) for day in {row["ended_on"] for row in career}]
        lived = [(-rating, day) for rating, day in ends if rating is not None]
        if lived:
            negative, day = min(lived)
            found.add((*key, -negative, day, *min(ranks[key], default=(None, None))))
    return found


def rating_jumps(facts: Facts) -> Table:
    """Every change with the number of larger ones before it, down to the hundredth."""
    found: Table = set()
    for system in facts.systems:
        events = [row for career in facts.careers_of(system).values() for row in career]
        for direction, sign in (("gain", 1), ("loss", -1)):
            sizes = sorted((row["rating_change"] * sign for row in events), reverse=True)
            for row in events:
                size = row["rating_change"] * sign
                rank = 1 + sizes.index(size)
                if size > 0 and rank <= 100:
                    found.add((system, direction, rank, row["player_id"], row["event_number"], row["rating_change"]))
    return found


def active_ranking(facts: Facts) -> Table:
    """Everybody's rank and last event, cut down to those who played in the years before the last counted one."""
    found: Table = set()
    for system in {row["rating_system_id"] for row in facts.counted}:
        last = max(row["ended_on"] for row in facts.counted if row["rating_system_id"] == system)
        since = last - relativedelta(years=facts.settings["active_years"])
        careers_ = facts.careers_of(system)
        everybody = _ratings_on(careers_, date.max)
        active = {player: rating for player, rating in everybody.items() if careers_[player][-1]["ended_on"] >= since}
        for player, rating in active.items():
            ranks = (1 + sum(other > rating for other in among.values()) for among in (active, everybody))
            found.add((system, *ranks, player, rating, careers_[player][-1]["ended_on"]))
    return found


def performances(facts: Facts) -> Table:
    """Every listed player of every event against every other: who was ahead, and who was rated higher before it."""
    fields: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for (system, _), career in facts.careers.items():
        for row in career:
            fields[system, row["tournament_id"]].append(row)
    rows = []
    for (system, tournament), field in fields.items():
        for row in field:
            others = [other for other in field if other is not row]
            listed = 1 + sum((1 + _sign(row["placement"] - other["placement"])) / 2 for other in others)
            expected = 1 + sum((1 + _sign(other["rating_before"] - row["rating_before"])) / 2 for other in others)
            key = (system, row["player_id"], row["event_number"], tournament)
            rows.append((*key, len(field), listed, expected, expected - listed))
    better: dict[str, list[float]] = defaultdict(list)
    for row_ in rows:
        better[row_[0]].append(row_[-1])
    for places in better.values():
        places.sort(reverse=True)
    return {(*row_, 1 + better[row_[0]].index(row_[-1])) for row_ in rows}


def newcomers(facts: Facts) -> Table:
    """The rankings at the ends of years, cut down to those whose first tournament was in that year."""
    first_years = facts.first_years()
    classes: dict[tuple[str, int], list[Row]] = defaultdict(list)
    for row in facts.year_ends:
        if first_years[row["player_id"]] == row["year"]:
            classes[row["rating_system_id"], row["year"]].append(row)
    return {
        (
            *key,
            1 + sum(other["rating"] > row["rating"] for other in fresh),
            row["rank"],
            row["player_id"],
            row["rating"],
        )
        for key, fresh in classes.items()
        for row in fresh
    }


def head_to_head(facts: Facts, player: str) -> Table:
    """Every two results of every tournament."""
    meetings: dict[str, list[tuple[int, date]]] = defaultdict(list)
    placed = [result for result in facts.results if result["placement"] is not None]
    for own in (result for result in placed if result["player_id"] == player):
        for other in placed:
            if other["player_id"] != player and other["tournament_id"] == own["tournament_id"]:
                meetings[other["player_id"]].append((other["placement"] - own["placement"], facts.ended_on(own)))
    return {
        (
            opponent,
            len(met),
            sum(lead > 0 for lead, _ in met),
            sum(lead < 0 for lead, _ in met),
            sum(lead == 0 for lead, _ in met),
            max(day for _, day in met),
        )
        for opponent, met in meetings.items()
    }


_STREAKS: dict[str, Callable[[Row], bool]] = {
    "win": lambda row: row["placement"] == 1,
    "podium": lambda row: row["placement"] <= 3,
    "upper half": lambda row: row["percentile_score"] > 50,
}


def streaks(facts: Facts) -> Table:
    """Every career, event by event."""
    found: Table = set()
    for player, career in facts.careers_of(PUBLISHED).items():
        for kind, hit in _STREAKS.items():
            runs: list[list[Row]] = [[]]
            for row in career:
                if hit(row):
                    runs[-1].append(row)
                else:
                    runs.append([])
            longest = max(runs, key=len)
            if len(longest) > 1:
                is_running = longest[-1] is career[-1]
                found.add((kind, player, len(longest), longest[0]["ended_on"], longest[-1]["ended_on"], is_running))
    return found


def careers(facts: Facts) -> Table:
    """Everybody's results, counted."""
    listed: dict[str, list[Row]] = defaultdict(list)
    for result in facts.results:
        listed[result["player_id"]].append(result)
    championships = {key for key, tournament in facts.tournaments.items() if tournament["is_world_championship"]}
    medals = {p: tuple(sum(r["placement"] == place for r in of) for place in (1, 2, 3)) for p, of in listed.items()}
    found: Table = set()
    for player, results in listed.items():
        days = [facts.ended_on(result) for result in results]
        at_championships = [result["placement"] for result in results if result["tournament_id"] in championships]
        found.add(
            (
                player,
                len(results),
                len(at_championships),
                len({day.year for day in days}),
                min(days),
                max(days),
                *medals[player],
                sum(placement in {1, 2, 3} for placement in at_championships),
                1 + sum(other > medals[player] for other in medals.values()) if any(medals[player]) else None,
            )
        )
    return found


def attendance(facts: Facts) -> Table:
    """Every year's tournaments and people, counted."""
    first_years = facts.first_years()
    found: Table = set()
    for year in {tournament["ended_on"].year for tournament in facts.tournaments.values()}:
        held = [tournament for tournament in facts.tournaments.values() if tournament["ended_on"].year == year]
        declared = [tournament["players"] for tournament in held if tournament["players"] is not None]
        people = {result["player_id"] for result in facts.results if facts.ended_on(result).year == year}
        found.add(
            (
                year,
                len(held),
                sum(declared) if declared else None,
                sum(declared) / len(declared) if declared else None,
                max(declared, default=None),
                len(people),
                sum(first_years[player] == year for player in people),
            )
        )
    return found


Skill = tuple[int, int, float, float | None]


def prediction_skill(facts: Facts) -> dict[tuple[str, str], Skill]:
    """By predictor and tournament: pairs, undecided pairs, concordance, and tau-b from the textbook's counts of ties."""
    fields: dict[str, list[tuple[int, dict[str, float]]]] = defaultdict(list)
    for career in facts.careers_of(PUBLISHED).values():
        for number, row in enumerate(career):
            scores = [earlier["percentile_score"] for earlier in career[:number]]
            known = (row["rating_before"], mean(scores) if scores else 50.0, float(number))
            if row["tournament_value"] > 0:
                fields[row["tournament_id"]].append((row["placement"], dict(zip(PREDICTORS, known, strict=True))))
    found: dict[tuple[str, str], Skill] = {}
    for tournament, field in fields.items():
        for predictor in PREDICTORS:
            signs = Counter(
                (_sign(two[0] - one[0]), _sign(one[1][predictor] - two[1][predictor]))
                for one, two in combinations(field, 2)
            )
            right = signs[1, 1] + signs[-1, -1]
            wrong = signs[1, -1] + signs[-1, 1]
            undecided = signs[1, 0] + signs[-1, 0]
            told_apart = right + wrong + signs[0, 1] + signs[0, -1]
            pairs = right + wrong + undecided
            if pairs:
                tau = (right - wrong) / sqrt(pairs * told_apart) if told_apart else None
                found[predictor, tournament] = (pairs, undecided, (right + undecided / 2) / pairs, tau)
    return found


_SIZES = ((20, "1-19"), (40, "20-39"), (80, "40-79"), (10**9, "80+"))


def rating_skill(facts: Facts) -> dict[tuple[str, str, str], tuple[float | None, ...]]:
    """By kind of slice, slice and predictor: the tournaments of the slice, averaged."""
    skill = prediction_skill(facts)
    slices: dict[tuple[str, str, str], list[str]] = defaultdict(list)
    for predictor, tournament in skill:
        event = facts.tournaments[tournament]
        size = next(label for limit, label in _SIZES if event["players"] < limit)
        for kind, label in (("all", "all"), ("year", str(event["ended_on"].year)), ("event size", size)):
            slices[kind, label, predictor].append(tournament)
    found: dict[tuple[str, str, str], tuple[float | None, ...]] = {}
    for (kind, label, predictor), tournaments in slices.items():
        compared = [skill[predictor, tournament] for tournament in tournaments]
        taus = [tau for _, _, _, tau in compared if tau is not None]
        leads = [skill["rating", tournament][2] - skill[predictor, tournament][2] for tournament in tournaments]
        pairs = sum(entry[0] for entry in compared)
        found[kind, label, predictor] = (
            len(tournaments),
            pairs,
            sum(entry[1] for entry in compared) / pairs,
            *_interval([entry[2] for entry in compared]),
            len(taus),
            *_interval(taus),
            *(_interval(leads) if predictor != "rating" else (None, None, None)),
        )
    return found


def _interval(values: list[float]) -> tuple[float | None, float | None, float | None]:
    """The mean, and 1.96 standard errors below and above it."""
    if not values:
        return (None, None, None)
    if len(values) == 1:
        return (values[0], None, None)
    margin = 1.96 * stdev(values) / sqrt(len(values))
    return (mean(values), mean(values) - margin, mean(values) + margin)


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)
