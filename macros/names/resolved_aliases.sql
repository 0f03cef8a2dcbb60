{#
    Aliases with the person at the end of the chain as `person_id`: a decision `a is b` and another `b is c` make a the
    person c. An alias for one tournament leads to a person whose alias for all tournaments applies, too.

    `aliases` has listed_player_id, tournament_id (null or empty: all tournaments) and player_id. Each join doubles the
    length of the chains that are followed, so that engines without recursion resolve 16 decisions, too.
    `endless_aliases` refuses circles and longer chains.
#}
{% macro resolved_aliases(aliases) -%}
    with followed_0 as (
        select
            listed_player_id,
            player_id as person_id
        from {{ aliases }} as everywhere
        where coalesce(tournament_id, '') = ''
    ),
    {% for join in range(1, 5) %}
    followed_{{ join }} as (
        select
            followed.listed_player_id,
            coalesce(further.person_id, followed.person_id) as person_id
        from followed_{{ join - 1 }} as followed
        left join followed_{{ join - 1 }} as further on followed.person_id = further.listed_player_id
    ),
    {% endfor %}
    resolved as (
        select
            aliases.*,
            coalesce(followed.person_id, aliases.player_id) as person_id
        from {{ aliases }} as aliases
        left join followed_4 as followed on aliases.player_id = followed.listed_player_id
    )

    select * from resolved
{%- endmacro %}
