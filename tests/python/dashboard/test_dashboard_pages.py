"""The pages of the dashboard: what they show is what the database says, whatever stands in the address or on the disk."""

from __future__ import annotations

import io
import json
import re
import shutil
from collections import deque
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.csv  # type: ignore[import-untyped]
import pytest
from streamlit.testing.v1 import AppTest

from charts import dots, gains, lines, told_apart
from dippouch.query.fit import fit_rules
from dippouch.query.render_fit import in_words
from shown_tables import as_csv
from support.changed_publications import changed_publication
from synthetic.known_rules import Rules, play, write_published
from views import better_rules

# As in conftest.
OpenPage = Callable[..., AppTest]


PAGES = ("ranking", "player", "tournament", "nations", "laboratory", "records", "quality")
# What a stranger may write behind a question mark.
HOSTILE = {
    "quotes": "'\"`",
    "SQL": "x'; drop table marts.players; --",
    "union": "x' union select title from marts.settings --",
    "very long": "a" * 20_000,
    "control characters": "a\x00b\x1b[31m\r\nc",
    "directions": "\u202eabc",
    "no letters of ours": "💥 ÿ 北",
    "a picture from elsewhere": "![x](https://elsewhere.example/x.png)",
    "a script": "<script>alert(1)</script>",
    "a path": "../../etc/passwd",
    "not a number": "nan",
    "infinite": "inf",
    "negative": "-7",
    "no such day": "2009-02-30",
    "before all": "0001-01-01",
}
PARAMETERS = {
    "ranking": ("day", "nation", "among", "since"),
    "player": ("player", "with", "show"),
    "tournament": ("tournament",),
    "nations": ("nation", "measure", "year"),
    "laboratory": ("maximum_value", "one_round_divisor", "first_counted_on", "counted_years", "without", "search"),
    "records": ("list",),
    "quality": ("list",),
}


