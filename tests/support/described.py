"""What a failed build says, of a build in memory: as if dbt had made it and written how its tests ended."""

from __future__ import annotations

import json
from collections.abc import Collection
from pathlib import Path

import duckdb

from dippouch.db import literal
from dippouch.publishing.failures.artefacts import Artefacts
from dippouch.publishing.failures.describe import describe_failures
from support.compiled import CompiledProject
from support.seed_rows import Rows, write_collection


def described(
    project: CompiledProject, built: duckdb.DuckDBPyConnection, failing: Collection[str], rows: Rows, folder: Path
) -> str:
    """The message about a build.

    Args:
        project: the project.
        built: what it made of the rows.
        failing: the names of the tests that failed.
        rows: the rows of the seeds, which are written as the collection `folder/seeds`.
        folder: a folder of the test's own.
    """
    results = [
        {"unique_id": test["unique_id"], "status": "fail", "message": "", "failures": 1}
        | {"compiled_code": test["compiled_code"]}
        for test in project.tests
        if test["name"] in failing
    ]
    built.execute(f"attach {literal(folder / 'failed.duckdb')} as on_disk")
    built.execute("copy from database build to on_disk")
    built.execute("detach on_disk")
    manifest = json.loads(project.manifest.read_text(encoding="utf-8"))
    seeds = write_collection(folder / "seeds", rows)
    return describe_failures(Artefacts(manifest, {"results": results}), folder / "failed.duckdb", seeds)
