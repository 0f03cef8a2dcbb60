"""Running the programs of scripts/ as a person does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from dippouch.settings import PROJECT


def run_program(name: str, *arguments: str | Path, **settings: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a program of scripts/ to its end.

    Args:
        name: its file name.
        arguments: what stands behind it on the command line.
        settings: environment variables, such as DPTR_SEEDS.
    """
    return subprocess.run(
        [sys.executable, str(PROJECT / "scripts" / name), *map(str, arguments)],
        cwd=PROJECT,
        env=_environment(settings),
        capture_output=True,
        text=True,
        check=False,
    )


def start_program(name: str, *arguments: str | Path, **settings: str | Path) -> subprocess.Popen[str]:
    """Start a program of scripts/ without waiting for it."""
    return subprocess.Popen(
        [sys.executable, str(PROJECT / "scripts" / name), *map(str, arguments)],
        cwd=PROJECT,
        env=_environment(settings),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def _environment(settings: dict[str, str | Path]) -> dict[str, str]:
    kept = {k: v for k, v in os.environ.items() if not k.startswith("DPTR_")}
    return kept | {name: str(value) for name, value in settings.items()}
