"""Lets `python3 scripts/x.py` work without activating anything: the program continues in the project's .venv."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

from dippouch.settings import PROJECT


def continue_in_project_environment() -> None:
    """Start the running script again with .venv/bin/python, unless the needed packages are here already.

    Only the standard library may be imported before this call. Exits with 1 and a message when there is no .venv.
    """
    if find_spec("duckdb") and find_spec("dbt") and find_spec("rich"):
        return
    python = PROJECT / ".venv" / "bin" / "python"
    if not python.exists() or Path(sys.prefix) == PROJECT / ".venv":
        raise SystemExit("The environment of the project is missing or incomplete. Run `make environment` first.")
    os.execv(python, [str(python), *sys.argv])  # noqa: S606 (the project's own interpreter)
