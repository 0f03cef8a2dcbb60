"""`dptr collect` against a look-alike of both sites: what it fetches, how it waits, stops and continues."""

from __future__ import annotations

import csv
import hashlib
import itertools
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from subprocess import run

import pytest
from filelock import FileLock
from hypothesis import given
from hypothesis import strategies as st

from dippouch.messages import shortened
from dippouch.reading.inputs import INDEX, LONGEST_VALUE, Answer, read_line, write_line
from dippouch.reading.reader import LARGEST_DOCUMENT
from dippouch.settings import PROJECT, project_version
from support.lookalike import FOLDER, PROXIED, WWW, Server, player_address, ranking_address, tournament_address
from support.made_rating import make_rating
from support.programs import Done, done, environment, run_here, run_program

# Two pages of the ranking.
RATING = make_rating(players=70, tournaments=40)


@pytest.fixture
def site() -> Iterator[Server]:
    with Server.running(RATING) as server:
        yield server


class Collector:
    """Someone who collects a site into an archive."""

    def __init__(self, site: Server, folder: Path, which: str = "wdd", base: str = "") -> None:
        self.site, self.folder, self.which, self.base = site, folder, which, base or site.base

    def run(self, *options: str, seeds: Path = PROJECT / "seeds") -> Done:
        """Run the command in a process of its own: Scrapy runs once in a process."""
        arguments = (self.which, str(self.folder), "--base", self.base, "--delay", "0", *options)
        proxy = {} if self.base == self.site.base else {"http_proxy": self.site.base}
        return run_program("collect", *arguments, DPTR_SEEDS=seeds, **proxy)

    def lines(self) -> list[Answer]:
        with (self.folder / INDEX).open(encoding="utf-8", newline="") as file:
            return [Answer(**row) for row in csv.DictReader(file)]

    def pages(self) -> dict[str, Answer]:
        """Return the last line of every page by its path and query, after checking its file."""
        pages = {line.address.removeprefix(self.base): line for line in self.lines() if line.file}
        for line in pages.values():
            assert hashlib.sha256((self.folder / line.file).read_bytes()).hexdigest() == line.sha256
        return pages

    def files(self) -> set[str]:
        return {path.name for path in self.folder.iterdir() if not path.name.startswith(".")}


@pytest.fixture
def collector(site: Server, tmp_path: Path) -> Collector:
    return Collector(site, tmp_path / "archive")


@pytest.fixture
def proxied(site: Server, tmp_path: Path) -> Collector:
    """Someone to whom the site has two names, with and without `www.`, and who asks it for any other host, too."""
    return Collector(site, tmp_path / "archive", base=PROXIED)


def redirect(address: str) -> tuple[int, bytes, dict[str, str]]:
    return (301, b"", {"Location": address})


def test_everything_allowed_is_fetched_once_and_nothing_else(site: Server, collector: Collector) -> None:
    """Under every trouble that a run survives; the archive has the bytes that the site sent."""
    players = list(RATING.ratings)
    forbidden = player_address(players[3])
    site.trouble.forbidden = [f"Disallow: {forbidden}$"]
    site.trouble.busy[tournament_address(9)] = (2, 1)
    site.trouble.dropped[player_address(players[5])] = 2
    site.trouble.slow[player_address(players[6])] = 1
    site.trouble.endless = True
    # The limit ends a run that would follow the endless ranking.
    printed = done(collector.run("--limit", "300"))
    wanted = site.pages.addresses() - {forbidden}
    # The ranking ends with a page that lists nobody.
    assert site.fetched() == dict.fromkeys([*wanted, ranking_address(3)], 1)
    assert {asked.address for asked in site.log} == {*wanted, ranking_address(3), "/robots.txt"}
    pages = collector.pages()
    assert pages.keys() == {*wanted, ranking_address(3)}
    one = next(iter(RATING.counted.values()))
    stored = (collector.folder / f"ranking_tournament_{one.number}.html").read_bytes()
    assert stored == site.pages.tournament(one).encode()
    assert {"ranking_class_1.html", f"ranking_player_{players[0]}.html"} < collector.files()
    # After `Retry-After: 1` the next request, for whatever page, comes a second later.
    waits = [after.at - asked.at for asked, after in itertools.pairwise(site.log) if asked.status == 503]
    assert len(waits) == 2
    assert min(waits) >= 1
    assert "ref_settings.csv: found no `contact`" in printed
    (agent,) = {asked.agent for asked in site.log}
    assert agent == f"dip-pouch-rating-warehouse/{project_version()}"
    assert re.search("expecting 10[0-9] pages or more", printed)
    assert f"1 Forbidden by robots.txt: {site.base}{forbidden}" in printed
    assert f"dptr import {collector.folder} && dptr refresh" in printed


