"""A player: rank and rating, how they came about, what the rating is made of, and what would move it."""

from __future__ import annotations

from datetime import date
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import streamlit as st

import addresses
import charts
from addresses import plain
from courses import show_courses
from figures import Figure, part_of, show_figures
from reading import Row
from shown_tables import show_table
from visits import Visit

_PAGE = "player"
# Lines that can still be told apart.
_COMPARED = 5

_PLAYERS = """
select
    player_id,
    player_name
    || case
        when count(*) over (partition by player_name) > 1 then ' (' || player_id || ')'
        else coalesce(', ' || nation_code, '')
    end as name
from presentation.player_card
where rating_system_id = $system
order by rank nulls last, player_id
"""

_RESULTS = """
select
    event_number,
    ended_on,
    tournament_id,
    tournament_name,
    placement,
    players,
    percentile_score,
    tournament_value,
    rating_before,
    rating_change,
    rating_after,
    weight,
    contribution
from presentation.result_list
where rating_system_id = $system and player_id = $player
order by ended_on desc, event_number desc, tournament_id
"""

# What a rating is made of, by what is left of it today. Events of one name are told apart by their days.
_PARTS = """
select
    case
        when kind = 'initial rating' then 'the initial rating'
        when kind = 'earlier events' then events || ' earlier'
        when count(*) over (partition by tournament_name) > 1 then tournament_name || ', ' || ended_on
        else tournament_name
    end as part,
    weight,
    score,
    contribution
from presentation.rating_part_list
where rating_system_id = $system and player_id = $player
order by number desc
"""

_OPPONENTS = """
select
    opponent_id,
    opponent_name,
    tournaments,
    times_ahead,
    times_behind,
    times_level,
    last_met_on
from marts.head_to_head($player)
order by tournaments desc, times_ahead desc, opponent_id
"""


def show(visit: Visit) -> None:
    """Draw the page."""
    addresses.expect_only("player", "with", "show", "field", "rounds", "championship", "rival")
    names = {row["player_id"]: row["name"] for row in visit.publication.rows(_PLAYERS)}
    if not names:
        st.title(plain(visit.word("players").capitalize()))
        st.info(f"This collection has no {plain(visit.word('players'))} yet.")
        return
    heading = st.container()
    with st.container(horizontal=True, vertical_alignment="bottom"):
        word = visit.word("player").capitalize()
        player = addresses.choice(_PAGE, "player", word, names, next(iter(names)), moving=True)
        others = {key: name for key, name in names.items() if key != player}
        rivals = addresses.choices(
            _PAGE,
            "with",
            f"Compared with (at most {_COMPARED - 1})",
            others,
            [],
            _COMPARED - 1,
            # Nobody is compared with himself.
            dropped={player},
            placeholder="nobody yet",
        )
    facts = visit.publication.rows(
        "from presentation.player_card where rating_system_id = $system and player_id = $player", player=player
    )[0]
    with heading:
        st.title(plain(facts["player_name"]))
        st.caption(plain(_sentence(visit, facts)))
        _show_figures(facts)
    day = visit.publication.rows("select max(ended_on) as day from tournaments")[0]["day"]
    show_courses(visit, [player, *rivals], day, "Rating after each event.")
    lists = {"made-of": "Made of", "moves": "What would move it", "results": "Results", "met": "Head to head"}
    chosen = addresses.segment(_PAGE, "show", "Shown", lists, "made-of", label_visibility="collapsed")
    if chosen == "made-of":
        _show_parts(visit, player)
    elif chosen == "moves":
        _show_moves(visit, player, others, facts, day)
    elif chosen == "results":
        show_table(
            visit, visit.publication.table(_RESULTS, player=player), f"results of {player}", event_number="Event"
        )
    else:
        _show_opponents(visit, player)


def _show_opponents(visit: Visit, player: str) -> None:
    show_table(
        visit, visit.publication.table(_OPPONENTS, player=player), f"opponents of {player}",
        tournaments="Met", times_ahead="Ahead", times_behind="Behind", times_level="Level", last_met_on="Last met",
        empty="nobody was met yet",
    )  # fmt: skip


def _sentence(visit: Visit, facts: Row) -> str:
    many = visit.word("tournament" if facts["tournaments_played"] == 1 else "tournaments")
    parts = [facts["nation_name"], f"{facts['tournaments_played']:,} {many}"]
    if facts["first_played_on"]:
        first, last = str(facts["first_played_on"]), str(facts["last_played_on"])
        parts.append(first if first == last else f"{first} to {last}")
    return " · ".join(part for part in parts if part)


