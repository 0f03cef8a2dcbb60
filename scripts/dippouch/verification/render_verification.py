"""The report of a verification, for people."""

from __future__ import annotations

from rich.markup import escape

from dippouch.console import err, out, plain_table
from dippouch.verification.discrepancies import TableReport

_SHOWN_DISCREPANCIES = 20


def print_verification(reports: list[TableReport]) -> None:
    """Print the report of a verification: a line a table, then the differences."""
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
