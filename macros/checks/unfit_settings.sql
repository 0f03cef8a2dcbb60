{# Settings with an invalid value, and a default rating system that the collection does not have. #}
{% macro unfit_settings(rows, declared) -%}
    {%- set host = '([[][0-9a-f:.]+[]]|[A-Za-z0-9._~-]+)(:[0-9]{1,5})?' -%}
    {%- set step = '[A-Za-z0-9._~!$&()*+,;=:%-]' -%}
    {%- set patterns = {
        'address': 'https?://' ~ host ~ '/(' ~ step ~ '+/)*',
        'contact': 'mailto:[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+|https://' ~ host ~ '(/' ~ step ~ '*)*([?][A-Za-z0-9._~&=%+-]*)?',
    } -%}
    {%- set expectations = {
        'address': 'the http(s) address of a folder, which ends in `/`, such as `https://ratings.example.org/`',
        'contact': 'a mail or https address, such as `mailto:ratings@example.org` or `https://example.org/errors`',
    } -%}
    {%- set years = {'type': 'integer', 'from': 1, 'to': 100} -%}
    {%- set checks = {} -%}
    {%- for setting in declared.ref_settings.columns.setting.accepted if setting != 'rating_system' -%}
        {%- set check -%}
            {%- if setting in patterns -%}
                case when {{ matches('trim(value)', patterns[setting]) }} then '' else '{{ expectations[setting] }}' end
            {%- elif setting == 'active_years' -%}
                case when {{ fits('value', years) }} then '' else {{ expected_of('value', years) }} end
            {%- else -%}
                {{ text_fault('value', 500 if setting in ('description', 'note') else 100) }}
            {%- endif -%}
        {%- endset -%}
        {%- do checks.setdefault(check, []).append(setting) -%}
    {%- endfor %}
    select
    {{ fault('ref_settings', 'setting', 'value', "trim(setting) || ' `' || value || '`'", 'expected') }}
    from (
        select
            *,
            {{ check_by('trim(setting)', checks) }} as expected
        from {{ rows.ref_settings }}
        where trim(value) != ''
    ) as compared
    where expected != ''

    union all
    {%- set default = var('default_settings').rating_system %}
    select
    {{ fault(
        'ref_settings', "'rating_system'", 'value',
        "case when is_stated then 'rating_system `' || system || '`'
        else 'no rating_system, so that `" ~ default ~ "` is the default, which the collection does not have' end",
        "'a rating_system_id of ref_rating_systems'",
        "'The rating system `" ~ default ~ "` with the published rules is a row of the same seed of the project'",
        "'ref_rating_systems.rating_system_id'"
    ) }}
    from (
        select
            coalesce(max({{ cell('value') }}), '{{ default }}') as system,
            max({{ cell('value') }}) is not null as is_stated,
            max(case when {{ cell('value') }} is not null then line end) as line
        from {{ rows.ref_settings }}
        where trim(setting) = 'rating_system'
    ) as stated
    where not exists (select 1 from {{ rows.ref_rating_systems }} as known where trim(known.rating_system_id) = stated.system)
{%- endmacro %}
