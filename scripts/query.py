#!/usr/bin/env python3
"""Query the published database in SQL."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

import sys
from pathlib import Path

import click

from dippouch.command_line import database_option, program
from dippouch.query.render import as_csv, as_json, as_text
from dippouch.query.run import run_query

FORMATS = {"text": as_text, "csv": as_csv, "json": as_json}


@click.command()
@database_option()
@click.option(
    "--as",
    "format_name",
    type=click.Choice(list(FORMATS)),
    default="text",
    show_default=True,
    help="Format of the result.",
)
@click.argument("sql", default="-")
@program
def main(sql: str, database: Path, format_name: str) -> None:
    """Run one query, read-only, and print its result.

    \b
    scripts/query.py "select rank, player_id, rating from marts.international_ranking
        where rating_system_id = 'dptr' order by rank, player_id limit 5"
    scripts/query.py --as csv < question.sql

    Without SQL, or with `-`, it is read from standard input. Tables are `marts.<name>`; `show all tables` lists them. Most have
    rows of every rating system: `rating_system_id = 'dptr'` selects the published one.
    """
    result = run_query(database, sys.stdin.read() if sql == "-" else sql)
    # Not through rich: a program that reads this wants the bytes as they are.
    click.echo(FORMATS[format_name](result))


if __name__ == "__main__":
    main()
