"""Collecting the pages of a rating from its site into an archive."""

from __future__ import annotations

import math
import re
import shlex
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from dippouch.collect.archive import Archive
from dippouch.command_line import Command, seeds_option
from dippouch.console import err, print_line
from dippouch.errors import UserError
from dippouch.seeds.files import iterate_rows, read_rows
from dippouch.seeds.folder import is_new
from dippouch.seeds.schema import SETTINGS, SOURCE_IDS
from dippouch.settings import project_version

if TYPE_CHECKING:
    from dippouch.collect.spiders import WddSpider

_WDD = "https://world-diplomacy-database.com"
# The first page of the international ranking.
_FIRST = "/php/ranking/ranking_class.php?id_ranking=3&PAGE=1"
_FORBIDDEN = "Forbidden by robots.txt"
# Addresses printed for each reason why pages are missing.
_SHOWN = 5


def _tournaments(_: click.Context, __: click.Parameter, ranges: tuple[str, ...]) -> list[str]:
    """Return the tournaments in ranges such as `7` and `1-500`, each as `tournaments/7`."""
    found = [re.fullmatch(r"([1-9][0-9]{0,5})(?:-([1-9][0-9]{0,5}))?", text) for text in ranges]
    if not all(found):
        raise click.BadParameter("expected an id, or the first and the last one, such as 1-500")
    spans = [range(int(one[1]), int(one[2] or one[1]) + 1) for one in found if one]
    return [f"tournaments/{number}" for span in spans for number in span]


@click.command("collect", cls=Command, epilog="Exit code 1: pages could not be fetched; 2: wrong usage.")
@click.argument("site", type=click.Choice(["wdd", "wdr"]))
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@seeds_option(help="The collection that states the contact, and the ids for wdr.")
@click.option("--tournaments", "without", flag_value="players", help="Fetch no players.")
@click.option("--players", "without", flag_value="tournaments", help="Fetch no tournaments.")
@click.option(
    "--tournament", "ids", multiple=True, callback=_tournaments, metavar="ID-ID", help="wdr: begin with these."
)
@click.option("--refresh", is_flag=True, help="Ask again for archived pages; only changed ones are sent.")
@click.option("--older-than", "days", type=click.FloatRange(min=0), default=0, help="With --refresh: after DAYS only.")
@click.option("--limit", type=click.IntRange(min=1), help="Fetch at most this number of pages.")
@click.option("--delay", type=click.FloatRange(min=0), default=2, show_default=True, help="Seconds between requests.")
@click.option("--base", help=f"The beginning of all addresses; required for wdr.  [wdd: {_WDD}]")
def collect(
    site: str,
    folder: Path,
    seeds: Path,
    without: str | None,
    ids: list[str],
    *,
    refresh: bool,
    days: float,
    limit: int | None,
    delay: float,
    base: str | None,
) -> None:
    """Fetch the rating's pages from the World Diplomacy Database (wdd) or the World Diplomacy Reference (wdr) into an archive.

    \b
    dptr collect wdd archive
    dptr collect wdr archive_wdr --base ADDRESS --tournament 1-500
    dptr import archive && dptr refresh

    A run sends one request at a time, and only for pages that the archive lacks. Repeat an interrupted command to continue.
    """
    try:
        from dippouch.collect import crawling, spiders  # noqa: PLC0415 (an optional package)
    except ModuleNotFoundError as error:
        raise UserError(
            f"the crawler is not installed (no `{error.name}`); `make collector` adds it to a checkout, `pip install scrapy` elsewhere"
        ) from None
    base = (base or (_WDD if site == "wdd" else "")).rstrip("/")
    if not re.match("https?://[^/]", base):
        raise UserError(f"option --base: found `{base}`; expected the beginning of the site's addresses, `https://...`")
    cells = [] if site == "wdd" or is_new(seeds) else iterate_rows(seeds, SOURCE_IDS)
    known = (dict(zip(SOURCE_IDS.columns, row, strict=True)) for row in cells)
    ids += [f"{row['kind']}s/{row['source_id']}" for row in known if row["source"] == "wdr"]
    if site == "wdr" and not ids:
        raise UserError(f"{seeds}: found no ids of the World Diplomacy Reference; expected some, or --tournament 1-500")
    settings = [] if is_new(seeds) else read_rows(seeds / SETTINGS.path)
    contact = next((f" (+{row['value']})" for row in settings if row["setting"] == "contact" and row["value"]), "")
    columns = ("{task.completed:,} of {task.total:,} pages", "{task.fields[failed]} failed")
    with Progress(
        *map(TextColumn, columns), BarColumn(), TimeRemainingColumn(), console=err, disable=not err.is_terminal
    ) as progress:
        spider, stopped = crawling.crawl(
            spiders.WddSpider if site == "wdd" else spiders.WdrSpider,
            f"dip-pouch-rating-warehouse/{project_version()}{contact}",
            delay,
            archive=Archive(folder),
            base=base,
            kinds=frozenset(spiders.KINDS).difference([without]),
            first=[f"{base}/api/v1/{one}" for one in ids] if site == "wdr" else [base + _FIRST],
            stale_before=(time.time() - days * 86_400 if days else math.inf) if refresh else 0,
            limit=limit or math.inf,
            on_page=_watching(progress, delay, limit or math.inf, refresh=refresh),
        )
    _report(spider, stopped, shlex.quote(str(folder)), from_start=refresh and not days)


