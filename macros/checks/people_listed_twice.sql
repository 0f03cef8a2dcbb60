{#
    People listed twice in one tournament or published ranking, under two ids that aliases merge. Withdrawn results are
    ignored.
#}
{% macro people_listed_twice(declared) -%}
    select
    {{ fault('listed_twice', none, 'row_key', 'player_id', 'player_id', 'first_listed', 'person') }}
    from (
        select
            listed.*,
            coalesce(there.person_id, everywhere.person_id, listed.player_id) as person,
            min(listed.player_id) over (partition by list, person) as first_listed
        from {{ listed_people() }} as listed
        left join tidy_aliases as there on listed.player_id = there.listed_player_id and listed.list = there.tournament_id
        left join tidy_aliases as everywhere on listed.player_id = everywhere.listed_player_id and everywhere.tournament_id = ''
        left join {{ corrected_field('withdrawn', true) }} as withdrawn
            on listed.list = withdrawn.tournament_id and listed.player_id = withdrawn.player_id
        where coalesce(withdrawn.value, 'false') != 'true'
    ) as people
    where player_id != first_listed
{%- endmacro %}


{# Every person whom a tournament or a published ranking lists. #}
{% macro listed_people() -%}
    (
        select
            'raw_results' as seed,
            {{ row_key(['tournament_id', 'player_id']) }} as row_key,
            line,
            trim(tournament_id) as list,
            trim(player_id) as player_id,
            listed_name
        from raw_results

        union all

        select
            'raw_published_rankings' as seed,
            {{ row_key(['ranking_name', 'last_update', 'player_id']) }} as row_key,
            line,
            {{ row_key(['ranking_name', 'last_update']) }} as list,
            trim(player_id) as player_id,
            listed_name
        from raw_published_rankings
    )
{%- endmacro %}
