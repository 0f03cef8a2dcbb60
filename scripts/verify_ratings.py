#!/usr/bin/env python3
"""Recompute every rating from the seeds in exact fractions and compare it with a published database."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

import json
from dataclasses import asdict
from pathlib import Path

import click

from dippouch.console import out, run_for_keeper, working_on
from dippouch.settings import published_database, seeds_folder
from dippouch.verifying.comparison import verify
from dippouch.verifying.report import show_verification


@click.command()
@click.option(
    "--database",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The database to verify.  [default: rankings.duckdb in $DPTR_WAREHOUSE or warehouse]",
)
@click.option(
    "--seeds",
    type=click.Path(path_type=Path, file_okay=False),
    help="The collection it was built from.  [default: $DPTR_SEEDS or seeds]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as JSON.")
def main(database: Path | None, seeds: Path | None, as_json: bool) -> None:
    """Verify a published database against its seeds.

    Every row of the results, tournament values, rating history and rankings is recomputed with fractions,
    independently of the SQL. Exit code 1 when a figure differs by more than 0.000000001.
    """
    run_for_keeper(lambda: _verify(database or published_database(), seeds or seeds_folder(), as_json))


def _verify(database: Path, seeds: Path, as_json: bool) -> None:
    with working_on("Verifying") as say:
        reports = verify(database, seeds, on_table=say)
    if as_json:
        out.print_json(json.dumps([asdict(report) for report in reports]))
    else:
        show_verification(reports)
    if any(report.discrepancies for report in reports):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
