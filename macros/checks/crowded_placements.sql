{#
    Placements that do not fit the tournament, after corrections: more placements than declared players, a placement
    above that number, or a tie without room. Tied players share the best placement of the tie: after k players at
    placement p, the next placement is at least p + k (1, 2, 2, 4).
#}
{% macro crowded_placements(declared) -%}
    select *
    from (
        -- Results with a placement, after corrections, without withdrawn ones.
        with placed as (
            select
                *,
                count(*) over (partition by tournament_id) as placements,
                max(placement) over (partition by tournament_id) as largest
            from (
                select
                    {{ row_key(['tournament_id', 'player_id'], 'results.') }} as row_key,
                    trim(results.tournament_id) as tournament_id,
                    results.line,
                    tournaments.line as tournament_line,
                    try_cast(coalesce(placements.value, {{ whole_number('results.placement') }}) as bigint) as placement,
                    try_cast(coalesce(players.value, {{ whole_number('tournaments.players') }}) as bigint) as players
                from raw_results as results
                inner join raw_tournaments as tournaments on trim(results.tournament_id) = trim(tournaments.tournament_id)
                left join {{ corrected_field('players') }} as players on trim(results.tournament_id) = players.tournament_id
                left join {{ corrected_field('placement', true) }} as placements
                    on
                        trim(results.tournament_id) = placements.tournament_id
                        and trim(results.player_id) = placements.player_id
                left join {{ corrected_field('withdrawn', true) }} as withdrawn
                    on trim(results.tournament_id) = withdrawn.tournament_id and trim(results.player_id) = withdrawn.player_id
                where coalesce(withdrawn.value, 'false') != 'true'
            ) as corrected
            where placement >= 1
        )

        select
        {{ fault('too_few_players', 'raw_tournaments', 'tournament_id', 'players', 'players', 'placements') }}
        from (
            select tournament_id, players, min(tournament_line) as line, count(*) as placements
            from placed
            group by tournament_id, players
        ) as counted
        where placements > players

        union all

        select
        {{ fault('beyond_players', 'raw_results', 'row_key', 'placement', 'placement', 'players') }}
        from placed
        where placement > players and placements <= players

        union all

        -- After the last placement of a tournament follows the number of its players + 1.
        select
            case when following_key is null then 'tie_beyond_players' else 'crowded_placement' end as code,
        {{ fault(none, 'raw_results', 'coalesce(following_key, last_key)', 'placement', 'following', 'placement', 'tied') }}
        from (
            select
                placement,
                count(*) as tied,
                max(row_key) as last_key,
                lead(placement, 1, players + 1) over in_order as following,
                lead(min(row_key)) over in_order as following_key,
                coalesce(lead(min(line)) over in_order, max(line)) as line
            from placed
            where players is null or (placements <= players and largest <= players)
            group by tournament_id, players, placement
            window in_order as (partition by tournament_id order by placement asc nulls last)
        ) as ties
        where following < placement + tied
    ) as crowded
{%- endmacro %}


{# The cell if it holds a whole number, else null; `unfit_cells` reports the others. #}
{% macro whole_number(column) -%}
    case when {{ matches('trim(' ~ column ~ ')', '[0-9]{1,9}') }} then trim({{ column }}) end
{%- endmacro %}
