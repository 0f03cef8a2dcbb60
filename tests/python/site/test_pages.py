"""The pages without a browser: complete, correct, linked, reproducible, and safe against markup in names."""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import parse_qsl, unquote, urlsplit
from urllib.request import urlopen

import pytest

from dippouch.db import query
from dippouch.disk import hashes
from dippouch.messages import UserError
from dippouch.settings import PROJECT, read_yaml
from dippouch.site.making import build_site
from dippouch.site.serving import site_server
from support.browser import served_by
from support.changed_publications import SERIES, changed_publication, files_of_at_most
from support.golden import Case, each_case
from support.programs import done, run_here
from support.site_pages import broken_links, pages_of, read_page, rows_of, shown_text

ChangedSite = Callable[..., Path]
_LARGEST_PAGE = 300_000
_HOSTILE = "<script>alert(1)</script>\" onload='x' & \u2067 O'Neil " + "x" * 150


def test_no_link_of_the_site_is_broken(site: Path) -> None:
    assert broken_links(site) == []


def test_a_player_with_one_tournament_has_a_sentence_instead_of_a_chart(site: Path) -> None:
    tree = read_page(site / "players" / "leif-bergman.html")
    said = "One tournament counts: World DipCon VI 1996 moved the rating from the initial 40 to 51.66 on 1 Jun 1996."
    assert said in [shown_text(node) for node in tree.css("main p")]
    assert [node.attributes["data-chart"] for node in tree.css("figure")] == ["ranks"]
    # Nobody is new in the first ranking.
    assert rows_of(tree, "Rank and rating")[-1] == ["1996", "1", "", "51.66"]
    assert rows_of(read_page(site / "years" / "1996.html"), "Ranking")[0] == ["1", "Leif BERGMAN", "SWE", "51.66"]


@each_case("site/pages.golden")
def test_a_page_says_what_the_golden_file_says(case: Case, site: Path) -> None:
    page, selector = case.name.split(maxsplit=1)
    found = [(shown_text(node), node.attributes.get("href")) for node in read_page(site / page).css(selector)]
    case.check("".join(f"{text} {unquote(link or '')}".strip().replace("\r\n", " | ") + "\n" for text, link in found))


def test_another_game_has_its_own_words_and_without_nations_no_column_of_them(changed_site: ChangedSite) -> None:
    words = "player_word = 'runner', players_word = 'runners', tournament_word = 'race', tournaments_word = 'races'"
    form = "https://example.org/issues/new?template=wrong_result.yml"
    national = "nations nation_ranking national_ranking published_ranking_comparison"
    site = changed_site(
        f"update marts.settings set {words}, championship_word = 'Final', description = null, contact = '{form}'",
        "update marts.rating_systems set name = rating_system_id",
        "update marts.included_tournaments set is_counted = tournament_id = 'world-dipcon-xxiii-2013'",
        *(f"delete from marts.{name}" for name in national.split()),
        *(
            f"update marts.{name} set nation_code = null, nation_name = null"
            for name in ("players", "international_ranking", "tournament_results", "yearly_ranking", "reigns")
        ),
        "update marts.tournament_results set game_score = '12,5' where placement = 2",
        "update marts.tournaments set kind_name = 'World Championship' where is_world_championship",
    )
    foreign = re.compile(r"(?i)player|tournament|world (champ|$)|nation")
    for path in {*pages_of(site)} - {site / "data.html"}:
        tree = read_page(path)
        for node in tree.css("code, script, [hidden]"):
            node.decompose()
        assert [text for text in map(shown_text, tree.css("main *, label")) if foreign.search(text)] == [], path
    (counts,) = read_page(site / "ranking.html").css(".title p")
    assert shown_text(counts).startswith("213 runners · 1 race counted")
    end = run_here("ranking", "--nation", "FRA", "--database", site.with_name("rankings.duckdb"))
    assert end.stderr == "error: found no nation `FRA`; expected none, as in the collection\n"
    assert ">4 races, 237 runners, 224 results.<" in (site / "feed.atom").read_text(encoding="utf-8")
    tree = read_page(site / "tournaments" / "world-dipcon-xxiii-2013.html")
    assert rows_of(tree, "Results")[1][:4] == ["2", "Toby HARRIS", "12,5", "98.00"]
    assert {"KindFinal", "Value 20.00 final"} <= {shown_text(node) for node in tree.css(".stats div")}
    (link,) = (node.attributes["href"] or "" for node in tree.css(".more a") if node.text() == "placement")
    report = dict(parse_qsl(urlsplit(link).query))
    assert (report["tournament"], report["field"]) == ("world-dipcon-xxiii-2013", "placement")
    fields = {one.get("id") for one in read_yaml(PROJECT / ".github" / "ISSUE_TEMPLATE" / "wrong_result.yml")["body"]}
    assert report.keys() - {"template", "title"} <= fields


