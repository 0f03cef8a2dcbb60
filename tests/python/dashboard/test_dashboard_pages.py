"""The pages of the dashboard: what they show is what the database says, whatever stands in the address or on the disk."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.csv  # type: ignore[import-untyped]
import pytest
from streamlit.testing.v1 import AppTest

from dippouch.query.fit import fit_rules, in_words
from support.changed_publications import changed_publication, rows
from synthetic.known_rules import Rules, play, write_published
from views import better_rules

# As in conftest.
OpenPage = Callable[..., AppTest]


# What a stranger may write behind a question mark.
HOSTILE = (
    "'\"`; drop table marts.players; -- ../../etc/passwd ![x](https://elsewhere.example/x.png)",
    "a" * 20_000,
    "a\x00b\x1b[31m\r\nc \u202eabc 💥 ÿ 北",
    "nan",
    "-7",
)
# The pages, and what is in their addresses.
PARAMETERS = {
    "ranking": ("day", "nation", "among", "since"),
    "player": ("player", "with", "show"),
    "tournament": ("tournament",),
    "nations": ("nation", "measure", "year"),
    "laboratory": ("maximum_value", "one_round_divisor", "first_counted_on", "counted_years", "without", "search"),
    "records": ("list",),
    "quality": ("list",),
}


def shown(page: AppTest, *columns: str, number: int = 0) -> list[tuple[Any, ...]]:
    """Columns of a table on a page."""
    table = page.dataframe[number].value
    picked = table[list(columns)].astype(object)
    return [tuple(row) for row in picked.where(picked.notna(), None).itertuples(index=False)]


def metrics(page: AppTest) -> dict[str, str]:
    return {metric.label: metric.value.replace("\\", "") for metric in page.metric}


def told(page: AppTest) -> str:
    """The sentences of a page."""
    return " ".join(text.value.replace("\\", "") for text in (*page.markdown, *page.caption))


def charts_of(page: AppTest) -> list[pa.Table]:
    """The rows of the charts of a page; a diagonal has two rows of its own."""
    found = []
    for element in page.get("vega_lite_chart"):
        tables = [pa.ipc.open_stream(part.data.data).read_all() for part in element.proto.datasets]
        found.append(max(tables, key=lambda table: table.num_rows))
    return found


# What an address shows, what the published file says of it, and how many rows both have.
ANSWERS: dict[str, tuple[str, dict[str, str], int, str, str]] = {
    "the ranking of today, with movements": (
        *("ranking", {}, 213, "rank, places_gained, player_id, rating, national_rank"),
        "from presentation.ranking_list where rating_system_id = 'dptr'",
    ),
    "a day, and who moved since another": (
        *("ranking", {"day": "2009-12-31", "since": "years"}, 151),
        "rank, places_gained, player_id, rating",
        """from (
            select today.*, earlier.rank - today.rank as places_gained
            from marts.ranking_on('dptr', '2009-12-31') as today
            left join marts.ranking_on('dptr', '2004-12-31') as earlier using (player_id)
        )""",
    ),
    "who is active": (
        *("ranking", {"among": "active"}, 112, "rank, player_id"),
        "from marts.active_ranking where rating_system_id = 'dptr'",
    ),
    "a nation": (
        *("ranking", {"nation": "SWE"}, 2, "national_rank, player_id"),
        "from marts.national_ranking where rating_system_id = 'dptr' and nation_code = 'SWE'",
    ),
    "results of a player": (
        *("player", {"player": "edi-birsan", "show": "results"}, 3, "tournament_id, rating_before, rating_after"),
        "from rating_history where player_id = 'edi-birsan'",
    ),
    "what it takes to pass a rival": (
        "player",
        {"player": "toby-harris", "show": "moves", "field": "65", "rounds": "4", "rival": "cyrille-sevin"},
        *(66, "rival_placement, placement_needed"),
        "from marts.what_it_takes('dptr', 'toby-harris', 'cyrille-sevin', 65, 4, false, '2013-08-25')",
    ),
    "the laboratory without a move": (
        *("laboratory", {}, 213, "rank, player_id, rating, default_rank, default_rating"),
        "from (select *, rank as default_rank, rating as default_rating from international_ranking)",
    ),
    "the laboratory at the rules of another system": (
        *("laboratory", {"maximum_value": "100"}, 213, "rank, player_id, rating, default_rank"),
        "from marts.system_comparison where rating_system_id = 'dptr-uncapped'",
    ),
}


@pytest.mark.parametrize("which", ANSWERS)
def test_an_address_shows_what_the_published_file_says(
    built: Path, published: Path, open_page: OpenPage, which: str
) -> None:
    name, address, number, columns, question = ANSWERS[which]
    expected = rows(published, f"select {columns} {question}")
    got = shown(open_page(built, name, **address), *columns.split(", "))
    assert len(got) == number
    assert sorted(got, key=str) == sorted(expected, key=str)


def test_an_address_shows_the_same_after_another_publication_and_one_without_it_the_new_default(
    published: Path, tmp_path: Path, open_page: OpenPage
) -> None:
    warehouse = put(published, tmp_path / "warehouse")
    pages = [open_page(warehouse, "player", **asked) for asked in ({"player": "edi-birsan"}, {})]
    pages.append(open_page(warehouse, "player", player="gwen-maggi"))
    assert [page.title[0].value for page in pages] == ["Edi BIRSAN", "Edi BIRSAN", "Gwen MAGGI"]
    put(
        changed_publication(
            published,
            tmp_path / "other.duckdb",
            "update marts.international_ranking set rank = rank + 1",
            "update marts.international_ranking set rank = 1 where player_id = 'toby-harris'",
            "delete from marts.players where player_id = 'gwen-maggi'",
        ),
        warehouse,
    )
    asked, silent, gone = (page.run() for page in pages)
    assert [page.title[0].value for page in (asked, silent, gone)] == ["Edi BIRSAN", "Toby HARRIS", "Toby HARRIS"]
    assert not silent.query_params
    assert "gwen\\-maggi" in gone.warning[0].value


def test_the_lines_of_the_leaders_begin_at_the_initial_rating_and_run_to_the_day(
    built: Path, published: Path, open_page: OpenPage
) -> None:
    page = open_page(built, "ranking", day="2010-06-30")
    points = charts_of(page)[0].to_pylist()
    leaders = shown(page, "player_id", "rating")[:5]
    assert len({row["player_id"] for row in points}) == 5
    history = (
        "select ended_on, rating_after from rating_history where player_id = ? and ended_on <= '2010-06-30' order by 1"
    )
    for leader, rating in leaders:
        before, *between, after = [row for row in points if row["player_id"] == leader]
        assert [(row["day"], row["rating"]) for row in between] == rows(published, history, leader)
        assert (before["rating"], after["rating"]) == (40, rating)
        assert before["day"] < between[0]["day"]
        assert after["day"].isoformat() > "2010-06-30"


def test_a_player_has_the_figures_of_the_database(built: Path, published: Path, open_page: OpenPage) -> None:
    page = open_page(built, "player", player="toby-harris", show="moves", field="65", rounds="4")
    ((rating, rank),) = rows(
        published, "select rating, rank from international_ranking where player_id = 'toby-harris'"
    )
    assert metrics(page)["Rating"] == f"{rating:.2f}"
    assert metrics(page)["Rank"] == f"{rank} of 213"
    moves = "marts.what_if('dptr', 'toby-harris', 65, 4, false, '2013-08-25')"
    ((first, last),) = rows(published, f"select max(rating_after), min(rating_after) from {moves}")
    assert f"from {first:.2f} for the first place to {last:.2f} for the last" in told(page)


def test_who_is_ranked_on_one_side_only_neither_gains_nor_loses(
    built: Path, published: Path, open_page: OpenPage
) -> None:
    page = open_page(built, "laboratory", maximum_value="0")
    both = "from marts.ranking_under(maximum_value => 0) where rank is not null and default_rank is not null"
    ((people, moved, most),) = rows(
        published, f"select count(*), count(*) filter (rank != default_rank), max(abs(rating - default_rating)) {both}"
    )
    assert (people, len(page.dataframe[0].value)) == (153, 213)
    assert metrics(page)["Of another rank"] == f"{moved} of {people}"
    assert metrics(page)["Largest change"] == f"{most:.2f}"
    assert "Not ranked under these rules: 60 of the 213 players" in told(page)
    gone = [row for row in shown(page, "rank", "rating", "rating_gained", "default_rank") if row[0] is None]
    assert len(gone) == 60
    assert all(row[1:3] == (None, None) and row[3] is not None for row in gone)
    bars, everybody = charts_of(page)
    assert None not in bars["rating_gained"].to_pylist()
    assert everybody.num_rows == people


@pytest.mark.long
def test_the_laboratory_shows_the_rules_that_the_search_finds(
    published: Path, tmp_path: Path, open_page: OpenPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    fast = Rules(
        world_championship_value=50, one_round_divisor=2, several_rounds_divisor=1, base_value=10, maximum_value=35
    )
    database = tmp_path / "rankings.duckdb"
    write_published(published, database, play(180, 70, 16, fast, luck=8, seed=1))
    # Few tries: what the search itself finds is tested where it is.
    monkeypatch.setattr(better_rules, "TRIES", 2)
    page = open_page(tmp_path, "laboratory", search="yes")
    answer = fit_rules(database, share=0.6, tries=2, seed=1)
    assert answer.fitted is not None
    fitted = [(value, *answer.fitted.ranges[rule]) for rule, value in answer.fitted.rules.items()]
    assert shown(page, "fitted", "as_good_from", "as_good_to", number=1) == fitted
    assert all(
        sentence in told(page)
        for sentence in in_words(answer, {"tournament": "tournament", "tournaments": "tournaments"})
    )


def test_a_rule_that_cannot_be_is_told_and_a_search_in_vain_says_so(built: Path, open_page: OpenPage) -> None:
    page = open_page(built, "laboratory", search="yes", one_round_divisor="0")
    assert "one\\_round\\_divisor" in page.warning[0].value
    assert metrics(page)["Of another rank"] == "0 of 213"
    # Four tournaments say nothing on rules.
    assert "Nothing can be said" in told(page)
    assert len(page.dataframe) == 1


@pytest.mark.parametrize("name", PARAMETERS)
def test_every_page_is_whole_and_gives_a_sentence_to_a_hostile_address(
    built: Path, open_page: OpenPage, name: str
) -> None:
    usual = open_page(built, name)
    assert len(usual.title) == 1
    assert not usual.error
    assert not usual.warning
    assert usual.caption[0].value == "Dip Pouch Ratings"
    assert "224 results" in usual.caption[-1].value
    for text in HOSTILE:
        page = open_page(built, name, **dict.fromkeys(PARAMETERS[name], text))
        sentences = [warning.value for warning in page.warning]
        assert len(sentences) == len(PARAMETERS[name])
        for sentence in sentences:
            assert len(sentence) < 300
            # Nothing of it is read as Markdown or drives anything.
            assert re.sub(r"\\[!-/:-@\[-`{-~]", "", sentence).isprintable()
            assert not re.search(r"(?<!\\)[\[\]()<>`$*]", sentence)
        for got, expected in zip(page.dataframe, usual.dataframe, strict=True):
            assert got.value.equals(expected.value)


def put(database: Path, folder: Path) -> Path:
    """A warehouse whose published file is a copy of this one, put there in one step."""
    folder.mkdir(exist_ok=True)
    fresh = folder / "fresh"
    shutil.copyfile(database, fresh)
    fresh.replace(folder / "rankings.duckdb")
    return folder


DISKS: dict[str, Callable[[Path, Path], object]] = {
    "missing": lambda _, target: None,
    "a folder": lambda published, target: target.mkdir(),
    "half written": lambda published, target: target.write_bytes(
        published.read_bytes()[: -published.stat().st_size // 2]
    ),
    "older": lambda published, target: changed_publication(published, target, "drop view presentation.collection_card"),
}


@pytest.mark.parametrize("disk", DISKS)
def test_a_file_that_cannot_be_shown_is_told_until_another_is_published(
    published: Path, tmp_path: Path, open_page: OpenPage, disk: str
) -> None:
    target = tmp_path / "rankings.duckdb"
    DISKS[disk](published, target)
    page = open_page(tmp_path, "player", player="toby-harris")
    assert page.subheader[0].value == "This cannot be shown yet"
    assert "rankings\\.duckdb" in page.error[0].value
    assert "make rankings" in page.markdown[0].value
    if target.is_dir():
        target.rmdir()
    put(published, tmp_path)
    page.run()
    assert not page.error
    assert page.title[0].value == "Toby HARRIS"


def test_a_name_is_shown_as_text(published: Path, tmp_path: Path, open_page: OpenPage) -> None:
    name = "![x](https://elsewhere.example) :red[*x*] $x$ <b>"
    changed_publication(
        published,
        tmp_path / "rankings.duckdb",
        f"update marts.tournaments set name = '{name}' where tournament_id = 'wac-6-2009'",
    )
    heading = open_page(tmp_path, "tournament", tournament="wac-6-2009").title[0].value
    assert heading.replace("\\", "") == name
    assert "\\!\\[x\\]\\(" in heading


@pytest.mark.parametrize("name", PARAMETERS)
def test_an_empty_collection_says_so_on_every_page(
    published: Path, tmp_path: Path, open_page: OpenPage, name: str
) -> None:
    kept = ("settings", "rating_systems", "publication", "tournament_kinds")
    tables = rows(published, "select table_name from duckdb_tables() where schema_name = 'marts' order by 1")
    changed_publication(
        published,
        tmp_path / "rankings.duckdb",
        *(f"delete from marts.{table}" for (table,) in tables if table not in kept),
        "update marts.rating_systems set last_update = null, counted_from = null where rating_system_id != 'dptr'",
        "update marts.publication set last_tournament_id = null, last_tournament_name = null, results = 0",
    )
    page = open_page(tmp_path, name)
    assert not page.error
    assert page.info