def _watching(progress: Progress, delay: float, limit: float, *, refresh: bool) -> Callable[[WddSpider], None]:
    """Return a function that prints the expected number of pages once, and then shows the progress."""
    task = progress.add_task("", total=1, failed=0)
    planned = False

    def on_page(spider: WddSpider) -> None:
        nonlocal planned
        found = Counter(page.kind for page in spider.found.values())
        named = sum(max(found[kind], spider.expected.get(kind, 0)) for kind in spider.kinds)
        have = len(spider.archive.answers)
        expected = max(named, have)
        # The first page names the others.
        if not planned and len(spider.found) > 1:
            planned = True
            requests = min(expected if refresh else expected - have, limit)
            minutes = math.ceil(requests * delay / 60)
            print_line(
                f"{spider.base}: expecting {expected:,} pages or more; {have:,} are archived. {requests:,} requests, {delay:g}"
                f" seconds apart, take {minutes:,} minutes or more."
            )
        answered = sum(address in spider.archive.answers for address in spider.found)
        progress.update(task, completed=answered, total=expected, failed=len(spider.failed))

    return on_page


def _report(spider: WddSpider, stopped: str, folder: str, *, from_start: bool) -> None:
    """Print what the archive has, what is missing and why, and the next commands.

    Raises:
        SystemExit: when pages could not be fetched.
    """
    answers = spider.archive.answers
    have = Counter(page.kind for address, page in spider.found.items() if address in answers and answers[address].file)
    print_line(f"{folder}: {', '.join(f'{number:,} {kind}' for kind, number in have.items()) or 'no pages'}")
    missing = {address: "not asked yet" for address in spider.found if address not in answers} | spider.failed
    unknown = {address: "no such page" for address in spider.found if address in answers and not answers[address].file}
    for reason, number in Counter((unknown | missing).values()).items():
        first = [address for address, why in (unknown | missing).items() if why == reason][:_SHOWN]
        print_line(f"{number:,} {reason}: {', '.join(first)}{' ...' if number > _SHOWN else ''}")
    if not set(missing.values()) <= {_FORBIDDEN}:
        print_line(f"To continue: {shlex.join(['dptr', *sys.argv[1:]])}{' --older-than 1' if from_start else ''}")
    print_line(f"To import: dptr import {folder} && dptr refresh")
    if stopped or not set(spider.failed.values()) <= {_FORBIDDEN}:
        err.print(f"[bold red]error:[/] {escape(stopped or 'pages could not be fetched')}")
        raise SystemExit(1)
