"""The laboratory: the whole history rated again under other rules, beside the published ranking."""

from __future__ import annotations

from typing import Any

import pyarrow.compute as pc  # type: ignore[import-untyped]
import streamlit as st

import addresses
import charts
from addresses import plain
from figures import Figure, part_of, show_figures
from reading import Identity, Publication, Row
from shown_tables import show_table
from views.better_rules import show_better_rules
from visits import Visit

_PAGE = "laboratory"
_DRAWN = 8

# The rules that are numbers: how they are called, from where to where they can be moved, in which steps. No divisor is 0.
_NUMBERS = {
    "initial_rating": ("Initial rating", 0.0, 100.0, 1.0),
    "world_championship_value": ("Value of a {championship}", 0.0, 100.0, 0.5),
    "maximum_value": ("Highest value of any other", 0.0, 100.0, 0.5),
    "one_round_divisor": ("Divisor, one round", 0.5, 50.0, 0.5),
    "several_rounds_divisor": ("Divisor, several rounds", 0.5, 50.0, 0.5),
    "base_value": ("Base value", 0.0, 50.0, 0.5),
}

# The rating systems as the controls stand for them: all years are 0 years, from the beginning is the first day of all.
_SYSTEMS = """
select
    systems.* replace (
        coalesce(systems.counted_years, 0) as counted_years,
        coalesce(systems.first_counted_on, span.first_day) as first_counted_on
    ),
    least(span.first_day, min(systems.first_counted_on) over ()) as first_day,
    greatest(span.last_day, max(systems.first_counted_on) over ()) as last_day
from rating_systems as systems
cross join (select min(ended_on) as first_day, max(ended_on) as last_day from tournaments) as span
where span.first_day is not null
order by systems.is_default desc, systems.rating_system_id
"""

_TOURNAMENTS = """
select tournament_id, name || ', ' || ended_on as name
from tournaments
order by ended_on desc, tournament_id
"""

_ARGUMENTS = """
    initial_rating => $initial_rating,
    world_championship_value => $world_championship_value,
    one_round_divisor => $one_round_divisor,
    several_rounds_divisor => $several_rounds_divisor,
    base_value => $base_value,
    maximum_value => $maximum_value,
    first_counted_on => $first_counted_on,
    counted_years => $counted_years,
    excluded_tournaments => $excluded_tournaments
"""

# Who is ranked under one set of rules only has no rating under the other, and gains or loses nothing.
_RANKING = f"""
with ranked as (
    select * replace (
        case when rank is not null then rating end as rating,
        case when default_rank is not null then default_rating end as default_rating
    )
    from marts.ranking_under({_ARGUMENTS})
    where rank is not null or default_rank is not null
)

select
    rank,
    default_rank,
    default_rank - rank as places_gained,
    player_id,
    player_name,
    nation_code,
    rating,
    default_rating,
    rating - default_rating as rating_gained,
    tournaments_counted
from ranked
order by rank nulls last, default_rank nulls last, player_id
"""

_PUBLISHED_SKILL = "select tournament_id, concordance from marts.skill_under()"

# Tournament by tournament, because what both rules share at one drops out.
_SKILL = f"""
select
    count(*) as tournaments,
    avg(other.concordance) as concordance,
    avg(published.concordance) as published_concordance,
    list(other.concordance order by other.ended_on, other.tournament_id) as figures,
    list(published.concordance order by other.ended_on, other.tournament_id) as published_figures
from marts.skill_under({_ARGUMENTS}) as other
inner join
    (select unnest($tournaments) as tournament_id, unnest($concordances) as concordance) as published
    on other.tournament_id = published.tournament_id
"""

_ADVANTAGE = "select advantage_low, advantage_high from marts.paired_difference($figures, $published_figures)"


