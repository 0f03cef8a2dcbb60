"""What the published tables must hold, recomputed from the seeds with exact fractions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from fractions import Fraction
from pathlib import Path

from dippouch.collection.reference import PUBLISHED_SYSTEM, read_rating_systems
from dippouch.collection.seeds import PUBLISHED_RANKINGS, RESULTS, TOURNAMENTS, Row, read_rows
from dippouch.verifying.oracle import (
    RatingRules,
    counted_from,
    percentile_score,
    shared_ranks,
    tournament_value,
    updated_rating,
)


@dataclass(frozen=True)
class Rank:
    """A rank with the exact ratings around it.

    Doubles carry about 16 digits: two ratings that differ by less than that may change places, so a published rank
    may be anything from `best` to `worst`, the ranks of ratings within the tolerance. `exact` is the rank by fractions.
    """

    exact: int
    best: int
    worst: int


Value = Fraction | Rank | date | str | int | bool | None


@dataclass(frozen=True)
class ExpectedTable:
    """A published table as it must be.

    Attributes:
        name: the table in schema `marts`.
        key: the columns that identify a row.
        columns: the further columns that are checked.
        rows: the values of `columns` by the values of `key`.
    """

    name: str
    key: tuple[str, ...]
    columns: tuple[str, ...]
    rows: dict[tuple[Value, ...], tuple[Value, ...]]


@dataclass(frozen=True)
class _Tournament:
    tournament_id: str
    started_on: date
    ended_on: date
    players: int | None
    rounds: int | None
    is_world_championship: bool


@dataclass(frozen=True)
class _Appearance:
    """A person in a tournament; without a placement, or in an event that declares no players, there is no score."""

    player_id: str
    tournament: _Tournament
    placement: int | None
    score: Fraction | None


@dataclass(frozen=True)
class _Step:
    """One line of a player's ledger."""

    appearance: _Appearance
    value: Fraction
    before: Fraction
    after: Fraction
    counted: int


Career = list[_Step]


def expected_tables(seeds: Path, tolerance: Fraction) -> Iterator[ExpectedTable]:
    """Every table that ratings flow into, one after the other.

    Args:
        seeds: the folder of the collection.
        tolerance: how far apart two ratings are the same for a rank.

    Raises:
        KeeperError: when a seed cannot be read.
    """
    tournaments = _read_tournaments(seeds)
    systems = _systems_today(read_rating_systems(seeds), tournaments.values())
    aliases = _read_aliases(seeds)
    appearances = list(_read_appearances(seeds, tournaments, aliases))
    nations = _nations_of_players(seeds, appearances, aliases)
    careers = {system: _careers(rules, appearances) for system, rules in systems.items()}

    yield _tournament_results(appearances)
    yield _included_tournaments(systems, tournaments.values())
    yield _rating_history(careers)
    yield from _rankings(careers, nations, tolerance)
    yield _yearly_ranking(systems, careers, nations, tolerance)
    yield _players(systems, careers, nations, appearances, tolerance)


def _date(text: str) -> date:
    return date.fromisoformat(text)


def _whole(text: str) -> int | None:
    return int(text) if text else None


def _read_tournaments(seeds: Path) -> dict[str, _Tournament]:
    championships = {
        row["kind"]
        for row in read_rows(seeds / "reference/tournament_kinds.csv")
        if row["is_world_championship"].lower() == "true"
    }
    return {
        row["tournament_id"]: _Tournament(
            row["tournament_id"],
            _date(row["started_on"]),
            _date(row["ended_on"]),
            _whole(row["players"]),
            _whole(row["rounds"]),
            row["kind"] in championships,
        )
        for row in read_rows(seeds / TOURNAMENTS.path, TOURNAMENTS.columns)
    }


def _read_aliases(seeds: Path) -> dict[tuple[str, str], str]:
    """The person behind a listed id, by (listed id, tournament id); the tournament is empty where it holds everywhere."""
    rows = read_rows(seeds / "reference/player_aliases.csv")
    return {(row["listed_player_id"], row["tournament_id"]): row["player_id"] for row in rows}


def _person(aliases: dict[tuple[str, str], str], listed_id: str, tournament_id: str) -> str:
    return aliases.get((listed_id, tournament_id)) or aliases.get((listed_id, "")) or listed_id


def _read_appearances(
    seeds: Path, tournaments: dict[str, _Tournament], aliases: dict[tuple[str, str], str]
) -> Iterator[_Appearance]:
    for row in read_rows(seeds / RESULTS.path, RESULTS.columns):
        tournament = tournaments[row["tournament_id"]]
        placement = _whole(row["placement"])
        score = percentile_score(tournament.players, placement) if tournament.players and placement else None
        yield _Appearance(_person(aliases, row["player_id"], tournament.tournament_id), tournament, placement, score)


