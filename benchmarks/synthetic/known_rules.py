"""A published database with a history that known rules made: who rates higher under them tends to finish ahead.

It has the definitions of a real publication, and of its rows only what `marts.ranking_under` and its like read: seconds at sizes
where a build takes many minutes.
"""

from __future__ import annotations

import csv
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from pathlib import Path
from random import Random

import duckdb

from dippouch.db import attach, literal
from synthetic.player_names import player_name

_FIRST_DAY, _DAYS = date(1990, 1, 6), 35 * 365
_FIRST_COUNTED = date(2001, 1, 1)


@dataclass(frozen=True)
class Rules:
    """Rules that made a history; from the first day of 2001, as in the published ones."""

    initial_rating: float = 40
    world_championship_value: float = 20
    one_round_divisor: float = 7
    several_rounds_divisor: float = 3.5
    base_value: float = 2
    maximum_value: float = 15

    def value(self, event: Event) -> float:
        """The tournament value of an event, in percent."""
        if event.is_world_championship:
            return self.world_championship_value
        if event.ended_on < _FIRST_COUNTED:
            return 0.0
        divisor = self.one_round_divisor if event.rounds == 1 else self.several_rounds_divisor
        return min(event.players / divisor + self.base_value, self.maximum_value)


@dataclass(frozen=True)
class Event:
    """One tournament, and who played it: from the first place to the last."""

    number: int
    ended_on: date
    rounds: int | None
    is_world_championship: bool
    order: tuple[int, ...] = ()
    players: int = 0

    @property
    def tournament_id(self) -> str:
        """Ids stand in the order of the events."""
        return f"synthetic-{self.number:06}"


@dataclass(frozen=True)
class Played:
    """One result of a player, in the order in which events are rated."""

    player: int
    event: Event
    placement: int
    percentile: float


