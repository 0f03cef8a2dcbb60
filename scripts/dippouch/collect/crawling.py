"""A polite run of Scrapy, with its robots.txt, throttle, retries and filter of duplicates."""

from __future__ import annotations

import asyncio
import time
from typing import Any

from scrapy import Request
from scrapy.crawler import Crawler, CrawlerProcess
from scrapy.exceptions import IgnoreRequest
from scrapy.extensions.httpcache import rfc1123_to_epoch
from scrapy.http import Response

from dippouch.collect.spiders import WddSpider

_MOST_FAILURES = 10
# In seconds; a run ends if the site asks for a longer one.
_LONGEST_WAIT = 600


class Patience:
    """A middleware beside Scrapy's retries: wait as long as `Retry-After` asks, and end the run after ten failures in a row."""

    def __init__(self, crawler: Crawler) -> None:
        self._crawler = crawler
        self._answers = {200, *crawler.settings.getlist("HTTPERROR_ALLOWED_CODES")}
        self._failures = 0

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Patience:
        """Return the middleware of a run."""
        return cls(crawler)

    async def process_response(self, request: Request, response: Response) -> Response:  # noqa: ARG002 (Scrapy's signature)
        """Count failures in a row, and wait."""
        if response.status in self._answers:
            self._failures = 0
            return response
        self._count_failure(f"status {response.status}")
        stated = response.headers.get("Retry-After") or b""
        seconds = float(stated) if stated.isdigit() else (rfc1123_to_epoch(stated) or 0) - time.time()
        if seconds > _LONGEST_WAIT:
            self._end(f"the site asks to come back in {seconds / 60:,.0f} minutes")
        else:
            await asyncio.sleep(max(seconds, 0))
        return response

    def process_exception(self, request: Request, exception: Exception) -> None:  # noqa: ARG002 (Scrapy's signature)
        """Count a failure without an answer."""
        if not isinstance(exception, IgnoreRequest):
            self._count_failure(type(exception).__name__)

    def _count_failure(self, what: str) -> None:
        self._failures += 1
        if self._failures == _MOST_FAILURES:
            self._end(f"{self._failures} failures in a row, the last one: {what}")

    def _end(self, reason: str) -> None:
        assert self._crawler.engine
        self._closing = asyncio.ensure_future(self._crawler.engine.close_spider_async(reason=reason))


def crawl(kind: type[WddSpider], user_agent: str, delay: float, **given: Any) -> tuple[WddSpider, str]:  # noqa: ANN401
    """Run a spider to its end; return it, and why it ended early, if it did.

    Args:
        kind: the class of the spider.
        user_agent: the name of the program, with a contact.
        delay: the least number of seconds between two requests.
        given: the attributes of the spider.
    """
    process = CrawlerProcess(
        {
            "USER_AGENT": user_agent,
            "DEFAULT_REQUEST_HEADERS": {"Accept": kind.accept, "Accept-Language": "en"},
            "ROBOTSTXT_OBEY": True,
            "CONCURRENT_REQUESTS": 1,
            "DOWNLOAD_DELAY": delay,
            "DOWNLOAD_DELAY_JITTER": 0.0,
            "AUTOTHROTTLE_ENABLED": True,
            "AUTOTHROTTLE_START_DELAY": delay,
            "HTTPERROR_ALLOWED_CODES": [304, *kind.unknown],
            "RETRY_HTTP_CODES": sorted({408, 429, 500, 502, 503, 504} - kind.unknown),
            # Closer to the site than retries (550).
            "DOWNLOADER_MIDDLEWARES": {Patience: 560},
            "REDIRECT_ENABLED": False,
            "COOKIES_ENABLED": False,
            "TELNETCONSOLE_ENABLED": False,
            "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
            "LOG_ENABLED": False,
        }
    )
    crawler = process.create_crawler(kind)
    process.crawl(crawler, **given)
    process.start()
    assert isinstance(crawler.spider, WddSpider)
    assert crawler.stats
    reason = str(crawler.stats.get_value("finish_reason") or "the crawler ended without a reason")
    # Scrapy's reason after Ctrl-C is `shutdown`.
    return crawler.spider, {"finished": "", "shutdown": "stopped"}.get(reason, reason)
