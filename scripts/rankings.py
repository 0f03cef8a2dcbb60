#!/usr/bin/env python3
"""Print a published ranking: of all players or a nation's, of today or the end of a year."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from pathlib import Path

import click

from dippouch.command_line import Command, database_option, program
from dippouch.importing.parsing.nations import asked_nation
from dippouch.query.lookup import check_year, find_system
from dippouch.query.ranking_table import print_ranking
from dippouch.rating.systems import published_shown_system
from dippouch.settings import seeds_folder


@click.command(cls=Command)
@click.option("--top", default=10, show_default=True, type=click.IntRange(1, 1_000_000), help="How many rows to print.")
@click.option("--nation", help="The ranking of this nation, a code or a name.")
@click.option("--year", type=click.IntRange(1, 9999), help="The ranking at the end of this year.  [default: today's]")
@click.option("--system", help="The rating system.  [default: the one that the collection shows first]")
@database_option()
@program
def main(top: int, nation: str | None, year: int | None, system: str | None, database: Path) -> None:
    """Print the top of a published ranking; nothing is built.

    \b
    scripts/rankings.py --top 50
    scripts/rankings.py --nation Sweden
    scripts/rankings.py --nation FRA --year 2009
    """
    rating_system = find_system(database, system or published_shown_system(database))
    if year is not None:
        check_year(database, rating_system, year)
    code = None if nation is None else asked_nation(seeds_folder(), nation)
    print_ranking(database, rating_system, top, nation=code, year=year)


if __name__ == "__main__":
    main()
