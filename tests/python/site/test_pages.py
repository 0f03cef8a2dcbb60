"""The pages without a browser: complete, correct, linked, reproducible, and safe against markup in names."""

from __future__ import annotations

import csv
import json
import re
import shutil
from pathlib import Path

import duckdb
import pytest

from dippouch.db import query
from dippouch.disk import hashes
from dippouch.errors import UserError
from dippouch.site import staged
from dippouch.site.making import build_site
from support.changed_publications import changed_publication
from support.programs import run_here
from support.site_pages import broken_links, pages_of, read_page, rows_of, shown_text

_LARGEST_PAGE = 300_000
_HOSTILE = "<script>alert(1)</script>\" onload='x' & \u2067 O'Neil " + "x" * 150


def test_no_link_of_the_site_is_broken(site: Path) -> None:
    assert broken_links(site) == []


def test_every_page_has_a_title_a_description_and_a_bearable_size(site: Path) -> None:
    titles = set()
    for path in pages_of(site):
        assert path.stat().st_size < _LARGEST_PAGE, path
        tree = read_page(path)
        title, described = tree.css_first("title"), tree.css_first("meta[name=description]")
        assert title is not None, path
        assert described is not None, path
        assert title.text(), path
        assert described.attributes["content"], path
        assert len(tree.css("h1")) == 1, path
        policy = tree.css_first("meta[http-equiv=Content-Security-Policy]")
        assert policy is not None, path
        scripts = "script-src 'self' 'wasm-unsafe-eval';" if tree.css("#live") else "script-src 'self';"
        assert scripts in str(policy.attributes["content"]), path
        titles.add(title.text())
    # Two people may share a name; all other titles are unique.
    assert len(titles) > 0.98 * len(pages_of(site))


def test_the_figures_of_ten_players_are_those_of_the_database(published: Path, site: Path) -> None:
    ranked = query(
        published, "select player_id, rating, international_rank as rank from players where rating > 0 order by 1"
    )
    ranked = [row for row in ranked if row["rank"]]
    for row in ranked[:: len(ranked) // 10]:
        tree = read_page(site / "players" / f"{row['player_id']}.html")
        figures = [shown_text(node) for node in tree.css(".stats dd:not(.note)")]
        assert figures[:2] == [f"{row['rating']:,.2f}", f"{row['rank']:,} of {len(ranked):,}"]
        (world,) = (shown_text(note) for note in tree.css(".stats dd.note") if "rated above" in note.text())
        percent = 100 * sum(other["rating"] < row["rating"] for other in ranked) // (len(ranked) - 1)
        assert world.endswith("rated above all others" if percent == 100 else f"rated above {percent} % of the others")
        history = query(
            published,
            """
            select
                h.placement || ' of ' || h.players as place, format('{:.1f}', p.expected_place) as expected, p.places_better,
                format('{:.2f}', h.percentile_score) as score, format('{:.2f}', h.tournament_value) as value,
                format('{:.2f}', h.rating_before) as before, h.rating_change, format('{:.2f}', h.rating_after) as after
            from rating_history as h inner join performances as p using (player_id, event_number)
            where h.player_id = ? order by h.event_number desc
            """,
            [row["player_id"]],
        )
        for event in history:
            event["places_better"] = _signed(event["places_better"], 1)
            event["rating_change"] = _signed(event["rating_change"], 2)
        assert [cells[2:] for cells in rows_of(tree, "Results of")] == [list(event.values()) for event in history]


def test_the_pages_of_a_ranking_and_its_csv_have_the_rows_of_the_database(published: Path, site: Path) -> None:
    provisional = "(select player_id from rating_breakdown where event_number = 0 and weight > 0.5)"
    for first, table, marked in (
        ("ranking", "international_ranking", provisional),
        ("years/2009", "yearly_ranking where year = 2009", "('')"),
    ):
        rating = f"format('{{:.2f}}', rating) || if(player_id in {marked}, '?', '')"
        expected = [
            list(row.values())
            for row in query(
                published, f"select rank::varchar, player_name, {rating} from {table} order by rank, player_id"
            )
        ]
        further = sorted(site.glob(f"{first}_*.html"), key=lambda path: int(path.stem.rpartition("_")[2]))
        pages = [site / f"{first}.html", *further]
        assert [row[:5:2] for path in pages for row in rows_of(read_page(path), "")] == expected
        saved = csv.DictReader((site / f"{first}.csv").read_text(encoding="utf-8").splitlines())
        assert [[row["rank"], row["player_name"], f"{float(row['rating']):.2f}"] for row in saved] == [
            [rank, name, text.removesuffix("?")] for rank, name, text in expected
        ]


def test_the_page_of_the_data_lists_every_table_with_its_rows(published: Path, site: Path) -> None:
    names = query(published, "select table_name as name from duckdb_tables() where schema_name = 'marts' order by 1")
    counts = [
        [row["name"], f"{query(published, 'select count(*) as rows from marts.' + row['name'])[0]['rows']:,}"]
        for row in names
    ]
    assert [row[:3:2] for row in rows_of(read_page(site / "data.html"), "Tables")] == counts


def test_a_publication_has_the_same_site_whatever_is_published_meanwhile_and_the_second_run_writes_nothing(
    published: Path, site: Path, tmp_path: Path
) -> None:
    database, later, folder = tmp_path / "rankings.duckdb", tmp_path / "later", tmp_path / "site"
    shutil.copy2(published, database)
    later.mkdir()
    changed_publication(
        published,
        later / "rankings.duckdb",
        "update marts.players set last_name = 'OTHER'",
        "delete from marts.rating_history",
    )

    def publish(step: str) -> None:
        if step == "skill.html":
            (later / database.name).replace(database)

    made = build_site(database, folder, on_step=publish)
    assert not (later / database.name).exists()
    assert made.written == made.files
    assert _hashes(folder) == _hashes(site)
    times = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()}
    again = build_site(published, folder)
    assert (again.files, again.written) == (made.files, 0)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.is_file()} == times


