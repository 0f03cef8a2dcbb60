"""The report of a verification, for people."""

from __future__ import annotations

from rich.markup import escape
from rich.table import Table

from dippouch.console import err, out
from dippouch.verifying.comparison import TableReport

_SHOWN_DISCREPANCIES = 20


def show_verification(reports: list[TableReport]) -> None:
    """The report of a verification: a line a table, then the differences."""
    table = Table(box=None, pad_edge=False)
    table.add_column("verified table")
    table.add_column("rows", justify="right")
    table.add_column("differences", justify="right")
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
