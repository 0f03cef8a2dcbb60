#!/usr/bin/env python3
"""Make invented bulk results of any size, to try the warehouse on."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from pathlib import Path

import click
from rich.markup import escape

from dippouch.console import out, run_for_keeper
from dippouch.inventing.collection import Size, write_invented


@click.command()
@click.option("--tournaments", default=1_000, show_default=True, type=click.IntRange(min=1))
@click.option("--players", default=5_000, show_default=True, type=click.IntRange(min=100), help="People there are.")
@click.option("--results", default=40_000, show_default=True, type=click.IntRange(min=1), help="Results, about.")
@click.option(
    "--longest-career", default=400, show_default=True, type=click.IntRange(min=1), help="Events of one player."
)
@click.option("--seed", default=1, show_default=True, help="Another number makes another collection.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
def main(folder: Path, tournaments: int, players: int, results: int, longest_career: int, seed: int) -> None:
    """Write invented tournaments.csv and results.csv into FOLDER; the same options give the same files.

    \b
    scripts/make_collection.py --tournaments 1000 /tmp/invented
    scripts/import_results.py --seeds /tmp/invented_seeds /tmp/invented
    DPTR_SEEDS=/tmp/invented_seeds DPTR_WAREHOUSE=/tmp/invented_warehouse make rankings
    """

    def make() -> None:
        size = Size(tournaments, players, results, longest_career)
        written = write_invented(folder, size, seed)
        out.print(f"{tournaments:,} tournaments with {written:,} results written to {escape(str(folder))}.")

    run_for_keeper(make)


if __name__ == "__main__":
    main()
