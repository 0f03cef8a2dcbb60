#!/usr/bin/env python3
"""Find listed players who may be one person, and record what the rating keeper decides."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from pathlib import Path

import click
from rich.markup import escape

from dippouch.command_line import Command, json_option, program, seeds_option
from dippouch.console import out
from dippouch.matching.candidates import find_likely_duplicates
from dippouch.matching.decisions import forget_non_match, record_match, record_non_match, record_split
from dippouch.matching.render_duplicates import print_duplicates, print_duplicates_as_json
from dippouch.seeds.store import Collection


@click.command(cls=Command, epilog="After a decision `make rankings` rates everybody again and says who moved.")
@seeds_option()
@click.option("--limit", default=50, show_default=True, type=click.IntRange(min=0), help="How many pairs to list.")
@json_option("all pairs")
@click.option("--same", nargs=2, metavar="LISTED PLAYER", help="LISTED is PLAYER, whose id remains.")
@click.option("--different", nargs=2, metavar="ONE OTHER", help="Two people: not asked again, and not merged any more.")
@click.option(
    "--split",
    nargs=3,
    metavar="LISTED TOURNAMENT PLAYER",
    help="In TOURNAMENT, LISTED is PLAYER, known or new; LISTED again takes a split back.",
)
@click.option("--forget", nargs=2, metavar="ONE OTHER", help="Take back that they are two people.")
@click.option("--reason", default="", help="Why; it stays on record.")
@program
def main(
    seeds: Path,
    limit: int,
    as_json: bool,
    same: tuple[str, str] | None,
    different: tuple[str, str] | None,
    split: tuple[str, str, str] | None,
    forget: tuple[str, str] | None,
    reason: str,
) -> None:
    """List listed players who may be one person, or decide.

    \b
    scripts/review_players.py
    scripts/review_players.py --same j-smith john-smith --reason "same club, same years"
    scripts/review_players.py --different jon-smith john-smith --reason "brothers"
    scripts/review_players.py --split john-smith wac-6-2009 john-smith-2 --reason "the one from Perth"

    Pairs differ by accents, initials, the order of names or a letter or two, or have one name and two ids. Who is in
    one tournament with the other is never listed. Nothing is merged without a decision.
    """
    decisions = [decision for decision in (same, different, split, forget) if decision]
    if len(decisions) > 1:
        raise click.UsageError("several decisions; expected one of --same, --different, --split and --forget")
    if decisions and not forget and not reason.strip():
        raise click.UsageError("a decision without --reason")

    with Collection.existing(seeds) as collection:
        if same:
            record_match(collection, *same, reason)
        elif different:
            record_non_match(collection, *different, reason)
        elif split:
            record_split(collection, *split, reason)
        elif forget:
            forget_non_match(collection, *forget)
        elif as_json:
            print_duplicates_as_json(find_likely_duplicates(collection))
        else:
            print_duplicates(find_likely_duplicates(collection), limit)
        collection.write()
    if forget:
        out.print(f"Taken back: {forget[0]} and {forget[1]} may be one person.")
    elif decisions:
        out.print(f"Recorded: {escape(reason.strip())}.")


if __name__ == "__main__":
    main()
