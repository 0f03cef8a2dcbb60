"""Refresh like `make rankings`, and print seconds and memory of each stage as JSON: `python -m measuring.staged_refresh`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from dippouch.command_line import Command
from dippouch.console import write_json
from dippouch.publishing import refresh as refreshing
from measuring.peaks import peak_bytes, peak_bytes_of_children

# The functions of a refresh, each a stage. Verification is part of publication: it checks the candidate.
STAGES = ("check_seeds", "run_dbt_build", "verify", "publish")


@click.command(cls=Command)
@click.argument("seeds", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.argument("warehouse", type=click.Path(path_type=Path, file_okay=False))
def main(seeds: Path, warehouse: Path) -> None:
    """Refresh the rankings of the collection SEEDS in the folder WAREHOUSE."""
    seconds: dict[str, float] = {}
    for name in STAGES:
        setattr(refreshing, name, _timed(name, getattr(refreshing, name), seconds))
    refreshing.refresh(seeds, warehouse, on_step=lambda step: None)
    write_json({"seconds": seconds, "peak_bytes": peak_bytes(), "dbt_peak_bytes": peak_bytes_of_children()})


def _timed(name: str, work: Callable[..., Any], seconds: dict[str, float]) -> Callable[..., Any]:
    def timed(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 (passed on)
        began = time.perf_counter()
        try:
            return work(*args, **kwargs)
        finally:
            seconds[name] = time.perf_counter() - began

    return timed


if __name__ == "__main__":
    main()
