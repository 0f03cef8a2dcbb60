{#
    Aliases of an unlisted id or to the same id, circles of aliases; and pairs of distinct people that aliases merge, or
    that are out of order.
#}
{% macro faulty_aliases(rows, declared) -%}
    {%- set seed = 'ref_player_aliases' -%}
    {%- set aliases = rows.tidy_aliases %}
    select
    {{ fault(
        seed, 'row_key', 'listed_player_id', "'listed_player_id `' || listed_player_id || '`'",
        "'an id that ' || case when tournament_id = '' then 'a result, a published ranking or ref_players' else tournament_id end || ' lists'",
        candidates="case when tournament_id = '' then 'raw_results.player_id' else 'raw_results.player_id of ' || tournament_id end"
    ) }}
    from {{ aliases }} as aliases
    where
        not exists (
            select 1 from {{ rows.raw_results }} as listed
            where
                trim(listed.player_id) = aliases.listed_player_id
                and (aliases.tournament_id = '' or trim(listed.tournament_id) = aliases.tournament_id)
        )
        and not (
            aliases.tournament_id = ''
            and exists (
                select 1 from {{ rows.raw_published_rankings }} as listed where trim(listed.player_id) = aliases.listed_player_id
                union all
                select 1 from {{ rows.ref_players }} as stated where trim(stated.player_id) = aliases.listed_player_id
                union all
                -- A person whom another alias made, such as one for a single tournament.
                select 1 from {{ aliases }} as others where others.player_id = aliases.listed_player_id
            )
        )

    union all

    select
    {{ fault(seed, 'row_key', 'player_id', "'an alias of `' || listed_player_id || '` to itself'", "'another person'") }}
    from {{ aliases }} as aliases
    where listed_player_id = player_id

    union all

    select
    {{ fault(
        seed, 'row_key', 'player_id',
        "'aliases from `' || listed_player_id || '` in a circle, or more than 16 in a row'",
        "'aliases that lead to a person'"
    ) }}
    from {{ aliases }} as aliases
    where
        listed_player_id != player_id
        and exists (
            select 1 from {{ aliases }} as further
            where further.listed_player_id = aliases.person_id and further.tournament_id = ''
        )

    union all

    select
    {{ fault(
        'ref_player_distinctions', 'row_key', 'other_player_id',
        "'`' || player_id || '` and `' || other_player_id || '`, who are one person by aliases (`' || person || '`)'",
        "'two people, or no such pair'"
    ) }}
    from (
        select
            {{ row_key(['player_id', 'other_player_id'], 'pairs.') }} as row_key,
            pairs.line,
            pairs.player_id,
            pairs.other_player_id,
            coalesce(one.person_id, trim(pairs.player_id)) as person,
            coalesce(other.person_id, trim(pairs.other_player_id)) as other_person
        from {{ rows.ref_player_distinctions }} as pairs
        left join {{ aliases }} as one on trim(pairs.player_id) = one.listed_player_id and one.tournament_id = ''
        left join {{ aliases }} as other on trim(pairs.other_player_id) = other.listed_player_id and other.tournament_id = ''
    ) as people
    where person = other_person and player_id != other_player_id

    union all

    select
    {{ fault(
        'ref_player_distinctions', row_key(['player_id', 'other_player_id']), 'player_id',
        "'player_id `' || player_id || '` before `' || other_player_id || '`'", "'the pair in order, two people'"
    ) }}
    from {{ rows.ref_player_distinctions }}
    where trim(player_id) >= trim(other_player_id)
{%- endmacro %}


{# The aliases with tidy cells, and the person at the end of each chain. An empty tournament means everywhere. #}
{% macro tidy_aliases(rows) -%}
    {%- set tidy -%}
        (
            select
                {{ row_key(['listed_player_id', 'tournament_id']) }} as row_key,
                trim(listed_player_id) as listed_player_id,
                coalesce(trim(tournament_id), '') as tournament_id,
                trim(player_id) as player_id,
                line
            from {{ rows.ref_player_aliases }}
        )
    {%- endset -%}
    {{ resolved_aliases(tidy) }}
{%- endmacro %}
