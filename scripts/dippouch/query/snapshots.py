"""Pages of questions whose answers are computed, never written: docs/insight.md.

A heading of the third level that ends with a question mark is a question. It is laid out like this, and nothing else on the page
is touched:

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
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dippouch.changed import say_changed
from dippouch.disk import refusal, sync
from dippouch.errors import DocumentError, Location, UserError

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


def read_page(path: Path) -> str:
    """The text of a page.

    Raises:
        UserError: when it cannot be read, or is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"{path}: could not be read ({refusal(error)})") from error
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise DocumentError(Location(path, line), "a byte that is no UTF-8", "a page in UTF-8") from None


def write_page(path: Path, text: str) -> None:
    """Replace a page, whole or not at all.

    Raises:
        UserError: when the disk refuses; the page is as it was.
    """
    path = path.resolve()
    fresh = path.with_name(f".{path.name}.fresh")
    try:
        try:
            fresh.write_text(text, encoding="utf-8")
            shutil.copymode(path, fresh)
            sync(fresh)
            fresh.replace(path)
        finally:
            fresh.unlink(missing_ok=True)
    except OSError as error:
        raise UserError(f"{path}: could not be written ({refusal(error)}); it is as it was") from error
    say_changed(f"{path} has new answers")


def read_questions(path: Path) -> list[Question]:
    """The questions of a page, in order.

    Raises:
        DocumentError: where a question is not laid out as one.
    """
    questions = []
    line = 1
    for section in _sections(read_page(path)):
        title, _, body = section.partition("\n")
        if title.startswith(_HEADING) and title.endswith("?"):
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
    page = read_page(path)
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
