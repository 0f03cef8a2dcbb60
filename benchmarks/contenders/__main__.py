"""Run one contender once: `python -m contenders NAME RACE STORED [--checked]`; prints seconds and peak memory."""

from __future__ import annotations

import json
import sys
from importlib import import_module
from pathlib import Path

from contenders.race import Race, run
from measuring.peaks import peak_bytes

# Loaded by name, because each library takes time and memory.
CONTENDERS = {
    "copied_ledger": ("in_sql", "copied_ledger"),
    "ledger": ("in_sql", "ledger"),
    "numba_ledger": ("with_numba", "ledger"),
    "polars": ("with_polars", "ledger"),
    "pandas": ("with_pandas", "ledger"),
    "loop": ("in_a_loop", "loop"),
    "copied_history": ("in_sql", "copied_history"),
    "history": ("in_sql", "history"),
    "numba_history": ("with_numba", "history"),
}

if __name__ == "__main__":
    name, race, stored, *checked = sys.argv[1:]
    module, function = CONTENDERS[name]
    contender = getattr(import_module(f"contenders.{module}"), function)
    seconds = run(contender, Race.read(Path(race)), Path(stored), is_checked=bool(checked))
    print(json.dumps({"seconds": seconds, "peak_bytes": peak_bytes()}))  # noqa: T201 (the parent process reads it)
