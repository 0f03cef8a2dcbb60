#!/usr/bin/env python3
"""Ask the published database a question in SQL."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

import sys
from pathlib import Path

import click

from dippouch.asking.published import ask
from dippouch.asking.rendering import as_csv, as_json, as_text
from dippouch.console import run_for_keeper
from dippouch.settings import published_database

FORMS = {"text": as_text, "csv": as_csv, "json": as_json}


@click.command()
@click.option(
    "--database",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The database to ask.  [default: rankings.duckdb in $DPTR_WAREHOUSE or warehouse]",
)
@click.option(
    "--as", "form", type=click.Choice(list(FORMS)), default="text", show_default=True, help="Form of the answer."
)
@click.argument("sql", default="-")
def main(sql: str, database: Path | None, form: str) -> None:
    """Run one query, read-only, and print its answer.

    \b
    scripts/query.py "select rank, player_id, rating from marts.international_ranking limit 5"
    scripts/query.py --as csv < question.sql

    Without SQL, or with `-`, it is read from standard input. Tables are `marts.<name>`; `show all tables` lists them.
    """
    run_for_keeper(lambda: _query(sys.stdin.read() if sql == "-" else sql, database or published_database(), form))


def _query(sql: str, database: Path, form: str) -> None:
    # Not through rich: a program that reads this wants the bytes as they are.
    click.echo(FORMS[form](ask(database, sql)))


if __name__ == "__main__":
    main()