def show(visit: Visit) -> None:
    """Draw the page."""
    addresses.expect_only(*_NUMBERS, "first_counted_on", "counted_years", "without", "search")
    publication = visit.publication
    systems = publication.rows(_SYSTEMS)
    st.title("Laboratory")
    if not systems or systems[0]["first_day"] == systems[0]["last_day"]:
        st.info(f"There are too few {plain(visit.word('tournaments'))} to rate anything again.")
        return
    st.caption(
        "Move a rule, and the whole history is rated again, beside the published ranking. Nothing is kept but the address."
    )
    _show_presets(visit, systems)
    rules = _rules(visit, systems[0])
    ranking = publication.table(_RANKING, **rules)
    skill = _skill(visit, rules)
    _show_figures(ranking, skill)
    _show_skill(visit, skill)
    _show_comings(visit, ranking)
    _show_changes(visit, _ranked_twice(ranking))
    show_table(
        visit, ranking, "ranking under these rules", empty="nobody is ranked under these rules",
        default_rank=st.column_config.NumberColumn("Published", width=90), places_gained=st.column_config.NumberColumn("Places", format="%+d"),
        default_rating=st.column_config.NumberColumn("Published rating", format="%.2f"),
    )  # fmt: skip
    show_better_rules(visit, _PAGE, _labels(visit))


def _show_presets(visit: Visit, systems: list[Row]) -> None:
    """The rating systems of the collection as places to start from."""
    published, *variants = systems
    with st.container(horizontal=True):
        st.page_link(visit.pages[_PAGE], label="The published rules", icon=":material/restart_alt:")
        for system in variants:
            changed = {
                rule: f"{system[rule]:.10g}" for rule in (*_NUMBERS, "counted_years") if system[rule] != published[rule]
            }
            if system["first_counted_on"] != published["first_counted_on"]:
                changed["first_counted_on"] = system["first_counted_on"].isoformat()
            name = system["name"].removeprefix(f"{published['name']}, ")
            st.page_link(visit.pages[_PAGE], label=plain(name), icon=":material/science:", query_params=changed)


def _rules(visit: Visit, published: Row) -> dict[str, Any]:
    """The rules that the controls stand at; none where one stands at the published rule."""
    chosen: dict[str, Any] = {}
    columns = st.columns(3, gap="medium")
    for number, (rule, (_, low, high, step)) in enumerate(_NUMBERS.items()):
        with columns[number % 3]:
            words = plain(_labels(visit)[rule])
            # The published rule can always be chosen, wherever a control ends.
            bounds = min(low, published[rule]), max(high, published[rule])
            chosen[rule] = addresses.number(_PAGE, rule, words, *bounds, step, float(published[rule]))
    with columns[0]:
        first, last = published["first_day"], published["last_day"]
        chosen["first_counted_on"] = addresses.day(
            _PAGE, "first_counted_on", "First day that counts", first, last, published["first_counted_on"]
        )
    with columns[1]:
        years = max(50, published["counted_years"])
        chosen["counted_years"] = int(
            addresses.number(
                _PAGE, "counted_years", "Last years that count (0: all)", 0, years, 1, published["counted_years"]
            )
        )
    with columns[2]:
        names = {row["tournament_id"]: row["name"] for row in visit.publication.rows(_TOURNAMENTS)}
        excluded = addresses.choices(
            _PAGE, "without", f"Without these {visit.word('tournaments')}", names, [], 20, placeholder="all are rated"
        )
    moved = {rule: None if value == published[rule] else value for rule, value in chosen.items()}
    return moved | {"excluded_tournaments": excluded or None}


def _labels(visit: Visit) -> dict[str, str]:
    return {rule: label.format(championship=visit.word("championship")) for rule, (label, *_) in _NUMBERS.items()}


def _skill(visit: Visit, rules: dict[str, Any]) -> Row:
    """How well ratings under rules foretell who finishes ahead, beside the published ones."""
    publication = visit.publication
    published = _published_skill if publication.identity is None else _kept_published_skill
    tournaments, concordances = published(publication, publication.identity)
    skill = publication.rows(_SKILL, tournaments=tournaments, concordances=concordances, **rules)[0]
    figures = {name: skill[name] or [] for name in ("figures", "published_figures")}
    return skill | publication.rows(_ADVANTAGE, **figures)[0]


def _published_skill(_publication: Publication, _identity: Identity) -> tuple[list[str], list[float]]:
    """The tournaments that the published rules count, and how well the published ratings foretell each."""
    found = _publication.table(_PUBLISHED_SKILL)
    return found["tournament_id"].to_pylist(), found["concordance"].to_pylist()


# Half of a page's work, and the same for everybody who looks at one publication.
@st.cache_data(max_entries=2, show_spinner=False)
def _kept_published_skill(_publication: Publication, identity: Identity) -> tuple[list[str], list[float]]:
    return _published_skill(_publication, identity)


