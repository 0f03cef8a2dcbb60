"""Read and write the files of seeds: CSV in UTF-8 with a header and `\\n` as line end, or Parquet for large collections.

dbt parses a whole seed before it loads it. So beyond LARGEST_SEED rows a table of documents' statements is stored as Parquet in a file
beside its seed, which then has only the header. Staging reads the Parquet file if it exists (macro `raw_rows`); there is no other switch
between the formats. The marts are the same row for row.
"""

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

import duckdb

from dippouch.collection.schema import CORRECTIONS, NONE, RAW_TABLES, SEEDS, SETTINGS, Seed, SeedRow
from dippouch.db import read_literal
from dippouch.disk import refusal
from dippouch.messages import UserError, counted, shortened
from dippouch.settings import project_variable

# A function that writes a file to a path; None deletes the file.
Content = Callable[[Path], None] | None

LARGEST_SEED = 100_000
# The one form of a code or a number; the checks report cells that are neither.
_FORMS: dict[str | None, Callable[[str], str]] = {
    "code": str.upper,
    "integer": lambda cell: cell.lstrip("0") or cell[:1],
    "decimal(9,2)": lambda cell: f"{float(cell):.2f}" if re.fullmatch("[0-9]{1,7}([.][0-9]{1,2})?", cell) else cell,
}


def iterate_rows(folder: Path, seed: Seed) -> Iterator[tuple[int, Sequence[str]]]:
    """Yield the cells of each row of a seed as text, with the line on which the row begins; of Parquet, with its number.

    Raises:
        UserError: when a file is missing, cannot be read, or has other columns than the seed; or when both formats have rows.
    """
    if not (files := parquet_files(folder, seed)):
        yield from _lines(folder / seed.path)
    cells = ", ".join(f"coalesce(cast({column} as varchar), '')" for column in seed.columns)
    yield from enumerate(chain.from_iterable(_query(path, f"select {cells}") for path in files), start=1)


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield every row of a CSV file, below its header, with the line on which it begins."""
    line, columns = 1, list(SEEDS[path.stem].columns)
    try:
        # Excel begins a file in UTF-8 with a byte order mark.
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            if (header := next(reader, [])) != columns:
                if separator := next((sign for sign in ";\t" if ",".join(header).split(sign) == columns), ""):
                    raise UserError(f"{path}:1: found cells separated by {separator!r}; expected commas between cells")
                lacking = ",".join(columns[len(header) :]) if header and header == columns[: len(header)] else ""
                way_out = f". Add `,{lacking}` to the header, and a comma for each to every row" if lacking else ""
                raise UserError(f"{path}:1: found the header {_joined(header)}; expected {_joined(columns)}{way_out}")
            line = reader.line_num + 1
            for cells in reader:
                if cells and (len(cells) != len(columns) or not any(cells)):
                    fault = f"{counted(len(cells), 'cell', 'cells')}; expected {len(columns)} cells as in the header"
                    empty = "an empty row; expected none. Delete every empty row"
                    raise UserError(f"{path}:{line}: found {fault if any(cells) else empty}")
                # DuckDB skips empty lines, too.
                if cells:
                    yield line, cells
                line = reader.line_num + 1
    except UnicodeDecodeError:
        # The error counts from the start of the block that was read.
        text = path.read_bytes().decode(errors="surrogateescape")
        line = 1 + re.split("[\udc80-\udcff]", text, maxsplit=1)[0].count("\n")
        raise UserError(
            f"{path}:{line}: found another encoding; expected UTF-8. Save the file as UTF-8 (spreadsheets call it `CSV UTF-8`)"
        ) from None
    except csv.Error as error:
        expected = "a CSV file with doubled quotes inside quoted cells"
        raise UserError(f"{path}:{line}: found {error}; expected {expected}") from None
    except FileNotFoundError:
        raise UserError(
            f"{path}: no such file; expected a seed of the collection. Bring it back with git, or copy it from the folder"
            f" .{path.parents[1].name}.previous beside the collection, which has the states before the last changes"
        ) from None
    except OSError as error:
        raise UserError(f"{path}: could not be read ({refusal(error)}); expected a CSV file in UTF-8") from None


def read_rows(path: Path) -> list[SeedRow]:
    """Return the rows of a seed file as text, with empty texts for empty cells; see `iterate_rows`."""
    seed = SEEDS[path.stem]
    return [dict(zip(seed.columns, canonical_cells(seed, cells), strict=True)) for _, cells in _lines(path)]


def read_settings(folder: Path) -> dict[str, str]:
    """Return all settings of a collection; those that it omits have their defaults."""
    rows = read_rows(folder / SETTINGS.path)
    stated = {row["setting"].strip(): row["value"].strip() for row in rows if row["value"].strip()}
    return {**project_variable("default_settings"), **stated}


def canonical_cells(table: Seed, cells: Iterable[str]) -> list[str]:
    """Return the cells of a row as staging reads them: without blanks around them, codes in capitals, numbers as the importer writes them."""
    stripped, columns = [cell.strip(" ") for cell in cells], table.columns
    if table is CORRECTIONS:
        # A value has the form of the corrected column.
        _, _, player_id, field, value, *_ = stripped
        corrected = SEEDS["raw_results" if player_id else "raw_tournaments"].columns.get(field, {})
        if corrected.get("or_none") and value.casefold() == NONE:
            return [NONE if cell == value else cell for cell in stripped]
        columns = columns | {"value": corrected}
    forms = (_FORMS.get(meta.get("text") or meta.get("type"), str) for meta in columns.values())
    return [form(cell) for form, cell in zip(forms, stripped, strict=True)]


def write_csv(table: Seed, rows: Iterable[SeedRow], path: Path) -> None:
    """Write rows as a seed file, in the given order."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table.columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def parquet_files(folder: Path, table: Seed) -> list[Path]:
    """Return the Parquet files that hold a table's rows: one file, all files of a folder, or none.

    Raises:
        UserError: when a file cannot be read or has other columns than the seed; or when the seed has rows, too, which staging would lose.
    """
    if table not in RAW_TABLES:
        return []
    path = folder / table.parquet_path
    files = sorted(path.glob("*.parquet")) if path.is_dir() else [path] if path.exists() else []
    types: dict[str, str] = {}
    for file in files:
        found = {name: sql_type for name, sql_type, *_ in _query(file, "describe select *")}
        if list(found) != list(table.columns):
            raise UserError(f"{file}: found the columns {', '.join(found)}; expected {', '.join(table.columns)}")
        # DuckDB reads all files with the types of the first.
        types = types or found
        if found != types:
            raise UserError(f"{file}: found columns of other types than in {files[0]}; expected the same in all files")
    if files and any(_lines(folder / table.path)):
        raise UserError(
            f"{folder / table.path}: found rows here and in {path}; expected them in one of both. Delete the one that is out of date:"
            " of the CSV file all but the header"
        )
    return files


def _query(path: Path, sql: str) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a query on a Parquet file, given without its `from`."""
    try:
        with duckdb.connect() as connection:
            yield from iter(connection.execute(f"{sql} from read_parquet({read_literal(path)})").fetchone, None)
    except duckdb.Error as error:
        raise UserError(f"{path}: found {error}; expected the rows of {path.stem} as Parquet") from None


def _joined(columns: Iterable[str]) -> str:
    return shortened(",".join(columns), 500) or "nothing"
