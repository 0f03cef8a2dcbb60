-- Grain: one row per update.
-- The only place where a rating is computed: who and which event it is of stands in the updates.
--
-- The steps are in macros/engines/rating_ledger.sql: DuckDB takes them in a recursion, Spark in a fold.

{{ rating_ledger(updates=ref('int_rating_updates'), rating_systems=ref('stg_rating_systems')) }}
