{#
    Published rankings whose ranks contradict their ratings: a better rank with a lower rating, one rank with two
    ratings, or a tie without room (1, 2, 2, 4).
#}
{% macro disordered_rankings(declared) -%}
    select
        case
            when rank = rank_above and rating != rating_above then 'rank_with_two_ratings'
            when rank > rank_above and rating > rating_above then 'rising_ratings'
            when rank > rank_above and rank < rank_above + sharing then 'crowded_rank'
        end as code,
    {{ fault(
        none, 'raw_published_rankings', 'row_key', 'published_rank', 'rank', 'rank_above',
        'case when rating > rating_above then rating else rank_above + sharing end'
    ) }}
    from (
        select
            *,
            lag(rank) over downwards as rank_above,
            lag(rating) over downwards as rating_above,
            lag(shared) over downwards as sharing
        from (
            select
                {{ row_key(['ranking_name', 'last_update', 'player_id']) }} as row_key,
                {{ row_key(['ranking_name', 'author', 'last_update']) }} as ranking,
                line,
                try_cast({{ whole_number('published_rank') }} as bigint) as rank,
                try_cast(trim(published_rating) as double) as rating,
                count(*) over (partition by ranking, rank) as shared
            from raw_published_rankings
        ) as stated
        where rank is not null
        window downwards as (partition by ranking order by rank asc nulls last, rating desc, row_key asc nulls last)
    ) as compared
    where code is not null
{%- endmacro %}
