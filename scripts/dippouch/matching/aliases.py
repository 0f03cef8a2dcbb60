"""Who can be told from whom by playing or being ranked together, after aliases."""

from __future__ import annotations

from dippouch.seeds.schema import ALIASES, CORRECTIONS, PUBLISHED_RANKINGS, RESULTS
from dippouch.seeds.store import Collection


def shared_tournaments(collection: Collection, one: str, other: str) -> list[str]:
    """The tournaments that have a result, not withdrawn, of each of two listed ids, or of whoever else is the same person."""
    found = collection.query(
        f"""
        with people as (
            select results.tournament_id, coalesce(there.player_id, everywhere.player_id, results.player_id) as person
            from {RESULTS.name} as results
            left join {ALIASES.name} as there
                on results.player_id = there.listed_player_id and results.tournament_id = there.tournament_id
            left join {ALIASES.name} as everywhere
                on results.player_id = everywhere.listed_player_id and everywhere.tournament_id = ''
            where coalesce((
                select decided.value from {CORRECTIONS.name} as decided
                where decided.tournament_id = results.tournament_id and decided.player_id = results.player_id
                    and decided.field = 'withdrawn'
                order by cast(decided.correction_number as integer) desc limit 1
            ), '') != 'true' and results.player_id in (
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
    return [tournament_id for (tournament_id,) in found]


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
