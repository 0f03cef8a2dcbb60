"""Render pages as HTML from templates, with values formatted for people and for the scripts of tables, and write them."""

import json
import re
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from dippouch.db import DatabaseRow
from dippouch.export.reading import Content
from dippouch.messages import in_own_words, visible_line
from dippouch.query import words_in
from dippouch.site.staged import StagedSite

_TEMPLATES = FileSystemLoader(Path(__file__).with_name("templates"))
_NOTHING = Markup('<span class="quiet">–</span>')
# Arguments of `json.dumps`, for scripts and for the filter `tojson`.
_JSON: dict[str, Any] = {"ensure_ascii": False, "separators": (",", ":"), "default": str}
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# The scale of the small charts of ratings.
_SCALE = """
    select coalesce(round(min(rating), 1), 0.0) as low, coalesce(round(max(rating), 1), 1.0) as high
    from (select unnest(trend) as rating from presentation.ranking_list where rating_system_id = $system)
"""


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        heading: its heading; `{player}` becomes the collection's word for a player, `{Players}` for the capitalized plural.
        kind: the format of its cells: a name of `kinds` in `templates/cells.html`.
        key: the column of the row; some kinds read further columns.
        wide: whether phones leave it out.
        first: the order of the first sort by scripts: `asc` or `desc`.
    """

    heading: str
    kind: str
    key: str = ""
    wide: bool = False
    first: str = "asc"


class Site:
    """Renders the pages of a site from templates, and writes them and the files beside them.

    Attributes:
        content: the published database.
        facts: the row of `presentation.collection_card`.
        scale: the lowest and the highest rating of small charts, and the initial rating.
        addresses: the paths of all pages so far.
    """

    def __init__(self, content: Content, staged: StagedSite, *, is_live: bool) -> None:
        """Take the context of every page; `is_live` says whether live pages exist."""
        self.content, self.facts = content, content.facts
        self.addresses: list[str] = []
        self._staged = staged
        (system,) = content.rows("from presentation.rating_system_card where is_default")
        (scale,) = content.rows(_SCALE)
        self.scale = (scale["low"], scale["high"], system["initial_rating"])
        words = words_in(self.facts)
        self._given = {
            "site": self.facts,
            "system": system,
            "scale": self.scale,
            "words": words | {name.capitalize(): first_capital(word) for name, word in words.items()},
            "nothing": _NOTHING,
            "has_live_pages": is_live,
        }
        self._environment = Environment(
            loader=_TEMPLATES, autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
        )
        self._environment.policies["json.dumps_kwargs"] = _JSON
        self._environment.globals["col"] = Column
        self._environment.filters |= {
            "day": day,
            "ended": ended,
            "signed": signed,
            "places": places,
            "number": number,
            "count": lambda value: f"{value:,}",
            "short": lambda value: f"{value:.10g}",
            # Some columns of rows, for the scripts of charts.
            "columns": lambda rows, *names: [{name: row[name] for name in names} for row in rows],
            # Names between backticks become code.
            "code": lambda text: Markup(re.sub("`(.+?)`", r"<code>\1</code>", str(escape(text)))),  # noqa: S704 (escaped)
            "own": lambda phrase: in_own_words(phrase, words),
            "first_capital": first_capital,
        }

    def page(self, path: str, title: str, summary: str, section: str, template: str = "", /, **context: object) -> None:
        """Write a page.

        Args:
            path: its path below the site.
            title: its title.
            summary: a sentence for search engines and previews.
            section: its section in the navigation.
            template: the name of its template; by default that of the path.
            context: the content of the template.
        """
        self.addresses.append(path)
        root = "../" * path.count("/")
        if path == "404.html":
            # Servers show the page at any address, where only a link from the root of the host leads back.
            root = urlsplit(self.facts["address"]).path or "/"
        page = {"path": path, "title": title, "description": summary, "section": section}
        # As context, these are available in every macro without an import in every template.
        given = self._given | {"root": root, "page": page}
        cells = vars(self._environment.get_template("cells.html").make_module(given))
        named = {name: cells[name] for name in ("table", "full_name", "person", "nation", "rated", "by_expectation")}
        parts = self._environment.get_template("parts.html").make_module(given)
        text = self._environment.get_template(template or path).render(given, parts=parts, **named, **context)
        self._staged.write(path, text)

    def pages(self, rows: list[DatabaseRow], size: int, path: str, title: str, *page: str, **context: object) -> None:
        """Write a list on pages of a size: `ranking.html`, `ranking_2.html` ...; an empty list has one page. The rest is as in `page`.

        No id has an underscore: `john-smith-2.html` is another person, `john-smith_2.html` the second page of one.
        The template finds as `part` the number of the page, its rows, the number of the first one from 1, the count of all rows, and
        the addresses of all pages.
        """
        starts = range(0, len(rows) or 1, size)
        links = [path, *(path.replace(".html", f"_{number}.html") for number in range(2, len(starts) + 1))]
        shared = {"total": len(rows), "links": links}
        for number, start in enumerate(starts, start=1):
            part = shared | {"number": number, "rows": rows[start : start + size], "first": start + 1}
            name = title if number == 1 else f"{title}, page {number}"
            self.page(links[number - 1], name, *page, part=part, **context)

    def script(self, path: str, name: str, value: object) -> None:
        """Write a script that assigns a value to a name, because pages opened from a disk may not fetch."""
        self._staged.write(path, f"window.{name}={json.dumps(value, **_JSON)};\n")

    def csv(self, path: str, query: str) -> None:
        """Write the rows of a query as CSV; unknown values are empty cells."""
        self.content.save(query, self._staged.place(path))

    def text(self, template: str, **context: object) -> str:
        """Render a file other than an HTML page, such as the site map."""
        return self._environment.get_template(template).render(site=self.facts, **context)

    def feed(self) -> str:
        """Return the feed: one entry, which feed readers keep when the next publication replaces it. No other file has its time."""
        (made,) = self.content.rows("from marts.publication")
        time = f"{datetime.fromtimestamp(self.content.file.stat().st_mtime, UTC):%Y-%m-%dT%H:%M:%SZ}"
        environment = self._environment.overlay(finalize=lambda text: visible_line(str(text)))
        return environment.get_template("feed.atom").render(site=self.facts, made=made, time=time, urn=_urn) + "\n"


def _urn(*texts: str | None) -> str:
    """Return a stable id for texts; it is a URN because a site need not know its address."""
    return uuid.uuid5(uuid.NAMESPACE_OID, " ".join(text or "" for text in texts)).urn


def first_capital(text: str) -> str:
    """Capitalize the first letter of a text, and keep the rest."""
    return text[:1].upper() + text[1:]


def day(value: date | None, form: str = "%-d %b %Y") -> Markup:
    """Format a day as HTML, independently of the machine's language."""
    if value is None:
        return _NOTHING
    text = form.replace("%-d", str(value.day)).replace("%b", _MONTHS[value.month - 1])
    return Markup('<time datetime="{}">{}</time>').format(value.isoformat(), text.replace("%Y", f"{value.year:04d}"))


