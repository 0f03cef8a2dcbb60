{# Aliases that end at no person: circles, and chains longer than `resolved_aliases` follows. #}
{% macro endless_aliases(declared) -%}
    select
    {{ fault('circle_of_aliases', 'ref_player_aliases', 'row_key', 'player_id', 'listed_player_id') }}
    from tidy_aliases
    where
        listed_player_id != player_id
        and person_id in (select chained.listed_player_id from tidy_aliases as chained where chained.tournament_id = '')
{%- endmacro %}
