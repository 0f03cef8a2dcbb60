"""The sites that `dptr collect` reads, as Scrapy's spiders: the pages of the rating, one address for each, and the pages they name."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from scrapy import Request, Spider
from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.exceptions import CloseSpider, DownloadCancelledError, IgnoreRequest
from scrapy.extensions.httpcache import rfc1123_to_epoch
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.spidermiddlewares.httperror import HttpError
from twisted.python.failure import Failure

from dippouch.collect.archive import Answer, Archive
from dippouch.errors import UserError

_MOST_FAILURES = 10
# In seconds; a run ends if the site asks for a longer one.
_LONGEST_WAIT = 600

RANKINGS, LISTS, TOURNAMENTS, PLAYERS = KINDS = ("rankings", "lists", "tournaments", "players")

# The id of the Dip Pouch Tournament Rating, and the number of players on a page of its ranking.
_RATING, _ON_A_PAGE = "3", 50
# Parameters of an address that only sort the rows, or name the visit.
_NEEDLESS = ("TRI", "PHPSESSID")


class Patience(RetryMiddleware):
    """Scrapy's retries, which also wait as long as `Retry-After` asks, and end the run after ten failures in a row.

    An allowed status is neither failure nor retried, such as 500 for an unknown id.
    """

    _failures = 0

    async def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        """Count failures in a row, and wait; Scrapy awaits this method."""
        if response.status == 200 or response.status in self.crawler.settings["HTTPERROR_ALLOWED_CODES"]:
            self._failures = 0
            return response
        self._count_failure(f"status {response.status}")
        stated = response.headers.get("Retry-After") or b""
        seconds = float(stated) if stated.isdigit() else (rfc1123_to_epoch(stated) or 0) - time.time()
        if seconds > _LONGEST_WAIT:
            self._end(f"the site asks to come back in {seconds / 60:,.0f} minutes")
        else:
            await asyncio.sleep(max(seconds, 0))
        return super().process_response(request, response)

    def process_exception(self, request: Request, exception: Exception) -> Request | Response | None:  # type: ignore[override]
        """Count a failure without an answer."""
        if not isinstance(exception, IgnoreRequest):
            self._count_failure(type(exception).__name__)
        return super().process_exception(request, exception)

    def _count_failure(self, what: str) -> None:
        self._failures += 1
        if self._failures == _MOST_FAILURES:
            self._end(f"{self._failures} failures in a row, the last one: {what}")

    def _end(self, reason: str) -> None:
        assert self.crawler.engine
        self._closing = asyncio.ensure_future(self.crawler.engine.close_spider_async(reason=reason))


_POLITE: dict[str, Any] = {
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS": 1,
    "DOWNLOAD_DELAY_JITTER": 0.0,
    "AUTOTHROTTLE_ENABLED": True,
    # 200, 304, and what says that there is no such page; others are failures.
    "HTTPERROR_ALLOWED_CODES": [304, 301, 302, 303, 307, 308, 404, 410],
    "DOWNLOADER_MIDDLEWARES": {RetryMiddleware: None, Patience: 550},
    # Every request is for a page of the rating, at its site: also one after an answer that redirects.
    "REDIRECT_ENABLED": False,
    "METAREFRESH_ENABLED": False,
    "DOWNLOAD_HANDLERS": dict.fromkeys(("data", "file", "ftp", "s3")),
    "COOKIES_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
}


class Page(NamedTuple):
    """A page of a site: its kind, its number or id, its address without needless parameters, and the name of its file."""

    kind: str
    number: str
    address: str
    file: str


class WddSpider(Spider):
    """Fetches the pages of the rating in the World Diplomacy Database: the first ones, and every page that a fetched one names.

    Scrapy makes attributes of the arguments.

    Attributes:
        archive: the answers, also of earlier runs.
        base: the beginning of all addresses, without `/` at its end.
        start_urls: the addresses to begin with.
        kinds: the kinds of pages to fetch.
        stale_before: archived answers from before this time, as in the index, are asked for again.
        limit: the largest number of pages to ask for.
        root: the beginning of the addresses to ask; another one than `base` after a redirect to another host.
        found: all pages so far, by address.
        failed: the reason for each address without an answer.
        stopped: why the run ended early, if it did.
    """

    archive: Archive
    base: str
    kinds: frozenset[str]
    stale_before: str
    limit: float

    name = "rating"
    custom_settings = _POLITE
    _links = LinkExtractor(tags=("a", "area", "option"), attrs=("href", "value"))

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 (values of the attributes)
        super().__init__(**given)
        self.root = self.base
        self.found: dict[str, Page] = {}
        self.failed: dict[str, str] = {}
        self.stopped = "the crawler ended without a reason"
        self._ranked: set[Page] = set()

    def page_at(self, address: str) -> Page | None:
        """Return the page at an address; None if it does not belong to the rating.

        A link to a player or a tournament elsewhere in the database means their page of this rating. National rankings are left out,
        because players' pages state national ranks.
        """
        parts, own = urlsplit(address), urlsplit(self.base)
        hosts = {(one.hostname or "").removeprefix("www.") for one in (parts, own)}
        stated = dict(parse_qsl(parts.query))
        rating = stated.pop("id_ranking", "")
        if len(hosts) > 1 or not parts.path.startswith(f"{own.path}/php/") or rating not in ("", _RATING):
            return None
        for kind, name in ((TOURNAMENTS, "id_tournament"), (PLAYERS, "id_player")):
            if stated.get(name, "").isdecimal():
                return self._page(kind, f"ranking_{name.removeprefix('id_')}", **{name: stated[name]})
        script = PurePosixPath(parts.path).stem
        if not rating or parts.path != f"{own.path}/php/ranking/{script}.php" or script == "ranking_class2":
            return None
        page = stated.pop("PAGE", "1")
        if script == "ranking_class":
            return self._page(RANKINGS, script, PAGE=page) if page.isdecimal() else None
        others = {name: text for name, text in sorted(stated.items()) if name not in _NEEDLESS}
        return self._page(LISTS, script, **others, **({} if page == "1" else {"PAGE": page}))

    def pages_in(self, page: Page, body: bytes) -> list[Page]:
        """Return the pages that a page names. The ranking ends with a page without new players, which may still link to a next one."""
        links = self._links.extract_links(HtmlResponse(page.address, body=body))
        linked = [found for link in links if (found := self.page_at(link.url))]
        if page.kind == RANKINGS:
            players = {found for found in linked if found.kind == PLAYERS}
            if page.number != "1" and players <= self._ranked:
                return []
            self._ranked |= players
        return linked

    def _page(self, kind: str, script: str, **stated: str) -> Page:
        number = "_".join(stated.values())
        # File systems take names of 255 bytes.
        file = re.sub("[^A-Za-z0-9-]+", "_", f"{script}_{number}")[:200].strip("_")
        query = urlencode({"id_ranking": _RATING, **stated})
        return Page(kind, number, f"{self.base}/php/ranking/{script}.php?{query}", f"{file}.html")

    async def start(self) -> AsyncIterator[Request]:
        """Yield the requests of the first pages, or those of the pages that archived ones name."""
        pages = [page for address in self.start_urls if (page := self.page_at(address))]
        # All at once: they are expected before the first one is sent.
        for request in list(self._requests(pages)):
            yield request

    def parse(self, response: Response, **_: Any) -> Iterator[Request]:  # noqa: ANN401 (Scrapy's signature)
        """Store an answer, and yield the requests of the pages that it names.

        After a redirect to the same page with or without `www.`, or with `https:`, ask there from now on.

        Raises:
            CloseSpider: when the archive cannot be written.
        """
        page = response.meta["page"]
        # Until an answer is stored; never after a redirect in a circle or to another site.
        self.failed[page.address] = f"status {response.status} without a page"
        known = self.archive.answers.get(page.address)
        heads = ("Location", "Last-Modified", "ETag", "Content-Type")
        location, *stated = ((response.headers.get(head) or b"").decode(errors="replace") for head in heads)
        target = response.urljoin(location)
        moved = self._moved_to(target, page) if location and response.status != 200 else ""
        is_elsewhere = response.status != 200 and urlsplit(target)[:2] != urlsplit(response.url)[:2]
        if moved and response.request:
            self.root = moved
            yield response.request.replace(url=moved + page.address.removeprefix(self.base))
        if moved or is_elsewhere or (response.status == 304 and not (known and known.file)):
            return
        del self.failed[page.address]
        file = page.file if response.status == 200 else ""
        answer = Answer(page.address, file, "", str(response.status), "", *stated)
        try:
            self.archive.add(answer, response.body)
        except UserError as error:
            raise CloseSpider(str(error)) from None
        yield from self._requests(self._named(page))

    def _moved_to(self, target: str, page: Page) -> str:
        """Return the beginning of addresses after a redirect to the same page at the same host; otherwise an empty text."""
        new, own = urlsplit(target), urlsplit(self.base)
        hosts = {one.netloc.lower().removeprefix("www.").removesuffix(f":{one.port}") for one in (new, own)}
        root = f"{new.scheme}://{new.netloc}{own.path}"
        is_same = len(hosts) == 1 and root + page.address.removeprefix(self.base) == target
        ports = {"http": (own.port, None, 80), "https": (own.port, None, 443)}
        return root if is_same and new.port in ports.get(new.scheme, ()) else ""

    def expected(self) -> int:
        """Return the number of pages to have in the end: those found, or more by the highest number of a page of the ranking."""
        found = Counter(page.kind for page in self.found.values())
        last = max((int(page.number) for page in self.found.values() if page.kind == RANKINGS), default=0)
        players = last * _ON_A_PAGE if PLAYERS in self.kinds else 0
        return len(self.found) + max(last - found[RANKINGS], 0) + max(players - found[PLAYERS], 0)

    def closed(self, reason: str) -> None:
        """Keep Scrapy's reason for the end of the run; after Ctrl-C it is `shutdown`."""
        self.stopped = {"finished": "", "shutdown": "stopped"}.get(reason, reason)

    def _requests(self, pages: Iterable[Page]) -> Iterator[Request]:
        """Yield requests of pages, rankings first, as far as the archive lacks them; otherwise those of the pages that they name."""
        waiting = sorted(pages, key=lambda page: KINDS.index(page.kind))
        for page in waiting:
            if page.kind not in self.kinds or page.address in self.found:
                continue
            self.found[page.address] = page
            known = self.archive.answers.get(page.address)
            if known and known.time >= self.stale_before:
                waiting += self._named(page)
            elif self.limit > 0:
                self.limit -= 1
                asked = {"If-None-Match": known.etag, "If-Modified-Since": known.last_modified} if known else {}
                yield Request(
                    self.root + page.address.removeprefix(self.base),
                    headers={name: text for name, text in asked.items() if text},
                    priority=-KINDS.index(page.kind),
                    meta={"page": page},
                    errback=self._without_answer,
                )

    def _named(self, page: Page) -> list[Page]:
        try:
            body = self.archive.body(page.address)
            return self.pages_in(page, body) if body else []
        except Exception as error:  # noqa: BLE001 (any document must stay in the archive)
            self.failed[page.address] = f"archived, but not understood ({type(error).__name__})"
            return []

    def _without_answer(self, failure: Failure) -> None:
        """Keep the reason why a page has no answer."""
        error = failure.value
        status = f"status {error.response.status}" if isinstance(error, HttpError) else ""
        reason = str(error) if isinstance(error, IgnoreRequest | DownloadCancelledError) else type(error).__name__
        self.failed[failure.request.meta["page"].address] = status or reason  # type: ignore[attr-defined]


