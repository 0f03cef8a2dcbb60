"""Who can be told from whom by playing or being ranked together, after aliases."""

from __future__ import annotations

from dippouch.seeds.corrections import withdrawn_results
from dippouch.seeds.schema import ALIASES, PUBLISHED_RANKINGS, RESULTS
from dippouch.seeds.store import Collection


def shared_tournaments(collection: Collection, one: str, other: str) -> list[str]:
    """The tournaments that have a result of each of two listed ids, or of whoever else is the same person."""
    found = collection.query(
        f"""
        with people as (
            select results.tournament_id, coalesce(there.player_id, everywhere.player_id, results.player_id) as person
            from {RESULTS.name} as results
            left join {ALIASES.name} as there
                on results.player_id = there.listed_player_id and results.tournament_id = there.tournament_id
            left join {ALIASES.name} as everywhere
                on results.player_id = everywhere.listed_player_id and everywhere.tournament_id = ''
            where results.player_id in (
                select $one union select $other union
                select listed_player_id from {ALIASES.name} where player_id in ($one, $other)
            )
        )
        select tournament_id from people where person = $one
        intersect
        select tournament_id from people where person = $other
        """,
        {"one": one, "other": other},
    )
    shared = [tournament_id for (tournament_id,) in found]
    return [
        tournament_id for tournament_id in shared if not {one, other} & withdrawn_results(collection, tournament_id)
    ]


def are_listed_together(collection: Collection, one: str, other: str) -> bool:
    """Whether one tournament or one published ranking lists two ids, so that they are two people."""
    found = collection.query(
        f"select 1 from {RESULTS.name} as a join {RESULTS.name} as b using (tournament_id)"
        " where a.player_id = $one and b.player_id = $other"
        f" union all select 1 from {PUBLISHED_RANKINGS.name} as a"
        f" join {PUBLISHED_RANKINGS.name} as b using (ranking_name, last_update)"
        " where a.player_id = $one and b.player_id = $other limit 1",
        {"one": one, "other": other},
    )
    return next(found, None) is not None


def are_ranked_together(collection: Collection, one: str, other: str) -> bool:
    """Whether one published ranking lists two people, under these ids or under others that are theirs."""
    found = collection.query(
        f"""
        with people as (
            select ranking_name, last_update, coalesce(everywhere.player_id, ranked.player_id) as person
            from {PUBLISHED_RANKINGS.name} as ranked
            left join {ALIASES.name} as everywhere
                on ranked.player_id = everywhere.listed_player_id and everywhere.tournament_id = ''
        )
        select 1 from people as a join people as b using (ranking_name, last_update)
        where a.person = $one and b.person = $other limit 1
        """,
        {"one": one, "other": other},
    )
    return next(found, None) is not None
