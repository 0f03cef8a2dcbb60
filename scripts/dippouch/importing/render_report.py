"""Print the import report for people and for scripts."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import asdict
from pathlib import Path

from rich.console import RenderableType
from rich.markup import escape

from dippouch.console import err, out, plain_table, write_json
from dippouch.errors import DocumentError
from dippouch.importing.report import Outcome, ReportedDocument, ReportedRow
from dippouch.matching.likeness import LikelyDuplicate, likeliest_first
from dippouch.matching.newcomers import Newcomer
from dippouch.printable import counted, visible_line
from dippouch.suggestions import suggested_command

# For a larger run, show the counts, and only the documents that need attention.
_SHOWN_DOCUMENTS = 40
_SHOWN_FAULTS = 50
_SHOWN_PAIRS = 20
_SHOWN_READINGS = 10


def print_report(outcome: Outcome, folder: Path, *, dry_run: bool, moves: RenderableType = "") -> None:
    """Print every changed row, a line for every document, its people, every rejection, and the totals.

    Args:
        outcome: the result of the run.
        folder: the collection.
        dry_run: whether the changes were not written.
        moves: the foreseen moves.
    """
    for document in outcome.documents:
        if document.rows:
            out.print(f"{escape(document.title)} ({document.status})")
        for row in document.rows:
            _print_row(row)
    if len(outcome.documents) <= _SHOWN_DOCUMENTS or dry_run:
        _print_documents(outcome)
    for document in outcome.documents:
        for note in document.notes:
            err.print(f"[yellow]{escape(_file_name(document.file))}:[/] {escape(note)}")
    _print_people(outcome)
    _print_likely_duplicates(outcome, folder)
    if moves:
        out.print(moves)
    _print_rejections(outcome.rejections)
    for kind in outcome.added_kinds:
        out.print(f"added the kind {escape(kind)}")
    _print_sum(outcome, folder, dry_run=dry_run)


def _print_sum(outcome: Outcome, folder: Path, *, dry_run: bool) -> None:
    counts = [f"{number:,} {status}" for status, number in outcome.counts().items()]
    out.print(", ".join([*counts, f"{outcome.rejected_files:,} rejected"]))
    place = escape(str(folder))
    if outcome.written:
        out.print(f"{counted(outcome.changed_rows, 'row', 'rows')} changed in {place}.")
    elif dry_run:
        out.print(f"{counted(outcome.changed_rows, 'row', 'rows')} would change in {place}; nothing was written.")
    else:
        out.print(f"Nothing was written; {place} is as it was.")


def print_json(outcome: Outcome, folder: Path, *, dry_run: bool, moves: dict[str, object] | None = None) -> None:
    """Print the same as one JSON object, with the moves that a dry run foresees."""
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
        "people": {
            "known": len(outcome.people) - len(outcome.new_people),
            "new": len(outcome.new_people),
            "without_nation": outcome.without_nation,
        },
        "documents": [asdict(document) for document in outcome.documents],
        "rejected": rejected,
        "moves": moves,
        "likely_duplicates": [
            {"likeness": pair.likeness, "one": pair.one.player_id, "other": pair.other.player_id}
            for pair in _likely_duplicates(outcome)
        ],
        "new_people": [{"player_id": one.person.player_id, "name": one.person.name} for one in _new_people(outcome)],
        "suspicious_names": [{"name": name, "reason": reason} for name, reason in outcome.suspicious],
    }
    write_json(whole)


def _print_documents(outcome: Outcome) -> None:
    table = plain_table("document", "status", "title", "states")
    for document in outcome.documents:
        table.add_row(
            escape(_file_name(document.file)), document.status, escape(document.title), escape(_states(document))
        )
    if table.row_count:
        out.print(table)
    # Documents that were read the same way, such as a folder of pages, share a line.
    files: dict[str, list[str]] = defaultdict(list)
    for document in outcome.documents:
        files[document.read_as].append(_file_name(document.file))
    for read_as, names in list(files.items())[:_SHOWN_READINGS]:
        what = names[0] if len(set(names)) == 1 else f"{len(names):,} documents"
        out.print(escape(f"{what} read as {read_as}"))


def _states(document: ReportedDocument) -> str:
    """Describe a document's content, with the value of its tournament and the rule that gives it."""
    if document.worth is None:
        return document.states
    kind, value, rule = document.worth.kind or "no kind", document.worth.value, document.worth.rule
    return f"{document.states}; {kind}, value {value:.2f} ({rule})"


