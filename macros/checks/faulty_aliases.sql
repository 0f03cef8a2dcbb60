{#
    Aliases of an unlisted id or to the same id; and pairs of distinct people that aliases merge, or that are out of order.
#}
{% macro faulty_aliases(declared) -%}
    {%- set seed = 'ref_player_aliases' %}
    select
        case when tournament_id = '' then 'unlisted_id' else 'unlisted_there' end as code,
    {{ fault(none, seed, 'row_key', 'listed_player_id', 'listed_player_id', further='tournament_id') }}
    from tidy_aliases
    where
        not exists (
            select 1 from raw_results as listed
            where
                trim(listed.player_id) = tidy_aliases.listed_player_id
                and tidy_aliases.tournament_id in ('', trim(listed.tournament_id))
        )
        and not (
            tournament_id = ''
            and exists (
                select 1 from raw_published_rankings as listed where trim(listed.player_id) = tidy_aliases.listed_player_id
                union all
                select 1 from ref_players as stated where trim(stated.player_id) = tidy_aliases.listed_player_id
                union all
                -- A person whom another alias made, such as one for a single tournament.
                select 1 from tidy_aliases as others where others.player_id = tidy_aliases.listed_player_id
            )
        )

    union all

    select
    {{ fault('alias_of_itself', seed, 'row_key', 'player_id', 'player_id') }}
    from tidy_aliases
    where listed_player_id = player_id

    union all

    select
    {{ fault('merged_pair', 'ref_player_distinctions', 'row_key', 'other_player_id', 'player_id', 'other_player_id', 'person') }}
    from (
        select
            {{ row_key(['player_id', 'other_player_id'], 'pairs.') }} as row_key,
            pairs.*,
            coalesce(one.person_id, trim(pairs.player_id)) as person,
            coalesce(other.person_id, trim(pairs.other_player_id)) as other_person
        from ref_player_distinctions as pairs
        left join tidy_aliases as one on trim(pairs.player_id) = one.listed_player_id and one.tournament_id = ''
        left join tidy_aliases as other on trim(pairs.other_player_id) = other.listed_player_id and other.tournament_id = ''
    ) as people
    where person = other_person and player_id != other_player_id

    union all

    select
    {{ fault('disordered_pair', 'ref_player_distinctions', row_key(['player_id', 'other_player_id']), 'player_id', 'player_id', 'other_player_id') }}
    from ref_player_distinctions
    where trim(player_id) >= trim(other_player_id)
{%- endmacro %}


{# The aliases with tidy cells, and the person at the end of each chain. An empty tournament means everywhere. #}
{% macro tidy_aliases() -%}
    {%- set tidy -%}
        (
            select
                {{ row_key(['listed_player_id', 'tournament_id']) }} as row_key,
                trim(listed_player_id) as listed_player_id,
                coalesce(trim(tournament_id), '') as tournament_id,
                trim(player_id) as player_id,
                line
            from ref_player_aliases
        )
    {%- endset -%}
    {{ resolved_aliases(tidy) }}
{%- endmacro %}


{# Aliases that end at no person: circles, and chains longer than `resolved_aliases` follows. #}
{% macro endless_aliases(declared) -%}
    select
    {{ fault('circle_of_aliases', 'ref_player_aliases', 'row_key', 'player_id', 'listed_player_id') }}
    from tidy_aliases
    where
        listed_player_id != player_id
        and person_id in (select chained.listed_player_id from tidy_aliases as chained where chained.tournament_id = '')
{%- endmacro %}
