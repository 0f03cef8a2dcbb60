#!/usr/bin/env python3
"""Make the site of the published rankings: pages that any web server, or none, can show."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from pathlib import Path

import click
from rich.markup import escape
from rich.progress import Progress

from dippouch.command_line import Command, program
from dippouch.console import err, out
from dippouch.settings import published_database, site_folder
from dippouch.site.making import build_site


@click.command(cls=Command)
@click.option(
    "--database", type=click.Path(path_type=Path), help="The published database.  [default: that of DPTR_WAREHOUSE]"
)
@click.option("--site", type=click.Path(path_type=Path), help="The folder of the site.  [default: DPTR_SITE, or site]")
@program
def main(database: Path | None, site: Path | None) -> None:
    """Make the site from the published database, whole or not at all.

    A site that is there already is replaced in one step; files that did not change stay as they are, with their times.
    """
    folder = site or site_folder()
    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("Pages", total=None)
        made = build_site(
            database or published_database(),
            folder,
            on_page=lambda done, total: progress.update(task, completed=done, total=total),
            on_step=lambda step: progress.update(task, description=f"Files: {step}"),
        )
    out.print(
        f"{made.pages:,} pages, {made.files:,} files, {made.written:,} of them new or changed: {escape(str(folder / 'index.html'))}",
        soft_wrap=True,
    )
    if made.others:
        out.print(f"Files of others that stay in the folder: {made.others:,}")


if __name__ == "__main__":
    main()
