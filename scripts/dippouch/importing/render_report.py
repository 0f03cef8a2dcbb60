"""The import report as people and as scripts read it."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from rich.markup import escape

from dippouch.console import err, out, plain_table, write_json
from dippouch.errors import DocumentError
from dippouch.importing.report import Outcome, ReportedRow
from dippouch.matching.candidates import LikelyDuplicate
from dippouch.printable import visible_line

# Of a larger run the counts are shown, and only the documents that need a look.
_SHOWN_DOCUMENTS = 40
_SHOWN_FAULTS = 50
_SHOWN_PAIRS = 20


def print_report(outcome: Outcome, folder: Path, *, dry_run: bool) -> None:
    """Print a line for every document, every row that changed, every rejection, and the sum of it."""
    if len(outcome.documents) <= _SHOWN_DOCUMENTS or dry_run:
        _print_documents(outcome)
    for document in outcome.documents:
        for note in document.notes:
            err.print(f"[yellow]{escape(_file_name(document.file))}:[/] {escape(note)}")
    for document in outcome.documents:
        if dry_run or document.status == "changed":
            out.print(f"{escape(document.title)} ({document.status})")
        for row in document.rows:
            _print_row(row)
    _print_likely_duplicates(outcome.likely_duplicates)
    _print_rejections(outcome.rejections)
    for kind in outcome.added_kinds:
        out.print(f"added the kind {escape(kind)}")
    counts = [f"{number:,} {status}" for status, number in outcome.counts().items()]
    out.print(", ".join([*counts, f"{outcome.rejected_files:,} rejected"]))
    place = escape(str(folder))
    if outcome.written:
        out.print(f"{outcome.changed_rows:,} rows changed in {place}.")
    elif dry_run:
        out.print(f"{outcome.changed_rows:,} rows would change in {place}; nothing was written.")
    else:
        out.print(f"Nothing was written; {place} is as it was.")


def print_json(outcome: Outcome, folder: Path, *, dry_run: bool) -> None:
    """Print the same as one JSON object."""
    rejected = [
        {
            "file": str(rejection.location.path),
            "line": rejection.location.line,
            "place": rejection.location.place,
            "found": rejection.found,
            "expected": rejection.expected,
            "hint": rejection.hint,
        }
        for rejection in outcome.rejections
    ]
    whole = {
        "seeds": str(folder),
        "dry_run": dry_run,
        "written": outcome.written,
        "changed_rows": outcome.changed_rows,
        "counts": outcome.counts() | {"rejected": outcome.rejected_files},
        "documents": [asdict(document) for document in outcome.documents],
        "rejected": rejected,
        "likely_duplicates": [
            {"likeness": pair.likeness, "one": pair.one.player_id, "other": pair.other.player_id}
            for pair in outcome.likely_duplicates or []
        ],
    }
    write_json(whole)


def _print_documents(outcome: Outcome) -> None:
    table = plain_table("document", "status", "title", "states")
    for document in outcome.documents:
        table.add_row(escape(_file_name(document.file)), document.status, escape(document.title), document.states)
    if table.row_count:
        out.print(table)


def _file_name(path: str) -> str:
    """The name of a file, which stays on its line."""
    return visible_line(Path(path).name)


def _print_likely_duplicates(found: list[LikelyDuplicate] | None) -> None:
    """Who came in new and may be somebody who is known: before anything is written, when it is a dry run."""
    for pair in (found or [])[:_SHOWN_PAIRS]:
        one, other = (f"`{person.player_id}` ({person.name})" for person in (pair.one, pair.other))
        err.print(f"[yellow]may be one person ({pair.likeness}):[/] {escape(one)} and {escape(other)}")
    if found is None or len(found) > _SHOWN_PAIRS:
        err.print("dptr duplicates lists everybody who may be one person")


def _print_rejections(rejections: list[DocumentError]) -> None:
    for rejection in rejections[:_SHOWN_FAULTS]:
        err.print(f"[bold red]rejected:[/] {escape(str(rejection))}")
    if (more := len(rejections) - _SHOWN_FAULTS) > 0:
        err.print(f"[bold red]rejected:[/] {more:,} further faults; --json shows all")


def _print_row(row: ReportedRow) -> None:
    """One line a row: + added, ~ changed (column: before -> after)."""
    if row.before is None:
        cells = ", ".join(f"{column}={value}" for column, value in row.after.items() if value)
        out.print(f"  [green]+[/] {row.table} {escape(cells)}", soft_wrap=True)
    else:
        cells = ", ".join(
            f"{column}: {row.before[column] or '(empty)'} -> {value}" for column, value in row.after.items()
        )
        out.print(f"  [yellow]~[/] {row.table} {escape(' '.join(row.key))}: {escape(cells)}", soft_wrap=True)
