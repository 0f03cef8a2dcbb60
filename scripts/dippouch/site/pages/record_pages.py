"""Records: who led, who rose highest, who did better than anybody expected."""

from __future__ import annotations

from collections.abc import Iterator

from dippouch.export.reading import Content
from dippouch.site.page import Page, first_capital
from dippouch.site.table_cells import Column

_TOP = 10


def pages(content: Content) -> Iterator[Page]:
    """The page of reigns, and that of all other records."""
    facts = content.facts
    player, event = first_capital(facts["player_word"]), first_capital(facts["tournament_word"])
    reign_columns = [
        Column(player, "person"),
        Column("Nation", "nation", wide=True),
        Column("From", "day", "reigned_from"),
        Column("To", "day", "reigned_to"),
        Column("Days", "count", "days"),
        Column("Highest rating", "rating", "highest_rating", wide=True),
        Column("Shared", "mark", "was_shared", wide=True),
    ]
    context = {
        "reigns": content.rows("from main.number_one_reigns order by reigned_from desc, player_id"),
        "reign_columns": reign_columns,
    }
    yield Page(
        "reigns.html", "reigns.html", "Number ones", "Who has been number one, from when to when.", context, "records"
    )

    queries = {
        "peaks": f"from main.player_records order by peak_rating desc, player_id limit {_TOP}",
        "performances": f"from main.performances order by rank, player_id, event_number limit {_TOP}",
        "gains": _jumps("gain"),
        "losses": _jumps("loss"),
        "medals": f"from main.careers where medal_rank <= {_TOP} and gold_medals + silver_medals + bronze_medals > 0 order by medal_rank, player_id limit {_TOP}",
        "played": f"from main.careers order by tournaments_played desc, player_id limit {_TOP}",
        "streaks": f"from main.streaks order by kind, tournaments desc, player_id limit {3 * _TOP}",
        "newcomers": "from main.newcomers where newcomer_rank = 1 order by year desc, player_id",
        "attendance": "from main.attendance order by year",
    }
    who = [Column(player, "person"), Column("Nation", "nation", wide=True)]
    jump = [
        Column("No.", "rank", "rank"),
        Column(player, "person"),
        Column(event, "event-cell", "tournament_name"),
        Column("Place", "placement", "placement", wide=True),
        Column("Before", "fixed", "rating_before", wide=True),
        Column("Change", "change", "rating_change"),
        Column("After", "rating", "rating_after"),
    ]
    columns = {
        "peaks": [
            *who,
            Column("Highest", "rating", "peak_rating"),
            Column("On", "day", "peak_on"),
            Column("Best year-end rank", "count", "best_year_end_rank", wide=True),
            Column("Year", "year", "best_year", wide=True),
        ],
        "performances": [
            Column("No.", "rank", "rank"),
            Column(player, "person"),
            Column(event, "event-cell", "tournament_name"),
            Column("Place", "placement", "placement"),
            Column("Expected", "one", "expected_place", wide=True),
            Column("Better by", "better", "places_better"),
        ],
        "gains": jump,
        "losses": jump,
        "medals": [
            Column("No.", "rank", "medal_rank"),
            *who,
            Column("1st", "count", "gold_medals"),
            Column("2nd", "count", "silver_medals"),
            Column("3rd", "count", "bronze_medals"),
            Column(f"In {facts['championship_word']}s", "count", "world_championship_medals", wide=True),
        ],
        "played": [
            *who,
            Column(first_capital(facts["tournaments_word"]), "count", "tournaments_played"),
            Column("Years", "count", "years_played"),
            Column("First", "day", "first_played_on", wide=True),
            Column("Last", "day", "last_played_on", wide=True),
        ],
        "streaks": [
            Column("In a row", "text", "kind"),
            Column(player, "person"),
            Column(first_capital(facts["tournaments_word"]), "count", "tournaments"),
            Column("From", "day", "first_tournament_on", wide=True),
            Column("To", "day", "last_tournament_on", wide=True),
            Column("Running", "mark", "is_running"),
        ],
        "newcomers": [
            Column("Year", "number", "year"),
            *who,
            Column("Rating", "rating", "rating"),
            Column("Rank then", "count", "rank"),
        ],
        "attendance": [
            Column("Year", "number", "year"),
            Column(first_capital(facts["tournaments_word"]), "count", "tournaments"),
            Column("Places", "count", "places_declared"),
            Column("People listed", "count", "people_listed"),
            Column("New", "count", "newcomers"),
            Column("Mean field", "one", "mean_players", wide=True),
            Column("Largest", "count", "most_players", wide=True),
        ],
    }
    records = {name: content.rows(query) for name, query in queries.items()}
    yield Page(
        "records.html",
        "records.html",
        "Records",
        "Records of all time.",
        {"records": records, "columns": columns},
        "records",
    )


def _jumps(direction: str) -> str:
    return f"from main.rating_jumps where direction = '{direction}' order by rank, player_id, event_number limit {_TOP}"
