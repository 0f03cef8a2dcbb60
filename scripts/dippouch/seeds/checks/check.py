"""Check every seed of a collection before a build: all faults at once, each with file, line and remedy.

This module checks files as a whole (encoding, header, length of rows). The rules about rows are those of macros/checks, which
dbt runs, too.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import duckdb

from dippouch.db import literal
from dippouch.errors import Location, UserError
from dippouch.printable import counted
from dippouch.seeds.checks.row_faults import RULES, Fault, find_faults, make_table, meant, new_database
from dippouch.seeds.files import fault_of_header, fault_of_length, numbered_rows
from dippouch.seeds.parquet import parquet_columns, parquet_files, rows_in_both
from dippouch.seeds.schema import SEEDS, Seed
from dippouch.suggestions import suggested_command

# Number of faults in a message.
SHOWN = 50
# Comparing an id with all others is slow, and a hundred misspelt ones have one cause.
_SUGGESTIONS = 10


class SeedFaultsError(UserError):
    """The faults in the seeds of a collection.

    Attributes:
        faults: the first faults, each a message with file and line.
        count: the number of all faults.
    """

    def __init__(self, folder: Path, faults: list[str], count: int) -> None:
        self.faults = faults
        self.count = count
        what = f"{counted(count, 'fault', 'faults')} in the seeds"
        if count > len(faults):
            what += f", of which {len(faults)} follow"
        super().__init__("\n".join([f"{folder}: found {what}", *faults]))


def check_seeds(folder: Path) -> None:
    """Check every seed of a collection; check rules over several seeds only if all of them can be read.

    Raises:
        SeedFaultsError: with every fault: file, line, finding and expectation.
    """
    told: list[tuple[str, int, str]] = []
    readable = []
    with new_database() as connection:
        for seed in SEEDS.values():
            try:
                told += _load(connection, folder, seed)
                readable.append(seed.name)
            except UserError as error:
                told.append((str(folder / seed.path), 0, str(error)))
        rules = RULES if len(readable) == len(SEEDS) else ()
        faults, count = find_faults(connection, seeds=readable, rules=rules, most=SHOWN)
        count += len(told)
        for number, fault in enumerate(sorted(faults, key=lambda fault: (SEEDS[fault.seed].path, fault.line or 0))):
            suggestion = meant(connection, fault) if number < _SUGGESTIONS else ""
            told.append(_message(folder, fault, suggestion))
    if count:
        raise SeedFaultsError(folder, [message for *_, message in sorted(told)][:SHOWN], count)


def with_collection(text: str, folder: Path) -> str:
    """Add the collection to the commands in a text, unless it is their default."""

    def command(found: re.Match[str]) -> str:
        return suggested_command(*shlex.split(found[1]), seeds=folder)

    return re.sub("`dptr ([^`]*)`", command, text)


def _load(connection: duckdb.DuckDBPyConnection, folder: Path, seed: Seed) -> list[tuple[str, int, str]]:
    """Load a seed into a table of text with the line of every row.

    Returns:
        The faults of rows as such, each with file and line.

    Raises:
        UserError: when the file cannot be read, or its header is wrong.
    """
    path = folder / seed.path
    faults: list[tuple[str, int, str]] = []

    def rows() -> Iterator[list[str]]:
        found = numbered_rows(path)
        _, header = next(found, (1, []))
        if fault := fault_of_header(header, seed.columns):
            raise UserError(f"{path}:1: {fault}")
        for line, cells in found:
            if len(cells) == len(header):
                yield [*cells, str(line)]
            else:
                faults.append((str(path), line, f"{Location(path, line)}: {fault_of_length(cells, len(header))}"))

    make_table(connection, seed, rows())
    if seed.name.startswith("raw_") and (files := parquet_files(folder / seed.parquet_path)):
        if connection.execute(f"select 1 from {seed.name} limit 1").fetchone():
            raise UserError(rows_in_both(folder, seed))
        # Read the files like staging does; the numbers of rows are their lines.
        for file in files:
            if fault := fault_of_header(parquet_columns(file), seed.columns):
                raise UserError(f"{file}: {fault}")
        cells = ", ".join(f"cast({column} as varchar) as {column}" for column in seed.columns)
        connection.execute(f"drop table {seed.name}")
        connection.execute(
            f"create view {seed.name} as select {cells}, file_row_number + 1 as line from"
            f" read_parquet([{', '.join(map(literal, files))}], file_row_number = true)"
        )
    return faults


def _message(folder: Path, fault: Fault, suggestion: str) -> tuple[str, int, str]:
    """Return the message of a fault, after the file and the line to sort by."""
    path, line = folder / SEEDS[fault.seed].path, fault.line
    at = Location(path, line)
    if line and (files := parquet_files(folder / SEEDS[fault.seed].parquet_path)):
        path = files[0] if len(files) == 1 else folder / SEEDS[fault.seed].parquet_path
        at = Location(path, None, f"row {line}")
    way_out = fault.way_out and f"{'' if suggestion else '.'} {fault.way_out}"
    # Replace seeds in the text by their files, and add this collection to commands.
    text = re.sub(
        "|".join(SEEDS), lambda name: str(folder / SEEDS[name[0]].path), f"{fault.expected}{suggestion}{way_out}"
    )
    return str(path), line or 0, f"{at}: found {fault.shown()}; expected {with_collection(text, folder)}"
