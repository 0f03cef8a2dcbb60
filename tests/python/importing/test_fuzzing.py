"""Every input gives checked documents, or a rejection that names a place. `make fuzz` tries many more."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dippouch.importing import pipeline, reader
from dippouch.importing.reader import FORMATS
from support.fuzzing.mutations import mutate_bytes
from support.fuzzing.trial import IMPORTED, REJECTED, BrokenPromise, Sample, Trial, all_samples, outcome_of, run

originals = cache(all_samples)
DOCUMENTS = int(os.environ.get("DPTR_DOCUMENTS", "300"))


def test_there_is_a_sample_of_every_format() -> None:
    assert {sample.format_name for sample in originals()} == set(FORMATS)


@pytest.mark.long
def test_broken_documents_of_every_format_are_read_or_rejected(tmp_path: Path) -> None:
    counts = run(DOCUMENTS, 2, tmp_path)
    assert counts.total() == DOCUMENTS
    # Faults are neither too coarse nor too fine: in every format some documents are read, and some rejected.
    assert {(name, outcome) for name in FORMATS for outcome in (IMPORTED, REJECTED)} <= set(counts)


EXAMPLES = pytest.mark.parametrize("examples", [30, pytest.param(300, marks=pytest.mark.long)])


@EXAMPLES
def test_a_document_with_other_bytes_is_read_or_rejected(examples: int, tmp_path: Path) -> None:
    singles = [sample for sample in originals() if sample.format_name != "two-tables"]

    @settings(max_examples=examples, deadline=None)
    @given(sample=st.sampled_from(singles), chance=st.randoms(use_true_random=False))
    def is_read_or_rejected(sample: Sample, chance: Random) -> None:
        content = sample.content.encode() if isinstance(sample.content, str) else sample.content
        path = tmp_path / sample.name
        path.write_bytes(mutate_bytes(content, chance))
        assert outcome_of(path) in (IMPORTED, REJECTED)

    is_read_or_rejected()


@EXAMPLES
@pytest.mark.parametrize("format_name", [name for name in FORMATS if name != "two-tables"])
def test_anything_at_all_read_as_any_format_is_read_or_rejected(
    format_name: str, examples: int, tmp_path: Path
) -> None:
    path = tmp_path / "anything"

    @settings(max_examples=examples, deadline=None)
    @given(content=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
    def is_read_or_rejected(content: bytes) -> None:
        path.write_bytes(content)
        assert outcome_of(path, format_name=format_name) in (IMPORTED, REJECTED)

    is_read_or_rejected()


def test_a_reader_that_fails_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "decode", lambda content, path, stated: {}[path])
    (tmp_path / "x.csv").write_text("x")
    with pytest.raises(BrokenPromise, match="KeyError"):
        outcome_of(tmp_path / "x.csv")


def test_a_document_that_breaks_a_promise_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline, "faults_of_changes", lambda collection, scope: [])
    (tmp_path / "x.csv").write_text("name: A\ndate: 2010-05-01\nplayers: 2\nrounds: 1\nplacement,name\n5,Anna ARCHER\n")
    with pytest.raises(BrokenPromise, match="AssertionError"):
        Trial(tmp_path / "seeds").outcome_of(tmp_path / "x.csv")