def ended(row: DatabaseRow) -> Markup:
    """Format the last day of a tournament, or the month or the year that is stated instead."""
    if row["stated_period"] is None:
        return day(row["ended_on"])
    year, _, month = row["stated_period"].partition("-")
    text = f"{_MONTHS[int(month) - 1]} {year}" if month else year
    return Markup('<time datetime="{}">{}</time>').format(row["stated_period"], text)


def signed(value: float | None, digits: int = 2) -> Markup:
    """Format a change, green or red by its sign."""
    if value is None:
        return _NOTHING
    text = f"{abs(value):.{digits}f}"
    style, sign = ("quiet", "") if float(text) == 0 else ("up", "+") if value > 0 else ("down", "−")
    return Markup('<span class="{}">{}{}</span>').format(style, sign, text)


def places(gained: int | None) -> Markup:
    """Format the number of ranks gained or lost."""
    if gained is None:
        return Markup('<span class="quiet">new</span>')
    if gained == 0:
        return Markup()
    style, arrow = ("up", "▲") if gained > 0 else ("down", "▼")
    return Markup('<span class="{}">{}\N{NARROW NO-BREAK SPACE}{:,}</span>').format(style, arrow, abs(gained))


def number(value: float | None, digits: int) -> str:
    """Format a number with thousands separators."""
    return _NOTHING if value is None else f"{value:,.{digits}f}".replace("-", "−")


def _names(person: DatabaseRow) -> list[str]:
    return [person["player_id"], person["first_name"] or "", person["last_name"] or ""]


def _rounded(row: DatabaseRow, key: str) -> float | None:
    return None if row[key] is None else round(row[key], 2)


# Values for the tables' scripts, by kind; other kinds use the value of the row. Days are for `_JSON` to convert.
_SCRIPT_VALUES: dict[str, Callable[[DatabaseRow, str], object]] = {
    "person": lambda row, _: _names(row),
    "persons": lambda row, key: [_names(one) for one in row[key]],
    "event": lambda row, key: [row["tournament_id"], row[key]],
    "nation": lambda row, _: row["nation_code"] or "",
    "move": lambda row, key: 0 if row["is_first_ranking"] else row[key],
    "course": lambda row, key: [round(rating, 1) for rating in row[key]],
    "standing": lambda row, key: [_rounded(row, key), row["is_provisional"]],
    "fixed": _rounded,
    "ended": lambda row, key: row["stated_period"] or row[key] or "",
    "month": lambda row, key: row[key] or "",
    "text": lambda row, key: row[key] or "",
}


def script_rows(columns: Sequence[Column], rows: Iterable[DatabaseRow]) -> list[list[object]]:
    """Return the rows of a table for its script: one list per row, in the order of the columns."""
    values = [(column.key, _SCRIPT_VALUES.get(column.kind, DatabaseRow.__getitem__)) for column in columns]
    return [[value(row, key) for key, value in values] for row in rows]
