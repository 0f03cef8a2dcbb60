"""Questions to the published file."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from dippouch.command_line import Command, database_option, program
from dippouch.db import reading
from dippouch.query.shell import run_shell


@click.command("sql", cls=Command)
@database_option()
@click.option("--csv", "output", flag_value="-csv", help="Print CSV.")
@click.option("--json", "output", flag_value="-json", help="Print JSON.")
@click.option("--markdown", "output", flag_value="-markdown", help="Print Markdown tables.")
@click.argument("sql", required=False)
@program
def sql(sql: str | None, database: Path, output: str | None) -> None:
    """Open DuckDB's own shell on the published file, or run SQL and print the result.

    \b
    dptr sql
    dptr sql "select rank, player_id, rating from international_ranking limit 5"
    dptr sql --csv "from players" > players.csv
    dptr sql < question.sql

    The shell reads the published file only: it cannot write, and it cannot open another file. `.tables` lists what is there. Views with plain
    names show the default rating system; tables in the schema `marts` have rows of every rating system.
    """
    with reading(database):
        pass  # Fail with a message that says how to get a published file.
    sys.exit(run_shell(database, *filter(None, [output]), *(["-c", sql] if sql is not None else [])))
