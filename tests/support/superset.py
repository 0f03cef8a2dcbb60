"""The real Superset, started like `make superset`, its dashboard in Chromium, and its API as the dashboard asks it."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from playwright.sync_api import Browser, Page, expect
from playwright.sync_api import Request as PageRequest

from dippouch.settings import PROJECT
from support.browser import picture_of
from support.programs import started

_PYTHON = PROJECT / ".venv-superset" / "bin" / "python"
_STARTS_SECONDS = 300
_SLOWEST_MS = 180_000
# The content of a chart with an answer: a canvas, a table, or a large figure.
_SHOWN = "canvas, table, .header-line"

Question = dict[str, Any]


@dataclass(frozen=True)
class Superset:
    """A running Superset: its address, the published file that it shows, the password of `admin`, and what it printed at its start."""

    address: str
    database: Path
    password: str
    said: str

    def token(self) -> str:
        """Return an access token, valid for a quarter of an hour."""
        body = {"username": "admin", "password": self.password, "provider": "db"}
        token: str = _ask(f"{self.address}/api/v1/security/login", body)["access_token"]
        return token


@contextmanager
def running(warehouse: Path) -> Iterator[Superset]:
    """Yield Superset with the dashboard of a warehouse, once it listens.

    Raises:
        AssertionError: when it does not start; with its output.
    """
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port = trial.getsockname()[1]
    address = f"http://127.0.0.1:{port}"
    command = (_PYTHON, PROJECT / "dashboard" / "superset" / "start_superset.py", "--port", str(port))
    settings: dict[str, str | Path] = {"PYTHONPATH": "scripts", "DPTR_WAREHOUSE": warehouse}
    log = warehouse / "superset.log"
    ends = time.monotonic() + _STARTS_SECONDS
    with log.open("wb") as output, started(command, settings, output) as process:
        while not _listens(address):
            assert process.poll() is None, log.read_text(encoding="utf-8")
            assert time.monotonic() < ends, log.read_text(encoding="utf-8")
            time.sleep(0.5)
        password = (warehouse / "superset" / "admin_password").read_text(encoding="utf-8")
        yield Superset(address, warehouse / "rankings.duckdb", password, log.read_text(encoding="utf-8"))


def _listens(address: str) -> bool:
    with suppress(URLError, TimeoutError, ConnectionError), urlopen(f"{address}/health"):
        return True
    return False


def in_superset(folder: Path, code: str, *arguments: str | Path) -> str:
    """Run Python code in Superset's environment, with the configuration in this folder; return its output."""
    paths = os.pathsep.join(str(PROJECT / name) for name in ("scripts", "dashboard/superset"))
    command = [str(_PYTHON), "-c", code, *map(str, arguments)]
    settings = {"PYTHONPATH": paths, "DPTR_SUPERSET": str(folder)}
    done = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def chart_rows(address: str, token: str, question: Question) -> list[dict[str, Any]]:
    """Return Superset's current answer to a chart, all queries one after the other."""
    results = _ask(f"{address}/api/v1/chart/data", question, {"Authorization": f"Bearer {token}"})["result"]
    for result in results:
        assert result["error"] is None, result["error"]
        assert not result["is_cached"], "an answer was kept"
    return [row for result in results for row in result["data"]]


def _ask(address: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Any:  # noqa: ANN401 (JSON)
    sent = {"Content-Type": "application/json", **(headers or {})}
    with urlopen(Request(address, json.dumps(body).encode(), sent), timeout=120) as answer:
        return json.load(answer)


@dataclass
class Visit:
    """A visit to the dashboard: its title, its request for each chart by title, and error messages, script errors, requests that left."""

    title: str = ""
    asked: dict[str, Question] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def visit(superset: Superset, browser: Browser) -> Visit:
    """Sign in, open the dashboard, wait for every chart, and save a screenshot of it."""
    seen = Visit()
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    page.set_default_timeout(_SLOWEST_MS)
    _watch(page, superset.address, seen)
    page.goto(f"{superset.address}/login/")
    page.locator("#username").fill("admin")
    page.locator("#password").fill(superset.password)
    page.keyboard.press("Enter")
    page.wait_for_url("**/welcome/**")
    page.goto(f"{superset.address}/superset/dashboard/rankings/")
    holders = page.locator(".dashboard-component-chart-holder").filter(has=page.locator("[data-test-viz-type]"))
    expect(holders.first).to_be_visible(timeout=_SLOWEST_MS)
    # Charts further down load when they come into sight.
    page.set_viewport_size({"width": 1440, "height": 2000})
    titles = {}
    for holder in holders.all():
        expect(holder.locator(_SHOWN).first).to_be_visible(timeout=_SLOWEST_MS)
        number = holder.locator("[data-test-chart-id]").first.get_attribute("data-test-chart-id")
        titles[str(number)] = holder.locator("[data-test='editable-title']").inner_text()
    page.wait_for_load_state("networkidle")
    seen.title = page.title()
    seen.asked = {titles[number]: question for number, question in seen.asked.items()}
    seen.faults += page.locator("[role=alert], .ant-alert").all_inner_texts()
    picture_of(page, "superset/dashboard")
    page.close()
    return seen


def _watch(page: Page, address: str, seen: Visit) -> None:
    def asked(request: PageRequest) -> None:
        if request.url.startswith(f"{address}/api/v1/chart/data") and request.post_data:
            question = json.loads(request.post_data)
            if name := question["form_data"].get("slice_id"):
                seen.asked[str(name)] = question

    def ended(request: PageRequest) -> None:
        # `csp`: a request that the page's policy forbids, so that it was never sent.
        if not request.url.startswith((address, "data:", "blob:")) and request.failure != "csp":
            seen.faults.append(request.url)

    page.on("pageerror", lambda error: seen.faults.append(str(error)))
    page.on("request", asked)
    page.on("requestfinished", ended)
    page.on("requestfailed", ended)
