-- Grain: one row per nation with a person or a tournament in the collection.

with people as (
    select
        nation_code,
        count(*) as people
    from {{ ref('int_players') }}
    where nation_code is not null
    group by nation_code
),

tournaments as (
    select
        nation_code,
        count(case when not is_withdrawn then 1 end) as tournaments
    from {{ ref('int_tournaments') }}
    where nation_code is not null
    group by nation_code
)

select
    nations.nation_code,
    nations.nation_name,
    cast(coalesce(people.people, 0) as integer) as people,
    cast(coalesce(tournaments.tournaments, 0) as integer) as tournaments
from {{ ref('stg_nations') }} as nations
left join people on nations.nation_code = people.nation_code
left join tournaments on nations.nation_code = tournaments.nation_code
where people.people is not null or tournaments.tournaments is not null
order by nations.nation_code
