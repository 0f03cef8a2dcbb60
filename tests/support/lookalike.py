"""A look-alike of the rating's pages at the World Diplomacy Database, and of the API of the World Diplomacy Reference.

Nobody here has seen a raw page of the site. The markup follows what public clients of the site read: rows in `row_even` and `row_odd`
that may be cut or nested, flags as pictures, ids in links, fields above the table. What is not known comes in two layouts, by the
parity of a page's number. The server misbehaves where `Trouble` says so, and logs every request.
"""

from __future__ import annotations

import gzip
import hashlib
import html
import json
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import NamedTuple
from urllib.parse import parse_qsl, urlsplit

from support.made_rating import MadeRating, Player, Tournament

FOLDER = "/php/ranking/"
# The site, for those who ask it through this server as their proxy; other hosts stay in the addresses of the log.
PROXIED, WWW = "http://rating.example", "http://www.rating.example"
ON_A_PAGE = 50
LAST_UPDATE = "2019-01-07"
_RATING = "Dip Pouch Tournament Rating"
_TABLE = '<table align="center" bgcolor="black" cellpadding="1" cellspacing="1" width="80%">\n'
_AUTHOR = {"Author": "Matt Shields", "Last Update": LAST_UPDATE}
_STARTED, _CHANGED = (format_datetime(datetime(2019, 1, day, tzinfo=UTC), usegmt=True) for day in (7, 8))
# On every page: links that belong to the rating, and links that do not.
_MENU = """
<a href="ranking_class.php?TRI=1&PAGE=1&id_ranking=3">International ranking</a>
<a href="ranking_class2.php?id_ranking=3">National ranking</a>
<a href="/php/ranking/ranking_tournaments.php?id_ranking=3&TRI=2">List of included tournaments</a>
<a href="./ranking_circuits.php?id_ranking=3#top">List of included circuits</a>
<a href="ranking_class.php?id_ranking=1&PAGE=1">Another rating</a>
<a href="../results/tournament_list.php">Results</a>
<a href="http://example.org/php/ranking/ranking_player.php?id_ranking=3&id_player=1">Another site</a>
<a href="http://[broken/">Broken</a> <a href="mailto:somebody@example.org">Contact</a> <a href="javascript:back()">Back</a>
"""
_YEARS = "".join(f"<option value='{year}'>{year}</option>" for year in ("Permanent", *range(2018, 2000, -1)))


class Asked(NamedTuple):
    """A request in the log, with the status of the answer; 0 for a dropped connection."""

    address: str
    status: int
    agent: str
    accept: str
    at: float


@dataclass
class Trouble:
    """What goes wrong, by address (path and query).

    Attributes:
        busy: how often an address still answers 503, and the seconds of its `Retry-After`.
        dropped: how often the connection still breaks in the middle of the page.
        slow: the seconds that a page takes.
        changed: pages that have changed since the beginning.
        forbidden: the lines of robots.txt that forbid paths.
        gone: pages that are unknown now.
        instead: other answers: status, body and headers; also by whole address, for other hosts, if the server is the proxy.
        down: whether every page answers 503.
        endless: whether the ranking has a link to a next page on every page, also after the last one.
    """

    busy: dict[str, tuple[int, int]] = field(default_factory=dict)
    dropped: Counter[str] = field(default_factory=Counter)
    slow: dict[str, float] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)
    forbidden: list[str] = field(default_factory=list)
    gone: set[str] = field(default_factory=set)
    instead: dict[str, tuple[int, bytes, dict[str, str]]] = field(default_factory=dict)
    down: bool = False
    endless: bool = False


def ranking_address(page: int) -> str:
    return f"{FOLDER}ranking_class.php?id_ranking=3&PAGE={page}"


def tournament_address(number: int) -> str:
    return f"{FOLDER}ranking_tournament.php?id_ranking=3&id_tournament={number}"


def player_address(number: int) -> str:
    return f"{FOLDER}ranking_player.php?id_ranking=3&id_player={number}"


CIRCUITS = f"{FOLDER}ranking_circuits.php?id_ranking=3"
LISTS = (f"{FOLDER}ranking_tournaments.php?id_ranking=3", CIRCUITS, f"{CIRCUITS}&PAGE=2")


