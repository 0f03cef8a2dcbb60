"""The pages keep to the HTML standard: its own checker finds no error."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from dippouch.settings import PROJECT
from support.site_pages import KINDS

_CHECKER = PROJECT / "tests" / "html" / "node_modules" / "vnu-jar" / "build" / "dist" / "vnu.jar"


def test_every_kind_of_page_is_valid(site: Path) -> None:
    java = shutil.which("java")
    if java is None or not _CHECKER.exists():
        assert "DPTR_DEMAND_BROWSER" not in os.environ, "the checker of HTML is not installed, and this run demands it"
        pytest.skip("the checker of HTML needs Java and `npm ci --prefix tests/html`")
    pages = [str(site / f"{name}.html") for name in KINDS]
    done = subprocess.run(
        [java, "-jar", str(_CHECKER), "--errors-only", "--format", "gnu", *pages],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
