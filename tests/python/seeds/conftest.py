"""A collection to change."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dippouch.settings import PROJECT


@pytest.fixture
def seeds(tmp_path: Path) -> Path:
    """A copy of the project's own seeds."""
    return shutil.copytree(PROJECT / "seeds", tmp_path / "seeds")
