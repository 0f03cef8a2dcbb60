"""The wheel is all that a collection needs: in an empty environment, a new repository is made, filled, rated and published."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from dippouch.settings import PROJECT
from dippouch.site.bundling import bundled_scripts
from support.changed_publications import rows
from support.programs import copy_of_the_project, environment
from support.runner import Runner


@pytest.fixture
def wheel(tmp_path: Path) -> Path:
    """A wheel as `make wheel` builds it, of a checkout with a private model."""
    project = copy_of_the_project(tmp_path / "project")
    # Bundling takes long.
    bundled_scripts()
    (project / ".live").symlink_to(PROJECT / ".live")
    (project / "models" / "own").mkdir(exist_ok=True)
    (project / "models" / "own" / "secret.sql").write_text("select 1 as secret", encoding="utf-8")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel"]
    done = subprocess.run(build, cwd=project, env=environment({}), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    (made,) = (project / "dist").iterdir()
    return made


def install(wheel: Path, folder: Path) -> Path:
    """Install a wheel and the packages that its metadata names, in the pinned versions; return the folder of the programs."""
    uv = shutil.which("uv") or PROJECT / ".venv-uv" / "bin" / "uv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python, versions = folder / "bin" / "python", PROJECT / "requirements" / "run.lock"
    command = [uv, "pip", "install", "--quiet", "--python", python, wheel, "--constraint", versions]
    subprocess.run(command, check=True)
    return folder / "bin"


def test_a_new_repository_is_rated_and_published_by_the_installed_wheel(wheel: Path, tmp_path: Path) -> None:
    assert not any("/own/" in name for name in zipfile.ZipFile(wheel).namelist())
    runner = Runner(tmp_path, {"RATING_WAREHOUSE": "owner/ratings"}, install(wheel, tmp_path / "environment"))
    standings = (PROJECT / "README.md").read_text(encoding="utf-8").split("```csv\n")[1].split("```")[0]
    (tmp_path / "standings.csv").write_text(standings, encoding="utf-8")
    facts = "--name 'Club Cup' --date 2026-05-02 --players 21 --rounds 3"
    runner.sh(f"dptr new club && cd club && dptr import ../standings.csv {facts}")
    identity = "-c user.name=Keeper -c user.email=keeper@example.org"
    runner.sh(f"git init -q -b main && git add . && git {identity} commit -qm Begin", "club")
    runner.sh("git clone -q --bare club origin.git")
    runner.workflow("publish.yml")

    collection = tmp_path / "collection"
    systems = "select systems.rating_system_id, title, count(*) from international_ranking, marts.rating_systems as systems, marts.settings group by all"
    assert rows(collection / "warehouse" / "rankings.duckdb", systems) == [("dptr", "Ratings", 3)]
    live = json.loads((collection / "site" / "data" / "live.json").read_text(encoding="utf-8"))
    assert (collection / "site" / live["engine"]).stat().st_size > 1_000_000
    # The named release is this one, and build output is not for git.
    version = wheel.name.split("-")[1]
    assert f"/download/v{version}/{wheel.name}\n" in (collection / "requirements.txt").read_text(encoding="utf-8")
    runner.sh("git add . && git diff --cached --exit-code", "collection")
