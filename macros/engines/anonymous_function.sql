{#
    The head of an anonymous function of DuckDB; its body follows. sqlfluff reads only the arrow, which DuckDB 2.0 refuses: `.sqlfluff` sets
    the variable.
#}
{% macro anonymous_function(parameters) -%}
    {{ '(' ~ parameters ~ ') ->' if var('is_linted', false) else 'lambda ' ~ parameters ~ ':' }}
{%- endmacro %}
