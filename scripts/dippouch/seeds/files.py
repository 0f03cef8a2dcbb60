"""Read and write one seed file: CSV in UTF-8 with a header, and `\\n` as line end."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from dippouch.disk import refusal
from dippouch.errors import UserError
from dippouch.names import shortened
from dippouch.printable import counted
from dippouch.seeds.schema import SEEDS, Row, Seed
from dippouch.settings import PROJECT


def numbered_rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield every row of a seed file, below its header, with the line on which it begins.

    Raises:
        UserError: when the file is missing, cannot be read, is not a CSV file in UTF-8, or has other columns than the seed of its name.
    """
    line, columns = 1, list(SEEDS[path.stem].columns)
    try:
        # Excel begins a file in UTF-8 with a byte order mark.
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            if (header := next(reader, [])) != columns:
                raise UserError(f"{path}:1: found the header {_joined(header)}; expected {_joined(columns)}")
            line = reader.line_num + 1
            for cells in reader:
                if len(cells) != len(columns):
                    found = counted(len(cells), "cell", "cells")
                    raise UserError(f"{path}:{line}: found {found}; expected {len(columns)} cells as in the header")
                yield line, cells
                line = reader.line_num + 1
    except UnicodeDecodeError:
        raise UserError(
            f"{path}: found another encoding; expected UTF-8. Save the file as UTF-8 (spreadsheets call it `CSV UTF-8`)"
        ) from None
    except csv.Error as error:
        raise UserError(
            f"{path}:{line}: found {error}; expected a CSV file with doubled quotes inside quoted cells"
        ) from None
    except FileNotFoundError:
        raise UserError(
            f"{path}: no such file; expected a seed of the collection. Let git restore it, or copy the seed of the same name from"
            f" {PROJECT / 'seeds'}; of a file with results or people, copy only the header"
        ) from None
    except OSError as error:
        raise UserError(f"{path}: could not be read ({refusal(error)}); expected a CSV file in UTF-8") from None


def iterate_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a seed file as text, with empty texts for empty cells; see `numbered_rows`."""
    columns = SEEDS[path.stem].columns
    return (dict(zip(columns, cells, strict=True)) for _, cells in numbered_rows(path))


def read_rows(path: Path) -> list[Row]:
    """Return all rows of a seed file; see `numbered_rows`."""
    return list(iterate_rows(path))


def write_csv(table: Seed, rows: Iterable[Row], path: Path) -> None:
    """Write rows as a seed file, in the given order."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table.columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _joined(columns: Iterable[str]) -> str:
    return shortened(",".join(columns), 500) or "nothing"
