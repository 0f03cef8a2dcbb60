"""The sites that `dptr collect` reads, as Scrapy's spiders: the pages of the rating, one address for each, and the pages they name."""

import hashlib
import json
import re
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

from scrapy import Request, Spider, signals
from scrapy.exceptions import CloseSpider, DownloadCancelledError, IgnoreRequest
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from scrapy.robotstxt import RobotParser
from twisted.python.failure import Failure

from dippouch.collect.archive import Archive
from dippouch.collect.patience import POLITE
from dippouch.messages import UserError
from dippouch.reading.inputs import LONGEST_VALUE, Answer

RANKINGS, LISTS, TOURNAMENTS, PLAYERS = KINDS = ("rankings", "lists", "tournaments", "players")

# The id of the Dip Pouch Tournament Rating, and the number of players on a page of its ranking.
_RATING, _ON_A_PAGE = "3", 50
# Parameters of an address that only sort the rows, or name the visit.
_NEEDLESS = ("TRI", "PHPSESSID")
# Ids and page numbers as the sites write them. All pages of a ranking before a number are expected, so it has a limit.
_ID, _PAGE = re.compile("[1-9][0-9]{0,8}"), re.compile("[1-9][0-9]{0,3}")


class CrawledPage(NamedTuple):
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
        crawl_delay: the seconds between requests that robots.txt asks for.
        stopped: why the run ended early, if it did.
    """

    archive: Archive
    base: str
    kinds: frozenset[str]
    stale_before: str
    limit: float

    name = "rating"
    custom_settings = POLITE
    # The site's statuses for an unknown id, besides a redirect to its front page.
    _unknown: frozenset[int] = frozenset([404, 410])
    _links = LinkExtractor(tags=("a", "area", "option"), attrs=("href", "value"))

    def __init__(self, **given: Any) -> None:  # noqa: ANN401 (values of the attributes)
        super().__init__(**given)
        self.root = self.base
        self.found: dict[str, CrawledPage] = {}
        self.failed: dict[str, str] = {}
        self.crawl_delay = 0.0
        own = urlsplit(self.base)
        hosts = {(host or "").removeprefix("www.") for host in (own.netloc, own.hostname)}
        starts = ("http://", "http://www.", "https://", "https://www.")
        self._roots = [f"{start}{host}{own.path}" for start in starts for host in hosts]
        self.stopped = "the crawler ended without a reason"
        self._ranked: set[CrawledPage] = set()

    def page_at(self, address: str) -> CrawledPage | None:
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
            if name in stated:
                script = f"ranking_{name.removeprefix('id_')}"
                return self._page(kind, script, **{name: stated[name]}) if _ID.fullmatch(stated[name]) else None
        script = PurePosixPath(parts.path).stem
        if not rating or parts.path != f"{own.path}/php/ranking/{script}.php" or script == "ranking_class2":
            return None
        page = stated.pop("PAGE", "1")
        if script == "ranking_class":
            return self._page(RANKINGS, script, PAGE=page) if _PAGE.fullmatch(page) else None
        others = {name: text for name, text in sorted(stated.items()) if name not in _NEEDLESS}
        return self._page(LISTS, script, **others, **({} if page == "1" else {"PAGE": page}))

    def pages_in(self, page: CrawledPage, body: bytes) -> list[CrawledPage]:
        """Return the pages that a page names. The ranking ends with a page without new players, which may still link to a next one."""
        try:
            links = self._links.extract_links(HtmlResponse(page.address, body=body))
        except (LookupError, UnicodeError):
            # The page states a charset that decodes no text, such as `hex`.
            links = self._links.extract_links(HtmlResponse(page.address, body=body, encoding="utf-8"))
        linked = [found for link in links if (found := self.page_at(link.url))]
        if page.kind == RANKINGS:
            players = {found for found in linked if found.kind == PLAYERS}
            if page.number != "1" and players <= self._ranked:
                return []
            self._ranked |= players
        return linked

    def _page(self, kind: str, script: str, **stated: str) -> CrawledPage | None:
        """Return a page with a file of its own; None if its address is too long for the index."""
        number = "_".join(stated.values())
        address = f"{self.base}/php/ranking/{script}.php?{urlencode({'id_ranking': _RATING, **stated})}"
        file = f"{script}_{number}"
        if kind == LISTS:
            # Their scripts and values are any text. File systems take names of 255 bytes.
            plain = re.sub("[^A-Za-z0-9-]+", "_", file)[:100].strip("_")
            file = f"{plain}_{hashlib.sha256(address.encode()).hexdigest()[:16]}"
        return CrawledPage(kind, number, address, f"{file}.html") if len(address) <= LONGEST_VALUE else None

    async def start(self) -> AsyncIterator[Request]:
        """Yield the requests of the first pages, or those of the pages that archived ones name."""
        self.crawler.signals.connect(self._slow_down, signals.robots_parsed)
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
        # Stays unless an answer is stored: after a redirect in a circle, or if an archived page is gone.
        self.failed[page.address] = f"status {response.status} without a page"
        moved = self._moved_to(_target(response), page)
        if moved and response.request:
            self.root = moved
            yield response.request.replace(url=moved + page.address.removeprefix(self.base))
        elif self.is_answer(response, page):
            del self.failed[page.address]
            heads = ("Last-Modified", "ETag", "Content-Type")
            stated = ((response.headers.get(head) or b"").decode(errors="replace") for head in heads)
            file = page.file if response.status == 200 else ""
            try:
                self.archive.add(Answer(page.address, file, "", str(response.status), "", *stated), response.body)
            except UserError as error:
                raise CloseSpider(str(error)) from None
            yield from self._requests(self._named(page))

    def is_answer(self, response: Response, page: CrawledPage) -> bool:
        """Return whether a response has a page, confirms the archived one, leads to it, or says that there never was one.

        The pages of the ranking exist, whatever the site says, and the first one names players.
        """
        known = self.archive.answers.get(page.address)
        is_archived = bool(known and known.file)
        if response.status == 200:
            has_players = page[:2] != (RANKINGS, "1") or b"id_player=" in response.body
            return has_players and bool(response.body.strip())
        if response.status == 304:
            return is_archived
        target = _target(response)
        is_front = target.partition("?")[0].removesuffix("index.php").rstrip("/") == self.root
        is_unknown = not (is_archived or page.kind == RANKINGS) and (is_front or response.status in self._unknown)
        return is_unknown or bool(self._moved_to(target, page))

    def _moved_to(self, target: str, page: CrawledPage) -> str:
        """Return the beginning of addresses after a redirect to the same page at the same host; otherwise an empty text."""
        path = page.address.removeprefix(self.base)
        return next((root for root in self._roots if (root + path).lower() == target.lower()), "")

    def expected(self) -> int:
        """Return the number of pages to have in the end: those found, or more by the highest number of a page of the ranking."""
        found = Counter(page.kind for page in self.found.values())
        last = max((int(page.number) for page in self.found.values() if page.kind == RANKINGS), default=0)
        players = last * _ON_A_PAGE if PLAYERS in self.kinds else 0
        return len(self.found) + max(last - found[RANKINGS], 0) + max(players - found[PLAYERS], 0)

    def closed(self, reason: str) -> None:
        """Keep Scrapy's reason for the end of the run; after Ctrl-C it is `shutdown`."""
        self.stopped = {"finished": "", "shutdown": "stopped"}.get(reason, reason)

    def _requests(self, pages: Iterable[CrawledPage]) -> Iterator[Request]:
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

    def _named(self, page: CrawledPage) -> list[CrawledPage]:
        try:
            body = self.archive.body(page.address)
            return self.pages_in(page, body) if body else []
        except Exception as error:  # noqa: BLE001 (any document must stay in the archive)
            self.failed[page.address] = f"archived, but not understood ({type(error).__name__})"
            return []

    def _without_answer(self, failure: Failure) -> None:
        """Keep the reason why a page has no answer."""
        error = failure.value
        reason = str(error) if isinstance(error, IgnoreRequest) else type(error).__name__
        if isinstance(error, DownloadCancelledError):
            reason = f"more than {self.settings.getint('DOWNLOAD_MAXSIZE'):,} bytes"
        self.failed[failure.request.meta["page"].address] = reason  # type: ignore[attr-defined]

    def _slow_down(self, robotparser: RobotParser) -> None:
        """Keep the pause that robots.txt asks for, because Scrapy ignores it."""
        self.crawl_delay = robotparser.crawl_delay(self.settings["USER_AGENT"]) or 0.0


