{#
    Pairs of tournaments that may be one under two names: within a week of each other, with half of the people of the
    smaller one, and at least three, in both. Half is enough if two documents have the same bytes; if only a year or a
    month is stated, all must be in both. Or everybody in both has one placement, and the days and the players fit.

    Another tournament with the same people is possible, so the importer asks, and no check reports it.
#}
{% macro same_tournament_twice() -%}
    with listed as (
        select
            results.tournament_id,
            results.player_id,
            results.placement,
            tournaments.players,
            tournaments.started_on,
            tournaments.ended_on,
            tournaments.stated_period,
            tournaments.is_withdrawn,
            count(*) over (partition by results.tournament_id) as people
        from {{ ref('int_results') }} as results
        inner join {{ ref('int_tournaments') }} as tournaments using (tournament_id)
    ),

    pairs as (
        select
            one.tournament_id,
            other.tournament_id as other_id,
            count(*) as people_in_both,
            count(coalesce(one.stated_period, other.stated_period)) > 0 as is_without_days,
            least(any_value(one.people), any_value(other.people)) as people_of_smaller,
            count(*) filter (
                where one.placement = other.placement
                and one.started_on <= other.ended_on
                and other.started_on <= one.ended_on
                -- A year has room for two victories of one person.
                and coalesce(one.players = other.players, one.stated_period is null and other.stated_period is null)
            ) as placed_alike
        from listed as one
        inner join listed as other using (player_id)
        where
            one.tournament_id != other.tournament_id
            and not one.is_withdrawn
            and one.started_on <= other.ended_on + 7
            and other.started_on <= one.ended_on + 7
        group by one.tournament_id, other.tournament_id
    ),

    documents as (
        select
            tournament_id,
            list(document_id) as document_ids,
            list(source_sha256) as hashes,
            regexp_extract_all(string_agg(source_tournament_ids, ' '), '([a-z]+):', 1) as sources
        from {{ ref('int_tournament_statements') }}
        group by tournament_id
    )

    select pairs.*
    from pairs
    inner join documents as ours on pairs.tournament_id = ours.tournament_id
    inner join documents as theirs on pairs.other_id = theirs.tournament_id
    where
        (
            pairs.placed_alike = pairs.people_in_both
            or (
                2 * pairs.people_in_both >= pairs.people_of_smaller
                and (pairs.people_in_both >= 3 or list_has_any(ours.hashes, theirs.hashes))
                and (not pairs.is_without_days or pairs.people_in_both = pairs.people_of_smaller)
            )
        )
        -- A document that lists several tournaments tells them apart, and so does a source that gives both an id.
        and not list_has_any(ours.document_ids, theirs.document_ids)
        and not coalesce(list_has_any(ours.sources, theirs.sources), false)
    order by pairs.tournament_id, pairs.people_in_both desc, pairs.other_id
{%- endmacro %}
