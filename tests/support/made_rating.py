"""An invented rating: players, tournaments, and the figures that a site would print, computed by a plain loop.

The rules are those of docs/methodology.md, written a second time on purpose: nothing here uses the project's rules.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from itertools import cycle, islice

FIRST_COUNTED = date(2001, 1, 1)
INITIAL = 40.0
# Codes of the World Diplomacy Database; the last one is its blank flag.
NATIONS = ("FRA", "USA", "ANG", "ALL", "ITA", "SUE", "YYY")
_FIRST_NAMES = "Anna Ben Chiara Dieter Émile Fiona Göran Hugh Inès Jean-Paul Karl Lars Marie Nils Olga Pia Leï".split()
_SYLLABLES = "BER DAN FOR GAR HOL KIN LAU MOR NOR PEL RIS SAN TOR VAL WES ÄRL ÉGU".split()
_KINDS = ("OPEN", "CUP", "EDC", "DIPCON", "NDC")


@dataclass(frozen=True)
class Player:
    """A player: the site's id, the name and the nation's code. The site may print the name as mojibake."""

    number: int
    first_name: str
    last_name: str
    nation: str
    misread: bool

    @property
    def printed(self) -> str:
        name = f"{self.first_name} {self.last_name}"
        return name.encode("latin-1").decode("cp850") if self.misread else name


@dataclass(frozen=True)
class Tournament:
    """A tournament: the site's id and facts, and the players' placements; None for a director who played.

    `shown_players` is the number of players on its page, None if the page does not state it. Rows of `cut` are broken there.
    """

    number: int
    name: str
    is_world_championship: bool
    nation: str
    started_on: date
    ended_on: date
    players: int
    rounds: int
    placements: Mapping[int, int | None]
    shown_players: int | None
    cut: frozenset[int]

    @property
    def value(self) -> float:
        if self.is_world_championship:
            return 20.0
        if self.ended_on < FIRST_COUNTED:
            return 0.0
        return min(self.players / (7 if self.rounds == 1 else 3.5) + 2, 15.0)

    def percentile(self, player: int) -> float | None:
        placement = self.placements.get(player)
        return None if placement is None else (self.players + 0.5 - placement) / self.players * 100


@dataclass
class MadeRating:
    """Players and tournaments by id, and the state of the rating after all of them.

    Attributes:
        careers: the counted tournaments of each ranked player, the earliest first.
        ratings: the unrounded ratings of the ranked players, the best first.
        ranks, national_ranks: their ranks; equal ratings share one.
    """

    players: dict[int, Player]
    tournaments: dict[int, Tournament]
    careers: dict[int, list[Tournament]] = field(default_factory=dict)
    ratings: dict[int, float] = field(default_factory=dict)
    ranks: dict[int, int] = field(default_factory=dict)
    national_ranks: dict[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.ratings, self.careers = rate(self.tournaments.values())
        self.ranks = ranks_of(self.ratings)
        for nation in NATIONS:
            of_nation = {one: rating for one, rating in self.ratings.items() if self.players[one].nation == nation}
            self.national_ranks |= ranks_of(of_nation)

    @property
    def counted(self) -> dict[int, Tournament]:
        """The tournaments that the rating includes."""
        return {number: one for number, one in self.tournaments.items() if one.value > 0}


def rate(tournaments: Iterable[Tournament]) -> tuple[dict[int, float], dict[int, list[Tournament]]]:
    """Return the ratings, the best first, and the careers of all players of counted tournaments."""
    ratings: dict[int, float] = {}
    careers: defaultdict[int, list[Tournament]] = defaultdict(list)
    for one in sorted(tournaments, key=lambda one: (one.ended_on, one.started_on, one.number)):
        for player in one.placements:
            percentile = one.percentile(player)
            if percentile is not None and one.value > 0:
                before = ratings.get(player, INITIAL)
                ratings[player] = before + one.value / 100 * (percentile - before)
                careers[player].append(one)
    return dict(sorted(ratings.items(), key=lambda item: (-item[1], item[0]))), dict(careers)


def ranks_of(ratings: Mapping[int, float]) -> dict[int, int]:
    """Return the ranks of ratings that are in descending order; equal ones share the best."""
    values = list(ratings.values())
    first = {value: rank for rank, value in reversed(list(enumerate(values, 1)))}
    return {player: first[value] for player, value in ratings.items()}


def make_rating(players: int = 3000, tournaments: int = 600, seed: int = 1) -> MadeRating:
    """Invent a rating of 20 years from 1999 on. Every tenth player has the name of the one before, and another id."""
    rng = random.Random(seed)  # noqa: S311 (reproducible)
    people: dict[int, Player] = {}
    for number in range(1001, 1001 + players):
        first, last = rng.choice(_FIRST_NAMES), "".join(rng.sample(_SYLLABLES, 3))
        if number % 10 == 0:
            first, last = people[number - 1].first_name, people[number - 1].last_name
        misread = "Ä" in last and first.isascii() and "É" not in last
        people[number] = Player(number, first, last, rng.choice(NATIONS), misread)
    everybody = list(people)
    rng.shuffle(everybody)
    newcomers, regulars = cycle(everybody), everybody[: max(players // 5, 30)]
    skill = {number: rng.random() for number in people}
    made = {}
    for number in range(1, tournaments + 1):
        year = 1999 + (number - 1) * 20 // tournaments
        is_first = number == 1 or year > 1999 + (number - 2) * 20 // tournaments
        size = min(rng.choice([7, 14, 21, 30, 45, 70]), len(regulars))
        field_ = list(dict.fromkeys([*islice(newcomers, size // 2 + 1), *rng.sample(regulars, size // 2)]))
        field_.sort(key=lambda one: skill[one] + rng.random(), reverse=True)
        placements: dict[int, int | None] = {}
        for place, player in enumerate(field_, 1):
            shared = place > 1 and rng.random() < 0.08
            placements[player] = placements[field_[place - 2]] if shared else place
        if rng.random() < 0.1:
            placements[field_[-1]] = None
        started = date(year, 1, 1) + timedelta(days=rng.randrange(360))
        started = started.replace(day=min(started.day, 25))
        name = "World DipCon" if is_first else f"{rng.choice(_KINDS)} of {rng.choice(_SYLLABLES).title()}"
        made[number] = Tournament(
            number,
            f"{name} {number} {year}",
            is_first,
            rng.choice(NATIONS[:-1]),
            started,
            started + timedelta(days=rng.choice([0, 0, 1, 2])),
            len(field_),
            rng.choice([1, 2, 3, 4]),
            placements,
            None if rng.random() < 0.05 else len(field_),
            frozenset(one for one in field_ if rng.random() < 0.01),
        )
    return MadeRating(people, made)
