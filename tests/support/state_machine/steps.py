"""The steps that a life is made of: each kind makes a command, with its documents, that fits what the collection holds."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from random import Random

from dippouch.seeds.schema import ALIASES, CORRECTIONS, NATIONS, PLAYERS, RATING_SYSTEMS, TOURNAMENT_KINDS
from support.seed_rows import Rows
from support.state_machine import told as documents
from support.state_machine.life import EDIT, IMPORT, REVIEW, HandEdit, Run, Step
from support.state_machine.running import needs, takes
from support.state_machine.told import File
from support.state_machine.world import World

_SEEDS = ("--seeds", "{seeds}")
_DAY = "2026-03-01"
_APART = 0.01
_REASONS = ("the director's list", "same club, same years", "ø [bold]really[/]")


@dataclass
class Scene:
    """What a step is made from.

    Attributes:
        rows: the rows of the collection; nothing before its first import.
        number: the number of the step.
        chance: decides everything that may be one way or another.
        imported: the imports that were tried before.
    """

    world: World
    rows: Rows
    number: int
    chance: Random
    imported: list[Run] = field(default_factory=list)

    def tournaments(self) -> list[str]:
        """The ids of the tournaments, and one that is none."""
        return [row["tournament_id"] for row in self.rows.get("raw_tournaments", [])] or ["no-such-event-1999"]

    def listed_in(self, tournament_id: str) -> list[str]:
        """The ids that a tournament lists, or one that is nobody's."""
        listed = [r["player_id"] for r in self.rows.get("raw_results", []) if r["tournament_id"] == tournament_id]
        return listed or ["nobody-at-all"]

    def people(self) -> list[str]:
        """Every listed id, and now and then one that is nobody's."""
        tables = (self.rows.get(name, []) for name in ("raw_results", "raw_published_rankings", "ref_players"))
        people = sorted({row["player_id"] for table in tables for row in table})
        return [*people, *(["nobody-at-all"] if not people or self.chance.random() < 0.1 else [])]

    def seen_with(self, player_id: str) -> set[str]:
        """The ids that stand in one tournament or ranking with an id, and the id itself."""
        lists = defaultdict(set)
        for row in self.rows.get("raw_results", []):
            lists[row["tournament_id"]].add(row["player_id"])
        for row in self.rows.get("raw_published_rankings", []):
            lists[row["ranking_name"], row["last_update"]].add(row["player_id"])
        return {player_id}.union(*(ids for ids in lists.values() if player_id in ids))

    def documents(self, kind: str, files: list[File], *options: str) -> Run:
        """An import of documents."""
        named = "tournaments.csv" if len(files) == 2 else files[0].name
        arguments = (*_SEEDS, *options, f"{{documents}}/{named}")
        return Run(kind, self.number, IMPORT, arguments, tuple(files))

    def command(self, kind: str, program: str, *arguments: str) -> Run:
        """A program without documents."""
        return Run(kind, self.number, program, arguments)

    def because(self) -> tuple[str, str]:
        """A reason for a decision."""
        return "--reason", self.chance.choice(_REASONS)


def _options(scene: Scene) -> list[str]:
    """Options that an import is sometimes given."""
    found = []
    for option, times in (("--future", 0.15), ("--another-event", 0.1), ("--strict", 0.1)):
        if scene.chance.random() < times and takes(IMPORT, option):
            found.append(option)
    if scene.chance.random() < 0.1 and takes(IMPORT, "--add-kind"):
        found += ["--add-kind", "LEAGUE=League of clubs"]
    if scene.chance.random() < 0.03 and takes(IMPORT, "--encoding"):
        found += ["--encoding", scene.chance.choice(["utf-8", "cp1252", "koi8-r", "no-such-encoding"])]
    return found


def _import_event(format_name: str, scene: Scene) -> Step:
    told = documents.tell(scene.chance, scene.chance.choice(scene.world.events))
    files = documents.OF_EVENTS[format_name](scene.chance, told)
    options = _options(scene)
    if format_name == "json" and scene.chance.random() < 0.6:
        options += ["--players", str(told.players or 30), "--rounds", str(told.rounds or 2)]
    return scene.documents(f"import {format_name}", files, *options)


