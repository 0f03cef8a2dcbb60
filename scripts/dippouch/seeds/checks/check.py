"""Every seed of a collection checked before a build: all faults at once, each with file, line and way out.

What is wrong with a file as a whole (encoding, header, rows of another length) is found here; the rules about rows are those of
macros/checks, which dbt runs, too.
"""

from __future__ import annotations

import csv
import re
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

from dippouch.db import literal
from dippouch.errors import Location, UserError
from dippouch.seeds.checks.row_faults import FETCHED, Fault, checking, find_faults, meant
from dippouch.seeds.files import fault_of_header, fault_of_length, numbered_rows
from dippouch.seeds.parquet import parquet_columns, parquet_files
from dippouch.seeds.schema import SEEDS, Seed
from dippouch.suggestions import suggested_command

# How many faults a message shows.
SHOWN = FETCHED
# Comparing an id with all others takes its time: a hundred misspelt ones have one cause.
_SUGGESTIONS = 10


class SeedFaultsError(UserError):
    """What is wrong with the seeds of a collection.

    Attributes:
        faults: the first faults, each a message with file and line.
        count: how many there are.
    """

    def __init__(self, folder: Path, faults: list[str], count: int) -> None:
        self.faults = faults
        self.count = count
        what = f"{count} fault{'s' * (count != 1)} in the seeds"
        if count > len(faults):
            what += f", of which {len(faults)} follow"
        super().__init__("\n".join([f"{folder}: found {what}", *faults]))


def check_seeds(folder: Path) -> None:
    """Check every seed of a collection.

    Raises:
        SeedFaultsError: when anything is wrong: every fault with file, line, what was found and what was expected.
    """
    found: list[tuple[str, int, str]] = []
    count = 0
    unreadable = set()
    with checking() as connection, TemporaryDirectory() as temporary:
        for seed in SEEDS.values():
            loading = _Loading(connection, folder, seed, Path(temporary))
            try:
                loading.load()
            except UserError as error:
                found.append((str(folder / seed.path), 0, str(error)))
                unreadable.add(seed.name)
                count += 1
            found += loading.faults
            count += len(loading.faults)
        explain = _Explaining(connection, folder)
        for faults, of_them in find_faults(connection, without=unreadable):
            count += of_them
            found += [explain.message(fault) for fault in faults]
    if count:
        raise SeedFaultsError(folder, [message for *_, message in sorted(found)][:SHOWN], count)


def make_table(
    connection: duckdb.DuckDBPyConnection, seed: Seed, rows: Iterable[Iterable[str]], temporary: Path
) -> None:
    """Make the table of a seed out of rows of text, each with its line behind the cells (empty for none).

    Args:
        connection: the database.
        seed: the seed.
        rows: the rows.
        temporary: a folder for a file with the rows, because DuckDB is slow to insert them one by one.
    """
    typed = ", ".join(f"{column} varchar" for column in seed.columns)
    connection.execute(f"create table {seed.name} ({typed}, line bigint)")
    path = temporary / f"{seed.name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, quoting=csv.QUOTE_ALL, lineterminator="\n").writerows(rows)
    connection.execute(
        f"copy {seed.name} from {literal(path)} (format csv, header false, auto_detect false, delimiter ',', quote '\"',"
        " escape '\"', max_line_size 10000000)"
    )


def with_collection(text: str, folder: Path) -> str:
    """A text whose commands name the collection, unless it is the one that they take by themselves."""

    def command(found: re.Match[str]) -> str:
        return suggested_command(*shlex.split(found[1]), seeds=folder)

    return re.sub("`dptr ([^`]*)`", command, text)


class _Loading:
    """Loads one seed into a table of text with the line of every row, and keeps what is wrong with rows as such."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, folder: Path, seed: Seed, temporary: Path) -> None:
        self.faults: list[tuple[str, int, str]] = []
        self._connection = connection
        self._path = folder / seed.path
        self._seed = seed
        self._temporary = temporary

    def load(self) -> None:
        """Make the table.

        Raises:
            UserError: when the file cannot be read, or its header is wrong; the table is empty then.
        """
        name, columns = self._seed.name, list(self._seed.columns)
        make_table(self._connection, self._seed, self._rows(), self._temporary)
        if name.startswith("raw_") and (files := parquet_files(self._path.with_suffix(".parquet"))):
            self._read_parquet(files, columns)

    def _rows(self) -> Iterator[list[str]]:
        rows = numbered_rows(self._path)
        _, header = next(rows, (1, []))
        if fault := fault_of_header(header, self._seed.columns):
            raise UserError(f"{self._path}:1: {fault}")
        for line, cells in rows:
            if len(cells) == len(header):
                yield [*cells, str(line)]
            else:
                message = f"{Location(self._path, line)}: {fault_of_length(cells, len(header))}"
                self.faults.append((str(self._path), line, message))

    def _read_parquet(self, files: list[Path], columns: list[str]) -> None:
        """Read the rows from Parquet files instead, as staging does; numbers of rows are their lines."""
        for path in files:
            if fault := fault_of_header(parquet_columns(path), columns):
                raise UserError(f"{path}: {fault}")
        cells = ", ".join(f"cast({column} as varchar) as {column}" for column in columns)
        self._connection.execute(f"drop table {self._seed.name}")
        self._connection.execute(
            f"create view {self._seed.name} as select {cells}, file_row_number + 1 as line from"
            f" read_parquet([{', '.join(map(literal, files))}], file_row_number = true)"
        )


class _Explaining:
    """Makes messages of faults: the file and the line, what was found and expected, what may have been meant, the way out."""

    def __init__(self, connection: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self._connection = connection
        self._folder = folder
        self._paths = {seed.name: folder / seed.path for seed in SEEDS.values()}
        self._suggestions = 0

    def message(self, fault: Fault) -> tuple[str, int, str]:
        """A message, behind the file and the line by which messages are ordered."""
        path, line = self._paths[fault.seed], fault.line
        at = Location(path, line)
        if line and (files := parquet_files(path.with_suffix(".parquet"))):
            path = files[0] if len(files) == 1 else path.with_suffix(".parquet")
            at = Location(path, None, f"row {line}")
        expected = self._with_places(fault.expected)
        if self._suggestions < _SUGGESTIONS and (suggestion := meant(self._connection, fault)):
            self._suggestions += 1
            expected += suggestion
        way_out = self._with_places(fault.way_out)
        if way_out:
            way_out = f" {way_out}" if expected.endswith("?") else f". {way_out}"
        return str(path), line or 0, f"{at}: found {fault.shown()}; expected {expected}{way_out}"

    def _with_places(self, text: str) -> str:
        """A text with the files of the seeds that it names, and the collection in the commands that it suggests."""
        text = re.sub("|".join(map(re.escape, self._paths)), lambda name: str(self._paths[name[0]]), text)
        return with_collection(text, self._folder)
