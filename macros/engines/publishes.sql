{# Whether builds of this engine are published. Spark's tables have no readers, so they need no views with plain names. #}
{% macro publishes() -%}
    {{ return(adapter.dispatch('publishes')()) }}
{%- endmacro %}

{% macro duckdb__publishes() -%}{{ return(true) }}{%- endmacro %}

{% macro spark__publishes() -%}{{ return(false) }}{%- endmacro %}
