"""Collecting the pages of a rating from its site into an archive."""

from __future__ import annotations

import math
import re
import shlex
import sys
from collections import Counter
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.progress import Progress

from dippouch.collect.archive import Archive
from dippouch.collection.files import read_settings
from dippouch.collection.folder import is_new
from dippouch.collection.memory import Collection
from dippouch.collection.schema import SETTINGS
from dippouch.command_line import Command, seeds_option
from dippouch.console import err, print_line
from dippouch.messages import UserError, counted
from dippouch.settings import project_version

if TYPE_CHECKING:
    from dippouch.collect.spiders import WddSpider

# The reference's address is from a public client; this project never asked it.
_BASES = {"wdd": "https://world-diplomacy-database.com", "wdr": "https://www.world-diplomacy-reference.com"}
# The first page of the international ranking.
_FIRST = "/php/ranking/ranking_class.php?id_ranking=3&PAGE=1"
_FORBIDDEN = "Forbidden by robots.txt"
# The ids of the reference in a collection, each as `tournaments/7`.
_OF_WDR = "select id_kind || 's/' || source_id from source_ids where source = 'wdr' order by id_kind desc, source_id"
# Addresses printed for each reason why pages are missing.
_SHOWN = 5


def _tournaments(_: click.Context, __: click.Parameter, ranges: tuple[str, ...]) -> list[str]:
    """Return the tournaments in ranges such as `7` and `1-500`, each as `tournaments/7`."""
    found = [re.fullmatch(r"([1-9][0-9]{0,5})(?:-([1-9][0-9]{0,5}))?", text) for text in ranges]
    if not all(found):
        raise click.BadParameter("expected an id, or the first and the last one, such as 1-500")
    spans = [range(int(one[1]), int(one[2] or one[1]) + 1) for one in found if one]
    return [f"tournaments/{number}" for span in spans for number in span]


