#!/usr/bin/env python3
"""Make synthetic bulk results of any size, to try the warehouse on."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

import click
from rich.markup import escape

from dippouch.command_line import program
from dippouch.console import out
from synthetic.results import Size, write_synthetic


@click.command()
@click.option("--tournaments", default=1_000, show_default=True, type=click.IntRange(min=1))
@click.option("--players", default=5_000, show_default=True, type=click.IntRange(min=100), help="People there are.")
@click.option("--results", default=40_000, show_default=True, type=click.IntRange(min=1), help="Results, about.")
@click.option(
    "--longest-career", default=400, show_default=True, type=click.IntRange(min=1), help="Events of one player."
)
@click.option("--seed", default=1, show_default=True, help="Another number makes another collection.")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@program
def main(folder: Path, tournaments: int, players: int, results: int, longest_career: int, seed: int) -> None:
    """Write synthetic tournaments.csv and results.csv into FOLDER; the same options give the same files.

    \b
    benchmarks/make_collection.py --tournaments 1000 /tmp/synthetic
    scripts/import_results.py --seeds /tmp/synthetic_seeds /tmp/synthetic
    DPTR_SEEDS=/tmp/synthetic_seeds DPTR_WAREHOUSE=/tmp/synthetic_warehouse make rankings
    """
    written = write_synthetic(folder, Size(tournaments, players, results, longest_career), seed)
    out.print(f"{tournaments:,} tournaments with {written:,} results written to {escape(str(folder))}.")


if __name__ == "__main__":
    main()
