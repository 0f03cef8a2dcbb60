#!/usr/bin/env python3
"""Measure the warehouse on synthetic collections: its ledger beside other ways to rate, and the stages of a refresh."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "scripts"))

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass

import click
from rich.markup import escape

from dippouch.command_line import Command, json_option, program
from dippouch.console import err, out, plain_table, working_on, write_json
from measuring import charts, report
from measuring.ledger_race import LedgerRace, race
from measuring.made_collections import Collections, check_room
from measuring.refresh_stages import Refreshes, refresh_in_turns
from measuring.targets import BEFORE, DOCUMENTS, FIVE_SYSTEMS, HUNDRED_THOUSAND

_SMALLEST, _LARGEST = 1_000, 100_000_000
_PICTURES = {"ledger": "benchmarks_ledger.svg", "refresh": "benchmarks_refresh.svg"}


class _Sizes(click.ParamType[tuple[int, ...]]):
    """Numbers of results, such as `10000,1000000`."""

    name = "numbers"

    def convert(
        self, value: str | tuple[int, ...], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Read the numbers, from small to large."""
        if not isinstance(value, str):
            return value
        words = value.split(",")
        if not all(word.isdecimal() and _SMALLEST <= int(word) <= _LARGEST for word in words):
            self.fail(
                f"{value!r}: expected numbers from {_SMALLEST} to {_LARGEST} with commas between them", param, ctx
            )
        return tuple(sorted({int(word) for word in words}))


@dataclass(frozen=True)
class _Wanted:
    """What is measured: see the options."""

    sizes: tuple[int, ...]
    rounds: int
    refresh_rounds: int
    before: Path | None


@click.command(cls=Command)
@click.option(
    "--sizes",
    default="10000,100000,1000000,10000000",
    show_default=True,
    type=_Sizes(),
    help="Results of the synthetic collections.",
)
@click.option(
    "--rounds", default=5, show_default=True, type=click.IntRange(min=1), help="How often each way to rate is run."
)
@click.option(
    "--refresh-rounds", default=3, show_default=True, type=click.IntRange(min=1), help="How often each refresh is run."
)
@click.option("--only", type=click.Choice(["ledger", "refresh"]), help="Measure only these.")
@click.option(
    "--before",
    type=click.Path(path_type=Path, exists=True, file_okay=False, resolve_path=True),
    help="Another checkout with its .venv, whose refresh of the four documents is measured in turns with this one's.",
)
@click.option(
    "--write",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Write the tables into their parts of this page, and the pictures beside it.",
)
@json_option("the figures")
@program
def main(
    sizes: tuple[int, ...],
    rounds: int,
    refresh_rounds: int,
    only: str | None,
    before: Path | None,
    write: Path | None,
    as_json: bool,
) -> None:
    """Rate synthetic histories in several ways in turns, and refresh synthetic collections, stage by stage.

    All of it is done in a temporary folder, in the folder that TMPDIR names. What does not agree with the build is not timed.
    """
    wanted = _Wanted(sizes, rounds, refresh_rounds, before)
    races: list[LedgerRace] = []
    refreshes: list[Refreshes] = []
    with tempfile.TemporaryDirectory(prefix="dip-pouch-benchmark-") as temporary, working_on("Measuring") as say:
        folder = Path(temporary)
        check_room(folder, sum(sizes))
        collections = Collections(folder, say)
        if only != "refresh":
            races = _race(wanted, collections, folder / "race", say)
        if only != "ledger":
            refreshes = _refresh(wanted, collections, folder / "refresh", say)
    if write:
        _write(write, races, refreshes)
    if as_json:
        write_json(
            {"machine": report.machine(), "races": list(map(asdict, races)), "refreshes": list(map(asdict, refreshes))}
        )
    else:
        _show(races, refreshes)


def _race(wanted: _Wanted, collections: Collections, folder: Path, say: Callable[[str], None]) -> list[LedgerRace]:
    found = []
    for size in wanted.sizes:
        began = time.perf_counter()
        found.append(race(collections.synthetic(size), folder, wanted.rounds, say))
        shutil.rmtree(folder)
        err.print(f"{size:,} results: rated in every way in {time.perf_counter() - began:.0f} s")
    return found


def _refresh(wanted: _Wanted, collections: Collections, folder: Path, say: Callable[[str], None]) -> list[Refreshes]:
    documents = collections.documents()
    refreshed: dict[str, tuple[int | None, Path]] = {DOCUMENTS: (None, documents)}
    if HUNDRED_THOUSAND in wanted.sizes:
        refreshed[FIVE_SYSTEMS] = (None, collections.synthetic(HUNDRED_THOUSAND, every_system=True))
    refreshed |= {f"{size:,} results": (size, collections.synthetic(size)) for size in wanted.sizes}
    before = {BEFORE: (wanted.before, documents)} if wanted.before else {}
    began = time.perf_counter()
    found = refresh_in_turns(refreshed, folder, wanted.refresh_rounds, say, before=before)
    err.print(f"{len(found)} collections: refreshed in {time.perf_counter() - began:.0f} s")
    return found


def _write(page: Path, races: Sequence[LedgerRace], refreshes: Sequence[Refreshes]) -> None:
    """Write the parts of the page that were measured; the others stay."""
    text = page.read_text(encoding="utf-8")
    if races:
        text = report.with_section(text, report.ledger_section(races, _PICTURES["ledger"]), page)
        charts.draw_race(races[-1], page.with_name(_PICTURES["ledger"]))
    if refreshes:
        text = report.with_section(text, report.refresh_section(refreshes, _PICTURES["refresh"]), page)
        charts.draw_stages(refreshes, page.with_name(_PICTURES["refresh"]))
    page.write_text(text, encoding="utf-8")


def _show(races: Sequence[LedgerRace], refreshes: Sequence[Refreshes]) -> None:
    out.print(f"{escape(report.machine())}.", soft_wrap=True)
    for one in races:
        out.print(f"\n{report.about_race(one)}", soft_wrap=True)
        _print_table(report.race_table(one))
    if refreshes:
        for table in (report.stages_table(refreshes), report.memory_table(refreshes)):
            out.print()
            _print_table(table)
        out.print("\n".join(["", *report.growth(refreshes)]))
    out.print()
    _print_table(report.all_targets(races, refreshes))


def _print_table(rows: Sequence[report.Row]) -> None:
    headings, *cells = rows
    table = plain_table(*headings)
    for row in cells:
        table.add_row(*map(escape, row))
    out.print(table)


if __name__ == "__main__":
    main()
