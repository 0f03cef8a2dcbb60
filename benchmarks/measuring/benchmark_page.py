"""Measurements as JSON, and as tables for a terminal and for docs/benchmarks.md."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

from dippouch.errors import UserError
from dippouch.settings import PROJECT
from measuring.ledger_race import LedgerRace
from measuring.refresh_stages import STAGES, Refreshes, of_sizes
from measuring.targets import ledger_targets, refresh_targets, targets_table

# A row of a table; the first row has the headings.
Row = Sequence[str]

# Marks the beginning and the end of a part of the page that the program replaces.
_PART = "<!-- {} of {}: written by benchmarks/run_benchmarks.py -->"
_LEDGER, _REFRESHES = "the ledger", "refreshes"
_LIBRARIES = ("numpy", "pandas", "polars", "numba", "pyarrow")
_SHOWN = {"model": 5, "test": 3}
_GIGABYTE = 1e9


@dataclass(frozen=True)
class Section:
    """A part of the page: sentences, tables and images in Markdown."""

    name: str
    text: str


def machine() -> str:
    """Describe the machine in a sentence."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"Measured on {os.cpu_count()} cores ({_processor()}) with {memory:.0f} GiB of memory, {platform.system()}"
        f" {platform.machine()}, Python {platform.python_version()}, DuckDB {version('duckdb')},"
        f" dbt {version('dbt-core')}"
    )


def _processor() -> str:
    try:
        said = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        said = ""
    found = re.search(r"^model name\s*:\s*(.+)$", said, re.MULTILINE)
    return found[1] if found else platform.processor() or "processor unknown"


def versions_of(lock: Path, names: Sequence[str]) -> str:
    """Describe the versions that a lock file pins; if it pins several of a package, the first."""
    text = lock.read_text(encoding="utf-8")
    found = ((name, re.search(rf"^{name}==([^ \\]+)", text, re.MULTILINE)) for name in names)
    return ", ".join(f"{name} {match[1]}" for name, match in found if match)


def race_table(found: LedgerRace) -> list[Row]:
    """Return the results of all contenders, relative to the copy of the finished history and to this SQL."""
    copy, sql = found.seconds("copied_history"), found.seconds("ledger")
    rows: list[Row] = [
        ("from the stored updates to", "by", ">seconds", ">from - to", ">x copy", ">x this ledger", ">peak memory")
    ]
    rows += [
        (
            place.contender.output,
            place.contender.title,
            _seconds(place.seconds),
            f"{_seconds(place.fastest)} - {_seconds(place.slowest)}",
            f"{place.seconds / copy:.2f}",
            f"{place.seconds / sql:.2f}",
            _gigabytes(place.peak_bytes),
        )
        for place in found.places
    ]
    return rows


def stages_table(found: Sequence[Refreshes]) -> list[Row]:
    """Return the duration of each stage of the refreshes, in seconds."""
    rows: list[Row] = [("collection", *(f">{stage}" for stage in STAGES), ">whole")]
    for refreshes in found:
        refresh = refreshes.typical
        stages = (_seconds(refresh.stages[stage]) if stage in refresh.stages else "" for stage in STAGES)
        rows.append((refreshes.collection, *stages, _seconds(refresh.whole)))
    return rows


def memory_table(found: Sequence[Refreshes]) -> list[Row]:
    """Return the peak memory, and the slowest models and tests with their share of dbt's steps."""
    rows: list[Row] = [
        (
            "collection",
            ">peak memory of dbt",
            ">peak memory of other programs",
            "most expensive models, and their share of the time of dbt's steps",
            "most expensive tests",
        )
    ]
    for refreshes in found:
        dbt = max(one.dbt_peak_bytes for one in refreshes.refreshes)
        rest = max(one.peak_bytes for one in refreshes.refreshes)
        dearest = (
            ", ".join(f"`{step.name}` {step.share:.0%}" for step in refreshes.typical.dearest(kind)[:most])
            for kind, most in _SHOWN.items()
        )
        rows.append((refreshes.collection, _gigabytes(dbt), _gigabytes(rest), *dearest))
    return rows


