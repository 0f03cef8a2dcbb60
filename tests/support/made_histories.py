"""Small histories that hypothesis makes up, with all that rules may have to decide on."""

from __future__ import annotations

from hypothesis import strategies as st

from support.seed_rows import Rows, result, tournament

PLAYERS = [f"player-{letter}" for letter in "abcdefghij"]
# One nation with more than five players, one of two, one of one; the last player has none.
NATIONS = dict(zip(PLAYERS, ["FRA"] * 6 + ["SWE"] * 2 + ["NOR", ""], strict=True))
# Around the turns of years, the first counted day and the end of February.
DAYS = [
    *("1996-06-01", "1999-12-31", "2000-12-31", "2001-01-01", "2001-01-02", "2001-12-31", "2003-02-28", "2004-02-28"),
    *("2004-02-29", "2009-05-05", "2009-06-05", "2010-12-31", "2014-02-28"),
]


@st.composite
def histories(draw: st.DrawFn) -> Rows:
    """Tournaments with many shared placements, gaps, shared days, one-event players, and some that no system counts."""
    tournaments, results = [], []
    for number in range(draw(st.integers(1, 9))):
        tournament_id = f"tournament-{number}"
        players = draw(st.none() | st.integers(len(PLAYERS), 90))
        facts = {"rounds": draw(st.none() | st.integers(1, 3)), "kind": draw(st.sampled_from(["", "WDC", "CUP"]))}
        tournaments.append(tournament(tournament_id, draw(st.sampled_from(DAYS)), players, **facts))
        placements = st.none() | st.integers(1, 4) | st.integers(1, players or 7)
        field = draw(st.dictionaries(st.sampled_from(PLAYERS), placements, min_size=1))
        for player_id, placement in field.items():
            results.append(result(tournament_id, player_id, placement, nation_code=NATIONS[player_id]))
    active_years = {"setting": "active_years", "value": draw(st.sampled_from(["", "1", "2", "100"]))}
    return {"raw_tournaments": tournaments, "raw_results": results, "ref_settings": [active_years]}
