"""The rating keeper's choices for an import."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from dippouch.people.answers import Answers
from dippouch.reading.context import ReadingChoices


@dataclass(frozen=True)
class Choices(ReadingChoices):
    """The rating keeper's choices for a run of the importer, beside those for reading.

    Attributes:
        last_day: the latest allowed day in a document; None for any.
        answers: the answers about new people.
        another_event: whether new tournaments are none of the known ones.
        replace: whether documents replace what other documents stated.
        dry_run: whether to find the changes without writing them.
        strict: whether to write nothing if any file is rejected.
    """

    last_day: date | None = None
    answers: Answers = field(default_factory=Answers)
    another_event: bool = False
    replace: bool = False
    dry_run: bool = False
    strict: bool = False