@click.command("collect", cls=Command, epilog="Exit code 1: pages are missing; 2: wrong usage; 3: internal error.")
@click.argument("site", type=click.Choice(["wdd", "wdr"]))
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@seeds_option(help="The collection that states the contact, and the ids for wdr.")
@click.option("--tournaments", "without", flag_value="players", help="Fetch no players.")
@click.option("--players", "without", flag_value="tournaments", help="Fetch no tournaments.")
@click.option(
    "--tournament", "ids", multiple=True, callback=_tournaments, metavar="ID-ID", help="wdr: begin with these."
)
@click.option("--refresh", is_flag=True, help="Ask again for archived pages; only changed ones are sent.")
@click.option("--older-than", "days", type=click.FloatRange(0, 9999), default=0, help="With --refresh: after DAYS.")
@click.option("--limit", type=click.IntRange(min=1), help="Fetch at most this number of pages.")
@click.option("--delay", type=click.FloatRange(min=0), default=2, show_default=True, help="Seconds between requests.")
@click.option(
    "--base", help=f"The beginning of all addresses.  [{', '.join(f'{site}: {base}' for site, base in _BASES.items())}]"
)
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
    dptr collect wdr archive_wdr --tournament 1-500
    dptr import archive && dptr refresh

    A run sends one request at a time, and only for pages that the archive lacks. Repeat an interrupted command to continue.
    """
    try:
        from scrapy import signals
        from scrapy.crawler import CrawlerProcess

        from dippouch.collect import spiders
        from dippouch.reading.reader import LARGEST_DOCUMENT
    except ModuleNotFoundError as error:
        raise UserError(
            f"the crawler is not installed (no `{error.name}`); `make collector` adds it to a checkout, `pip install scrapy` elsewhere"
        ) from None
    base = (base or _BASES[site]).rstrip("/")
    if not re.match("https?://[^/]", base):
        raise click.UsageError(f"option --base: found `{base}`; expected the beginning of addresses, `https://...`")
    contact = "" if is_new(seeds) else read_settings(seeds).get("contact", "")
    if site == "wdr" and not is_new(seeds):
        with Collection.existing(seeds, changes=False) as collection:
            ids += [one for (one,) in collection.query(_OF_WDR)]
    if site == "wdr" and not ids:
        raise UserError(f"{seeds}: found no ids of the World Diplomacy Reference; expected some, or --tournament 1-500")
    agent = f"dip-pouch-rating-warehouse/{project_version()}" + (f" (+{contact})" if contact else "")
    limits = {"DOWNLOAD_DELAY": delay, "AUTOTHROTTLE_START_DELAY": delay, "DOWNLOAD_MAXSIZE": LARGEST_DOCUMENT}
    if not contact:
        print_line(f"{seeds / SETTINGS.path}: found no `contact`; expected one, for the site's operator to see")
    since = (datetime.now(UTC) - timedelta(days=days)).isoformat(timespec="seconds")
    # A process begins its log before it knows the settings of a spider.
    process = CrawlerProcess({"USER_AGENT": agent, "LOG_ENABLED": False, **limits})
    crawler = process.create_crawler(spiders.WddSpider if site == "wdd" else spiders.WdrSpider)
    process.crawl(
        crawler,
        archive=Archive(folder),
        base=base,
        kinds=frozenset(spiders.KINDS).difference([without]),
        start_urls=[f"{base}/api/v1/{one}" for one in ids] if site == "wdr" else [base + _FIRST],
        stale_before=(since if days else "9999") if refresh else "",
        limit=limit or math.inf,
    )
    errors: list[Exception] = []
    with Progress(console=err, disable=not err.is_terminal) as progress:
        show = partial(_show, progress=progress, limit=limit or math.inf)
        crawler.signals.connect(lambda spider: show(spider), signals.request_reached_downloader, weak=False)  # noqa: PLW0108 (no partial)
        crawler.signals.connect(lambda failure: errors.append(failure.value), signals.spider_error, weak=False)
        process.start()
        assert isinstance(crawler.spider, spiders.WddSpider)
        if progress.tasks:
            show(crawler.spider)
    # Scrapy continues with the other pages.
    if errors:
        raise errors[0]
    _report(crawler.spider, shlex.quote(str(folder)), from_start=refresh and not days)


def _show(spider: WddSpider, progress: Progress, limit: float) -> None:
    """Show the progress; before the second request, when the first page has named the others, print the expected number of pages."""
    have, expected = len(spider.archive.answers), spider.expected()
    if not progress.tasks and len(spider.found) > 1:
        progress.add_task("")
        requests = int(min(expected if spider.stale_before else expected - have, limit))
        delay = max(spider.settings.getfloat("DOWNLOAD_DELAY"), spider.crawl_delay)
        print_line(
            f"{spider.base}: expecting {counted(expected, 'page', 'pages')} or more; {have:,} archived. Time for"
            f" {counted(requests, 'request', 'requests')}, {delay:g} seconds apart:"
            f" {counted(math.ceil(requests * delay / 60), 'minute', 'minutes')} or more."
        )
    answered = sum(address in spider.archive.answers for address in spider.found)
    text = f"{answered:,} of {expected:,} pages, {len(spider.failed)} failed"
    for task in progress.task_ids:
        progress.update(task, completed=answered, total=expected, description=text)


def _report(spider: WddSpider, folder: str, *, from_start: bool) -> None:
    """Print what the archive has, what is missing and why, and the next commands.

    Raises:
        UserError: when pages could not be fetched.
    """
    answers = spider.archive.answers
    have = Counter(page.kind for one in answers.values() if one.file and (page := spider.page_at(one.address)))
    counts = [counted(number, kind.removesuffix("s"), kind) for kind, number in have.items()]
    print_line(f"{folder}: {', '.join(counts) or 'no pages'}")
    missing = {address: "not asked yet" for address in spider.found if address not in answers} | spider.failed
    unknown = {address: "no such page" for address in spider.found if address in answers and not answers[address].file}
    for reason, number in Counter((unknown | missing).values()).items():
        first = [address for address, why in (unknown | missing).items() if why == reason][:_SHOWN]
        print_line(f"{number:,} {reason}: {', '.join(first)}{' ...' if number > _SHOWN else ''}")
    if not set(missing.values()) <= {_FORBIDDEN}:
        print_line(f"To continue: {shlex.join(['dptr', *sys.argv[1:]])}{' --older-than 1' if from_start else ''}")
    if have:
        print_line(f"To import: dptr import {folder} && dptr refresh")
    without_answer = missing if spider.limit > 0 else spider.failed
    if spider.stopped or not spider.found or not set(without_answer.values()) <= {_FORBIDDEN}:
        raise UserError(spider.stopped or "pages could not be fetched")
