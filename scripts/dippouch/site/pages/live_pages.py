"""The live pages: the published database in the browser of the reader, who asks it. They come with scripts of their own."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import duckdb

from dippouch.export.live import LiveFile
from dippouch.export.reading import Content
from dippouch.settings import PROJECT
from dippouch.site.page import Page

SCRIPTS = "assets/live"
_QUESTIONS = PROJECT / "docs" / "insight.md"
_QUESTION = re.compile(r"^(?P<level>##+) (?P<heading>.+)$|^```sql\n(?P<sql>(?:(?!```).*\n)+)```$", re.MULTILINE)


@dataclass(frozen=True)
class Question:
    """A question of `docs/insight.md`: the section that it is in, and the SQL that answers it."""

    section: str
    text: str
    sql: str

    @property
    def address(self) -> str:
        """The address that shows it in the editor."""
        return f"#q={quote(self.sql, safe='')}"


def pages(content: Content, scripts: Path, file: LiveFile) -> Iterator[Page]:
    """The live pages of a site that has the file, with the scripts of a folder."""
    names = json.loads((scripts / "manifest.json").read_text(encoding="utf-8"))
    given = {
        "worker": f"{SCRIPTS}/{names['worker.js']}",
        "engine": f"{SCRIPTS}/{names['engine']}",
        "file": file.path,
        "publication": file.publication,
    }
    sections: dict[str, list[Question]] = {}
    for question in answered_questions(content):
        sections.setdefault(question.section, []).append(question)
    yield Page(
        "ask.html",
        "Ask",
        "Ask the rankings in SQL: the answer is computed in your browser.",
        {
            "sections": sections,
            "start": f"{SCRIPTS}/{names['start.js']}",
            "live": {"module": f"{SCRIPTS}/{names['ask.js']}", **given},
        },
        "ask",
    )


def all_questions() -> Iterator[Question]:
    """The questions of the documentation, in its order."""
    section = heading = ""
    for found in _QUESTION.finditer(_QUESTIONS.read_text(encoding="utf-8")):
        if found["sql"]:
            yield Question(section, heading, found["sql"].strip())
        elif found["level"] == "##":
            section = found["heading"]
        else:
            heading = found["heading"]


def answered_questions(content: Content) -> Iterator[Question]:
    """The questions that have an answer in this collection: not those about players whom it does not know."""
    for question in all_questions():
        try:
            if content.rows(f"select 1 from ({question.sql}) limit 1"):
                yield question
        except duckdb.InvalidInputException:
            # A function says that it does not know a player.
            continue
