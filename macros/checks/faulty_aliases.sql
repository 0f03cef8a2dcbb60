{#
    Aliases of an unlisted id, aliases of an id to itself, circles, and chains longer than `int_player_aliases` follows.
#}
{% macro faulty_aliases() -%}
    with known as (
        select listed_player_id from {{ ref('stg_results') }}
        union
        select listed_player_id from {{ ref('stg_published_rankings') }}
        union
        select player_id from {{ ref('stg_players') }}
        union
        -- A person whom another alias made, such as one for a single tournament.
        select player_id from {{ ref('stg_player_aliases') }}
    ),

    checked as (
        select
            stated.*,
            case
                when stated.listed_player_id = stated.player_id then 'alias_of_itself'
                when ends.listed_player_id is not null then 'circle_of_aliases'
                when stated.tournament_id is null and known.listed_player_id is null then 'unlisted_id'
                when stated.tournament_id is not null and results.listed_player_id is null then 'unlisted_there'
            end as code,
            case when code like 'unlisted%' then 'listed_player_id' else 'player_id' end as column_name
        from {{ ref('stg_player_aliases') }} as stated
        left join {{ ref('int_player_aliases') }} as resolved
            on
                stated.listed_player_id = resolved.listed_player_id
                and stated.tournament_id is not distinct from resolved.tournament_id
        left join {{ ref('stg_player_aliases') }} as ends
            on resolved.player_id = ends.listed_player_id and ends.tournament_id is null
        left join known on stated.listed_player_id = known.listed_player_id
        left join {{ ref('int_results') }} as results
            on stated.tournament_id = results.tournament_id and stated.listed_player_id = results.listed_player_id
    )

    select
    {{ fault(
        none, 'ref_player_aliases', ['listed_player_id', "coalesce(tournament_id, '')"], none, 'listed_player_id',
        further="coalesce(tournament_id, '')"
    ) }}
    from checked
{%- endmacro %}
