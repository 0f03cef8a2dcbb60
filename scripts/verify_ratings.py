#!/usr/bin/env python3
"""Recompute every rating from the seeds in exact arithmetic and compare it with the published file, as `dptr verify` does."""

import os
import sys
from pathlib import Path

DPTR = Path(__file__).resolve().parents[1] / ".venv" / "bin" / "dptr"

try:
    from dippouch.commands.main import main
except ModuleNotFoundError:  # This Python lacks the packages of the project's environment.
    if not DPTR.exists():
        sys.exit("The environment of the project is missing. Run `make environment` first.")
    os.execv(DPTR, [str(DPTR), "verify", *sys.argv[1:]])  # noqa: S606 (the project's own command)

main(["verify", *sys.argv[1:]], prog_name="dptr")