def test_a_complete_archive_needs_no_page_but_damaged_ones(site: Server, collector: Collector) -> None:
    done(collector.run())
    assert site.fetched().keys() == collector.pages().keys() == site.pages.addresses()
    asked = len(site.log)
    done(collector.run())
    assert not site.log[asked:]
    # A file that is lost or changed by hand is fetched again.
    (collector.folder / "ranking_class_1.html").write_text("changed by hand")
    (collector.folder / "ranking_class_2.html").unlink()
    done(collector.run())
    assert {entry.address for entry in site.log[asked:]} == {"/robots.txt", ranking_address(1), ranking_address(2)}


def test_a_refresh_fetches_only_what_changed(site: Server, collector: Collector) -> None:
    done(collector.run("--tournaments"))
    assert not {address for address in site.fetched() if "player" in address}
    before = collector.pages()
    changed = {ranking_address(1), tournament_address(8)}
    site.trouble.changed |= changed
    asked = len(site.log)
    done(collector.run("--tournaments", "--refresh", "--older-than", "1"))
    assert not site.log[asked:]
    done(collector.run("--tournaments", "--refresh"))
    assert {entry.address for entry in site.log[asked:] if entry.status == 200} == {*changed, "/robots.txt"}
    assert {entry.status for entry in site.log[asked:]} == {200, 304}
    after = collector.pages()
    assert {address for address in after if after[address].sha256 != before[address].sha256} == changed
    assert {line.status for line in collector.lines()[len(before) :]} == {"200", "304"}


def test_a_site_that_fails_is_left_alone(site: Server, collector: Collector) -> None:
    done(collector.run("--players", "--limit", "5"))
    assert len(collector.lines()) == 5
    site.trouble.down = True
    asked = len(site.log)
    stopped = collector.run("--players")
    assert stopped.returncode == 1
    assert stopped.stderr == "error: 10 failures in a row, the last one: status 503\n"
    assert f"dptr collect wdd {collector.folder}" in stopped.stdout
    # The last one was under way.
    assert len([entry for entry in site.log[asked:] if entry.address != "/robots.txt"]) in (10, 11)
    assert len(collector.lines()) == 5
    site.trouble.down = False
    site.trouble.busy[player_address(list(RATING.ratings)[20])] = (9, 7200)
    asked_to_wait = collector.run("--players")
    assert asked_to_wait.returncode == 1
    assert "come back in 120 minutes" in asked_to_wait.stderr
    site.trouble.busy.clear()
    done(collector.run("--players"))
    assert {address for address in site.fetched() if "id_tournament" in address} == set()
    assert {player_address(one) for one in RATING.ratings} <= collector.pages().keys()


def test_unknown_ids_are_recorded_and_not_asked_again(site: Server, collector: Collector) -> None:
    """A tournament that the rating counts no more answers with a redirect to a page outside the rating, which is not followed."""
    gone = next(iter(RATING.counted))
    site.trouble.gone.add(tournament_address(gone))
    printed = done(collector.run("--tournaments"))
    assert f"1 no such page: {site.base}{tournament_address(gone)}" in printed
    (line,) = [line for line in collector.lines() if not line.file]
    assert (line.status, line.sha256) == ("302", "")
    done(collector.run("--tournaments"))
    assert site.fetched()[tournament_address(gone)] == 1
    assert "/index.php" not in {entry.address for entry in site.log}


