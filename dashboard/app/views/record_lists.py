"""Records: the largest gains and losses, the best performances, reigns, careers, streaks, newcomers, attendance."""

from __future__ import annotations

from collections.abc import Callable

import pyarrow as pa  # type: ignore[import-untyped]
import streamlit as st

import addresses
import charts
from shown_tables import show_table
from visits import Visit

_PAGE = "records"
_DRAWN = 12

_JUMPS = """
select rank, player_id, player_name, tournament_id, tournament_name, ended_on, placement, players, rating_before, rating_change, rating_after
from rating_jumps
where direction = $direction
order by rank, player_id, event_number
"""

_PERFORMANCES = """
select rank, player_id, player_name, tournament_id, tournament_name, ended_on, listed_place, expected_place, places_better
from performances
where rank <= 100
order by rank, player_id, event_number
"""

# A reign that still lasts is drawn up to the last tournament.
_REIGNS = """
select
    player_id, player_name, reigned_from, reigned_to, days, highest_rating, was_shared,
    coalesce(reigned_to, (select max(ended_on) from tournaments)) as drawn_to
from number_one_reigns
order by reigned_from desc, player_id
"""

_PEAKS = """
select player_id, player_name, nation_code, peak_rating, peak_on, best_year_end_rank, best_year
from player_records
order by peak_rating desc, peak_on, player_id
limit 500
"""

_CAREERS = """
select
    medal_rank as rank, player_id, player_name, gold_medals, silver_medals, bronze_medals, tournaments_played,
    world_championships_played, years_played, first_played_on, last_played_on
from careers
order by medal_rank nulls last, tournaments_played desc, player_id
limit 500
"""

_STREAKS = """
select kind, player_id, player_name, tournaments, first_tournament_on, last_tournament_on, is_running
from streaks
order by tournaments desc, first_tournament_on, kind, player_id
limit 500
"""

_NEWCOMERS = """
select year, newcomer_rank as rank, player_id, player_name, nation_code, first_played_on, rating
from newcomers
order by year desc, newcomer_rank, player_id
limit 500
"""

_ATTENDANCE = """
select year, tournaments, places_declared, mean_players, most_players, people_listed, newcomers
from attendance
order by year desc
"""

_LISTS = {
    "gains": "Largest gains",
    "losses": "Largest losses",
    "performances": "Best performances",
    "peaks": "Highest ratings",
    "reigns": "Reigns",
    "careers": "Careers",
    "streaks": "Streaks",
    "newcomers": "Newcomers",
    "attendance": "Attendance",
}


def show(visit: Visit) -> None:
    """Draw the page."""
    addresses.expect_only("list")
    st.title("Records")
    st.caption("What was largest, best, longest and first.")
    chosen = addresses.segment(_PAGE, "list", "List", _LISTS, "gains", label_visibility="collapsed")
    _SHOWN[chosen](visit)


def _show_jumps(visit: Visit, direction: str, name: str) -> None:
    jumps = visit.publication.table(_JUMPS, direction=direction)
    if jumps.num_rows:
        _draw(visit, jumps, "rating_change", "Change of the rating", signed=True)
    show_table(visit, jumps, name)


def _show_performances(visit: Visit) -> None:
    st.caption("How much better than the ratings before expected, in places among those who are listed.")
    best = visit.publication.table(_PERFORMANCES)
    if best.num_rows:
        _draw(visit, best, "places_better", "Places better than expected")
    form = st.column_config.NumberColumn
    show_table(
        visit, best, "performances", listed_place=form("Finished", format="%.1f"),
        expected_place=form("Expected", format="%.1f"), places_better=form("Better by", format="%+.1f"),
    )  # fmt: skip


def _draw(visit: Visit, table: pa.Table, value: str, label: str, *, signed: bool = False) -> None:
    """The first rows of a list as bars."""
    first = table.slice(0, _DRAWN)
    # Somebody can stand in a list twice in a year.
    who = pa.array(
        [f"{number}. {row['player_name']}, {row['ended_on'].year}" for number, row in enumerate(first.to_pylist(), 1)]
    )
    told = [
        ("player_name", visit.word("player").capitalize(), ""),
        ("tournament_name", visit.word("tournament").capitalize(), ""),
        (value, label, "+.2f" if signed else ".1f"),
    ]
    charts.show(
        charts.bars(first.append_column("who", who), "who", value, label, told, signed=signed),
        f"{label}: the first {first.num_rows} of the list.",
    )


def _show_peaks(visit: Visit) -> None:
    show_table(
        visit, visit.publication.table(_PEAKS), "highest ratings",
        peak_rating=st.column_config.NumberColumn("Highest", format="%.2f"), peak_on="On",
        best_year_end_rank="Best rank at a year's end", best_year="In",
    )  # fmt: skip


def _show_reigns(visit: Visit) -> None:
    reigns = visit.publication.table(_REIGNS)
    if reigns.num_rows:
        told = [
            ("player_name", visit.word("player").capitalize(), ""),
            ("reigned_from", "From", ""),
            ("days", "Days", ","),
        ]
        charts.show(
            charts.spans(charts.told_apart(reigns), "player_name", "reigned_from", "drawn_to", told),
            "Who was number one, and when.",
        )
    show_table(
        visit, reigns.drop_columns(["drawn_to"]), "reigns", reigned_from="From", reigned_to="To",
        days=st.column_config.NumberColumn("Days", format="localized"),
        highest_rating=st.column_config.NumberColumn("Highest", format="%.2f"), was_shared="Shared",
    )  # fmt: skip


def _show_careers(visit: Visit) -> None:
    show_table(
        visit, visit.publication.table(_CAREERS), "careers", gold_medals="Gold", silver_medals="Silver",
        bronze_medals="Bronze", tournaments_played="Played", world_championships_played=visit.word("championship"),
        years_played="Years", first_played_on="First", last_played_on="Last",
    )  # fmt: skip


def _show_streaks(visit: Visit) -> None:
    show_table(
        visit, visit.publication.table(_STREAKS), "streaks", kind="Streak", tournaments="Tournaments in a row",
        first_tournament_on="From", last_tournament_on="To", is_running="Still running", empty="nobody has a streak yet",
    )  # fmt: skip


def _show_newcomers(visit: Visit) -> None:
    show_table(visit, visit.publication.table(_NEWCOMERS), "newcomers", first_played_on="First played")


def _show_attendance(visit: Visit) -> None:
    attendance = visit.publication.table(_ATTENDANCE)
    tournaments = visit.word("tournaments").capitalize()
    if attendance.num_rows:
        told = [("year", "Year", ""), ("tournaments", tournaments, ""), ("places_declared", "Places", ",")]
        charts.show(
            charts.columns(attendance, "year", "tournaments", ("", tournaments), told), f"{tournaments} by year."
        )
    show_table(
        visit, attendance, "attendance", tournaments=tournaments, places_declared="Places",
        mean_players=st.column_config.NumberColumn("Mean field", format="%.1f"), most_players="Largest field",
        people_listed="People", newcomers="Newcomers",
    )  # fmt: skip


_SHOWN: dict[str, Callable[[Visit], None]] = {
    "gains": lambda visit: _show_jumps(visit, "gain", "gains"),
    "losses": lambda visit: _show_jumps(visit, "loss", "losses"),
    "performances": _show_performances,
    "peaks": _show_peaks,
    "reigns": _show_reigns,
    "careers": _show_careers,
    "streaks": _show_streaks,
    "newcomers": _show_newcomers,
    "attendance": _show_attendance,
}
