{#
    Published rankings whose ranks contradict their ratings: a better rank with a lower rating, one rank with two
    ratings, or a tie without room (1, 2, 2, 4).
#}
{% macro disordered_rankings() -%}
    with ranks as (
        select
            *,
            count(*) over (partition by ranking_name, last_update, published_rank) as sharing
        from {{ ref('int_published_ratings') }}
    ),

    compared as (
        select
            *,
            lag(published_rank) over downwards as rank_above,
            lag(published_rating) over downwards as rating_above,
            lag(published_rank + sharing) over downwards as free_rank,
            case
                when published_rank = rank_above and published_rating != rating_above then 'rank_with_two_ratings'
                when published_rank > rank_above and published_rating > rating_above then 'rising_ratings'
                when published_rank > rank_above and published_rank < free_rank then 'crowded_rank'
            end as code
        from ranks
        window downwards as (
            partition by ranking_name, last_update order by published_rank, published_rating desc, listed_player_id
        )
    )

    select
    {{ fault(
        none, 'raw_published_rankings', ['document_id', 'ranking_name', 'last_update', 'listed_player_id'], 'published_rank',
        'published_rank', 'rank_above', "case when code = 'rising_ratings' then published_rating else free_rank end"
    ) }}
    from compared
{%- endmacro %}
