"""The steps of a life: each kind makes a command, with its documents, that fits the current collection."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from random import Random

from support.seed_rows import Rows
from support.state_machine import messages
from support.state_machine.collection_life import Run
from support.state_machine.messages import File
from support.state_machine.world import Event, World

_REASONS = ("the director's list", "same club, same years", "ø [bold]really[/]")

# Values for corrections of a tournament, valid and invalid.
_CORRECTED: Mapping[str, tuple[str, ...]] = {
    "players": ("5", "12", "40", "nine"),
    "rounds": ("1", "2", "4"),
    "kind": ("WDC", "CUP", "LEAGUE"),
    "name": ("Corrected Cup", "Club Cup", ""),
    "nation_code": ("FRA", "XXX"),
    "date": ("24-25 January 2009", "May 2009"),
    "ended_on": ("2009-01-26", "1999-06-01", "2031-01-01"),
}


@dataclass
class Scene:
    """The input of a step.

    Attributes:
        rows: the rows of the collection; empty before its first import.
        number: the number of the step.
        chance: the generator of all random choices.
        imported: the imports tried before.
    """

    world: World
    rows: Rows
    number: int
    chance: Random
    imported: list[Run]

    def tournament(self) -> str:
        """Return a tournament's id, or an unknown one."""
        ids: list[str] = [row["tournament_id"] for row in self.rows.get("raw_tournaments", [])]
        return self.chance.choice(ids or ["no-such-event-1999"])

    def listed_in(self, tournament_id: str) -> str:
        """Return an id that a tournament lists, or an unknown one."""
        results = self.rows.get("raw_results", [])
        listed: list[str] = [row["player_id"] for row in results if row["tournament_id"] == tournament_id]
        return self.chance.choice(listed or ["nobody-at-all"])

    def people(self) -> list[str]:
        """Return every listed id, and sometimes an unknown one."""
        tables = (self.rows.get(name, []) for name in ("raw_results", "raw_published_rankings", "ref_players"))
        people = sorted({row["player_id"] for table in tables for row in table})
        return [*people, *(["nobody-at-all"] if not people or self.chance.random() < 0.1 else [])]

    def seen_with(self, player_id: str) -> set[str]:
        """Return an id and all ids that share a tournament or ranking with it."""
        lists = defaultdict(set)
        for row in self.rows.get("raw_results", []):
            lists[row["tournament_id"]].add(row["player_id"])
        for row in self.rows.get("raw_published_rankings", []):
            lists[row["ranking_name"], row["last_update"]].add(row["player_id"])
        return {player_id}.union(*(ids for ids in lists.values() if player_id in ids))

    def run(self, command: str, *arguments: str) -> Run:
        """Return a command without documents; its name is the kind of the step."""
        return Run(command, self.number, command, arguments)

    def imports(self, kind: str, files: tuple[File, ...], *options: str) -> Run:
        """Return an import of documents; if two files form one document, name the first."""
        return Run(kind, self.number, "import", (*options, f"{{documents}}/{files[0].name}"), files)

    def because(self) -> tuple[str, ...]:
        """Return the reason for a decision."""
        return "--reason", self.chance.choice(_REASONS)

    def sometimes(self, share: float, *words: str) -> tuple[str, ...]:
        """Return the words with a probability of `share`, else none."""
        return words if self.chance.random() < share else ()


def _options(scene: Scene) -> tuple[str, ...]:
    """Return random options of an import, with answers about new people: most are new; some are known, or do not exist."""
    name = scene.chance.choice(["J. SMITH", "Jon SMITH", "Bjorn SODERBERG"])
    return (
        *scene.sometimes(0.2, "--another-event"),
        *scene.sometimes(0.1, "--strict"),
        *scene.sometimes(0.3, "--replace"),
        *scene.sometimes(0.03, "--same", f"{name}={scene.chance.choice(scene.people())}"),
        *scene.sometimes(0.9, "--new", "all"),
    )


def _described(scene: Scene) -> Event:
    return messages.described(scene.chance, scene.chance.choice(scene.world.events))


def _import_event(kind: str, scene: Scene) -> Run:
    options = ("--dry-run", *scene.sometimes(0.5, "--json")) if kind == "dry run" else ()
    return scene.imports(kind, (messages.event_file(scene.chance, _described(scene)),), *options, *_options(scene))


def _import_two_tables(scene: Scene) -> Run:
    files = messages.two_table_files(scene.chance, [_described(scene) for _ in range(scene.chance.randint(1, 2))])
    return scene.imports("import two tables", files, *_options(scene))


