"""Fixtures that tests of several rooms share; each is made once a worker."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.compiled import CompiledProject

from dippouch.publishing.build import run_dbt_build
from dippouch.publishing.publication import publish
from dippouch.settings import PROJECT


@pytest.fixture(scope="session")
def compiled_project(tmp_path_factory: pytest.TempPathFactory) -> CompiledProject:
    """The project's SQL as dbt compiles it."""
    folder = tmp_path_factory.mktemp("compiled")
    environment = {k: v for k, v in os.environ.items() if k != "DPTR_SEEDS"} | {"DPTR_WAREHOUSE": str(folder)}
    dbt = Path(sys.executable).with_name("dbt")
    command = [dbt, "--quiet", "compile", "--target-path", folder / "dbt", "--log-path", folder / "logs"]
    subprocess.run([str(part) for part in command], cwd=PROJECT, env=environment, check=True, capture_output=True)
    return CompiledProject(folder / "dbt" / "manifest.json")


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A warehouse with the build database of the project's own seeds, dbt's artefacts in `dbt`. Not to be changed."""
    folder = tmp_path_factory.mktemp("warehouse")
    run_dbt_build(PROJECT / "seeds", folder, target_path=folder / "dbt")
    return folder


@pytest.fixture(scope="session")
def published(built: Path) -> Path:
    """The published database of the project's own seeds. Not to be changed."""
    database = built / "rankings.duckdb"
    publish(built / "build.duckdb", database)
    return database