class WdrSpider(WddSpider):
    """Fetches tournaments and players of the World Diplomacy Reference: the first ones, and all that a fetched one names."""

    custom_settings = _POLITE | {
        "DEFAULT_REQUEST_HEADERS": {"Accept": "application/json"},
        # Public clients take any other answer than 200 for an unknown id. The statuses of a busy server remain failures.
        "HTTPERROR_ALLOWED_CODES": [*_POLITE["HTTPERROR_ALLOWED_CODES"], 400, 422, 500],
    }

    def page_at(self, address: str) -> Page | None:
        """Return the page at an address; None if it is no player and no tournament."""
        found = re.fullmatch(rf"{re.escape(self.base)}/api/v1/({TOURNAMENTS}|{PLAYERS})/([0-9]{{1,9}})", address)
        if found is None:
            return None
        kind, number = found.groups()
        return Page(kind, number, address, f"{kind.removesuffix('s')}_{number}.json")

    def pages_in(self, page: Page, body: bytes) -> list[Page]:  # noqa: ARG002 (as for every site)
        """Return the tournaments of a player, or the players of a tournament."""
        data = json.loads(body)
        played = [f"{TOURNAMENTS}/{item.get('tournament_id')}" for item in data.get("player_tournaments_played") or ()]
        players = [f"{PLAYERS}/{item.get('player_id')}" for item in data.get("tournament_classifications") or ()]
        return [found for named in played + players if (found := self.page_at(f"{self.base}/api/v1/{named}"))]
