-- Grain: one row per nation with a person or a tournament in the collection.

select
    nations.nation_code,
    nations.nation_name,
    cast((
        select count(*) from {{ ref('int_players') }} as people
        where people.nation_code = nations.nation_code
    ) as integer) as people,
    cast((
        select count(*) from {{ ref('int_tournaments') }} as held
        where held.nation_code = nations.nation_code and not held.is_withdrawn
    ) as integer) as tournaments
from {{ ref('stg_nations') }} as nations
where
    nations.nation_code in (select people.nation_code from {{ ref('int_players') }} as people)
    or nations.nation_code in (select held.nation_code from {{ ref('int_tournaments') }} as held)
order by nations.nation_code