def test_a_hostile_name_stays_text(published: Path, tmp_path: Path) -> None:
    quoted = _HOSTILE.replace("'", "''")
    database = changed_publication(
        published,
        tmp_path / "rankings.duckdb",
        *(
            f"update marts.{table} set last_name = '{quoted}' where player_id = 'edi-birsan'"
            for table in ("players", "international_ranking", "tournament_results", "national_ranking", "performances")
        ),
        f"update marts.tournaments set name = '{quoted}' where tournament_id = 'wac-6-2009'",
    )
    site = tmp_path / "site"
    build_site(database, site)
    for name in ("players/edi-birsan", "ranking", "index", "tournaments/wac-6-2009"):
        tree = read_page(site / f"{name}.html")
        scripts = [node for node in tree.css("script") if node.attributes.get("type") != "application/json"]
        assert not any("alert" in node.text() for node in scripts)
        assert tree.css("[onload]") == []
        assert "alert(1)" in (tree.body.text() if tree.body else "")
    assert broken_links(site) == []
    entries = (site / "search.js").read_text(encoding="utf-8").removeprefix("window.searchEntries=")
    json.loads(entries.rstrip().removesuffix(";"))


def test_an_empty_collection_and_one_of_one_player_have_a_site(published: Path, tmp_path: Path) -> None:
    kept = {"settings", "rating_systems", "publication", "tournament_kinds"}
    with duckdb.connect(str(published), read_only=True) as connection:
        tables = connection.execute(
            "select table_name, bool_or(column_name = 'player_id') from duckdb_columns()"
            " where schema_name = 'marts' group by all order by all"
        ).fetchall()
    empty = changed_publication(
        published,
        tmp_path / "rankings.duckdb",
        *(f"delete from marts.{name}" for name, _ in tables if name not in kept),
        "update marts.rating_systems set last_update = null",
        "update marts.publication set last_tournament_id = null, last_tournament_name = null",
    )
    build_site(empty, tmp_path / "empty")
    assert broken_links(tmp_path / "empty") == []
    assert "Nobody is ranked" in (tmp_path / "empty" / "ranking.html").read_text(encoding="utf-8")
    assert not (tmp_path / "empty" / "nations.html").exists()
    assert "Report an error" not in (tmp_path / "empty" / "index.html").read_text(encoding="utf-8")
    others = (f"delete from marts.{name} where player_id != 'toby-harris'" for name, has_player in tables if has_player)
    build_site(changed_publication(published, tmp_path / "rankings.duckdb", *others), tmp_path / "one")
    assert broken_links(tmp_path / "one") == []
    assert (tmp_path / "one" / "players" / "toby-harris.html").exists()


