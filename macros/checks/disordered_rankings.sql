{#
    Published rankings whose ranks contradict their ratings: a better rank with a lower rating, one rank with two
    ratings, or a tie without room (1, 2, 2, 4).
#}
{% macro disordered_rankings(rows, declared) -%}
    select
    {{ fault(
        'raw_published_rankings', 'row_key', 'published_rank',
        "'rank `' || cast(rank as string) || '` with `' || rating || '` under rank ' || cast(rank_above as string) || ' with ' || rating_above",
        "case
            when rank = rank_above then 'the same rating for everybody who shares a rank'
            when try_cast(rating as double) > try_cast(rating_above as double) then 'ratings that do not rise down the ranking'
            else 'rank ' || cast(rank_above + sharing as string) || ' or later (1, 2, 2, 4)'
        end"
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
                trim(published_rating) as rating,
                count(*) over (partition by ranking_name, author, last_update, published_rank) as shared
            from {{ rows.raw_published_rankings }}
        ) as ranked
        where rank is not null
        window downwards as (
            partition by ranking
            order by rank asc nulls last, try_cast(rating as double) desc, row_key asc nulls last
        )
    ) as followed
    where
        (rank = rank_above and try_cast(rating as double) != try_cast(rating_above as double))
        or (rank > rank_above and (try_cast(rating as double) > try_cast(rating_above as double) or rank < rank_above + sharing))
{%- endmacro %}
