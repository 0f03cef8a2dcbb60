{#
    The rating ledger: the rating before and after every update, each from the one before it.

    `updates` has the columns of `int_rating_updates`, `rating_systems` those of `stg_rating_systems`; both are read where they are stored.
    Whichever way an engine takes, the arithmetic is that of `rating_change`, in the order of the events: the same doubles.
#}
{% macro rating_ledger(updates, rating_systems) -%}
    {{ adapter.dispatch('rating_ledger')(updates, rating_systems) }}
{%- endmacro %}


{#
    Anchor: every player's first event, from the initial rating of the system.
    Step:   every player's next event, all players at once, from the rating that the event before left behind. It has the
            next update number, and nothing else goes through the recursion: ids as text and wide rows slow every step.
    End:    behind a player's last event stands somebody else's first, which is no step: a player drops out, and the
            recursion ends after as many steps as the longest career has events.

    The updates are read where they are stored: a CTE that is read more than once is copied first, which takes as long as
    all steps together.
#}
{% macro duckdb__rating_ledger(updates, rating_systems) -%}
    with recursive rating_systems as (
        select * from {{ rating_systems }}
    ),

    ledger as (
        select
            updates.update_number,
            rating_systems.initial_rating as rating_before,
            rating_systems.initial_rating + {{ rating_change(
                'rating_systems.initial_rating', 'updates.percentile_score', 'updates.tournament_value'
            ) }} as rating_after
        from {{ updates }} as updates
        inner join rating_systems on updates.rating_system_id = rating_systems.rating_system_id
        where updates.event_number = 1

        union all

        select
            updates.update_number,
            ledger.rating_after as rating_before,
            ledger.rating_after + {{ rating_change(
                'ledger.rating_after', 'updates.percentile_score', 'updates.tournament_value'
            ) }} as rating_after
        from ledger
        inner join {{ updates }} as updates
            on
                ledger.update_number + 1 = updates.update_number
                and updates.event_number > 1
    )

    select
        update_number,
        rating_before,
        rating_after
    from ledger
{%- endmacro %}


{#
    The same steps as a fold: Spark's recursion has a limit of levels, and starts a job for each.

    A career's events are collected, and the ratings laid one behind the other: first the initial one, then the one that each
    event leaves. The update numbers of a career follow each other, so a place in it is an update.
#}
{% macro spark__rating_ledger(updates, rating_systems) -%}
    with careers as (
        select
            rating_system_id,
            min(update_number) as first_update,
            array_sort(collect_list(struct(event_number, percentile_score, tournament_value))) as events
        from {{ updates }}
        group by rating_system_id, player_id
    ),

    rated as (
        select
            careers.first_update,
            aggregate(
                careers.events,
                array(rating_systems.initial_rating),
                (ratings, event) -> concat(ratings, array(
                    element_at(ratings, -1)
                    + {{ rating_change('element_at(ratings, -1)', 'event.percentile_score', 'event.tournament_value') }}
                ))
            ) as ratings
        from careers
        inner join {{ rating_systems }} as rating_systems on careers.rating_system_id = rating_systems.rating_system_id
    )

    select
        cast(rated.first_update + steps.step as integer) as update_number,
        steps.rating.`0` as rating_before,
        steps.rating.`1` as rating_after
    from rated
    lateral view posexplode(
        arrays_zip(slice(ratings, 1, size(ratings) - 1), slice(ratings, 2, size(ratings) - 1))
    ) steps as step, rating
{%- endmacro %}
