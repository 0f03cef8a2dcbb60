"""A large collection is stored as Parquet, and its marts are the same row for row."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest

from dippouch.collection import files
from dippouch.collection.files import read_rows
from dippouch.collection.memory import Collection
from dippouch.collection.schema import RESULTS, TOURNAMENTS
from dippouch.importing.choices import Choices
from dippouch.importing.outcome import Outcome
from dippouch.importing.run import import_documents
from dippouch.people.answers import Answers
from dippouch.reading.reader import group_inputs
from dippouch.settings import PROJECT
from support.compiled import Warehouse
from support.programs import done, run_dbt
from synthetic.results import Size, write_synthetic

SIZE = Size(tournaments=60, players=300, results=1_200, longest_career=40)


def take_in(documents: Path, folder: Path) -> Outcome:
    # Made-up names resemble each other.
    outcome = import_documents(group_inputs([documents]), folder, Choices(answers=Answers.given((), ("all",))))
    assert outcome.rejections == []
    return outcome


@pytest.fixture
def both_formats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """One synthetic collection as seeds, and the same as Parquet."""
    written = write_synthetic(tmp_path / "synthetic", SIZE, seed=7)
    as_seeds, as_parquet = tmp_path / "small" / "seeds", tmp_path / "large" / "seeds"
    take_in(tmp_path / "synthetic", as_seeds)
    assert not list(as_seeds.rglob("*.parquet"))
    monkeypatch.setattr(files, "LARGEST_SEED", 50)
    take_in(tmp_path / "synthetic", as_parquet)
    assert [read_rows(as_parquet / table.path) for table in (RESULTS, TOURNAMENTS)] == [[], []]
    assert len(list(files.iterate_rows(as_parquet, RESULTS))) == written
    return as_seeds, as_parquet


def built_by_dbt(seeds: Path) -> Path:
    """Build a collection with dbt, without tests; return the build database."""
    warehouse = seeds.parent
    build = ("build", "--exclude-resource-type", "test", "unit_test", "--target-path", warehouse / "dbt")
    done(run_dbt(*build, "--log-path", warehouse / "logs", DPTR_SEEDS=seeds, DPTR_WAREHOUSE=warehouse))
    return warehouse / "build.duckdb"


def built_from_seeds(warehouse: Warehouse, seeds: Path) -> Path:
    """Build a collection with the SQL that dbt compiled for a collection without Parquet."""
    warehouse.build(seeds)
    warehouse.save(seeds.parent / "build.duckdb")
    return seeds.parent / "build.duckdb"


def marts(build: Path) -> dict[str, list[tuple[object, ...]]]:
    """Return every row of every mart, with columns by name: only dbt puts them in the order of the contract.

    The last digit of doubles may differ: a mean depends on the order of its sum.
    """
    columns = "select table_name, string_agg(column_name, ', ' order by column_name) from duckdb_columns()"
    with duckdb.connect(str(build), read_only=True) as connection:
        tables = connection.execute(f"{columns} where schema_name = 'marts' group by table_name order by table_name")
        return {
            name: [
                tuple(round(cell, 9) if isinstance(cell, float) else cell for cell in row)
                for row in connection.execute(f"select {names} from marts.{name} order by all").fetchall()
            ]
            for name, names in tables.fetchall()
        }


@pytest.mark.long
def test_the_marts_are_the_same_in_both_formats(both_formats: tuple[Path, Path], warehouse: Warehouse) -> None:
    small, large = both_formats
    as_seeds, as_parquet = marts(built_from_seeds(warehouse, small)), marts(built_by_dbt(large))
    # It depends on dbt's environment.
    assert as_seeds.pop("publication")
    assert as_parquet.pop("publication")
    assert as_seeds.keys() == as_parquet.keys()
    assert len(as_seeds["rating_history"]) > 1_000
    for name, rows in as_seeds.items():
        assert rows == as_parquet[name], name


def test_a_large_collection_goes_on_as_a_small_one(both_formats: tuple[Path, Path], tmp_path: Path) -> None:
    _, folder = both_formats
    again = take_in(tmp_path / "synthetic", folder)
    assert (len(again.documents), again.changed_rows, again.written) == (SIZE.tournaments, 0, False)
    with Collection.opened(folder) as collection:
        before = collection.stated(RESULTS)
    take_in(PROJECT / "tests" / "fixtures" / "wdd_text" / "wac-6-2009.txt", folder)
    with Collection.opened(folder) as collection:
        after = collection.stated(RESULTS)
    assert [row for row in after if row["tournament_id"] != "wac-6-2009"] == before
    assert len(after) == len(before) + 43
