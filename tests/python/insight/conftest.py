"""What the tests of the insight marts share: the real collection, published once for all of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from filelock import FileLock

from dippouch.publishing.build import run_dbt_build
from dippouch.publishing.publication import publish
from dippouch.settings import PROJECT


@pytest.fixture(scope="session")
def warehouse(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with build.duckdb and rankings.duckdb, made of the seeds of the project; the workers share it."""
    folder = tmp_path_factory.getbasetemp().parent / "insight-warehouse"
    with FileLock(folder.with_suffix(".lock")):
        if not (folder / "rankings.duckdb").exists():
            run_dbt_build(PROJECT / "seeds", folder, target_path=folder / "dbt")
            publish(folder / "build.duckdb", folder / "rankings.duckdb")
    return folder


@pytest.fixture(scope="session")
def published(warehouse: Path) -> Path:
    """The published database of the project's seeds."""
    return warehouse / "rankings.duckdb"
