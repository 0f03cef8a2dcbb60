{#
    What is expected of a text that cannot be shown, or that a spreadsheet would run; empty for one that can.

    Python callers register a function of this name that also names the character (`names.py` holds the rules of Unicode). dbt, which has
    no such function, gets the plain part of the same rule.
#}
{% macro text_fault(column, longest) -%}
    {%- set longest = longest or 10000 -%}
    {%- if python_functions is defined -%}
        {#- Letters, digits and blanks need no function. -#}
        case
            when {{ matches(column, '[A-Za-z0-9][A-Za-z0-9 .,_:;()/-]*') }} and length({{ column }}) <= {{ longest }} then ''
            else text_fault({{ column }}, {{ longest }})
        end
    {%- else -%}
        case
            when length({{ column }}) > {{ longest }} then 'at most {{ longest }} characters'
            when not {{ matches(column, '[^\\p{Cc}\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}\\x{115F}\\x{1160}\\x{2800}\\x{3164}\\x{FFA0}\\x{FFFD}]*') }}
                then 'characters that can be seen'
            when substring({{ column }}, 1, 1) in ('=', '+', '-', '@', '＝', '＋', '－', '＠')
                then 'a text that no spreadsheet runs as a formula'
            else ''
        end
    {%- endif -%}
{%- endmacro %}
