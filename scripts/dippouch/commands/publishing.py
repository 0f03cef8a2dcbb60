"""The subcommands that make and serve the site of the published file."""

from pathlib import Path

import click

from dippouch.command_line import Command, database_option
from dippouch.console import out, print_line, working_on
from dippouch.messages import counted
from dippouch.settings import site_folder
from dippouch.site.making import build_site
from dippouch.site.serving import HOST, site_server

_site_option = click.option(
    "--site",
    type=click.Path(path_type=Path),
    default=site_folder,
    help="The folder of the site.  [default: $DPTR_SITE, or site beside the seeds]",
)


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
