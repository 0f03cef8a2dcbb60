"""Print likely duplicates for people and for scripts."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from rich.markup import escape

from dippouch.console import out, plain_table, write_json
from dippouch.matching.candidates import LikelyDuplicate
from dippouch.matching.likeness import ACCENTS
from dippouch.matching.people import ListedPerson
from dippouch.printable import counted
from dippouch.suggestions import suggested_command


def print_duplicates(found: list[LikelyDuplicate], limit: int, folder: Path) -> None:
    """Print the first pairs with the evidence about each person, their number, and the commands that decide the first one."""
    table = plain_table("likeness", "one", "", "other", "")
    for pair in found[:limit]:
        cells = (cell for person in (pair.one, pair.other) for cell in (person.player_id, escape(person.evidence)))
        table.add_row(pair.likeness, *cells)
    if found:
        out.print(table)
    more = f"; --limit {len(found)} shows all" if len(found) > limit else ""
    pairs = [pair for pair in found if pair.likeness != ACCENTS]
    out.print(f"{len(pairs):,} pairs to decide{more}. No pair here has played in one tournament.")
    if pairs:
        ids = (pairs[0].other.player_id, pairs[0].one.player_id)
        merge, distinct = (
            suggested_command(word, *ids, "--reason", "...", seeds=folder) for word in ("merge", "distinct")
        )
        out.print(escape(f"One person: {merge}; two people: {distinct}"), soft_wrap=True)
    if spelt := len(found) - len(pairs):
        out.print(
            f"{counted(spelt, 'further name has', 'further names have')} one id in two spellings: one person, unless `dptr split` says otherwise."
        )


def print_duplicates_as_json(found: list[LikelyDuplicate]) -> None:
    """Print all pairs as a JSON list."""
    pairs = [
        {
            "likeness": pair.likeness,
            "nations_differ": pair.nations_differ,
            "one": _plain(pair.one),
            "other": _plain(pair.other),
        }
        for pair in found
    ]
    write_json(pairs)


def _plain(person: ListedPerson) -> dict[str, object]:
    plain = asdict(person)
    return plain | {key: sorted(plain[key]) for key in ("nations", "source_ids")}