class Pages:
    """The pages of an invented rating."""

    def __init__(self, rating: MadeRating, trouble: Trouble) -> None:
        self.rating = rating
        self.trouble = trouble
        self.ranked = list(rating.ratings)
        self.ranking_pages = -(-len(self.ranked) // ON_A_PAGE)

    def addresses(self) -> set[str]:
        """Return the addresses of all pages of the rating."""
        rankings = {ranking_address(page) for page in range(1, self.ranking_pages + 1)}
        tournaments = {tournament_address(number) for number in self.rating.counted}
        return rankings | tournaments | {player_address(one) for one in self.ranked} | set(LISTS)

    def page(self, script: str, stated: dict[str, str]) -> str | None:
        """Return the page of a script for the parameters of its address; None for an unknown id."""
        if stated.get("id_ranking") != "3":
            return None
        number = int(stated.get("id_tournament") or stated.get("id_player") or stated.get("PAGE") or "1")
        if script == "ranking_class.php" and (self.trouble.endless or number <= self.ranking_pages):
            return self._ranking(number)
        if script == "ranking_tournament.php" and number in self.rating.counted:
            return self.tournament(self.rating.tournaments[number])
        if script == "ranking_player.php" and number in self.rating.ratings:
            return self._player(self.rating.players[number])
        if script in ("ranking_tournaments.php", "ranking_circuits.php"):
            return self._list(script, number)
        return None

    def _ranking(self, number: int) -> str:
        first = (number - 1) * ON_A_PAGE
        rows = []
        for one in self.ranked[first : first + ON_A_PAGE]:
            player = self.rating.players[one]
            cells = (str(self.rating.ranks[one]), _link(player, number), _flag(player.nation), _flag("YYY"))
            rows.append([*cells, f"{self.rating.ratings[one]:.2f}"])
        others = {number + 1, *(range(1, self.ranking_pages) if number % 2 == 0 else ()), self.ranking_pages}
        pages = sorted(page for page in others if page <= self.ranking_pages or self.trouble.endless)
        links = "".join(f'<a href="ranking_class.php?TRI=1&PAGE={page}&id_ranking=3">{page}</a> ' for page in pages)
        heads = ("Rank", "FirstName LastName", "Nat.", "Loc.", "Score")
        return _page(number, _RATING, _AUTHOR, _table(number, heads, rows) + f"<p>{links}</p>")

    def tournament(self, one: Tournament) -> str:
        """Return the page of a tournament."""
        days = f"{one.started_on:%B} {one.started_on.day}"
        if one.ended_on > one.started_on:
            same = one.ended_on.month == one.started_on.month
            days += f"-{one.ended_on.day}" if same else f" - {one.ended_on:%B} {one.ended_on.day}"
        facts = {
            "Date": f"{days}, {one.ended_on.year}",
            "Place": f"Town {one.number}",
            "Number of players": one.shown_players or "",
            "Number of rounds": one.rounds,
            "Number of boards": one.players * one.rounds // 7,
            "Coeff 1": f"{one.value:.2f}",
            "Coeff 2": "-",
            "Coeff 3": "-",
        }
        rows = []
        for number, placement in one.placements.items():
            player = self.rating.players[number]
            percentile = one.percentile(number)
            score = "" if percentile is None else f"{percentile:.2f}"
            cells = [str(placement or ""), _link(player, one.number), _flag("YYY"), _flag(player.nation), score]
            rows.append(cells[:1] if number in one.cut else cells)
        heads = ("Rank", "FirstName LastName", "Loc.", "Nat.", "Score")
        table = _table(one.number, heads, rows)
        return _page(one.number, one.name, facts, table, tournament_address(one.number))

    def _player(self, player: Player) -> str:
        number = player.number
        ranks = f"{self.rating.ranks[number]} ({self.rating.national_ranks[number]})"
        stated = {"International ranking (National ranking)": ranks, "Score": f"{self.rating.ratings[number]:.2f}"}
        rows = []
        for one in reversed(self.rating.careers[number]):
            rank, percentile = f"{one.placements[number]}/{one.players}", f"{one.percentile(number):.2f}"
            rows.append([f"{one.ended_on}", _flag(one.nation), _named(one), rank, f"{one.value:.2f}", percentile])
        heads = ("Date", "Country", "Name of the tournament", "Rank", "Coeff1", "Score")
        subject = f'<h2><a href="../results/player_fiche.php?id_player={number}">{html.escape(player.printed)}</a></h2>'
        body = subject + _fields(number, stated) + _table(number, heads, rows)
        return _page(number, _RATING, _AUTHOR, body, player_address(number))

    def _list(self, script: str, number: int) -> str:
        """Return a list; that of the circuits has a second page, which leads back to the first."""
        links = f'<a href="{script}?id_ranking=3&PAGE={3 - number}">other page</a>' if "circuits" in script else ""
        listed = self.rating.counted.values() if "tournaments" in script else ()
        return _page(1, "List", {}, "<br>\n".join(map(_named, listed)) + links)


def _page(number: int, subject: str, facts: Mapping[str, object], body: str, address: str = "") -> str:
    """Return a page in the layout of a number: the newer one, for odd numbers, has a menu above, and states its own address if it has one."""
    subject = html.escape(subject)
    if number % 2 == 0:
        above = f"<table><tr><th>{subject}</th></tr></table>\n{_fields(number, facts)}"
        return f"<HTML><HEAD><TITLE>WDD</TITLE></HEAD><BODY>{above}{body}{_MENU}</BODY></HTML>"
    canonical = f'<link rel="canonical" href="https://world-diplomacy-database.com{html.escape(address)}">'
    head = f'<meta charset="utf-8"><title>World Diplomacy Database</title>{canonical if address else ""}'
    menu = f"<p>English / Contact / Log In</p>{_MENU}<form><select name='year'>{_YEARS}</select></form>"
    above = f"<h2>{subject}</h2>\n{_fields(number, facts)}"
    return f"<!DOCTYPE html><html><head>{head}</head><body>{menu}{above}{body}</body></html>"


def _fields(number: int, facts: Mapping[str, object]) -> str:
    """Return the fields above a table: one beside the other in the old layout, one below the other in the newer one."""
    if number % 2 == 0:
        return "<p>" + " ".join(f"{name}<b>{fact}</b>" for name, fact in facts.items()) + "</p>"
    rows = "".join(f"<tr><th>{name}</th><td>{fact}</td></tr>" for name, fact in facts.items())
    return f"<table>{rows}</table>"


def _named(one: Tournament) -> str:
    address = f"ranking_tournament.php?id_ranking=3&id_tournament={one.number}"
    return f'<a href="{address}">{html.escape(one.name)}</a>'


def _link(player: Player, layout: int) -> str:
    address = f"ranking_player.php?id_ranking=3&id_player={player.number}"
    if layout % 2 == 0:
        address = f"../results/player_fiche.php?id_player={player.number}"
    return f'<a href="{html.escape(address)}">{html.escape(player.printed)}</a>'


def _flag(code: str) -> str:
    return f'<img src="../../image/drapeau/{code}.GIF">'


def _table(layout: int, heads: Iterable[str], rows: Iterable[list[str]]) -> str:
    """Return a table: rows without their ends in the old layout, and some tables without an end."""
    end_of_cell, end_of_row = ("</td>", "</tr>\n") if layout % 2 else ("", "\n")
    lines = ["<tr>" + "".join(f"<th>{head}</th>" for head in heads) + "</tr>\n"]
    for position, cells in enumerate(rows):
        texts = "".join(f"<td>{cell}{end_of_cell}" for cell in cells)
        lines.append(f'<tr class="row_{"odd" if position % 2 else "even"}">{texts}{end_of_row}')
    return _TABLE + "".join(lines) + ("" if layout % 10 == 5 else "</table>\n")


class Server:
    """The running look-alike: its address, its troubles and its log."""

    def __init__(self, rating: MadeRating) -> None:
        self.trouble = Trouble()
        self.pages = Pages(rating, self.trouble)
        self.log: list[Asked] = []
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"lookalike": self}))
        self.base = f"http://127.0.0.1:{self._http.server_port}"

    @classmethod
    @contextmanager
    def running(cls, rating: MadeRating) -> Iterator[Server]:
        """Run the server in a thread."""
        server = cls(rating)
        thread = Thread(target=server._http.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server._http.shutdown()
            server._http.server_close()
            thread.join()

    def fetched(self) -> Counter[str]:
        """Return how often the log has each address with a whole answer, without robots.txt."""
        return Counter(
            asked.address
            for asked in self.log
            if asked.status in (200, 302, 304, 404) and "robots" not in asked.address
        )

    def document(self, kind: str, number: int) -> dict[str, object] | None:
        """Return a document of the World Diplomacy Reference, whose ids are 10,000 above the others; None for an unknown id."""
        rating, wdd_id = self.pages.rating, number - 10_000
        if kind == "tournaments" and (one := rating.tournaments.get(wdd_id)):
            people = ((rating.players[player], place) for player, place in one.placements.items())
            listed = [
                {"player_id": who.number + 10_000, "player_full_name": who.printed, "player_rank": place or -1}
                for who, place in people
            ]
            return {"tournament_id": number, "tournament_name": one.name, "tournament_classifications": listed}
        if kind == "players" and (player := rating.players.get(wdd_id)):
            played = [
                {
                    "tournament_id": one.number + 10_000,
                    "tournament_wdd_id": one.number,
                    "tournament_name": one.name,
                    "tournament_start_date": f"{one.started_on}",
                    "tournament_end_date": f"{one.ended_on}",
                    "tournament_kind": "CUP",
                    "tournament_player_rank": one.placements[wdd_id] or -1,
                }
                for one in rating.tournaments.values()
                if wdd_id in one.placements
            ]
            names = {"player_first_name": player.first_name, "player_last_name": player.last_name}
            return {"player_id": number, "player_wdd_id": wdd_id, **names, "player_tournaments_played": played}
        return None


class _Handler(BaseHTTPRequestHandler):
    """Answers a request; a server has a subclass with its `lookalike`."""

    lookalike: Server
    protocol_version = "HTTP/1.1"
    # One packet for each answer: otherwise each waits 40 ms for an acknowledgement.
    wbufsize = -1

    def do_GET(self) -> None:
        trouble = self.lookalike.trouble
        self.path = self.path.removeprefix(PROXIED)
        time.sleep(trouble.slow.get(self.path, 0))
        times, seconds = trouble.busy.get(self.path, (0, 0))
        if self.path.removeprefix(WWW) == "/robots.txt":
            self.answer(200, "\n".join(["User-agent: *", *trouble.forbidden]).encode(), {"Content-Type": "text/plain"})
        elif self.path in trouble.instead:
            self.answer(*trouble.instead[self.path])
        elif trouble.down:
            self.answer(503, b"down", {})
        elif times:
            trouble.busy[self.path] = (times - 1, seconds)
            self.answer(503, b"busy", {"Retry-After": str(seconds)})
        else:
            self.page()

    def page(self) -> None:
        parts = urlsplit(self.path.removeprefix(WWW))
        folder, _, name = parts.path.rpartition("/")
        if folder.startswith("/api/v1/"):
            found = self.lookalike.document(folder.removeprefix("/api/v1/"), int(name))
            self.answer(200 if found else 404, json.dumps(found).encode(), {"Content-Type": "application/json"})
            return
        text = self.lookalike.pages.page(name, dict(parse_qsl(parts.query))) if f"{folder}/" == FOLDER else None
        if text is None or self.path in self.lookalike.trouble.gone:
            self.answer(302, b"", {"Location": "../../index.php"})
            return
        changed = self.path in self.lookalike.trouble.changed
        body = (text + ("<!-- changed -->" if changed else "")).encode()
        # One half of the pages has a tag, the other half a time.
        tag, modified = f'"{hashlib.sha256(body).hexdigest()}"', _CHANGED if changed else _STARTED
        stated, asked, value = (
            ("ETag", "If-None-Match", tag)
            if self.path[-1] in "02468"
            else ("Last-Modified", "If-Modified-Since", modified)
        )
        if self.headers.get(asked) == value:
            self.answer(304, b"", {stated: value})
        else:
            self.answer(200, body, {stated: value, "Content-Type": "text/html; charset=utf-8"})

    def answer(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        dropped = status == 200 and self.lookalike.trouble.dropped[self.path] > 0
        agent, accept = self.headers.get("User-Agent", ""), self.headers.get("Accept", "")
        self.lookalike.log.append(Asked(self.path, 0 if dropped else status, agent, accept, time.monotonic()))
        if "gzip" in self.headers.get("Accept-Encoding", "") and len(body) > 1000 and "Content-Length" not in headers:
            body, headers = gzip.compress(body), {**headers, "Content-Encoding": "gzip"}
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            if value:
                self.send_header(name, value)
        self.end_headers()
        if dropped:
            self.lookalike.trouble.dropped[self.path] -= 1
            self.close_connection = True
        self.wfile.write(body[: len(body) // 2] if dropped else body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""