def test_every_page_has_a_title_a_policy_and_a_bearable_size(site: Path) -> None:
    for path in pages_of(site):
        assert path.stat().st_size < _LARGEST_PAGE, path
        tree = read_page(path)
        wanted = ("title", "meta[http-equiv=Content-Security-Policy]", "h1")
        (title,), (policy,), _ = (tree.css(selector) for selector in wanted)
        assert title.text(), path
        scripts = "script-src 'self' 'wasm-unsafe-eval';" if tree.css("#live") else "script-src 'self';"
        assert scripts in str(policy.attributes["content"]), path


def test_the_pages_of_a_ranking_and_its_csv_have_the_rows_of_the_database(published: Path, site: Path) -> None:
    provisional = "(select player_id from rating_breakdown where event_number = 0 and weight > 0.5)"
    for first, table, marked in (
        ("ranking", "international_ranking", provisional),
        ("years/2009", "yearly_ranking where year = 2009", "('')"),
    ):
        rating = f"format('{{:.2f}}', rating) || if(player_id in {marked}, '?', '')"
        ranked = f"select rank::varchar, player_name, {rating} from {table} order by rank, player_id"
        expected = [list(row.values()) for row in query(published, ranked)]
        further = sorted(site.glob(f"{first}_*.html"), key=lambda path: int(path.stem.rpartition("_")[2]))
        pages = [site / f"{first}.html", *further]
        assert [row[:5:2] for path in pages for row in rows_of(read_page(path), "")] == expected
        saved = csv.DictReader((site / f"{first}.csv").read_text(encoding="utf-8").splitlines())
        assert [[row["rank"], row["player_name"], f"{float(row['rating']):.2f}"] for row in saved] == [
            [rank, name, text.removesuffix("?")] for rank, name, text in expected
        ]


def test_a_publication_has_the_same_site_whatever_is_published_meanwhile_and_the_second_run_writes_nothing(
    published: Path, site: Path, tmp_path: Path
) -> None:
    database, later, folder = tmp_path / "rankings.duckdb", tmp_path / "later", tmp_path / "site"
    shutil.copy2(published, database)
    later.mkdir()
    changes = ("update marts.players set last_name = 'OTHER'", "delete from marts.rating_history")
    changed_publication(published, later / "rankings.duckdb", *changes)

    def publish(step: str) -> None:
        if step == "skill.html":
            (later / database.name).replace(database)

    made = build_site(database, folder, on_step=publish)
    assert not (later / database.name).exists()
    assert made.written == made.files
    assert _hashes(folder) == _hashes(site)
    times = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    again = build_site(published, folder, print)
    assert (again.files, again.written) == (made.files, 0)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()} == times


def test_a_hostile_name_stays_text_and_a_hostile_id_is_refused(changed_site: ChangedSite) -> None:
    quoted = _HOSTILE.replace("'", "''")
    tables = "players international_ranking tournament_results national_ranking yearly_ranking"
    site = changed_site(
        *(f"update marts.{one} set last_name = '{quoted}' where player_id = 'edi-birsan'" for one in tables.split()),
        f"update marts.tournaments set tournament_name = '{quoted}' where tournament_id = 'wac-6-2009'",
    )
    for name in ("players/edi-birsan", "ranking", "index", "tournaments/wac-6-2009"):
        tree = read_page(site / f"{name}.html")
        scripts = [node for node in tree.css("script") if node.attributes.get("type") != "application/json"]
        assert not any("alert" in node.text() for node in scripts)
        assert tree.css("[onload]") == []
        assert "alert(1)" in (tree.body.text() if tree.body else "")
    assert broken_links(site) == []
    with pytest.raises(UserError, match="found an id that leads out of the site"):
        changed_site("update marts.tournaments set tournament_id = '../x' where players = 45")


def test_an_empty_collection_has_a_site(published: Path, changed_site: ChangedSite) -> None:
    kept = {"settings", "rating_systems", "publication", "tournament_kinds"}
    tables = query(published, "select table_name as name from duckdb_tables() where schema_name = 'marts'")
    empty = changed_site(
        *(f"delete from marts.{row['name']}" for row in tables if row["name"] not in kept),
        "update marts.rating_systems set last_update = null",
        "update marts.publication set last_tournament_id = null, last_tournament_name = null",
    )
    assert broken_links(empty) == []
    assert "Nobody is ranked" in (empty / "ranking.html").read_text(encoding="utf-8")
    (quality,) = read_page(empty / "quality.html").css("main")
    assert "0 of 0" not in shown_text(quality)


