{#
    Placements that do not fit the tournament: more placements than declared players, a placement above that number, or
    a tie without room. Tied players share the best placement of the tie: after k players at placement p, the next
    placement is at least p + k (1, 2, 2, 4). `placed` is no table, to save memory.
#}
{% macro crowded_placements() -%}
    with placed as not materialized (
        select
            document_id || ' ' || tournament_id || ' ' || listed_player_id as row_key,
            tournament_id,
            placement,
            players,
            count(*) over (partition by tournament_id) as placements,
            max(placement) over (partition by tournament_id) as largest
        from {{ ref('int_results') }}
        where placement is not null and not is_result_withdrawn
    ),

    ties as (
        -- After the last placement of a tournament follows the number of its players + 1.
        select
            placement,
            count(*) as tied,
            max(row_key) as last_key,
            lead(placement, 1, players + 1) over in_order as following,
            lead(min(row_key)) over in_order as following_key,
            case when following_key is null then 'tie_beyond_players' else 'crowded_placement' end as code
        from placed
        where players is null or (placements <= players and largest <= players)
        group by tournament_id, players, placement
        window in_order as (partition by tournament_id order by placement)
    )

    select distinct
    {{ fault('too_few_players', 'raw_tournaments', ['tournaments.document_id', 'tournaments.tournament_id'], 'players', 'tournaments.players', 'placed.placements') }}
    from placed
    inner join {{ ref('int_tournaments') }} as tournaments using (tournament_id)
    where placed.placements > placed.players

    union all

    select {{ fault('beyond_players', 'raw_results', 'row_key', 'placement', 'placement', 'players') }}
    from placed
    where placement > players and placements <= players

    union all

    select {{ fault(none, 'raw_results', 'coalesce(following_key, last_key)', 'placement', 'following', 'placement', 'tied') }}
    from ties
    where following < placement + tied
{%- endmacro %}
