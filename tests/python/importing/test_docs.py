"""The page on the formats says what the importer does."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from dippouch.documents import TournamentDocument
from dippouch.importing.formats.facts import FACTS
from dippouch.importing.formats.headings import RESULT_COLUMNS
from dippouch.importing.parsing.numbers import parse_placement
from dippouch.importing.reader import FORMATS, LARGEST_DOCUMENT, LARGEST_TEXT, read_documents
from dippouch.settings import PROJECT

PAGE = (PROJECT / "docs" / "import_formats.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([^`]+)`", PAGE))


@pytest.mark.parametrize("name", [*FORMATS, *FACTS, *RESULT_COLUMNS])
def test_every_format_fact_and_column_is_described(name: str) -> None:
    # The second and third coefficient stand beside the first.
    assert name in NAMED or name in ("coefficient_2", "coefficient_3")


def test_the_limits_are_those_that_hold() -> None:
    assert f"at most {LARGEST_DOCUMENT:,} bytes, or {LARGEST_TEXT:,} when it is text" in PAGE


def test_the_placements_that_are_listed_are_understood() -> None:
    said = PAGE[PAGE.index("**Placements.**") : PAGE.index("Anything else is rejected")]
    three, none = said.split("are 3.")
    assert {parse_placement(text) for text in re.findall(r"`([^`]+)`", three)} == {3}
    assert {parse_placement(text) for text in re.findall(r"`([^`]+)`", none)} == {None}


def test_the_example_can_be_imported(tmp_path: Path) -> None:
    example = PAGE[PAGE.index("    name: WAC 6 2009") : PAGE.index("Separators are")]
    path = tmp_path / "example.csv"
    path.write_text(re.sub(r"^    ", "", example, flags=re.MULTILINE), encoding="utf-8")
    (document,) = read_documents(path)
    assert isinstance(document, TournamentDocument)
    assert [(r.placement, r.player.last_name) for r in document.results] == [
        (1, "SIGAL"),
        (2, "MALETSKY"),
        (None, "BIRSAN"),
    ]
