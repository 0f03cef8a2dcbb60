"""Every input gives checked documents, or a rejection that names a place. `make fuzz` tries many more."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dippouch.reading.reader import FORMATS
from support.fuzzing import IMPORTED, REJECTED, read_one, run

DOCUMENTS = int(os.environ.get("DPTR_DOCUMENTS", "300"))


@pytest.mark.long
def test_broken_documents_of_every_format_are_read_or_rejected(tmp_path: Path) -> None:
    counts = run(DOCUMENTS, 2, tmp_path)
    # Faults are neither too coarse nor too fine: in every format some documents are read, and some rejected.
    assert DOCUMENTS < 300 or {(name, outcome) for name in FORMATS for outcome in (IMPORTED, REJECTED)} <= set(counts)


@pytest.mark.parametrize("examples", [30, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("format_name", [name for name in FORMATS if name != "two-tables"])
def test_anything_at_all_read_as_any_format_is_read_or_rejected(
    format_name: str, examples: int, tmp_path: Path
) -> None:
    path = tmp_path / "anything"

    @settings(max_examples=examples, deadline=None)
    @given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
    def is_read_or_rejected(content: bytes) -> None:
        path.write_bytes(content)
        assert read_one(path, format_name) in (IMPORTED, REJECTED)

    is_read_or_rejected()
