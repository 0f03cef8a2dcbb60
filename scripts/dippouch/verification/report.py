"""The findings of a verification, and a report of them for people."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rich.markup import escape

from dippouch.console import err, out, plain_table

_SHOWN_DISCREPANCIES = 20


@dataclass(frozen=True)
class Discrepancy:
    """A figure that differs: its place, the published value, and the value from the seeds or from the table that it repeats."""

    table: str
    row: str
    column: str
    published: str
    expected: str

    def __str__(self) -> str:
        return f"{self.table}: {self.row}: {self.column} is {self.published}, must be {self.expected}"


@dataclass(frozen=True)
class TableReport:
    """The result for one table: number of rows compared, and every difference."""

    table: str
    rows: int
    discrepancies: list[Discrepancy]


def row_label(key: Mapping[str, object]) -> str:
    """Name a row for people: player, tournament, and the rest of its key."""
    return ", ".join(f"{name.removesuffix('_id').replace('_', ' ')} {cell_text(cell)}" for name, cell in key.items())


def cell_text(value: object) -> str:
    """Format a cell for people."""
    if isinstance(value, float):
        return f"{value:.12f}"
    return "null" if value is None else str(value)


def print_verification(reports: list[TableReport]) -> None:
    """Print the report of a verification: one line per table, then the differences."""
    table = plain_table("verified table", ">rows", ">differences")
    for report in reports:
        table.add_row(report.table, f"{report.rows:,}", str(len(report.discrepancies)))
    out.print(table)
    discrepancies = [discrepancy for report in reports for discrepancy in report.discrepancies]
    for discrepancy in discrepancies[:_SHOWN_DISCREPANCIES]:
        err.print(f"[bold red]differs:[/] {escape(str(discrepancy))}")
    if len(discrepancies) > _SHOWN_DISCREPANCIES:
        err.print(f"... and {len(discrepancies) - _SHOWN_DISCREPANCIES} more")
    rows = sum(report.rows for report in reports)
    if discrepancies:
        err.print(f"{len(discrepancies)} figures differ from the exact recomputation of {rows:,} rows.")
    else:
        out.print(f"All {rows:,} rows agree with the exact recomputation.")
