"""The facts of a small world: people with namesakes and accents, and the tournaments that documents describe."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from random import Random


@dataclass(frozen=True)
class Person:
    """A player.

    Attributes:
        plain: the name in documents without accents.
        number: their number at every source.
    """

    first: str
    last: str
    plain: tuple[str, str]
    nation: str
    number: int


@dataclass(frozen=True)
class Event:
    """A tournament with its complete, true results.

    Attributes:
        number: its number at every source.
        standings: people with their placements; None for participants without one.
    """

    name: str
    started_on: date
    ended_on: date
    kind: str
    players: int
    rounds: int
    number: int
    standings: tuple[tuple[Person, int | None], ...]


@dataclass(frozen=True)
class World:
    """The people and tournaments of one life."""

    people: tuple[Person, ...]
    events: tuple[Event, ...]


# Name, name without accents, nation. With namesakes, near namesakes, and one person without a first name.
_PEOPLE = (
    ("John", "SMITH", "John", "SMITH", "USA"),
    ("John", "SMITH", "John", "SMITH", "GBR"),
    ("J.", "SMITH", "J.", "SMITH", ""),
    ("Jon", "SMITH", "Jon", "SMITH", "USA"),
    ("Björn", "SÖDERBERG", "Bjorn", "SODERBERG", "SWE"),
    ("Bjorn", "SODERBERG", "Bjorn", "SODERBERG", ""),
    ("René", "van ROOIJEN", "Rene", "van ROOIJEN", "NLD"),
    ("François-Xavier", "LOISELEUX", "Francois-Xavier", "LOISELEUX", "FRA"),
    ("Łukasz", "ŻÓŁĆ", "Lukasz", "ZOLC", "POL"),
    ("Marie", "O'BRIEN", "Marie", "O'BRIEN", "IRL"),
    ("Xi", "LI", "Xi", "LI", ""),
    ("Ada", "LOVELACE", "Ada", "LOVELACE", "GBR"),
    ("Alan", "TURING", "Alan", "TURING", "GBR"),
    ("Emmy", "NOETHER", "Emmy", "NOETHER", "DEU"),
    ("Leï", "SÄÄRLAINEN", "Lei", "SAARLAINEN", "FIN"),
)
# Two equal names; two names that differ by an accent; a World Championship by its name; a name with a year.
_NAMES = ("Club Cup", "Club Cup", "World DipCon VI", "Open de Genève", "Open de Geneve", "WAC 6 2009", "Weasel Moot")
# Few days, so that tournaments share or nearly share them; on both sides of the first counted day.
_DAYS = (date(2000, 12, 31), date(2001, 1, 1), date(2009, 1, 23), date(2009, 1, 25), date(2009, 6, 6), date(2019, 5, 4))


def make_world(chance: Random) -> World:
    """Make a world of thirteen people and five tournaments, always the same for the same `chance`."""
    chosen = enumerate(sorted(chance.sample(_PEOPLE, 13)), start=101)
    people = tuple(
        Person(first, last, (plain_first, plain_last), nation, number)
        for number, (first, last, plain_first, plain_last, nation) in chosen
    )
    names = enumerate(sorted(chance.sample(_NAMES, 5)), start=201)
    return World(people, tuple(_event(chance, name, number, people) for number, name in names))


def _event(chance: Random, name: str, number: int, people: tuple[Person, ...]) -> Event:
    started_on = chance.choice(_DAYS)
    standings: list[tuple[Person, int | None]] = []
    placement, tied = 0, 1
    for person in chance.sample(people, chance.randint(2, 7)):
        if not placement or chance.random() < 0.75:
            # Some places have no player in this world.
            placement += tied + (chance.randint(1, 2) if chance.random() < 0.1 else 0)
            tied = 1
        else:
            tied += 1
        standings.append((person, placement))
    players = placement + tied - 1 + chance.randint(0, 30)
    if chance.random() < 0.3:
        standings[-1] = (standings[-1][0], None)
    ended_on = started_on + timedelta(days=chance.randint(0, 3))
    kind = "WDC" if name.startswith("World DipCon") else chance.choice(["", "CUP", "OPEN", "EDC"])
    return Event(name, started_on, ended_on, kind, players, chance.randint(1, 4), number, tuple(standings))
