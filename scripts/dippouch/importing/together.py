"""What must hold of a document together with what the collection holds of the same event."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from dippouch.collection.seeds import Row
from dippouch.collection.working import Collection, Key
from dippouch.errors import DocumentError
from dippouch.importing.documents import Result, TournamentDocument

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
    raise DocumentError(
        document.source.path,
        None,
        f"{len(document.results)} results without {len(lost)} that the collection holds ({names})",
        f"every result that is known of `{tournament_id}`",
        "A document cannot take results away. Where they are wrong:"
        f' scripts/edit_tournament.py withdraw {tournament_id} --player {lost[0]["player_id"]} --reason "..."',
    )


def refuse_twin(collection: Collection, document: TournamentDocument, results: dict[Key, Row]) -> None:
    """Refuse a new event that is a known one under another name: a title with a line lost or a figure mistyped.

    Args:
        collection: what is known already.
        document: a document of an event that the collection does not know.
        results: its rows.

    Raises:
        DocumentError: when an event that ended on the same day has most of its results.
    """
    placed = {(row["player_id"], row["placement"]) for row in results.values()}
    for known in collection.tournaments_ended(document.ended_on.isoformat()):
        listed = collection.results_of(known["tournament_id"])
        shared = placed & {(row["player_id"], row["placement"]) for row in listed.values()}
        if len(shared) > _SHARED_BY_CHANCE and 2 * len(shared) > len(placed):
            raise DocumentError(
                document.source.path,
                document.field_lines.get("name"),
                f"the new event `{document.name}`, {len(shared)} of whose {len(placed)} results are those of"
                f" `{known['tournament_id']}`, which ended on the same day",
                "an event of its own, or the name that the known one has",
                f"The known name is `{known['name']}`.",
            )


def check_together(path: Path, results: list[Result], players: int | None, known: list[Row]) -> None:
    """Check that a table has room for the people whom the collection lists in the event beside it.

    Args:
        path: the document, for messages.
        results: what it lists.
        players: how many the event declares, where it does.
        known: the rows of the collection that the document does not list.

    Raises:
        DocumentError: when a known placement does not fit in: tied players share the best placement (1, 2, 2, 4).
    """
    named = {int(row["placement"]): row["listed_name"] for row in known if row["placement"]}
    if not named:
        return
    lines = {result.placement: result.player.line for result in results if result.placement is not None}
    tied = Counter([result.placement for result in results if result.placement is not None])
    tied.update(int(row["placement"]) for row in known if row["placement"])
    places = sorted(tied)
    end = None if players is None else players + 1
    for placement, following in zip(places, [*places[1:], end], strict=True):
        if following is not None and following < placement + tied[placement]:
            at = placement if placement in named else following if following in named else min(named)
            raise DocumentError(
                path,
                lines.get(placement) or lines.get(following),
                f"{tied[placement]} players at placement {placement}, with {named.get(at, 'others')} whom the collection"
                f" lists at placement {at}",
                f"placements that leave room for the tied{f' among {players} players' if players else ''} (1, 2, 2, 4)",
                "One of the two is wrong; scripts/edit_tournament.py corrects or withdraws a known result.",
            )
