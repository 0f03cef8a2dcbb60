"""Small histories that hypothesis makes up, with all that rules may have to decide on."""

from __future__ import annotations

from hypothesis import strategies as st

from support.seed_rows import Rows, result, tournament

PLAYERS = [f"player-{letter}" for letter in "abcdefghij"]
# One nation with more than five players, one of two, one of one; the last player has none.
NATIONS = dict(zip(PLAYERS, ["FRA"] * 6 + ["SWE"] * 2 + ["NOR", ""], strict=True))
DAYS = [
    *("1996-06-01", "2000-12-31", "2001-01-01", "2001-01-02", "2003-02-28", "2004-02-28", "2004-02-29"),
    *("2009-05-05", "2009-06-05", "2010-12-31", "2014-02-28"),
]


@st.composite
def histories(draw: st.DrawFn) -> Rows:
    """Tournaments with ties, gaps, shared days, one-event players, and events that some systems do not count."""
    tournaments, results = [], []
    for number in range(draw(st.integers(1, 9))):
        tournament_id = f"tournament-{number}"
        people = draw(st.lists(st.sampled_from(PLAYERS), unique=True, min_size=1, max_size=len(PLAYERS)))
        players = draw(st.none() | st.integers(len(people), 90))
        rounds = draw(st.none() | st.integers(1, 3))
        kind = draw(st.sampled_from(["", "WDC", "CUP"]))
        tournaments.append(tournament(tournament_id, draw(st.sampled_from(DAYS)), players, rounds=rounds, kind=kind))
        placement = 1
        for position, player_id in enumerate(people, start=1):
            if not draw(st.booleans()):
                placement = position
            listed = None if draw(st.integers(0, 9)) == 0 else placement
            results.append(result(tournament_id, player_id, listed, nation_code=NATIONS[player_id]))
    return {"raw_tournaments": tournaments, "raw_results": results}
