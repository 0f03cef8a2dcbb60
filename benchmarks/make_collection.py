#!/usr/bin/env python3
"""Make synthetic results of any size, to try the warehouse."""

from pathlib import Path

import click
from rich.markup import escape

from dippouch.collection.folder import is_new
from dippouch.command_line import Command
from dippouch.console import out
from dippouch.messages import UserError
from synthetic.collection import write_collection
from synthetic.results import Size, write_synthetic


@click.command(cls=Command)
@click.option(
    "--results", default=40_000, show_default=True, type=click.IntRange(min=1), help="Approximate number of results."
)
@click.option("--tournaments", type=click.IntRange(min=1), help="Number of tournaments.  [default: one for 40 results]")
@click.option(
    "--players", type=click.IntRange(min=100), help="Approximate number of people.  [default: one for 8 results]"
)
@click.option("--as-seeds", is_flag=True, help="Write a collection, like an import would, rated by every system.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def main(folder: Path, results: int, tournaments: int | None, players: int | None, *, as_seeds: bool) -> None:
    """Write synthetic tournaments.csv and results.csv into FOLDER; the same options give the same files.

    \b
    .venv/bin/python benchmarks/make_collection.py --results 100000 /tmp/synthetic
    dptr import --seeds /tmp/synthetic_seeds /tmp/synthetic
    DPTR_SEEDS=/tmp/synthetic_seeds DPTR_WAREHOUSE=/tmp/synthetic_warehouse make rankings

    \b
    Without importing:
    .venv/bin/python benchmarks/make_collection.py --results 1000000 --as-seeds /tmp/synthetic_seeds
    """
    usual = Size.of(results)
    size = Size(tournaments or usual.tournaments, players or usual.players, results)
    if as_seeds:
        if not is_new(folder):
            raise UserError(f"{folder}: found files there; expected a new or empty folder for the seeds")
        written = write_collection(folder, size, seed=1, every_system=True)
    else:
        written = write_synthetic(folder, size, seed=1)
    out.print(f"{size.tournaments:,} tournaments with {written:,} results written to {escape(str(folder))}.")


if __name__ == "__main__":
    main()
