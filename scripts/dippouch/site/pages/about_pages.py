"""What surrounds the rankings: the first page, the rules, how good they are, what the data are, and how to take them along."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from dippouch.db import Row
from dippouch.export.reading import Content
from dippouch.site.page import DataFile, Page, first_capital
from dippouch.site.pages.ranking_pages import ranking_columns
from dippouch.site.table_cells import Column

_TOP, _LAST, _MOVERS = 10, 6, 8


def pages(content: Content, ranking: list[Row]) -> Iterator[Page | DataFile]:
    """The pages about the whole.

    Args:
        content: the published database.
        ranking: the rows of `presentation.ranking_list`, by rank.
    """
    yield _home(content, ranking[:_TOP])
    yield _rules(content)
    yield _systems(content)
    yield _skill(content)
    yield _quality(content)
    yield _data(content)
    yield Page("404.html", "404.html", "Not found", "There is no such page.")
    yield _search(content)


def _home(content: Content, top: list[Row]) -> Page:
    facts = content.facts
    columns = [column for column in ranking_columns(facts) if column.key != "tournaments_counted"]
    last = content.rows(
        f"from presentation.tournament_card where not is_withdrawn order by ended_on desc, started_on desc, tournament_id desc limit {_LAST}"
    )
    context = {
        "top": top,
        "columns": columns,
        "last": last,
        "last_columns": [
            Column(first_capital(facts["tournament_word"]), "event-and-place", "name"),
            Column("Ended", "month", "ended_on"),
            Column("Winner", "persons", "winners"),
        ],
        "movers": content.rows(
            "from presentation.ranking_list where rating_system_id = $system and rating_gained <> 0"
            f" order by abs(rating_gained) desc, player_id limit {_MOVERS}"
        ),
        "mover_columns": [
            Column(first_capital(facts["player_word"]), "person"),
            Column("Rank", "count", "rank"),
            Column("", "move", "places_gained"),
            Column("Points", "change", "rating_gained"),
        ],
        "reigning": content.rows(
            "from main.number_one_reigns where reigned_to is null order by reigned_from, player_id"
        ),
    }
    return Page("index.html", "home.html", facts["title"], facts["description"] or facts["rating_system_name"], context)


def _rules(content: Content) -> Page:
    system = content.rows("from presentation.rating_system_card where is_default")[0]
    example = content.rows("from presentation.worked_example where is_default")[0]
    rules = {
        name: system[name]
        for name in (
            "one_round_divisor",
            "several_rounds_divisor",
            "base_value",
            "maximum_value",
            "world_championship_value",
        )
    }
    described = f"How {system['name']} turns a placement into a rating, with a worked example and a calculator."
    return Page(
        "rules.html", "rules.html", "Rules", described, {"system": system, "example": example, "rules": rules}, "rules"
    )


def _systems(content: Content) -> Page:
    systems = content.rows("from presentation.rating_system_card order by is_default desc, rating_system_id")
    rows = content.rows("from presentation.top_fifty_list order by shown_rank, player_id, rating_system_id")
    ranks = []
    for _, of_player in groupby(rows, key=lambda row: row["player_id"]):
        by_system = list(of_player)
        ranks.append(by_system[0] | {row["rating_system_id"]: row["rank"] for row in by_system})
    columns = [
        Column("Rank", "rank", "shown_rank"),
        Column(first_capital(content.facts["player_word"]), "person"),
        Column("Rating", "rating", "shown_rating"),
        *(
            Column(row["rating_system_id"], "count", row["rating_system_id"])
            for row in systems
            if not row["is_default"]
        ),
    ]
    described = "What other rules would change, side by side."
    return Page(
        "systems.html",
        "systems.html",
        "Other rules",
        described,
        {"systems": systems, "ranks": ranks, "columns": columns},
        "rules",
    )


def _skill(content: Content) -> Page:
    columns = [
        Column("Predictor", "text", "predictor"),
        Column("Among", "text", "slice"),
        Column(first_capital(content.facts["tournaments_word"]), "count", "tournaments"),
        Column("Pairs", "count", "pairs", wide=True),
        Column("Undecided", "percent", "undecided_share", wide=True),
        Column("Concordance", "share", "concordance"),
        Column("from", "share", "concordance_low", wide=True),
        Column("to", "share", "concordance_high", wide=True),
        Column("tau-b", "share", "tau_b", wide=True),
    ]
    rows = content.rows("from main.rating_skill order by slice_kind, slice, predictor")
    slices = [(kind, list(of_kind)) for kind, of_kind in groupby(rows, key=lambda row: row["slice_kind"])]
    described = "Whether the rating foretells who finishes ahead."
    return Page(
        "skill.html", "skill.html", "How good the rating is", described, {"slices": slices, "columns": columns}, "rules"
    )


def _quality(content: Content) -> Page:
    facts = content.facts
    event, player = first_capital(facts["tournament_word"]), first_capital(facts["player_word"])
    tables: dict[str, tuple[list[Column], list[Row]]] = {
        "incomplete": (
            [
                Column("Ended", "day", "ended_on", wide=True),
                Column(event, "event", "name"),
                Column(first_capital(facts["players_word"]), "count", "players"),
                Column("Listed", "count", "results_listed"),
                Column("Missing", "count", "results_missing"),
                Column("Placements nobody holds", "text", "uncovered_placements"),
            ],
            content.rows(
                "from main.tournament_completeness where is_complete is distinct from true order by ended_on desc, tournament_id limit 200"
            ),
        ),
        "corrections": (
            [
                Column("No.", "count", "correction_number"),
                Column(event, "text", "tournament_id"),
                Column(player, "text", "listed_player_id", wide=True),
                Column("Field", "text", "field"),
                Column("Stated", "text", "stated_value", wide=True),
                Column("Corrected", "text", "corrected_value"),
                Column("Reason", "text", "reason"),
                Column("Decided", "day", "decided_on", wide=True),
            ],
            content.rows("from main.corrections order by correction_number desc limit 200"),
        ),
        "aliases": (
            [
                Column("Listed as", "text", "listed_player_id"),
                Column("Is", "person"),
                Column("Reason", "text", "reason"),
            ],
            content.rows("from main.player_aliases order by listed_player_id, tournament_id limit 200"),
        ),
        "published": (
            [
                Column("Published rank", "rank", "published_rank"),
                Column(player, "person"),
                Column("Published", "fixed", "published_rating"),
                Column("Here", "rating", "rating"),
                Column("Difference", "change", "difference", wide=True),
                Column(first_capital(facts["tournaments_word"]), "count", "tournaments_counted", wide=True),
            ],
            content.rows(
                "from main.published_ranking_comparison order by last_update desc, ranking_name, published_rank, player_id limit 200"
            ),
        ),
    }
    counts = content.rows("from presentation.quality_card")[0]
    described = "What the data lack, what was corrected and why, and how they compare with what was published."
    return Page("quality.html", "quality.html", "Data quality", described, {"tables": tables, "counts": counts}, "data")


def _data(content: Content) -> Page:
    """What there is to take along: every published table, with the number of its rows."""
    names = content.rows(
        "select table_name, comment from duckdb_tables() where database_name = 'published' and schema_name = 'marts' order by table_name"
    )
    tables = [
        row | content.rows(f'select count(*) as rows from marts."{row["table_name"]}"')[0] | {"grain": _grain(row)}
        for row in names
    ]
    described = "Every table as CSV, Parquet, JSON and one DuckDB file, and how to cite them."
    return Page("data.html", "data.html", "Data", described, {"tables": tables}, "data")


def _grain(row: Row) -> str:
    """What a row of a table is: the first sentence of its description."""
    return str(row["comment"] or "").split(". ")[0].split(": ")[0].removesuffix(".")


def _search(content: Content) -> DataFile:
    """What the search in the head of every page finds: a label, a note and an address."""
    entries: list[Any] = [
        [row["player_name"], f"rank {row['rank']}" if row["rank"] else "not ranked", f"players/{row['player_id']}.html"]
        for row in content.stream(
            "select player_id, player_name, rank from presentation.player_card where rating_system_id = $system"
            " order by rank nulls last, player_id"
        )
    ]
    entries += [
        [row["name"], str(row["ended_on"].year), f"tournaments/{row['tournament_id']}.html"]
        for row in content.stream(
            "select tournament_id, name, ended_on from presentation.tournament_card order by ended_on desc, tournament_id"
        )
    ]
    entries += [
        [row["nation_name"], "nation", f"nations/{row['nation_code'].lower()}.html"]
        for row in content.stream(
            "select nation_code, nation_name from presentation.nation_card order by nation_name, nation_code"
        )
    ]
    return DataFile("search.js", "searchEntries", entries)
