"""Superset's dashboard in Chromium, after signing in."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, ConsoleMessage, Page, Request, expect

from support.superset import Question, Superset

_SLOWEST_MS = 180_000
_WIDTH = 1440
# The browser's error for a request that the page's policy forbids, so that it was never sent.
_FORBIDDEN = "csp"
_LOCAL = ("data:", "blob:")
# The content of a chart with an answer: a canvas, a table, or a large figure.
_SHOWN = "canvas, table, .header-line"


@dataclass
class Visit:
    """A record of a visit to the dashboard.

    Attributes:
        title: of the dashboard.
        alerts: error messages on the page.
        asked: the page's request for each chart, by its title; each has content.
        left: addresses of requests that left the machine.
        complaints: errors of scripts.
    """

    title: str = ""
    alerts: list[str] = field(default_factory=list)
    asked: dict[str, Question] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)


def visit(superset: Superset, browser: Browser, picture: Path | None = None) -> Visit:
    """Sign in, open the dashboard, wait for every chart, and save a screenshot if `picture` is given."""
    seen = Visit()
    page = browser.new_page(viewport={"width": _WIDTH, "height": 1000})
    page.set_default_timeout(_SLOWEST_MS)
    _watch(page, superset.address, seen)
    page.goto(f"{superset.address}/login/")
    page.locator("#username").fill("admin")
    page.locator("#password").fill(superset.password)
    page.keyboard.press("Enter")
    page.wait_for_url("**/welcome/**")
    page.goto(superset.dashboard)
    holders = page.locator(".dashboard-component-chart-holder").filter(has=page.locator("[data-test-viz-type]"))
    expect(holders.first).to_be_visible(timeout=_SLOWEST_MS)
    # Charts further down load when they come into sight.
    page.set_viewport_size({"width": _WIDTH, "height": 2000})
    titles = {}
    for holder in holders.all():
        expect(holder.locator(_SHOWN).first).to_be_visible(timeout=_SLOWEST_MS)
        number = holder.locator("[data-test-chart-id]").first.get_attribute("data-test-chart-id")
        titles[str(number)] = holder.locator("[data-test='editable-title']").inner_text()
    page.wait_for_load_state("networkidle")
    seen.title = page.title()
    seen.asked = {titles[number]: question for number, question in seen.asked.items()}
    seen.alerts = page.locator("[role=alert], .ant-alert").all_inner_texts()
    if picture:
        picture.parent.mkdir(parents=True, exist_ok=True)
        # Charts have an animation of about a second.
        page.wait_for_timeout(2000)
        page.screenshot(path=picture)
    page.close()
    return seen


def _watch(page: Page, address: str, seen: Visit) -> None:
    def heard(said: ConsoleMessage) -> None:
        # Every page of Superset has a tracking pixel, which the page's policy blocks.
        if said.type == "error" and "violates the following Content Security Policy" not in said.text:
            seen.complaints.append(said.text)

    def asked(request: Request) -> None:
        if request.url.startswith(f"{address}/api/v1/chart/data") and request.post_data:
            question = json.loads(request.post_data)
            if name := question["form_data"].get("slice_id"):
                seen.asked[str(name)] = question

    def ended(request: Request) -> None:
        if not request.url.startswith((address, *_LOCAL)) and request.failure != _FORBIDDEN:
            seen.left.append(request.url)

    page.on("console", heard)
    page.on("pageerror", lambda error: seen.complaints.append(str(error)))
    page.on("request", asked)
    page.on("requestfinished", ended)
    page.on("requestfailed", ended)
