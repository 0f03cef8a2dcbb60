#!/usr/bin/env python3
"""Import documents (pages of the World Diplomacy Database as text) into a collection of seeds."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from pathlib import Path

import click
from rich.markup import escape
from rich.progress import Progress
from rich.table import Table

from dippouch.console import err, out, run_for_keeper
from dippouch.importing.changes import Change
from dippouch.importing.documents import TournamentDocument
from dippouch.importing.importer import Outcome, find_documents, import_documents
from dippouch.settings import seeds_folder


@click.command(epilog="Then `make rankings` rates everybody again.")
@click.option(
    "--seeds",
    type=click.Path(path_type=Path, file_okay=False),
    help="The collection; a new or empty folder becomes a new one.  [default: $DPTR_SEEDS or seeds]",
)
@click.option("--dry-run", is_flag=True, help="Show every row that would change, and write nothing.")
@click.argument("documents", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE_OR_FOLDER...")
def main(documents: tuple[Path, ...], seeds: Path | None, dry_run: bool) -> None:
    """Import tournament results and published rankings.

    \b
    scripts/import_results.py page.txt                one page
    scripts/import_results.py --dry-run pages/        what a folder of pages would change
    scripts/import_results.py --seeds my_club page.txt   into a collection of its own

    A document that cannot be right is rejected with its file, line, what was found and what was expected; then nothing
    at all is written, and the exit code is 1.
    """
    run_for_keeper(lambda: _import(documents, seeds or seeds_folder(), dry_run))


def _import(documents: tuple[Path, ...], folder: Path, dry_run: bool) -> None:
    paths = find_documents(documents)
    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("Reading", total=len(paths))
        outcome = import_documents(paths, folder, dry_run=dry_run, on_document=lambda path: progress.advance(task))
    _show(outcome, folder, dry_run)
    if outcome.rejections:
        raise SystemExit(1)


def _show(outcome: Outcome, folder: Path, dry_run: bool) -> None:
    table = Table(box=None, pad_edge=False)
    for heading in ("document", "status", "states"):
        table.add_column(heading)
    for change in outcome.changes:
        table.add_row(escape(change.document.source.path.name), change.status, escape(_summary(change)))
    if outcome.changes:
        out.print(table)
    for change in outcome.changes:
        if change.status == "changed" or dry_run:
            _show_differences(change)
    for rejection in outcome.rejections:
        err.print(f"[bold red]rejected:[/] {escape(str(rejection))}")
    if outcome.rejections:
        err.print(f"{len(outcome.rejections)} document(s) rejected; nothing was written.")
    elif dry_run:
        out.print(f"{outcome.changed_rows} rows would change in {escape(str(folder))}; nothing was written.")
    else:
        out.print(f"{outcome.changed_rows} rows changed in {escape(str(folder))}.")


def _summary(change: Change) -> str:
    document = change.document
    if isinstance(document, TournamentDocument):
        missing = document.players - len(document.results)
        return f"{change.title}: {len(document.results)} of {document.players} results" + (
            f", {missing} missing" if missing else ""
        )
    return f"{change.title}: {len(document.ranks)} published ratings"


def _show_differences(change: Change) -> None:
    """One line a row: + added, ~ changed (column: before -> after)."""
    for difference in change.differences:
        key = " ".join(difference.key)
        if difference.before is None and difference.after is not None:
            cells = ", ".join(f"{c}={difference.after[c]}" for c in difference.changed_columns() if difference.after[c])
            out.print(f"  [green]+[/] {difference.table.path} {escape(cells)}", soft_wrap=True)
        elif difference.before is not None and difference.after is not None:
            cells = ", ".join(
                f"{c}: {difference.before[c] or '(empty)'} -> {difference.after[c]}"
                for c in difference.changed_columns()
            )
            out.print(f"  [yellow]~[/] {difference.table.path} {escape(key)}: {escape(cells)}", soft_wrap=True)


if __name__ == "__main__":
    main()
