"""The answers in the documentation are what their queries give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.page_answers import PAGES, as_text, with_answers

BLOCKS = "A sentence.\n\n```sql\nselect 1 as one\n```\n\n```text\nold\n```\n\n```sql\nselect 2\n```\n"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_answers_are_what_the_queries_give(page: Path, published: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert with_answers(text, published) == text, "`make rankings answers` writes the answers again"


def test_a_query_without_an_answer_gets_none(published: Path) -> None:
    assert with_answers(BLOCKS, published) == BLOCKS.replace("old", "one\n  1")


def test_a_table_is_plain() -> None:
    rows: list[dict[str, Any]] = [
        {"name": "Zoë", "points": 1.5, "flag": True},
        {"name": None, "points": None, "flag": False},
    ]
    assert as_text(rows).splitlines() == ["name  points  flag", "Zoë      1.5  true", "-          -  false"]
    assert as_text([]) == "(no rows)"
