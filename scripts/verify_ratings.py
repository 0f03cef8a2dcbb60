#!/usr/bin/env python3
"""Recompute every rating from the seeds in exact arithmetic and compare it with a published database."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from dataclasses import asdict
from pathlib import Path

import click

from dippouch.command_line import Command, database_option, json_option, program, seeds_option
from dippouch.console import working_on, write_json
from dippouch.verification.compare import verify
from dippouch.verification.render_verification import print_verification


@click.command(cls=Command)
@database_option("The database to verify.")
@seeds_option("The collection it was built from.")
@json_option("the report")
@program
def main(database: Path, seeds: Path, as_json: bool) -> None:
    """Verify a published database against its seeds.

    Every row of the results, tournament values, rating history and rankings is recomputed in exact
    arithmetic, independently of the SQL.
    Exit code 1 when a figure differs by more than 0.000000001, or anything else at all.
    """
    with working_on("Verifying") as say:
        reports = verify(database, seeds, on_table=say)
    if as_json:
        write_json([asdict(report) for report in reports])
    else:
        print_verification(reports)
    if any(report.discrepancies for report in reports):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