def _import_several(scene: Scene) -> Run:
    """Import several files at once, often about one tournament; some may be refused, the others are imported."""
    events = [scene.chance.choice(scene.world.events)] * 2 + [scene.chance.choice(scene.world.events)]
    files = [messages.event_file(scene.chance, messages.described(scene.chance, event)) for event in events]
    named = tuple(replace(file, name=f"{number}/{file.name}") for number, file in enumerate(files))
    return Run("import several", scene.number, "import", (*_options(scene), "{documents}"), named)


def _import_player(scene: Scene) -> Run:
    return scene.imports("import player", (messages.player_file(scene.chance, scene.world),), *_options(scene))


def _import_again(scene: Scene) -> Run:
    """Import an earlier document again, whatever was decided since."""
    if not scene.imported:
        return _import_event("import csv", scene)
    return replace(scene.chance.choice(scene.imported), kind="import again", number=scene.number)


def _two_people(command: str, scene: Scene) -> Run:
    """Decide whether two ids are one person, mostly ids with similar names."""
    chance, people = scene.chance, scene.people()
    alike = [i for i in people if "smith" in i or "s-derberg" in i or "soderberg" in i]
    one = chance.choice(alike if alike and chance.random() < 0.6 else people)
    if chance.random() < 0.8:
        # People in the same tournament are certainly different.
        people = [player_id for player_id in people if player_id not in scene.seen_with(one)] or people
    take_back = scene.sometimes(0.5, "--take-back") if command == "distinct" else ()
    return scene.run(command, one, chance.choice(people), *take_back, *scene.because())


def _split(scene: Scene) -> Run:
    tournament_id = scene.tournament()
    listed = scene.listed_in(tournament_id)
    person = scene.chance.choice([*scene.people(), listed, f"{listed}-2", f"{listed}-3", "Not An Id"])
    return scene.run("split", listed, tournament_id, person, *scene.because())


def _correct(scene: Scene) -> Run:
    chance, tournament_id = scene.chance, scene.tournament()
    if chance.random() < 0.5:
        player = scene.listed_in(tournament_id)
        about = ["--player", player, f"placement={chance.choice([1, 2, 3, 4, 9, 0, 'none'])}"]
    else:
        about = [f"{name}={chance.choice(_CORRECTED[name])}" for name in chance.sample(sorted(_CORRECTED), 1)]
    return scene.run("correct", tournament_id, *about, *scene.because())


def _withdraw(scene: Scene) -> Run:
    tournament_id = scene.tournament()
    player = scene.sometimes(0.6, "--player", scene.listed_in(tournament_id))
    return scene.run("withdraw", tournament_id, *player, *scene.because())


def _take_back(command: str, scene: Scene) -> Run:
    """Restore a withdrawal, or revert a correction, if there is one."""
    decided = [
        row
        for row in scene.rows.get("ref_corrections", [])
        if (row["field"] == "withdrawn") == (command == "restore") and row["value"] not in {"", "false"}
    ]
    if not decided:
        return _withdraw(scene)
    row = scene.chance.choice(decided)
    about = (row["tournament_id"], *([row["field"]] if command == "revert" else []))
    player = ("--player", row["player_id"]) if row["player_id"] else ()
    return scene.run(command, *about, *player, *scene.because())


# All kinds of steps, with their weights.
KINDS: Mapping[str, tuple[int, Callable[[Scene], Run]]] = {
    "import csv": (20, partial(_import_event, "import csv")),
    "import two tables": (8, _import_two_tables),
    "import player": (9, _import_player),
    "import several": (4, _import_several),
    "import again": (7, _import_again),
    "dry run": (2, partial(_import_event, "dry run")),
    "undo": (6, lambda scene: scene.run("undo", *scene.sometimes(0.1, "--list"))),
    "correct": (9, _correct),
    "revert": (4, partial(_take_back, "revert")),
    "withdraw": (5, _withdraw),
    "restore": (4, partial(_take_back, "restore")),
    "merge": (8, partial(_two_people, "merge")),
    "distinct": (5, partial(_two_people, "distinct")),
    "split": (5, _split),
    "duplicates": (2, lambda scene: scene.run("duplicates", *scene.sometimes(0.5, "--json"))),
}


def make_step(kind: str, scene: Scene) -> Run:
    """Make a step of a kind."""
    return KINDS[kind][1](scene)
