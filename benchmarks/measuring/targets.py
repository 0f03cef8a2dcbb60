"""The performance targets of the warehouse, each a ratio of durations of one run or an amount, and the measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from measuring.ledger_race import LedgerRace
from measuring.refresh_stages import Refresh, Refreshes, of_sizes

TEN_MILLION, MILLION, HUNDRED_THOUSAND = 10_000_000, 1_000_000, 100_000
DOCUMENTS, AGAIN = "the four documents", "the four documents, a second time"
BEFORE = f"{AGAIN}, before"
FIVE_SYSTEMS = "100,000 results, five systems"
# DuckDB's memory limit that leaves room for everything else within four gigabytes.
LEAST_MEMORY = "3GB"
LITTLE_MEMORY = f"10,000,000 results, `DPTR_MEMORY={LEAST_MEMORY}`"


@dataclass(frozen=True)
class Target:
    """One target.

    Attributes:
        what: the measured quantity.
        limit: its maximum.
        found: its measurement; None if the required sizes were not measured.
        unit: the unit of both.
    """

    what: str
    limit: float
    found: float | None
    unit: str = ""

    @property
    def verdict(self) -> str:
        """Say whether the target was met; if not, by how much it was missed."""
        if self.found is None:
            return "not measured"
        return "met" if self.found <= self.limit else f"missed by {self.found / self.limit - 1:.0%}"


def ledger_targets(races: Sequence[LedgerRace]) -> list[Target]:
    """Return the targets of the ledger."""
    found = next((one for one in races if _is_about(one.results, TEN_MILLION)), None)

    def ratio(name: str, other: str) -> float | None:
        return found.seconds(name) / found.seconds(other) if found else None

    at = "at ten million results"
    return [
        Target(f"ledger / copying the finished history, {at}", 0.6, ratio("ledger", "copied_history")),
        Target(f"ledger / Python loop, {at}", 1 / 6, ratio("ledger", "loop")),
        Target(f"ledger / numba with the same input and output, {at}", 1, ratio("ledger", "numba_ledger")),
        Target(
            f"ledger and history / numba with the same input and output, {at}", 1, ratio("history", "numba_history")
        ),
    ]


def refresh_targets(found: Sequence[Refreshes]) -> list[Target]:
    """Return the targets of a refresh."""
    named: Mapping[str, Refresh] = {one.collection: one.typical for one in found}
    sizes = of_sizes(found)
    large, million = sizes.get(TEN_MILLION), sizes.get(MILLION)
    limited = next((one for one in found if one.collection == LITTLE_MEMORY), None)
    dearest = max(
        (one.typical.dearest("model")[0].share for size, one in sizes.items() if size >= MILLION), default=None
    )
    return [
        Target(
            "refresh of ten million results / of a million",
            11,
            large.typical.whole / million.typical.whole if large and million else None,
        ),
        Target(
            "most expensive model / all steps of dbt, from a million results on, without a memory limit", 0.2, dearest
        ),
        Target("peak memory at ten million results", 4, large.peak_bytes / 1e9 if large else None, " GB"),
        Target(f"the same with `DPTR_MEMORY={LEAST_MEMORY}`", 4, limited.peak_bytes / 1e9 if limited else None, " GB"),
        Target(
            "verification / build, at a million results",
            0.5,
            million.typical.stages["verification"] / million.typical.build if million else None,
        ),
        Target(
            "refresh of five systems at 100,000 results / of the four documents",
            1.5,
            _ratio(named, FIVE_SYSTEMS, DOCUMENTS),
        ),
        Target("refresh of the four documents a second time / the same before", 2 / 3, _ratio(named, AGAIN, BEFORE)),
    ]


def targets_table(targets: Sequence[Target]) -> list[Sequence[str]]:
    """Return the targets and measurements as a table."""
    rows: list[Sequence[str]] = [("target", ">at most", ">found", "")]
    for target in targets:
        found = "" if target.found is None else f"{target.found:.2f}{target.unit}"
        rows.append((target.what, f"{target.limit:.2f}{target.unit}", found, target.verdict))
    return rows


def _ratio(named: Mapping[str, Refresh], one: str, other: str) -> float | None:
    return named[one].whole / named[other].whole if one in named and other in named else None


def _is_about(results: int, size: int) -> bool:
    """Return whether a synthetic collection has about a size; the exact number of results is random."""
    return abs(results / size - 1) < 0.05
