"""Tables on a page: what their columns are called, names that lead to other pages, and the same rows as CSV."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.csv  # type: ignore[import-untyped]
import streamlit as st
from streamlit.column_config import CheckboxColumn, Column, DateColumn, LineChartColumn, NumberColumn, TextColumn

from addresses import plain
from visits import Visit

_ROW = 35
_TALLEST = 16

# How every column is called and written that several pages show.
_RATING, _CHANGE, _SHARE = "%.2f", "%+.2f", "%.3f"


@dataclass(frozen=True)
class Link:
    """A column of names that lead to another page.

    Attributes:
        page: the page.
        parameter: what the page is asked for, by its name in the address.
        ids: the column with what it is asked for; not shown itself.
    """

    page: str
    parameter: str
    ids: str


LINKS = {
    "player_name": Link("player", "player", "player_id"),
    "opponent_name": Link("player", "player", "opponent_id"),
    "tournament_name": Link("tournament", "tournament", "tournament_id"),
}


def show_table(visit: Visit, table: pa.Table, name: str, *, heights: int = _TALLEST, **columns: Any) -> None:
    """A table that can be sorted and searched, and its rows as CSV, unrounded.

    Args:
        visit: the page that is being shown.
        table: its rows; columns of ids behind names are in the CSV only.
        name: of the CSV file, and of the table among those of the page.
        heights: how many rows are seen at once.
        columns: labels, or configurations, of columns that are not called as everywhere.
    """
    if not table.num_rows:
        st.info(f"No rows: {plain(columns.get('empty', 'nothing is known here yet'))}.")
        return
    columns.pop("empty", None)
    words = _columns(visit.publication.facts) | {key: _labelled(value) for key, value in columns.items()}
    shown = [column for column in table.column_names if not column.endswith("_id")]
    config: dict[str, Any] = {column: words[column] for column in shown if column in words}
    links = {column: LINKS[column] for column in shown if column in LINKS and LINKS[column].ids in table.column_names}
    for column in links:
        config[column] = st.column_config.ButtonColumn(
            words[column]["label"], type="tertiary", alignment="left", key=_click(name, column)
        )
    st.dataframe(
        table,
        column_order=shown,
        column_config=config,
        hide_index=True,
        width="stretch",
        height="content" if table.num_rows <= heights else _ROW * (heights + 1),
        placeholder="–",
        key=f"table {name}",
    )
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        st.caption(f"{table.num_rows:,} rows")
        st.download_button(
            "CSV", as_csv(table), file_name=f"{name}.csv", mime="text/csv", key=f"csv {name}", icon=":material/download:",
            type="tertiary", on_click="ignore", help="These rows, unrounded, with the ids.",
        )  # fmt: skip
    for column, link in links.items():
        _follow(visit, table, column, link, _click(name, column))


def as_csv(table: pa.Table) -> bytes:
    """The rows of a table as CSV in UTF-8; lists are left out."""
    flat = table.select([field.name for field in table.schema if not pa.types.is_nested(field.type)])
    written = io.BytesIO()
    pyarrow.csv.write_csv(flat, written)
    return written.getvalue()


def _follow(visit: Visit, table: pa.Table, column: str, link: Link, key: str) -> None:
    """Go where a name leads that was clicked on."""
    clicked = st.session_state.get(key)
    if clicked is None or clicked["row"] >= table.num_rows:
        return
    if table[column][clicked["row"]].as_py() == clicked["label"]:
        visit.go(link.page, {link.parameter: table[link.ids][clicked["row"]].as_py()})


def _click(name: str, column: str) -> str:
    return f"click {name} {column}"


def _labelled(value: Any) -> Any:
    return Column(value) if isinstance(value, str) else value


def _columns(facts: Mapping[str, Any]) -> dict[str, Any]:
    """What columns are called, in the words of the collection."""
    player, tournament = (str(facts[f"{word}_word"]).capitalize() for word in ("player", "tournament"))
    players, tournaments = (str(facts[f"{word}_word"]).capitalize() for word in ("players", "tournaments"))
    return {
        "rank": NumberColumn("Rank", width=60),
        "places_gained": NumberColumn("Moved", format="%+d", width=70, help="Places gained since the earlier day"),
        "player_name": TextColumn(player),
        "opponent_name": TextColumn(player),
        "tournament_name": TextColumn(tournament),
        "nation_name": TextColumn("Nation", width=130),
        "nation_code": TextColumn("Nation", width=70),
        "national_rank": NumberColumn("In the nation", width=100),
        "active_rank": NumberColumn("Among the active", width=120),
        "rating": NumberColumn("Rating", format=_RATING),
        "rating_gained": NumberColumn("Change", format=_CHANGE),
        "rating_before": NumberColumn("Before", format=_RATING),
        "rating_change": NumberColumn("Change", format=_CHANGE),
        "rating_after": NumberColumn("After", format=_RATING),
        "tournaments_counted": NumberColumn(tournaments, help=f"Counted {tournaments.lower()}"),
        "tournament_value": NumberColumn("Value", format=_RATING, help="Percent of the gap that the rating moves"),
        "percentile_score": NumberColumn("Percentile", format=_RATING),
        "placement": NumberColumn("Place", width=70),
        "players": NumberColumn(players, width=80),
        "rounds": NumberColumn("Rounds", width=80),
        "weight": NumberColumn("Weight", format=_SHARE, help="Share of today's rating that this result decides"),
        "contribution": NumberColumn("Points", format=_RATING, help="What it adds to today's rating"),
        "last_played_on": DateColumn("Last played"),
        "ended_on": DateColumn("Ended"),
        "course": LineChartColumn("Course", help="Rating after each event"),
        "is_counted": CheckboxColumn("Counted"),
        "year": NumberColumn("Year", format="%d", width=70),
    }
