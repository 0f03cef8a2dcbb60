-- The cells and the keys of every seed satisfy the declarations of its columns (`config.meta`).
{%- set rows = collection_rows() %}
{%- for seed, relation in rows.items() %}
    {{ seed_faults(seed, relation, declared_seeds()[seed]) }}
    {{ 'union all' if not loop.last }}
{%- endfor %}