def rows(database: Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.execute(sql, values).fetchall()


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


def charts_of(page: AppTest) -> list[tuple[dict[str, Any], pa.Table]]:
    """The charts of a page: what is drawn, and the rows of it; a diagonal has two of its own."""
    found = []
    for element in page.get("vega_lite_chart"):
        tables = [pa.ipc.open_stream(part.data.data).read_all() for part in element.proto.datasets]
        found.append((json.loads(element.proto.spec), max(tables, key=lambda table: table.num_rows)))
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


def test_moving_a_control_changes_the_table_and_the_address(built: Path, open_page: OpenPage) -> None:
    page = open_page(built, "ranking", nation="SWE")
    page.selectbox[0].select("FRA").run()
    assert page.query_params["nation"] == "FRA"
    assert page.dataframe[0].value["nation_name"].unique().tolist() == ["France"]
    page.selectbox[0].select("").run()
    assert "nation" not in page.query_params
    # Somebody goes back.
    page.query_params["nation"] = "SWE"
    page.run()
    assert page.selectbox[0].value == "SWE"


# Addresses that ask for what is the default today, and would be another one after the next publication.
DEFAULTS: dict[str, tuple[str, dict[str, str | list[str]]]] = {
    "the leader": ("player", {"player": "edi-birsan"}),
    "the newest tournament": ("tournament", {"tournament": "world-dipcon-xxiii-2013"}),
    "the last day": ("ranking", {"day": "2013-08-25"}),
    "the strongest nations": ("nations", {"nation": ["FRA", "USA", "SWE", "DEU", "GBR"]}),
    "the last year": ("nations", {"year": "2013"}),
}


@pytest.mark.parametrize("which", DEFAULTS)
def test_what_an_address_asks_for_stays_though_it_is_the_default_of_today(
    built: Path, open_page: OpenPage, which: str
) -> None:
    name, asked = DEFAULTS[which]
    page = open_page(built, name, **asked)
    for _ in range(2):
        assert {key: page.query_params[key] for key in asked} == asked
        page.run()
    # An address that asks for nothing stays so.
    assert not open_page(built, name).query_params


def test_who_chooses_the_default_of_today_finds_it_in_the_address(built: Path, open_page: OpenPage) -> None:
    page = open_page(built, "player", show="made-of")
    # The default of the lists is the same for good.
    assert not page.query_params
    for player in ("toby-harris", "edi-birsan"):
        page.selectbox[0].select(player).run()
        assert page.query_params["player"] == player


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


def test_parts_of_an_address_that_a_page_does_not_know_are_told_and_left_out(built: Path, open_page: OpenPage) -> None:
    page = open_page(built, "records", **{"show": "nope", "<b>": "1", "list": "reigns"})
    (warning,) = page.warning
    assert "“show\\, \\<b\\>”" in warning.value
    assert set(page.query_params) == {"list"}
    page.run()
    assert not page.warning


def test_nobody_is_compared_with_himself(built: Path, open_page: OpenPage) -> None:
    # Of several values of one parameter the first holds.
    assert open_page(built, "player", player=["toby-harris", "x"]).title[0].value == "Toby HARRIS"
    page = open_page(
        built, "player", **{"player": "edi-birsan", "with": ["edi-birsan", "toby-harris"], "show": "moves"}
    )
    assert page.multiselect[0].value == ["toby-harris"]
    # Another player is chosen: one who was compared, or was the rival.
    page.selectbox[1].select("toby-harris").run()
    page.selectbox[0].select("toby-harris").run()
    assert page.multiselect[0].value == []
    assert page.selectbox[1].value == ""
    assert not page.warning
    assert not {"with", "rival"} & set(page.query_params)


def test_the_lines_of_the_leaders_begin_at_the_initial_rating_and_run_to_the_day(
    built: Path, published: Path, open_page: OpenPage
) -> None:
    page = open_page(built, "ranking", day="2010-06-30")
    _, points = charts_of(page)[0]
    leaders = shown(page, "player_id", "rating")[:5]
    assert len(set(points["player_id"].to_pylist())) == 5
    for leader, rating in leaders:
        course = [row for row in points.to_pylist() if row["player_id"] == leader]
        events = rows(
            published,
            "select ended_on, rating_after from rating_history where player_id = ? and ended_on <= '2010-06-30' order by event_number",
            leader,
        )
        before, *between, after = course
        assert [(row["day"], row["rating"]) for row in between] == events
        assert before["rating"] == 40
        assert before["day"] < events[0][0]
        assert after["rating"] == rating
        assert after["day"].isoformat() > "2010-06-30"
        assert [row["is_event"] for row in course] == [False, *[True] * len(events), False]


def test_a_career_of_one_event_has_time_before_and_after(built: Path, open_page: OpenPage) -> None:
    drawn, points = charts_of(open_page(built, "player", player="toby-harris"))[0]
    days = points["day"].to_pylist()
    assert len(days) == 3
    assert min((days[1] - days[0]).days, (days[2] - days[1]).days) >= 100
    line, marks = drawn["layer"]
    assert line["mark"]["interpolate"] == "step-after"
    assert marks["transform"] == [{"filter": "datum['is_event']"}]


def test_equal_values_have_an_axis_with_room_and_places_begin_with_the_first() -> None:
    many = pa.table({"before": [40.0] * 43, "placement": range(1, 44), "change": [0.5] * 43})
    labels = ("Before", "Place")
    for chart in (gains(many, "before", "placement", "change", labels, []), dots(many, "before", "change", labels, [])):
        drawn = chart.to_dict()
        encoded = (drawn["layer"][0] if "layer" in drawn else drawn)["encoding"]
        assert encoded["x"]["scale"]["domain"] == [39, 41]
    places = gains(many, "before", "placement", "change", labels, []).to_dict()["encoding"]["y"]
    assert places["axis"] == {"format": "d", "values": [1, 10, 20, 30, 40]}
    few = pa.table({"year": [2001, 2002], "rank": [2, 3], "nation": ["A", "B"]})
    line, _ = lines(few, "year:Q", "rank:Q", "nation", "Rank", [], reverse=True).to_dict()["layer"]
    assert line["encoding"]["y"]["axis"]["values"] == [2, 3]


def test_axes_and_names_of_a_chart_fit_a_phone_and_a_diagonal() -> None:
    two = pa.table({"year": [2001, 2001], "rating": [40.0, 50.0], "nation": ["A", "B"]})
    drawn = lines(two, "year:Q", "rating:Q", "nation", "Rating", []).to_dict()
    assert drawn["layer"][0]["encoding"]["color"]["legend"]["columns"] == {"expr": "width < 480 ? 1 : 3"}
    assert drawn["autosize"]["type"] == "fit-x"
    apart = pa.table({"one": [10.0, 20.0], "other": [30.0, 40.0]})
    for layer in dots(apart, "one", "other", ("One", "Other"), [], diagonal=True).to_dict()["layer"]:
        assert {axis: layer["encoding"][axis]["scale"]["domain"][1] for axis in "xy"} == {"x": 40, "y": 40}
    people = pa.table({"player_id": ["ann-1", "ann-2", "ben", "ann-1"], "player_name": ["Ann", "Ann", "Ben", "Ann"]})
    assert told_apart(people)["player_name"].to_pylist() == ["Ann (ann-1)", "Ann (ann-2)", "Ben", "Ann (ann-1)"]


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


def test_players_are_compared_up_to_five(built: Path, open_page: OpenPage) -> None:
    others = ["cyrille-sevin", "leif-bergman", "gwen-maggi", "edi-birsan"]
    page = open_page(built, "player", **{"player": "toby-harris", "with": others})
    assert page.multiselect[0].value == others
    assert not page.warning
    page = open_page(built, "player", **{"player": "toby-harris", "with": [*others, "luca-pardini"]})
    assert page.multiselect[0].value == []
    assert "luca" in page.warning[0].value


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
    assert "Ranked under these rules only: 0." in told(page)
    gone = [row for row in shown(page, "rank", "rating", "rating_gained", "default_rank") if row[0] is None]
    assert len(gone) == 60
    assert all(row[1:3] == (None, None) and row[3] is not None for row in gone)
    (_, bars), (_, everybody) = charts_of(page)
    assert None not in bars["rating_gained"].to_pylist()
    assert everybody.num_rows == people


def test_the_laboratory_says_when_nothing_can_be_said_and_refuses_a_divisor_of_nothing(
    built: Path, open_page: OpenPage
) -> None:
    page = open_page(built, "laboratory", search="yes", one_round_divisor="0")
    assert "Nothing can be said" in told(page)
    assert len(page.dataframe) == 1
    assert "one\\_round\\_divisor" in page.warning[0].value
    assert metrics(page)["Of another rank"] == "0 of 213"


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
    found = shown(page, "now", "fitted", "as_good_from", "as_good_to", number=1)
    assert found == [
        (answer.published[rule], value, *answer.fitted.ranges[rule]) for rule, value in answer.fitted.rules.items()
    ]
    assert all(sentence in told(page) for sentence in in_words(answer))
    # Moving a rule searches nothing again, and what was found stays.
    monkeypatch.setattr(better_rules, "fit_rules", None)
    page.toggle[0].set_value(False).run()
    page.toggle[0].set_value(True).run()
    assert not page.exception
    assert shown(page, "fitted", number=1) == [(value,) for value in answer.fitted.rules.values()]


ENDS = {
    "initial_rating": ("0", "100"),
    "world_championship_value": ("0", "100"),
    "maximum_value": ("0", "100"),
    "one_round_divisor": ("0.5", "50"),
    "several_rounds_divisor": ("0.5", "50"),
    "base_value": ("0", "50"),
    "first_counted_on": ("1996-06-01", "2013-08-25"),
    "counted_years": ("0", "50"),
}


@pytest.mark.parametrize("end", [0, 1])
def test_sliders_go_to_their_ends(built: Path, open_page: OpenPage, end: int) -> None:
    page = open_page(built, "laboratory", **{rule: ends[end] for rule, ends in ENDS.items()})
    assert not page.warning
    assert not page.error
    # Who is not ranked under these rules has no rating.
    assert all(0 <= rating <= 100 for rating, rank in shown(page, "rating", "rank") if rank is not None)


@pytest.mark.parametrize("name", PAGES)
def test_every_page_is_whole_and_gives_a_sentence_to_a_hostile_address(
    built: Path, open_page: OpenPage, name: str
) -> None:
    """Every parameter at once, each with another text; over the pages every parameter meets several, and every text is met."""
    usual = open_page(built, name)
    assert len(usual.title) == 1
    assert not usual.error
    assert not usual.warning
    assert usual.caption[0].value == "Dip Pouch Ratings"
    assert "224 results" in usual.caption[-1].value
    texts = deque(HOSTILE.values())
    texts.rotate(-3 * PAGES.index(name))
    for _ in range(3):
        page = open_page(built, name, **dict(zip(PARAMETERS[name], texts, strict=False)))
        sentences = [warning.value for warning in page.warning]
        assert len(sentences) == len(PARAMETERS[name])
        for sentence in sentences:
            assert len(sentence) < 300
            # Nothing of it is read as Markdown or drives anything.
            assert re.sub(r"\\[!-/:-@\[-`{-~]", "", sentence).isprintable()
            assert not re.search(r"(?<!\\)[\[\]()<>`$*]", sentence)
        for got, expected in zip(page.dataframe, usual.dataframe, strict=True):
            assert got.value.equals(expected.value)
        texts.rotate(-1)


def put(database: Path, folder: Path) -> Path:
    """A warehouse whose published file is a copy of this one, put there in one step."""
    folder.mkdir(exist_ok=True)
    fresh = folder / "fresh"
    shutil.copyfile(database, fresh)
    fresh.replace(folder / "rankings.duckdb")
    return folder


DISKS: dict[str, Callable[[Path, Path], object]] = {
    "missing": lambda _, target: None,
    "empty": lambda published, target: target.touch(),
    "text": lambda published, target: target.write_text("no database"),
    "a folder": lambda published, target: target.mkdir(),
    "half written": lambda published, target: target.write_bytes(
        published.read_bytes()[: -published.stat().st_size // 2]
    ),
    "foreign": lambda published, target: duckdb.connect(str(target)).close(),
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


def test_a_publication_that_is_not_like_others_has_every_page_that_it_can(
    published: Path, tmp_path: Path, open_page: OpenPage
) -> None:
    name = "![x](https://elsewhere.example) :red[*x*] $x$ <b>"
    changed_publication(
        published,
        tmp_path / "rankings.duckdb",
        "drop macro table marts.ranking_between",
        f"update marts.tournaments set name = '{name}' where tournament_id = 'wac-6-2009'",
        "delete from marts.rating_periods where player_id = 'toby-harris'",
    )
    assert "another version published it" in open_page(tmp_path).error[0].value
    heading = open_page(tmp_path, "tournament", tournament="wac-6-2009").title[0].value
    assert heading.replace("\\", "") == name
    assert "\\!\\[x\\]\\(" in heading
    laboratory = open_page(tmp_path, "laboratory")
    assert "Ranked under these rules only: 1." in told(laboratory)
    assert metrics(laboratory)["Largest change"] == "0.00"


@pytest.mark.parametrize("name", PAGES)
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


def test_what_is_downloaded_is_what_is_shown(built: Path, open_page: OpenPage) -> None:
    page = open_page(built)
    table = pyarrow.Table.from_pandas(page.dataframe[0].value)
    again = pyarrow.csv.read_csv(io.BytesIO(as_csv(table)))
    assert again["rating"].to_pylist() == table["rating"].to_pylist()
    assert again["player_id"].to_pylist() == table["player_id"].to_pylist()
