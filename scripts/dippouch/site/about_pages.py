"""Pages around the rankings: the first page, records, the rules, their quality, the data and its downloads."""

from typing import Any

from dippouch.site.ranking_pages import ranking_columns
from dippouch.site.rendering import Site

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
    "reigning": "from main.reigns where competition = 'world' and reigned_to is null order by reigned_from, player_id",
}
# Both parts of the name, for tables that have only the whole one.
_NAMED = "inner join (select player_id, first_name, last_name from main.players) using (player_id)"
_EVENTS = f"from main.rating_history {_NAMED}"
_RECORDS = {
    "peaks": "from main.international_ranking order by peak_rating desc, player_id limit 10",
    "performances": f"{_EVENTS} where places_better > 0 order by places_better desc, player_id, event_number limit 10",
    "gains": f"{_EVENTS} where rating_change > 0 order by round(rating_change, 9) desc, player_id, event_number limit 10",
    "losses": f"{_EVENTS} where rating_change < 0 order by round(rating_change, 9), player_id, event_number limit 10",
    "medals": "from main.players where medal_rank <= 10 order by medal_rank, player_id limit 10",
    "played": "from main.players where tournaments_played > 0 order by tournaments_played desc, player_id limit 10",
    "streaks": "from main.streaks order by streak_kind, tournaments desc, player_id limit 30",
    "newcomers": "from main.yearly_ranking where newcomer_rank = 1 order by year desc, player_id",
    "attendance": "from main.attendance order by year",
}
_REIGNS = {"reigns": "from main.reigns where competition = 'world' order by reigned_from desc, player_id"}
# The rows of each table of the page about quality; the database has all.
_MOST_ROWS = 200
_FINDINGS = {
    "incomplete": """
        from main.tournaments where not is_withdrawn and is_complete is distinct from true
        order by ended_on desc, tournament_id
    """,
    "scores": f"from main.published_score_comparison {_NAMED} where not agrees order by tournament_id, player_id",
    "values": "from main.included_tournaments where not agrees order by tournament_id",
    "ties": "from main.equal_scores order by tournament_id, game_score",
    "names": "from main.suspicious_names order by reason, player_id, listed_in, tournament_id",
    "corrections": "from main.corrections order by correction_number desc",
    "aliases": "from main.player_aliases where tournament_id is null order by listed_player_id",
    "splits": "from main.player_aliases where tournament_id is not null order by listed_player_id, tournament_id",
    "published": """
        from main.published_ranking_comparison
        order by agrees, last_update desc, ranking_name, published_rank, player_id
    """,
    "dates": f"""
        from main.uncertain_ratings {_NAMED}
        order by abs(rating_if_first - rating) desc, player_id, tournament_id
    """,
    "contradictions": "from main.source_contradictions order by tournament_id, player_id, fact, other_document",
}
_QUALITY = {name: f"{query} limit {_MOST_ROWS}" for name, query in _FINDINGS.items()}
_SKILL = {"skill": "from main.rating_skill order by slice_kind, slice, predictor"}
_SYSTEMS = {
    "systems": "from presentation.rating_system_card order by is_default desc, rating_system_id",
    "ranks": """
        select
            ranking.player_id, first_name, last_name, ranking.rank as default_rank, ranking.rating as default_rating,
            list(variants.rank order by systems.rating_system_id) as ranks
        from main.international_ranking as ranking
        inner join main.rating_systems as systems on not systems.is_default
        left join (select rating_system_id, player_id, rank from marts.international_ranking) as variants
            using (rating_system_id, player_id)
        where ranking.rank <= 50
        group by all order by default_rank, player_id
    """,
}
# Entries of the search in the head of every page: a label, a note, an address, and further words. The note finds nothing.
_SEARCHED = (
    """
    select player_name, coalesce('rank ' || international_rank, 'not ranked'), concat('players/', player_id, '.html'), player_id
    from presentation.player_card where rating_system_id = $system order by international_rank nulls last, player_id
    """,
    "select cast(year as varchar), 'year-end ranking', concat('years/', year, '.html') from presentation.year_card order by year desc",
    """
    select
        tournament_name, cast(year(ended_on) as varchar), concat('tournaments/', tournament_id, '.html'),
        concat_ws(' ', tournament_id, year(ended_on), kind, subtitle, place, nation_name)
    from presentation.tournament_card order by ended_on desc, tournament_id
    """,
    """
    select nation_name, 'nation', concat('nations/', lower(nation_code), '.html'), nation_code
    from presentation.nation_card order by nation_name, nation_code
    """,
)


def write_pages(site: Site, resources: list[dict[str, Any]]) -> None:
    """Write the pages about the site as a whole; `resources` describes its tables."""
    facts = site.facts
    described = facts["description"] or facts["rating_system_name"]
    quality = "Gaps in the data, corrections with their reasons, and a comparison with published figures."
    rules = f"How {facts['rating_system_name']} turns a placement into a rating, with an example and a calculator."
    data = "Every table as CSV, Parquet, JSON and one DuckDB file, and how to cite them."
    shown: tuple[tuple[str, str, str, str, dict[str, str]], ...] = (
        ("index.html", facts["title"], described, "", _HOME),
        ("reigns.html", "Number ones", "Every number one, with dates.", "records", _REIGNS),
        ("records.html", "Records", "Records of all time.", "records", _RECORDS),
        ("quality.html", "Data quality", quality, "data", _QUALITY),
        ("rules.html", "Rules", rules, "rules", {}),
        ("systems.html", "Other rules", "The effect of other rules, side by side.", "rules", _SYSTEMS),
        ("skill.html", "How good the rating is", "How well the rating predicts results.", "rules", _SKILL),
        ("data.html", "Data", data, "data", {}),
        ("404.html", "Not found", "There is no such page.", "", {}),
    )
    columns = [column for column in ranking_columns(facts) if column.key != "tournaments_counted"]
    for path, title, description, section, queries in shown:
        tables = {name: site.content.rows(query) for name, query in queries.items()}
        context = {"tables": tables, "most_rows": _MOST_ROWS, "columns": columns, "resources": resources}
        site.page(path, title, description, section, **context)
    entries = [list(row.values()) for query in _SEARCHED for row in site.content.stream(query)]
    site.script("search.js", "searchEntries", entries)
