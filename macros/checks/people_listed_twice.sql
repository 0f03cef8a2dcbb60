{#
    People listed twice in one tournament or published ranking, under two ids that aliases merge. Withdrawn results are
    ignored.
#}
{% macro people_listed_twice(rows, declared) -%}
    {%- set found = "'`' || player_id || '` beside `' || first_listed || '`, who are one person by a decision (`' || person || '`)'" -%}
    {%- set way_out = "'If they are two: `dptr distinct ' || first_listed || ' ' || player_id || ' --take-back --reason ...`'" %}
    select
    {{ fault('raw_results', 'row_key', 'player_id', found, "'every person once'", way_out) }}
    from (
        select
            {{ row_key(['tournament_id', 'player_id'], 'results.') }} as row_key,
            results.line,
            results.player_id,
            coalesce(there.person_id, everywhere.person_id, results.player_id) as person,
            min(results.player_id) over (
                partition by results.tournament_id, coalesce(there.person_id, everywhere.person_id, results.player_id)
            ) as first_listed
        from (
            select
                trim(tournament_id) as tournament_id,
                trim(player_id) as player_id,
                line
            from {{ rows.raw_results }}
        ) as results
        left join {{ rows.tidy_aliases }} as there
            on results.player_id = there.listed_player_id and results.tournament_id = there.tournament_id
        left join {{ rows.tidy_aliases }} as everywhere
            on results.player_id = everywhere.listed_player_id and everywhere.tournament_id = ''
        left join {{ corrected_field(rows, 'withdrawn') }} as withdrawn
            on results.tournament_id = withdrawn.tournament_id and results.player_id = withdrawn.player_id
        where coalesce(withdrawn.value, 'false') != 'true'
    ) as listed
    where player_id != first_listed

    union all

    select
    {{ fault('raw_published_rankings', 'row_key', 'player_id', found, "'every person once'", way_out) }}
    from (
        select
            {{ row_key(['ranking_name', 'last_update', 'player_id'], 'ranked.') }} as row_key,
            ranked.line,
            ranked.player_id,
            coalesce(everywhere.person_id, ranked.player_id) as person,
            min(ranked.player_id) over (
                partition by ranked.ranking_name, ranked.last_update, coalesce(everywhere.person_id, ranked.player_id)
            ) as first_listed
        from (
            select
                trim(ranking_name) as ranking_name,
                trim(last_update) as last_update,
                trim(player_id) as player_id,
                line
            from {{ rows.raw_published_rankings }}
        ) as ranked
        left join {{ rows.tidy_aliases }} as everywhere
            on ranked.player_id = everywhere.listed_player_id and everywhere.tournament_id = ''
    ) as listed
    where player_id != first_listed
{%- endmacro %}
