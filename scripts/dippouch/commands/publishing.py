"""Publishing the rankings for people: the site."""

from __future__ import annotations

from pathlib import Path

import click
from rich.markup import escape
from rich.progress import Progress

from dippouch.command_line import command, database_option
from dippouch.console import err, out
from dippouch.settings import site_folder
from dippouch.site.making import build_site


@command("site")
@database_option()
@click.option(
    "--site",
    type=click.Path(path_type=Path),
    default=site_folder,
    help="The folder of the site.  [default: $DPTR_SITE or site]",
)
def site(database: Path, site: Path) -> None:
    """Make the site of the published file: pages for any web server, or for none.

    \b
    dptr site
    dptr site --site /var/www/ratings

    The new site replaces an older one in one step. Files that did not change keep their times.
    """
    with Progress(console=err, transient=True, disable=not err.is_terminal) as progress:
        task = progress.add_task("Pages", total=None)
        made = build_site(
            database,
            site,
            on_page=lambda done, total: progress.update(task, completed=done, total=total),
            on_step=lambda step: progress.update(task, description=f"Files: {step}"),
        )
    index = escape(str(site / "index.html"))
    out.print(
        f"{made.pages:,} pages, {made.files:,} files, {made.written:,} of them new or changed: {index}", soft_wrap=True
    )
    if made.others:
        out.print(f"Other files that stay in the folder: {made.others:,}")