def play(tournaments: int, people: int, field: int, rules: Rules, *, luck: float, seed: int) -> list[Event]:
    """Let people meet in tournaments whose outcome is their rating under some rules, and luck.

    Args:
        tournaments: how many events.
        people: how many there are to play.
        field: players of an event, on average; half to one and a half times as many come.
        rules: the rules of the ratings that decide.
        luck: standard deviation of what the day adds to a rating, in points.
        seed: another number makes another history.
    """
    random = Random(seed)
    ratings = [float(rules.initial_rating)] * people
    events = []
    for number in range(tournaments):
        ended_on = _FIRST_DAY + timedelta(days=number * _DAYS // tournaments)
        is_championship = number % max(tournaments // 35, 1) == 0
        event = Event(number, ended_on, random.choice((None, 1, 2, 3, 4)), is_championship)
        size = min(people, max(2, round(field * random.uniform(0.5, 1.5))))
        invited: set[int] = set()
        while len(invited) < size:
            # Small numbers play more often than large ones.
            invited.add(int(people * random.random() ** 1.5))
        form = {player: ratings[player] + random.gauss(0, luck) for player in sorted(invited)}
        order = tuple(sorted(form, key=lambda player, form=form: (-form[player], player)))  # type: ignore[misc]
        event = replace(event, order=order, players=size)
        for played in _results(event):
            ratings[played.player] += rules.value(event) / 100 * (played.percentile - ratings[played.player])
        events.append(event)
    return events


def _results(event: Event) -> list[Played]:
    return [
        Played(player, event, placement, (event.players + 0.5 - placement) / event.players * 100)
        for placement, player in enumerate(event.order, start=1)
    ]


def careers(events: Iterable[Event]) -> list[list[Played]]:
    """Everybody's results in the order of the events, a list for each player who has any."""
    played: dict[int, list[Played]] = {}
    for event in events:
        for result in _results(event):
            played.setdefault(result.player, []).append(result)
    return [played[player] for player in sorted(played)]


def rate(history: Sequence[Sequence[Played]], rules: Rules) -> dict[int, float]:
    """Everybody's rating by a loop over a dictionary: the plain way, by which others are measured."""
    ratings: dict[int, float] = {}
    for career in history:
        for played in career:
            before = ratings.get(played.player, rules.initial_rating)
            ratings[played.player] = before + rules.value(played.event) / 100 * (played.percentile - before)
    return ratings


def write_published(template: Path, target: Path, events: Sequence[Event]) -> int:
    """Write a database with the definitions of a published one and the history of some events, rated by the published rules.

    Returns:
        How many results it has.
    """
    history = careers(events)
    with duckdb.connect() as connection, tempfile.TemporaryDirectory() as folder:
        attach(connection, template, "template")
        connection.execute(f"attach {literal(target)} as target")
        connection.execute("copy from database template to target (schema)")
        connection.execute("use target.marts")
        for table in ("rating_systems", "settings", "publication"):
            connection.execute(f"insert into {table} from template.marts.{table}")
        connection.execute(
            "update rating_systems set first_counted_on = ?, counted_from = ? where is_default",
            [_FIRST_COUNTED, _FIRST_COUNTED],
        )
        load = _Loader(connection, Path(folder))
        load.table("players", _people(history))
        load.table("tournaments", _tournaments(events))
        load.table("included_tournaments", _included(events))
        load.table("rating_history", _ledger(history))
        connection.execute(
            "insert into rating_periods by name select rating_system_id, player_id, event_number, rating_after as rating,"
            " cast(count(*) filter (where tournament_value > 0) over career as integer) as tournaments_counted,"
            " ended_on as valid_from, lead(ended_on) over career as valid_to from rating_history"
            " window career as (partition by rating_system_id, player_id order by event_number)"
        )
    return sum(map(len, history))


class _Loader:
    """Fills tables from rows, by way of a file, which is how DuckDB reads many."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self._connection = connection
        self._folder = folder

    def table(self, name: str, rows: Iterable[dict[str, object]]) -> None:
        """Fill a table; columns that the rows lack stay empty."""
        path = self._folder / f"{name}.csv"
        with path.open("w", encoding="utf-8", newline="") as file:
            writer: csv.DictWriter[str] | None = None
            for row in rows:
                if writer is None:
                    writer = csv.DictWriter(file, list(row))
                    writer.writeheader()
                writer.writerow(row)
        if writer is None:
            return
        self._connection.execute(f"insert into {name} by name from read_csv({literal(path)}, header = true)")


def player_id(player: int) -> str:
    """The id that a player has in the database."""
    return f"player-{player:07}"


def _people(history: Iterable[Sequence[Played]]) -> Iterable[dict[str, object]]:
    for career in history:
        player = career[0].player
        first_name, last_name, *_ = player_name(player)
        yield {
            "player_id": player_id(player),
            "first_name": first_name,
            "last_name": last_name,
            "tournaments_played": len(career),
            "first_played_on": career[0].event.ended_on,
            "last_played_on": career[-1].event.ended_on,
        }


def _tournaments(events: Iterable[Event]) -> Iterable[dict[str, object]]:
    for event in events:
        yield _event_columns(event) | {
            "started_on": event.ended_on,
            "is_world_championship": event.is_world_championship,
            "results_listed": event.players,
            "results_with_placement": event.players,
            "results_without_placement": 0,
            "results_missing": 0,
            "is_withdrawn": False,
            "is_corrected": False,
            "source_document": "synthetic",
            "source_sha256": "0" * 64,
            "source_form": "synthetic",
        }


def _included(events: Iterable[Event]) -> Iterable[dict[str, object]]:
    for event in events:
        value = Rules().value(event)
        yield _event_columns(event) | {
            "rating_system_id": "dptr",
            "tournament_value": value,
            "is_counted": value > 0,
            "value_rule": "synthetic",
        }


def _event_columns(event: Event) -> dict[str, object]:
    return {
        "tournament_id": event.tournament_id,
        "name": event.tournament_id,
        "ended_on": event.ended_on,
        "players": event.players,
        "rounds": event.rounds,
    }


def _ledger(history: Iterable[Sequence[Played]]) -> Iterable[dict[str, object]]:
    rules = Rules()
    for career in history:
        rating = float(rules.initial_rating)
        for number, played in enumerate(career, start=1):
            value = rules.value(played.event)
            change = value / 100 * (played.percentile - rating)
            yield {
                "rating_system_id": "dptr",
                "player_id": player_id(played.player),
                "event_number": number,
                "tournament_id": played.event.tournament_id,
                "ended_on": played.event.ended_on,
                "placement": played.placement,
                "players": played.event.players,
                "percentile_score": played.percentile,
                "tournament_value": value,
                "rating_before": rating,
                "rating_change": change,
                "rating_after": rating + change,
            }
            rating += change
