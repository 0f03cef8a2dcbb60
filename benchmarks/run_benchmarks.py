#!/usr/bin/env python3
"""Measure the warehouse on synthetic collections: its ledger beside other ways to rate, refreshes and imports by size."""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import click

import page
from dippouch.command_line import Command
from dippouch.console import print_line, working_on
from dippouch.errors import UserError
from dippouch.settings import PROJECT
from ledger_race import check_environment, race
from processes import run_alone
from synthetic.collection import write_collection
from synthetic.results import Size, write_synthetic

# Maximum disk space of a result: its text, the build, the published file and a copy of it during publication.
_BYTES_A_RESULT = 1_500
_DPTR = Path(sys.executable).with_name("dptr")


@click.command(cls=Command)
@click.option("--size", "sizes", multiple=True, type=click.IntRange(1_000, 100_000_000), help="Number of results.")
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(min=1), help="Runs of each contender.")
@click.option("--only", type=click.Choice(["ledger", "refreshes", "imports"]), help="Measure only these.")
@click.option("--write", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Write into this page.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(sizes: tuple[int, ...], rounds: int, only: str | None, write: Path | None, as_json: bool) -> None:
    """Rate synthetic histories in several ways in turns; refresh and import synthetic collections.

    \b
    .venv/bin/python benchmarks/run_benchmarks.py --size 10000 --size 100000

    It works in a temporary folder below TMPDIR. Contenders that disagree with the build are not timed.
    """
    sizes = tuple(sorted(sizes)) or (10_000, 100_000, 1_000_000)
    measures: dict[str, Callable[..., list[Any]]] = {
        "ledger": partial(_races, rounds),
        "refreshes": _refreshes,
        "imports": _imports,
    }
    found = {}
    with tempfile.TemporaryDirectory(prefix="dip-pouch-benchmark-") as temporary, working_on("Measuring") as say:
        folder = Path(temporary)
        wanted, free = sum(sizes) * _BYTES_A_RESULT / 1e9, shutil.disk_usage(folder).free / 1e9
        if free < wanted:
            raise UserError(f"{folder}: found {free:.1f} GB; expected {wanted:.1f} GB. TMPDIR names another folder")
        for name, measure in measures.items():
            if only in {None, name}:
                found[name] = measure(sizes, folder / name, say)
                # At once, so that a later failure does not lose hours of measuring.
                if write:
                    page.write_part(write, name, found[name])
    if as_json:
        click.echo(json.dumps({"machine": page.machine(), **found}, indent=2, default=str))
    else:
        for name, figures in found.items():
            for line in page.part(name, figures).splitlines():
                print_line(line)


def _races(rounds: int, sizes: tuple[int, ...], folder: Path, say: Callable[[str], None]) -> list[Any]:
    check_environment()
    found = []
    for size in sizes:
        write_collection(folder / "seeds", Size.of(size), seed=1)
        found.append(race(folder / "seeds", folder / "race", rounds, say))
        shutil.rmtree(folder)
    return found


def _refreshes(sizes: tuple[int, ...], folder: Path, say: Callable[[str], None]) -> list[Any]:
    """Refresh into an empty folder, the four documents first; once, because large ones take minutes."""
    found = []
    for size in (0, *sizes):
        say(f"refresh of {size:,} results")
        seeds, warehouse = folder / "seeds", folder / "warehouse"
        shutil.copytree(PROJECT / "seeds", seeds) if not size else write_collection(seeds, Size.of(size), seed=1)
        done = run_alone([_DPTR, "refresh", "--top", "0"], {"DPTR_SEEDS": seeds, "DPTR_WAREHOUSE": warehouse})
        steps = json.loads((warehouse / "dbt" / "run_results.json").read_text(encoding="utf-8"))["results"]
        took = {
            kind: sum(step["execution_time"] for step in steps if step["unique_id"].startswith(f"{kind}."))
            for kind in ("model", "test")
        }
        found.append({"results": size, "seconds": done.seconds, "peak_bytes": done.peak_bytes, **took})
        shutil.rmtree(folder)
    return found


def _imports(sizes: tuple[int, ...], folder: Path, say: Callable[[str], None]) -> list[Any]:
    """Import tables of synthetic results into a new collection."""
    found = []
    for size in sizes:
        say(f"import of {size:,} results")
        results = write_synthetic(folder / "files", Size.of(size), seed=1)
        done = run_alone([_DPTR, "import", "--new", "all", "--seeds", folder / "seeds", folder / "files"])
        found.append({"results": results, "seconds": done.seconds, "peak_bytes": done.peak_bytes})
        shutil.rmtree(folder)
    return found


if __name__ == "__main__":
    main()
