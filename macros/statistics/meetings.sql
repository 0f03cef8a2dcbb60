{#
    How often each player of `of_players`, a condition on `own`, met each opponent, and who finished ahead. Two players
    meet in a tournament if both have a placement there that is not withdrawn.
#}
{% macro meetings(of_players='true') -%}
    select
        own.player_id,
        others.player_id as opponent_id,
        cast(count(*) as integer) as tournaments,
        cast(count(*) filter (where own.placement < others.placement) as integer) as times_ahead,
        cast(count(*) filter (where own.placement > others.placement) as integer) as times_behind,
        cast(count(*) filter (where own.placement = others.placement) as integer) as times_level,
        max(tournaments.ended_on) as last_met_on
    from {{ mart('tournament_results') }} as own
    inner join {{ mart('tournament_results') }} as others
        on own.tournament_id = others.tournament_id and own.player_id != others.player_id
    inner join {{ mart('tournaments') }} as tournaments on own.tournament_id = tournaments.tournament_id
    where
        {{ of_players }}
        and own.placement is not null and not own.is_withdrawn
        and others.placement is not null and not others.is_withdrawn
    group by own.player_id, others.player_id
{%- endmacro %}
