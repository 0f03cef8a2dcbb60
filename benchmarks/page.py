"""The figures of the benchmarks as parts of docs/benchmarks.md."""

from __future__ import annotations

import os
import platform
import re
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from dippouch.messages import UserError

# Marks the beginning and the end of a part of the page that the program replaces.
_MARK = "<!-- {} of {}: written by benchmarks/run_benchmarks.py -->"


def machine() -> str:
    """Describe the machine in a sentence."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"Measured on {os.cpu_count()} cores with {memory:.0f} GiB of memory, {platform.system()} {platform.machine()},"
        f" Python {platform.python_version()}, DuckDB {version('duckdb')}, dbt {version('dbt-core')}."
    )


def part(name: str, figures: Sequence[dict[str, Any]]) -> str:
    """Return a part of the page: the machine, and a table or more."""
    if name == "ledger":
        return "\n\n".join([machine(), *map(_race, figures)])
    headings = [name if name in {"results", "command"} else f">{name}" for name in figures[0]]
    rows = [[_cell(*cell) for cell in one.items()] for one in figures]
    return f"{machine()}\n\n{_table(headings, rows)}"


def write_part(path: Path, name: str, figures: Sequence[dict[str, Any]]) -> None:
    """Replace a part of the page.

    Raises:
        UserError: when the page has no such part.
    """
    text = path.read_text(encoding="utf-8")
    begin, end = _MARK.format("begin", name), _MARK.format("end", name)
    pattern = re.compile(f"{re.escape(begin)}.*{re.escape(end)}", re.DOTALL)
    if not pattern.search(text):
        raise UserError(f"{path}: no part between the lines `{begin}` and `{end}`; expected both, once")
    path.write_text(pattern.sub(lambda _: f"{begin}\n\n{part(name, figures)}\n\n{end}", text), encoding="utf-8")


def _race(race: dict[str, Any]) -> str:
    seconds = {place["name"]: place["cpu_seconds"] for place in race["places"]}
    headings = [
        "from the stored updates to",
        "by",
        ">CPU seconds",
        ">from - to",
        ">x copy",
        ">x this ledger",
        ">elapsed seconds",
        ">peak memory",
    ]
    rows = [
        [
            place["output"],
            place["title"],
            _seconds(place["cpu_seconds"]),
            f"{_seconds(place['fastest'])} - {_seconds(place['slowest'])}",
            f"{place['cpu_seconds'] / seconds['copied_history']:.2f}",
            f"{place['cpu_seconds'] / seconds['ledger']:.2f}",
            _seconds(place["seconds"]),
            f"{place['peak_bytes'] / 1e9:.2f} GB",
        ]
        for place in race["places"]
    ]
    return (
        f"### {race['results']:,} results\n\n{race['results']:,} results of {race['players']:,} players; the longest career"
        f" has {race['longest_career']} tournaments. Medians of {race['rounds']} rounds, after all outputs agreed.\n\n"
        + _table(headings, rows)
    )


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Format a table as Markdown; `>` aligns a column to the right."""
    names = [heading.removeprefix(">") for heading in headings]
    rules = ["--:" if heading.startswith(">") else "---" for heading in headings]
    return "\n".join("| " + " | ".join(row) + " |" for row in (names, rules, *rows))


def _cell(name: str, value: Any) -> str:  # noqa: ANN401 (a text or a number)
    """Format a figure by the name of its column."""
    if name == "results":
        return f"{value:,}" if value else "the four documents"
    if name == "peak memory":
        return f"{value / 1e9:.2f} GB"
    return value if name == "command" else _seconds(value)


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f}" if seconds < 9.995 else f"{seconds:.1f}"
