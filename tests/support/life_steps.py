"""Random steps in the life of a small collection: commands, with documents about the tournaments of a small invented world."""

from __future__ import annotations

import shlex
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple

from dippouch.names import readable_id_or_empty
from support.seed_rows import Rows

# First name, last name, nation. With namesakes, near namesakes, and people without a nation.
_PEOPLE = (
    ("John", "SMITH", "USA"),
    ("John", "SMITH", "GBR"),
    ("J.", "SMITH", ""),
    ("Jon", "SMITH", "USA"),
    ("Björn", "SÖDERBERG", "SWE"),
    ("Bjorn", "SODERBERG", ""),
    ("René", "van ROOIJEN", "NLD"),
    ("Łukasz", "ŻÓŁĆ", "POL"),
    ("Marie", "O'BRIEN", "IRL"),
    ("Xi", "LI", ""),
    ("Ada", "LOVELACE", "GBR"),
    ("Emmy", "NOETHER", "DEU"),
    ("Leï", "SÄÄRLAINEN", "FIN"),
)
# Two equal names; two names that differ by an accent; a World Championship by its name; a name with a year.
_NAMES = ("Club Cup", "Club Cup", "World DipCon VI", "Open de Genève", "Open de Geneve", "WAC 6 2009", "Weasel Moot")
# Few days, so that tournaments share or nearly share them; on both sides of the first counted day.
_DAYS = (date(2000, 12, 31), date(2001, 1, 1), date(2009, 1, 23), date(2009, 1, 25), date(2009, 6, 6), date(2019, 5, 4))
_COLUMNS = ("placement", "first_name", "last_name", "nation_code", "wdd_id")
# Corrections of a tournament, valid and invalid.
_CORRECTED = (
    *("players=5", "players=12", "players=40", "players=nine", "rounds=1", "rounds=4", "kind=WDC", "kind=LEAGUE"),
    *("name=Club Cup", "name=", "started_on=2009-01-24", "ended_on=2009-01-26", "ended_on=2031-01-01"),
)


class Person(NamedTuple):
    """A player, with the number that every source gives them."""

    first: str
    last: str
    nation: str
    number: int


@dataclass(frozen=True)
class Event:
    """A tournament with its true results; the placement is None for participants without one."""

    name: str
    started_on: date
    ended_on: date
    kind: str
    players: int
    rounds: int
    number: int
    standings: tuple[tuple[Person, int | None], ...]


@dataclass(frozen=True)
class Run:
    """A command of `dptr` to run.

    Attributes:
        kind: the name of the step in counts.
        number: the number of the step, which names the folder of its documents.
        command: the subcommand.
        arguments: its arguments; `{documents}` stands for that folder.
        files: the texts of the documents, by file name.
    """

    kind: str
    number: int
    command: str
    arguments: tuple[str, ...]
    files: Mapping[str, str] = field(default_factory=dict)

    def words(self, folder: Path, seeds: Path) -> list[str]:
        """Write the documents below a folder; return the command line for a collection."""
        documents = folder / str(self.number)
        for name, text in self.files.items():
            (documents / name).parent.mkdir(parents=True, exist_ok=True)
            (documents / name).write_text(text, encoding="utf-8")
        arguments = (word.replace("{documents}", str(documents)) for word in self.arguments)
        return [self.command, *arguments, "--seeds", str(seeds)]

    def __str__(self) -> str:
        """Format the command with its documents for people."""
        lines = [f"{self.number}. dptr {self.command} {shlex.join(self.arguments)}"]
        return "\n".join([*lines, *(f"{name}:\n{text}" for name, text in self.files.items())])


@dataclass(frozen=True)
class Scene:
    """The input of a step.

    Attributes:
        world: the tournaments of documents.
        rows: the rows of the collection; empty before its first import.
        number: the number of the step.
        chance: the generator of all random choices.
        imported: the imports tried before.
    """

    world: Sequence[Event]
    rows: Rows
    number: int
    chance: Random
    imported: Sequence[Run]

    def sometimes(self, share: float, *words: str) -> tuple[str, ...]:
        """Return the words with a probability of `share`, else none."""
        return words if self.chance.random() < share else ()

    def tournament(self) -> tuple[str, list[str]]:
        """Return the id of a tournament with its players, or an unknown one."""
        players = defaultdict(list)
        for row in self.rows.get("raw_results", []):
            players[row["tournament_id"]].append(row["player_id"])
        return self.chance.choice(sorted(players.items()) or [("no-such-event-1999", ["nobody-at-all"])])

    def people(self) -> list[str]:
        """Return every player's id, or an unknown one."""
        return sorted({row["player_id"] for row in self.rows.get("raw_results", [])}) or ["nobody-at-all"]

    def decides(self, command: str, *arguments: str) -> Run:
        """Return a decision; the command is the kind of the step."""
        return Run(command, self.number, command, (*arguments, "--reason", "the director's list"))

    def imports(self, kind: str, files: Mapping[str, str], *, together: bool = False) -> Run:
        """Return an import of one document, named by its first file, or of several `together`, with random options."""
        name = self.chance.choice(["J. SMITH", "Jon SMITH", "Bjorn SODERBERG"])
        options = (
            *self.sometimes(0.2, "--another-event"),
            *self.sometimes(0.1, "--strict"),
            *self.sometimes(0.3, "--replace"),
            *self.sometimes(0.03, "--same", f"{name}={self.chance.choice(self.people())}"),
            *self.sometimes(0.9, "--new", "all"),
        )
        path = "{documents}" if together else f"{{documents}}/{next(iter(files))}"
        return Run(kind, self.number, "import", (*options, path), files)


