"""The real Superset with a warehouse of its own, opened once in Chromium, and another publication to replace it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from dippouch.publishing.build import run_dbt_build
from dippouch.settings import PROJECT
from support.keeper import Keeper, done
from support.superset import Superset, Visit, running, visit

# The leader, a known player and a new one: everything on the dashboard changes.
_CLUB_CUP = "placement,first_name,last_name,nation_code\n1,Toby,HARRIS,GBR\n2,Edi,BIRSAN,USA\n3,Ada,LOVELACE,GBR\n"


@pytest.fixture(scope="session")
def builds(built: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two builds: `fewer` of the project's seeds, and `more` of the same with another tournament."""
    keeper = Keeper(tmp_path_factory.mktemp("keeper"))
    shutil.copytree(PROJECT / "seeds", keeper.seeds)
    done(keeper.event("", "Club Cup", "2014-05-01", head=_CLUB_CUP))
    warehouse = keeper.folder / "warehouse"
    run_dbt_build(keeper.seeds, warehouse, target_path=warehouse / "dbt")
    return {"more": warehouse / "build.duckdb", "fewer": built / "build.duckdb"}


@pytest.fixture(scope="session")
def superset(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Superset]:
    """Superset with the dashboard of a copy of the published file."""
    warehouse = tmp_path_factory.mktemp("superset") / "warehouse"
    warehouse.mkdir()
    shutil.copy(published, warehouse)
    with running(warehouse) as started:
        yield started


@pytest.fixture(scope="session")
def visited(superset: Superset, browser: Browser) -> Visit:
    """A visit to the dashboard after signing in."""
    return visit(superset, browser)
