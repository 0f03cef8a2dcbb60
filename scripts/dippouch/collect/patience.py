"""Politeness towards a site: one request at a time, the pauses that it asks for, and an end when it fails."""

import asyncio
import time
from typing import Any

from scrapy import Request
from scrapy.downloadermiddlewares.retry import RetryMiddleware
from scrapy.exceptions import IgnoreRequest
from scrapy.extensions.httpcache import rfc1123_to_epoch
from scrapy.http import Response

_MOST_FAILURES = 10
# In seconds; a run ends if the site asks for a longer one.
_LONGEST_WAIT = 600


class Patience(RetryMiddleware):
    """Scrapy's retries, which also wait as long as `Retry-After` and `Crawl-delay` ask, and end the run after ten failures in a row.

    Accepted answers, such as 500 for an unknown id, are neither failures nor retried.
    """

    _failures = 0

    async def process_request(self, request: Request) -> None:  # noqa: ARG002 (Scrapy's signature)
        """Wait as long as robots.txt asks; Scrapy awaits this method."""
        spider: Any = self.crawler.spider
        await self._wait(spider.crawl_delay, "robots.txt asks for pauses of")

    async def process_response(self, request: Request, response: Response) -> Request | Response:  # type: ignore[override]
        """Count failures in a row, and wait; Scrapy awaits this method."""
        spider: Any = self.crawler.spider
        if response.status == 200 or ("page" in request.meta and spider.is_answer(response, request.meta["page"])):
            self._failures = 0
            return response
        self._count_failure(f"status {response.status}")
        stated = response.headers.get("Retry-After") or b""
        seconds = float(stated) if stated.isdigit() else (rfc1123_to_epoch(stated) or 0) - time.time()
        await self._wait(seconds, "the site asks to come back in")
        return super().process_response(request, response)

    def process_exception(self, request: Request, exception: Exception) -> Request | Response | None:  # type: ignore[override]
        """Count a failure without an answer."""
        if not isinstance(exception, IgnoreRequest):
            self._count_failure(type(exception).__name__)
        return super().process_exception(request, exception)

    async def _wait(self, seconds: float, asked: str) -> None:
        if seconds > _LONGEST_WAIT:
            self._end(f"{asked} {seconds / 60:,.0f} minutes")
            raise IgnoreRequest("not asked yet")
        await asyncio.sleep(max(seconds, 0))

    def _count_failure(self, what: str) -> None:
        self._failures += 1
        if self._failures == _MOST_FAILURES:
            self._end(f"{self._failures} failures in a row, the last one: {what}")

    def _end(self, reason: str) -> None:
        assert self.crawler.engine
        self._closing = asyncio.ensure_future(self.crawler.engine.close_spider_async(reason=reason))


POLITE: dict[str, Any] = {
    "ROBOTSTXT_OBEY": True,
    "CONCURRENT_REQUESTS": 1,
    "DOWNLOAD_DELAY_JITTER": 0.0,
    "AUTOTHROTTLE_ENABLED": True,
    # The spider decides what is an answer.
    "HTTPERROR_ALLOW_ALL": True,
    "DOWNLOADER_MIDDLEWARES": {RetryMiddleware: None, Patience: 550},
    # The spider itself follows redirects, to pages of the rating at its site only.
    "REDIRECT_ENABLED": False,
    "METAREFRESH_ENABLED": False,
    "DOWNLOAD_HANDLERS": dict.fromkeys(("data", "file", "ftp", "s3")),
    "COOKIES_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
}
