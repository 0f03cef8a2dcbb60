{# What models/seeds declares of every seed: the key, and what each column may hold. For the macros of macros/checks. #}
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
