"""Render pages as HTML from templates."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from dippouch.db import Row
from dippouch.site import table_cells as cells
from dippouch.site.page import Csv, DataFile, Page, first_capital, words_of

_TEMPLATES = Path(__file__).with_name("templates")


class Renderer:
    """Renders the pages of a site; one for the whole site."""

    def __init__(self, facts: Row, scale: tuple[float, float, float], *, is_live: bool) -> None:
        """Take the context of every page: the row of `presentation.collection_card`, the scale of small charts, and whether live pages exist."""
        self._is_live = is_live
        self._facts = facts
        self._scale = scale
        words = words_of(facts)
        self._words = words | {name.capitalize(): first_capital(word) for name, word in words.items()}
        self._environment = Environment(
            loader=FileSystemLoader(_TEMPLATES),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
        )
        self._environment.filters |= {
            "day": _html(cells.day),
            "written_day": cells.written_day,
            "month": _html(lambda value: cells.day(value, "%b %Y")),
            "signed": _html(cells.signed),
            "places": _html(cells.places),
            "number": _html(cells.number),
            "two": lambda value: f"{value:,.2f}",
            "one": lambda value: f"{value:,.1f}",
            "count": lambda value: f"{value:,}",
            # The rows of a chart by year.
            "by_year": lambda rows, column: [{"year": row["year"], "value": row[column]} for row in rows],
            "script_json": _script_json,
            "first_capital": first_capital,
        }

    def page(self, page: Page) -> str:
        """Render a page as HTML."""
        root = "../" * page.path.count("/")
        if page.path == "404.html":
            # Servers show the page at any address, where only an absolute link leads back.
            root = self._facts["address"] or root
        # As context, these are available in every macro without an import in every template.
        given = {
            "root": root,
            "site": self._facts,
            "scale": self._scale,
            "words": self._words,
            "nothing": cells.NOTHING,
        }
        macros = vars(self._environment.get_template("cells.html").make_module(given))
        return self._environment.get_template(page.template or page.path).render(
            page=page,
            has_live_pages=self._is_live,
            full_name=macros["name"],
            parts=self._environment.get_template("parts.html").make_module(given),
            **given,
            **{name: macros[name] for name in ("table", "person", "nation")},
            **page.context,
        )

    def text(self, template: str, **context: object) -> str:
        """Render a file other than an HTML page, such as the site map."""
        return self._environment.get_template(template).render(site=self._facts, **context)


def data_script(file: DataFile) -> str:
    """Return a script that assigns a value to a name."""
    return f"window.{file.name}={_json(file.value)};\n"


def csv_text(file: Csv) -> str:
    """Return a list as CSV; unknown values are empty cells."""
    names = file.columns.split()
    text = StringIO()
    lines = csv.writer(text, lineterminator="\n")
    lines.writerow(names)
    lines.writerows(
        [str(row[name]).lower() if isinstance(row[name], bool) else row[name] for name in names] for row in file.rows
    )
    return text.getvalue()


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), default=str)


def _script_json(value: object) -> Markup:
    """Return a value as JSON that is safe within a `script` element: no text can end the element."""
    text = _json(value).replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return Markup(text)  # noqa: S704 (the replacements above remove all markup)


def _html(function: Callable[..., str]) -> Callable[..., Markup]:
    """Wrap a function so that templates insert its result as HTML."""
    return lambda *given: Markup(function(*given))  # noqa: S704 (the functions escape their arguments)
