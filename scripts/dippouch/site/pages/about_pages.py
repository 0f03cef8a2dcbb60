"""Pages around the rankings: the first page, the rules, their quality, the data and its downloads."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from dippouch.db import Row
from dippouch.export.reading import Content
from dippouch.site.page import DataFile, Page, page_of_tables
from dippouch.site.pages.ranking_pages import ranking_columns
from dippouch.site.table_cells import PERSON, Column

_TOP, _LAST, _MOVERS, _LISTED = 10, 6, 8, 200

_HOME = {
    "last": (
        f"from presentation.tournament_card where not is_withdrawn order by ended_on desc, started_on desc, tournament_id desc limit {_LAST}",
        (
            Column("{Tournament}", "event_and_place", "name"),
            Column("Ended", "month", "ended_on"),
            Column("Winner", "persons", "winners"),
        ),
    ),
    "movers": (
        (
            "from presentation.ranking_list where rating_system_id = $system and rating_gained <> 0"
            f" order by abs(rating_gained) desc, player_id limit {_MOVERS}"
        ),
        (
            PERSON,
            Column("Rank", "count", "rank"),
            Column("", "move", "places_gained"),
            Column("Points", "change", "rating_gained"),
        ),
    ),
}
_QUALITY = {
    "incomplete": (
        (
            "from main.tournament_completeness where is_complete is distinct from true"
            f" order by ended_on desc, tournament_id limit {_LISTED}"
        ),
        (
            Column("Ended", "day", "ended_on", wide=True),
            Column("{Tournament}", "event", "name"),
            Column("{Players}", "count", "players"),
            Column("With a placement", "count", "results_with_placement", wide=True),
            Column("Without", "count", "results_without_placement", wide=True),
            Column("Missing", "count", "results_missing"),
            Column("Vacant placements", "text", "uncovered_placements"),
        ),
    ),
    "scores": (
        (
            "from main.published_score_comparison inner join main.players using (player_id) where not agrees"
            f" order by tournament_id, player_id limit {_LISTED}"
        ),
        (
            Column("{Tournament}", "event", "tournament_name"),
            PERSON,
            Column("Printed", "fixed", "published_score"),
            Column("Here", "fixed", "percentile_score"),
            Column("Corrected", "mark", "is_corrected", wide=True),
        ),
    ),
    "corrections": (
        f"from main.corrections order by correction_number desc limit {_LISTED}",
        (
            Column("No.", "count", "correction_number"),
            Column("{Tournament}", "text", "tournament_id"),
            Column("{Player}", "text", "listed_player_id", wide=True),
            Column("Field", "text", "field"),
            Column("Stated", "text", "stated_value", wide=True),
            Column("Corrected", "text", "corrected_value"),
            Column("Reason", "text", "reason"),
            Column("Decided", "day", "decided_on", wide=True),
        ),
    ),
    "aliases": (
        f"from main.player_aliases order by listed_player_id, tournament_id limit {_LISTED}",
        (Column("Listed as", "text", "listed_player_id"), Column("Is", "person"), Column("Reason", "text", "reason")),
    ),
    "published": (
        (
            "from main.published_ranking_comparison"
            f" order by last_update desc, ranking_name, published_rank, player_id limit {_LISTED}"
        ),
        (
            Column("Published rank", "rank", "published_rank"),
            PERSON,
            Column("Published", "fixed", "published_rating"),
            Column("Here", "rating", "rating"),
            Column("Difference", "change", "difference", wide=True),
            Column("{Tournaments}", "count", "tournaments_counted", wide=True),
        ),
    ),
}
_SKILL = (
    Column("Predictor", "text", "predictor"),
    Column("Among", "text", "slice"),
    Column("{Tournaments}", "count", "tournaments"),
    Column("Pairs", "count", "pairs", wide=True),
    Column("Undecided", "percent", "undecided_share", wide=True),
    Column("Concordance", "share", "concordance"),
    Column("from", "share", "concordance_low", wide=True),
    Column("to", "share", "concordance_high", wide=True),
    Column("tau-b", "share", "tau_b", wide=True),
)
_CALCULATED = "one_round_divisor several_rounds_divisor base_value maximum_value world_championship_value"
# Entries of the search in the head of every page: a label, a note and an address.
_SEARCHED = (
    """
    select player_name, coalesce('rank ' || rank, 'not ranked'), concat('players/', player_id, '.html')
    from presentation.player_card where rating_system_id = $system order by rank nulls last, player_id
    """,
    """
    select name, cast(year(ended_on) as varchar), concat('tournaments/', tournament_id, '.html')
    from presentation.tournament_card order by ended_on desc, tournament_id
    """,
    """
    select nation_name, 'nation', concat('nations/', lower(nation_code), '.html')
    from presentation.nation_card order by nation_name, nation_code
    """,
)


def pages(content: Content, ranking: list[Row]) -> Iterator[Page | DataFile]:
    """Yield the pages about the site as a whole; `ranking` has the rows of `presentation.ranking_list` by rank."""
    facts = content.facts
    reigns = "from main.number_one_reigns where reigned_to is null order by reigned_from, player_id"
    yield page_of_tables(
        content,
        "index.html",
        facts["title"],
        facts["description"] or facts["rating_system_name"],
        "",
        _HOME,
        template="home.html",
        top=ranking[:_TOP],
        columns=[column for column in ranking_columns() if column.key != "tournaments_counted"],
        reigning=content.rows(reigns),
    )

    system = content.rows("from presentation.rating_system_card where is_default")[0]
    described = f"How {system['name']} turns a placement into a rating, with a worked example and a calculator."
    shown = {
        "system": system,
        "example": system["example"],
        "rules": {name: system[name] for name in _CALCULATED.split()},
    }
    yield Page("rules.html", "Rules", described, shown, "rules")

    yield _systems(content)

    rows = content.rows("from main.rating_skill order by slice_kind, slice, predictor")
    slices = [(kind, list(of_kind)) for kind, of_kind in groupby(rows, key=lambda row: row["slice_kind"])]
    described = "How well the rating predicts results."
    context = {"slices": slices, "columns": _SKILL}
    yield Page("skill.html", "How good the rating is", described, context, "rules")

    described = "Gaps in the data, corrections with their reasons, and a comparison with published figures."
    counts = content.rows("from presentation.quality_card")[0]
    yield page_of_tables(content, "quality.html", "Data quality", described, "data", _QUALITY, counts=counts)

    described = "Every table as CSV, Parquet, JSON and one DuckDB file, and how to cite them."
    yield Page("data.html", "Data", described, {"tables": _tables(content)}, "data")

    yield Page("404.html", "Not found", "There is no such page.")

    entries: list[Any] = [list(row.values()) for query in _SEARCHED for row in content.stream(query)]
    yield DataFile("search.js", "searchEntries", entries)


def _systems(content: Content) -> Page:
    """Return the page of ranks under every rating system, one row per player."""
    systems = content.rows("from presentation.rating_system_card order by is_default desc, rating_system_id")
    rows = content.rows("from main.system_comparison where default_rank <= 50 order by default_rank, player_id")
    ranks: dict[str, Row] = {}
    for row in rows:
        ranks.setdefault(row["player_id"], dict(row))[row["rating_system_id"]] = row["rank"]
    others = (row["rating_system_id"] for row in systems if not row["is_default"])
    columns = [
        Column("Rank", "rank", "default_rank"),
        PERSON,
        Column("Rating", "rating", "default_rating"),
        *(Column(system, "count", system) for system in others),
    ]
    shown = {"systems": systems, "ranks": list(ranks.values()), "columns": columns}
    return Page("systems.html", "Other rules", "The effect of other rules, side by side.", shown, "rules")


def _tables(content: Content) -> list[Row]:
    """Return every published table with its number of rows and its grain: the first sentence of its description."""
    tables = content.rows(
        "select table_name, split_part(split_part(coalesce(comment, ''), '. ', 1), ': ', 1).rtrim('.') as grain from duckdb_tables()"
        " where database_name = 'published' and schema_name = 'marts' order by table_name"
    )
    return [row | content.rows(f'select count(*) as rows from marts."{row["table_name"]}"')[0] for row in tables]
