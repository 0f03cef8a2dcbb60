#!/usr/bin/env python3
"""Measure the cost of rating a whole history under other rules, beside a plain loop over a dictionary."""

import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import click
import duckdb

from dippouch.command_line import Command, database_option, json_option
from dippouch.console import out, plain_table, working_on, write_json
from dippouch.db import reading
from measuring.costs import in_turns, measured
from synthetic.known_rules import Rules, careers, play, player_id, rate, write_published

# About the field size of the collections that the limits are set for.
_FIELD = 40
_OTHER = Rules(maximum_value=20, several_rounds_divisor=3)
_HISTORY = "select sum(rating_after) from marts.history_under(maximum_value => 20, several_rounds_divisor => 3)"
_RANKING = "select * from marts.ranking_under(maximum_value => 20, several_rounds_divisor => 3)"
_SKILL = "select avg(concordance) from marts.skill_under(maximum_value => 20, several_rounds_divisor => 3)"


@dataclass(frozen=True)
class Measurement:
    """Medians of several rounds on one history, in seconds, by kind of work.

    Attributes:
        results: the number of results.
        clock: wall-clock seconds.
        processor: processor seconds of all threads, which other programs disturb less.
        largest_difference: between a rating of the function and of the loop.
    """

    results: int
    clock: dict[str, float]
    processor: dict[str, float]
    largest_difference: float


@click.command(cls=Command)
@click.option(
    "--results",
    "sizes",
    multiple=True,
    default=(78_644, 795_978),
    show_default=True,
    type=click.IntRange(min=_FIELD),
    help="Approximate number of results of a history; may be repeated.",
)
@click.option("--rounds", default=9, show_default=True, type=click.IntRange(min=1))
@database_option("A published database, whose functions are measured.")
@json_option("the figures")
def main(sizes: tuple[int, ...], rounds: int, database: Path, as_json: bool) -> None:
    """Rate synthetic histories under other rules, in turns by a plain loop and by the published functions."""
    with working_on("Measuring") as say:
        found = [_measured(database, size, rounds, say) for size in sizes]
    if as_json:
        write_json([asdict(one) for one in found])
        return
    works = (">loop", ">history_under", ">ranking_under", ">skill_under")
    table = plain_table(">results", "milliseconds", *works, ">difference")
    for one in found:
        for kind, seconds in (("clock", one.clock), ("processor", one.processor)):
            times = (f"{1000 * took:.0f}" for took in seconds.values())
            table.add_row(f"{one.results:,}", kind, *times, f"{one.largest_difference:g}")
    out.print(table)
    out.print(
        f"\nMedians of {rounds} rounds; the difference is the largest between a rating of the function and of the loop."
    )


def _measured(template: Path, size: int, rounds: int, say: Callable[[str], None]) -> Measurement:
    say(f"a history of {size:,} results")
    events = play(size // _FIELD, max(size // 30, 100), _FIELD, Rules(), luck=20, seed=1)
    history = careers(events)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "history.duckdb"
        results = write_published(template, database, events)
        with reading(database) as connection:
            connection.execute("use published")
            works: dict[str, Callable[[], object]] = {
                "loop": lambda: rate(history, _OTHER),
                "history": lambda: _fetch(connection, _HISTORY),
                "ranking": lambda: _fetch(connection, _RANKING),
                "skill": lambda: _fetch(connection, _SKILL),
            }
            costs = in_turns(
                {name: partial(measured, work) for name, work in works.items()},
                rounds,
                lambda step: say(f"{results:,} results, {step}"),
            )
            ratings = {row[0]: row[3] for row in _fetch(connection, _RANKING)}
    expected = rate(history, _OTHER)
    difference = max(abs(ratings[player_id(player)] - rating) for player, rating in expected.items())
    clock = {name: median(cost.clock for cost in found) for name, found in costs.items()}
    processor = {name: median(cost.processor for cost in found) for name, found in costs.items()}
    return Measurement(results, clock, processor, difference)


def _fetch(connection: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[Any, ...]]:
    return connection.execute(sql).fetchall()


if __name__ == "__main__":
    main()
