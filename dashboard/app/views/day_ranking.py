"""The ranking of any day: who is ahead, of a nation or among the active, and who moved."""

from __future__ import annotations

from datetime import date

import pyarrow as pa  # type: ignore[import-untyped]
import streamlit as st

import addresses
from addresses import plain
from courses import show_courses
from shown_tables import show_table
from visits import Visit

_PAGE = "ranking"
_LEADERS = 5

_DAYS = """
select min(valid_from) as first_day, max(valid_from) as last_day
from rating_periods
where tournaments_counted > 0
"""

# The last counted tournament until a day, and the days from whose end movements are measured.
_EARLIER = """
select
    arg_max(name, (ended_on, tournament_id)) as last_name,
    cast(max(ended_on) - interval 1 day as date) as tournament,
    cast($day - interval 1 year as date) as year,
    cast($day - interval 5 year as date) as years
from included_tournaments
where is_counted and ended_on <= $day
"""

_RANKING = """
select
    case $among when 'active' then active_rank else rank end as rank,
    places_gained,
    player_id,
    player_name,
    nation_name,
    national_rank,
    rating,
    rating_gained,
    tournaments_counted,
    last_played_on
from marts.ranking_between($system, $day, $since)
where ($nation = '' or nation_code = $nation) and ($among = 'all' or is_active)
order by all
"""


def show(visit: Visit) -> None:
    """Draw the page."""
    addresses.expect_only("day", "nation", "among", "since")
    publication = visit.publication
    first, last = publication.rows(_DAYS)[0].values()
    if first is None:
        st.title("Ranking")
        st.info(f"Nobody is ranked yet: no {plain(visit.word('tournament'))} of this collection counts.")
        return
    heading = st.container()
    day = _day(first, last)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        nation = addresses.choice(_PAGE, "nation", "Nation", _nations(visit), "", width=220)
        among = addresses.segment(_PAGE, "among", "Who", {"all": "Everybody", "active": "The active"}, "all")
        since = addresses.segment(
            _PAGE,
            "since",
            "Moved since",
            {
                "tournament": f"the {visit.word('tournament')} before",
                "year": "a year before",
                "years": "five years before",
            },
            "tournament",
        )
    earlier = publication.rows(_EARLIER, day=day)[0]
    ranking = publication.table(
        _RANKING, system=publication.system, day=day, since=earlier[since], nation=nation, among=among
    )
    with heading:
        st.title("Ranking" if day == last else f"Ranking on {day.isoformat()}")
        st.caption(
            f"{ranking.num_rows:,} {plain(visit.word('players'))} after {plain(earlier['last_name'])} · moved since the end of {earlier[since]}"
        )
    show_table(visit, ranking, "ranking", empty="nobody whom these controls leave is ranked on this day")
    if ranking.num_rows:
        _show_leaders(visit, ranking, day)


def _day(first: date, last: date) -> date:
    """The day that is asked for; where there is one day only, nothing can be chosen."""
    if first == last:
        return last
    return addresses.day(
        _PAGE, "day", "Day", first, last, last, moving=True, help="The ranking as it stood at the end of this day."
    )


def _nations(visit: Visit) -> dict[str, str]:
    rows = visit.publication.rows(
        "select distinct nation_code, nation_name from national_ranking order by nation_name, nation_code"
    )
    return {"": "All nations"} | {row["nation_code"]: row["nation_name"] for row in rows}


def _show_leaders(visit: Visit, ranking: pa.Table, day: date) -> None:
    """How the first of the table came there."""
    leaders = ranking["player_id"].to_pylist()[:_LEADERS]
    st.subheader("How the leaders came there")
    show_courses(visit, leaders, day, f"Ratings of the first {len(leaders)} of the table, after each of their events.")
