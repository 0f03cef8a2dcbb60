"""Records, careers and predictions against plain loops: on the real documents and on histories made up."""

from __future__ import annotations

from collections.abc import Callable

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support import loops
from support.compiled import CompiledProject
from support.loops import Facts, Table
from support.seed_rows import Rows, large_history, read_collection, reference_rows, result, tournament

PLAYERS = "abcdefg"

# The columns of each mart in the order of its loop.
MARTS: dict[str, tuple[str, Callable[[Facts], Table]]] = {
    "number_one_reigns": (
        "rating_system_id, player_id, reigned_from, reigned_to, days, highest_rating, was_shared",
        loops.number_one_reigns,
    ),
    "player_records": (
        "rating_system_id, player_id, peak_rating, peak_on, best_year_end_rank, best_year",
        loops.player_records,
    ),
    "rating_jumps": ("rating_system_id, direction, rank, player_id, event_number, rating_change", loops.rating_jumps),
    "active_ranking": (
        "rating_system_id, rank, international_rank, player_id, rating, last_played_on",
        loops.active_ranking,
    ),
    "performances": (
        "rating_system_id, player_id, event_number, tournament_id, listed_players, listed_place, expected_place, places_better, rank",
        loops.performances,
    ),
    "newcomers": ("rating_system_id, year, newcomer_rank, rank, player_id, rating", loops.newcomers),
    "streaks": ("kind, player_id, events, first_event_on, last_event_on, is_running", loops.streaks),
    "careers": (
        "player_id, tournaments_played, world_championships_played, years_played, first_played_on, last_played_on,"
        " gold_medals, silver_medals, bronze_medals, world_championship_medals, medal_rank",
        loops.careers,
    ),
    "attendance": (
        "year, tournaments, places_declared, mean_players, most_players, people_listed, newcomers",
        loops.attendance,
    ),
}
OPPONENTS = "opponent_id, tournaments, times_ahead, times_behind, times_level, last_met_on"
SKILL = (
    "slice_kind, slice, predictor, tournaments, pairs, undecided_share, concordance, concordance_low, concordance_high,"
    " tau_b_tournaments, tau_b, tau_b_low, tau_b_high, rating_advantage, rating_advantage_low, rating_advantage_high"
)


@st.composite
def histories(draw: st.DrawFn) -> Rows:
    """Up to nine tournaments of seven people, around the turns of years; few placements, so that many are shared."""
    tournaments, results = [], []
    for number in range(draw(st.integers(1, 9))):
        players = draw(st.none() | st.integers(7, 90))
        day = draw(
            st.sampled_from(["1999-12-31", "2001-01-01", "2001-06-01", "2001-12-31", "2002-01-01", "2006-03-01"])
        )
        kind = draw(st.sampled_from(["", "CUP", "WDC"]))
        tournaments.append(
            tournament(f"t{number}", day, players, kind=kind, rounds=draw(st.sampled_from([None, 1, 3])))
        )
        placements = st.none() | st.integers(1, 4) | st.integers(1, players or 7)
        for player, placement in draw(st.dictionaries(st.sampled_from(PLAYERS), placements)).items():
            results.append(result(f"t{number}", player, placement))
    years = draw(st.sampled_from(["", "1", "2", "100"]))
    settings_ = [{"setting": "active_years", "value": years}]
    return {"raw_tournaments": tournaments, "raw_results": results, "ref_settings": settings_}


@given(rows=histories())
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_every_row_on_made_up_histories(compiled_project: CompiledProject, rows: Rows) -> None:
    with compiled_project.build(reference_rows() | rows) as marts:
        check_everything(marts, [*PLAYERS, "nobody"])


def test_every_row_on_a_large_history(compiled_project: CompiledProject) -> None:
    with compiled_project.build(reference_rows() | large_history()) as marts:
        check_everything(marts, ["p1", "p2"])


def test_every_row_on_the_real_documents(compiled_project: CompiledProject) -> None:
    with compiled_project.build(read_collection()) as marts:
        check_everything(marts, ["edi-birsan", "cyrille-sevin"])


def check_everything(marts: duckdb.DuckDBPyConnection, players: list[str]) -> None:
    """Every mart holds what its loop gives, no row less and none twice."""
    facts = Facts(marts)
    for name, (columns, expected) in MARTS.items():
        has = marts.execute(f"select {columns} from marts.{name}").fetchall()
        assert (name, set(has), len(has)) == (name, expected(facts), len(set(has)))
    for player in players:
        has = marts.execute(f"select {OPPONENTS} from marts.head_to_head(?)", [player]).fetchall()
        assert (player, set(has), len(has)) == (player, loops.head_to_head(facts, player), len(set(has)))
    skill = {tuple(row[:3]): row[3:] for row in marts.execute(f"select {SKILL} from marts.rating_skill").fetchall()}
    expected_skill = loops.rating_skill(facts)
    assert skill.keys() == expected_skill.keys()
    for key, figures in expected_skill.items():
        close = tuple(figure if figure is None else pytest.approx(figure, abs=1e-9) for figure in figures)
        assert (key, skill[key]) == (key, close)
