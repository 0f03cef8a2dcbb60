#!/usr/bin/env python3
"""Make a whole collection of two large files, tournaments and results, set by set."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from datetime import datetime
from pathlib import Path

import click

from dippouch.command_line import Command, json_option, program, seeds_option
from dippouch.console import working_on
from dippouch.importing.bulk.render_bulk import print_bulk, print_bulk_json
from dippouch.importing.bulk.set_import import import_set
from dippouch.importing.kinds import new_kind


@click.command(
    cls=Command,
    epilog="Exit code 1: rows were refused; 2: wrong usage.\n\nAfter an import `make rankings` rates everybody.",
)
@seeds_option("The collection to make; a folder that is new or empty, or a collection that nothing was imported into.")
@click.option("--dry-run", is_flag=True, help="Read and check everything, and make nothing.")
@click.option(
    "--leave-out", is_flag=True, help="Leave out every tournament with a refused row, whole; take the others."
)
@click.option(
    "--refused",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Where every refused row is written as CSV, when there are many.  [default: SEEDS.refused.csv beside it]",
)
@json_option("the outcome")
@click.option("--encoding", help="The encoding of CSV files, such as cp1250, where it is not UTF-8.")
@click.option("--future", is_flag=True, help="Take days that are still to come.")
@click.option("--another-event", is_flag=True, help="Take events although their results are those of others.")
@click.option(
    "--add-kind", "kinds", multiple=True, metavar="CODE=NAME", help="Add a kind of tournaments to the collection."
)
@click.argument("tournaments", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@click.argument("results", type=click.Path(path_type=Path, exists=True, dir_okay=False))
@program
def main(
    tournaments: Path,
    results: Path,
    seeds: Path,
    dry_run: bool,
    leave_out: bool,
    refused: Path | None,
    as_json: bool,
    encoding: str | None,
    future: bool,
    another_event: bool,
    kinds: tuple[str, ...],
) -> None:
    """Make a collection of the files TOURNAMENTS and RESULTS, CSV or Parquet.

    \b
    scripts/import_bulk.py --seeds federation tournaments.csv results.csv

    The rules are those of import_results.py, which adds to collections; this program makes one of millions of results in minutes.
    Who is who it takes from `player_id`, or from names where nothing has to be decided; it never guesses. Rows that break a
    rule are shown by rule, with their number and the first of them; all of them are in a file. Then nothing is made, unless
    --leave-out.
    """
    with working_on("Importing") as say:
        outcome = import_set(
            tournaments,
            results,
            seeds,
            encoding=encoding,
            last_day=None if future else datetime.now().astimezone().date(),
            another_event=another_event,
            new_kinds=dict(new_kind(kind) for kind in kinds),
            leave_out=leave_out,
            dry_run=dry_run,
            refused_to=refused,
            on_step=say,
        )
    show = print_bulk_json if as_json else print_bulk
    show(outcome, seeds, dry_run=dry_run)
    if outcome.refused:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
