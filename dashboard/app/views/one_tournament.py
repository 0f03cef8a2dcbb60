"""A tournament: what it is worth, who finished where, and what it did to the ratings."""

from __future__ import annotations

import streamlit as st

import addresses
import charts
from addresses import plain
from figures import Figure, listed, show_figures
from reading import Row
from shown_tables import show_table
from visits import Visit

_PAGE = "tournament"

_TOURNAMENTS = """
select tournament_id, name || ', ' || ended_on as name
from presentation.tournament_card
order by ended_on desc, tournament_id
"""

_RESULTS = """
select
    placement,
    player_id,
    player_name,
    nation_name,
    percentile_score,
    rating_before,
    rating_change,
    rating_after,
    places_better
from presentation.result_list
where rating_system_id = $system and tournament_id = $tournament
order by placement nulls last, player_id
"""


def show(visit: Visit) -> None:
    """Draw the page."""
    addresses.expect_only("tournament")
    names = {row["tournament_id"]: row["name"] for row in visit.publication.rows(_TOURNAMENTS)}
    word = visit.word("tournament").capitalize()
    if not names:
        st.title(plain(visit.word("tournaments").capitalize()))
        st.info(f"This collection has no {plain(visit.word('tournaments'))} yet.")
        return
    heading = st.container()
    tournament = addresses.choice(_PAGE, "tournament", word, names, next(iter(names)), moving=True)
    facts = visit.publication.rows(
        "select * exclude (winners, circuits) from presentation.tournament_card where tournament_id = $tournament",
        tournament=tournament,
    )[0]
    results = visit.publication.table(_RESULTS, tournament=tournament)
    with heading:
        st.title(plain(facts["name"]))
        st.caption(plain(_sentence(facts)))
        _show_figures(visit, facts)
        _show_neighbours(visit, facts)
    if not results.num_rows:
        st.info("None of its results is known.")
        return
    st.subheader("Who gained, and who lost")
    told = [
        ("player_name", visit.word("player").capitalize(), ""),
        ("placement", "Place", ""),
        ("rating_before", "Rating before", ".2f"),
        ("rating_change", "Change", "+.2f"),
    ]
    charts.show(
        charts.gains(results, "rating_before", "placement", "rating_change", ("Rating before", "Place"), told),
        "Place against the rating before: a dot is a result, its colour a gain or a loss.",
    )
    better = st.column_config.NumberColumn(
        "Better than expected", format="%+.1f", help="Places ahead of what the ratings before expected"
    )
    show_table(visit, results, tournament, places_better=better)


def _sentence(facts: Row) -> str:
    days = str(facts["ended_on"])
    if facts["started_on"] and facts["started_on"] != facts["ended_on"]:
        days = f"{facts['started_on']} to {days}"
    parts = [facts["subtitle"], facts["kind_name"], facts["place"], facts["nation_name"], days]
    parts += ["withdrawn" if facts["is_withdrawn"] else None, "corrected" if facts["is_corrected"] else None]
    return " · ".join(part for part in parts if part)


def _show_figures(visit: Visit, facts: Row) -> None:
    value = f"{facts['tournament_value']:.2f}" if facts["is_counted"] else "not counted"
    show_figures(
        [
            Figure("Value", value, facts["value_rule"]),
            Figure(visit.word("players").capitalize(), _number(facts["players"]), listed(facts)),
            Figure("Rounds", _number(facts["rounds"])),
        ]
    )


def _number(value: int | None) -> str:
    return "not known" if value is None else f"{value:,}"


def _show_neighbours(visit: Visit, facts: Row) -> None:
    with st.container(horizontal=True):
        for side, icon in (("before", ":material/arrow_back:"), ("after", ":material/arrow_forward:")):
            if identifier := facts[f"tournament_{side}_id"]:
                st.page_link(
                    visit.pages["tournament"],
                    label=plain(facts[f"tournament_{side}_name"]),
                    icon=icon,
                    query_params={"tournament": identifier},
                )
