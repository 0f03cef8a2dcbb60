-- Grain: one row per update.
-- The only place where a rating is computed; `int_rating_updates` says whose it is, and by which tournament.
--
-- Anchor: every player's first tournament, from the initial rating of the rating system.
-- Step:   every player's next tournament, all players at once, from the rating that the one before left. It has the
--         next update number. Only that and two ratings go through the recursion: ids as text and wide rows are slow.
-- End:    the number after a player's last update is another player's first, which is no step. So the player drops
--         out, and the recursion ends after as many steps as the longest career has tournaments.
--
-- The updates are read where they are stored: a CTE that is read more than once is copied first, which takes as long as
-- all steps together. Spark's recursion cannot serve: a fold over each career does the same arithmetic, in order.
{% if target.type == 'spark' %}
    {{ rating_fold(updates=ref('int_rating_updates'), rating_systems=ref('stg_rating_systems')) }}
{% else %}
    with recursive ledger as (
        select
            updates.update_number,
            rating_systems.initial_rating as rating_before,
            rating_systems.initial_rating + {{ rating_change(
                'rating_systems.initial_rating', 'updates.percentile_score', 'updates.tournament_value'
            ) }} as rating_after
        from {{ ref('int_rating_updates') }} as updates
        inner join {{ ref('stg_rating_systems') }} as rating_systems
            on updates.rating_system_id = rating_systems.rating_system_id
        where updates.event_number = 1

        union all

        select
            updates.update_number,
            ledger.rating_after as rating_before,
            ledger.rating_after + {{ rating_change(
                'ledger.rating_after', 'updates.percentile_score', 'updates.tournament_value'
            ) }} as rating_after
        from ledger
        inner join {{ ref('int_rating_updates') }} as updates
            on
                ledger.update_number + 1 = updates.update_number
                and updates.event_number > 1
    )

    select
        update_number,
        rating_before,
        rating_after
    from ledger
{% endif %}
