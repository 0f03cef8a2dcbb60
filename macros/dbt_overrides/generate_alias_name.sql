{#
    A mart is published under its plain name: the model `mart_players` is the table `marts.players`.
    Models carry the prefix of their floor because a seed and a model of one dbt project cannot share a name.
#}
{% macro generate_alias_name(custom_alias_name=none, node=none) -%}
    {{ custom_alias_name or (node.name | replace('mart_', '', 1)) }}
{%- endmacro %}
