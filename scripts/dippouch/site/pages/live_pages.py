"""The live pages: readers query the published database in their browser. These pages have scripts of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode

import duckdb

from dippouch.db import Row
from dippouch.export.reading import Content
from dippouch.settings import PROJECT
from dippouch.site.page import Page, words_of

SCRIPTS = "assets/live"
_QUESTIONS = PROJECT / "docs" / "insight.md"
_QUESTION = re.compile(r"^(?P<level>##+) (?P<heading>.+)$|^```sql\n(?P<sql>(?:(?!```).*\n)+)```$", re.MULTILINE)

# Players of the link that starts a comparison.
_LEADERS = "select player_id from main.international_ranking order by rank, player_id limit 3"
# Live pages in the section of the ranking; each other page has its own section.
_OF_RANKING = ("compare", "day")
# Labels, limits and steps of the laboratory's sliders. No divisor is 0.
_CONTROLS = {
    "initial_rating": ("Initial rating", 0, 100, 1),
    "world_championship_value": ("Value of a {championship}", 0, 100, 0.5),
    "maximum_value": ("Highest value of any other", 0, 100, 0.5),
    "one_round_divisor": ("Divisor, one round", 0.5, 50, 0.5),
    "several_rounds_divisor": ("Divisor, several rounds", 0.5, 50, 0.5),
    "base_value": ("Base value", 0, 50, 0.5),
    "counted_years": ("Last years that count (0: all)", 0, 50, 1),
}
# The rating systems as values of the controls: 0 years means all years, and no first day becomes the first day of all.
_SYSTEMS = """
    select
        systems.* replace (
            coalesce(systems.counted_years, 0) as counted_years,
            coalesce(systems.first_counted_on, (select min(ended_on) from marts.tournaments), date '0001-01-01') as first_counted_on
        )
    from marts.rating_systems as systems
    order by systems.is_default desc, systems.rating_system_id
"""


@dataclass(frozen=True)
class Question:
    """A question of `docs/insight.md`: its section, and the SQL that answers it."""

    section: str
    text: str
    sql: str

    @property
    def address(self) -> str:
        """Return the address that opens the question in the editor."""
        return f"#q={quote(self.sql, safe='')}"


def shared(content: Content, scripts: Path, file: str) -> dict[str, Any]:
    """Return the content shared by all live pages: addresses of the database file and the scripts, and words of the collection."""
    manifest = json.loads((scripts / "manifest.json").read_text(encoding="utf-8"))
    addresses = {name.removesuffix(".js"): f"{SCRIPTS}/{file_name}" for name, file_name in manifest.items()}
    return {
        **{name: addresses.pop(name) for name in ("start", "worker", "engine")},
        "modules": addresses,
        "file": file,
        "publication": Path(file).stem.removeprefix("live-"),
        "words": words_of(content.facts),
    }


def pages(content: Content, live: dict[str, Any]) -> Iterator[Page]:
    """Yield the live pages of a site; `live` is their shared content."""
    sections: dict[str, list[Question]] = {}
    for question in answered_questions(content):
        sections.setdefault(question.section, []).append(question)
    shown: tuple[tuple[str, str, str, dict[str, object]], ...] = (
        ("ask", "Ask", "Query the rankings in SQL, in your browser.", {"sections": sections}),
        (
            "compare",
            "Compare",
            f"Ratings of chosen {content.facts['players_word']} in one chart, and their finishes against each other.",
            {"leaders": content.rows(_LEADERS)},
        ),
        ("day", "Ranking on any day", "The ranking at the end of any day, and the changes since another day.", {}),
        (
            "laboratory",
            "Laboratory",
            "Change the rules: your browser rates the whole history again, beside the published ranking.",
            _rules(content),
        ),
    )
    for name, title, description, context in shown:
        given = {"live": live, "module": name}
        yield Page(f"{name}.html", title, description, context | given, "ranking" if name in _OF_RANKING else name)


def _rules(content: Content) -> dict[str, object]:
    """Return the laboratory's controls, with rules to start from: the published ones and those of the other systems."""
    default, *others = content.rows(_SYSTEMS)
    labels = {
        name: label.format(championship=content.facts["championship_word"]) for name, (label, *_) in _CONTROLS.items()
    }
    controls = [
        {
            "name": name,
            "label": labels[name],
            "low": f"{min(low, default[name]):g}",
            "high": f"{max(high, default[name]):g}",
            "step": step,
            "value": _figure(default[name]),
        }
        for name, (_, low, high, step) in _CONTROLS.items()
    ]
    presets = [{"name": "the published rules", "address": "#"}]
    presets += [
        {"name": system["name"].removeprefix(f"{default['name']}, "), "address": _address(system, default)}
        for system in others
    ]
    return {"rules": controls, "first_counted_on": default["first_counted_on"], "presets": presets}


def _address(rules: Row, default: Row) -> str:
    """Return the address that opens the laboratory with some rules."""
    changed = {name: _figure(rules[name]) for name in (*_CONTROLS, "first_counted_on") if rules[name] != default[name]}
    return f"#{urlencode(changed)}"


def _figure(value: object) -> str:
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def all_questions() -> Iterator[Question]:
    """Yield the questions of the documentation, in order."""
    section = heading = ""
    for found in _QUESTION.finditer(_QUESTIONS.read_text(encoding="utf-8")):
        if found["sql"]:
            yield Question(section, heading, found["sql"].strip())
        elif found["level"] == "##":
            section = found["heading"]
        else:
            heading = found["heading"]


def answered_questions(content: Content) -> Iterator[Question]:
    """Yield the questions that this collection can answer: not those about unknown players."""
    for question in all_questions():
        try:
            if content.rows(f"select 1 from ({question.sql}) limit 1"):
                yield question
        except duckdb.InvalidInputException:
            # A function raises an error for an unknown player.
            continue
