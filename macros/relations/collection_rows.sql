{# A dictionary of all seeds, each as a relation with text columns. #}
{% macro collection_rows() -%}
    {%- set rows = {} -%}
    {%- for seed in (
        'raw_further_statements', 'raw_published_rankings', 'raw_results', 'raw_source_ids', 'raw_tournaments', 'ref_circuit_tournaments', 'ref_circuits', 'ref_corrections',
        'ref_nation_names', 'ref_nations', 'ref_not_people', 'ref_player_aliases', 'ref_player_distinctions', 'ref_players', 'ref_rating_systems',
        'ref_settings', 'ref_tournament_kinds'
    ) -%}
        {%- set relation = ref(seed) -%}
        {%- do rows.update({seed: text_rows(seed, relation)}) if execute -%}
    {%- endfor -%}
    {{ return(rows) }}
{%- endmacro %}


{# The rows of a seed with every column as text, from its Parquet file if it has one. A table has no line numbers. #}
{% macro text_rows(seed, relation) -%}
    (
        select
            {%- for column in declared_seeds()[seed].columns %}
            cast({{ column }} as string) as {{ column }},
            {%- endfor %}
            cast(null as bigint) as line
        from {{ rows_of_seed(seed, relation) }} as stated
    )
{%- endmacro %}
