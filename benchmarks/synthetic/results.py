"""Synthetic bulk results: tournaments.csv and results.csv that `scripts/import_results.py` reads.

Everything that the rules tell apart occurs: World Championships (one a year), events of one round, events before the
first counted day, events that declare no rounds, ties, people listed without a placement, tables with rows missing,
people of unknown nation, many people with a single event, and one person with a very long career.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from random import Random

from dippouch.seeds.schema import TOURNAMENT_FACTS
from synthetic.player_names import player_name

TOURNAMENT_HEADER = ("tournament_id", *TOURNAMENT_FACTS)
RESULT_HEADER = ("tournament_id", "placement", "first_name", "last_name", "nation_code")

_FIRST_DAY, _DAYS = date(1990, 1, 6), 35 * 365
_NATIONS = "USA GBR FRA DEU ITA SWE NLD BEL AUS CAN NOR DNK IRL AUT CHE ESP JPN BRA".split()
_PLACES = "Aldermoor Brackwater Castellan Dunhaven Eastmere Fallowfield Greyport Holmgard Ironbridge Jadeton".split()
_SMALLEST_FIELD = 7


@dataclass(frozen=True)
class Size:
    """How large a synthetic collection is.

    Attributes:
        tournaments: how many events.
        players: how many people there are to play them.
        results: about how many results are listed, at least 7 an event.
        longest_career: how many events the most faithful player plays.
    """

    tournaments: int
    players: int
    results: int
    longest_career: int = 400

    @property
    def mean_field(self) -> float:
        """Players an event, on average."""
        return max(self.results / self.tournaments, _SMALLEST_FIELD)


@dataclass(frozen=True)
class _Event:
    cells: dict[str, str]
    players: int


def write_synthetic(folder: Path, size: Size, seed: int) -> int:
    """Write tournaments.csv and results.csv into a folder; the same size and seed give the same bytes.

    Returns:
        How many results were written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    random = Random(seed)
    written = 0
    with (
        (folder / "tournaments.csv").open("w", encoding="utf-8", newline="") as tournaments_file,
        (folder / "results.csv").open("w", encoding="utf-8", newline="") as results_file,
    ):
        tournaments = csv.DictWriter(tournaments_file, TOURNAMENT_HEADER, lineterminator="\n")
        results = csv.writer(results_file, lineterminator="\n")
        tournaments.writeheader()
        results.writerow(RESULT_HEADER)
        for number in range(size.tournaments):
            event = _event(random, number, size)
            tournaments.writerow(event.cells)
            for placement, player in _table(random, number, event.players, size):
                results.writerow((event.cells["tournament_id"], placement, *player_name(player), _nation(player)))
                written += 1
    return written


def _event(random: Random, number: int, size: Size) -> _Event:
    started_on = _FIRST_DAY + timedelta(days=number * _DAYS // size.tournaments)
    is_championship = number % max(size.tournaments // 35, 1) == 0
    one_round = not is_championship and random.random() < 0.2
    ended_on = started_on if one_round else started_on + timedelta(days=random.randrange(1, 3))
    field = max(_SMALLEST_FIELD, round(size.mean_field * random.uniform(0.3, 1.7)))
    players = min(field * (2 if is_championship else 1), size.players)
    rounds = "1" if one_round else random.choice(("", "2", "3", "3", "4", "5"))
    place = _PLACES[random.randrange(len(_PLACES))]
    name = f"{'Synthetic World Championship' if is_championship else f'{place} Cup'} {number + 1}"
    cells = {
        "tournament_id": f"synthetic-{number + 1}",
        "name": name,
        "subtitle": "",
        "kind": "WDC" if is_championship else "CUP",
        "started_on": started_on.isoformat(),
        "ended_on": ended_on.isoformat(),
        "place": place,
        "nation_code": random.choice(_NATIONS),
        "players": str(players),
        "rounds": rounds,
        "boards": str(max(1, int(rounds or 3) * players // 7)),
    }
    return _Event(cells, players)


def _table(random: Random, number: int, players: int, size: Size) -> Iterator[tuple[int | str, int]]:
    """The rows of one event's table: placement (empty: listed without one) and player."""
    # The first player is the one with the long career; small numbers are invited more often than large ones.
    spread = max(size.tournaments // size.longest_career, 1)
    invited = {0} if number % spread == 0 and number // spread < size.longest_career else set()
    while len(invited) < players:
        invited.add(int(size.players * random.random() ** 2.5))
    # Whoever plays more is a little stronger; the sort is what the day made of it.
    order = sorted(invited, key=lambda player: (random.gauss(player / size.players, 0.5), player))
    ties = random.random() < 0.1
    director = random.random() < 0.02
    cut = random.random() < 0.05
    placement = 1
    for position, player in enumerate(order, start=1):
        tied = ties and position > 1 and random.random() < 0.2
        placement = placement if tied else position
        if cut and random.random() < 0.1:
            continue
        last = position == len(order)
        yield ("" if director and last else placement), player


def _nation(player: int) -> str:
    """The nation of a player, the same in every event; one in twelve has none on record."""
    return "" if player % 12 == 11 else _NATIONS[player * 7 % len(_NATIONS)]
