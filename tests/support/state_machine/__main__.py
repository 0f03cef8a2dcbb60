"""Live through many lives of collections, and count what happened in them."""

import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import click
from rich.progress import track

from dippouch.console import err, out, plain_table
from support.fuzzing.trial import BrokenPromise
from support.programs import run_dbt
from support.state_machine.collection_life import OUTCOMES
from support.state_machine.machine import LIFE, Counts, live_apart

# So many lives are one task of a process.
_LIVES = 4


@click.command()
@click.option("--steps", default=10_000, show_default=True, type=click.IntRange(1), help="How many steps to take.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same steps.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1), help="How many work at a time.")
def main(steps: int, seed: int, processes: int) -> None:
    """Take steps of every kind in many small collections, and check the promises of the project after each.

    \b
    make fuzz                                                    10,000 steps, always the same
    python -m support.state_machine --steps 500 --seed 7         others, and fewer

    After every step that is accepted a refresh must pass, the same document again must change nothing, decisions must
    stand, and no id of a source may be forgotten; a step that is refused changes no byte and says why. The first fault ends the
    program with the shortest story that leads to it.
    """
    counts: Counts = Counter()
    with (
        tempfile.TemporaryDirectory(prefix="state_machine_") as folder,
        # Fresh processes: DuckDB does not survive a fork.
        ProcessPoolExecutor(processes, get_context("spawn")) as pool,
    ):
        manifest = _compiled(Path(folder))
        size = LIFE * _LIVES
        tasks = [
            pool.submit(live_apart, manifest, min(size, steps - first), 100_000 * seed + first)
            for first in range(0, steps, size)
        ]
        for done in track(as_completed(tasks), "Living", len(tasks), console=err, disable=not err.is_terminal):
            try:
                counts += done.result()
            except BrokenPromise as broken:
                pool.shutdown(wait=False, cancel_futures=True)
                raise click.ClickException("\n".join([str(broken), *broken.__notes__])) from None
    table = plain_table("step", *(f">{outcome}" for outcome in OUTCOMES))
    for kind in sorted({kind for kind, _ in counts}):
        table.add_row(kind, *(str(counts[kind, outcome]) for outcome in OUTCOMES))
    table.add_row("all", *(str(sum(n for (_, o), n in counts.items() if o == outcome)) for outcome in OUTCOMES))
    out.print(table)
    out.print(f"{counts.total()} steps of seed {seed}; every promise was kept.")


def _compiled(folder: Path) -> Path:
    """The manifest of the project as dbt compiles it."""
    places = ("--target-path", folder / "dbt", "--log-path", folder / "logs")
    done = run_dbt("--quiet", "compile", *places, DPTR_WAREHOUSE=folder)
    assert done.returncode == 0, done.stdout
    return folder / "dbt" / "manifest.json"


if __name__ == "__main__":
    main()
