"""Reading and writing one seed file: CSV in UTF-8 with a header, `\\n` at the line ends."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from pathlib import Path

from dippouch.errors import UserError
from dippouch.seeds.schema import Row, SeedTable


def iterate_rows(path: Path, columns: tuple[str, ...] | None = None) -> Iterator[Row]:
    """The rows of a seed file as text, one after the other, empty cells as empty strings.

    Raises:
        UserError: when the file is missing, is not UTF-8 or has other columns than expected.
    """
    try:
        with path.open(encoding="utf-8", newline="") as file:
            reader = csv.reader(file, strict=True)
            header = tuple(next(reader, ()))
            if columns is not None and header != columns:
                raise UserError(f"{path}:1: found the columns {', '.join(header)}; expected {', '.join(columns)}")
            for cells in reader:
                if len(cells) != len(header):
                    raise UserError(
                        f"{path}:{reader.line_num}: found {len(cells)} cells; expected {len(header)} as in the header"
                    )
                yield dict(zip(header, cells, strict=True))
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; expected a seed of the collection") from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise UserError(f"{path}: found {error}; expected a CSV file in UTF-8") from None


def read_rows(path: Path, columns: tuple[str, ...] | None = None) -> list[Row]:
    """All rows of a seed file; see `iterate_rows`."""
    return list(iterate_rows(path, columns))


def write_csv(table: SeedTable, rows: Iterable[Row], path: Path) -> None:
    """Write rows as a seed file, one after the other."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, table.columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