def _print_people(outcome: Outcome) -> None:
    if outcome.people:
        new = len(outcome.new_people)
        known, without = len(outcome.people) - new, outcome.without_nation
        out.print(f"{counted(known, 'known person', 'known people')}, {new:,} new; {without:,} without a nation")
    # Undecided likely duplicates are printed separately.
    newcomers = [one for one in _new_people(outcome) if not one.likely]
    table = plain_table("new", "nation")
    for one in newcomers[:_SHOWN_PAIRS]:
        table.add_row(escape(one.person.name), "/".join(sorted(one.person.nations)))
    if newcomers:
        out.print(table)
    if more := len(newcomers) - table.row_count:
        out.print(f"{counted(more, 'more new person', 'more new people')}: --json lists them")
    for name, reason in outcome.suspicious:
        err.print(f"[yellow]suspicious name:[/] {escape(f'{name} ({reason})')}")


def _new_people(outcome: Outcome) -> list[Newcomer]:
    """Return the compared new people, without those that an answer identified."""
    return [one for one in outcome.newcomers if one.person.player_id in outcome.new_people]


def _file_name(path: str) -> str:
    """Return the name of a file, safe for a line."""
    return visible_line(Path(path).name)


def _print_likely_duplicates(outcome: Outcome, folder: Path) -> None:
    """Print decisions on new people, and new people with names like known ones."""
    for row in outcome.decisions():
        _print_row(row)
    found = _likely_duplicates(outcome)
    for pair in found[:_SHOWN_PAIRS]:
        one, other = (f"`{p.player_id}` ({', '.join([p.name, *sorted(p.nations)])})" for p in (pair.one, pair.other))
        ids = sorted((pair.other.player_id, pair.one.player_id), key=lambda known: known not in outcome.new_people)
        merge = suggested_command("merge", *ids, "--reason", "...", seeds=folder)
        err.print(f"[yellow]may be one person ({pair.likeness}):[/] {escape(f'{one} and {other}; if so: {merge}')}")
    if len(found) > _SHOWN_PAIRS:
        err.print("dptr duplicates lists everybody who may be one person")


def _likely_duplicates(outcome: Outcome) -> list[LikelyDuplicate]:
    """Return pairs of new people and those who they may be, without a decision."""
    return likeliest_first(pair for one in outcome.newcomers if not one.decisions for pair in one.likely)


def _print_rejections(rejections: list[DocumentError]) -> None:
    for rejection in rejections[:_SHOWN_FAULTS]:
        err.print(f"[bold red]rejected:[/] {escape(str(rejection))}")
    if (more := len(rejections) - _SHOWN_FAULTS) > 0:
        err.print(f"[bold red]rejected:[/] {more:,} further faults; --json shows all")


def _print_row(row: ReportedRow) -> None:
    """Print a row in a line: + added, ~ changed (column: before -> after)."""
    if row.before is None:
        cells = ", ".join(f"{column}={value}" for column, value in row.after.items() if value)
        out.print(f"  [green]+[/] {row.table} {escape(cells)}", soft_wrap=True)
    else:
        cells = ", ".join(
            f"{column}: {row.before[column] or '(empty)'} -> {value}" for column, value in row.after.items()
        )
        out.print(f"  [yellow]~[/] {row.table} {escape(' '.join(row.key))}: {escape(cells)}", soft_wrap=True)