def _show_figures(facts: Row) -> None:
    """The figures that people ask for first."""
    change = None if facts["last_change"] is None else f"{facts['last_change']:+.2f} by the last"
    show_figures(
        [
            Figure("Rating", f"{facts['rating']:.2f}", change),
            Figure(
                "Rank", part_of(facts["rank"], facts["ranked_players"], "not ranked"), _moved(facts["places_gained"])
            ),
            Figure("In the nation", part_of(facts["national_rank"], facts["national_players"])),
            Figure("Among the active", part_of(facts["active_rank"], facts["active_players"], "not active")),
            Figure("Highest", "–" if facts["peak_rating"] is None else f"{facts['peak_rating']:.2f}"),
            Figure("Best place", part_of(facts["best_placement"], facts["best_players"])),
        ]
    )


def _moved(places: int | None) -> str | None:
    return f"{places:+d} places" if places else None


def _show_parts(visit: Visit, player: str) -> None:
    parts = visit.publication.table(_PARTS, player=player)
    if not parts.num_rows:
        st.info("There is no rating yet that could be made of something.")
        return
    st.caption(
        "Every result moves the rating a part of the way; what is left of each makes today's rating. The points add up to it."
    )
    charts.show(
        charts.bars(
            parts,
            "part",
            "contribution",
            "Points of today's rating",
            [
                ("part", "Part", ""),
                ("weight", "Weight", ".3f"),
                ("score", "Percentile", ".2f"),
                ("contribution", "Points", ".2f"),
            ],
        ),
        "What today's rating is made of: points of the initial rating, and of each result.",
    )


def _show_moves(visit: Visit, player: str, others: dict[str, str], facts: Row, day: date) -> None:
    """What each place in an event to come would make of the rating, and what takes the player past a rival."""
    tournament = visit.word("tournament")
    one, two, three = st.columns(3, vertical_alignment="bottom")
    with one:
        players = int(
            addresses.number(_PAGE, "field", f"{visit.word('players').capitalize()} in the {tournament}", 2, 200, 1, 40)
        )
    with two:
        rounds = int(addresses.number(_PAGE, "rounds", "Rounds", 1, 10, 1, 3))
    with three:
        championship = addresses.flag(_PAGE, "championship", visit.word("championship"))
    event: dict[str, Any] = {
        "system": visit.publication.system, "player": player, "players": players,
        "rounds": rounds, "championship": championship, "day": day,
    }  # fmt: skip
    places = visit.publication.table(
        "select placement, tournament_value, rating_before, rating_change, rating_after, rank_after"
        " from marts.what_if($system, $player, $players, $rounds, $championship, $day) order by placement",
        **event,
    )
    _show_places(places, facts)
    rival = addresses.choice(_PAGE, "rival", "To pass", {"": "nobody in particular"} | others, "", dropped={player})
    if rival:
        crossings = visit.publication.table(
            "select rival_placement, rival_rating, placement_needed"
            " from marts.what_it_takes($system, $player, $rival, $players, $rounds, $championship, $day)"
            " order by rival_placement nulls first",
            **event,
            rival=rival,
        )
        _show_crossings(visit, crossings, f"{player} past {rival}")


def _show_places(places: pa.Table, facts: Row) -> None:
    first, worst = places.slice(0, 1).to_pylist()[0], places.slice(places.num_rows - 1).to_pylist()[0]
    holds = next((row["placement"] for row in reversed(places.to_pylist()) if row["rating_change"] >= 0), None)
    st.caption(
        f"Worth {first['tournament_value']:.2f}: from {first['rating_after']:.2f} for the first place to {worst['rating_after']:.2f} for the last; "
        + (f"place {holds} or better keeps {facts['rating']:.2f}." if holds else "no place keeps the rating.")
    )
    told = [
        ("placement", "Place", ""),
        ("rating_after", "Rating", ".2f"),
        ("rating_change", "Change", "+.2f"),
        ("rank_after", "Rank", ""),
    ]
    charts.show(
        charts.changes(places, "placement", "rating_change", ("Place", "Change of the rating"), told),
        "What each place would change.",
    )


def _show_crossings(visit: Visit, crossings: pa.Table, name: str) -> None:
    at_home = crossings.to_pylist()[0]
    needed = at_home["placement_needed"]
    st.caption(
        f"With the rival at home, place {needed} or better is enough."
        if needed
        else "Even the first place is not enough, with the rival at home."
    )
    show_table(
        visit, crossings, name, heights=8,
        rival_placement="Rival finishes", rival_rating=st.column_config.NumberColumn("Rival's rating", format="%.2f"),
        placement_needed="Worst place that is enough",
    )  # fmt: skip
