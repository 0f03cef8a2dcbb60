#!/usr/bin/env python3
"""Build the warehouse from the seeds, verify every figure, publish it, and print the top of the ranking."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from pathlib import Path

import click
from rich.markup import escape

from dippouch.command_line import Command, program
from dippouch.console import out
from dippouch.importing.parsing.nations import asked_nation
from dippouch.publishing.moves import moves_table
from dippouch.publishing.refresh import refresh
from dippouch.query.ranking_table import print_ranking
from dippouch.rating.systems import published_shown_system
from dippouch.settings import published_database, seeds_folder, warehouse_folder
from dippouch.verification.render_verification import print_verification


@click.command(cls=Command)
@click.option(
    "--top",
    default=10,
    show_default=True,
    type=click.IntRange(0, 1_000_000),
    help="How many rows of the ranking to print.",
)
@click.option("--nation", help="Print the ranking of this nation, a code or a name.")
@program
def main(top: int, nation: str | None) -> None:
    """Rate everybody again: build, test, verify, publish.

    Readers of the published database are not disturbed. When anything fails it stays as it was, and the exit code is 1.
    DPTR_SEEDS and DPTR_WAREHOUSE point at another collection.
    """
    # Sooner rather than after the build.
    code = None if nation is None else asked_nation(seeds_folder(), nation)
    refresh(
        seeds_folder(),
        warehouse_folder(),
        on_step=lambda step: out.print(f"{step} ..."),
        on_report=print_verification,
        on_moves=lambda moves: out.print(moves_table(moves)),
        on_note=lambda note: out.print(escape(note), soft_wrap=True),
    )
    database = published_database()
    out.print(f"Published {escape(str(_short(database)))}\n")
    print_ranking(database, published_shown_system(database), top, nation=code)


def _short(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


if __name__ == "__main__":
    main()
