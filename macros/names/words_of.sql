{# The words of a name or an id as a list, in small letters without accents: `Zoë O’BRIEN` gives zoe, o and brien, `Groß` gross. #}
{% macro words_of(text) -%}
    regexp_extract_all(replace(lower({{ without_accents("replace(nfc_normalize(" ~ text ~ "), '.', '')") }}), 'ß', 'ss'), '[\p{L}\p{M}\p{N}]+')
{%- endmacro %}