def _nations_of_players(
    seeds: Path, appearances: list[_Appearance], aliases: dict[tuple[str, str], str]
) -> dict[str, str | None]:
    """The nation of everybody: the keeper's word, then the latest tournament that states one, then a published ranking.

    A tournament that lists the person under an alias comes after all that list the person's own id.
    """
    statements: dict[str, list[tuple[int, int, str, str]]] = defaultdict(list)

    def state(player_id: str, precedence: int, day: date, where: str, row: Row) -> None:
        nation = row["nation_code"].strip().upper()
        statements[player_id].append((-precedence, day.toordinal(), where, nation))

    for row in read_rows(seeds / "reference/players.csv"):
        state(row["player_id"], 1, date.min, "", row)
    for row, appearance in zip(read_rows(seeds / RESULTS.path), appearances, strict=True):
        own = row["player_id"] == appearance.player_id
        state(appearance.player_id, 2 if own else 3, appearance.tournament.ended_on, row["tournament_id"], row)
    for row in read_rows(seeds / PUBLISHED_RANKINGS.path):
        state(_person(aliases, row["player_id"], ""), 4, _date(row["last_update"]), row["ranking_name"], row)
    return {
        player_id: max((stated for stated in stated_ones if stated[3]), default=(0, 0, "", None))[3]
        for player_id, stated_ones in statements.items()
    }


def _systems_today(systems: dict[str, RatingRules], tournaments: Iterable[_Tournament]) -> dict[str, RatingRules]:
    """The rules with the first day that they count from as the collection stands."""
    last = max((tournament.ended_on for tournament in tournaments), default=None)
    if last is None:
        return systems
    return {system: replace(rules, first_counted_on=counted_from(rules, last)) for system, rules in systems.items()}


def _value(rules: RatingRules, tournament: _Tournament) -> Fraction:
    return tournament_value(
        rules,
        is_world_championship=tournament.is_world_championship,
        ended_on=tournament.ended_on,
        players=tournament.players,
        rounds=tournament.rounds,
    )


def _careers(rules: RatingRules, appearances: list[_Appearance]) -> dict[str, Career]:
    """Everybody's ledger under one rating system: events by end date, start date, tournament id."""
    events: dict[str, list[_Appearance]] = defaultdict(list)
    for appearance in appearances:
        if appearance.score is not None:
            events[appearance.player_id].append(appearance)
    values = {a.tournament.tournament_id: _value(rules, a.tournament) for a in appearances}

    careers = {}
    for player_id, played in events.items():
        played.sort(key=lambda a: (a.tournament.ended_on, a.tournament.started_on, a.tournament.tournament_id))
        rating, counted, career = rules.initial_rating, 0, []
        for appearance in played:
            assert appearance.score is not None
            value = values[appearance.tournament.tournament_id]
            after = updated_rating(rating, appearance.score, value)
            counted += value > 0
            career.append(_Step(appearance, value, rating, after, counted))
            rating = after
        careers[player_id] = career
    return careers


def _tournament_results(appearances: list[_Appearance]) -> ExpectedTable:
    rows: dict[tuple[Value, ...], tuple[Value, ...]] = {
        (a.tournament.tournament_id, a.player_id): (a.placement, a.score) for a in appearances
    }
    return ExpectedTable("tournament_results", ("tournament_id", "player_id"), ("placement", "percentile_score"), rows)


def _included_tournaments(systems: dict[str, RatingRules], tournaments: Iterable[_Tournament]) -> ExpectedTable:
    rows: dict[tuple[Value, ...], tuple[Value, ...]] = {}
    for tournament in tournaments:
        for system, rules in systems.items():
            value = _value(rules, tournament)
            rows[(system, tournament.tournament_id)] = (value, value > 0)
    return ExpectedTable(
        "included_tournaments", ("rating_system_id", "tournament_id"), ("tournament_value", "is_counted"), rows
    )


def _rating_history(careers: dict[str, dict[str, Career]]) -> ExpectedTable:
    rows: dict[tuple[Value, ...], tuple[Value, ...]] = {}
    for system, players in careers.items():
        for player_id, career in players.items():
            for number, step in enumerate(career, start=1):
                event = step.appearance
                rows[(system, player_id, number)] = (
                    event.tournament.tournament_id,
                    event.tournament.ended_on,
                    event.placement,
                    event.tournament.players,
                    event.score,
                    step.value,
                    step.before,
                    step.after - step.before,
                    step.after,
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
        rows,
    )


