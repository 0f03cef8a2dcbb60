"""Running `dbt build` into a fresh database of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from dippouch.errors import UserError
from dippouch.settings import PROJECT


def run_dbt_build(seeds: Path, warehouse: Path, *, target_path: Path, without: str = "") -> None:
    """Build and test every model into `build.duckdb` of a folder; dbt's own output goes to the terminal.

    Args:
        seeds: the collection to build from.
        warehouse: the folder of the database; made when missing.
        target_path: where dbt keeps its artefacts, also between builds.
        without: what to leave out, as dbt selects it, such as `tag:insight`.

    Raises:
        UserError: when a model could not be built or a test failed.
    """
    warehouse.mkdir(parents=True, exist_ok=True)
    dbt = Path(sys.executable).with_name("dbt")
    # Quiet dbt says what went wrong, and nothing of what went well.
    command: list[str | Path] = [
        dbt,
        "--quiet",
        "build",
        "--target-path",
        target_path,
        "--log-path",
        target_path / "logs",
    ]
    command += ["--exclude", without] if without else []
    environment = os.environ | {"DPTR_SEEDS": str(seeds.resolve()), "DPTR_WAREHOUSE": str(warehouse.resolve())}
    done = subprocess.run([str(part) for part in command], cwd=PROJECT, env=environment, check=False)
    if done.returncode != 0:
        raise UserError("the build failed: see the messages of dbt above; the last publication is untouched")
