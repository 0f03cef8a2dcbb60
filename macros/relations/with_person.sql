{# The rows of a relation with `tournament_id` and `listed_player_id`, and the person after aliases, for a FROM clause. #}
{% macro with_person(relation) -%}
    (
        select
            listed.*,
            -- An alias for one tournament overrides one for all.
            coalesce(alias_there.player_id, alias_everywhere.player_id, listed.listed_player_id) as player_id
        from {{ relation }} as listed
        left join {{ ref('int_player_aliases') }} as alias_there using (listed_player_id, tournament_id)
        left join {{ ref('int_player_aliases') }} as alias_everywhere
            on
                listed.listed_player_id = alias_everywhere.listed_player_id
                and alias_everywhere.tournament_id is null
    )
{%- endmacro %}
