{#
    The rows of models that contradict `meta` in their YAML files, each with the name of its fault. `key`: no two rows have
    the same values in these columns; nulls are equal. `holds`: conditions, by the name of their fault, that are true for
    every row. Unlike in a filter, null fails.
#}
{% macro faulty_rows_of(models) -%}
    {%- for model in models %}
        {%- set relation = ref(model) -%}
        {%- set meta = graph.nodes['model.' ~ project_name ~ '.' ~ model].config.meta if execute else {'key': []} -%}
        {%- set key = meta.key | join(', ') or 'null' %}
        select
            '{{ model }}: repeated key' as fault,
            concat_ws(' ', {{ key }}) as row_key
        from {{ relation }}
        group by {{ key }}
        having count(*) > 1
        {% for fault, condition in (meta.holds or {}).items() %}
            union all

            select
                '{{ model }}: {{ fault }}' as fault,
                concat_ws(' ', {{ key }}) as row_key
            from {{ relation }}
            where ({{ condition }}) is not true
        {% endfor %}
        {{ 'union all' if not loop.last }}
    {%- endfor %}
{%- endmacro %}
