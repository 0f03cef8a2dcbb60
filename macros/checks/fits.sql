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
    {%- else -%}
        true
    {%- endif -%}
{%- endmacro %}


{#
    The code of the requirement that a cell fails: that of its declaration, or for all other text a maximum length,
    visible characters, and no formula in a spreadsheet, even in one that splits rows at semicolons. Empty for a valid
    cell; nothing for a reference, whose row is checked, and for a cell with a check of its own.
#}
{% macro code_of_cell(column, declared) -%}
    {%- if declared.type or declared.accepted or declared.text in ('id', 'sha256') -%}
        case when {{ fits(column, declared) }} then '' else 'unfit' end
    {%- elif not (declared.reference or declared.checked_by) -%}
        {%- set text = 'trim(' ~ column ~ ')' -%}
        {#- Almost every text, and a score below zero. -#}
        {%- set plain = '-?[0-9]+([.,][0-9]+)?|[A-Za-z0-9][A-Za-z0-9 .,_:()/-]*' -%}
        {#- Control and private-use characters, and blank or invisible ones. -#}
        {%- set seen = '[^\\p{Cc}\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}\\x{034F}\\x{115F}\\x{1160}\\x{17B4}\\x{17B5}\\x{180B}-\\x{180F}\\x{2800}'
            ~ '\\x{3164}\\x{FFA0}\\x{FFFD}\\x{E0100}-\\x{E01EF}]*' -%}
        case
            {%- if declared.text == 'code' %}
            -- A correction to `none` removes a code.
            when upper({{ text }}) = 'NONE' then 'reserved'
            {%- endif %}
            -- Fast path.
            when {{ matches(text, plain) }} and length({{ text }}) <= {{ declared.longest or 10000 }} then ''
            when length({{ text }}) > {{ declared.longest or 10000 }} then 'too_long'
            when not {{ matches(text, seen) }} then 'invisible'
            when {{ matches(text, '(.*; *)?[=+@＝＋－＠-].*') }} then 'formula'
            else ''
        end
    {%- endif -%}
{%- endmacro %}


{# Whether an entire text matches a regular expression. #}
{% macro matches(text, pattern) -%}
    regexp_full_match({{ text }}, '{{ pattern }}')
{%- endmacro %}
