"""Chromium, pages whose requests and complaints are recorded, and servers."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import HTTPServer
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe  # type: ignore[import-untyped]
from playwright.sync_api import Browser, Page, sync_playwright

# Only the pages: no sandbox for root, no background services.
_OPTIONS = "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking".split()

SCREENS: dict[str, dict[str, Any]] = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "phone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light", "has_touch": True},
    "without-scripts": {"viewport": {"width": 1280, "height": 900}, "java_script_enabled": False},
}
# axe's rules: all of them on the first screen; on others, those that depend on the screen: colours and overflow.
_RULES: dict[str, dict[str, Any]] = {
    "light": {},
    "dark": {"runOnly": ["color-contrast"]},
    "phone": {"runOnly": ["scrollable-region-focusable"]},
}


@contextmanager
def chromium() -> Iterator[Browser]:
    """Yield a browser; without Chromium, fail the test."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    assert found, "no Chromium is installed; Debian's package is `chromium`"
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=found, args=_OPTIONS)
        yield launched
        launched.close()


@contextmanager
def served_by(server: HTTPServer) -> Iterator[str]:
    """Serve requests within the block; yield the address."""
    with server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/"
        server.shutdown()


class Windows:
    """Windows of a browser, one for each screen, which stay open; `own` begins the addresses that their pages may request."""

    def __init__(self, browser: Browser, own: tuple[str, ...]) -> None:
        self._browser = browser
        self._own = own
        self._pages: dict[str, Page] = {}
        self._faults: list[str] = []

    def page(self, screen: str = "light") -> Page:
        """Return the window with a screen, whatever it shows."""
        if screen not in self._pages:
            page = self._pages[screen] = self._browser.new_page(**SCREENS[screen])
            page.on(
                "console", lambda said: self._complain(page, said.text) if said.type in {"error", "warning"} else None
            )
            page.on("pageerror", lambda error: self._complain(page, str(error)))
            page.on(
                "request", lambda asked: None if asked.url.startswith(self._own) else self._complain(page, asked.url)
            )
        return self._pages[screen]

    def _complain(self, page: Page, fault: str) -> None:
        self._faults.append(f"{page.url}: {fault}")

    def check(self) -> None:
        """Fail if a page complained or requested a foreign address since the last check."""
        for page in self._pages.values():
            # Events that happened before the answer arrive before it.
            page.title()
        found, self._faults = self._faults, []
        assert found == []


# Tables of which a part can be seen only by scrolling them.
_CUT_TABLES = """
[...document.querySelectorAll("main table")].map(table => [table.caption?.textContent, table.parentElement])
    .filter(([, place]) => place.scrollWidth > place.clientWidth).map(([name]) => name)
"""


def check_screens(page: Page, name: str) -> None:
    """Fail if a page leaves a screen, or axe finds that it keeps people out on it; save its screenshots by name."""
    for screen, rules in reversed(_RULES.items()):
        settings = SCREENS[screen]
        page.set_viewport_size(settings["viewport"])
        page.emulate_media(color_scheme=settings["color_scheme"])
        picture_of(page, f"site/{name}-{screen}")
        # axe reads style sheets by a request, which pages from a disk may not make.
        options = {"preload": False, "resultTypes": ["violations"], **rules}
        found = Axe().run(page, options=options).response["violations"]
        serious = [one for one in found if one["impact"] in {"serious", "critical"}]
        assert [(one["id"], one["help"], one["nodes"][0]["html"][:200]) for one in serious] == [], (name, screen)
        assert page.evaluate("document.documentElement.scrollWidth") <= settings["viewport"]["width"], (name, screen)
        assert page.evaluate(_CUT_TABLES) == [], (name, screen)


def picture_of(page: Page, name: str) -> None:
    """Save a screenshot of a page to the folder in DPTR_SCREENSHOTS, if set."""
    if folder := os.environ.get("DPTR_SCREENSHOTS"):
        path = Path(folder) / f"{name}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=path, full_page=True)
