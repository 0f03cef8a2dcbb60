{# Settings with an invalid value, and a default rating system that the collection does not have. #}
{% macro unfit_settings(declared) -%}
    {%- set host = '([[][0-9a-f:.]+[]]|[A-Za-z0-9._~-]+)(:[0-9]{1,5})?' -%}
    {%- set step = '[A-Za-z0-9._~!$&()*+,;=:%-]' -%}
    {%- set patterns = {
        'address': 'https?://' ~ host ~ '/(' ~ step ~ '+/)*',
        'contact': 'mailto:[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+|https://' ~ host ~ '(/' ~ step ~ '*)*([?][A-Za-z0-9._~&=%+-]*)?',
    } -%}
    {%- set checks = {} -%}
    {%- for setting in declared.ref_settings.columns.setting.accepted if setting != 'rating_system' -%}
        {%- set check -%}
            {%- if setting in patterns -%}
                case when not {{ matches('trim(value)', patterns[setting]) }} then 'unfit_{{ setting }}' else '' end
            {%- elif setting == 'active_years' -%}
                case when not {{ fits('value', {'type': 'integer', 'from': 1, 'to': 100}) }} then 'unfit_years' else '' end
            {%- else -%}
                {{ code_of_cell('value', {'longest': 500 if setting in ('description', 'note') else 100}) }}
            {%- endif -%}
        {%- endset -%}
        {%- do checks.setdefault(check, []).append(setting) -%}
    {%- endfor %}
    select
        {{ code_by('column_name', checks) }} as code,
    {{ fault(
        none, 'ref_settings', 'column_name', none, 'value',
        "case when column_name in ('description', 'note') then 500 else 100 end"
    ) }}
    from (select *, trim(setting) as column_name from ref_settings) as settings
    where trim(value) != '' and code != ''

    union all

    select
        case when stated is null then 'no_default_system' else 'unknown_system' end as code,
    {{ fault(none, 'ref_settings', "'rating_system'", 'value', 'system') }}
    from (
        select
            max({{ cell('value') }}) as stated,
            coalesce(stated, '{{ var('default_settings').rating_system }}') as system,
            max(case when {{ cell('value') }} is not null then line end) as line
        from ref_settings
        where trim(setting) = 'rating_system'
    ) as settings
    where system not in (select trim(known.rating_system_id) from ref_rating_systems as known where known.rating_system_id is not null)
{%- endmacro %}
