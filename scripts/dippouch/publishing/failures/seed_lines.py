"""From a row of a table that was built to the lines of the seeds that it was made of."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from dippouch.errors import Location, UserError
from dippouch.seeds.checks.declared import CODES, DeclaredSeed
from dippouch.seeds.files import numbered_rows
from dippouch.seeds.schema import ALIASES, CORRECTIONS

# What tells rows of seeds apart, beside the keys that are declared. In a tournament, a placement tells who, where no person is named.
_PERSON = "player_id"
_PLACEMENT = "placement"
_SYSTEM = "rating_system_id"
_SHOWN = 4

Cells = Mapping[str, str]


@dataclass(frozen=True)
class Question:
    """Which lines of a seed hold these cells.

    Attributes:
        seed: the seed.
        columns: columns of it.
        cells: the texts that they may hold together, one tuple per combination.
    """

    seed: str
    columns: tuple[str, ...]
    cells: frozenset[tuple[str, ...]]


@dataclass(frozen=True)
class Asked:
    """What to ask about one row: the first of `origins` that is answered tells where it comes from, all of `decisions` what was decided."""

    origins: tuple[Question, ...]
    decisions: tuple[Question, ...]


def ask_about(row: Cells, seeds: Sequence[DeclaredSeed], listed_as: Iterable[str]) -> Asked:
    """What to ask about a row.

    Args:
        row: the filled cells of it, by column.
        seeds: the seeds that its table is made of, the nearest first.
        listed_as: the ids under which its person is listed; empty when it is about no person.
    """
    people = tuple(listed_as)
    identifying = {column for seed in seeds for column in seed.key} | {_PLACEMENT}
    identifying |= {name for seed in seeds for name, column in seed.columns.items() if "reference" in column}
    ranked = []
    for place, seed in enumerate(seeds):
        known: dict[str, tuple[str, ...]] = {
            column: (row[column],) for column in seed.columns if column in identifying and row.get(column)
        }
        if _PERSON in seed.columns and people and seed.name != ALIASES.name:
            known[_PERSON] = people
            known.pop(_PLACEMENT, None)
        if known.keys() & {"name", "year"} == known.keys() or known.keys() == {_PLACEMENT}:
            continue
        is_key = set(seed.key) <= known.keys()
        about_rules = known.keys() == {_SYSTEM}
        ranked.append(((about_rules, -len(known), not is_key, place), _question(seed.name, known)))
    ranked.sort(key=lambda entry: entry[0])
    return Asked(tuple(question for _, question in ranked), tuple(_decisions(row, seeds, people)))


def find_lines(
    folder: Path, seeds: Mapping[str, DeclaredSeed], asked: Iterable[Asked]
) -> dict[Question, list[Location]]:
    """Answer all questions, reading each seed once.

    Returns:
        The first lines that answer each question that is answered; of a seed that is kept as Parquet the file.
    """
    found: dict[Question, list[Location]] = defaultdict(list)
    by_seed: dict[str, set[Question]] = defaultdict(set)
    for about in asked:
        for question in (*about.origins, *about.decisions):
            by_seed[question.seed].add(question)
    for name, questions in by_seed.items():
        path = folder / seeds[name].path
        try:
            _read_lines(path, questions, found)
        except UserError:
            continue  # What cannot be read was told before the build.
        parquet = path.with_suffix(".parquet")
        if parquet.exists():
            for question in questions:
                found[question].append(Location(parquet))
    return dict(found)


def places_of(about: Asked, found: Mapping[Question, list[Location]]) -> str:
    """The lines of one row as text."""
    origin = next((found[question] for question in about.origins if question in found), [])
    decided = [place for question in about.decisions for place in found.get(question, [])]
    places = list(dict.fromkeys([*origin, *decided]))
    further = f" and {len(places) - _SHOWN} more" if len(places) > _SHOWN else ""
    return ", ".join(str(place) for place in places[:_SHOWN]) + further


def _question(seed: str, known: Mapping[str, tuple[str, ...]]) -> Question:
    columns = tuple(known)
    return Question(seed, columns, frozenset(product(*known.values())))


def _decisions(row: Cells, seeds: Sequence[DeclaredSeed], people: tuple[str, ...]) -> Iterable[Question]:
    """What was decided about a tournament and a person: corrections and aliases."""
    names = {seed.name for seed in seeds}
    tournament = row.get("tournament_id", "")
    if CORRECTIONS.name in names and tournament:
        yield _question(CORRECTIONS.name, {"tournament_id": (tournament,), _PERSON: (*people, "")})
    if ALIASES.name in names and people:
        yield _question(ALIASES.name, {"listed_player_id": people, "tournament_id": tuple({tournament, ""})})


def _read_lines(path: Path, questions: set[Question], found: dict[Question, list[Location]]) -> None:
    rows = numbered_rows(path)
    _, header = next(rows, (1, []))
    wanted: dict[tuple[str, ...], dict[tuple[str, ...], list[Question]]] = defaultdict(lambda: defaultdict(list))
    for question in questions:
        for cells in question.cells:
            wanted[question.columns][cells].append(question)
    columns = [([(header.index(name), name in CODES) for name in names], answers) for names, answers in wanted.items()]
    for line, row in rows:
        for places, answers in columns:
            texts = tuple([row[at].strip().upper() if code else row[at].strip() for at, code in places])
            for question in answers.get(texts, ()):
                found[question].append(Location(path, line))
