{#
    Fail every dbt build before it starts if dbt read anything but declared seeds in the folder of the seeds: a collection
    is data, and a YAML file there could run SQL in a hook.
#}
{% macro refuse_foreign_files() -%}
    {%- set seeds = env_var('DPTR_SEEDS', 'seeds').rstrip('/') ~ '/' -%}
    {%- for node in (graph.nodes.values() | list + graph.sources.values() | list if execute else []) -%}
        {%- set declared_in = (node.patch_path or '').split('://')[-1] -%}
        {%- set is_seed = declared_in.startswith('models/seeds/') -%}
        {%- for path in [declared_in, '' if is_seed else node.original_file_path] if path.startswith(seeds) -%}
            {%- do exceptions.raise_compiler_error(
                path ~ ': found a file that is not a seed; expected only the seeds of a collection. Move it to another folder'
            ) -%}
        {%- endfor -%}
    {%- endfor -%}
{%- endmacro %}
