"""The subcommands that build, verify and publish the database."""

from pathlib import Path

import click
from rich.markup import escape

from dippouch.command_line import Command, database_option, seeds_option
from dippouch.console import err, out, working_on
from dippouch.publishing.refresh import refresh as refresh_rankings
from dippouch.publishing.refresh import verify as verify_database
from dippouch.query import find_system, print_ranking
from dippouch.settings import published_database, seeds_folder, warehouse_folder


@click.command("refresh", cls=Command)
@click.option(
    "--top", default=10, show_default=True, type=click.IntRange(0, 1_000_000), help="Number of rows to print."
)
def refresh(top: int) -> None:
    """Build, test, verify and publish the rankings, then print the top.

    \b
    dptr refresh
    dptr refresh --top 50
    DPTR_SEEDS=my_club/seeds dptr refresh

    Readers of the published file are not disturbed. If anything fails, the published file stays as it was and the exit code is 1.
    """
    refresh_rankings(seeds_folder(), warehouse_folder())
    database = published_database()
    out.print(f"Published {escape(str(database))}\n")
    print_ranking(database, find_system(database, None)["rating_system_id"], top, None, None)


@click.command("verify", cls=Command)
@database_option(default=None)
@seeds_option()
def verify(database: Path | None, seeds: Path) -> None:
    """Recompute every rating from the seeds in exact arithmetic, and compare.

    \b
    dptr verify

    The program scripts/verify_ratings.py recomputes every row of the results, tournament values, rating history and rankings
    independently of the SQL. The exit code is 1 if a number differs by more than 0.000000001, or if anything else differs.
    """
    with working_on("Verifying"):
        rows, differences = verify_database(database or published_database(seeds), seeds)
    for difference in differences:
        err.print(escape(difference), soft_wrap=True)
    if differences:
        raise SystemExit(1)
    out.print(f"All {rows:,} rows agree with the exact recomputation.")