def test_a_site_with_an_address_and_odd_scores_names_them(published: Path, tmp_path: Path) -> None:
    site, address = tmp_path / "site", "address = 'https://ratings.example/', contact = 'mailto:errors@ratings.example'"
    database = changed_publication(
        published,
        tmp_path / "rankings.duckdb",
        f"update marts.settings set {address}, note = 'More to come.'",
        "update marts.published_score_comparison set agrees = false, published_score = 12.5 where player_id = 'toby-harris'",
    )
    build_site(database, site)
    shown = rows_of(read_page(site / "quality.html"), "Printed scores that differ")
    assert shown == [["World DipCon XXIII 2013", "Toby HARRIS", "12.50", "98.00", "no"]]
    tree = read_page(site / "players" / "toby-harris.html")
    canonical = tree.css_first("link[rel=canonical]")
    assert canonical is not None
    assert canonical.attributes["href"] == "https://ratings.example/players/toby-harris.html"
    contact = tree.css_first("a[href='mailto:errors@ratings.example']")
    assert contact is not None
    assert contact.text() == "Report an error"
    for name in ("index", "ranking", "active", "years/2009", "nations/fra"):
        leads = [shown_text(lead) for lead in read_page(site / f"{name}.html").css(".lead")]
        assert "This collection has 4 tournaments. More to come. Missing data" in leads
    assert (site / "assets" / "card.png").read_bytes().startswith(b"\x89PNG")
    listed = set(
        re.findall("<loc>https://ratings.example/(.*?)</loc>", (site / "sitemap.xml").read_text(encoding="utf-8"))
    )
    assert listed == {str(path.relative_to(site)) for path in pages_of(site)} - {"index.html", "404.html"} | {""}
    # The server shows this page at any address, so its links are absolute.
    links = read_page(site / "404.html").css("a:not(.skip, [href^='mailto:'])")
    assert all(str(link.attributes["href"]).startswith("https://ratings.example/") for link in links)


def test_an_id_that_leads_out_of_the_site_is_refused(published: Path, tmp_path: Path) -> None:
    database = changed_publication(
        published,
        tmp_path / "rankings.duckdb",
        "update marts.tournaments set tournament_id = '../../x' where tournament_id = 'wac-6-2009'",
    )
    with pytest.raises(UserError, match="found an id that leads out of the site"):
        build_site(database, tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_what_is_no_site_is_not_replaced(published: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "index.html").write_text("years of work", encoding="utf-8")
    (tmp_path / "circle").symlink_to("circle")
    for place, said in (
        (folder, "found files that `make site` did not write"),
        ("/", "found the root of all folders"),
        (tmp_path / "circle", "found a circular link"),
    ):
        done = run_here("site", "--database", published, "--site", place)
        assert (done.returncode, done.stdout) == (1, "")
        assert said in done.stderr
    (folder / ".site").write_text("A site\nelse.html\n", encoding="utf-8")
    done = run_here("site", "--database", published, "--site", folder)
    assert f"{folder}/index.html: found a file that `make site` did not write" in done.stderr
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
    for _ in range(2):
        done = run_here("site", "--database", published, "--site", folder)
        assert done.returncode == 0, done.stderr
        assert "Other files that stay in the folder: 4" in done.stdout
        assert {path: (folder / path).read_text(encoding="utf-8") for path in others} == others
        assert (folder / "elsewhere").readlink() == tmp_path
        assert not (folder / "players" / "gone.html").exists()


def test_an_older_publication_is_named_as_such(published: Path, tmp_path: Path) -> None:
    change = "create or replace view presentation.tournament_card as select * exclude (place) from marts.tournaments"
    older = changed_publication(published, tmp_path / "rankings.duckdb", change)
    done = run_here("site", "--database", older, "--site", tmp_path / "site")
    assert done.returncode == 1
    assert f"{older}: found a database that another version of this project published" in done.stderr
    assert not (tmp_path / "site").exists()


def test_a_disk_that_is_full_in_the_middle_leaves_the_old_site(
    published: Path, site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = tmp_path / "site"
    shutil.copytree(site, old)
    before = hashes(old)
    (old / "index.html").write_text("old", encoding="utf-8")
    write, room = Path.write_bytes, iter(range(20))

    def full(path: Path, data: bytes) -> int:
        if next(room, None) is None:
            raise OSError(28, "No space left on device", str(path))
        return write(path, data)

    monkeypatch.setattr(staged, "link_or_copy", lambda source, target: full(Path(target), Path(source).read_bytes()))
    monkeypatch.setattr(Path, "write_bytes", full)
    done = run_here("site", "--database", published, "--site", old)
    assert done.returncode == 1
    assert "No space left on device" in done.stderr
    assert "the old site is untouched" in done.stderr
    assert hashes(old) == before | {"index.html": hashes(old)["index.html"]}
    assert (old / "index.html").read_text(encoding="utf-8") == "old"
    assert list(tmp_path.glob(".site.staged")) == []


def _hashes(site: Path) -> dict[str, str]:
    """Return the hashes of all files except the live one, which has a random identity from DuckDB."""
    return {name: digest for name, digest in hashes(site).items() if not name.startswith("data/live-")}


def _signed(value: float, digits: int) -> str:
    text = f"{abs(value):.{digits}f}"
    return text if float(text) == 0 else f"+{text}" if value > 0 else f"−{text}"
