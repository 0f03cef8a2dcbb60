{# The declarations of models/seeds: the key and the column constraints of every seed, for macros/checks. #}
{% macro declared_seeds() -%}
    {%- set seeds = {} -%}
    {%- for node in (graph.nodes.values() if execute else []) if node.resource_type == 'seed' -%}
        {%- set columns = {} -%}
        {%- for name, column in node.columns.items() -%}
            {%- do columns.update({name: column.config.meta}) -%}
        {%- endfor -%}
        {%- do seeds.update({node.name: {'key': node.config.meta.key, 'columns': columns}}) -%}
    {%- endfor -%}
    {{ return(seeds) }}
{%- endmacro %}