def test_corrections_and_splits_lead_to_their_people_and_tournaments(changed_site: ChangedSite) -> None:
    event, correction = "'wac-6-2009'", "'placement', '3', '2', 'a slip', date '2026-01-02', true"
    site = changed_site(
        *(
            "insert into marts.corrections (correction_number, tournament_id, tournament_name, player_id, first_name, last_name,"
            " field, stated_value, corrected_value, reason, decided_on, is_current)"
            f" values ({number}, {event}, 'WAC 6 2009', {listed}, {correction})"
            for number, listed in ((1, "'edi-birsan', 'Edi', 'BIRSAN'"), (2, "null, null, null"))
        ),
        *(
            "insert into marts.player_aliases (listed_player_id, tournament_id, tournament_name, player_id, last_name, reason)"
            f" values ('{listed}', {tournament}, 'WAC 6 2009', 'buz-eddy', 'EDDY', '{reason}')"
            for listed, tournament, reason in (("e-buz", "null", "short"), ("toby-harris", event, "another one"))
        ),
        f"update marts.tournament_results set is_withdrawn = true where player_id = 'edi-birsan' and tournament_id = {event}",
    )
    tree = read_page(site / "quality.html")
    assert [row[1:6] for row in rows_of(tree, "Corrections")] == [
        ["WAC 6 2009", "–", "placement", "3", "2"],
        ["WAC 6 2009", "Edi BIRSAN", "placement", "3", "2"],
    ]
    assert rows_of(tree, "One person under two names") == [["e-buz", "EDDY", "short"]]
    assert rows_of(tree, "Two people under one name") == [["toby-harris", "WAC 6 2009", "EDDY", "another one"]]
    links = {node.attributes["href"] for node in tree.css("#corrections a, #splits a")}
    assert links == {"tournaments/wac-6-2009.html", "players/edi-birsan.html", "players/buz-eddy.html"}
    for page, mark in (("players/edi-birsan", "Seattlewithdrawn"), ("tournaments/wac-6-2009", "BIRSANwithdrawn")):
        marked = [row for row in rows_of(read_page(site / f"{page}.html"), "Results") if mark in row[1]]
        assert [row[-1] for row in marked] == ["–"], page


def test_an_edition_shows_the_winners_of_its_series_and_no_other_tournament_does(changed_site: ChangedSite) -> None:
    site = changed_site(SERIES)
    tree = read_page(site / "tournaments" / "world-dipcon-xxiii-2013.html")
    assert rows_of(tree, "World DipCon: winners by year") == [
        ["2013", "World DipCon XXIII 2013", "Paris", "Cyrille SEVIN"],
        ["1996", "World DipCon VI 1996", "Columbus", "–"],
    ]
    links = {node.attributes["href"] for node in tree.css("tr[aria-current] a")}
    assert links == {"../tournaments/world-dipcon-xxiii-2013.html", "../players/cyrille-sevin.html"}
    assert broken_links(site) == []
    assert "winners by year" not in (site / "tournaments" / "wac-6-2009.html").read_text(encoding="utf-8")


def test_descriptions_of_tables_are_whole_and_names_in_them_are_code(site: Path) -> None:
    package = json.loads((site / "data" / "datapackage.json").read_text(encoding="utf-8"))
    tree = read_page(site / "data.html")
    described = [re.sub("[ `]", "", one["description"]).rstrip(".") for one in package["resources"]]
    assert [row[1].replace(" ", "").rstrip(".") for row in rows_of(tree, "Tables")] == described
    assert str(tree.html).count("which has only the default one") == 1
    assert "active_years" in [node.text() for node in tree.css("td code")]
    # Readers of the site have no other documents.
    assert not re.search(r"\w/\w+\.(md|sql)", json.dumps(package))


