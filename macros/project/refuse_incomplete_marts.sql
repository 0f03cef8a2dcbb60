{#
    Fail every dbt build before it starts if a mart lacks a grain, a description or, for tables, an enforced
    contract and a key test; or if a model reads a mart. Only functions and presentation views may read marts,
    because the published file has no other layer. Presentation views follow the same rules as marts.
#}
{% macro refuse_incomplete_marts() -%}
    {%- if execute -%}
        {%- set faults = [] -%}
        {%- set keyed = [] -%}
        {%- for test in graph.nodes.values() if test.resource_type == 'test' and test.test_metadata -%}
            {%- if test.test_metadata.name == 'rows_are_valid' -%}
                {%- do keyed.append(test.attached_node) -%}
            {%- endif -%}
        {%- endfor -%}

        {%- for mart in graph.nodes.values() if mart.resource_type == 'model' and mart.schema in ('marts', 'presentation') -%}
            {%- set is_table = mart.config.materialized != 'table_function' -%}
            {%- for is_missing, fault in [
                (not mart.raw_code.startswith('-- Grain: one row per '), 'no grain: begin the SQL with `-- Grain: one row per ...`'),
                ('One row per ' not in mart.description,
                    'no grain in the description: say `One row per ...` in the YAML file beside it'),
                (is_table and not mart.config.contract.enforced,
                    'no contract: leave `contract: {enforced: true}` as dbt_project.yml sets it'),
                (is_table and mart.unique_id not in keyed, 'no test of its key: add `rows_are_valid`')
            ] if is_missing -%}
                {%- do faults.append(mart.original_file_path ~ ': ' ~ fault) -%}
            {%- endfor -%}
        {%- endfor -%}

        {%- for model in graph.nodes.values()
            if model.resource_type == 'model' and model.config.materialized != 'table_function' and model.schema != 'presentation' -%}
            {#- A source is not in `graph.nodes`. -#}
            {%- for parent in model.depends_on.nodes if graph.nodes.get(parent, {}).get('schema') == 'marts' -%}
                {%- do faults.append(
                    model.original_file_path ~ ': reads the mart `' ~ graph.nodes[parent].name
                    ~ '`: read the layer below instead'
                ) -%}
            {%- endfor -%}
        {%- endfor -%}

        {%- if faults -%}
            {%- do exceptions.raise_compiler_error('found marts that readers could not rely on\n' ~ faults | sort | join('\n')) -%}
        {%- endif -%}
    {%- endif -%}
{%- endmacro %}
