"""Records: leaders, highest ratings, and the largest surprises."""

from __future__ import annotations

from collections.abc import Iterator

from dippouch.export.reading import Content
from dippouch.site.page import Page, page_of_tables
from dippouch.site.table_cells import EVENT, EXPECTED, PERSON, RATED, WHO, Column

_TOP = 10
_JUMP = (Column("No.", "rank", "rank"), PERSON, EVENT, Column("Place", "placement", "placement", wide=True), *RATED)
# By name, the query and the columns of each table.
_REIGNS = {
    "reigns": (
        "from main.number_one_reigns order by reigned_from desc, player_id",
        (
            *WHO,
            Column("From", "day", "reigned_from"),
            Column("To", "day", "reigned_to"),
            Column("Days", "count", "days"),
            Column("Highest rating", "rating", "highest_rating", wide=True),
            Column("Shared", "mark", "was_shared", wide=True),
        ),
    )
}
_RECORDS = {
    "peaks": (
        f"from main.player_records order by peak_rating desc, player_id limit {_TOP}",
        (
            *WHO,
            Column("Highest", "rating", "peak_rating"),
            Column("On", "day", "peak_on"),
            Column("Best year-end rank", "count", "best_year_end_rank", wide=True),
            Column("Year", "year", "best_year", wide=True),
        ),
    ),
    "performances": (
        f"from main.performances order by rank, player_id, event_number limit {_TOP}",
        (
            Column("No.", "rank", "rank"),
            PERSON,
            EVENT,
            Column("Place", "placement", "placement"),
            EXPECTED,
            Column("Better by", "better", "places_better"),
        ),
    ),
    **{
        name: (
            f"from main.rating_jumps where direction = '{direction}' order by rank, player_id, event_number limit {_TOP}",
            _JUMP,
        )
        for name, direction in (("gains", "gain"), ("losses", "loss"))
    },
    "medals": (
        (
            f"from main.careers where medal_rank <= {_TOP} and gold_medals + silver_medals + bronze_medals > 0"
            f" order by medal_rank, player_id limit {_TOP}"
        ),
        (
            Column("No.", "rank", "medal_rank"),
            *WHO,
            Column("1st", "count", "gold_medals"),
            Column("2nd", "count", "silver_medals"),
            Column("3rd", "count", "bronze_medals"),
            Column("In {championship}s", "count", "world_championship_medals", wide=True),
        ),
    ),
    "played": (
        f"from main.careers order by tournaments_played desc, player_id limit {_TOP}",
        (
            *WHO,
            Column("{Tournaments}", "count", "tournaments_played"),
            Column("Years", "count", "years_played"),
            Column("First", "day", "first_played_on", wide=True),
            Column("Last", "day", "last_played_on", wide=True),
        ),
    ),
    "streaks": (
        f"from main.streaks order by kind, tournaments desc, player_id limit {3 * _TOP}",
        (
            Column("In a row", "text", "kind"),
            PERSON,
            Column("{Tournaments}", "count", "tournaments"),
            Column("From", "day", "first_tournament_on", wide=True),
            Column("To", "day", "last_tournament_on", wide=True),
            Column("Running", "mark", "is_running"),
        ),
    ),
    "newcomers": (
        "from main.newcomers where newcomer_rank = 1 order by year desc, player_id",
        (
            Column("Year", "text", "year"),
            *WHO,
            Column("Rating", "rating", "rating"),
            Column("Rank then", "count", "rank"),
        ),
    ),
    "attendance": (
        "from main.attendance order by year",
        (
            Column("Year", "text", "year"),
            Column("{Tournaments}", "count", "tournaments"),
            Column("Places", "count", "places_declared"),
            Column("People listed", "count", "people_listed"),
            Column("New", "count", "newcomers"),
            Column("Mean field", "one", "mean_players", wide=True),
            Column("Largest", "count", "most_players", wide=True),
        ),
    ),
}


def pages(content: Content) -> Iterator[Page]:
    """Yield the page of reigns, and the page of all other records."""
    described = "Every number one, with dates."
    yield page_of_tables(content, "reigns.html", "Number ones", described, "records", _REIGNS)
    yield page_of_tables(content, "records.html", "Records", "Records of all time.", "records", _RECORDS)
