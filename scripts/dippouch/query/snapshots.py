"""Pages of questions whose answers are computed, never written: docs/insight.md.

A question on a page is laid out like this, and nothing else on the page is touched:

    ### Who leads the ranking?

    One sentence that says it.

    ```sql
    select ...
    ```

    ```text
    the answer, as `scripts/query.py` prints it
    ```

    Whatever else there is to say, without another block.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dippouch.errors import DocumentError, Location

_HEADING = "### "


@dataclass(frozen=True)
class Question:
    """One question of a page.

    Attributes:
        line: line of its heading, counted from 1.
        title: the heading.
        sentence: the answer in words.
        sql: the query.
        text: the answer as the page shows it.
    """

    line: int
    title: str
    sentence: str
    sql: str
    text: str


_PROSE = r"(?:(?!```).)"
_LAYOUT = re.compile(
    rf"\n+(?P<sentence>{_PROSE}+?)\n\n```sql\n(?P<sql>.*?)\n```\n\n```text\n(?P<text>.*?)\n```\n{_PROSE}*", re.DOTALL
)


def read_questions(path: Path) -> list[Question]:
    """The questions of a page, in order.

    Raises:
        DocumentError: where a question is not laid out as one.
    """
    questions = []
    line = 1
    for section in _sections(path.read_text(encoding="utf-8")):
        if section.startswith(_HEADING):
            title, _, body = section.partition("\n")
            parts = _LAYOUT.fullmatch("\n" + body)
            if not parts:
                raise DocumentError(
                    Location(path, line),
                    f"`{title}`",
                    "a sentence, a block ```sql and a block ```text, with empty lines between",
                )
            questions.append(
                Question(line, title.removeprefix(_HEADING), parts["sentence"], parts["sql"], parts["text"])
            )
        line += section.count("\n")
    return questions


def with_answers(path: Path, answer: Callable[[str], str]) -> str:
    """The page as it must be.

    Args:
        path: the page.
        answer: gives the text of the answer to a query.

    Returns:
        The text of the page with every answer computed again.

    Raises:
        DocumentError: where a question is not laid out as one.
    """
    page = path.read_text(encoding="utf-8")
    for question in read_questions(path):
        shown = f"```sql\n{question.sql}\n```\n\n```text\n{question.text}\n```"
        fresh = f"```sql\n{question.sql}\n```\n\n```text\n{answer(question.sql)}\n```"
        page = page.replace(shown, fresh, 1)
    return page


def _sections(page: str) -> list[str]:
    """The page cut before every heading that is not inside a block."""
    sections = [""]
    in_block = False
    for line in page.splitlines(keepends=True):
        if line.startswith("```"):
            in_block = not in_block
        if line.startswith("#") and not in_block:
            sections.append("")
        sections[-1] += line
    return sections
