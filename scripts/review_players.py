#!/usr/bin/env python3
"""Find listed players who may be one person, and record what the keeper decides."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

import json
from dataclasses import asdict
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from dippouch.collection.seeds import is_new
from dippouch.collection.storage import locked
from dippouch.collection.working import Collection
from dippouch.console import out, run_for_keeper
from dippouch.errors import KeeperError
from dippouch.identity.candidates import Candidate, find_candidates
from dippouch.identity.decisions import decide_different, decide_same, decide_split
from dippouch.identity.people import ListedPerson
from dippouch.settings import seeds_folder


@click.command(epilog="After a decision `make rankings` rates everybody again and says who moved.")
@click.option(
    "--seeds",
    type=click.Path(path_type=Path, file_okay=False),
    help="The collection.  [default: $DPTR_SEEDS or seeds]",
)
@click.option("--limit", default=50, show_default=True, type=click.IntRange(min=0), help="How many pairs to list.")
@click.option("--json", "as_json", is_flag=True, help="List all pairs as JSON.")
@click.option("--same", nargs=2, metavar="LISTED PLAYER", help="LISTED is PLAYER, whose id remains.")
@click.option("--different", nargs=2, metavar="ONE OTHER", help="Two people: not asked again, and not merged any more.")
@click.option(
    "--split", nargs=3, metavar="LISTED TOURNAMENT PLAYER", help="In TOURNAMENT, LISTED is PLAYER, known or new."
)
@click.option("--reason", default="", help="Why; it stays on record.")
def main(
    seeds: Path | None,
    limit: int,
    as_json: bool,
    same: tuple[str, str] | None,
    different: tuple[str, str] | None,
    split: tuple[str, str, str] | None,
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
    decisions = [decision for decision in (same, different, split) if decision]
    if len(decisions) > 1:
        raise click.UsageError("several decisions; expected one of --same, --different and --split")
    if decisions and not reason.strip():
        raise click.UsageError("a decision without --reason")

    def review() -> None:
        folder = seeds or seeds_folder()
        if is_new(folder):
            raise KeeperError(f"{folder}: no collection of seeds here; scripts/import_results.py --seeds makes one")
        with locked(folder), Collection.opened(folder) as collection:
            if same:
                decide_same(collection, *same, reason)
            elif different:
                decide_different(collection, *different, reason)
            elif split:
                decide_split(collection, *split, reason)
            else:
                _list(find_candidates(collection), limit, as_json=as_json)
            collection.write()
        if decisions:
            out.print(f"Recorded: {escape(reason.strip())}.")

    run_for_keeper(review)


def _list(candidates: list[Candidate], limit: int, *, as_json: bool) -> None:
    if as_json:
        pairs = [
            {"likeness": c.likeness, "nations_differ": c.nations_differ, "one": _plain(c.one), "other": _plain(c.other)}
            for c in candidates
        ]
        print(json.dumps(pairs, ensure_ascii=False, indent=2))  # noqa: T201 (for scripts, not through the terminal's markup)
        return
    table = Table(box=None, pad_edge=False)
    for heading in ("likeness", "one", "", "other", ""):
        table.add_column(heading)
    for candidate in candidates[:limit]:
        table.add_row(
            candidate.likeness,
            candidate.one.player_id,
            escape(_evidence(candidate.one)),
            candidate.other.player_id,
            escape(_evidence(candidate.other)),
        )
    if candidates:
        out.print(table)
    more = f"; --limit {len(candidates)} shows all" if len(candidates) > limit else ""
    out.print(f"{len(candidates):,} pairs to decide{more}. No pair here has played in one tournament.")


def _evidence(person: ListedPerson) -> str:
    facts = [person.name, "/".join(sorted(person.nations)), " ".join(sorted(person.source_ids))]
    facts.append(f"{person.tournaments} tournaments {person.years}".strip())
    return ", ".join(fact for fact in facts if fact)


def _plain(person: ListedPerson) -> dict[str, object]:
    plain = asdict(person)
    return plain | {key: sorted(plain[key]) for key in ("nations", "source_ids")}


if __name__ == "__main__":
    main()
