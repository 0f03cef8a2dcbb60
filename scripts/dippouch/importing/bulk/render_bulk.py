"""What a bulk import found, as people and as scripts read it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from rich.markup import escape

from dippouch.console import err, out, plain_table, write_json
from dippouch.importing.bulk.set_import import BulkOutcome


def print_bulk(outcome: BulkOutcome, folder: Path, *, dry_run: bool) -> None:
    """Print what should be known of what was read, the refused rows by rule, and the sum of it."""
    for note in outcome.notes:
        err.print(f"[yellow]{escape(note)}[/]")
    if outcome.refused:
        _print_refused(outcome)
    place = escape(str(folder))
    sum_ = f"{outcome.tournaments:,} tournaments, {outcome.results:,} results, {outcome.people:,} people"
    if outcome.left_out:
        sum_ += f"; {outcome.left_out:,} tournaments with refused rows are not among them"
    if outcome.written:
        out.print(f"{sum_}.\n{place} is made.")
    elif outcome.results and dry_run:
        out.print(f"{sum_}; nothing was written.")
    else:
        ways = " --leave-out takes the other tournaments." if outcome.left_out and outcome.results else ""
        out.print(f"Nothing was written; {place} is as it was.{ways}")


def print_bulk_json(outcome: BulkOutcome, folder: Path, *, dry_run: bool) -> None:
    """Print the same as one JSON object."""
    write_json({"seeds": str(folder), "dry_run": dry_run, **asdict(outcome)})


def _print_refused(outcome: BulkOutcome) -> None:
    """The rules that refuse rows: of how many rows, in how many tournaments; then the first rows of each."""
    table = plain_table("refused for", ">rows", ">tournaments")
    for kind in outcome.refused:
        table.add_row(escape(kind.what), f"{kind.rows:,}", f"{kind.tournaments:,}" if kind.tournaments else "")
    err.print(table)
    for kind in outcome.refused:
        for message in kind.samples:
            err.print(f"[bold red]{escape(kind.what)}:[/] {escape(message)}")
    if outcome.all_refused:
        err.print(f"All of them are in {escape(str(outcome.all_refused))}.")