def _ranked(ratings: dict[str, Fraction], tolerance: Fraction) -> dict[str, Rank]:
    """The rank of everybody, with the ranks that ratings within the tolerance could have."""
    exact = dict(zip(ratings, shared_ranks(list(ratings.values())), strict=True))
    order = sorted(ratings.items(), key=lambda item: item[1], reverse=True)
    ranks = {}
    first = last = 0
    for player_id, rating in order:
        while order[first][1] - rating > tolerance:
            first += 1
        last = max(last, first)
        while last < len(order) and rating - order[last][1] <= tolerance:
            last += 1
        ranks[player_id] = Rank(exact[player_id], first + 1, last)
    return ranks


def _rankings(
    careers: dict[str, dict[str, Career]], nations: dict[str, str | None], tolerance: Fraction
) -> Iterator[ExpectedTable]:
    international: dict[tuple[Value, ...], tuple[Value, ...]] = {}
    national: dict[tuple[Value, ...], tuple[Value, ...]] = {}
    for system, players in careers.items():
        last = {player_id: career[-1] for player_id, career in players.items() if career[-1].counted}
        ranks = _ranked({player_id: step.after for player_id, step in last.items()}, tolerance)
        by_nation: dict[str, dict[str, Fraction]] = defaultdict(dict)
        for player_id, step in last.items():
            nation = nations[player_id]
            international[(system, player_id)] = (
                ranks[player_id],
                nation,
                step.after,
                step.counted,
                step.appearance.tournament.ended_on,
            )
            if nation:
                by_nation[nation][player_id] = step.after
        for nation, ratings in by_nation.items():
            for player_id, rank in _ranked(ratings, tolerance).items():
                national[(system, player_id)] = (nation, rank, ranks[player_id], ratings[player_id])
    key = ("rating_system_id", "player_id")
    columns = ("rank", "nation_code", "rating", "tournaments_counted", "last_played_on")
    yield ExpectedTable("international_ranking", key, columns, international)
    yield ExpectedTable(
        "national_ranking", key, ("nation_code", "national_rank", "international_rank", "rating"), national
    )


def _yearly_ranking(
    systems: dict[str, RatingRules],
    careers: dict[str, dict[str, Career]],
    nations: dict[str, str | None],
    tolerance: Fraction,
) -> ExpectedTable:
    rows: dict[tuple[Value, ...], tuple[Value, ...]] = {}
    days = [
        step.appearance.tournament.ended_on
        for players in careers.values()
        for career in players.values()
        for step in career
    ]
    for system, players in careers.items():
        if not players:
            continue
        first_day = systems[system].first_counted_on or min(days)
        states: dict[str, tuple[int, _Step | None]] = dict.fromkeys(players, (0, None))
        for year in range(first_day.year, max(days).year + 1):
            ratings = {}
            for player_id, career in players.items():
                position, step = states[player_id]
                while position < len(career) and career[position].appearance.tournament.ended_on.year <= year:
                    step = career[position]
                    position += 1
                states[player_id] = (position, step)
                if step and step.counted:
                    ratings[player_id] = step.after
            for player_id, rank in _ranked(ratings, tolerance).items():
                rows[(system, year, player_id)] = (rank, nations[player_id], ratings[player_id])
    return ExpectedTable(
        "yearly_ranking", ("rating_system_id", "year", "player_id"), ("rank", "nation_code", "rating"), rows
    )


def _players(
    systems: dict[str, RatingRules],
    careers: dict[str, dict[str, Career]],
    nations: dict[str, str | None],
    appearances: list[_Appearance],
    tolerance: Fraction,
) -> ExpectedTable:
    """Everybody, with where they stand under the published system."""
    played: dict[str, list[date]] = defaultdict(list)
    for appearance in appearances:
        played[appearance.player_id].append(appearance.tournament.ended_on)
    published = careers.get(PUBLISHED_SYSTEM, {})
    ranks = _ranked({p: career[-1].after for p, career in published.items() if career[-1].counted}, tolerance)
    initial = systems[PUBLISHED_SYSTEM].initial_rating if PUBLISHED_SYSTEM in systems else None
    rows: dict[tuple[Value, ...], tuple[Value, ...]] = {}
    for player_id, nation in nations.items():
        days = played[player_id]
        rows[(player_id,)] = (
            nation,
            len(days),
            min(days, default=None),
            max(days, default=None),
            published[player_id][-1].after if player_id in published else initial,
            ranks.get(player_id),
        )
    columns = ("nation_code", "tournaments_played", "first_played_on", "last_played_on", "rating", "international_rank")
    return ExpectedTable("players", ("player_id",), columns, rows)