def _import_bulk(scene: Scene) -> Step:
    events = scene.chance.sample(scene.world.events, scene.chance.randint(1, 3))
    several = [documents.tell(scene.chance, event) for event in events]
    return scene.documents("import bulk", documents.as_bulk(scene.chance, several), *_options(scene))


def _import_player(scene: Scene) -> Step:
    make = scene.chance.choice([documents.player_as_html, documents.player_as_json])
    return scene.documents("import player", make(scene.chance, scene.world), *_options(scene))


def _import_ranking(scene: Scene) -> Step:
    return scene.documents("import ranking", documents.ranking(scene.chance, scene.world))


def _import_several(scene: Scene) -> Step:
    """Several files of one run; some may be refused, the others are imported."""
    files = []
    for number in range(scene.chance.randint(2, 3)):
        told = documents.tell(scene.chance, scene.chance.choice(scene.world.events))
        make = scene.chance.choice([documents.as_csv, documents.as_html, documents.as_tabs])
        files += [File(f"{number}/{file.name}", file.content) for file in make(scene.chance, told)]
    arguments = (*_SEEDS, *_options(scene), "{documents}")
    return Run("import several", scene.number, IMPORT, arguments, tuple(files))


def _dry_run(scene: Scene) -> Step:
    told = documents.tell(scene.chance, scene.chance.choice(scene.world.events))
    files = documents.as_csv(scene.chance, told)
    return scene.documents("dry run", files, "--dry-run", *scene.chance.choice([(), ("--json",)]))


def _import_again(scene: Scene) -> Step:
    """A document of long ago once more, whatever was decided since."""
    if not scene.imported:
        return _import_event("csv", scene)
    before = scene.chance.choice(scene.imported)
    return Run("import again", scene.number, IMPORT, before.arguments, before.files)


def _undo(scene: Scene) -> Step:
    return scene.command("undo", IMPORT, *_SEEDS, "--undo")


def _review(option: str, scene: Scene) -> Step:
    people = scene.people()
    alike = [i for i in people if "smith" in i or "s-derberg" in i or "soderberg" in i]
    one = scene.chance.choice(alike if alike and scene.chance.random() < 0.6 else people)
    if scene.chance.random() < 0.8:
        # Whoever plays where the first one plays is somebody else for sure.
        people = [player_id for player_id in people if player_id not in scene.seen_with(one)] or people
    other = scene.chance.choice(people)
    return scene.command(f"review {option}", REVIEW, *_SEEDS, option, one, other, *scene.because())


def _forget(scene: Scene) -> Step:
    """Take back that two are two people, where that was decided."""
    pairs = scene.rows.get("ref_player_distinctions", [])
    if not pairs or not takes(REVIEW, "--forget"):
        return _review("--different", scene)
    row = scene.chance.choice(pairs)
    pair = (row["player_id"], row["other_player_id"])
    return scene.command("review --forget", REVIEW, *_SEEDS, "--forget", *pair, *scene.because())


def _split(scene: Scene) -> Step:
    tournament_id = scene.chance.choice(scene.tournaments())
    listed = scene.chance.choice(scene.listed_in(tournament_id))
    person = scene.chance.choice([*scene.people(), listed, f"{listed}-2", f"{listed}-3", "Not An Id"])
    arguments = ("--split", listed, tournament_id, person, *scene.because())
    return scene.command("review --split", REVIEW, *_SEEDS, *arguments)


def _list(scene: Scene) -> Step:
    return scene.command("review list", REVIEW, *_SEEDS, *scene.chance.choice([(), ("--json",)]))


def _history(scene: Scene) -> Step:
    return scene.command("history", EDIT, "history", *_SEEDS, scene.chance.choice(scene.tournaments()))


