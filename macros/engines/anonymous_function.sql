{#
    The head of a DuckDB lambda; its body follows. sqlfluff parses only the arrow syntax, which DuckDB 2.0 refuses, so
    `.sqlfluff` sets the variable.
#}
{% macro anonymous_function(parameters) -%}
    {{ '(' ~ parameters ~ ') ->' if var('is_linted', false) else 'lambda ' ~ parameters ~ ':' }}
{%- endmacro %}
