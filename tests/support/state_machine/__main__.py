"""Live through many lives of collections, and count what happened in them."""

import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from pathlib import Path

import click
from rich.progress import Progress

from dippouch.command_line import program
from dippouch.console import err, out, plain_table
from dippouch.errors import UserError
from support.programs import run_dbt
from support.state_machine.life import OUTCOMES
from support.state_machine.living import Counts, lives, told_life


@click.command()
@click.option("--steps", default=10_000, show_default=True, type=click.IntRange(1), help="How many steps to take.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same steps.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1), help="How many work at a time.")
@click.option("--life", "only", help="Live this life only, as a fault names it, such as `1-17`.")
@program
def main(steps: int, seed: int, processes: int, only: str | None) -> None:
    """Take steps of every kind in many small collections, and check the promises of the project after each.

    \b
    make fuzz                                                    10,000 steps, always the same
    python -m support.state_machine --steps 500 --seed 7         others, and fewer

    After every step that is accepted a refresh must pass, the same document again must change nothing, decisions must
    stand, and no id of a source may be forgotten; a step that is refused changes no byte and says why. The first fault ends the
    program with the shortest story that leads to it.
    """
    counts: Counts = Counter()
    with tempfile.TemporaryDirectory(prefix="state_machine_") as folder:
        manifest = _compiled(Path(folder))
        tasks = [(life, length) for life, length in lives(seed, steps) if only in {None, life}]
        with (
            Progress(console=err, transient=True, disable=not err.is_terminal) as progress,
            # Fresh processes: DuckDB does not survive a fork.
            ProcessPoolExecutor(processes, get_context("spawn")) as pool,
        ):
            task = progress.add_task("Living", total=sum(length for _, length in tasks))
            under_way = [pool.submit(told_life, manifest, life, length) for life, length in tasks]
            for done in as_completed(under_way):
                life, found, story = done.result()
                if story:
                    pool.shutdown(wait=False, cancel_futures=True)
                    raise UserError(f"life {life}: {story}")
                counts += found
                progress.advance(task, found.total())
    table = plain_table("step", *(f">{outcome}" for outcome in OUTCOMES))
    for kind in sorted({kind for kind, _ in counts}):
        table.add_row(kind, *(str(counts[kind, outcome]) for outcome in OUTCOMES))
    table.add_row("all", *(str(sum(n for (_, o), n in counts.items() if o == outcome)) for outcome in OUTCOMES))
    out.print(table)
    out.print(f"{counts.total()} steps of seed {seed}; every promise was kept.")


def _compiled(folder: Path) -> Path:
    """The manifest of the project as dbt compiles it."""
    done = run_dbt(
        *("--quiet", "compile", "--target-path", folder / "dbt", "--log-path", folder / "logs"), DPTR_WAREHOUSE=folder
    )
    if done.returncode:
        raise UserError(f"the project does not compile: {done.stdout}")
    return folder / "dbt" / "manifest.json"


if __name__ == "__main__":
    main()
