"""How ratings came about, drawn for one player or several on one chart."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import streamlit as st

import charts
from visits import Visit

# A line is at the initial rating a while before the first event, and goes on to a while after the shown day: an event on the
# last day is seen to change something, and so is an only one.
_COURSES = """
with events as (
    select *
    from presentation.result_list
    where rating_system_id = $system and player_id in (select unnest($players)) and event_number is not null and ended_on <= $day
),

room as (
    select cast(greatest(120, date_diff('day', min(ended_on), cast($day as date)) // 20) as integer) as days from events
),

ends as (
    select
        player_id,
        player_name,
        min(ended_on) - room.days as begins_on,
        cast($day as date) + room.days as ends_on,
        arg_min(rating_before, event_number) as initial_rating,
        arg_max(rating_after, event_number) as rating
    from events
    cross join room
    group by player_id, player_name, room.days
),

points as (
    select
        player_id, player_name, event_number as number, ended_on as day, rating_after as rating, tournament_name,
        placement || ' of ' || players as place, rating_change, true as is_event
    from events
    union all by name
    select player_id, player_name, 0 as number, begins_on as day, initial_rating as rating, false as is_event from ends
    union all by name
    select player_id, player_name, null as number, ends_on as day, rating, false as is_event from ends
)

select player_id, player_name, day, rating, tournament_name, place, rating_change, is_event
from points
order by list_position($players, player_id), number nulls last
"""


def show_courses(visit: Visit, players: Sequence[str], day: date | None, sentence: str) -> None:
    """Draw the ratings of players from the first event of each to a day.

    Args:
        visit: the showing.
        players: their ids, in the order in which they are named.
        day: the last day that is shown; none: nothing was played yet.
        sentence: what the chart shows, for those who do not see it.
    """
    courses = charts.told_apart(visit.publication.table(_COURSES, players=list(players), day=day))
    if not courses.num_rows:
        st.info("No result of theirs is rated: there is nothing to draw.")
        return
    told = [
        ("player_name", visit.word("player").capitalize(), ""),
        ("tournament_name", visit.word("tournament").capitalize(), ""),
        ("place", "Place", ""),
        ("rating_change", "Change", "+.2f"),
        ("rating", "Rating", ".2f"),
    ]
    charts.show(
        charts.lines(courses, "day:T", "rating:Q", "player_name", "Rating", told, steps=True, marked="is_event"),
        sentence,
    )
