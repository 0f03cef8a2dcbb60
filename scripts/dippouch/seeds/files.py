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
    """Yield every row of a seed file with the line on which it begins, the header first.

    Raises:
        UserError: when the file is missing, cannot be read or is not a CSV file in UTF-8.
    """
    line = 1
    try:
        # Excel begins a file in UTF-8 with a byte order mark.
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.reader(file, strict=True)
            for cells in reader:
                yield line, cells
                line = reader.line_num + 1
    except UnicodeDecodeError:
        raise UserError(_not_utf8(path)) from None
    except csv.Error as error:
        raise UserError(
            f"{path}:{line}: found {error}; expected a CSV file with doubled quotes inside quoted cells"
        ) from None
    except FileNotFoundError:
        raise UserError(missing(path)) from None
    except OSError as error:
        raise UserError(f"{path}: could not be read ({refusal(error)}); expected a CSV file in UTF-8") from None


def iterate_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a seed file as text, with empty texts for empty cells.

    Raises:
        UserError: when the file is missing, is not UTF-8 or has other columns than the seed of its name.
    """
    rows = numbered_rows(path)
    header = tuple(next(rows, (1, []))[1])
    if fault := fault_of_header(header, SEEDS[path.stem].columns):
        raise UserError(f"{path}:1: {fault}")
    for line, cells in rows:
        if len(cells) != len(header):
            raise UserError(f"{path}:{line}: {fault_of_length(cells, len(header))}")
        yield dict(zip(header, cells, strict=True))


def read_rows(path: Path) -> list[Row]:
    """Return all rows of a seed file; see `iterate_rows`."""
    return list(iterate_rows(path))


def fault_of_header(header: Iterable[str], columns: Iterable[str]) -> str:
    """Return the fault in the header of a seed file, and the expectation; empty if it is right."""
    found, expected = list(header), list(columns)
    if found == expected:
        return ""
    unlike = [f"`{shortened(column)}`" for column in found if column not in expected]
    lacking = [f"no `{column}`" for column in expected if column not in found]
    what = ", ".join([*unlike, *lacking]) if found else "no header"
    return f"found {what or 'other columns or another order'}; expected the header {','.join(expected)}"


def fault_of_length(cells: list[str], expected: int) -> str:
    """Return the fault of a row with another length than the header, and the expectation."""
    found = counted(len(cells), "cell", "cells") if cells else "an empty line"
    return f"found {found}; expected {expected} cells as in the header"


def missing(path: Path) -> str:
    """Return the message for a missing seed file."""
    if path.is_symlink():
        return f"{path}: found a link to a missing file; expected a seed of the collection"
    return (
        f"{path}: no such file; expected a seed of the collection. Let git restore it, or copy the seed of the same name from"
        f" {PROJECT / 'seeds'}; of a file with results or people, copy only the header"
    )


def write_csv(table: Seed, rows: Iterable[Row], path: Path) -> None:
    """Write rows as a seed file, in the given order."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(table.columns), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def _not_utf8(path: Path) -> str:
    """Return where a file stops being UTF-8."""
    with path.open("rb") as file:
        for line, content in enumerate(file, start=1):
            try:
                content.decode("utf-8")
            except UnicodeDecodeError as error:
                byte = content[error.start]
                return (
                    f"{path}:{line}: found the byte 0x{byte:02X}; expected UTF-8. Save the file as UTF-8 (spreadsheets call it"
                    " `CSV UTF-8`)"
                )
    return f"{path}: found another encoding; expected UTF-8"
