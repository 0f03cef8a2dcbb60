-- Grain: one row per document, tournament, listed player (null: facts of the tournament) and last update of a rating.
-- What players' pages and the lesser of two sources state, with the person after aliases. No rating reads it.

select *
from {{ with_person(ref('stg_further_statements')) }} as statements
