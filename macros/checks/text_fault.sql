{#
    The requirement that a text fails: a maximum length, visible characters, or no spreadsheet formula. Empty for a
    valid text. Blanks around a text do not count: staging removes them.
#}
{% macro text_fault(column, longest) -%}
    {%- set text = 'trim(' ~ column ~ ')' -%}
    {%- set longest = longest or 10000 -%}
    {#- Control and private-use characters, and blank or invisible ones. -#}
    {%- set seen = '[^\\p{Cc}\\p{Cf}\\p{Co}\\p{Zl}\\p{Zp}\\x{034F}\\x{115F}\\x{1160}\\x{17B4}\\x{17B5}\\x{180B}-\\x{180F}\\x{2800}'
        ~ '\\x{3164}\\x{FFA0}\\x{FFFD}\\x{E0100}-\\x{E01EF}]*' -%}
    case
        -- Fast path for almost every text.
        when {{ matches(text, '[A-Za-z0-9][A-Za-z0-9 .,_:;()/-]*') }} and length({{ text }}) <= {{ longest }} then ''
        when length({{ text }}) > {{ longest }} then 'at most ' || {{ longest }} || ' characters'
        when not {{ matches(text, seen) }} then 'visible characters'
        when {{ matches(text, '[=+@＝＋－＠-].*') }} then 'a text that no spreadsheet runs as a formula'
        else ''
    end
{%- endmacro %}