def test_a_site_with_an_address_and_odd_scores_names_them(changed_site: ChangedSite) -> None:
    address = "address = 'https://ratings.example/pouch/', contact = 'mailto:errors@ratings.example'"
    site = changed_site(
        f"update marts.settings set {address}, note = 'More to come.'",
        "update marts.published_score_comparison set agrees = false, published_score = 12.5 where player_id = 'toby-harris'",
        "update marts.rank_movements set earlier_rank = null, places_gained = null",
    )
    shown = rows_of(read_page(site / "quality.html"), "Printed scores that differ")
    assert shown == [["World DipCon XXIII 2013", "Toby HARRIS", "12.50", "98.00", "no"]]
    tree = read_page(site / "players" / "toby-harris.html")
    canonical = tree.css_first("link[rel=canonical]")
    assert canonical is not None
    assert canonical.attributes["href"] == "https://ratings.example/pouch/players/toby-harris.html"
    for name in ("index", "ranking", "active", "years/2009", "nations/fra"):
        leads = [shown_text(lead) for lead in read_page(site / f"{name}.html").css(".lead")]
        assert "This collection has 4 tournaments. More to come. Data quality" in leads
    # Nobody is new in the first ranking.
    assert rows_of(read_page(site / "ranking.html"), "")[0][:3] == ["1", "", "Edi BIRSAN"]
    data = (site / "ranking-rows.js").read_text(encoding="utf-8").partition("=")[2].rstrip(";\n")
    assert {row[1] for row in json.loads(data)["rows"]} == {0}
    assert (site / "assets" / "card.png").read_bytes().startswith(b"\x89PNG")
    sitemap = (site / "sitemap.xml").read_text(encoding="utf-8")
    listed = set(re.findall("<loc>https://ratings.example/pouch/(.*?)</loc>", sitemap))
    assert listed == {str(path.relative_to(site)) for path in pages_of(site)} - {"index.html", "404.html"} | {""}
    with served_by(site_server(site, 0)) as served, pytest.raises(HTTPError, match="404") as missing:
        urlopen(f"{served}players/a/nobody.html")
    assert b'href="/pouch/rules.html"' in (site / "404.html").read_bytes()
    assert b'href="/rules.html"' in missing.value.read()


def test_what_is_no_site_is_not_replaced(published: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "index.html").write_text("years of work", encoding="utf-8")
    (tmp_path / "circle").symlink_to("circle")
    for place, said in (
        (folder, "found files that `dptr site` did not write"),
        ("/", "found the root of all folders"),
        (tmp_path / "circle", "found a circular link"),
    ):
        end = run_here("site", "--database", published, "--site", place)
        assert (end.returncode, end.stdout) == (1, "")
        assert said in end.stderr
    (folder / ".site").write_text("A site\nelse.html\n", encoding="utf-8")
    end = run_here("site", "--database", published, "--site", folder)
    assert f"{folder}/index.html: found a file that `dptr site` did not write" in end.stderr
    assert (folder / "index.html").read_text(encoding="utf-8") == "years of work"


def test_what_others_put_into_the_folder_of_a_site_stays(published: Path, site: Path, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    shutil.copytree(site, folder)
    (folder / ".git" / "objects").mkdir(parents=True)
    others = {"CNAME": "ratings.example", ".git/objects/pack": "a history", "players/notes.txt": "mine"}
    for path, text in others.items():
        (folder / path).write_text(text, encoding="utf-8")
    (folder / "elsewhere").symlink_to(tmp_path)
    # A page that this publication no longer has belongs to the site, and is removed.
    (folder / "players" / "gone.html").write_text("", encoding="utf-8")
    mark = folder / ".site"
    mark.write_text(mark.read_text(encoding="utf-8") + "players/gone.html\n", encoding="utf-8")
    printed = done(run_here("site", "--database", published, "--site", folder))
    assert "Other files that stay in the folder: 4" in printed
    assert {path: (folder / path).read_text(encoding="utf-8") for path in others} == others
    assert (folder / "elsewhere").readlink() == tmp_path
    assert not (folder / "players" / "gone.html").exists()


def test_a_full_disk_leaves_the_old_site(published: Path, site: Path, tmp_path: Path) -> None:
    old = shutil.copytree(site, tmp_path / "site")
    (old / "index.html").write_text("old", encoding="utf-8")
    before = hashes(old)
    with files_of_at_most(100_000):
        end = run_here("site", "--database", published, "--site", old)
    assert end.returncode == 1
    assert "the old site is untouched" in end.stderr
    assert hashes(old) == before
    assert list(tmp_path.glob(".site.staged")) == []


def _hashes(site: Path) -> dict[str, str]:
    """Return the hashes of all files except the live one, which has a random identity from DuckDB, and those that name it."""
    (live,) = site.glob("data/live-*.bin")
    files = hashes(site).items()
    naming = {path.name for path in site.rglob("*") if path.is_file() and live.name.encode() in path.read_bytes()}
    assert naming == {".site", "live.json", "ask.html", "compare.html", "day.html", "hand_in.html", "laboratory.html"}
    return {name: digest for name, digest in files if Path(name).name not in {*naming, live.name}}
