{# The rating system passed to a function, or the default one. An unknown id is an error, not an empty result. #}
{% macro asked_system() -%}
    coalesce(
        (
            select systems.rating_system_id
            from {{ mart('rating_systems') }} as systems
            where coalesce(systems.rating_system_id = system, systems.is_default)
        ),
        error('found the rating system `' || system || '`; expected a rating_system_id of marts.rating_systems')
    )
{%- endmacro %}


{# The player passed to a function. An unknown id is an error, not an empty result. #}
{% macro asked_player(argument='player', example="player => ''edi-birsan''") -%}
    coalesce(
        (
            select asked.player_id
            from {{ mart('players') }} as asked
            where asked.player_id = {{ argument }}
        ),
        error(
            'found ' || coalesce('the player `' || {{ argument }} || '`', 'no player')
            || '; expected a player_id of marts.players, as in {{ example }}'
        )
    )
{%- endmacro %}


{# The players passed to a function as `player_ids`, without repetitions, numbered in the order of the list. An unknown id is an error. #}
{% macro asked_players() -%}
    select
        {{ asked_player('named.player_id', "player_ids => [''edi-birsan'', ''toby-harris'']") }} as player_id,
        cast(row_number() over (order by min(named.number)) as integer) as player_number
    from (
        select
            unnest(player_ids) as player_id,
            generate_subscripts(player_ids, 1) as number
    ) as named
    group by named.player_id
{%- endmacro %}
