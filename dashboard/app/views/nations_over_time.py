"""Nations over time: how strong their best five were, at the end of every year."""

from __future__ import annotations

import streamlit as st

import addresses
import charts
from addresses import plain
from shown_tables import show_table
from visits import Visit

_PAGE = "nations"
_AT_ONCE = 8
_AT_FIRST = 5

_NATIONS = """
select nation_code, nation_name
from nation_history
group by all
order by max(year) desc, arg_min(rank, -year), nation_code
"""

_COURSES = """
select nation_name, year, rank, best_five_rating, ranked_players, players_in_top_100
from nation_history
where nation_code in (select unnest($nations))
order by list_position($nations, nation_code), year
"""

_RANKING = """
select
    rank,
    year_before_rank - rank as places_gained,
    nation_name,
    best_five_rating,
    ranked_players,
    players_in_top_100
from nation_history
where year = $year
order by rank, nation_code
"""

_NUMBER_ONES = """
select nation_name, player_id, player_name, number_one_from, number_one_to
from nation_number_ones
where nation_code in (select unnest($nations))
order by number_one_from desc, nation_code, player_id
"""

_MEASURES = {
    "strength": ("best_five_rating:Q", "Mean rating of the best five", ".2f"),
    "rank": ("rank:Q", "Rank among nations", ""),
    "players": ("ranked_players:Q", "Ranked", ""),
    "top": ("players_in_top_100:Q", "Among the first 100", ""),
}


def show(visit: Visit) -> None:
    """Draw the page."""
    addresses.expect_only("nation", "measure", "year")
    publication = visit.publication
    st.title("Nations")
    names = {row["nation_code"]: row["nation_name"] for row in publication.rows(_NATIONS)}
    if not names:
        st.info(f"No nation has ranked {plain(visit.word('players'))} yet.")
        return
    st.caption("A nation is as strong as its best five at the end of a year; known nations only.")
    chosen = addresses.choices(
        _PAGE, "nation", f"Nations (at most {_AT_ONCE})", names, list(names)[:_AT_FIRST], _AT_ONCE, moving=True
    )
    measure = addresses.segment(
        _PAGE, "measure", "Shown", {key: label for key, (_, label, _) in _MEASURES.items()}, "strength"
    )
    if chosen:
        column, label, form = _MEASURES[measure]
        told = [("nation_name", "Nation", ""), ("year", "Year", ""), (column, label, form)]
        charts.show(
            charts.lines(
                publication.table(_COURSES, nations=chosen),
                "year:Q",
                column,
                "nation_name",
                label,
                told,
                reverse=measure == "rank",
            ),
            f"{label} of {len(chosen)} nations, by year.",
        )
    else:
        st.info("Choose a nation to see how it went.")
    _show_years(visit, chosen)


def _show_years(visit: Visit, chosen: list[str]) -> None:
    rows = visit.publication.rows("select distinct year from nation_history order by year desc")
    years = {str(row["year"]): str(row["year"]) for row in rows}
    st.subheader("At the end of a year")
    year = addresses.choice(_PAGE, "year", "Year", years, next(iter(years)), moving=True, width=160)
    show_table(
        visit,
        visit.publication.table(_RANKING, year=int(year)),
        f"nations {year}",
        best_five_rating=st.column_config.NumberColumn("Best five", format="%.2f"),
        ranked_players="Ranked",
        players_in_top_100="Among the first 100",
    )
    if chosen:
        st.subheader("Number ones of these nations")
        show_table(
            visit,
            visit.publication.table(_NUMBER_ONES, nations=chosen),
            "number ones of nations",
            number_one_from="From",
            number_one_to="To",
        )
