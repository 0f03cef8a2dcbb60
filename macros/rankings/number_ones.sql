{#
    The periods during which each player was number one of a competition: a rating system, or a nation within it.
    Players with equal ratings share first place. `periods` are rating periods; `within` lists the columns that identify
    a competition.

    Comparing everybody on every day would take far too long. But a leader's rating is at least that of any player whose
    rating held for the whole year, and few ratings of the year reach that height. Only these contenders are compared,
    on the days on which one of their ratings begins or ends.
#}
{% macro number_ones(periods, within) -%}
    {%- set competition = within | join(', ') -%}
    with held as (
        -- The part of a period that lies in one year. A current rating holds until the end of the last year.
        select
            *,
            {{ to_nine_decimals('rating') }} as height,
            greatest(valid_from, make_date(year, 1, 1)) as held_from,
            least(coalesce(valid_to, horizon), make_date(year + 1, 1, 1)) as held_to
        from (
            select
                *,
                unnest(generate_series(year(valid_from), year(coalesce(valid_to, horizon) - 1))) as year
            from {{ periods }}
            cross join (select make_date(year(max(valid_from)) + 1, 1, 1) as horizon from {{ periods }}) as last_year
            where is_ranked
        ) as years
    ),

    heights as (
        select
            {{ competition }},
            year,
            max(height) as height
        from held
        where held_from = make_date(year, 1, 1) and held_to = make_date(year + 1, 1, 1)
        group by {{ competition }}, year
    ),

    contenders as (
        -- If no rating holds throughout a year, such as the first, everybody is a contender.
        select held.*
        from held
        left join heights using ({{ competition }}, year)
        where held.height >= coalesce(heights.height, 0)
    ),

    days as (
        select
            *,
            lead(day) over competition as next_day,
            row_number() over competition as number
        from (
            select distinct
                {{ competition }},
                year,
                unnest([held_from, held_to]) as day
            from contenders
        ) as changes
        where year(day) = year
        window competition as (partition by {{ competition }} order by day)
    ),

    leaders as (
        select
            days.*,
            contenders.player_id,
            contenders.rating,
            contenders.height
        from days
        inner join contenders using ({{ competition }}, year)
        where days.day >= contenders.held_from and days.day < contenders.held_to
        qualify contenders.height = max(contenders.height) over (partition by {{ competition }}, days.day)
    ),

    stretches as (
        -- Consecutive days have the same difference, so they form one stretch.
        select
            *,
            count(*) over (partition by {{ competition }}, day) > 1 as is_shared,
            number - row_number() over (partition by {{ competition }}, player_id order by day) as stretch
        from leaders
    )

    select
        {{ competition }},
        player_id,
        min(day) as number_one_from,
        -- The last day has no next one: the reign lasts.
        case when count(next_day) = count(*) then max(next_day) end as number_one_to,
        max(rating) as highest_rating,
        bool_or(is_shared) as was_shared
    from stretches
    group by {{ competition }}, player_id, stretch
{%- endmacro %}
