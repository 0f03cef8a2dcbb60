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
{% macro asked_player(argument='player') -%}
    coalesce(
        (
            select asked.player_id
            from {{ mart('players') }} as asked
            where asked.player_id = {{ argument }}
        ),
        error(
            'found ' || coalesce('the player `' || {{ argument }} || '`', 'no player')
            || '; expected a player_id of marts.players, as in {{ argument }} => ''edi-birsan'''
        )
    )
{%- endmacro %}
