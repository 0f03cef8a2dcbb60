"""What must hold of a document together with what the collection holds of the same event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dippouch.documents import Result, Source, TournamentDocument
from dippouch.errors import DocumentError, Location
from dippouch.matching.events import tournaments_ended
from dippouch.seeds.schema import Row
from dippouch.seeds.store import Collection, Key
from dippouch.ties import crowding

# Two or three people may have the same placements in two events of one day.
_SHARED_BY_CHANCE = 3


def refuse_loss(document: TournamentDocument, tournament_id: str, lost: list[Row]) -> None:
    """Refuse a table that leaves out results which the collection has from such a table already (`lost`).

    Raises:
        DocumentError: when there are any.
    """
    if not lost:
        return
    names = ", ".join(row["listed_name"] for row in lost[:3]) + (", ..." if len(lost) > 3 else "")
    raise document.source.fault(
        f"{len(document.results)} results without {len(lost)} that the collection holds ({names})",
        f"every result that is known of `{tournament_id}`",
        "A document cannot take results away. Where they are wrong:"
        f' scripts/edit_tournament.py withdraw {tournament_id} --player {lost[0]["player_id"]} --reason "..."',
    )


def refuse_likely_duplicate(collection: Collection, document: TournamentDocument, results: dict[Key, Row]) -> None:
    """Refuse a new event that is a likely duplicate of a known one: a title with a line lost or a figure mistyped.

    Args:
        collection: what is known already.
        document: a document of an event that the collection does not know.
        results: its rows.

    Raises:
        DocumentError: when an event that ended on the same day has most of its results.
    """
    placed = {(row["player_id"], row["placement"]) for row in results.values()}
    for known in tournaments_ended(collection, document.ended_on):
        listed = collection.results_of(known["tournament_id"])
        shared = placed & {(row["player_id"], row["placement"]) for row in listed.values()}
        if len(shared) > _SHARED_BY_CHANCE and 2 * len(shared) > len(placed):
            raise DocumentError(
                document.location_of("name"),
                f"the new event `{document.name}`, {len(shared)} of whose {len(placed)} results are those of"
                f" `{known['tournament_id']}`, which ended on the same day",
                "an event of its own, or the name that the known one has",
                f"The known name is `{known['name']}`.",
            )


def check_together(source: Source, results: Sequence[Result], players: int | None, known: list[Row]) -> None:
    """Check that a table has room for the people whom the collection lists in the event beside it.

    Args:
        source: the document, for messages.
        results: what it lists.
        players: how many the event declares, where it does.
        known: the rows of the collection that the document does not list.

    Raises:
        DocumentError: when a known placement does not fit in: tied players share the best placement (1, 2, 2, 4).
    """
    named = {int(row["placement"]): row["listed_name"] for row in known if row["placement"]}
    if not named:
        return
    locations = {result.placement: result.player.location for result in results if result.placement is not None}
    tied = Counter([result.placement for result in results if result.placement is not None])
    tied.update(int(row["placement"]) for row in known if row["placement"])
    for placement, sharing, following in crowding(tied, players):
        at = placement if placement in named else following if following in named else min(named)
        raise DocumentError(
            locations.get(placement) or locations.get(following or 0) or Location(source.path),
            f"{sharing} players at placement {placement}, with {named.get(at, 'others')} whom the collection"
            f" lists at placement {at}",
            f"placements that leave room for the tied{f' among {players} players' if players else ''} (1, 2, 2, 4)",
            "One of the two is wrong; scripts/edit_tournament.py corrects or withdraws a known result.",
        )
