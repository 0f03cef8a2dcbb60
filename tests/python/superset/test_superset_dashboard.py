"""The dashboard in the real Superset: its figures, also after a publication, and its look in a browser."""

from __future__ import annotations

import re
import shutil
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from dippouch.publishing.build import run_dbt_build
from dippouch.publishing.publication import publish
from dippouch.settings import PROJECT
from support.changed_publications import changed_publication, rows
from support.programs import done, run_here
from support.superset import Superset, Visit, chart_rows, in_superset, running, visit

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
    "Nations by their best five": "select nation_name, best_five_rating from nation_ranking where is_current",
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
# Charts whose answers have another shape than a query: one column for each player, and two queries by year.
DRAWN = {"Rating at the end of each year: the ten best of today", "Tournaments by year"}
# The leader, a known player and a new one: everything on the dashboard changes.
CLUB_CUP = "placement,first_name,last_name,nation_code\n1,Toby,HARRIS,GBR\n2,Edi,BIRSAN,USA\n3,Ada,LOVELACE,GBR\n"


@pytest.fixture(scope="module")
def superset(published: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Superset]:
    """Superset with the dashboard of a copy of the published file."""
    warehouse = tmp_path_factory.mktemp("superset") / "warehouse"
    warehouse.mkdir()
    shutil.copy(published, warehouse)
    with running(warehouse) as started:
        yield started


@pytest.fixture(scope="module")
def visited(superset: Superset, browser: Browser) -> Visit:
    """A visit to the dashboard after signing in."""
    return visit(superset, browser)


def current_answers(superset: Superset, visited: Visit) -> dict[str, list[dict[str, object]]]:
    """Return Superset's answers to the requests of the page, after a check that they are the figures of the published file."""
    token = superset.token()
    answers = {title: chart_rows(superset.address, token, asked) for title, asked in visited.asked.items()}
    assert set(answers) == FIGURES.keys() | DRAWN
    for title, question in FIGURES.items():
        shown = [tuple(row.values()) for row in answers[title]]
        assert sorted(shown, key=str) == sorted(rows(superset.database, question), key=str), title
    return answers


def test_the_dashboard_opens_in_a_browser_and_asks_nobody_else(visited: Visit) -> None:
    assert visited.title == "Dip Pouch Ratings"
    assert visited.faults == []


def test_every_chart_shows_the_published_figures_and_the_new_ones_at_once(
    superset: Superset, visited: Visit, seeds: Path
) -> None:
    cup, warehouse = (seeds.with_name(name) for name in ("cup.csv", "warehouse"))
    cup.write_text(CLUB_CUP, encoding="utf-8")
    facts = ("--name", "Club Cup", "--date", "2014-05-01", "--players", "20", "--rounds", "3")
    done(run_here("import", cup, *facts, "--seeds", seeds))
    run_dbt_build(seeds, warehouse, target_path=warehouse / "dbt", without="", held=())
    before = current_answers(superset, visited)
    publish(warehouse / "build.duckdb", superset.database, print)
    after = current_answers(superset, visited)
    assert [title for title in before if before[title] == after[title]] == []


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
    superset: Superset, published: Path, tmp_path: Path
) -> None:
    folder = superset.database.parent / "superset"
    database = changed_publication(published, tmp_path / "rankings.duckdb")
    fewer = "delete from marts.players where nation_code is null"
    other = changed_publication(published, tmp_path / "other.duckdb", fewer)
    counts = [str(rows(path, "select count(*) from players")[0][0]) for path in (database, other)]
    printed = in_superset(folder, _SQL_OF_OTHERS, database, other)
    assert printed.splitlines() == [counts[0], *["refused"] * 4, *counts]


def test_every_function_works_in_the_oldest_version_that_the_documentation_names(superset: Superset) -> None:
    questions = re.findall(r"```sql\n(.*?)\n```", (PROJECT / "docs" / "functions.md").read_text("utf-8"), re.DOTALL)
    printed = in_superset(superset.database.parent / "superset", _QUESTIONS, superset.database, *questions)
    assert printed.splitlines() == ["1.4.2", *["answered"] * len(questions)]
    assert questions


_QUESTIONS = """
import sys, duckdb

connection = duckdb.connect(sys.argv[1], read_only=True)
print(duckdb.__version__)
for question in sys.argv[2:]:
    print("answered" if connection.execute(question).fetchall() else "no rows")
"""


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
