"""Break real documents of every format at random, and check that the importer takes or rejects each of them properly."""

import shutil
import tempfile
from pathlib import Path

import click
from rich.progress import Progress

from dippouch.command_line import Command
from dippouch.console import err, out, plain_table
from support.fuzzing.trial import OUTCOMES, run


@click.command(cls=Command)
@click.option("--documents", default=10_000, show_default=True, type=click.IntRange(1), help="How many to try.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same documents.")
def main(documents: int, seed: int) -> None:
    """Import broken documents, and count what came of them by format.

    \b
    make fuzz                                                  10,000 documents, always the same
    python -m support.fuzzing --documents 500 --seed 7         others, and fewer

    Every document must either be imported, with every invariant of documents true, or be rejected with a message that
    names its place, and leave every byte of the collection (a copy of the project's) as it was. The first one that leads to
    anything else is a fault of the importer: it ends the program with a traceback, and stays on the disk.
    """
    folder = Path(tempfile.mkdtemp(prefix="fuzz_import_"))
    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("Importing broken documents", total=documents)
        counts = run(documents, seed, folder, on_document=lambda: progress.advance(task))
    table = plain_table("format", *(f">{outcome}" for outcome in OUTCOMES))
    for name in sorted({name for name, _ in counts}):
        table.add_row(name, *(str(counts[name, outcome]) for outcome in OUTCOMES))
    table.add_row("all", *(str(sum(n for (_, o), n in counts.items() if o == outcome)) for outcome in OUTCOMES))
    out.print(table)
    out.print(f"{counts.total()} documents of seed {seed}; nothing else happened.")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
