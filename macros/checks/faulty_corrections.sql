{#
    Corrections of an unknown field or an unlisted player, or without effect. `cell_faults` checks the values of fields.

    The check ignores what documents state: a later document may agree with the correction.
#}
{% macro faulty_corrections() -%}
    with corrections as (
        select
            *,
            case when listed_player_id is null then 'raw_tournaments' else 'raw_results' end as corrected_seed,
            -- Codes are case-insensitive.
            case
                when field in ('kind', 'nation_code', 'location_code') then upper(corrected_value) else corrected_value
            end as same_value,
            lag(same_value, 1, case when field = 'withdrawn' then 'false' end) over (
                partition by tournament_id, listed_player_id, field order by correction_number
            ) as value_before
        from {{ ref('stg_corrections') }}
    ),

    checked as (
        select
            corrections.*,
            case
                when corrections.listed_player_id is not null and listed.document_id is null then 'unlisted_player'
                when
                    {% for seed, fields in var('correctable').items() -%}
                    not (corrected_seed = '{{ seed }}' and corrections.field in ('withdrawn', '{{ fields | join("', '") }}'))
                    {{ 'and ' if not loop.last }}
                    {%- endfor %}
                    then 'unknown_field'
                when corrections.field = 'withdrawn' and coalesce(same_value, '') not in ('true', 'false') then 'unfit_withdrawal'
                when coalesce(same_value, '') = coalesce(value_before, '') then 'no_effect'
            end as code,
            case code when 'unlisted_player' then 'player_id' when 'unknown_field' then 'field' else 'value' end as column_name
        from corrections
        left join {{ ref('int_results') }} as listed using (tournament_id, listed_player_id)
        -- `cell_faults` reports an unknown tournament.
        where corrections.tournament_id in (select known.tournament_id from {{ ref('int_tournaments') }} as known)
    )

    select
    {{ fault(
        none, 'ref_corrections', 'correction_number', none,
        "case code when 'unlisted_player' then listed_player_id when 'unknown_field' then field else corrected_value end",
        further="case code when 'unlisted_player' then tournament_id when 'unknown_field' then corrected_seed else field end"
    ) }}
    from checked
{%- endmacro %}
