"""A large collection is stored as Parquet, and is rated and changed like a small one."""

from __future__ import annotations

from pathlib import Path

import pytest

from dippouch.collection import memory
from dippouch.collection.files import iterate_rows, read_rows
from dippouch.collection.memory import Collection
from dippouch.collection.schema import RESULTS, TOURNAMENTS
from dippouch.importing.files import Choices
from dippouch.importing.outcome import Outcome
from dippouch.importing.run import import_documents
from dippouch.people.questions import Answers
from dippouch.reading.reader import group_inputs
from dippouch.settings import PROJECT
from support.programs import done, run_program
from synthetic.results import Size, write_synthetic

SIZE = Size(tournaments=60, players=300, results=1_200, longest_career=40)


def take_in(documents: Path, folder: Path) -> Outcome:
    # Made-up names resemble each other.
    outcome = import_documents(
        group_inputs([documents]), folder, Choices(answers=Answers((), ("all",))), on_file=print, on_changed=print
    )
    assert outcome.rejections == []
    return outcome


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A synthetic collection, stored as Parquet because its seeds count as large."""
    written = write_synthetic(tmp_path / "synthetic", SIZE, seed=7)
    monkeypatch.setattr(memory, "LARGEST_SEED", 50)
    take_in(tmp_path / "synthetic", folder := tmp_path / "large" / "seeds")
    assert [read_rows(folder / table.path) for table in (RESULTS, TOURNAMENTS)] == [[], []]
    assert len(list(iterate_rows(folder, RESULTS))) == written
    return folder


@pytest.mark.long
def test_a_large_collection_is_rated_as_its_rows_demand(large: Path) -> None:
    """The verification of a refresh reads Parquet, and computes every rating, without code of the project."""
    refreshed = done(run_program("refresh", DPTR_SEEDS=large, DPTR_WAREHOUSE=large.parent))
    assert "agree with the exact recomputation" in refreshed


def test_a_large_collection_goes_on_as_a_small_one(large: Path, tmp_path: Path) -> None:
    again = take_in(tmp_path / "synthetic", large)
    assert (len(again.stated), again.changed_rows, again.written) == (SIZE.tournaments, 0, False)
    with Collection.opened(large) as collection:
        before = collection.stated(RESULTS)
    take_in(PROJECT / "tests" / "fixtures" / "wdd_text" / "wac-6-2009.txt", large)
    with Collection.opened(large) as collection:
        after = collection.stated(RESULTS)
    assert [row for row in after if row["tournament_id"] != "wac-6-2009"] == before
    assert len(after) == len(before) + 43
