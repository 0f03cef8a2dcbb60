{# Rows with the key of an earlier row. Codes are case-insensitive. #}
{% macro repeated_keys(seed, declared) -%}
    {%- set parts = [] -%}
    {%- for column in declared.key -%}
        {%- set part = "coalesce(trim(" ~ column ~ "), '')" -%}
        {%- do parts.append('upper(' ~ part ~ ')' if declared.columns[column].text == 'code' else part) -%}
    {%- endfor %}
    select
    {{ fault('repeated', seed, row_key(declared.key), declared.key | join(', '), parts | join(" || ', ' || "), 'min(line) over same_key') }}
    from {{ seed }}
    where {{ parts | join(' || ') }} != ''
    window same_key as (partition by {{ parts | join(', ') }})
    qualify row_number() over (same_key order by line asc nulls last) > 1
{%- endmacro %}
