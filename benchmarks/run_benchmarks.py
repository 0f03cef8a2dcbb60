#!/usr/bin/env python3
"""Measure the warehouse on synthetic collections: its ledger beside other ways to rate, refreshes, imports and commands."""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click

import page
from dippouch.command_line import Command
from dippouch.console import print_line, working_on
from dippouch.messages import UserError
from dippouch.settings import PROJECT
from ledger_race import race
from processes import run_alone
from synthetic.collection import write_collection
from synthetic.results import Size, write_synthetic

# Maximum disk space of a result: its text, the build, the published file and a copy of it during publication.
_BYTES_A_RESULT = 1_500
_DPTR = Path(sys.executable).with_name("dptr")
# Commands on one collection, in this order. The two people played in different years.
_COMMANDS = """
import --new all --seeds {0}/imported {0}/files
correct synthetic-1 place=Elsewhere --reason measured
history synthetic-1
undo
withdraw synthetic-2 --reason measured
merge cato-bababa ada-bababa --reason measured
duplicates
refresh --top 0
verify
ranking
player ada-bababa
what-if ada-bababa --players 40
site
""".strip().splitlines()


@click.command(cls=Command)
@click.option("--size", "sizes", multiple=True, type=click.IntRange(1_000, 100_000_000), help="Number of results.")
@click.option("--rounds", default=3, show_default=True, type=click.IntRange(min=1), help="Runs of each contender.")
@click.option("--only", type=click.Choice(["ledger", "refreshes", "imports", "commands"]), help="Measure only these.")
@click.option("--write", type=click.Path(path_type=Path, exists=True, dir_okay=False), help="Write into this page.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def main(sizes: tuple[int, ...], rounds: int, only: str | None, write: Path | None, as_json: bool) -> None:
    """Rate synthetic histories in several ways in turns; refresh and import synthetic collections.

    \b
    .venv/bin/python benchmarks/run_benchmarks.py --size 10000 --size 100000

    It works in a temporary folder below TMPDIR. Contenders that disagree with the build are not timed.
    """
    of_commands = tuple(sorted(sizes)) or (200_000,)
    sizes = tuple(sorted(sizes)) or (10_000, 100_000, 1_000_000)
    measures: dict[str, Callable[..., list[Any]]] = {
        "ledger": partial(_races, rounds),
        "refreshes": _refreshes,
        "imports": partial(_run, _COMMANDS[:1]),
        "commands": partial(_run, _COMMANDS),
    }
    found = {}
    with tempfile.TemporaryDirectory(prefix="dip-pouch-benchmark-") as temporary, working_on("Measuring") as say:
        folder = Path(temporary)
        wanted, free = sum(sizes) * _BYTES_A_RESULT / 1e9, shutil.disk_usage(folder).free / 1e9
        if free < wanted:
            raise UserError(f"{folder}: found {free:.1f} GB; expected {wanted:.1f} GB. TMPDIR names another folder")
        for name, measure in measures.items():
            if only in {None, name}:
                found[name] = measure(of_commands if name == "commands" else sizes, folder / name, say)
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
        steps = json.loads((warehouse / "dbt" / "outcome.json").read_text(encoding="utf-8"))["results"]
        took = {
            f"seconds of {kind}s": sum(step["execution_time"] for step in steps if step["unique_id"].startswith(kind))
            for kind in ("model", "test")
        }
        found.append({"results": size, "seconds": done.seconds, "peak memory": done.peak_bytes, **took})
        shutil.rmtree(folder)
    return found


def _run(commands: Sequence[str], sizes: tuple[int, ...], folder: Path, say: Callable[[str], None]) -> list[Any]:
    """Run commands on a collection of each size, one after the other."""
    found = []
    for size in sizes:
        results = write_synthetic(folder / "files", Size.of(size), seed=1)
        write_collection(folder / "seeds", Size.of(size), seed=1)
        places = {f"DPTR_{name.upper()}": folder / name for name in ("seeds", "warehouse", "site")}
        for command in commands:
            name = f"dptr {command.split()[0]}"
            say(f"{name}, {size:,} results")
            done = run_alone([_DPTR, *(word.format(folder) for word in command.split())], places)
            measured = {"CPU seconds": done.cpu_seconds, "peak memory": done.peak_bytes}
            found.append({"results": results, "command": f"`{name}`", **measured})
        shutil.rmtree(folder)
    return found


if __name__ == "__main__":
    main()