def test_maintenance_takes_nothing_from_an_archive(site: Server, collector: Collector) -> None:
    """Of an archived page, and of the pages of the ranking, no answer says that it never was."""
    first, gone = ranking_address(1), tournament_address(8)
    closed: tuple[int, bytes, dict[str, str]] = (200, b"<html>Maintenance</html>", {})
    for page, answer in [(first, (404, b"", {})), (first, closed), (ranking_address(2), redirect("/"))]:
        site.trouble.instead = {page: answer}
        assert collector.run("--tournaments").returncode == 1
    site.trouble.instead.clear()
    done(collector.run("--tournaments"))
    everything = f"2 rankings, 3 lists, {len(RATING.counted)} tournaments"
    for address, trouble, reason in [
        (first, redirect("/closed.html"), "status 301 without a page"),
        (first, redirect("/"), "status 301 without a page"),
        (first, closed, "status 200 without a page"),
        (gone, (200, b"", {}), "status 200 without a page"),
        (gone, (410, b"", {}), "status 410 without a page"),
    ]:
        site.trouble.instead = {address: trouble}
        for _ in ("now", "again"):
            run = collector.run("--tournaments", "--refresh", "--older-than", "0.00000001")
            assert run.returncode == 1
            assert f"{collector.folder}: {everything}\n1 {reason}: {site.base}{address}\n" in run.stdout
    # Earlier versions wrote that the page never was.
    line = write_line(collector.lines()[0]._replace(time="2999", file="", sha256="", status="302"))
    with (collector.folder / INDEX).open("a", encoding="utf-8") as lines:
        lines.write(line)
    assert everything in done(collector.run("--tournaments"))


def test_another_host_of_the_same_site(site: Server, proxied: Collector) -> None:
    """A site that sends everybody to its host with `www.` costs one redirect."""
    site.trouble.instead[ranking_address(1)] = redirect(WWW + ranking_address(1))
    done(proxied.run("--tournaments"))
    asked = Counter(asked.address for asked in site.log)
    assert {address for address in asked if not address.startswith(WWW)} == {"/robots.txt", ranking_address(1)}
    assert set(asked.values()) == {1}
    assert {WWW + page for page in proxied.pages()} == {one for one in asked if one.startswith(WWW + FOLDER)}


@pytest.mark.parametrize("which", ["wdd", "wdr"])
def test_no_answer_leads_to_another_place(site: Server, proxied: Collector, which: str) -> None:
    """Neither the address of a redirect nor a page that refreshes itself: the only requests are for pages of the site."""
    numbers = list(RATING.counted)[:10]
    pages = [tournament_address(number) if which == "wdd" else f"/api/v1/tournaments/{number}" for number in numbers]
    proxied.which, folder = which, proxied.folder.parent
    for page in pages:
        secret = folder / page.removeprefix("/")
        secret.parent.mkdir(parents=True, exist_ok=True)
        secret.write_text("secret")
    places = ["http://other.example", "http://rating.example:81", "http://user@rating.example", "ftp://rating.example"]
    places += [f"file://{folder}", f"file://{secret}?", "data:,secret"]
    places += [f"{PROXIED}/other"]
    # The front page of the site says that there is no such page.
    fronts = [f"{PROXIED}?"]
    answers = [redirect(place + page) for place, page in zip(places + fronts, pages, strict=False)]
    refresh = f'<meta http-equiv="refresh" content="0;url={places[0]}{pages[-1]}">'.encode()
    answers.append((200, refresh, {"Content-Type": "text/html"}))
    site.trouble.instead = dict(zip(pages, answers, strict=True))
    assert proxied.run(*(f"--tournament={number}" for number in numbers if which == "wdr")).returncode == 1
    statuses = {line.address.removeprefix(PROXIED): line.status for line in proxied.lines()}
    assert [statuses.get(page) for page in pages] == [None] * len(places) + ["301"] * len(fronts) + ["200"]
    assert not any(path.read_bytes() == b"secret" for path in proxied.folder.iterdir())
    assert {asked.address for asked in site.log} == {"/robots.txt", *statuses, *pages}


def test_a_page_without_a_true_answer_is_a_failure(site: Server, proxied: Collector) -> None:
    """Redirects in a circle, status 304 to a first request, and more bytes than an import reads: unpacked or without a length, too."""
    circle, unasked, large, endless = (tournament_address(number) for number in list(RATING.counted)[:4])
    site.trouble.instead = {
        circle: redirect(WWW + circle),
        WWW + circle: redirect(PROXIED + circle),
        unasked: (304, b"", {}),
        large: (200, b" " * (LARGEST_DOCUMENT + 1), {}),
        endless: (200, b" " * (LARGEST_DOCUMENT + 1), {"Content-Length": ""}),
    }
    run = proxied.run("--tournaments")
    assert run.returncode == 1
    assert "dptr import" in run.stdout
    assert f"1 more than 20,000,000 bytes: {PROXIED}{endless}\n" in run.stdout
    for address in (circle, unasked, large, endless):
        assert re.search(f"^1 .*: {re.escape(PROXIED + address)}$", run.stdout, re.MULTILINE), run.stdout
        assert PROXIED + address not in {line.address for line in proxied.lines()}


