"""Fixtures shared by tests of several folders. The slow ones run once for all workers."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from filelock import FileLock
from playwright.sync_api import Browser

from dippouch.publishing.build import code_version, run_dbt_build
from dippouch.publishing.publication import publish
from dippouch.settings import PROJECT
from support.browser import chromium
from support.compiled import CompiledProject, Warehouse
from support.programs import run_dbt

MadeOnce = Callable[[str, Callable[[Path], None]], Path]


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> MadeOnce:
    """A function that returns a folder which the first worker fills while the others wait; it belongs to this test run only."""
    alone = "PYTEST_XDIST_WORKER" not in os.environ
    base = tmp_path_factory.getbasetemp() if alone else tmp_path_factory.getbasetemp().parent

    def folder_of(name: str, make: Callable[[Path], None]) -> Path:
        folder = base / name
        with FileLock(folder.with_suffix(".lock")):
            if not folder.exists():
                make(folder)
        return folder

    return folder_of


@pytest.fixture(scope="session")
def built(made_once: MadeOnce) -> Path:
    """A warehouse built from the project's own seeds, with dbt's artefacts in `dbt`. Read-only."""

    def build_into(folder: Path) -> None:
        run_dbt_build(PROJECT / "seeds", folder, target_path=folder / "dbt", without="", held=())
        # A refresh writes no manifest.
        places = ("--target-path", folder / "dbt", "--log-path", folder / "dbt" / "logs")
        done = run_dbt("compile", *places, DPTR_WAREHOUSE=folder, DPTR_CODE_VERSION=code_version())
        assert done.returncode == 0
        publish(folder / "build.duckdb", folder / "rankings.duckdb", print)

    return made_once("warehouse", build_into)


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    """A copy of the project's own seeds, which a test may change."""
    return shutil.copytree(PROJECT / "seeds", tmp_path / "seeds")


@pytest.fixture(scope="session")
def compiled_project(built: Path) -> CompiledProject:
    """The project's SQL as dbt compiled it."""
    return CompiledProject(built / "dbt" / "manifest.json")


@pytest.fixture(scope="session")
def warehouse(compiled_project: CompiledProject) -> Warehouse:
    """A warehouse in memory for any collections, one after the other."""
    return Warehouse(compiled_project)


@pytest.fixture(scope="session")
def published(built: Path) -> Path:
    """The published database of the project's own seeds. Read-only."""
    return built / "rankings.duckdb"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium."""
    with chromium() as launched:
        yield launched
