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
{% macro asked_player() -%}
    coalesce(
        (
            select asked.player_id
            from {{ mart('players') }} as asked
            where asked.player_id = player
        ),
        error(
            'found ' || coalesce('the player `' || player || '`', 'no player')
            || '; expected a player_id of marts.players, as in player => ''edi-birsan'''
        )
    )
{%- endmacro %}
