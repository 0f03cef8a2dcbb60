-- Each row is a fault of a cell, a key or a reference in the seeds. The codes are those of
-- `scripts/dippouch/collection/faults.py`.
{%- set relations = {} %}
{%- for seed in [
    'raw_documents', 'raw_published_rankings', 'raw_results', 'raw_tournaments', 'ref_circuit_tournaments', 'ref_circuits',
    'ref_corrections', 'ref_nation_names', 'ref_nations', 'ref_not_people', 'ref_player_aliases', 'ref_player_distinctions',
    'ref_players', 'ref_rating_systems', 'ref_series_tournaments', 'ref_settings', 'ref_tournament_kinds'
] %}
    {%- do relations.update({seed: ref(seed)}) %}
{%- endfor %}
{%- if execute %}
{#- The declarations of models/seeds: the key of every seed, and what may be in its columns. -#}
{%- set declared = {} %}
{%- for seed in relations %}
    {%- set node = graph.nodes['seed.dip_pouch.' ~ seed] %}
    {%- set columns = {} %}
    {%- for name, column in node.columns.items() %}
        {%- do columns.update({name: column.config.meta}) %}
    {%- endfor %}
    {%- do declared.update({seed: {'key': node.config.meta.key, 'columns': columns}}) %}
    {%- do relations.update({seed: seed}) %}
{%- endfor %}
with {% for seed in relations %}
-- The rows as text, from the Parquet file of the seed if it has one.
{{ seed }} as (
    select cast(columns(*) as varchar) from {{ raw_rows(seed) }}
){{ ',' if not loop.last }}
{% endfor %}
select * from ({{ cell_faults(declared, relations) }})
{%- endif %}
