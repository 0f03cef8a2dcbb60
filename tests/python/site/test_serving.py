"""The site as `dptr serve` serves it: byte ranges, and no cache that outlives a publication."""

from __future__ import annotations

from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from dippouch.messages import UserError
from dippouch.site.serving import site_server
from support.browser import served_by


def test_the_site_is_served_with_ranges_and_only_the_site(served: str, site: Path) -> None:
    database = site / "data" / "rankings.duckdb"
    with urlopen(Request(f"{served}data/{database.name}", headers={"Range": "bytes=2-5"})) as part:
        assert (part.status, part.read()) == (206, database.read_bytes()[2:6])
    with urlopen(served) as first:
        assert first.read() == (site / "index.html").read_bytes()
        assert first.headers["Cache-Control"] == "max-age=0, public"
        assert "Access-Control-Allow-Origin" not in first.headers
    with urlopen(Request(f"{served}index.html", headers={"Range": "bytes=0-0"})) as one:
        assert (one.status, one.read()) == (206, b"<")


def test_a_page_that_becomes_a_link_is_served_no_more(tmp_path: Path) -> None:
    """Also if it is a folder above the page that leads elsewhere."""
    (tmp_path / "private").mkdir()
    for place in ("private", "site/data"):
        (tmp_path / place).mkdir(parents=True, exist_ok=True)
        (tmp_path / place / "table.csv").write_text(place, encoding="utf-8")
    site = tmp_path / "site"
    (site / ".site").write_text("Made\ndata/table.csv\n", encoding="utf-8")
    (tmp_path / "linked").symlink_to(site)
    with served_by(site_server(tmp_path / "linked", 0)) as address:
        with urlopen(f"{address}data/table.csv") as page:
            assert page.read() == b"site/data"
        (site / "data").rename(site / "old")
        (site / "data").symlink_to(tmp_path / "private")
        with pytest.raises(HTTPError, match="404"):
            urlopen(f"{address}data/table.csv")


@pytest.mark.parametrize("path", ["../../../../etc/passwd", ".site", ".git/config", "data/linked.txt", "of_others.txt"])
def test_nothing_else_is_served(served: str, site: Path, path: str) -> None:
    link, other = site / "data" / "linked.txt", site / "of_others.txt"
    link.symlink_to("/etc/passwd")
    other.write_text("private", encoding="utf-8")
    try:
        with pytest.raises(HTTPError, match="404"):
            urlopen(served + path)
    finally:
        link.unlink()
        other.unlink()


def test_a_page_of_another_host_cannot_read_the_site(served: str) -> None:
    with pytest.raises(HTTPError, match="400"):
        urlopen(Request(served, headers={"Host": "evil.example"}))


def test_only_a_site_is_served_and_only_at_a_free_port(site: Path, served: str) -> None:
    with pytest.raises(UserError, match="expected a free port"):
        site_server(site, int(served.rstrip("/").rpartition(":")[2]))
