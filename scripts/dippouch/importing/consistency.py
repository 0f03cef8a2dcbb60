"""What must hold of a document together with what the collection holds of the same event."""

from __future__ import annotations

import json
import math
from datetime import date

from dippouch.documents import TournamentDocument
from dippouch.errors import DocumentError
from dippouch.matching.events import NEAR_DAYS
from dippouch.seeds.corrections import is_withdrawn
from dippouch.seeds.schema import RESULTS, TOURNAMENTS, Row
from dippouch.seeds.store import Collection, Key
from dippouch.suggestions import suggested_command

# Two or three people may have the same placements in two events.
_SHARED_BY_CHANCE = 3
# Fields of these sizes do not come in twice with such a share of the placements.
_NEARLY_ALL = ((12, 0.6), (7, 0.8))
# The first three of two events may be the same, though hardly within so many days and of as many players.
_FEW_WEEKS = 60


def refuse_loss(collection: Collection, document: TournamentDocument, tournament_id: str, lost: list[Row]) -> None:
    """Refuse a table that leaves out results which the collection has from such a table already (`lost`).

    Raises:
        DocumentError: when there are any.
    """
    if not lost:
        return
    withdraw = ("withdraw", tournament_id, "--player", lost[0]["player_id"], "--reason", "...")
    command = suggested_command(*withdraw, seeds=collection.folder)
    names = ", ".join(row["listed_name"] for row in lost[:3]) + (", ..." if len(lost) > 3 else "")
    raise document.source.fault(
        f"{len(document.results)} results without {len(lost)} that the collection holds ({names})",
        f"every result that is known of `{tournament_id}`",
        "A document cannot take results away. Another event of this name: --another-event. Where the known results are wrong:"
        f" {command}",
    )


def refuse_likely_duplicate(collection: Collection, document: TournamentDocument, results: dict[Key, Row]) -> None:
    """Refuse a new event whose results are those of a known one, whatever its day or name: a mistyped date, another title.

    Args:
        collection: what is known already.
        document: a document of an event that the collection does not know.
        results: its rows.

    Raises:
        DocumentError: when the event is a likely duplicate of a known one.
    """
    placed = [(row["player_id"], row["last_name"], row["placement"]) for row in results.values() if row["placement"]]
    known = _same_document(collection, document, results) or _same_results(collection, document, placed)
    if known is None:
        return
    tournament_id, shared = known
    row = collection.tournament(tournament_id)
    assert row is not None
    new, known_event = (document.name, str(document.ended_on)), (tournament_id, row["name"], row["ended_on"])
    raise DocumentError(document.location_of("name"), *likely_duplicate(new, shared, len(placed), known_event))


def likely_duplicate(
    new: tuple[str, str], shared: int, placed: int, known: tuple[str, str, str]
) -> tuple[str, str, str]:
    """What is said of a new event whose results are those of a known one: found, expected, and the way out.

    Args:
        new: its name and its last day.
        shared: how many placements are those of the known one.
        placed: how many it has.
        known: the id, the name and the last day of the known one.
    """
    found = f"the new event `{new[0]}` ({new[1]}), {shared} of whose {placed} placements are those of"
    return (
        f"{found} `{known[0]}` (`{known[1]}`, {known[2]})",
        "an event of its own, or the name and the days that the known one has",
        "If it is the same event, there is nothing to import. If it really is another: --another-event.",
    )


def _same_document(
    collection: Collection, document: TournamentDocument, results: dict[Key, Row]
) -> tuple[str, int] | None:
    """The event that the same bytes were imported as, and how many results it shares."""
    if document.tournament_id:
        return None  # One document of many events.
    same_bytes = collection.rows(
        TOURNAMENTS, "where source_sha256 = ? order by tournament_id", (document.source.sha256,)
    )
    for row in same_bytes:
        listed = collection.results_of(row["tournament_id"])
        if {player_id for _, player_id in results} == set(listed):
            return row["tournament_id"], sum(result["placement"] != "" for result in results.values())
    return None


def _same_results(
    collection: Collection, document: TournamentDocument, placed: list[tuple[str, str, str]]
) -> tuple[str, int] | None:
    """The event that shares most placements, and how many, if that is more than chance does.

    A placement is shared by the same person, or by somebody of the same last name: first names have short forms. Who gives every
    event an id (format `two-tables`) says with it that two are two, unless nearly the same list comes twice.
    """
    of_known = f"from placed join {RESULTS.name} as results"
    found = collection.query(
        f"""
        with placed as (
            select value ->> 0 as player_id, value ->> 1 as last_name, value ->> 2 as placement, key from json_each(?)
        ),
        shared as (
            select results.tournament_id, placed.key, placed.key as of_person {of_known} using (player_id, placement)
            union all
            select results.tournament_id, placed.key, null {of_known} using (last_name, placement) where ?
        )
        select tournament_id, count(distinct key) as shared, count(distinct of_person), tournaments.name, tournaments.ended_on,
            tournaments.players,
            (select count(*) from {RESULTS.name} as listed
             where listed.tournament_id = shared.tournament_id and listed.placement != '') as listed
        from shared join {TOURNAMENTS.name} as tournaments using (tournament_id)
        group by tournament_id having shared > 1
        order by shared desc, tournament_id
        """,
        (json.dumps(placed), document.tournament_id is None),
    )
    for tournament_id, shared, people, name, ended_on, players, listed in found:
        fewer, more = sorted((len(placed), listed))
        apart = abs((date.fromisoformat(ended_on) - document.ended_on).days)
        same_name = name == document.name
        if document.tournament_id is not None:
            likely = is_same_event_of_other_id(people, fewer, more, apart, same_name=same_name)
        else:
            same = people == fewer == more
            near = apart <= NEAR_DAYS and ((shared > _SHARED_BY_CHANCE and 2 * shared >= fewer) or (same and same_name))
            by_chance = people <= _SHARED_BY_CHANCE and (apart > _FEW_WEEKS or players != str(document.players or ""))
            likely = _are_nearly_all(shared, more) or near or (same and not by_chance)
        if likely and not is_withdrawn(collection, tournament_id):
            return tournament_id, shared
    return None


def is_same_event_of_other_id(alike: int, fewer: int, more: int, apart: int, *, same_name: bool) -> bool:
    """Whether two events with ids of their own are likely one.

    Whoever keeps ids of events names people alike, and may have a thousand events of few last names: only people count.

    Args:
        alike: how many people have the same placement in both; at least half of `fewer`, where the answer is yes.
        fewer: how many are placed in the smaller of the two.
        more: how many in the other.
        apart: the days between their last days.
        same_name: whether they have one name.
    """
    near = alike > _SHARED_BY_CHANCE and 2 * alike >= fewer and apart <= 1
    near = near or (alike == fewer == more and same_name and apart <= NEAR_DAYS)
    return near or _are_nearly_all(alike, more)


def _are_nearly_all(alike: int, more: int) -> bool:
    return alike >= next((share * more for field, share in _NEARLY_ALL if more >= field), math.inf)
