"""Every seed of a collection checked before a build: all faults at once, each with file, line and way out.

What models/ declares is read from there (`declared.py`); what no declaration says is in `check_decisions.py`. dbt tests the
same again, and what depends on several tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache
from pathlib import Path

from dippouch.errors import UserError
from dippouch.names import shortened
from dippouch.seeds.checks.check_decisions import check_decisions
from dippouch.seeds.checks.declared import CODES, DeclaredSeed, Reference, declared_seeds
from dippouch.seeds.checks.findings import Findings, ReadSeeds
from dippouch.seeds.files import fault_of_header, fault_of_length, numbered_rows, repeated_key
from dippouch.seeds.parquet import distinct_rows, parquet_columns
from dippouch.seeds.schema import ALIASES, CORRECTIONS, PLAYERS, PUBLISHED_RANKINGS, RESULTS, TOURNAMENTS
from dippouch.suggested import did_you_mean

_REMEMBERED = 100_000
_LARGEST_INTEGER = 2**31 - 1
# Of three letters one may be a slip.
_ALIKE_CODES = 60
# Comparing an id with all others takes its time: a hundred misspelt ones have one cause.
_SUGGESTIONS = 10

# Where a cell is mentioned that must stand in another seed: its first line, and how often.
_Mentions = dict[str, tuple[int, int]]


class SeedFaultsError(UserError):
    """What is wrong with the seeds of a collection.

    Attributes:
        faults: the first faults, each a message with file and line.
        count: how many there are.
    """

    def __init__(self, folder: Path, findings: Findings) -> None:
        self.faults = findings.messages()
        self.count = findings.count
        what = f"{self.count} fault{'s' * (self.count != 1)} in the seeds"
        if self.count > len(self.faults):
            what += f", of which {len(self.faults)} follow"
        super().__init__("\n".join([f"{folder}: found {what}", *self.faults]))


def check_seeds(folder: Path) -> None:
    """Check every seed of a collection.

    Raises:
        SeedFaultsError: when anything is wrong: every fault with file, line, what was found and what was expected.
    """
    findings = Findings()
    read = ReadSeeds(folder)
    mentions: list[tuple[DeclaredSeed, Reference, _Mentions]] = []
    seeds = declared_seeds()
    targets: dict[str, set[str]] = {}
    for seed in seeds.values():
        for reference in seed.references:
            targets.setdefault(reference.seed, set()).add(reference.field)
    # What was decided comes before the results: of these only what a decision is about is kept.
    for seed in sorted(seeds.values(), key=lambda seed: (seed.name.startswith("raw_"), seed.name)):
        read.paths[seed.name] = folder / seed.path
        reader = _SeedReader(seed, read, findings, targets.get(seed.name, set()))
        try:
            reader.read()
        except UserError as error:
            findings.add_message(folder / seed.path, None, str(error))
            read.unreadable.add(seed.name)
        mentions += [(seed, reference, reader.mentions[reference]) for reference in seed.references]
    for seed, reference, mentioned in mentions:
        if read.are_known(reference.seed):
            _check_reference(seed, reference, mentioned, read, findings)
    check_decisions(read, findings)
    if findings.count:
        raise SeedFaultsError(folder, findings)


class _SeedReader:
    """Reads one seed, row by row, and keeps of it what others need."""

    def __init__(self, seed: DeclaredSeed, read: ReadSeeds, findings: Findings, targets: set[str]) -> None:
        self.mentions: dict[Reference, _Mentions] = {reference: {} for reference in seed.references}
        self._seed = seed
        self._kept = read
        self._findings = findings
        self._path = read.paths[seed.name]
        place = {column: number for number, column in enumerate(seed.types)}
        self._place = place
        self._typed = [
            (place[column], column, check) for column, type_ in seed.types.items() if (check := _check_of(type_))
        ]
        self._required = [(place[column], column) for column in seed.types if column in seed.required]
        self._accepted = [(place[column], column, frozenset(values)) for column, values in seed.accepted.items()]
        self._keys = [(key, [(place[column], column in CODES) for column in key]) for key in seed.keys]
        self._targets = [(place[column], read.values[seed.name, column]) for column in sorted(targets)]
        self._references = [(place[reference.column], reference) for reference in seed.references]

    def read(self) -> None:
        """Check every row.

        Raises:
            UserError: when the file cannot be read, or its header is wrong.
        """
        rows = numbered_rows(self._path)
        _, header = next(rows, (1, []))
        if fault := fault_of_header(header, self._seed.types):
            raise UserError(f"{self._path}:1: {fault}")
        seen: list[dict[tuple[str, ...], int]] = [{} for _ in self._keys]
        for line, cells in rows:
            if len(cells) != len(header):
                self._findings.add(self._path, line, fault_of_length(cells, len(header)))
                continue
            self._check_cells(line, cells)
            for (key, places), first in zip(self._keys, seen, strict=True):
                values = tuple(
                    [cells[place].strip().upper() if code else cells[place].strip() for place, code in places]
                )
                if any(values) and first.setdefault(values, line) != line:
                    self._findings.add(self._path, line, repeated_key(key, values, first[values]))
            self._keep(line, cells)
        parquet = self._path.with_suffix(".parquet")
        if self._seed.name.startswith("raw_") and parquet.exists():
            self._read_parquet(parquet)

    def _check_cells(self, line: int, cells: list[str]) -> None:
        for place, column, check in self._typed:
            if (cell := cells[place]) and (expected := check(cell)):
                self._findings.add(self._path, line, f"found {column} `{shortened(cell)}`; expected {expected}")
        for place, column in self._required:
            if not cells[place].strip():
                self._findings.add(self._path, line, f"found no {column}; expected one in every row")
        for place, column, accepted in self._accepted:
            if (cell := cells[place].strip()) and cell not in accepted:
                expected = f"one of {', '.join(sorted(accepted))}"
                self._findings.add(self._path, line, f"found {column} `{shortened(cell)}`; expected {expected}")

    def _keep(self, line: int, cells: list[str]) -> None:
        for place, values in self._targets:
            values.add(cells[place].strip())
        for place, reference in self._references:
            if cell := cells[place].strip():
                mentioned = self.mentions[reference]
                first, count = mentioned.get(cell, (line, 0))
                mentioned[cell] = (first, count + 1)
        name = self._seed.name
        if name == RESULTS.name:
            player = cells[self._place["player_id"]].strip()
            self._keep_listed(cells[self._place["tournament_id"]].strip(), player)
        elif name == PUBLISHED_RANKINGS.name:
            self._kept.listed.add(cells[self._place["player_id"]].strip())
        elif name == TOURNAMENTS.name or (name.startswith("ref_") and name != PLAYERS.name):
            row = dict(zip(self._seed.types, cells, strict=True))
            self._kept.rows[name].append((line, row))
            if name in {CORRECTIONS.name, ALIASES.name}:
                self._kept.wanted.add(row["tournament_id"].strip())

    def _keep_listed(self, tournament_id: str, player_id: str) -> None:
        self._kept.listed.add(player_id)
        if tournament_id in self._kept.wanted:
            self._kept.players_of[tournament_id].add(player_id)

    def _read_parquet(self, path: Path) -> None:
        """The columns of a Parquet file, which is typed, and what others need of it."""
        if fault := fault_of_header(parquet_columns(path), self._seed.types):
            raise UserError(f"{path}: {fault}")
        columns = list(self._seed.types)
        for place, values in self._targets:
            values.update(value for (value,) in distinct_rows(path, [columns[place]]))
        if self._seed.name == TOURNAMENTS.name:
            for tournament_id, kind in distinct_rows(path, ["tournament_id", "kind"]):
                self._kept.rows[TOURNAMENTS.name].append((None, {"tournament_id": tournament_id, "kind": kind}))
        elif self._seed.name in {RESULTS.name, PUBLISHED_RANKINGS.name}:
            self._kept.listed.update(player_id for (player_id,) in distinct_rows(path, ["player_id"]))
        if self._seed.name == RESULTS.name:
            for tournament_id, player_id in distinct_rows(path, ["tournament_id", "player_id"], self._kept.wanted):
                self._kept.players_of[tournament_id].add(player_id)


def _check_reference(
    seed: DeclaredSeed, reference: Reference, mentioned: _Mentions, read: ReadSeeds, findings: Findings
) -> None:
    """Every cell that a column mentions must stand in the column that it refers to."""
    known = read.values[reference.seed, reference.field]
    if reference.in_capitals:
        known = {value.upper() for value in known}
    suggestions = 0
    for cell, (line, count) in mentioned.items():
        if (cell.upper() if reference.in_capitals else cell) in known:
            continue
        suggestions += 1
        meant = ""
        if suggestions <= _SUGGESTIONS:
            meant = did_you_mean(cell, sorted(known), **({"alike": _ALIKE_CODES} if reference.field in CODES else {}))
        times = f" in {count} rows, first here" if count > 1 else ""
        findings.add(
            read.paths[seed.name],
            line,
            f"found {reference.column} `{shortened(cell)}`{times}; expected a {reference.field} of"
            f" {read.paths[reference.seed]}{meant}",
        )


def _check_of(type_: str) -> Callable[[str], str] | None:
    """What tells what is expected of a cell of a type, empty when the cell is that; None for types that hold anything."""
    if type_ in _CHECKS:
        return lru_cache(_REMEMBERED)(_CHECKS[type_])
    if decimal := re.fullmatch(r"decimal\((\d+),(\d+)\)", type_):
        digits, scale = int(decimal[1]), int(decimal[2])
        pattern = re.compile(rf"-?[0-9]{{1,{digits - scale}}}(\.[0-9]{{1,{scale}}})?")
        expected = f"a number with a point and at most {scale} decimals, such as `12.34`"
        return lru_cache(_REMEMBERED)(lambda cell: "" if pattern.fullmatch(cell.strip()) else expected)
    return None


def _fault_of_integer(cell: str) -> str:
    fits = re.fullmatch(r"-?[0-9]{1,10}", cell.strip()) and abs(int(cell)) <= _LARGEST_INTEGER
    return "" if fits else "a whole number"


def _fault_of_double(cell: str) -> str:
    fits = re.fullmatch(r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]{1,2})?", cell.strip())
    return "" if fits else "a number with a point, such as `3.5`"


def _fault_of_date(cell: str) -> str:
    try:
        # `fromisoformat` alone takes 20050501, too.
        fits = re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", cell) and date.fromisoformat(cell)
    except ValueError:
        fits = None
    return "" if fits else "a day as YYYY-MM-DD, such as `2005-05-01`"


def _fault_of_boolean(cell: str) -> str:
    return "" if cell.strip().lower() in {"true", "false"} else "`true` or `false`"


_CHECKS = {
    "integer": _fault_of_integer,
    "double": _fault_of_double,
    "date": _fault_of_date,
    "boolean": _fault_of_boolean,
}
