-- A recursion that ends early or multiplies rows would lose or invent updates without an error.
with counted as (
    select
        (select count(*) from {{ ref('int_rating_updates') }}) as updates,
        (select count(*) from {{ ref('int_rating_ledger') }}) as ledger_rows
)

select * from counted
where updates != ledger_rows
