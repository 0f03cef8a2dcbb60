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


{# The corrections with tidy cells, the corrected column, the value in force before, and whether each is in force. #}
{% macro tidy_corrections() -%}
    select
        *,
        case when player_id = '' then 'raw_tournaments' else 'raw_results' end as about,
        about || '.' || field as corrected,
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
        from ref_corrections
    ) as corrections
    window in_order as (partition by tournament_id, player_id, field order by number asc nulls first)
{%- endmacro %}


{# The values in force of one field of tournaments, or of results. #}
{% macro corrected_field(field, of_player=false) -%}
    (
        select *
        from tidy_corrections
        where is_in_force and field = '{{ field }}' and value is not null and (player_id != '') = {{ of_player }}
    )
{%- endmacro %}
