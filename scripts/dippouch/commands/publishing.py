"""The subcommands that build and verify the published file, and make and serve its site."""

from pathlib import Path

import click
from rich.markup import escape

from dippouch.collection.systems import published_default_system
from dippouch.command_line import Command, database_option, seeds_option
from dippouch.console import err, out, print_line, working_on
from dippouch.printable import counted
from dippouch.publishing.moves import moves_table
from dippouch.publishing.refresh import refresh as refresh_rankings
from dippouch.publishing.refresh import verify as verify_database
from dippouch.query import print_ranking
from dippouch.settings import published_database, seeds_folder, site_folder, warehouse_folder
from dippouch.site.making import build_site
from dippouch.site.serving import HOST, site_server

_site_option = click.option(
    "--site",
    type=click.Path(path_type=Path),
    default=site_folder,
    help="The folder of the site.  [default: $DPTR_SITE, or site beside the seeds]",
)


@click.command("refresh", cls=Command)
@click.option(
    "--top", default=10, show_default=True, type=click.IntRange(0, 1_000_000), help="Number of rows to print."
)
def refresh(top: int) -> None:
    """Build, test, verify and publish the rankings, then print the top.

    \b
    dptr refresh
    dptr refresh --top 50
    DPTR_SEEDS=my_club/seeds dptr refresh

    Readers of the published file are not disturbed. If anything fails, the published file stays as it was and the exit code is 1.
    """
    if moves := refresh_rankings(seeds_folder(), warehouse_folder()):
        out.print(moves_table(moves))
    database = published_database()
    out.print(f"Published {escape(str(database))}\n")
    print_ranking(database, published_default_system(database), top)


@click.command("verify", cls=Command)
@database_option(default=None)
@seeds_option()
def verify(database: Path | None, seeds: Path) -> None:
    """Recompute every rating from the seeds in exact arithmetic, and compare.

    \b
    dptr verify

    The program scripts/verify_ratings.py recomputes every row of the results, tournament values, rating history and rankings
    independently of the SQL. The exit code is 1 if a number differs by more than 0.000000001, or if anything else differs.
    """
    with working_on("Verifying"):
        rows, differences = verify_database(database or published_database(seeds), seeds)
    for difference in differences:
        err.print(escape(difference), soft_wrap=True)
    if differences:
        raise SystemExit(1)
    out.print(f"All {rows:,} rows agree with the exact recomputation.")


@click.command("site", cls=Command)
@database_option()
@_site_option
def site(database: Path, site: Path) -> None:
    """Make the site of the published file: pages for any web server, or to open from the disk.

    \b
    dptr site
    dptr site --site /var/www/ratings

    The new site replaces an older one in one step. Unchanged files keep their modification times.
    """
    with working_on("Making the site") as say:
        made = build_site(database, site, on_step=say)
    index = site / "index.html"
    pages, files = counted(made.pages, "page", "pages"), counted(made.files, "file", "files")
    print_line(f"{pages}, {files}, {made.written:,} of them new or changed: {index}")
    if made.without_live_pages:
        print_line(f"The site has no live pages: {made.without_live_pages}")
    if made.others:
        out.print(f"Other files that stay in the folder: {made.others:,}")


@click.command("serve", cls=Command)
@_site_option
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="The port; 0 takes a free one."
)
@click.option("--open", "opens", is_flag=True, help="Open the site in a browser.")
def serve(site: Path, port: int, *, opens: bool) -> None:
    """Serve the site on this machine, 127.0.0.1, until Ctrl+C. Only live pages need a server.

    \b
    dptr serve
    dptr serve --port 8080 --open

    After `dptr site`, a running server serves the new site.
    """
    with site_server(site, port) as server:
        out.print(address := f"http://{HOST}:{server.server_address[1]}/")
        if opens:
            click.launch(address)
        server.serve_forever()
