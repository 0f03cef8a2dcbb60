"""All that is published of one player, read from the marts."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dippouch.db import query
from dippouch.query.lookup import Player, full_name

# What each of the queries below begins with.
_ASKED = "with asked as (select ? as rating_system_id, ? as player_id)"

_STANDING = f"""
{_ASKED},

best as (
    -- Of several as good, the one in the largest field.
    select results.player_id, results.placement, tournaments.players, tournaments.name
    from marts.tournament_results as results
    inner join marts.tournaments as tournaments on results.tournament_id = tournaments.tournament_id
    where results.player_id = (select player_id from asked) and results.placement is not null
    order by results.placement, tournaments.players desc nulls last, tournaments.ended_on, tournaments.tournament_id
    limit 1
)

select
    systems.rating_system_id,
    players.player_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    (
        select any_value(nations.nation_name) from marts.national_ranking as nations
        where nations.nation_code = players.nation_code
    ) as nation_name,
    coalesce(ranking.rating, systems.initial_rating) as rating,
    ranking.rank,
    (
        select count(*) from marts.international_ranking as everybody
        where everybody.rating_system_id = systems.rating_system_id
    ) as ranked_players,
    nation.national_rank,
    (
        select count(*) from marts.national_ranking as compatriots
        where
            compatriots.rating_system_id = systems.rating_system_id
            and compatriots.nation_code = players.nation_code
    ) as ranked_players_of_nation,
    records.peak_rating,
    records.peak_on,
    records.best_year_end_rank,
    records.best_year,
    players.tournaments_played,
    coalesce(ranking.tournaments_counted, 0) as tournaments_counted,
    players.first_played_on,
    players.last_played_on,
    coalesce(careers.gold_medals, 0) as gold_medals,
    coalesce(careers.silver_medals, 0) as silver_medals,
    coalesce(careers.bronze_medals, 0) as bronze_medals,
    best.placement as best_placement,
    best.players as best_placement_of,
    best.name as best_placement_in,
    (
        select coalesce(list(distinct aliases.listed_player_id order by aliases.listed_player_id), [])
        from marts.player_aliases as aliases
        where aliases.player_id = players.player_id
    ) as aliases
from asked
inner join marts.rating_systems as systems on asked.rating_system_id = systems.rating_system_id
inner join marts.players as players on asked.player_id = players.player_id
left join marts.international_ranking as ranking
    on systems.rating_system_id = ranking.rating_system_id and players.player_id = ranking.player_id
left join marts.national_ranking as nation
    on systems.rating_system_id = nation.rating_system_id and players.player_id = nation.player_id
left join marts.player_records as records
    on systems.rating_system_id = records.rating_system_id and players.player_id = records.player_id
left join marts.careers as careers on players.player_id = careers.player_id
left join best on players.player_id = best.player_id
"""

_HISTORY = f"""
{_ASKED}

select
    tournaments.ended_on,
    tournaments.tournament_id,
    tournaments.name as tournament,
    results.placement,
    tournaments.players,
    results.percentile_score,
    included.tournament_value,
    history.rating_before,
    history.rating_change,
    history.rating_after,
    case
        when results.placement is null then 'no placement'
        when not included.is_counted then included.value_rule
    end as not_counted_because
from asked
inner join marts.tournament_results as results on asked.player_id = results.player_id
inner join marts.tournaments as tournaments on results.tournament_id = tournaments.tournament_id
inner join marts.included_tournaments as included
    on asked.rating_system_id = included.rating_system_id and results.tournament_id = included.tournament_id
left join marts.rating_history as history
    on
        asked.rating_system_id = history.rating_system_id
        and results.player_id = history.player_id
        and results.tournament_id = history.tournament_id
order by tournaments.ended_on, tournaments.started_on, tournaments.tournament_id
"""

_BREAKDOWN = f"""
{_ASKED}

select
    breakdown.event_number,
    breakdown.tournament_id,
    tournaments.name as tournament,
    breakdown.weight,
    breakdown.percentile_score,
    breakdown.contribution
from asked
inner join marts.rating_breakdown as breakdown
    on asked.rating_system_id = breakdown.rating_system_id and asked.player_id = breakdown.player_id
left join marts.tournaments as tournaments on breakdown.tournament_id = tournaments.tournament_id
order by breakdown.event_number
"""

_MEANT = """
select
    players.player_id,
    players.first_name,
    players.last_name,
    players.nation_code,
    ranking.rank
from marts.players as players
left join marts.international_ranking as ranking
    on players.player_id = ranking.player_id and ranking.rating_system_id = ?
where players.player_id in (select unnest(?))
order by ranking.rank nulls last, players.player_id
"""


@dataclass(frozen=True)
class Standing:
    """Where somebody stands under a rating system; None: not stated, not ranked, or never placed."""

    rating_system_id: str
    player_id: str
    first_name: str | None
    last_name: str | None
    nation_code: str | None
    nation_name: str | None
    rating: float
    rank: int | None
    ranked_players: int
    national_rank: int | None
    ranked_players_of_nation: int
    peak_rating: float | None
    peak_on: date | None
    best_year_end_rank: int | None
    best_year: int | None
    tournaments_played: int
    tournaments_counted: int
    first_played_on: date | None
    last_played_on: date | None
    gold_medals: int
    silver_medals: int
    bronze_medals: int
    best_placement: int | None
    best_placement_of: int | None
    best_placement_in: str | None
    aliases: list[str]

    @property
    def name(self) -> str:
        """The name in one line."""
        return full_name(self.first_name, self.last_name)


@dataclass(frozen=True)
class Played:
    """A tournament that lists somebody, and what it did to the rating.

    Attributes:
        not_counted_because: why the rating is what it was; None where the tournament counted.
    """

    ended_on: date
    tournament_id: str
    tournament: str
    placement: int | None
    players: int | None
    percentile_score: float | None
    tournament_value: float
    rating_before: float | None
    rating_change: float | None
    rating_after: float | None
    not_counted_because: str | None


@dataclass(frozen=True)
class Part:
    """What a tournament still makes of today's rating; the initial rating has number 0, and no tournament."""

    event_number: int
    tournament_id: str | None
    tournament: str | None
    weight: float
    percentile_score: float
    contribution: float


@dataclass(frozen=True)
class PlayerReport:
    """All that is published of one player: contributions of the parts add up to the rating."""

    standing: Standing
    history: list[Played]
    rating_breakdown: list[Part]


@dataclass(frozen=True)
class Meant:
    """Somebody whom a part of a name may mean."""

    player_id: str
    first_name: str | None
    last_name: str | None
    nation_code: str | None
    rank: int | None


def player_report(database: Path, system: str, player: Player) -> PlayerReport:
    """All that is published of one player, by one rating system."""
    asked = [system, player.player_id]
    (standing,) = (Standing(**row) for row in query(database, _STANDING, asked))
    return PlayerReport(
        standing,
        [Played(**row) for row in query(database, _HISTORY, asked)],
        [Part(**row) for row in query(database, _BREAKDOWN, asked)],
    )


def meant_players(database: Path, system: str, players: list[Player]) -> list[Meant]:
    """Who several players are, the best of them first."""
    ids = [player.player_id for player in players]
    return [Meant(**row) for row in query(database, _MEANT, [system, ids])]
