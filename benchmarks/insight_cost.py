#!/usr/bin/env python3
"""Measure the cost of the insight marts: the whole build of a collection with and without them."""

import resource
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path

import click
import duckdb
from rich.markup import escape

from dippouch.command_line import Command, json_option
from dippouch.console import out, plain_table, working_on, write_json
from dippouch.publishing.build import run_dbt_build
from measuring.costs import Cost, in_turns, measured

INSIGHT = "tag:insight"


def times(one: Cost, other: Cost) -> Cost:
    """Return the ratio of two builds' costs."""
    return Cost(one.clock / other.clock, one.processor / other.processor)


@dataclass(frozen=True)
class Measurement:
    """The best of several builds of one collection, without and with the insight marts."""

    collection: str
    results: int
    without: Cost
    with_insight: Cost

    @property
    def ratio(self) -> Cost:
        """Return the ratio of the build with them to the build without."""
        return times(self.with_insight, self.without)


@click.command(cls=Command, epilog="The collections, from small to large, can be synthetic ones.")
@click.option(
    "--repeat",
    default=1,
    show_default=True,
    type=click.IntRange(min=1),
    help="Number of builds of each; the fastest counts.",
)
@json_option("the figures")
@click.argument("collections", nargs=-1, required=True, type=click.Path(path_type=Path, exists=True, file_okay=False))
def main(collections: tuple[Path, ...], repeat: int, as_json: bool) -> None:
    """Build each of the COLLECTIONS (folders of seeds) with and without the marts tagged `insight`.

    A build is a whole `dbt build`: seeds, models and every test. Nothing is published, and the databases are deleted.
    """
    with working_on("Measuring") as say:
        found = [_measured(folder, repeat, say) for folder in collections]
    _show(found, as_json=as_json)


def _measured(folder: Path, repeat: int, say: Callable[[str], None]) -> Measurement:
    results = 0

    def build(without: str) -> Cost:
        nonlocal results
        with tempfile.TemporaryDirectory() as temporary:
            warehouse = Path(temporary)
            run = partial(run_dbt_build, folder, warehouse, target_path=warehouse / "dbt", without=without)
            cost = measured(run, _processor_seconds)
            results = _count(warehouse / "build.duckdb")
        return cost

    costs = in_turns(
        {"without": partial(build, INSIGHT), "with": partial(build, "")}, repeat, lambda step: say(f"{folder} {step}")
    )
    return Measurement(str(folder), results, _best(costs["without"]), _best(costs["with"]))


def _best(costs: list[Cost]) -> Cost:
    return Cost(min(cost.clock for cost in costs), min(cost.processor for cost in costs))


def _processor_seconds() -> float:
    """Return the processor time of all child processes so far."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _count(build: Path) -> int:
    with duckdb.connect(str(build), read_only=True) as connection:
        (count,) = connection.execute("select count(*) from marts.tournament_results").fetchone() or (0,)
    return int(count)


def _show(found: list[Measurement], *, as_json: bool) -> None:
    growth = [
        (
            after.results / before.results,
            times(after.without, before.without),
            times(after.with_insight, before.with_insight),
        )
        for before, after in pairwise(found)
    ]
    if as_json:
        builds = [asdict(m) | {"ratio": asdict(m.ratio)} for m in found]
        steps = [
            {"results": results, "without": asdict(without), "with_insight": asdict(with_insight)}
            for results, without, with_insight in growth
        ]
        write_json({"builds": builds, "growth": steps})
        return
    seconds = (">seconds without", ">with", ">ratio")
    table = plain_table("collection", ">results", *seconds, ">processor without", ">with", ">ratio")
    for m in found:
        clock = (f"{m.without.clock:.1f}", f"{m.with_insight.clock:.1f}", f"{m.ratio.clock:.2f}")
        processor = (f"{m.without.processor:.1f}", f"{m.with_insight.processor:.1f}", f"{m.ratio.processor:.2f}")
        table.add_row(escape(m.collection), f"{m.results:,}", *clock, *processor)
    out.print(table)
    for results, without, with_insight in growth:
        out.print(
            f"{results:.1f} times the results take {without.clock:.1f} times the seconds without and"
            f" {with_insight.clock:.1f} times with; processor time {without.processor:.1f} and"
            f" {with_insight.processor:.1f} times"
        )


if __name__ == "__main__":
    main()
