{#
    Aliases with the person at the end of the chain as `person_id`: a decision `a is b` and another `b is c` make a the
    person c. An alias for one tournament leads to a person whose alias for all tournaments applies, too.

    `aliases` has listed_player_id, tournament_id (null or empty: all tournaments) and player_id. `endless_aliases`
    refuses circles, and chains of more than 17 decisions, where this ends, too.
#}
{% macro resolved_aliases(aliases) -%}
    with recursive chains as (
        select
            listed_player_id,
            tournament_id,
            player_id as person_id,
            1 as decisions
        from {{ aliases }}

        union all

        select
            chains.listed_player_id,
            chains.tournament_id,
            further.player_id as person_id,
            chains.decisions + 1 as decisions
        from chains
        inner join {{ aliases }} as further
            on
                chains.person_id = further.listed_player_id
                and coalesce(further.tournament_id, '') = ''
                and chains.decisions < 17
    )

    select
        aliases.*,
        chains.person_id
    from {{ aliases }} as aliases
    inner join chains
        on
            aliases.listed_player_id = chains.listed_player_id
            and coalesce(aliases.tournament_id, '') = coalesce(chains.tournament_id, '')
    qualify row_number() over (
        partition by aliases.listed_player_id, aliases.tournament_id, aliases.player_id
        order by chains.decisions desc
    ) = 1
{%- endmacro %}
