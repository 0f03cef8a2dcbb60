"""Pages around the rankings: the first page, records, the rules, their quality, the data and its downloads."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dippouch.export.reading import Content
from dippouch.export.tables import PACKAGE
from dippouch.site.page import DataFile, Page, page_of_tables
from dippouch.site.ranking_pages import ranking_columns

_HOME = {
    "top": "from presentation.ranking_list where rating_system_id = $system order by rank, player_id limit 10",
    "last": """
        from presentation.tournament_card where not is_withdrawn
        order by ended_on desc, started_on desc, tournament_id desc limit 6
    """,
    "movers": """
        from presentation.ranking_list where rating_system_id = $system and rating_gained <> 0
        order by abs(rating_gained) desc, player_id limit 8
    """,
    "reigning": "from main.number_one_reigns where reigned_to is null order by reigned_from, player_id",
    "counts": "from presentation.quality_card",
}
_JUMPS = "from main.rating_jumps where direction = '{}' order by rank, player_id, event_number limit 10"
_RECORDS = {
    "peaks": "from main.player_records order by peak_rating desc, player_id limit 10",
    "performances": "from main.performances order by rank, player_id, event_number limit 10",
    "gains": _JUMPS.format("gain"),
    "losses": _JUMPS.format("loss"),
    "medals": """
        from main.careers where medal_rank <= 10 and gold_medals + silver_medals + bronze_medals > 0
        order by medal_rank, player_id limit 10
    """,
    "played": "from main.careers order by tournaments_played desc, player_id limit 10",
    "streaks": "from main.streaks order by kind, tournaments desc, player_id limit 30",
    "newcomers": "from main.newcomers where newcomer_rank = 1 order by year desc, player_id",
    "attendance": "from main.attendance order by year",
}
_REIGNS = {"reigns": "from main.number_one_reigns order by reigned_from desc, player_id"}
_QUALITY = {
    "counts": "from presentation.quality_card",
    "incomplete": """
        from main.tournament_completeness where is_complete is distinct from true
        order by ended_on desc, tournament_id limit 200
    """,
    "scores": """
        from main.published_score_comparison inner join main.players using (player_id) where not agrees
        order by tournament_id, player_id limit 200
    """,
    "values": "from main.published_coefficient_comparison where not agrees order by tournament_id limit 200",
    "ties": "from main.equal_scores order by tournament_id, game_score limit 200",
    "names": """
        select names.* replace (coalesce(tournaments.name, listed_in) as listed_in)
        from main.suspicious_names as names left join main.tournaments using (tournament_id)
        order by reason, player_id, listed_in limit 200
    """,
    "corrections": "from presentation.correction_list order by correction_number desc limit 200",
    "aliases": "from presentation.alias_list where tournament_id is null order by listed_player_id limit 200",
    "splits": "from presentation.alias_list where tournament_id is not null order by listed_player_id, tournament_id limit 200",
    "published": """
        from main.published_ranking_comparison
        order by agrees, last_update desc, ranking_name, published_rank, player_id limit 200
    """,
    "contradictions": """
        select contradictions.*, tournaments.name as tournament_name
        from main.source_contradictions as contradictions inner join main.tournaments using (tournament_id)
        order by tournament_id, player_id, fact, other_document limit 200
    """,
}
_SKILL = {"skill": "from main.rating_skill order by slice_kind, slice, predictor"}
_SYSTEMS = {
    "systems": "from presentation.rating_system_card order by is_default desc, rating_system_id",
    "ranks": """
        select
            player_id, first_name, last_name, default_rank, default_rating,
            list(rank order by rating_system_id) as ranks
        from main.system_comparison where default_rank <= 50
        group by all order by default_rank, player_id
    """,
}
# Entries of the search in the head of every page: a label, a note, an address, and further words. The note finds nothing.
_SEARCHED = (
    """
    select player_name, coalesce('rank ' || rank, 'not ranked'), concat('players/', player_id, '.html'), player_id
    from presentation.player_card where rating_system_id = $system order by rank nulls last, player_id
    """,
    "select cast(year as varchar), 'year-end ranking', concat('years/', year, '.html') from presentation.year_card order by year desc",
    """
    select
        name, cast(year(ended_on) as varchar), concat('tournaments/', tournament_id, '.html'),
        concat_ws(' ', tournament_id, year(ended_on), kind, subtitle, place, nation_name)
    from presentation.tournament_card order by ended_on desc, tournament_id
    """,
    """
    select nation_name, 'nation', concat('nations/', lower(nation_code), '.html'), nation_code
    from presentation.nation_card order by nation_name, nation_code
    """,
)


def pages(content: Content, site: Path) -> Iterator[Page | DataFile]:
    """Yield the pages about the site as a whole, which has its tables already."""
    facts = content.facts
    described = facts["description"] or facts["rating_system_name"]
    columns = [column for column in ranking_columns(facts) if column.key != "tournaments_counted"]
    yield page_of_tables(content, "index.html", facts["title"], described, "", _HOME, "home.html", columns=columns)
    yield page_of_tables(content, "reigns.html", "Number ones", "Every number one, with dates.", "records", _REIGNS)
    yield page_of_tables(content, "records.html", "Records", "Records of all time.", "records", _RECORDS)
    described = "Gaps in the data, corrections with their reasons, and a comparison with published figures."
    yield page_of_tables(content, "quality.html", "Data quality", described, "data", _QUALITY)

    described = f"How {facts['rating_system_name']} turns a placement into a rating, with an example and a calculator."
    yield Page("rules.html", "Rules", described, {}, "rules")
    described = "The effect of other rules, side by side."
    yield page_of_tables(content, "systems.html", "Other rules", described, "rules", _SYSTEMS)
    described = "How well the rating predicts results."
    yield page_of_tables(content, "skill.html", "How good the rating is", described, "rules", _SKILL)

    described = "Every table as CSV, Parquet, JSON and one DuckDB file, and how to cite them."
    package = json.loads((site / "data" / PACKAGE).read_text(encoding="utf-8"))
    yield Page("data.html", "Data", described, {"tables": package["resources"]}, "data")
    yield Page("404.html", "Not found", "There is no such page.")
    entries: list[Any] = [list(row.values()) for query in _SEARCHED for row in content.stream(query)]
    yield DataFile("search.js", "searchEntries", entries)
