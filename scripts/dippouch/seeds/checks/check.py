"""Every seed of a collection checked before a build: all faults at once, each with file, line and way out.

What models/ declares is read from there (`declared.py`); what no declaration says is in `check_decisions.py`. dbt tests the
same again, and what depends on several tables.
"""

from __future__ import annotations

import re
from pathlib import Path

from dippouch.errors import UserError
from dippouch.names import shortened
from dippouch.seeds.checks.check_cells import check_of, fault_of_cell, fault_of_listed_person
from dippouch.seeds.checks.check_decisions import check_decisions
from dippouch.seeds.checks.check_events import check_events
from dippouch.seeds.checks.check_settings import check_settings
from dippouch.seeds.checks.declared import CODES, DeclaredSeed, Reference, declared_seeds
from dippouch.seeds.checks.findings import Findings, ReadSeeds
from dippouch.seeds.corrected_values import DAYS
from dippouch.seeds.files import fault_of_header, fault_of_length, numbered_rows, repeated_key
from dippouch.seeds.parquet import distinct_rows, parquet_columns
from dippouch.seeds.schema import ALIASES, CORRECTIONS, PLAYERS, PUBLISHED_RANKINGS, RESULTS, TOURNAMENTS, Row
from dippouch.suggested import did_you_mean

# Of three letters one may be a slip.
_ALIKE_CODES = 60
# Comparing an id with all others takes its time: a hundred misspelt ones have one cause.
_SUGGESTIONS = 10

# A placement as a cell has it, of sane length.
_WHOLE_NUMBER = re.compile("[0-9]{1,9}")

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
    check_events(read, findings)
    check_decisions(read, findings)
    check_settings(read, findings)
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
            (place[column], column, check)
            for column, type_ in seed.types.items()
            if (check := check_of(type_, seed.ranges.get(column)))
        ]
        self._required = [(place[column], column) for column in seed.types if column in seed.required]
        self._accepted = [(place[column], column, frozenset(values)) for column, values in seed.accepted.items()]
        self._texts = [(place[column], column, kind) for column, kind in seed.texts.items() if kind != "person"]
        self._names = [place[column] for column in sorted(seed.texts) if seed.texts[column] == "person"]
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
        self._check_texts(line, cells)

    def _check_texts(self, line: int, cells: list[str]) -> None:
        for place, column, kind in self._texts:
            if (cell := cells[place]) and (fault := fault_of_cell(column, kind, cell)):
                self._findings.add(self._path, line, fault)
        if self._names:
            first_name, last_name = (cells[place] for place in self._names)
            if last_name.strip() and (fault := fault_of_listed_person(first_name, last_name)):
                self._findings.add(self._path, line, fault)

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
            self._keep_result(line, dict(zip(self._seed.types, cells, strict=True)))
        elif name == PUBLISHED_RANKINGS.name:
            self._kept.listed.add(cells[self._place["player_id"]].strip())
        elif name == TOURNAMENTS.name or (name.startswith("ref_") and name != PLAYERS.name):
            row = dict(zip(self._seed.types, cells, strict=True))
            self._kept.rows[name].append((line, row))
            if name in {CORRECTIONS.name, ALIASES.name}:
                self._kept.wanted.add(row["tournament_id"].strip())

    def _keep_result(self, line: int, row: Row) -> None:
        tournament_id, player_id = row["tournament_id"].strip(), row["player_id"].strip()
        self._kept.listed.add(player_id)
        if tournament_id in self._kept.wanted:
            self._kept.players_of[tournament_id][player_id] = (row["first_name"].strip(), row["last_name"].strip())
        if _WHOLE_NUMBER.fullmatch(row["placement"].strip()):
            placed = self._kept.placed[tournament_id]
            placed.count += 1
            if (placement := int(row["placement"])) > placed.largest:
                placed.largest, placed.line = placement, line

    def _read_parquet(self, path: Path) -> None:
        """The columns of a Parquet file, which is typed, and what others need of it."""
        if fault := fault_of_header(parquet_columns(path), self._seed.types):
            raise UserError(f"{path}: {fault}")
        columns = list(self._seed.types)
        for place, values in self._targets:
            values.update(value for (value,) in distinct_rows(path, [columns[place]]))
        self._check_parquet(path)
        if self._seed.name == TOURNAMENTS.name:
            kept = ("tournament_id", "kind", *DAYS, "players")
            for cells in distinct_rows(path, kept):
                self._kept.rows[TOURNAMENTS.name].append((None, dict(zip(kept, cells, strict=True))))
        elif self._seed.name in {RESULTS.name, PUBLISHED_RANKINGS.name}:
            self._kept.listed.update(player_id for (player_id,) in distinct_rows(path, ["player_id"]))
        if self._seed.name == RESULTS.name:
            listing = ("tournament_id", "player_id", "first_name", "last_name")
            for tournament_id, player_id, *names in distinct_rows(path, listing, self._kept.wanted):
                self._kept.players_of[tournament_id][player_id] = (names[0].strip(), names[1].strip())

    def _check_parquet(self, path: Path) -> None:
        """The ranges and texts of a Parquet file, whose rows have no lines: each different value once."""
        for _, column, check in self._typed:
            for (cell,) in distinct_rows(path, [column]) if column in self._seed.ranges else ():
                if cell and (expected := check(cell)):
                    self._findings.add(path, None, f"found {column} `{cell}`; expected {expected}")
        for _, column, kind in self._texts:
            for (cell,) in distinct_rows(path, [column]):
                if cell and (fault := fault_of_cell(column, kind, cell)):
                    self._findings.add(path, None, fault)
        for first_name, last_name in distinct_rows(path, ["first_name", "last_name"]) if self._names else ():
            if last_name.strip() and (fault := fault_of_listed_person(first_name, last_name)):
                self._findings.add(path, None, fault)


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
