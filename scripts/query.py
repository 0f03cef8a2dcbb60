#!/usr/bin/env python3
"""Query the published database in SQL."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from pathlib import Path

import click

from dippouch.command_line import database_option, program
from dippouch.console import write_exactly
from dippouch.query.limits import DEFAULT_LIMITS, Limits
from dippouch.query.query_line import Memory, QueryCommand, read_query
from dippouch.query.render import as_text, csv_lines, json_lines
from dippouch.query.run import SHOWN_ROWS, answering, run_query

TEXT = "text"
FOR_PROGRAMS = {"csv": csv_lines, "json": json_lines}


@click.command(cls=QueryCommand)
@database_option()
@click.option(
    "--as",
    "format_name",
    type=click.Choice([TEXT, *FOR_PROGRAMS]),
    default=TEXT,
    show_default=True,
    help="Format of the result.",
)
@click.option(
    "--rows",
    type=click.IntRange(1, 1_000_000),
    default=SHOWN_ROWS,
    show_default=True,
    help="How many rows a text shows; CSV and JSON have all.",
)
@click.option(
    "--memory",
    type=Memory(),
    default=DEFAULT_LIMITS.memory,
    metavar="SIZE",
    help="What the query may take.  [default: 2GB]",
)
@click.option(
    "--seconds",
    type=click.IntRange(1, 86_400),
    default=int(DEFAULT_LIMITS.seconds),
    show_default=True,
    help="How long it may take.",
)
@click.argument("sql", default="-")
@program
def main(sql: str, database: Path, format_name: str, rows: int, memory: int, seconds: int) -> None:
    """Run one query, read-only, and print its result.

    \b
    scripts/query.py "select rank, player_id, rating from marts.international_ranking
        where rating_system_id = 'dptr' order by rank, player_id limit 5"
    scripts/query.py --as csv < question.sql

    Without SQL, or with `-`, it is read from standard input. Tables are `marts.<name>`; `show all tables` lists them. Most have
    rows of every rating system: `rating_system_id = 'dptr'` selects one of them.
    """
    query, limits = read_query(sql), Limits(memory, seconds)
    if format_name == TEXT:
        click.echo(as_text(run_query(database, query, limits=limits, rows=rows)))
        return
    with answering(database, query, limits=limits) as answer:
        write_exactly(FOR_PROGRAMS[format_name](answer.columns, answer.rows))


if __name__ == "__main__":
    main()