def _decided(scene: Scene, command: str) -> list[str]:
    """Day and reason of a decision; the day may be left out where the program finds it itself."""
    day = ["--on", scene.chance.choice([_DAY, "2026-03-02"])]
    return [*scene.because(), *([] if not needs(EDIT, "--on", command) and scene.chance.random() < 0.5 else day)]


def _correct(scene: Scene) -> Step:
    chance = scene.chance
    tournament_id = chance.choice(scene.tournaments())
    if chance.random() < 0.5:
        listed = chance.choice(scene.listed_in(tournament_id))
        about = ["--player", listed, f"placement={chance.choice([1, 2, 3, 4, 9, 0])}"]
    else:
        facts = {
            "players": ["5", "12", "40", "nine"],
            "rounds": ["1", "2", "4"],
            "boards": ["6"],
            "kind": ["WDC", "CUP", "LEAGUE", "cup"],
            "name": ["Corrected Cup", "Club Cup", ""],
            "subtitle": ["Finals"],
            "place": ["Elsewhere"],
            "nation_code": ["FRA", "XXX"],
            "started_on": ["2009-01-24", "2010-02-30", "2030-01-01"],
            "ended_on": ["2009-01-26", "1999-06-01", "2000-01-01", "2031-01-01"],
            "coefficient_1": ["12.00"],
        }
        fields = chance.sample(sorted(facts), chance.choice([1, 1, 2]))
        about = [f"{name}={chance.choice(facts[name])}" for name in fields]
    future = ["--future"] if chance.random() < 0.2 and takes(EDIT, "--future", "correct") else []
    return scene.command(
        "correct", EDIT, "correct", *_SEEDS, tournament_id, *about, *future, *_decided(scene, "correct")
    )


def _about(scene: Scene, command: str) -> Step:
    """Withdraw or restore a tournament or a result."""
    tournament_id = scene.chance.choice(scene.tournaments())
    about = ["--player", scene.chance.choice(scene.listed_in(tournament_id))] if scene.chance.random() < 0.6 else []
    return scene.command(command, EDIT, command, *_SEEDS, tournament_id, *about, *_decided(scene, command))


def _again_or_back(command: str, scene: Scene) -> Step:
    """Restore or revert what was decided before, where anything was."""
    decided = [
        row
        for row in scene.rows.get("ref_corrections", [])
        if (row["field"] == "withdrawn") == (command == "restore") and row["value"] not in {"", "false"}
    ]
    if not decided:
        return _about(scene, "withdraw" if scene.chance.random() < 0.7 else "restore")
    row = scene.chance.choice(decided)
    about = [row["tournament_id"], *([row["field"]] if command == "revert" else [])]
    player = ["--player", row["player_id"]] if row["player_id"] else []
    return scene.command(command, EDIT, command, *_SEEDS, *about, *player, *_decided(scene, command))


def _revert(scene: Scene) -> Step:
    return _again_or_back("revert" if takes(EDIT, "--player", "revert") else "restore", scene)


