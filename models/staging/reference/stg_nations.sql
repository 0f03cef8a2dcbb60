-- Grain: one row per nation.

select
    upper(trim(nation_code)) as nation_code,
    trim(name) as nation_name
from {{ ref('ref_nations') }}
