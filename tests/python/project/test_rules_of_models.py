"""The unit tests of the models: every rule on rows that are made up, with figures that can be checked by hand."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from support.programs import run_dbt


def test_every_unit_test_of_the_models_passes(built: Path, tmp_path: Path) -> None:
    # dbt reads the types of columns off the tables that a rule reads.
    shutil.copy2(built / "build.duckdb", tmp_path / "build.duckdb")
    done = run_dbt(
        *(
            "--quiet",
            "test",
            "--resource-type",
            "unit_test",
            "--target-path",
            tmp_path / "dbt",
            "--log-path",
            tmp_path / "logs",
        ),
        DPTR_WAREHOUSE=tmp_path,
    )
    assert done.returncode == 0, done.stdout
    results = json.loads((tmp_path / "dbt" / "run_results.json").read_text(encoding="utf-8"))["results"]
    declared = json.loads((tmp_path / "dbt" / "manifest.json").read_text(encoding="utf-8"))["unit_tests"]
    assert {result["unique_id"] for result in results if result["status"] == "pass"} == declared.keys()
    assert declared
