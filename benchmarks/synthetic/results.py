"""Synthetic results of any size, one tournament after the other: forty years of a federation, never all in memory.

They contain every situation that the rules distinguish: World Championships (one a year), tournaments of one round, tournaments
before the first counted day, tournaments that declare no rounds, ties, people listed without a placement, tables with missing rows,
people of unknown nation, many people with a single tournament, and few with hundreds.

Who plays: there is a fixed number of seats. The higher the number of a seat, the less often its holder plays (in proportion to about
one over the number, as activity falls in most games). A person holds a seat for a dozen years, then another one does. So people
come and go, and no career grows with the size of the collection.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from math import expm1
from pathlib import Path
from random import Random

from dippouch.collection.schema import TOURNAMENTS

TOURNAMENT_HEADER = ("tournament_id", *TOURNAMENTS.correctable)
RESULT_HEADER = ("tournament_id", "placement", "first_name", "last_name", "nation_code")

_FIRST_DAY, _DAYS = date(1990, 1, 6), 35 * 365
_NATIONS = "USA GBR FRA DEU ITA SWE NLD BEL AUS CAN NOR DNK IRL AUT CHE ESP JPN BRA".split()
_PLACES = "Aldermoor Brackwater Castellan Dunhaven Eastmere Fallowfield Greyport Holmgard Ironbridge Jadeton".split()
_SMALLEST_FIELD = 7
# Means of a federation: players in a tournament, and tournaments in a career.
_MEAN_FIELD, _MEAN_CAREER = 40, 8
# The number of full careers that fit a seat's time. The first and the last career are cut, so a seat has one more.
_CAREERS = 3
_PEOPLE_OF_A_SEAT = _CAREERS + 1
# Seats change hands at different times: multiples of the golden ratio are spread evenly.
_GOLDEN = 0.618033988749895

_FIRST_NAMES = (
    "Ada Bela Cato Dario Edda Ferran Gita Hanno Ines Jori Kalle Lena Marek Nadia Otis Petra Quin Rosa Sven Talia"
    " Ugo Vera Wim Xenia Yann Zora Aurel Britt Cyril Dunja Emil Freya Goran Heidi Ivo Juna Karel Livia Milo Noor"
).split()
_SYLLABLES = "ba do fe gri ha jo ka lu men nor pe qua ro sti tal ur va wen xi zo mar sel bri".split()

# A row of a tournament's table: the placement (empty: listed without one), and the player.
Listed = tuple[int | str, int]


@dataclass(frozen=True)
class Size:
    """The size of a synthetic collection.

    Attributes:
        tournaments: number of tournaments.
        players: approximate number of people.
        results: approximate number of results, at least 7 per tournament.
        longest_career: approximate number of tournaments of the most active player.
    """

    tournaments: int
    players: int
    results: int
    longest_career: int = 400

    @classmethod
    def of(cls, results: int) -> Size:
        """Return the size for about this number of results: tournaments and players grow with it, fields and careers do not."""
        return cls(max(results // _MEAN_FIELD, 1), max(results // _MEAN_CAREER, 100), results)

    @property
    def mean_field(self) -> float:
        """Return the mean field size."""
        return max(self.results / self.tournaments, _SMALLEST_FIELD)

    @property
    def seats(self) -> int:
        """Return the number of people who may play a tournament."""
        return max(self.players // _PEOPLE_OF_A_SEAT, 1)

    @cached_property
    def steepness(self) -> float:
        """Return s, such that the first seat is taken (e^s - 1) / s times as often as the mean."""
        wanted = self.longest_career * _CAREERS * self.seats / self.results
        low, high = 1e-9, 20.0
        while high - low > 1e-9:
            middle = (low + high) / 2
            low, high = (middle, high) if expm1(middle) / middle < wanted else (low, middle)
        return low


@dataclass(frozen=True)
class Event:
    """One tournament.

    Attributes:
        cells: its stated facts, by the columns of tournaments.csv.
        players: the number of participants.
    """

    cells: dict[str, str]
    players: int


def tables(size: Size, seed: int) -> Iterator[tuple[Event, Iterator[Listed]]]:
    """Yield every tournament with the rows of its table; the same size and seed give the same ones."""
    for number in range(size.tournaments):
        # Each tournament has its own generator, independent of all others.
        chance = Random(f"{seed} {number}")
        event = _event(chance, number, size)
        yield event, _table(chance, number, event.players, size)


def write_synthetic(folder: Path, size: Size, seed: int) -> int:
    """Write tournaments.csv and results.csv into a folder; the same size and seed give the same bytes.

    Returns:
        The number of results written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    written = 0
    with (
        (folder / "tournaments.csv").open("w", encoding="utf-8", newline="") as tournaments_file,
        (folder / "results.csv").open("w", encoding="utf-8", newline="") as results_file,
    ):
        tournaments = csv.DictWriter(tournaments_file, TOURNAMENT_HEADER, lineterminator="\n")
        results = csv.writer(results_file, lineterminator="\n")
        tournaments.writeheader()
        results.writerow(RESULT_HEADER)
        for event, table in tables(size, seed):
            tournaments.writerow(event.cells)
            for placement, player in table:
                results.writerow((event.cells["tournament_id"], placement, *player_name(player), nation_of(player)))
                written += 1
    return written


def _event(random: Random, number: int, size: Size) -> Event:
    started_on = _FIRST_DAY + timedelta(days=number * _DAYS // size.tournaments)
    is_championship = number % max(size.tournaments // 35, 1) == 0
    one_round = not is_championship and random.random() < 0.2
    ended_on = started_on if one_round else started_on + timedelta(days=random.randrange(1, 3))
    field = max(_SMALLEST_FIELD, round(size.mean_field * random.uniform(0.3, 1.7)))
    players = min(field * (2 if is_championship else 1), size.seats)
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
    return Event(cells, players)


def _table(random: Random, number: int, players: int, size: Size) -> Iterator[Listed]:
    """Yield the rows of one tournament's table."""
    seats, steepness = size.seats, size.steepness
    scale = seats / expm1(steepness)
    taken: set[int] = set()
    while len(taken) < players:
        taken.add(int(scale * expm1(steepness * random.random())))
    # Active players are a little stronger; sorting adds the luck of the day.
    order = sorted(taken, key=lambda seat: (random.gauss(seat / seats, 0.5), seat))
    ties = random.random() < 0.1
    director = random.random() < 0.02
    cut = random.random() < 0.05
    passed = number / size.tournaments * _CAREERS
    placement = 1
    for position, seat in enumerate(order, start=1):
        tied = ties and position > 1 and random.random() < 0.2
        placement = placement if tied else position
        if cut and random.random() < 0.1:
            continue
        last = position == len(order)
        # The person who holds the seat at that time.
        player = seat * _PEOPLE_OF_A_SEAT + int(passed + seat * _GOLDEN % 1)
        yield ("" if director and last else placement), player


def nation_of(player: int) -> str:
    """Return a player's nation, the same in every tournament; one in twelve has none on record."""
    return "" if player % 12 == 11 else _NATIONS[player * 7 % len(_NATIONS)]


def player_name(number: int) -> tuple[str, str]:
    """Return the first and last name of synthetic player `number`, from 0; every number has a different name."""
    rest, first = divmod(number, len(_FIRST_NAMES))
    syllables: list[str] = []
    # At least three syllables; the number is written in base 23 with syllables for digits.
    while rest or len(syllables) < 3:
        rest, digit = divmod(rest, len(_SYLLABLES))
        syllables.append(_SYLLABLES[digit])
    return _FIRST_NAMES[first], "".join(syllables).upper()
