"""Print likely duplicates for people and for scripts."""

from __future__ import annotations

from dataclasses import asdict

from rich.markup import escape

from dippouch.console import out, plain_table, write_json
from dippouch.matching.candidates import LikelyDuplicate
from dippouch.matching.likeness import ACCENTS
from dippouch.matching.people import ListedPerson


def print_duplicates(found: list[LikelyDuplicate], limit: int) -> None:
    """Print the first pairs with the evidence about each person, and the number of pairs."""
    table = plain_table("likeness", "one", "", "other", "")
    for pair in found[:limit]:
        cells = (cell for person in (pair.one, pair.other) for cell in (person.player_id, escape(person.evidence)))
        table.add_row(pair.likeness, *cells)
    if found:
        out.print(table)
    more = f"; --limit {len(found)} shows all" if len(found) > limit else ""
    out.print(f"{len(found):,} pairs to decide{more}. No pair here has played in one tournament.")
    if any(pair.likeness == ACCENTS for pair in found):
        out.print("One id spelt in two ways is one person, unless `dptr split` says otherwise.")


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
