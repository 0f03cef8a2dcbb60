"""The outcome of an import, for people and for scripts."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path

from rich.markup import escape
from rich.table import Table

from dippouch.console import err, out
from dippouch.importing.importer import STATUSES, Outcome
from dippouch.importing.journal import Journal, NotedDocument, NotedRow

# Of a larger run the counts are shown, and only the documents that need a look.
_SHOWN_DOCUMENTS = 40


def show_outcome(outcome: Outcome, journal: Journal, folder: Path, *, dry_run: bool) -> None:
    """A line for every document, every row that changed, every rejection, and the sum of it."""
    few = sum(outcome.documents.values()) <= _SHOWN_DOCUMENTS
    if few or dry_run:
        _show_documents(journal)
    for document in journal.documents():
        for note in document.notes:
            err.print(f"[yellow]{escape(Path(document.file).name)}:[/] {escape(note)}")
    for document in journal.documents() if dry_run else journal.documents("changed"):
        out.print(f"{escape(document.title)} ({document.status})")
        for row in journal.rows(document):
            _show_row(row)
    for rejection in outcome.rejections:
        err.print(f"[bold red]rejected:[/] {escape(str(rejection))}")
    counts = [f"{outcome.documents[status]:,} {status}" for status in STATUSES]
    out.print(", ".join([*counts, f"{len(outcome.rejections):,} rejected"]))
    place = escape(str(folder))
    if outcome.written:
        out.print(f"{outcome.changed_rows:,} rows changed in {place}.")
    elif dry_run:
        out.print(f"{outcome.changed_rows:,} rows would change in {place}; nothing was written.")
    else:
        out.print(f"Nothing was written; {place} is as it was.")


def show_outcome_as_json(outcome: Outcome, journal: Journal, folder: Path, *, dry_run: bool) -> None:
    """The same as one JSON object."""
    documents = [
        {key: value for key, value in asdict(document).items() if key != "number"}
        | {"rows": [asdict(row) for row in journal.rows(document)]}
        for document in journal.documents()
    ]
    rejected = [
        {
            "file": str(rejection.path),
            "line": rejection.line,
            "place": rejection.place,
            "found": rejection.found,
            "expected": rejection.expected,
            "hint": rejection.hint,
        }
        for rejection in outcome.rejections
    ]
    report = {
        "seeds": str(folder),
        "dry_run": dry_run,
        "written": outcome.written,
        "changed_rows": outcome.changed_rows,
        "counts": outcome.documents | {"rejected": len(rejected)},
        "documents": documents,
        "rejected": rejected,
    }
    print(json.dumps(report, ensure_ascii=False, indent=2, default=str))  # noqa: T201 (for scripts, not through the terminal's markup)


def _show_documents(journal: Journal) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("document", "status", "title", "states"):
        table.add_column(heading)
    for document in journal.documents():
        _add(table, document)
    if table.row_count:
        out.print(table)


def _add(table: Table, document: NotedDocument) -> None:
    table.add_row(escape(Path(document.file).name), document.status, escape(document.title), document.states)


def _show_row(row: NotedRow) -> None:
    """One line a row: + added, ~ changed (column: before -> after)."""
    if row.before is None:
        cells = ", ".join(f"{column}={value}" for column, value in row.after.items() if value)
        out.print(f"  [green]+[/] {row.table} {escape(cells)}", soft_wrap=True)
    else:
        cells = ", ".join(
            f"{column}: {row.before[column] or '(empty)'} -> {value}" for column, value in row.after.items()
        )
        out.print(f"  [yellow]~[/] {row.table} {escape(' '.join(row.key))}: {escape(cells)}", soft_wrap=True)
