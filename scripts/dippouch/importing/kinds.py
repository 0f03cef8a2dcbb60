"""The kind of a tournament: stated by its document, known to the collection, or evident from its title or printed value."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from dippouch.documents import TournamentDocument
from dippouch.errors import DocumentError, Location, UserError
from dippouch.ids import readable_id_or_empty
from dippouch.names import shortened
from dippouch.rating.rules import RatingRules, agrees_with_printed, tournament_value
from dippouch.seeds.schema import NONE, TOURNAMENT_KINDS, Row
from dippouch.settings import read_yaml

_TITLES = read_yaml(Path(__file__).with_name("world_championships.yml"))


def known_kind(kinds: Sequence[Row], stated: str, location: Location) -> str:
    """Return the code of a kind that a document states by code or name, ignoring case; empty for `none`.

    Raises:
        DocumentError: when the collection lacks the kind; the message lists its kinds.
    """
    for row in kinds:
        if stated.strip().casefold() in (row["kind"].strip().casefold(), row["name"].strip().casefold()):
            return row["kind"].strip().upper()
    if stated.strip().casefold() == NONE:
        return ""
    raise DocumentError(
        location,
        f"the kind `{shortened(stated)}`",
        f"one of {_codes(kinds)}, or {NONE}",
        f'The option --add-kind CODE="Its name", such as GP="Grand Prix", adds it to {TOURNAMENT_KINDS.path}.',
    )


def kind_of(
    kinds: Sequence[Row], document: TournamentDocument, rules: RatingRules, before: Row | None
) -> tuple[str, str]:
    """Return the kind of a tournament, and a note if its title gave it.

    Args:
        kinds: the kinds of the collection.
        document: the tournament as stated.
        rules: the rules of the default rating system.
        before: the collection's row of the tournament.

    Raises:
        DocumentError: when the collection lacks the stated kind, the title leaves open whether it is a World Championship,
            or the printed `Coeff 1` is not the value of such a tournament at two decimals.
    """
    stated = known_kind(kinds, document.kind, document.location_of("kind")) if document.kind else ""
    known = before["kind"] if before else ""
    if document.kind and known and not stated:
        found, expected = f"the kind `{shortened(document.kind)}`", f"`{known}`, which the collection has"
        raise DocumentError(document.location_of("kind"), found, expected, "Change it with `dptr correct`.")
    titles = {text: world_championship_title(text) for text in (document.subtitle or "", document.name)}
    named, title = max(titles.items(), key=lambda found: bool(found[1]))
    championships = _championships(kinds)
    # An earlier import decided the kind of a known tournament.
    is_open = bool(championships) and not document.kind and not known and not (before and before["players"])
    kind = championships[0] if is_open and title == "known" else stated or known

    def value(of_kind: str) -> Fraction:
        return tournament_value(
            rules,
            is_world_championship=of_kind in championships,
            ended_on=document.ended_on,
            players=document.players,
            rounds=document.rounds,
        )

    printed = document.coefficients[0]
    if printed is None or document.players is None:
        if is_open and not kind and document.players is not None and title == "likely":
            raise DocumentError(
                document.location_of("name"),
                f"the title `{shortened(named)}`, which sounds like a World Championship, without a kind",
                f"the kind: {championships[0]} is worth {float(value(championships[0])):.2f}, {NONE} {float(value('')):.2f}",
                f"State it in the document, or with --kind: {championships[0]} for a World Championship, {NONE} for an ordinary"
                f" tournament, or one of {_codes(kinds)}.",
            )
        is_by_title = kind and is_open
        return kind, f"the title makes it a {kind}; --kind states another kind, or {NONE}" if is_by_title else ""
    if agrees_with_printed(value(kind), printed):
        return kind, ""
    if not kind and not document.kind and championships and agrees_with_printed(value(championships[0]), printed):
        return championships[0], ""
    raise DocumentError(
        document.location_of("coefficient_1"),
        f"`Coeff 1` {printed}",
        f"{float(value(kind)):.2f}, the value of {'a World Championship' if kind in championships else 'a tournament'}"
        f" with {document.players} players and {document.rounds} round(s) that ended on {document.ended_on}",
        "The date, the players, the rounds or the coefficient is wrong.",
    )


def refuse_open_kind(kinds: Sequence[Row], renamed: Row) -> None:
    """Refuse a new name that is or sounds like that of a World Championship while the tournament has no kind.

    Raises:
        UserError: when the kind must be decided with the name.
    """
    championships = _championships(kinds)
    if championships and not renamed["kind"] and world_championship_title(renamed["name"]):
        raise UserError(
            f"{renamed['tournament_id']}: found the name `{shortened(renamed['name'])}`, which sounds like a World Championship,"
            f" without a kind; expected the kind beside the name: kind={championships[0]} for a World Championship,"
            f" kind={NONE} for an ordinary tournament, or one of {_codes(kinds)}"
        )


def new_kind(stated: str) -> tuple[str, str]:
    """Parse an option such as `GP=Grand Prix` to the code and the name of a kind."""
    code, _, name = stated.partition("=")
    return code.strip().upper(), name.strip()


def _championships(kinds: Sequence[Row]) -> list[str]:
    return [row["kind"].strip().upper() for row in kinds if row["is_world_championship"].strip().lower() == "true"]


def _codes(kinds: Sequence[Row]) -> str:
    return ", ".join(row["kind"] for row in kinds)


def world_championship_title(title: str) -> str:
    """Return the heading in world_championships.yml that matches a title; empty if it is not that of a World Championship."""
    words = readable_id_or_empty(title).split("-")

    def has(part: str) -> bool:
        return any(word.startswith(part[:-1]) if part.endswith("*") else word == part for word in words)

    return next((name for name, lines in _TITLES.items() if any(all(map(has, line.split())) for line in lines)), "")
