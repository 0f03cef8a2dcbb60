{#
    Rule: of several corrections of one field, the last is in force. A correction without a value is in force, too: it
    restores the document's value.
#}
{% macro is_in_force(tournament_id, player_id, field, correction_number) -%}
    row_number() over (
        partition by {{ tournament_id }}, {{ player_id }}, {{ field }}
        order by {{ correction_number }} desc
    ) = 1
{%- endmacro %}


{# The corrections with tidy cells, the value in force before each, and whether each is in force. #}
{% macro tidy_corrections(rows) -%}
    select
        *,
        {{ is_in_force('tournament_id', 'player_id', 'field', 'number') }} as is_in_force,
        lag(value) over in_order as value_before,
        lag(line) over in_order as line_before
    from (
        select
            coalesce(try_cast(trim(correction_number) as bigint), 0) as number,
            trim(correction_number) as row_key,
            trim(tournament_id) as tournament_id,
            coalesce(trim(player_id), '') as player_id,
            trim(field) as field,
            -- Codes are case-insensitive.
            case
                when trim(field) in ('kind', 'nation_code', 'location_code') and trim(value) != 'none'
                    then upper({{ cell('value') }})
                else {{ cell('value') }}
            end as value,
            line
        from {{ rows.ref_corrections }}
    ) as corrections
    window in_order as (partition by tournament_id, player_id, field order by number asc nulls first)
{%- endmacro %}


{# One field of tournaments or results with the corrections in force: `tournament_id`, `player_id`, `value`, `line`. #}
{% macro corrected_field(rows, field) -%}
    (
        select tournament_id, player_id, value, line
        from {{ rows.tidy_corrections }} as decided
        where is_in_force and field = '{{ field }}' and value is not null
    )
{%- endmacro %}


{# Corrections of names in force, with the resulting first and last names. #}
{% macro corrected_names(rows) -%}
    select
        decided.row_key,
        decided.line,
        decided.value,
        coalesce(first_names.value, trim(results.first_name), '') as first,
        coalesce(last_names.value, trim(results.last_name), '') as last
    from {{ rows.tidy_corrections }} as decided
    inner join {{ rows.raw_results }} as results
        on decided.tournament_id = trim(results.tournament_id) and decided.player_id = trim(results.player_id)
    left join {{ corrected_field(rows, 'first_name') }} as first_names
        on decided.tournament_id = first_names.tournament_id and decided.player_id = first_names.player_id
    left join {{ corrected_field(rows, 'last_name') }} as last_names
        on decided.tournament_id = last_names.tournament_id and decided.player_id = last_names.player_id
    where decided.is_in_force and decided.value is not null and decided.field in ('first_name', 'last_name')
{%- endmacro %}
