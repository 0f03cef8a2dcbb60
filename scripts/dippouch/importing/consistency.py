"""Check a document against the collection's knowledge of the same tournament."""

from __future__ import annotations

import json
import math
import shlex
from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from dippouch.documents import TournamentDocument
from dippouch.errors import DocumentError
from dippouch.matching.identities import NEAR_DAYS
from dippouch.matching.people import TOURNAMENT, is_of_another
from dippouch.seeds.corrections import is_withdrawn
from dippouch.seeds.persons import people_behind
from dippouch.seeds.schema import ALIASES, RESULTS, TOURNAMENTS, Row
from dippouch.seeds.store import Collection
from dippouch.suggestions import suggested_command

# Two or three people may have the same placements in two tournaments by chance.
_SHARED_BY_CHANCE = 3
# (field size, share of placements): two tournaments of that size do not share so many placements, or neighbours, by chance.
_NEARLY_ALL = ((12, 0.6), (7, 0.75))
# The first three of two tournaments may be the same by chance, but hardly within so many days and in equal fields.
_FEW_WEEKS = 60
_SHOWN = 3

# The known tournaments that have people or placements of a new one, the most alike first: `_Known` describes the columns.
_KNOWN = f"""
    with given as (
        select value ->> 0 as player_id, value ->> 1 as last_name, value ->> 2 as placement, key from json_each(?)
    ),
    -- A tournament may list them under ids that are theirs by a decision.
    listed as (
        select player_id, placement, key, '' as tournament_id from given
        union all
        select listed_player_id, placement, key, aliases.tournament_id
        from given join {ALIASES.name} as aliases using (player_id)
    ),
    -- Most tournaments share a few people by chance: find the others first.
    half as (
        select results.tournament_id
        from listed join {RESULTS.name} as results using (player_id)
        where listed.tournament_id in ('', results.tournament_id)
        group by 1
        having count(*) > 1 and 2 * count(*) >= min(
            (select count(*) from given where placement != ''),
            (select count(*) from {RESULTS.name} as known where known.tournament_id = results.tournament_id and placement != '')
        )
    ),
    in_both as (
        select
            half.tournament_id, listed.key, listed.placement as ours, results.placement as theirs,
            '' not in (listed.placement, results.placement) as has_places
        from half
        -- SQLite keeps the order of a cross join.
        cross join listed on listed.tournament_id in ('', half.tournament_id)
        join {RESULTS.name} as results on results.tournament_id = half.tournament_id and results.player_id = listed.player_id
    ),
    agreeing as (
        select
            tournament_id, key, key as of_person, has_places and ours = theirs as is_placed,
            has_places and lag(key) over our_order is lag(key) over their_order
            -- Tied people have no order.
            and ours is not lag(ours) over our_order and theirs is not lag(theirs) over their_order as is_next
        from in_both
        window
            our_order as (partition by tournament_id, has_places order by cast(ours as integer), cast(theirs as integer), key),
            their_order as (partition by tournament_id, has_places order by cast(theirs as integer), cast(ours as integer), key)
        union all
        select results.tournament_id, given.key, null, true, false
        from given join {RESULTS.name} as results using (last_name, placement) where placement != '' and ? = ''
    ),
    counted as (
        select
            tournament_id, count(distinct key) filter (where is_placed) as placed,
            count(distinct key) filter (where is_next) as next,
            count(distinct of_person) filter (where is_placed) as people, count(distinct of_person) as met
        from agreeing group by 1
    )
    select
        tournament_id, placed, next, people, met, name, started_on, ended_on, tournaments.players, source_sha256,
        (select count(*) from {RESULTS.name} as listed where listed.tournament_id = counted.tournament_id) as listed,
        (select count(*) from {RESULTS.name} as listed
         where listed.tournament_id = counted.tournament_id and listed.placement != '') as listed_placed
    from counted join {TOURNAMENTS.name} as tournaments using (tournament_id)
    where max(placed, next, met) > 1
    order by max(placed, next) desc, met desc, tournament_id
"""


