-- An alias that fits nobody does nothing, without an error: a misspelt id would leave two people unmerged.
with listed as (
    select
        listed_player_id,
        tournament_id
    from {{ ref('stg_results') }}

    union all

    select
        listed_player_id,
        cast(null as string) as tournament_id
    from {{ ref('stg_published_rankings') }}
)

select
    aliases.listed_player_id,
    aliases.tournament_id,
    aliases.player_id
from {{ ref('stg_player_aliases') }} as aliases
where
    not exists (
        select 1
        from listed
        where
            listed.listed_player_id = aliases.listed_player_id
            and (aliases.tournament_id is null or listed.tournament_id = aliases.tournament_id)
    )
