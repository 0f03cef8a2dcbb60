"""The dashboard in the real Superset: its figures, also after a publication, and its look in a browser."""

from __future__ import annotations

import socket
import stat
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from dippouch.publishing.publication import publish
from support.superset import Superset, Visit, chart_rows, in_superset

pytestmark = pytest.mark.superset

# The equivalent query of the published file for each chart.
FIGURES = {
    "Data as of": "select epoch_ms(last_tournament_ended_on) from publication",
    "Tournaments": "select count(*) from tournaments",
    "Players": "select count(*) from players",
    "Results": "select count(*) from tournament_results",
    "Ranking": """
        select rank, player_name, nation_name, rating, tournaments_counted, epoch_ms(last_played_on)
        from international_ranking
    """,
    "Nations by their best five": "select nation_name, best_five_rating from nation_ranking",
    "Biggest moves": """
        select
            now.player_name, now.nation_name, before.rank, now.rank, before.rank - now.rank, now.rating - before.rating,
            now.rating
        from international_ranking as now
        inner join marts.ranking_on(cast((select max(ended_on) from tournaments) - interval 1 year as date)) as before
            using (player_id)
        where now.rating <> before.rating
    """,
    "Does the rating predict who finishes ahead?": """
        select predictor, pairs, concordance, concordance_low, concordance_high, tau_b
        from rating_skill
        where slice_kind = 'all'
    """,
}
COURSES = "Rating at the end of each year: the ten best of today"
YEARS = "Tournaments by year"

Answers = Callable[[], dict[str, list[dict[str, object]]]]


@pytest.fixture(scope="module")
def answers(superset: Superset, visited: Visit) -> Answers:
    """Superset's current answers to the requests of the page."""
    token = superset.token()
    return lambda: {title: chart_rows(superset.address, token, asked) for title, asked in visited.asked.items()}


def published_rows(database: Path, question: str) -> list[tuple[object, ...]]:
    with duckdb.connect() as connection:
        connection.execute(f"attach '{database}' as published (read_only)")
        connection.execute("use published")
        return connection.execute(question).fetchall()


def check_figures(database: Path, answered: dict[str, list[dict[str, object]]]) -> None:
    """Check that every chart shows the figures of the published file."""
    assert set(answered) == {*FIGURES, COURSES, YEARS}
    for title, question in FIGURES.items():
        rows = [tuple(row.values()) for row in answered[title]]
        assert sorted(rows, key=str) == sorted(published_rows(database, question), key=str), title
    courses = published_rows(
        database,
        # Superset shows a year as its first day.
        "select epoch_ms(make_date(year, 1, 1)), player_name, rating from yearly_ranking"
        " where player_id in (select player_id from international_ranking where rank <= 10)",
    )
    shown = {
        (row["year_end"], name, rating)
        for row in answered[COURSES]
        for name, rating in row.items()
        if name != "year_end" and rating is not None
    }
    assert shown == set(courses)
    years = published_rows(database, "select cast(year as varchar), tournaments, mean_players from attendance")
    held = [row for row in answered[YEARS] if row.get("Tournaments")]
    assert [(row["year"], row["Tournaments"]) for row in held] == sorted((year, number) for year, number, _ in years)
    sizes = {row["year"]: row["Players per tournament"] for row in answered[YEARS] if row.get("Players per tournament")}
    assert sizes == {year: size for year, _, size in years}


def test_the_dashboard_opens_in_a_browser_and_asks_nobody_else(visited: Visit) -> None:
    assert visited.title == "Dip Pouch Ratings"
    assert len(visited.asked) == 10
    assert visited.alerts == []
    assert visited.left == []
    assert visited.complaints == []


def test_every_chart_shows_the_published_figures_and_the_new_ones_at_once(
    superset: Superset, answers: Answers, builds: dict[str, Path]
) -> None:
    before = answers()
    check_figures(superset.database, before)
    publish(builds["more"], superset.database)
    after = answers()
    check_figures(superset.database, after)
    assert [title for title in before if before[title] == after[title]] == []
    assert after["Data as of"] != before["Data as of"]
    publish(builds["fewer"], superset.database)
    assert answers() == before


def test_only_this_machine_and_its_owner_get_in(superset: Superset) -> None:
    folder = superset.database.parent / "superset"
    assert stat.S_IMODE(folder.stat().st_mode) == stat.S_IRWXU
    for secret in ("admin_password", "secret_key"):
        assert stat.S_IMODE((folder / secret).stat().st_mode) == stat.S_IRUSR | stat.S_IWUSR
        assert (folder / secret).read_text(encoding="utf-8") not in superset.said
    assert f"{superset.address}/superset/dashboard/rankings/" in superset.said
    assert str(folder / "admin_password") in superset.said
    # Other addresses of this machine, which other machines would use, refuse connections.
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.2", int(superset.address.rpartition(":")[2])))


def test_whoever_writes_sql_reads_one_publication_a_request_and_nothing_else(
    superset: Superset, tmp_path: Path
) -> None:
    folder = superset.database.parent / "superset"
    database = tmp_path / "rankings.duckdb"
    other = tmp_path / "other.duckdb"
    for path, players in ((database, 1), (other, 2)):
        with duckdb.connect() as connection:
            # The format of a publication.
            connection.execute(f"attach '{path}' as made (storage_version 'v1.4.0')")
            connection.execute(f"create table made.players as from range({players})")
    printed = in_superset(folder, _SQL_OF_OTHERS, database, other)
    assert printed.splitlines() == ["1", *["refused"] * 4, "1", "2"]


_SQL_OF_OTHERS = """
import os, sys, duckdb
from flask import Flask
from sqlalchemy.engine import make_url
from superset_config import DB_CONNECTION_MUTATOR, FLASK_APP_MUTATOR

database, other = sys.argv[1:]
app = Flask("superset")
FLASK_APP_MUTATOR(app)

def players():
    _, params = DB_CONNECTION_MUTATOR(make_url(f"duckdb:///{database}"), {}, "admin", None, None)
    opened = params["creator"]()
    cursor = opened.cursor()
    cursor.execute("select count(*) from players")
    print(cursor.fetchone()[0])
    return opened

with app.app_context():
    cursor = players().cursor()
    for sql in (
        "from read_text('/etc/passwd')",
        f"attach '{other}'",
        "create table scribble as select 1",
        "set enable_external_access = true",
    ):
        try:
            cursor.execute(sql)
        except duckdb.Error:
            print("refused")
    os.replace(other, database)
    # The same request goes on with what it has begun with; another one, at the same time, has the new file.
    players()
    with app.app_context():
        players()
"""
