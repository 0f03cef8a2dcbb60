#!/usr/bin/env python3
"""Would other rules predict better? Search them on the earlier tournaments, and judge them by the later ones."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from pathlib import Path

import click

from dippouch.command_line import Command, database_option, json_option, program
from dippouch.console import counting
from dippouch.query.fit import EARLIER, SEED, TRIES, fit_rules
from dippouch.query.render_fit import print_fit, print_fit_as_json


@click.command(cls=Command)
@click.option(
    "--earlier",
    default=EARLIER,
    show_default=True,
    type=click.IntRange(10, 90),
    help="How many percent of the tournaments the search sees; the others judge it.",
)
@click.option(
    "--tries", default=TRIES, show_default=True, type=click.IntRange(0, 10_000), help="Rules to draw at random, twice."
)
@click.option("--seed", default=SEED, show_default=True, help="Another number draws other rules.")
@database_option("The database to read.")
@json_option("the answer")
@program
def main(earlier: int, tries: int, seed: int, database: Path, as_json: bool) -> None:
    """Say whether other rules would predict the finishing orders of tournaments better than the published ones.

    The six figures of the rules are searched for the best prediction of the earlier tournaments; what is found is compared with the published
    rules on the later ones. The same options give the same answer.
    """
    with counting("Trying rules") as tell:
        answer = fit_rules(database, share=earlier / 100, tries=tries, seed=seed, on_try=tell)
    show = print_fit_as_json if as_json else print_fit
    show(answer)


if __name__ == "__main__":
    main()
