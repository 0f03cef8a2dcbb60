-- Grain: one row per kind of tournament.

select * from {{ ref('stg_tournament_kinds') }}
order by kind
