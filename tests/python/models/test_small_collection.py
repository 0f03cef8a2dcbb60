"""Every table, view and function of a small collection with every situation: the complete rows, in a golden file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

import duckdb
import pytest

from support.compiled import CompiledProject, failing
from support.golden import Case, cases, each_case
from support.seed_rows import Rows, correction, document, published_rank, reference_rows, result, tournament

GOLDEN = "warehouse/small_collection.golden"


# The regular's last tournaments: more than a breakdown lists one by one.
WEEKLY = [f"2012-{month:02}-15" for month in range(1, 10)] + ["2013-01-15", "2013-02-15"]
# The lines of players' pages of the rating: tournament, its last day, player, placement, players, value, score.
PAGES = [
    ("championship", "2005-07-03", "tied-one", 3, 60, "20.00", "95.83"),
    ("cup", "2005-07-03", "tied-one", 1, 10, "4.86", "95.00"),
    ("one-round", "2008-12-31", "tied-one", 1, 5, "2.71", "90.00"),
    ("championship", "2005-07-03", "old-hand", 2, 61, "20.00", "97.54"),
    ("one-round", "2008-12-31", "old-hand", 3, 5, "3.43", "50.00"),
    ("cup", "2005-07-03", "twice-listed", 9, 10, "4.86", "15.00"),
    ("one-round", "2008-12-31", "listed-otherwise", 5, 5, "2.71", "10.00"),
    ("championship", "2005-07-03", "tied-two", 3, 60, "20.00", "95.83"),
    ("cup", "2005-07-03", "tied-two", 1, 10, "4.86", "95.00"),
]
# The page of a person is one document, under whichever name.
PAGE_OF = {player: f"page-of-{player}" for player in ("tied-one", "old-hand", "listed-otherwise", "tied-two")}
PAGE_OF["twice-listed"] = PAGE_OF["listed-otherwise"]
IN_SWEDEN = {"location_code": "SWE", "source": "a page"}
FRENCH_IN_THE_USA = {"nation_code": "FRA", "location_code": "USA"}
ROWS: Rows = {
    "raw_documents": [
        document("test", source_form="wdd-html"),
        document("ranking", "ranking"),
        document("lesser", source_form="wdr-json"),
        *(document(page, "player", last_update="2009-01-01") for page in sorted({*PAGE_OF.values()})),
    ],
    "raw_tournaments": [
        tournament("before-all-systems", "1996-05-01", 4),
        tournament("before-the-default", "1999-05-01", 20),
        tournament("championship", "2005-07-03", 60, kind="WDC", started_on="2005-07-01", nation_code="FRA", boards=8),
        tournament("cup", "2005-07-03", 10, kind="CUP", coefficient_1="4.86", source_tournament_ids="wdd:77"),
        tournament("one-round", "2008-12-31", 5, rounds=1, coefficient_1="9.99", place="Oslo", nation_code="NOR"),
        tournament("without-players", "2009-03-01", None),
        tournament("without-rounds", "2009-03-02", 3, rounds=None),
        tournament("withdrawn", "2009-03-03", 3, nation_code="NZL", coefficient_1="2.86"),
        tournament("nobody-listed", "2013-03-01", 9),
        *(tournament(f"weekly-{n}", day, 7 + n % 3) for n, day in enumerate(WEEKLY, 1)),
        tournament("cup", "2005-07-03", 12, document_id="lesser", kind="OPEN", rounds=None),
        *(
            tournament(one, day, players, document_id=PAGE_OF[player], rounds=None, coefficient_1=value)
            for one, day, player, _, players, value, _ in PAGES
        ),
    ],
    "raw_results": [
        result("before-all-systems", "old-hand", 1, nation_code="SWE"),
        result("before-all-systems", "newcomer", 2, source_player_ids="wdr:13"),
        result("before-the-default", "tied-one", 1, nation_code="FRA"),
        result("before-the-default", "newcomer", 20),
        result("championship", "regular", 1, first_name="Rég", source_player_ids="wdr:12", **FRENCH_IN_THE_USA),
        result("championship", "old-hand", 2, nation_code="SWE", published_score="97.50"),
        result("championship", "tied-one", 3, nation_code="FRA", published_score="11.11"),
        result("championship", "tied-two", 3, nation_code="NOR"),
        result("championship", "absent", None, nation_code="ITA"),
        result("championship", "corrected", 59),
        result("cup", "tied-two", 1, nation_code="NOR"),
        result("cup", "tied-one", 1, nation_code="FRA"),
        result("cup", "twice-listed", 10, nation_code="FRA"),
        result("one-round", "tied-one", 1, game_score="20"),
        result("one-round", "tied-two", 2, game_score="12,5"),
        result("one-round", "old-hand", 3, game_score="12.50"),
        result("one-round", "regular", 4, first_name="Reg"),
        result("one-round", "listed-otherwise", 5, nation_code="FRA"),
        result("without-players", "tied-one", 1),
        result("without-rounds", "corrected", 1),
        result("without-rounds", "out", 2, nation_code="ITA"),
        result("withdrawn", "out", 1, nation_code="ITA"),
        *(result(f"weekly-{n}", "regular", n % 5 + 1, first_name="Reg") for n in range(1, len(WEEKLY) + 1)),
        *(result(f"weekly-{n}", "tied-two", 7) for n in (3, 4)),
        result("weekly-10", "listed-otherwise", 7),
        result("weekly-11", "twice-listed", 6),
        *(
            result(one, player, placement, document_id=PAGE_OF[player], published_score=score)
            for one, _, player, placement, _, _, score in PAGES
        ),
    ],
    "raw_published_rankings": [
        published_rank("Rating", "Ann", "2006-01-01", 1, "regular", 47.92),
        published_rank("Rating", "Ann", "2007-01-01", 1, "regular", 47.5),
        published_rank("Rating", "Ann", "2007-01-01", 2, "nobody-else", 41.0),
        *(
            published_rank("Rating", "Ann", "2009-01-01", rank, player, rating)
            | {"published_tournaments": tournaments, "document_id": PAGE_OF[player]}
            for rank, player, rating, tournaments in (
                (1, "tied-one", 54.29, 3),
                (2, "old-hand", 54, 3),
                (3, "listed-otherwise", 37, 2),
                (4, "tied-two", 36, 2),
            )
        ),
        # No rating system reproduces this one.
        published_rank("Other Ladder", "Bob", "2013-01-01", 1, "regular", 99),
    ],
    "ref_corrections": [
        correction(1, "championship", "placement", "58", "corrected"),
        correction(2, "championship", "placement", "57", "corrected"),
        # Blanks around an id do not count.
        correction(3, " cup ", "name", "The Cup"),
        correction(4, "withdrawn", "withdrawn", "true"),
        correction(5, "without-rounds", "withdrawn", "true", "out"),
        correction(6, "one-round", "subtitle", "a corrected subtitle"),
    ],
    "ref_player_aliases": [
        {"listed_player_id": "listed-otherwise", "player_id": "twice-listed", "reason": "married"},
        *(
            {"listed_player_id": "newcomer", "tournament_id": split, "player_id": "regular", "reason": "nickname"}
            for split in ("before-all-systems", "before-the-default")
        ),
    ],
    "ref_players": [
        {"player_id": "tied-two", "first_name": "Two", "last_name": "TIED", "nation_code": "NOR", **IN_SWEDEN},
        {"player_id": "listed-otherwise", "last_name": "MERGED", "location_code": "NOR", "source": "another page"},
    ],
    "ref_circuits": [
        {"circuit_id": "open", "name": "Open Circuit", "year": 2005},
        {"circuit_id": "small", "name": "Small Circuit", "year": 2008},
        {"circuit_id": "empty", "name": "Empty Circuit", "year": 2014},
    ],
    "ref_circuit_tournaments": [
        {"circuit_id": "open", "tournament_id": "cup", "tournament_name": "The Cup", "source": "a page"},
        {"circuit_id": "open", "tournament_id": "championship", "tournament_name": "Championship", "source": "a page"},
        {"circuit_id": "small", "tournament_id": "never-imported", "tournament_name": "Lost", "source": "a page"},
    ],
    "ref_series_tournaments": [
        {"series_name": series, "tournament_id": edition, "source": "a page"}
        for series, editions in (("Cups", "cup championship nobody-listed withdrawn"), ("Summer Games", "cup"))
        for edition in editions.split()
    ],
    "ref_settings": [{"setting": "active_years", "value": "4"}],
}


@pytest.fixture(scope="module")
def warehouse(compiled_project: CompiledProject) -> Iterator[duckdb.DuckDBPyConnection]:
    """A warehouse in memory under two rating systems, with the presentation views."""
    reference = reference_rows()
    default, other = reference["ref_rating_systems"][:2]
    reference["ref_rating_systems"] = [default | {"reproduced_ranking": "Rating"}, other]
    with compiled_project.build(reference | ROWS) as connection:
        yield connection


def _cell(value: object) -> object:
    if isinstance(value, float):
        return round(value, 6)
    if isinstance(value, list):
        return [_cell(one) for one in value]
    return value


def test_the_collection_is_valid(compiled_project: CompiledProject, warehouse: duckdb.DuckDBPyConnection) -> None:
    # Two printed figures are wrong on purpose.
    assert failing(warehouse, compiled_project.all_tests) == {"printed_figures_agree"}


def _answer(warehouse: duckdb.DuckDBPyConnection, question: str) -> str:
    """Return the rows of an answer as CSV, or the error."""
    found = io.StringIO()
    writer = csv.writer(found, lineterminator="\n")
    try:
        cursor = warehouse.execute(question)
        writer.writerow(column[0] for column in cursor.description or ())
        writer.writerows([_cell(value) for value in row] for row in cursor.fetchall())
    except duckdb.Error as error:
        return f"{error}\n"
    return found.getvalue()


@each_case(GOLDEN)
def test_the_answer_is_that_of_the_golden_file(warehouse: duckdb.DuckDBPyConnection, case: Case) -> None:
    case.check(_answer(warehouse, case.document))


def test_every_table_view_and_function_is_asked(warehouse: duckdb.DuckDBPyConnection) -> None:
    public = warehouse.execute(
        "select table_name from duckdb_tables() where schema_name = 'marts' union all"
        " select view_name from duckdb_views() where schema_name in ('marts', 'presentation') union all"
        " select function_name from duckdb_functions() where schema_name = 'marts'"
    ).fetchall()
    asked = {case.name for case in cases(GOLDEN)}
    assert {name for (name,) in public} - asked == set(), f"without a case in tests/fixtures/{GOLDEN}"


def test_two_tournaments_of_one_name_list_a_suspicious_name(compiled_project: CompiledProject) -> None:
    days = ("2005-05-01", "2006-05-01")
    cups = {
        "raw_tournaments": [tournament(day, day, 1, name="Cup") for day in days],
        "raw_results": [result(day, "odd", 1, last_name="LEE & LI") for day in days],
    }
    with compiled_project.build(reference_rows() | cups) as connection:
        assert not compiled_project.failing_tests(connection)
        listed = connection.execute("select listed_in from marts.suspicious_names").fetchall()
    assert listed == [("Cup",), ("Cup",)]
