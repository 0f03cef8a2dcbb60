-- Each row is a fault of the seeds: of a cell, a key, a reference, a tournament, a decision or a setting. The codes are
-- those of `scripts/dippouch/seeds/faults.py`.
{%- set rows = collection_rows() %}
{%- if execute %}
with {% for seed, relation in rows.items() %}
{{ seed }} as {{ relation }}{{ ',' if not loop.last }}
{% endfor %}
select * from ({{ collection_faults(declared_seeds(), rows.keys() | list) }})
{%- endif %}
