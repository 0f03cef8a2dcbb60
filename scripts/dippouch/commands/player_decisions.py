"""Decisions of the rating keeper about who is who; the reasons stay on record."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.markup import escape

from dippouch.command_line import command, json_option, seeds_option
from dippouch.console import out
from dippouch.matching.candidates import find_likely_duplicates
from dippouch.matching.decisions import forget_non_match, record_match, record_non_match, record_split
from dippouch.matching.render_duplicates import print_duplicates, print_duplicates_as_json
from dippouch.seeds.store import Collection

_EPILOG = "Then `dptr refresh` rates everybody again and says who moved."


def _decision(*people: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Add the arguments and options of a decision."""

    def add(function: Callable[..., Any]) -> Callable[..., Any]:
        function = seeds_option()(click.option("--reason", required=True, help="Why; it stays on record.")(function))
        for name in reversed(people):
            function = click.argument(name)(function)
        return function

    return add


@command("duplicates")
@seeds_option()
@click.option("--limit", default=50, show_default=True, type=click.IntRange(min=0), help="How many pairs to list.")
@json_option("all pairs")
def duplicates(seeds: Path, limit: int, as_json: bool) -> None:
    """List players who may be one person, the likeliest first.

    \b
    dptr duplicates --limit 20

    Their names differ by accents, initials, the order of their parts or a letter or two, or one name has two ids. Players who met in a
    tournament are never listed. Nothing is merged without a decision: `dptr merge` or `dptr distinct`.
    """
    with Collection.existing(seeds) as collection:
        found = find_likely_duplicates(collection)
        if as_json:
            print_duplicates_as_json(found)
        else:
            print_duplicates(found, limit)


@command("merge", _EPILOG)
@_decision("listed", "player")
def merge(listed: str, player: str, reason: str, seeds: Path) -> None:
    """Record that LISTED, an id in documents, is PLAYER, whose id remains.

    \b
    dptr merge j-smith john-smith --reason "same club, same years"
    """
    with Collection.existing(seeds) as collection:
        record_match(collection, listed, player, reason)
        collection.write()
    _print_recorded(reason)


@command("distinct", _EPILOG)
@_decision("one", "other")
def distinct(one: str, other: str, reason: str, seeds: Path) -> None:
    """Record that ONE and OTHER are two people, who are not listed as duplicates again.

    \b
    dptr distinct jon-smith john-smith --reason "brothers"
    """
    with Collection.existing(seeds) as collection:
        record_non_match(collection, one, other, reason)
        collection.write()
    _print_recorded(reason)


@command("split", _EPILOG)
@_decision("listed", "tournament", "player")
def split(listed: str, tournament: str, player: str, reason: str, seeds: Path) -> None:
    """Record that in TOURNAMENT the id LISTED is PLAYER, a known or a new one.

    \b
    dptr split john-smith wac-6-2009 john-smith-2 --reason "the one from Perth"

    With LISTED itself as PLAYER it takes a split back.
    """
    with Collection.existing(seeds) as collection:
        record_split(collection, listed, tournament, player, reason)
        collection.write()
    _print_recorded(reason)


@command("forget", _EPILOG)
@click.argument("one")
@click.argument("other")
@seeds_option()
def forget(one: str, other: str, seeds: Path) -> None:
    """Take back that ONE and OTHER are two people.

    \b
    dptr forget jon-smith john-smith
    """
    with Collection.existing(seeds) as collection:
        forget_non_match(collection, one, other)
        collection.write()
    out.print(f"Taken back: {escape(one)} and {escape(other)} may be one person.")


def _print_recorded(reason: str) -> None:
    out.print(f"Recorded: {escape(reason.strip())}.")
