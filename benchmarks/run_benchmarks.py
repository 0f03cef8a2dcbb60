#!/usr/bin/env python3
"""Measure the warehouse on synthetic collections: its ledger beside other ways to rate, and the stages of a refresh."""

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import click
from rich.markup import escape

from dippouch.command_line import Command, json_option
from dippouch.console import err, out, plain_table, working_on, write_json
from measuring import benchmark_page, pictures
from measuring.ledger_race import LedgerRace, check_environment, race
from measuring.made_collections import Collections, check_room
from measuring.refresh_stages import Case, Refreshes, refresh_in_turns
from measuring.targets import (
    AGAIN,
    BEFORE,
    DOCUMENTS,
    FIVE_SYSTEMS,
    HUNDRED_THOUSAND,
    LEAST_MEMORY,
    LITTLE_MEMORY,
    TEN_MILLION,
)

_SMALLEST, _LARGEST = 1_000, 100_000_000


class _Sizes(click.ParamType[tuple[int, ...]]):
    """Numbers of results, such as `10000,1000000`."""

    name = "numbers"

    def convert(
        self, value: str | tuple[int, ...], param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[int, ...]:
        """Parse the numbers, and sort them."""
        if not isinstance(value, str):
            return value
        words = value.split(",")
        if not all(word.isdecimal() and _SMALLEST <= int(word) <= _LARGEST for word in words):
            self.fail(
                f"{value!r}: expected numbers from {_SMALLEST} to {_LARGEST} with commas between them", param, ctx
            )
        return tuple(sorted({int(word) for word in words}))


@click.command(cls=Command)
@click.option(
    "--sizes",
    default="10000,100000,1000000,10000000",
    show_default=True,
    type=_Sizes(),
    help="Numbers of results of the synthetic collections.",
)
@click.option(
    "--rounds", default=5, show_default=True, type=click.IntRange(min=1), help="Number of runs of each way to rate."
)
@click.option(
    "--refresh-rounds", default=3, show_default=True, type=click.IntRange(min=1), help="Number of runs of each refresh."
)
@click.option("--only", type=click.Choice(["ledger", "refresh"]), help="Measure only these.")
@click.option(
    "--before",
    type=click.Path(path_type=Path, exists=True, file_okay=False, resolve_path=True),
    help="Another checkout with its .venv: measure its refresh of the four documents in turns with this one's.",
)
@click.option(
    "--write",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="Write the tables into their parts of this page, and the charts beside it.",
)
@json_option("the figures")
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

    It works in a temporary folder below TMPDIR. Contenders that disagree with the build are not timed.
    """
    if write:
        benchmark_page.check_parts(write)
    races: list[LedgerRace] = []
    refreshes: list[Refreshes] = []
    with tempfile.TemporaryDirectory(prefix="dip-pouch-benchmark-") as temporary, working_on("Measuring") as show:
        folder = Path(temporary)
        check_room(folder, sum(sizes))
        say = _also_in_a_log(show)
        collections = Collections(folder, say)
        # Write each measurement at once, so that a later failure does not lose it.
        if only != "refresh":
            races = _race(sizes, rounds, collections, folder / "race", say)
            if write:
                _write_ledger(write, races)
        if only != "ledger":
            refreshes = refresh_in_turns(_cases(sizes, before, collections), folder / "refresh", refresh_rounds, say)
            if write:
                _write_refreshes(write, refreshes)
    if as_json:
        write_json(
            {
                "machine": benchmark_page.machine(),
                "races": list(map(asdict, races)),
                "refreshes": list(map(asdict, refreshes)),
            }
        )
    else:
        _show(races, refreshes)


def _also_in_a_log(show: Callable[[str], None]) -> Callable[[str], None]:
    """Show progress also where the output is not a terminal, because a run takes hours."""

    def say(step: str) -> None:
        show(step)
        if not err.is_terminal:
            err.print(f"{datetime.now().astimezone():%H:%M:%S} {escape(step)}")

    return say


def _race(
    sizes: tuple[int, ...], rounds: int, collections: Collections, folder: Path, say: Callable[[str], None]
) -> list[LedgerRace]:
    check_environment()
    found = []
    for size in sizes:
        seeds = collections.synthetic(size)
        found.append(race(seeds, folder, rounds, lambda step, size=size: say(f"{size:,} results, {step}")))  # type: ignore[misc]
        shutil.rmtree(folder)
    return found


def _cases(sizes: tuple[int, ...], before: Path | None, collections: Collections) -> dict[str, Case]:
    """Return the collections to refresh, by name."""
    documents = collections.documents()
    cases = {DOCUMENTS: Case(documents)}
    if HUNDRED_THOUSAND in sizes:
        cases[FIVE_SYSTEMS] = Case(collections.synthetic(HUNDRED_THOUSAND, every_system=True), HUNDRED_THOUSAND)
    cases |= {f"{size:,} results": Case(collections.synthetic(size), size, is_of_sizes=True) for size in sizes}
    if TEN_MILLION in sizes:
        cases[LITTLE_MEMORY] = Case(collections.synthetic(TEN_MILLION), TEN_MILLION, memory=LEAST_MEMORY)
    cases[AGAIN] = Case(documents, times=2)
    if before:
        cases[BEFORE] = Case(documents, times=2, checkout=before)
    return cases


def _write_ledger(page: Path, races: Sequence[LedgerRace]) -> None:
    picture = page.with_name("benchmarks_ledger.svg")
    pictures.draw_race(races[-1], picture)
    _write(page, benchmark_page.ledger_section(races, picture.name))


def _write_refreshes(page: Path, refreshes: Sequence[Refreshes]) -> None:
    picture = page.with_name("benchmarks_refresh.svg")
    pictures.draw_stages(refreshes, picture)
    _write(page, benchmark_page.refresh_section(refreshes, picture.name))


def _write(page: Path, section: benchmark_page.Section) -> None:
    text = page.read_text(encoding="utf-8")
    page.write_text(benchmark_page.with_section(text, section, page), encoding="utf-8")


def _show(races: Sequence[LedgerRace], refreshes: Sequence[Refreshes]) -> None:
    out.print(f"{escape(benchmark_page.machine())}.", soft_wrap=True)
    for one in races:
        out.print(f"\n{benchmark_page.about_race(one)}", soft_wrap=True)
        _print_table(benchmark_page.race_table(one))
    if refreshes:
        for table in (benchmark_page.stages_table(refreshes), benchmark_page.memory_table(refreshes)):
            out.print()
            _print_table(table)
        out.print("\n".join(["", *benchmark_page.growth(refreshes)]))
    out.print()
    _print_table(benchmark_page.all_targets(races, refreshes))


def _print_table(rows: Sequence[benchmark_page.Row]) -> None:
    headings, *cells = rows
    table = plain_table(*headings)
    for row in cells:
        table.add_row(*map(escape, row))
    out.print(table)


if __name__ == "__main__":
    main()
