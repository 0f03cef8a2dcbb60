#!/usr/bin/env python3
"""Break real documents of every form at random, and check that the importer takes or rejects each of them properly."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

import shutil
import tempfile
from pathlib import Path

import click
from rich.progress import Progress
from rich.table import Table

from dippouch.console import err, out, run_for_keeper
from dippouch.fuzzing.trial import OUTCOMES, run


@click.command()
@click.option("--documents", default=10_000, show_default=True, type=click.IntRange(1), help="How many to try.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same documents.")
def main(documents: int, seed: int) -> None:
    """Import broken documents, and count what came of them by form.

    \b
    scripts/fuzz_import.py                             10,000 documents, always the same
    scripts/fuzz_import.py --documents 500 --seed 7    others, and fewer

    Every document must either be imported, with every invariant of documents true, or be rejected with a message that
    names its place, and leave every byte of the collection (a copy of the project's) as it was. The first one that leads to
    anything else is a fault of the importer: it ends the program with a traceback, and stays on the disk.
    """
    run_for_keeper(lambda: _fuzz(documents, seed))


def _fuzz(documents: int, seed: int) -> None:
    folder = Path(tempfile.mkdtemp(prefix="fuzz_import_"))
    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("Importing broken documents", total=documents)
        counts = run(documents, seed, folder, on_document=lambda: progress.advance(task))
    table = Table(box=None, pad_edge=False)
    for heading in ("form", *OUTCOMES):
        table.add_column(heading, justify="left" if heading == "form" else "right")
    for form in sorted({form for form, _ in counts}):
        table.add_row(form, *(str(counts[form, outcome]) for outcome in OUTCOMES))
    table.add_row("all", *(str(sum(n for (_, o), n in counts.items() if o == outcome)) for outcome in OUTCOMES))
    out.print(table)
    out.print(f"{counts.total()} documents of seed {seed}; nothing else happened.")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
