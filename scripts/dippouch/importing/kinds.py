"""Which kind an event is of, where its document does not say so."""

from __future__ import annotations

import re
from fractions import Fraction

from dippouch.documents import TournamentDocument
from dippouch.errors import DocumentError
from dippouch.rating.rules import RatingRules, agrees_with_printed, tournament_value

# How a World Championship is called where a document states no kind.
WORLD_CHAMPIONSHIP = "WDC"
_WORLD_CHAMPIONSHIP_NAME = re.compile(r"\bworld\s+dip(lomacy\s+)?(con|championship)|\bWDC\b", re.IGNORECASE)


def kind_of(document: TournamentDocument, rules: RatingRules, known: str) -> str:
    """The kind of an event: as stated, as the collection knows it, by its name, or by a value that only one kind has.

    Raises:
        DocumentError: when the printed `Coeff 1` is not the value of such an event at two decimals.
    """
    by_name = WORLD_CHAMPIONSHIP if _WORLD_CHAMPIONSHIP_NAME.search(document.name) else ""
    kind = document.kind or known or by_name
    stated = kind == WORLD_CHAMPIONSHIP
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

    if agrees_with_printed(value(is_world_championship=stated), printed):
        return kind
    if not kind and agrees_with_printed(value(is_world_championship=True), printed):
        return WORLD_CHAMPIONSHIP
    raise DocumentError(
        document.location_of("coefficient_1"),
        f"`Coeff 1` {printed}",
        f"{float(value(is_world_championship=stated)):.2f}, the value of {'a World Championship' if stated else 'an event'}"
        f" with {document.players} players and {document.rounds} round(s) that ended on {document.ended_on}",
        "The date, the players, the rounds or the coefficient is wrong.",
    )
