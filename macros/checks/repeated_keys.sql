{# Rows with the key of an earlier row. Codes are case-insensitive. #}
{% macro repeated_keys(seed, rows, declared) -%}
    {%- set parts = [] -%}
    {%- for column in declared.key -%}
        {%- set part = "coalesce(trim(" ~ column ~ "), '')" -%}
        {%- do parts.append('upper(' ~ part ~ ')' if declared.columns[column].text == 'code' else part) -%}
    {%- endfor -%}
    {%- set key = declared.key | join(', ') -%}
    {%- set cells = parts | join(" || ', ' || ") %}
    select
    {{ fault(
        seed, row_key(declared.key), declared.key[0],
        "'" ~ key ~ " `' || " ~ cells ~ " || '` again' || coalesce(', as in line ' || cast(first_line as string), '')",
        quoted(key ~ ' to be unique')
    ) }}
    from (
        select
            *,
            min(line) over (partition by {{ parts | join(', ') }}) as first_line,
            row_number() over (partition by {{ parts | join(', ') }} order by line asc nulls last) as occurrence
        from {{ rows }}
        where {{ parts | join(' || ') }} != ''
    ) as occurrences
    where occurrence > 1
{%- endmacro %}