def make_world(chance: Random) -> list[Event]:
    """Return five tournaments of eleven people, always the same for the same `chance`."""
    people = [Person(*one, number) for number, one in enumerate(sorted(chance.sample(_PEOPLE, 11)), start=101)]
    return [_event(chance, *one, people) for one in enumerate(sorted(chance.sample(_NAMES, 5)), start=201)]


def _event(chance: Random, number: int, name: str, people: Sequence[Person]) -> Event:
    standings: list[tuple[Person, int | None]] = []
    placement, tied = 0, 1
    for person in chance.sample(people, chance.randint(2, 7)):
        if not placement or chance.random() < 0.75:
            placement, tied = placement + tied, 1
        else:
            tied += 1
        standings.append((person, placement))
    players = placement + tied - 1 + chance.randint(0, 30)
    if chance.random() < 0.3:
        standings[-1] = (standings[-1][0], None)
    started_on = chance.choice(_DAYS)
    ended_on = started_on + timedelta(days=chance.randint(0, 3))
    kind = "WDC" if name.startswith("World DipCon") else chance.choice(["", "CUP", "OPEN", "EDC"])
    return Event(name, started_on, ended_on, kind, players, chance.randint(1, 4), number, tuple(standings))


def _described(chance: Random, event: Event) -> Event:
    """Return a tournament as some source describes it: often as it was, sometimes with gaps or slips."""
    oddity = chance.choice(["", "", "", "gaps", "swapped", "other days", "renamed", "other size", "stranger"])
    standings = list(event.standings)
    if oddity == "gaps":
        standings = [line for line in standings if chance.random() < 0.7] or standings
    elif oddity == "swapped":
        (one, place), (other, other_place) = standings[0], standings[-1]
        standings[0], standings[-1] = (one, other_place), (other, place)
    elif oddity == "stranger":
        standings.append((Person("Zoë", chance.choice(["NEWMAN", "SMITH"]), "", 199), None))
    elif oddity == "other days":
        shift = timedelta(days=chance.choice([-1, 1, 7, 8, 200]))
        event = replace(event, started_on=event.started_on + shift, ended_on=event.ended_on + shift)
    elif oddity == "renamed":
        event = replace(event, name=chance.choice([event.name.upper(), f"{event.name} (final)", "Grand Prix"]))
    elif oddity == "other size":
        event = replace(event, players=chance.choice([1, len(standings), 60]), rounds=chance.choice([1, 3]))
    return replace(event, standings=tuple(standings), kind=event.kind if chance.random() < 0.5 else "")


def _rows(chance: Random, event: Event) -> list[str]:
    """Return the lines of a table. A source states nations and ids of everybody or nobody, and may omit accents."""
    nations, ids, accents = chance.random() < 0.8, chance.random() < 0.5, chance.random() < 0.7
    rows = []
    for person, place in event.standings:
        cells = (place or "", person.first, person.last, person.nation * nations, str(person.number) * ids)
        rows.append(",".join(map(str, cells)))
    return rows if accents else [unicodedata.normalize("NFD", row).encode("ascii", "ignore").decode() for row in rows]


def _table(chance: Random, event: Event) -> str:
    """Return a tournament as a table with its facts above."""
    facts = {
        "name": event.name,
        "date": f"{event.started_on} - {event.ended_on}",
        "players": event.players,
        "rounds": event.rounds,
        "kind": event.kind,
        "place": chance.choice(["", "Genève", "Seattle"]),
        "wdd_id": event.number if chance.random() < 0.5 else "",
    }
    lines = [f"{name}: {value}" for name, value in facts.items() if value]
    return "\n".join([*lines, "", ",".join(_COLUMNS), *_rows(chance, event), ""])


