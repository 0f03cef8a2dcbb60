#!/usr/bin/env python3
"""Compute the answers on pages of questions (docs/insight.md) again from the published database."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from pathlib import Path

import click
from rich.markup import escape

from dippouch.command_line import Command, program
from dippouch.console import out
from dippouch.query.render import as_text
from dippouch.query.run import SHOWN_ROWS, run_query
from dippouch.query.snapshots import read_page, with_answers, write_page
from dippouch.settings import published_database


@click.command(cls=Command)
@click.argument("pages", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, dir_okay=False))
@program
def main(pages: tuple[Path, ...]) -> None:
    """Run every ```sql block of the PAGES on the published database and write its answer into the ```text block after it.

    The sentences above the blocks are yours: read them again when an answer changed.
    """
    database = published_database()
    fresh = {page: with_answers(page, lambda sql: as_text(run_query(database, sql, rows=SHOWN_ROWS))) for page in pages}
    for page, text in fresh.items():
        changed = text != read_page(page)
        if changed:
            write_page(page, text)
        out.print(f"{escape(str(page))}: {'answers changed' if changed else 'up to date'}")


if __name__ == "__main__":
    main()
