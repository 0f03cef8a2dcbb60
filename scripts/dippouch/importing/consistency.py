"""Check a document against the collection's knowledge of the same tournament."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date

from dippouch.documents import TournamentDocument
from dippouch.errors import DocumentError
from dippouch.matching.events import NEAR_DAYS
from dippouch.seeds.corrections import is_withdrawn
from dippouch.seeds.persons import people_behind
from dippouch.seeds.schema import ALIASES, RESULTS, TOURNAMENTS, Row
from dippouch.seeds.store import Collection
from dippouch.suggestions import suggested_command

# Two or three people may have the same placements in two tournaments by chance.
_SHARED_BY_CHANCE = 3
# (field size, share of placements): two tournaments of that size do not share so many placements by chance.
_NEARLY_ALL = ((12, 0.6), (7, 0.8))
# The first three of two tournaments may be the same by chance, but hardly within so many days and in equal fields.
_FEW_WEEKS = 60
_SHOWN = 3


def refuse_loss(
    collection: Collection,
    document: TournamentDocument,
    tournament_id: str,
    lost: Mapping[str, Row],
    may_be: Mapping[str, str],
) -> None:
    """Refuse a table without results that the collection has from an earlier table.

    Args:
        collection: the collection.
        document: the table.
        tournament_id: the tournament.
        lost: the missing results, by id.
        may_be: for known people of the document who are new to the tournament, the missing result that may be theirs, by id.
    """
    shown = list(lost.values())[:_SHOWN]
    names = ", ".join(row["listed_name"] for row in shown) + (", ..." if len(lost) > _SHOWN else "")
    matches = [
        suggested_command("merge", listed_id, player_id, "--reason", "...", seeds=collection.folder)
        for player_id, listed_id in sorted(may_be.items())
        if listed_id
    ]
    players = (word for row in shown for word in ("--player", row["player_id"]))
    withdraw = suggested_command("withdraw", tournament_id, *players, "--reason", "...", seeds=collection.folder)
    answers = " and ".join(matches) or "--same NAME=ID"
    raise document.source.fault(
        f"{len(document.results)} results without {len(lost)} that the collection holds ({names})",
        f"every known result of `{tournament_id}`",
        f"A document cannot remove results. If one of them is spelt differently here: {answers}. For another tournament of this name:"
        f" --another-event. If the known results are wrong: {withdraw}",
    )


def refuse_likely_duplicate(collection: Collection, document: TournamentDocument, results: list[Row]) -> None:
    """Refuse a new tournament with the results of a known one, whatever its day or name: a mistyped date, another title.

    Results agree if the same person, after aliases, or a person of the same last name has the placement: first names have short forms.
    """
    behind = people_behind(collection)
    people = [behind.get(row["player_id"], row["player_id"]) for row in results]
    placed = [
        (one, row["last_name"], row["placement"]) for one, row in zip(people, results, strict=True) if row["placement"]
    ]
    found = collection.query(
        f"""
        with placed as (
            select value ->> 0 as player_id, value ->> 1 as last_name, value ->> 2 as placement, key from json_each(?)
        ),
        -- A tournament may list them under ids that are theirs by a decision.
        listed as (
            select player_id, placement, key, '' as tournament_id from placed
            union all
            select listed_player_id, placement, key, aliases.tournament_id
            from placed join {ALIASES.name} as aliases using (player_id)
        ),
        shared as (
            select results.tournament_id, listed.key, listed.key as of_person
            from listed join {RESULTS.name} as results using (player_id, placement)
            where listed.tournament_id in ('', results.tournament_id)
            union all
            select results.tournament_id, placed.key, null
            from placed join {RESULTS.name} as results using (last_name, placement) where ? = ''
        )
        select tournament_id, count(distinct key) as shared, count(distinct of_person), tournaments.name, tournaments.ended_on,
            tournaments.players, tournaments.source_sha256,
            (select count(*) from {RESULTS.name} as listed
             where listed.tournament_id = shared.tournament_id and listed.placement != '') as listed
        from shared join {TOURNAMENTS.name} as tournaments using (tournament_id)
        group by tournament_id having shared > 1
        order by shared desc, tournament_id
        """,
        (json.dumps(placed), document.tournament_id or ""),
    )
    for tournament_id, shared, people, name, ended_on, players, source_sha256, listed in found:
        fewer, more = sorted((len(placed), listed))
        apart = abs((date.fromisoformat(ended_on) - document.ended_on).days)
        is_whole = people == fewer == more
        # A document with tournament ids states that two are different, and spells names consistently: only the same people count.
        has_id = document.tournament_id is not None
        is_near = shared > _SHARED_BY_CHANCE and 2 * shared >= fewer and apart <= (1 if has_id else NEAR_DAYS)
        is_near = is_near or (is_whole and name == document.name and apart <= NEAR_DAYS)
        by_chance = people <= _SHARED_BY_CHANCE and (apart > _FEW_WEEKS or players != str(document.players or ""))
        by_chance = by_chance and source_sha256 != document.source.sha256
        is_one = _are_nearly_all(shared, more) or is_near or (is_whole and not by_chance and not has_id)
        if is_one and not is_withdrawn(collection, tournament_id):
            raise DocumentError(
                document.location_of("name"),
                f"the new tournament `{document.name}` ({document.ended_on}), {shared} of whose {len(placed)} placements are those of"
                f" `{tournament_id}` (`{name}`, {ended_on})",
                "a tournament of its own, or the name and days of the known one",
                "If it is the same tournament, there is nothing to import. If it really is another: --another-event.",
            )


def _are_nearly_all(alike: int, more: int) -> bool:
    return alike >= next((share * more for field, share in _NEARLY_ALL if more >= field), math.inf)
