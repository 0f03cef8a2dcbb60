"""Whether a build has the memory that it needs: asked before it starts, because DuckDB may die where it runs out, without a word."""

from __future__ import annotations

import csv
import os
import re
import resource
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import duckdb

from dippouch.db import literal
from dippouch.errors import UserError
from dippouch.seeds.parquet import count_raw_rows
from dippouch.seeds.schema import RATING_SYSTEMS, RESULTS

# The setting for DuckDB's part, such as `4GB`; without it DuckDB takes up to four fifths of the machine's.
SETTING = "DPTR_MEMORY"

# What DuckDB needs at least for the recursion of the ledger, whose join holds every update of every rating system. Measured with careers
# of 400 events: a million updates pass with 80 MB and fail with 60, two million pass with 160 and fail with 120; and half as much again.
BYTES_OF_UPDATE = 120
BYTES_OF_DUCKDB = 150_000_000
# What dbt and Python take beside it.
BYTES_OF_DBT = 250_000_000

_UNITS = {"bytes": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}
_GROUPS = Path("/proc/self/cgroup")
_CGROUPS = Path("/sys/fs/cgroup")

# Why a build is killed, by the signal.
_REASONS = {
    signal.SIGKILL: "most often the system does so when it runs out of memory",
    signal.SIGFPE: "DuckDB ends so when its memory limit is too low for the recursion of the ledger",
    signal.SIGSEGV: "a fault in DuckDB, most often where memory is short",
    signal.SIGABRT: "DuckDB ends so when it cannot go on, most often where memory is short",
    signal.SIGBUS: "most often the disk of the database is full",
    signal.SIGXCPU: "it had used up the time that `ulimit -t` allows",
}


class Limit(NamedTuple):
    """How much memory something allows, and what."""

    size: int
    what: str


def check_memory(seeds: Path) -> None:
    """Check that the build of a collection has the memory that it needs at least.

    Raises:
        UserError: when it has not: what was found, what is needed, and the way out.
    """
    updates = count_raw_rows(seeds, RESULTS) * _systems(seeds)
    duckdb_needs = BYTES_OF_DUCKDB + BYTES_OF_UPDATE * updates
    for needed, limits in ((duckdb_needs, [_of_duckdb()]), (duckdb_needs + BYTES_OF_DBT, list(_of_process()))):
        least = min(limits, default=None)
        if least and least.size < needed:
            raise UserError(
                f"found {_shown(least.size)} of memory ({least.what}); expected at least {_shown(needed)} for {updates:,} updates of"
                f" ratings, which is every result in every rating system. {_way_out(least, needed)}"
            )


def describe_signal(code: int) -> str:
    """What ended a program that a signal killed, and why that is likely; empty for one that ended by itself.

    Args:
        code: its exit code as `subprocess` gives it, or as a shell does (128 and the signal).
    """
    number = -code if code < 0 else code - 128
    try:
        killed_by = signal.Signals(number)
    except ValueError:
        return ""
    reason = _REASONS.get(killed_by)
    return f"dbt was killed by {killed_by.name}" + (f"; {reason}" if reason else "")


def memory_setting() -> dict[str, str]:
    """The setting as a variable for dbt, where there is one."""
    return {SETTING: os.environ[SETTING]} if os.environ.get(SETTING) else {}


def _way_out(least: Limit, needed: int) -> str:
    if least.what.startswith(SETTING):
        return f"Set {SETTING} to {-(-needed // 10**9)}GB or more, or leave it out"
    return "A machine or a container with more memory, or fewer rating systems in reference/ref_rating_systems.csv"


def _systems(seeds: Path) -> int:
    """How many rating systems a collection has; one, where that cannot be read, of which others tell."""
    try:
        with (seeds / RATING_SYSTEMS).open(encoding="utf-8", newline="") as file:
            return max(sum(1 for _ in csv.reader(file)) - 1, 1)
    except (OSError, ValueError, csv.Error):
        return 1


def _of_duckdb() -> Limit:
    """What DuckDB takes at most: by the setting, or by itself.

    Raises:
        UserError: when the setting is none.
    """
    stated = memory_setting().get(SETTING)
    with duckdb.connect() as connection:
        try:
            if stated:
                connection.execute(f"set memory_limit = {literal(stated)}")
        except duckdb.Error:
            raise UserError(f"{SETTING}: found `{stated}`; expected a size such as `4GB`") from None
        ((limit,),) = connection.execute("select current_setting('memory_limit')").fetchall()
    size, _, unit = str(limit).partition(" ")
    return Limit(int(float(size) * _UNITS[unit]), f"{SETTING}={stated}" if stated else "DuckDB's part of the machine's")


def _of_process() -> Iterator[Limit]:
    """What the system lets a process take."""
    yield Limit(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"), "the machine's")
    for kind, option in ((resource.RLIMIT_AS, "-v"), (resource.RLIMIT_DATA, "-d")):
        soft, _ = resource.getrlimit(kind)
        if soft != resource.RLIM_INFINITY:
            yield Limit(soft, f"`ulimit {option}`")
    yield from _of_groups()


def _of_groups() -> Iterator[Limit]:
    """The limits of the control groups in which the process is, as containers set them."""
    try:
        lines = _GROUPS.read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers not in {"", "memory"}:
            continue
        top, name = (_CGROUPS, "memory.max") if not controllers else (_CGROUPS / "memory", "memory.limit_in_bytes")
        group = top / path.strip("/")
        for folder in (group, *group.parents):
            if folder != top and top not in folder.parents:
                break
            if size := _number_in(folder / name):
                yield Limit(size, f"the limit of the control group, {folder / name}")


def _number_in(path: Path) -> int:
    """The number in a file; 0 for none, such as `max`."""
    try:
        text = path.read_text(encoding="utf-8").strip()
    except OSError:
        return 0
    return int(text) if re.fullmatch("[0-9]+", text) else 0


def _shown(size: int) -> str:
    return f"{size / 10**9:.1f} GB"
