{# Settings with an invalid value, and a default rating system that the collection does not have. #}
{% macro unfit_settings() -%}
    {%- set host = '([[][0-9a-f:.]+[]]|[A-Za-z0-9._~-]+)(:[0-9]{1,5})?' -%}
    {%- set step = '[A-Za-z0-9._~!$&()*+,;=:%-]' -%}
    {%- set folder = 'https?://' ~ host ~ '/(' ~ step ~ '+/)*' -%}
    {%- set mail = 'mailto:[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+' -%}
    {%- set page = 'https://' ~ host ~ '(/' ~ step ~ '*)*([?][A-Za-z0-9._~&=%+-]*)?' %}
    with checked as (
        select
            trim(settings.setting) as column_name,
            trim(settings.value) as value,
            case when trim(settings.setting) in ('description', 'note') then 500 else 100 end as longest,
            case
                when column_name = 'rating_system' and systems.rating_system_id is null then 'unknown_system'
                when column_name = 'address' and not regexp_full_match(value, '{{ folder }}') then 'unfit_address'
                when column_name = 'contact' and not regexp_full_match(value, '{{ mail }}|{{ page }}') then 'unfit_contact'
                when column_name = 'active_years' and not regexp_full_match(value, '0*([1-9][0-9]?|100)') then 'unfit_years'
                when length(value) > longest then 'too_long'
            end as code
        from {{ ref('ref_settings') }} as settings
        left join {{ ref('stg_rating_systems') }} as systems on trim(settings.value) = systems.rating_system_id
        where trim(settings.value) != ''
    )

    select {{ fault(none, 'ref_settings', 'column_name', none, 'value', 'longest') }}
    from checked

    union all

    select {{ fault('no_default_system', 'ref_settings', "'rating_system'", 'value', 'settings.rating_system') }}
    from {{ ref('stg_settings') }} as settings
    where
        settings.rating_system not in (select systems.rating_system_id from {{ ref('stg_rating_systems') }} as systems)
        and 'rating_system' not in (select checked.column_name from checked)
{%- endmacro %}
