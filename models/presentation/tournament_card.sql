-- Grain: one row per tournament: the header of its page, and its row in the list.
-- Values are those of the default rating system.

with winners as (
    select
        tournament_id,
        list(struct_pack(player_id, first_name, last_name) order by player_id) as winners
    from {{ mart('tournament_results') }}
    where placement = 1 and not is_withdrawn
    group by tournament_id
),

circuits as (
    select
        steps.tournament_id,
        list(struct_pack(circuits.circuit_id, circuits.name) order by circuits.circuit_id) as circuits
    from {{ mart('circuit_tournaments') }} as steps
    inner join {{ mart('circuits') }} as circuits on steps.circuit_id = circuits.circuit_id
    group by steps.tournament_id
),

printed_scores as (
    select
        tournament_id,
        cast(count(*) as integer) as printed_scores,
        cast(count(*) filter (where agrees) as integer) as agreeing_scores
    from {{ mart('published_score_comparison') }}
    group by tournament_id
),

contradicted as (
    select
        tournament_id,
        list(
            struct_pack(
                fact, player_id, player_name, value, source_document, other_value, other_document, reason
            ) order by fact, player_id, other_document_id
        ) as contradicted_facts
    from {{ mart('source_contradictions') }}
    group by tournament_id
)

select
    tournaments.* exclude (mean_rating_before, source_form, is_complete, winners),  -- noqa: RF02
    included.tournament_value,
    included.value_rule,
    included.is_counted,
    printed_scores.printed_scores,
    printed_scores.agreeing_scores,
    coalesce(winners.winners, []) as winners,
    coalesce(circuits.circuits, []) as circuits,
    coalesce(contradicted.contradicted_facts, []) as contradicted_facts,
    lag(tournaments.tournament_id) over in_order as tournament_before_id,
    lag(tournaments.tournament_name) over in_order as tournament_before_name,
    lead(tournaments.tournament_id) over in_order as tournament_after_id,
    lead(tournaments.tournament_name) over in_order as tournament_after_name
from {{ mart('tournaments') }} as tournaments
left join {{ of_default_system('included_tournaments') }} as included using (tournament_id)
left join winners using (tournament_id)
left join circuits using (tournament_id)
left join contradicted using (tournament_id)
left join printed_scores using (tournament_id)
window in_order as (order by tournaments.ended_on, tournaments.started_on, tournaments.tournament_id)
