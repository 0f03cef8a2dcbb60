"""What the collection lacks, what was decided about it, and how its figures agree with what sources print."""

from __future__ import annotations

import streamlit as st

import addresses
import charts
from addresses import plain
from figures import Figure, listed, part_of, show_figures
from reading import Row
from shown_tables import show_table
from visits import Visit

_PAGE = "quality"

_INCOMPLETE = """
select tournament_id, name as tournament_name, ended_on, players, results_with_placement, results_without_placement,
    results_missing, uncovered_placements
from tournament_completeness
where not is_complete
order by results_missing desc nulls last, ended_on desc, tournament_id
"""

_PRINTED = """
select
    ranking_name,
    published_rank,
    player_id,
    player_name,
    cast(published_rating as double) as published_rating,
    rating,
    cast(difference as double) as difference,
    tournaments_counted
from published_ranking_comparison
order by ranking_name, published_rank, player_id
"""

_SCORES = """
select
    tournament_id,
    tournament_name,
    player_id,
    player_name,
    cast(published_score as double) as published_score,
    percentile_score
from published_score_comparison
where not agrees
order by tournament_id, player_id
"""

_CORRECTIONS = """
select
    tournament_id,
    tournament_name,
    listed_player_id as listed_as,
    field,
    stated_value,
    corrected_value,
    reason,
    decided_on
from corrections
order by correction_number
"""

_ALIASES = """
select player_id, player_name, listed_player_id as listed_as, tournament_id as only_in, reason
from player_aliases
order by player_id, listed_player_id, only_in
"""


def show(visit: Visit) -> None:
    """Draw the page."""
    addresses.expect_only("list")
    st.title("Data")
    facts = visit.publication.rows("from presentation.quality_card")[0]
    st.caption(
        f"What is missing from the {plain(visit.word('tournaments'))} of this collection, what was decided, and what agrees with its sources."
    )
    _show_figures(visit, facts)
    lists = {
        "incomplete": "Incomplete",
        "printed": "Printed ratings",
        "scores": "Differing scores",
        "corrections": "Corrections",
        "aliases": "Who is who",
    }
    chosen = addresses.segment(_PAGE, "list", "List", lists, "incomplete", label_visibility="collapsed")
    if chosen == "printed":
        _show_printed(visit)
        return
    sql, empty = {
        "incomplete": (_INCOMPLETE, f"every {visit.word('tournament')} is complete"),
        "scores": (_SCORES, "every score that a source prints agrees"),
        "corrections": (_CORRECTIONS, "nothing was corrected"),
        "aliases": (_ALIASES, "nobody is listed under several names"),
    }[chosen]
    number = st.column_config.NumberColumn
    show_table(
        visit, visit.publication.table(sql), chosen, empty=empty,
        results_with_placement="With a placement", results_without_placement="Without", results_missing="Missing",
        uncovered_placements="Places that no row covers",
        published_score=number("Printed", format="%.2f"), percentile_score=number("Ours", format="%.4f"),
        listed_as="Listed as", only_in="Only in", field="Field", stated_value="Stated", corrected_value="Corrected to",
        reason="Reason", decided_on="Decided",
    )  # fmt: skip


def _show_figures(visit: Visit, facts: Row) -> None:
    show_figures(
        [
            Figure(
                f"Complete {visit.word('tournaments')}",
                part_of(facts["complete_tournaments"], facts["tournaments"]),
                listed(facts),
            ),
            Figure("Printed scores that agree", part_of(facts["agreeing_scores"], facts["printed_scores"])),
            Figure("Printed values that agree", part_of(facts["agreeing_values"], facts["printed_values"])),
        ]
    )


def _show_printed(visit: Visit) -> None:
    printed = visit.publication.table(_PRINTED)
    if printed.num_rows:
        st.caption(
            "Printed rankings were made from more results than are here: the difference says how much is missing."
        )
        told = [
            ("player_name", visit.word("player").capitalize(), ""),
            ("published_rating", "Printed", ".2f"),
            ("rating", "Ours", ".2f"),
        ]
        charts.show(
            charts.dots(printed, "published_rating", "rating", ("Printed rating", "Our rating"), told, diagonal=True),
            "Ratings of a printed ranking against ours; on the line both are equal.",
        )
    number = st.column_config.NumberColumn
    show_table(
        visit, printed, "printed ratings", empty="no printed ranking is in the collection",
        ranking_name="Ranking", published_rank=number("Rank", width=60), published_rating=number("Printed", format="%.2f"),
        rating=number("Ours", format="%.2f"), difference=number("Difference", format="%+.2f"),
    )  # fmt: skip
