"""The tournament that a document describes: decided once, at import, by one rule.

In this order: the source's id; the id in the document; the id of name and year, if the days are at most NEAR_DAYS apart and
no source distinguishes the two; otherwise a new tournament with the next free number.
"""

from __future__ import annotations

from collections.abc import Collection as Group
from datetime import date
from itertools import count

from dippouch.documents import Appearance, TournamentDocument
from dippouch.errors import DocumentError
from dippouch.ids import fault_of_id, name_and_year_id, readable_id, readable_id_or_empty
from dippouch.matching.source_ids import TOURNAMENT, is_of_another, owner_of
from dippouch.names import shortened
from dippouch.seeds.corrections import corrected_tournament
from dippouch.seeds.schema import TOURNAMENTS, Row
from dippouch.seeds.store import Collection

# Sources disagree on a tournament's days by its eve or its last day, not by more.
NEAR_DAYS = 7


def identify_tournament(
    collection: Collection, told: TournamentDocument | Appearance, taken: Group[str] = (), *, is_another: bool = False
) -> str:
    """Return the id of the tournament that a document, or a line of a player's page, describes; a new one if it is unknown.

    Args:
        collection: the known tournaments.
        told: the described tournament.
        taken: ids of other tournaments on the same page, which are excluded.
        is_another: whether the rating keeper says that it is none of the known tournaments of its name.

    Raises:
        DocumentError: when its name makes no id, or the document gives the id of another tournament.
    """
    if not readable_id_or_empty(told.name):
        at = told.location if isinstance(told, Appearance) else told.location_of("name")
        found = f"the name `{shortened(told.name)}` of a tournament with no letter or digit"
        raise DocumentError(at, found, "a name with letters")
    for source_id in told.source_ids:
        if owner := owner_of(collection, TOURNAMENT, source_id):
            return owner
    if isinstance(told, TournamentDocument) and told.tournament_id:
        return _given_id(collection, told)
    name_id = name_and_year_id(told.name, str(told.ended_on.year))
    sha256 = told.source.sha256 if isinstance(told, TournamentDocument) else None
    near = []
    # By the documents' name, or by the corrected one.
    named = (
        "where tournament_id in (select tournament_id from tournament_names where name_id = ?) order by tournament_id"
    )
    for row in list(collection.rows(TOURNAMENTS, named, (name_id,))):
        known = row["tournament_id"]
        of_another = is_of_another(collection, TOURNAMENT, known, told.source_ids)
        if known in taken or of_another or (is_another and row["source_sha256"] != sha256):
            continue
        days = _days_apart(collection, row, told)
        if days <= NEAR_DAYS:
            near.append((row["source_sha256"] != sha256, days, known))
    if near:
        return min(near)[2]
    candidates = (name_id if number == 1 else f"{name_id}-{number}" for number in count(1))
    return next(made for made in candidates if made not in taken and collection.tournament(made) is None)


def _given_id(collection: Collection, document: TournamentDocument) -> str:
    given = document.tournament_id or ""
    at = document.locations.get("tournament_id") or document.location_of("name")
    tournament_id = readable_id(given)
    if expected := fault_of_id(tournament_id):
        raise DocumentError(at, f"the tournament id `{given}`", expected)
    row = collection.tournament(tournament_id)
    if row is None or row["name"] == document.name or _days_between(row, document) <= NEAR_DAYS:
        return tournament_id
    raise DocumentError(
        at,
        f"the tournament id `{given}` for {document.name} ({document.ended_on})",
        f"{row['name']} ({row['ended_on']}), whose id that is",
        "Give the other event an id of its own.",
    )


def _days_apart(collection: Collection, row: Row, told: TournamentDocument | Appearance) -> int:
    """Return the days between a tournament, as stated or corrected, and a described one; the smaller distance counts."""
    corrected = corrected_tournament(collection, row["tournament_id"])
    return min(_days_between(known, told) for known in (row, corrected))


def _days_between(row: Row, told: TournamentDocument | Appearance) -> int:
    started, ended = (date.fromisoformat(row[name]) for name in ("started_on", "ended_on"))
    return min(abs((started - told.started_on).days), abs((ended - told.ended_on).days))
