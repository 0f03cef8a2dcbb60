"""Which kind an event is of: as its document says, checked against the kinds of the collection, or as it shows otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction

from dippouch.documents import TournamentDocument
from dippouch.errors import DocumentError, Location
from dippouch.names import shortened
from dippouch.rating.rules import RatingRules, agrees_with_printed, tournament_value
from dippouch.seeds.schema import TOURNAMENT_KINDS, Row

# How a World Championship is called where a document states no kind.
WORLD_CHAMPIONSHIP = "WDC"
_WORLD_CHAMPIONSHIP_NAME = re.compile(r"\bworld\s+dip(lomacy\s+)?(con|championship)|\bWDC\b", re.IGNORECASE)


def known_kind(kinds: Iterable[Row], stated: str, location: Location) -> str:
    """The code of a kind that a document states by its code or its name, in capitals or not.

    Raises:
        DocumentError: when the collection has no such kind; the message lists those that it has.
    """
    rows = list(kinds)
    for row in rows:
        if stated.strip().casefold() in (row["kind"].strip().casefold(), row["name"].strip().casefold()):
            return row["kind"].strip().upper()
    raise DocumentError(
        location,
        f"the kind `{shortened(stated)}`",
        f"one of {', '.join(row['kind'] for row in rows)}, or none",
        f'The option --add-kind {stated.strip().upper()}="What it is called" adds it to {TOURNAMENT_KINDS.path}.',
    )


def kind_of(document: TournamentDocument, rules: RatingRules, stated: str, known: str) -> str:
    """The kind of an event: as stated or known (both may be empty), by its name, or by a value that only one kind has.

    Raises:
        DocumentError: when the printed `Coeff 1` is not the value of such an event at two decimals.
    """
    by_name = WORLD_CHAMPIONSHIP if _WORLD_CHAMPIONSHIP_NAME.search(document.name) else ""
    kind = stated or known or by_name
    is_championship = kind == WORLD_CHAMPIONSHIP
    printed = document.coefficients[0]
    if printed is None or document.players is None:
        return kind

    def value(*, is_world_championship: bool) -> Fraction:
        return tournament_value(
            rules,
            is_world_championship=is_world_championship,
            ended_on=document.ended_on,
            players=document.players,
            rounds=document.rounds,
        )

    if agrees_with_printed(value(is_world_championship=is_championship), printed):
        return kind
    if not kind and agrees_with_printed(value(is_world_championship=True), printed):
        return WORLD_CHAMPIONSHIP
    raise DocumentError(
        document.location_of("coefficient_1"),
        f"`Coeff 1` {printed}",
        f"{float(value(is_world_championship=is_championship)):.2f}, the value of"
        f" {'a World Championship' if is_championship else 'an event'}"
        f" with {document.players} players and {document.rounds} round(s) that ended on {document.ended_on}",
        "The date, the players, the rounds or the coefficient is wrong.",
    )


def new_kind(stated: str) -> tuple[str, str]:
    """The code and the name of `GP=Grand Prix`, as options state a kind."""
    code, _, name = stated.partition("=")
    return code.strip().upper(), name.strip()