def _edit(scene: Scene, *, legal: bool) -> Step:
    chance = scene.chance
    person, event = chance.choice(scene.people()), chance.choice(scene.tournaments())
    listed = next((row["player_id"] for row in scene.rows.get("ref_players", [])), "")
    if legal:
        edits = [
            (RATING_SYSTEMS, "", f"club-{scene.number},Club rules,me,50,15,7,3.5,2,15,2001-01-01,\n"),
            (RATING_SYSTEMS, "", f"last-{scene.number},Last years,me,40,20,7,3.5,2,15,,{chance.choice([1, 10])}\n"),
            (TOURNAMENT_KINDS.path, "", "LEAGUE,League,false\n"),
            (TOURNAMENT_KINDS.path, "CUP,Cup or open tournament,false", "CUP,Cup,true"),
        ]
        if person not in {listed, "nobody-at-all"}:
            edits.append((PLAYERS.path, "", f"{person},By,HAND,{chance.choice(['FRA', 'USA'])},,by hand\n"))
        if any(row["kind"] == "LEAGUE" for row in scene.rows.get("ref_tournament_kinds", [])):
            edits = [edit for edit in edits if "LEAGUE" not in edit[2]]
        if any(row["player_id"] == person for row in scene.rows.get("ref_players", [])):
            edits = [edit for edit in edits if "HAND" not in edit[2]]
            nation = next(r["nation_code"] for r in scene.rows["ref_players"] if r["player_id"] == person)
            edits.append((PLAYERS.path, f",{nation},", ",DEU,"))
    else:
        edits = [
            (PLAYERS.path, "", "somebody,Some,BODY,XXX,,by hand\n"),
            (PLAYERS.path, "", f"twice-{person},By,HAND,FRA,,by hand\n" * 2),
            (PLAYERS.path, "", "too,few\n"),
            (RATING_SYSTEMS, "", "dptr,Again,me,40,20,7,3.5,2,15,2001-01-01,\n"),
            (RATING_SYSTEMS, "", "worthless,Worthless,me,forty,20,7,3.5,2,15,2001-01-01,\n"),
            (RATING_SYSTEMS, "", "endless,Endless,me,40,20,0,3.5,2,15,2001-01-01,\n"),
            (RATING_SYSTEMS, "dptr,Dip Pouch Tournament Rating,Matt Shields,40", "dptr,Dip,Matt Shields,41"),
            (TOURNAMENT_KINDS.path, "", "CUP,Again,false\n"),
            (TOURNAMENT_KINDS.path, "CUP,Cup or open tournament,false", "CUP,Cup,perhaps"),
            (ALIASES.path, "", f"nobody-at-all,,{person},no such listing\n"),
            (ALIASES.path, "", f"{person},,somebody-new,chain\nsomebody-new,,somebody-newer,chain\n"),
            (CORRECTIONS.path, "", f"9001,no-such-event,,players,9,why,{_DAY}\n"),
            (CORRECTIONS.path, "", f"9001,{event},,playrs,9,why,{_DAY}\n"),
            (CORRECTIONS.path, "", f"9001,{event},,players,9,why,{_DAY}\n9001,{event},,rounds,9,why,{_DAY}\n"),
            (NATIONS, "", "FRA,FR,FRA,France again\n"),
        ]
    path, find, put = chance.choice(edits)
    return HandEdit("edit, legal" if legal else "edit, illegal", scene.number, path, find, put, legal)


# What can happen, and how often.
KINDS: Mapping[str, tuple[int, Callable[[Scene], Step]]] = {
    "import csv": (8, partial(_import_event, "csv")),
    "import xlsx": (4, partial(_import_event, "xlsx")),
    "import html": (7, partial(_import_event, "html")),
    "import text": (4, partial(_import_event, "text")),
    "import tabs": (4, partial(_import_event, "tabs")),
    "import json": (6, partial(_import_event, "json")),
    "import bulk": (5, _import_bulk),
    "import player": (9, _import_player),
    "import ranking": (5, _import_ranking),
    "import several": (4, _import_several),
    "import again": (7, _import_again),
    "dry run": (2, _dry_run),
    "undo": (3, _undo),
    "correct": (9, _correct),
    "revert": (4, _revert),
    "withdraw": (5, lambda scene: _about(scene, "withdraw")),
    "restore": (4, partial(_again_or_back, "restore")),
    "history": (1, _history),
    "review --same": (8, partial(_review, "--same")),
    "review --different": (5, partial(_review, "--different")),
    "review --split": (5, _split),
    "review --forget": (3, _forget),
    "review list": (2, _list),
    "edit, legal": (3, partial(_edit, legal=True)),
    "edit, illegal": (3, partial(_edit, legal=False)),
}


def available() -> dict[str, int]:
    """The kinds of step that the programs know, with how often each comes."""
    return {kind: weight for kind, (weight, _) in KINDS.items() if kind != "undo" or takes(IMPORT, "--undo")}


def make_step(kind: str, scene: Scene) -> Step:
    """A step of a kind; one program of a hundred runs in a process of its own."""
    step = KINDS[kind][1](scene)
    return replace(step, apart=True) if isinstance(step, Run) and scene.chance.random() < _APART else step