def test_the_pause_that_robots_txt_asks_for(site: Server, collector: Collector) -> None:
    site.trouble.forbidden = ["Crawl-delay: 0.7"]
    printed = done(collector.run("--limit", "3"))
    assert "3 requests, 0.7 seconds apart: 1 minute or more.\n" in printed
    assert f"{collector.folder}: 2 rankings, 1 list\n" in printed
    waits = [after.at - asked.at for asked, after in itertools.pairwise(site.log)]
    assert (len(waits), min(waits) >= 0.7) == (3, True)
    site.trouble.forbidden = ["Crawl-delay: 7200"]
    assert collector.run().stderr == "error: robots.txt asks for pauses of 120 minutes\n"
    assert len(site.log) == 5


def test_odd_answers_are_archived_once_and_leave_the_archive_readable(site: Server, collector: Collector) -> None:
    """Headers of any text and length, a charset that is none, and links that differ only in what file names leave out."""
    links = [
        *("_.php?id_ranking=3", "ranking_tournament.php?id_ranking=3&a=8", "list.php?id_ranking=3&b=7"),
        *("list.php?id_ranking=3&NAME=S%C3%A3o", "list.php?id_ranking=3&NAME=S%C3%A9o"),
        *("ranking_player.php?id_ranking=3&id_player=%D9%A1", f"list.php?id_ranking=3&q={'a' * 5000}"),
        *(f"ranking_class.php?id_ranking=3&PAGE={number}" for number in ("99999999999", "9" * 5000)),
    ]
    first, second, third = (tournament_address(number) for number in list(RATING.counted)[:3])
    page = "".join(f"<a href='{link}'>x</a>" for link in links).encode()
    site.trouble.instead = {
        first: (200, b"<meta charset='hex'>" + page, {"Last-Modified": "a\u2028b".encode().decode("latin-1")}),
        second: (200, page, {"ETag": "\r\n ".join(["a" * 15_000] * 12)}),
        third: (200, page, {"Content-Type": "text/html; charset=hex", "ETag": "a\x85b"}),
        **{f"{FOLDER}{link}": (200, b"x", {}) for link in links[:5]},
    }
    printed = done(collector.run("--tournaments"))
    wanted = {page for page in site.pages.addresses() if "player" not in page} | site.trouble.instead.keys()
    assert collector.pages().keys() == wanted
    assert len({line.file for line in collector.pages().values()}) == len(wanted)
    assert done(collector.run("--tournaments")).splitlines()[1:] == printed.splitlines()[-2:]
    # No other link was followed, and no page asked for twice.
    assert sorted(asked.address for asked in site.log) == sorted([*wanted, "/robots.txt"])


def test_documents_of_the_reference(site: Server, tmp_path: Path) -> None:
    """From ids of the command and of the collection to the tournaments and players that these name."""
    collector = Collector(site, tmp_path / "archive", "wdr")
    assert "--tournament 1-500" in collector.run().stderr
    one = next(one for one in RATING.counted.values() if not one.is_world_championship)
    first = one.number + 10_000
    done(collector.run("--tournament", f"{first}-{first + 1}", "--tournament", "99999", "--tournaments"))
    assert collector.files() == {INDEX, f"tournament_{first}.json", f"tournament_{first + 1}.json"}
    assert {entry.accept for entry in site.log[1:]} == {"application/json"}
    seeds = tmp_path / "seeds"
    facts = ("--date", f"{one.ended_on}", "--players", f"{one.players}", "--rounds", "1")
    done(run_here("import", collector.folder / f"tournament_{first}.json", "--seeds", seeds, *facts))
    (seeds / "reference" / "ref_settings.csv").write_text("setting,value\ncontact,mailto:keeper@example.org\n")
    asked = len(site.log)
    done(collector.run("--limit", "40", seeds=seeds))
    players = {f"/api/v1/players/{player + 10_000}" for player in one.placements}
    assert players & {entry.address for entry in site.log[asked:]}
    assert all(entry.agent.endswith("(+mailto:keeper@example.org)") for entry in site.log[asked:])
    assert set(site.fetched().values()) == {1}


