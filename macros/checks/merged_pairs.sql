{# Pairs of distinct people whom aliases merge, and pairs that are not in alphabetical order. #}
{% macro merged_pairs() -%}
    with pairs as (
        select
            trim(pairs.player_id) as player_id,
            trim(pairs.other_player_id) as other_player_id,
            coalesce(one.player_id, trim(pairs.player_id)) as person,
            coalesce(other.player_id, trim(pairs.other_player_id)) as other_person
        from {{ ref('ref_player_distinctions') }} as pairs
        left join {{ ref('int_player_aliases') }} as one
            on trim(pairs.player_id) = one.listed_player_id and one.tournament_id is null
        left join {{ ref('int_player_aliases') }} as other
            on trim(pairs.other_player_id) = other.listed_player_id and other.tournament_id is null
    )

    select
    {{ fault('merged_pair', 'ref_player_distinctions', ['player_id', 'other_player_id'], 'other_player_id', 'player_id', 'other_player_id', 'person') }}
    from pairs
    where person = other_person and player_id != other_player_id

    union all

    select
    {{ fault('disordered_pair', 'ref_player_distinctions', ['player_id', 'other_player_id'], 'player_id', 'player_id', 'other_player_id') }}
    from pairs
    where player_id >= other_player_id
{%- endmacro %}