def _ranked_twice(ranking: Any) -> Any:
    """Who is ranked under these rules and the published ones."""
    return ranking.filter(pc.is_valid(ranking["rating_gained"]))


def _show_figures(ranking: Any, skill: Row) -> None:
    leaders = [row["player_name"] for row in ranking.to_pylist() if row["rank"] == 1]
    rows = _ranked_twice(ranking).to_pylist()
    moved = sum(row["rank"] != row["default_rank"] for row in rows)
    most = max((abs(row["rating_gained"]) for row in rows), default=0.0)
    foretold = "–" if skill["concordance"] is None else f"{100 * skill['concordance']:.2f} %"
    show_figures(
        [
            Figure("First", leaders[0] if leaders else "nobody"),
            Figure("Of another rank", part_of(moved, len(rows))),
            Figure("Largest change", f"{most:.2f}"),
            Figure("Orders foretold", foretold),
        ]
    )


def _show_skill(visit: Visit, skill: Row) -> None:
    """Whether these rules foretell better, as far as that can be said."""
    tournaments = (
        f"{skill['tournaments']:,} {plain(visit.word('tournament' if skill['tournaments'] == 1 else 'tournaments'))}"
    )
    if skill["concordance"] is None:
        st.caption("No finishing order can be compared: the published rules count none.")
        return
    beside = f"Of two who met, these ratings had the right one ahead in {100 * skill['concordance']:.2f} %, the published ones in {100 * skill['published_concordance']:.2f} %"
    if skill["advantage_low"] is None:
        st.caption(f"{beside}, at {tournaments}: too few to say which is better.")
        return
    low, high = 100 * skill["advantage_low"], 100 * skill["advantage_high"]
    verdict = "better" if low > 0 else "worse" if high < 0 else "no difference that can be told from chance"
    few = " With fewer than about thirty the true interval is wider." if skill["tournaments"] < 30 else ""
    st.caption(
        f"{beside}, at {tournaments}: {verdict} (95 % interval of the difference {low:+.2f} to {high:+.2f} points).{few}"
    )


def _show_comings(visit: Visit, ranking: Any) -> None:
    """How many are ranked on one side only; their rows in the table have no rank on the other."""
    out, into = ranking["rank"].null_count, ranking["default_rank"].null_count
    if out or into:
        players = plain(visit.word("players"))
        st.caption(
            f"Not ranked under these rules: {out:,} of the {ranking.num_rows - into:,} {players} of the published ranking."
            f" Ranked under these rules only: {into:,}. They neither gain nor lose."
        )


def _show_changes(visit: Visit, ranking: Any) -> None:
    """Who gains and who loses the most, and everybody beside the published rating, of those who are ranked on both sides."""
    ordered = charts.told_apart(ranking).sort_by([("rating_gained", "descending"), ("player_id", "ascending")])
    rows = ordered.to_pylist()
    gaining = sum(row["rating_gained"] > 0 for row in rows)
    losing = sum(row["rating_gained"] < 0 for row in rows)
    if not rows:
        st.info("Nobody is ranked under these rules and under the published ones: there is nothing to compare.")
        return
    if not gaining and not losing:
        st.info("Nobody's rating changes: these are the published rules, or what was moved touches nobody.")
        return
    player = visit.word("player").capitalize()
    told = [
        ("player_name", player, ""), ("default_rating", "Published", ".2f"), ("rating", "Under these rules", ".2f"),
        ("rating_gained", "Change", "+.2f"), ("default_rank", "Published rank", ""), ("rank", "Rank", ""),
    ]  # fmt: skip
    most = [*range(min(_DRAWN, gaining)), *range(len(rows) - min(_DRAWN, losing), len(rows))]
    one, two = st.columns(2, gap="large")
    with one:
        st.subheader("Who gains, and who loses")
        charts.show(
            charts.bars(ordered.take(most), "player_name", "rating_gained", "Change of the rating", told, signed=True),
            f"The largest of {gaining:,} gains and {losing:,} losses.",
        )
    with two:
        st.subheader("Everybody")
        charts.show(
            charts.dots(
                ranking, "default_rating", "rating", ("Published rating", "Under these rules"), told, diagonal=True
            ),
            "Ratings under these rules against the published ones; on the line both are equal.",
        )
