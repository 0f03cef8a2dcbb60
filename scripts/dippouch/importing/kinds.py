"""The kind of a tournament: stated by its document, known to the collection, or proved by its printed value. A title proves nothing."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fnmatch import filter as matching

from dippouch.documents import TournamentDocument
from dippouch.errors import DocumentError, Location
from dippouch.ids import readable_id_or_empty
from dippouch.importing.parsing.words import listed_words
from dippouch.names import shortened
from dippouch.rating.rules import RatingRules, agrees_with_printed
from dippouch.rating.systems import read_settings
from dippouch.seeds.decisions import corrected_tournament
from dippouch.seeds.schema import NONE, TOURNAMENT_KINDS, Row
from dippouch.seeds.store import Collection
from verify_ratings import tournament_value


def known_kind(kinds: Sequence[Row], stated: str | None, location: Location) -> str:
    """Return the code of a kind that a document states by code or name, ignoring case; empty for `none`, or if it states none.

    Raises:
        DocumentError: when the collection lacks the kind; the message lists its kinds.
    """
    sought = (stated or NONE).strip().casefold()
    for row in kinds:
        if sought in (row["kind"].casefold(), row["name"].casefold()):
            return row["kind"].upper()
    if sought == NONE:
        return ""
    found, expected = f"the kind `{shortened(stated or '')}`", f"one of {_codes(kinds)}, or {NONE}"
    hint = f"Add another kind to {TOURNAMENT_KINDS.path} of the collection"
    raise DocumentError(location, found, expected, hint)


def kind_of(collection: Collection, document: TournamentDocument, rules: RatingRules, before: Row | None) -> str:
    """Return the kind that a document states or proves; empty for neither.

    Args:
        collection: the collection, with its kinds and words.
        document: the tournament as stated.
        rules: the rules of the default rating system.
        before: the collection's row of the tournament.

    Raises:
        DocumentError: when the collection lacks the stated kind, or a new title holds a word of a World Championship without evidence.
    """
    kinds = list(collection.all(TOURNAMENT_KINDS))
    stated = known_kind(kinds, document.kind, document.location_of("kind"))
    championship = _championship(kinds)
    # A correction may have changed it.
    known = corrected_tournament(collection, before["tournament_id"])["kind"] if before else ""
    if before and document.kind and known and not stated:
        hint = f"To change it: {collection.command('correct', before['tournament_id'], f'kind={NONE}')}"
        raise DocumentError(document.location_of("kind"), f"the kind {NONE}", f"{known}, as in the collection", hint)
    if document.kind or known or not championship:
        return stated
    printed = document.coefficients[0] if rules["is_printed"] else None
    players, champions = document.players, rules["world_championship_value"]
    ordinary = _value(rules, document, document.rounds, is_championship=False)
    if printed is not None:
        # However many players: no ordinary tournament is worth more than the maximum.
        fits = printed <= rules["maximum_value"] if players is None else agrees_with_printed(ordinary, printed)
        return championship if agrees_with_printed(champions, printed) and not fits else ""
    title = next(filter(sounds_like_championship, (document.name, document.subtitle or "")), "")
    # Without a number of players the value is 0. An earlier import of a table answered the question.
    if title and players is not None and not (before and before["players"]):
        words = read_settings(collection.reference)
        # A document of several tournaments takes no options.
        column, option = ("", "--kind ") if document.tournament_id is None else ("In the column `kind`: ", "")
        raise DocumentError(
            document.location_of("name"),
            f"the title `{shortened(title)}` without a kind",
            f"the kind of a {words['tournament']} whose title sounds like a {words['championship']}, because"
            f" {championship} is worth {float(champions):.2f} and {NONE} {float(ordinary):.2f}",
            f"{column}{option}{championship} for a {words['championship']}, {option}{NONE} for an ordinary"
            f" {words['tournament']}, or one of {_codes(kinds)}",
        )
    return ""


def inferred_facts(kinds: Sequence[Row], played: TournamentDocument, rules: RatingRules) -> tuple[str, int | None]:
    """Return the kind and the number of rounds that the printed value of a tournament proves, because only one rule gives it.

    That of a World Championship proves the kind, that of one round the number of rounds; several rounds are the usual case.
    """
    printed = played.coefficients[0]
    if printed is None or not rules["is_printed"] or played.players is None:
        return "", None
    fitting = []
    for is_championship, rounds in ((True, None), (False, 1), (False, None)):
        if agrees_with_printed(_value(rules, played, rounds, is_championship=is_championship), printed):
            fitting.append((_championship(kinds) if is_championship else "", rounds))
    return fitting[0] if len(fitting) == 1 else ("", None)


def _value(rules: RatingRules, played: TournamentDocument, rounds: int | None, *, is_championship: bool) -> Decimal:
    """Return the value of a document's tournament, if it had so many rounds and was a World Championship or not."""
    facts = {"players": played.players, "rounds": rounds, "ended_on": played.ended_on, "is_withdrawn": False}
    return tournament_value(rules, facts | {"is_world_championship": is_championship})


def _championship(kinds: Sequence[Row]) -> str:
    """Return the code of the World Championships; empty without one."""
    return next((row["kind"].upper() for row in kinds if row["is_world_championship"].lower() == "true"), "")


def sounds_like_championship(title: str) -> bool:
    """Return whether a title has the words of a World Championship in some language, whatever the accents and capitals."""
    words = readable_id_or_empty(title).split("-")
    return any(all(matching(words, part) for part in phrase.split()) for phrase, _ in listed_words("title"))


def _codes(kinds: Sequence[Row]) -> str:
    return ", ".join(row["kind"] for row in kinds)