def _target(response: Response) -> str:
    """Return the address that a response redirects to; empty without one."""
    location = (response.headers.get("Location") or b"").decode(errors="replace")
    try:
        return urljoin(response.url, location) if location and 300 < response.status < 400 else ""
    except ValueError:
        return ""


class WdrSpider(WddSpider):
    """Fetches tournaments and players of the World Diplomacy Reference: the first ones, and all that a fetched one names."""

    custom_settings = POLITE | {"DEFAULT_REQUEST_HEADERS": {"Accept": "application/json"}}
    # Public clients take any other answer than 200 for an unknown id. The statuses of a busy server remain failures.
    _unknown = frozenset([400, 404, 410, 422, 500])

    def page_at(self, address: str) -> CrawledPage | None:
        """Return the page at an address; None if it is no player and no tournament."""
        found = re.fullmatch(rf"{re.escape(self.base)}/api/v1/({TOURNAMENTS}|{PLAYERS})/({_ID.pattern})", address)
        if found is None:
            return None
        kind, number = found.groups()
        return CrawledPage(kind, number, address, f"{kind.removesuffix('s')}_{number}.json")

    def pages_in(self, page: CrawledPage, body: bytes) -> list[CrawledPage]:  # noqa: ARG002 (as for every site)
        """Return the tournaments of a player, or the players of a tournament."""
        data = json.loads(body)
        played = [f"{TOURNAMENTS}/{item.get('tournament_id')}" for item in data.get("player_tournaments_played") or ()]
        players = [f"{PLAYERS}/{item.get('player_id')}" for item in data.get("tournament_classifications") or ()]
        return [found for named in played + players if (found := self.page_at(f"{self.base}/api/v1/{named}"))]