def test_the_archive_of_a_stranger_leads_nowhere(site: Server, collector: Collector, tmp_path: Path) -> None:
    """Neither by links, among them to a file that a run would write first, nor by the names in its index."""
    done(collector.run("--limit", "2"))
    first = collector.lines()[0]._replace(etag="", last_modified="")
    victim = tmp_path / "victim.html"
    victim.write_text("mine")
    asked = len(site.log)
    for name in (".ranking_class_2.html.part", f".{INDEX}.part", ".collect.lock", INDEX):
        (collector.folder / name).unlink(missing_ok=True)
        (collector.folder / name).symlink_to(victim)
        assert f"{collector.folder / name}: found a link" in collector.run().stderr
        (collector.folder / name).unlink()
    importing = ("import", collector.folder, "--seeds", tmp_path / "seeds")
    bad = [{"file": "a/../../victim.html"}, {"file": ""}, {"sha256": ""}, {"file": ".html"}, {"etag": "a\rb"}]
    wrong = [",".join(first._replace(**changes)) for changes in bad]
    right = ",".join(first._replace(sha256=first.sha256.upper()))
    lines = "\n".join([",".join(Answer._fields), "", right, *wrong, ""])
    (collector.folder / INDEX).write_text(lines, encoding="utf-8", newline="")
    imported = run_here(*importing)
    assert "1 new, 0 unchanged, 0 changed, 0 rejected" in done(imported)
    link = collector.folder / "tournament_1.html"
    link.symlink_to(victim)
    assert f"{link}: found a link" in run_here(*importing).stderr
    link.unlink()
    # The good line needs no request, and bad ones are named once.
    mended = collector.run("--limit", "1")
    for number, line in enumerate(wrong, 4):
        named = f"{INDEX}:{number}: found `{shortened(line, 300)}`"
        assert (named in imported.stderr, named in done(mended)) == (True, True)
    assert INDEX not in done(collector.run("--limit", "1"))
    assert (ranking_address(1) in {asked.address for asked in site.log[asked:]}, victim.read_text()) == (False, "mine")


@given(st.lists(st.text() | st.just("x" * 200_000), min_size=6, max_size=6))
def test_whatever_a_site_answers_is_one_line_that_can_be_read(texts: list[str]) -> None:
    address, time, status, *headers = texts
    line = write_line(Answer(address, "page.html", time, status, "0" * 64, *headers))
    assert line.splitlines(keepends=True) == [line]
    read = read_line(line.removesuffix("\n"))
    assert (write_line(read), max(map(len, read)) <= LONGEST_VALUE) == (line, True)


def test_wrong_use_is_explained(site: Server, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "page.html").write_text("mine")
    with FileLock(tmp_path / "mine" / ".collect.lock"):
        assert "another `dptr collect` is using this archive" in run_here("collect", "wdd", tmp_path / "mine").stderr
    for arguments, said in [
        (("wdd", tmp_path / "mine"), "found a file, but no index of an archive"),
        (("wdr", tmp_path / "new", "--tournament", "1", "--base", "x"), "option --base: found `x`"),
        (("wdr", tmp_path / "new", "--tournament", "1-x"), "such as 1-500"),
    ]:
        refused = run_here("collect", *arguments)
        assert refused.returncode == (1 if "index" in said else 2)
        assert said in refused.stderr
    offline = run_program("collect", "wdd", tmp_path / "offline", "--base", "http://127.0.0.1:9", "--delay", "0")
    assert offline.returncode == 1
    assert "no pages" in offline.stdout
    assert "dptr import" not in offline.stdout
    settings = environment({"PYTHONPATH": "scripts"})
    for changed, code, said in [
        ("import sys; sys.modules['scrapy'] = None", 1, "`make collector`"),
        # Scrapy catches the errors of a spider.
        ("from dippouch.collect.spiders import WddSpider; WddSpider.is_answer = None", 3, "error: TypeError: "),
    ]:
        program = f"{changed}; from dippouch.__main__ import main; main()"
        command = [sys.executable, "-c", program, "collect", "wdd", str(tmp_path / "new"), "--base", site.base]
        ended = run(command, cwd=PROJECT, env=settings, capture_output=True, text=True, check=False)
        assert (ended.returncode, len(ended.stderr.splitlines())) == (code, 1)
        assert said in ended.stderr
        assert (tmp_path / "new").exists() == (code == 3)