def _import_csv(scene: Scene) -> Run:
    event = _described(scene.chance, scene.chance.choice(scene.world))
    return scene.imports("import csv", {"standings.csv": _table(scene.chance, event)})


def _import_two_tables(scene: Scene) -> Run:
    chance = scene.chance
    tournaments = ["tournament_id,name,started_on,ended_on,kind,players,rounds"]
    results = [",".join(("tournament_id", *_COLUMNS))]
    for event in (_described(chance, one) for one in chance.choices(scene.world, k=chance.randint(1, 2))):
        given = readable_id_or_empty(f"{event.name} {event.ended_on.year}" if chance.random() < 0.8 else event.name)
        facts = (given, event.name, event.started_on, event.ended_on, event.kind, event.players, event.rounds)
        tournaments.append(",".join(map(str, facts)))
        results += [f"{given},{row}" for row in _rows(chance, event)]
    files = {"tournaments.csv": tournaments, "results.csv": results}
    return scene.imports("import two tables", {name: "\n".join([*lines, ""]) for name, lines in files.items()})


def _import_several(scene: Scene) -> Run:
    """Import several files at once, two of them about one tournament; some may be refused, the others are imported."""
    one, other = scene.chance.choices(scene.world, k=2)
    events = [_described(scene.chance, event) for event in (one, one, other)]
    files = {f"{number}.csv": _table(scene.chance, event) for number, event in enumerate(events)}
    return scene.imports("import several", files, together=True)


def _import_player(scene: Scene) -> Run:
    """Import a player's page with some of their tournaments, in the form of the World Diplomacy Database."""
    person, _ = scene.chance.choice(scene.chance.choice(scene.world).standings)
    events = [_described(scene.chance, event) for event in scene.world if person in dict(event.standings)]
    rows = [
        f"<tr class='row_odd'><td>{event.started_on} - {event.ended_on}</td><td>{event.kind}</td>"
        f"<td><a href='?id_tournament={event.number}'>{event.name}</a></td>"
        f"<td>{dict(event.standings).get(person) or '-'}</td></tr>"
        for event in events
    ]
    name = f"{person.first} {person.last.upper()}"
    headings = "<tr><th>Date</th><th>Type</th><th>Name of the tournament</th><th>Rank</th></tr>"
    page = f"<title>WDD - {name}</title><a href='?id_player={person.number}'>{name}</a><table>{headings}{''.join(rows)}</table>"
    return scene.imports("import player", {"player.html": page})


def _import_again(scene: Scene) -> Run:
    """Import an earlier document again, whatever was decided since."""
    if not scene.imported:
        return _import_csv(scene)
    return replace(scene.chance.choice(scene.imported), kind="import again", number=scene.number)


def _two_people(command: str, scene: Scene) -> Run:
    """Decide whether two ids are one person, mostly ids with similar names."""
    people = scene.people()
    alike = [i for i in people if "smith" in i or "soderberg" in i]
    one, other = (scene.chance.choice(alike if alike and scene.chance.random() < 0.6 else people) for _ in range(2))
    return scene.decides(command, one, other, *scene.sometimes(0.3 if command == "distinct" else 0, "--take-back"))


def _split(scene: Scene) -> Run:
    tournament_id, players = scene.tournament()
    listed = scene.chance.choice(players)
    person = scene.chance.choice([*scene.people(), listed, f"{listed}-2", f"{listed}-3", "Not An Id"])
    return scene.decides("split", listed, tournament_id, person)


def _correct(scene: Scene) -> Run:
    chance, (tournament_id, players) = scene.chance, scene.tournament()
    if chance.random() < 0.5:
        placement = f"placement={chance.choice([1, 2, 3, 4, 9, 0, 'none'])}"
        return scene.decides("correct", tournament_id, "--player", chance.choice(players), placement)
    return scene.decides("correct", tournament_id, chance.choice(_CORRECTED))


# All kinds of steps, with their weights.
KINDS: Mapping[str, tuple[int, Callable[[Scene], Run]]] = {
    "import csv": (20, _import_csv),
    "import two tables": (8, _import_two_tables),
    "import player": (9, _import_player),
    "import several": (5, _import_several),
    "import again": (7, _import_again),
    "undo": (7, lambda scene: Run("undo", scene.number, "undo", ())),
    "correct": (12, _correct),
    "merge": (8, partial(_two_people, "merge")),
    "distinct": (6, partial(_two_people, "distinct")),
    "split": (5, _split),
}


def make_step(kind: str, scene: Scene) -> Run:
    """Make a step of a kind."""
    return KINDS[kind][1](scene)