class _Known(NamedTuple):
    """A known tournament beside a new one.

    Attributes:
        same: placements that the same person has in both, or a person of the same last name: first names have short forms.
        following: people who finish just behind the same person in both, of those in both: one row more shifts all placements.
        people: the same people, after aliases, with the same placement.
        met: the same people.
        listed: its results.
        placed: its results with a placement.
    """

    tournament_id: str
    same: int
    following: int
    people: int
    met: int
    name: str
    started_on: str
    ended_on: str
    players: str
    source_sha256: str
    listed: int
    placed: int

    def days_apart(self, document: TournamentDocument) -> int:
        """Return the number of days between the ends of both."""
        return abs((date.fromisoformat(self.ended_on) - document.ended_on).days)


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
    """Refuse a new tournament that may be a known one: with its order of finish, whatever the days or the name, or its people and days."""
    behind = people_behind(collection)
    people = [behind.get(row["player_id"], row["player_id"]) for row in results]
    given = [(one, row["last_name"], row["placement"]) for one, row in zip(people, results, strict=True)]
    for known in map(_Known._make, collection.query(_KNOWN, (json.dumps(given), document.tournament_id or ""))):
        how = _order_of_finish(known, document, results)
        # Sources with ids of their own tell two tournaments of one weekend apart.
        if not how and not is_of_another(collection, TOURNAMENT, known.tournament_id, document.source_ids):
            how = _people_and_days(known, document, results)
        if how and not is_withdrawn(collection, known.tournament_id):
            raise DocumentError(
                document.location_of("name"),
                f"the new tournament `{document.name}` ({document.ended_on}), {how} `{known.tournament_id}`"
                f" (`{known.name}`, {known.ended_on})",
                "a tournament of its own, or the name and days of the known one",
                f"If it is the same tournament, import it only to correct that one: {_as_known(known, document)}."
                " If it really is another: --another-event.",
            )


def _order_of_finish(known: _Known, document: TournamentDocument, results: list[Row]) -> str:
    """Describe the agreement of two orders of finish; empty if it may be chance."""
    placed = sum(row["placement"] != "" for row in results)
    shared = max(known.same, known.following)
    fewer, more = sorted((placed, known.placed))
    apart = known.days_apart(document)
    # Without first names, only a larger field is the same.
    is_whole = fewer == more and (known.people == more or _SHARED_BY_CHANCE < known.same == more)
    # A document with tournament ids states that two are different, and spells names consistently: only the same people count.
    has_id = document.tournament_id is not None
    is_near = shared > _SHARED_BY_CHANCE and 2 * shared >= fewer and apart <= (1 if has_id else NEAR_DAYS)
    is_near = is_near or (is_whole and known.name == document.name and apart <= NEAR_DAYS)
    by_chance = known.people <= _SHARED_BY_CHANCE and (
        apart > _FEW_WEEKS or known.players != str(document.players or "")
    )
    by_chance = by_chance and known.source_sha256 != document.source.sha256
    if not (_are_nearly_all(shared, more) or is_near or (is_whole and not by_chance and not has_id)):
        return ""
    if known.following > known.same:
        return f"{shared} of whose {placed} placed people finish in the order of"
    return f"{shared} of whose {placed} placements are those of"


def _people_and_days(known: _Known, document: TournamentDocument, results: list[Row]) -> str:
    """Describe the people in both on the same days; empty if they are few, or the document has tournament ids."""
    meets = known.met > _SHARED_BY_CHANCE and 2 * known.met >= min(len(results), known.listed)
    started_on, ended_on = date.fromisoformat(known.started_on), date.fromisoformat(known.ended_on)
    has_its_days = started_on <= document.ended_on and ended_on >= document.started_on
    if not (meets and has_its_days) or document.tournament_id is not None:
        return ""
    return f"{known.met} of whose {len(results)} people are listed on the same days in"


def _as_known(known: _Known, document: TournamentDocument) -> str:
    """Return the facts that make a document one of a known tournament, as options or in words."""
    if document.tournament_id is not None:
        return f"give it the id `{known.tournament_id}`"
    other_days = known.days_apart(document) > NEAR_DAYS or known.ended_on[:4] != str(document.ended_on.year)
    days = ["--date", " - ".join(dict.fromkeys((known.started_on, known.ended_on)))] if other_days else []
    return shlex.join(["--name", known.name, *days, "--override"])


def _are_nearly_all(alike: int, more: int) -> bool:
    return alike >= next((share * more for field, share in _NEARLY_ALL if more >= field), math.inf)
