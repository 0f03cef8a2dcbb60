"""The pages of questions cannot go stale: every query runs, and every answer is the one that it gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from dippouch.query.render import as_text
from dippouch.query.run import run_query
from dippouch.query.snapshots import Question, read_questions
from dippouch.settings import PROJECT

PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").glob("*.md"))]
QUESTIONS = [question for page in PAGES for question in read_questions(page)]


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.title)
def test_answer_is_what_the_query_gives(question: Question, published: Path) -> None:
    assert as_text(run_query(published, question.sql)) == question.text, (
        "scripts/refresh_answers.py writes the answers again"
    )
