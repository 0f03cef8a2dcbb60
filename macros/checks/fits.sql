{#
    Whether a cell that is not empty satisfies the declaration of its column: type and range, accepted values, or kind
    of text. The only definition of a whole number, a day, an id and so on.
#}
{% macro fits(column, declared) -%}
    {%- set text = 'trim(' ~ column ~ ')' -%}
    {%- if declared.type == 'integer' -%}
        coalesce({{ matches(text, '-?[0-9]{1,10}') }} and try_cast({{ text }} as bigint) between {{ declared.from }} and {{ declared.to }}, false)
    {%- elif declared.type in ('decimal(9,2)', 'double') -%}
        {%- set pattern = '-?[0-9]{1,7}([.][0-9]{1,2})?' if declared.type != 'double' else '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]{1,2})?' -%}
        coalesce({{ matches(text, pattern) }} and try_cast({{ text }} as double) between {{ declared.from }} and {{ declared.to }}, false)
    {%- elif declared.type == 'date' -%}
        coalesce(
            {{ matches(column, '[0-9]{4}-[0-9]{2}-[0-9]{2}') }}
            and try_cast({{ column }} as date) between cast('{{ declared.from }}' as date) and cast('{{ declared.to }}' as date),
            false
        )
    {%- elif declared.type == 'boolean' -%}
        lower({{ text }}) in ('true', 'false')
    {%- elif declared.accepted -%}
        {{ text }} in ({% for value in declared.accepted %}{{ ', ' if not loop.first }}{{ quoted(value) }}{% endfor %})
    {%- elif declared.text == 'sha256' -%}
        {{ matches(column, '[0-9a-f]{64}') }}
    {%- elif declared.text == 'id' -%}
        {%- set ids = var('ids') -%}
        ({{ matches(text, ids.pattern) }} and not {{ matches(text, ids.taken) }} and length({{ text }}) <= {{ ids.longest }})
    {%- elif declared.text in ('plain', 'person') -%}
        {{ text_fault(column, declared.longest) }} = ''
    {%- else -%}
        true
    {%- endif -%}
{%- endmacro %}


{# The expected content of a cell by the declaration of its column, as SQL. #}
{% macro expected_of(column, declared) -%}
    {%- set bounds = 'from ' ~ declared.from ~ ' to ' ~ declared.to -%}
    {%- if declared.type == 'integer' -%}
        {{ quoted('a whole number ' ~ bounds) }}
    {%- elif declared.type == 'decimal(9,2)' -%}
        {{ quoted('a number ' ~ bounds ~ ' with a point and at most 2 decimals, such as `12.34`') }}
    {%- elif declared.type == 'double' -%}
        {{ quoted('a number ' ~ bounds ~ ', with a point, such as `3.5`') }}
    {%- elif declared.type == 'date' -%}
        {{ quoted('a day as YYYY-MM-DD, ' ~ bounds) }}
    {%- elif declared.type == 'boolean' -%}
        '`true` or `false`'
    {%- elif declared.accepted -%}
        {{ quoted('one of ' ~ declared.accepted | join(', ')) }}
    {%- elif declared.text == 'sha256' -%}
        '64 hexadecimal digits'
    {%- elif declared.text == 'id' -%}
        case
            when {{ matches('trim(' ~ column ~ ')', var('ids').taken) }}
                then 'another id, because `' || trim({{ column }}) || '` is a reserved file name'
            else 'an id of small letters and digits, with hyphens between words, and at most {{ var('ids').longest }} characters,'
                || ' such as `john-smith-2`'
        end
    {%- else -%}
        {{ text_fault(column, declared.longest) }}
    {%- endif -%}
{%- endmacro %}