def growth(found: Sequence[Refreshes]) -> list[str]:
    """Describe how the time of a refresh grows with its results, in a sentence for each step between sizes of one system."""
    return [
        f"{more / fewer:.0f} times the results ({fewer:,} to {more:,}) take"
        f" {large.typical.whole / small.typical.whole:.1f} times the time."
        for (fewer, small), (more, large) in pairwise(of_sizes(found).items())
    ]


def markdown(rows: Sequence[Row]) -> str:
    """Format a table as Markdown."""
    headings, *cells = rows
    lines = ["| " + " | ".join(heading.removeprefix(">") for heading in headings) + " |"]
    lines.append("|" + "|".join("--:" if heading.startswith(">") else "---" for heading in headings) + "|")
    return "\n".join(lines + ["| " + " | ".join(row) + " |" for row in cells])


def with_section(page: str, section: Section, path: Path) -> str:
    """Return a page with a part of it replaced.

    Raises:
        UserError: when the page has no such part.
    """
    begin, end = _PART.format("begin", section.name), _PART.format("end", section.name)
    before, found_begin, rest = page.partition(begin)
    _, found_end, after = rest.partition(end)
    if not (found_begin and found_end):
        raise UserError(f"{path}: no part between the lines `{begin}` and `{end}`; expected both, once")
    return f"{before}{begin}\n\n{section.text}\n\n{end}{after}"


def check_parts(path: Path) -> None:
    """Check, before hours of measuring, that a page has all parts to write.

    Raises:
        UserError: when one is missing.
    """
    page = path.read_text(encoding="utf-8")
    for name in (_LEDGER, _REFRESHES):
        with_section(page, Section(name, ""), path)


def about_race(found: LedgerRace) -> str:
    """Describe the history of the race in a sentence."""
    return (
        f"{found.results:,} results of {found.players:,} players; the longest career has {found.longest_career} tournaments."
        f" Medians of {found.rounds} rounds, after all outputs agreed."
    )


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f}" if seconds < 9.995 else f"{seconds:.1f}"


def _gigabytes(size: float) -> str:
    return f"{size / _GIGABYTE:.2f} GB" if size else ""


def ledger_section(races: Sequence[LedgerRace], picture: str) -> Section:
    """Return the part of the page about the ledger."""
    parts = [
        f"{machine()}; {versions_of(PROJECT / 'requirements' / 'benchmark.lock', _LIBRARIES)}.",
        markdown(targets_table(ledger_targets(races))),
        f"![Bars: the time of each implementation, as a multiple of copying the finished history]({picture})",
    ]
    for one in races:
        parts += [f"### {one.results:,} results", about_race(one), markdown(race_table(one))]
    return Section(_LEDGER, "\n\n".join(parts))


def refresh_section(found: Sequence[Refreshes], picture: str) -> Section:
    """Return the part of the page about refreshes."""
    rounds = len(found[0].refreshes)
    once = "; ".join(one.collection for one in found if len(one.refreshes) < rounds)
    parts = [
        f"{machine()}. Seconds of the refresh of median length among {rounds} rounds (the faster of two)"
        + (f"; measured once: {once}." if once else "."),
        markdown(targets_table(refresh_targets(found))),
        f"![Lines: the time of each stage of a refresh, by the number of results]({picture})",
        markdown(stages_table(found)),
        " ".join(growth(found)),
        markdown(memory_table(found)),
    ]
    return Section(_REFRESHES, "\n\n".join(part for part in parts if part))


def all_targets(races: Sequence[LedgerRace], refreshes: Sequence[Refreshes]) -> list[Row]:
    """Return the targets of all measured parts, and their measurements."""
    targets = (ledger_targets(races) if races else []) + (refresh_targets(refreshes) if refreshes else [])
    return targets_table(targets)
