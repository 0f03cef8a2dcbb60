{# Rows with the key of an earlier row. Codes are case-insensitive. #}
{% macro repeated_keys(seed, declared) -%}
    {%- set parts = [] -%}
    {%- for column in declared.key -%}
        {%- set part = "coalesce(trim(" ~ column ~ "), '')" -%}
        {%- do parts.append('upper(' ~ part ~ ')' if declared.columns[column].text == 'code' else part) -%}
    {%- endfor %}
    select
    {{ fault('repeated', seed, row_key(declared.key), declared.key | join(', '), parts | join(" || ', ' || "), 'first_line') }}
    from (
        select
            *,
            min(line) over (partition by {{ parts | join(', ') }}) as first_line,
            row_number() over (partition by {{ parts | join(', ') }} order by line asc nulls last) as occurrence
        from {{ seed }}
        where {{ parts | join(' || ') }} != ''
    ) as occurrences
    where occurrence > 1
{%- endmacro %}
