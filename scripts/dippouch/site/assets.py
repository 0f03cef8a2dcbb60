"""The scripts and styles of the site: its own, and two libraries from installed packages."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import vl_convert

from dippouch.errors import UserError

_STATIC = Path(__file__).with_name("static")
# Browsers refuse to load an ES module from a disk, so the export of the table library becomes a global name. Only comments, the
# licences, follow it.
_EXPORT = re.compile(r"export\s*\{([^{}]*)\};?\s*(?=(?:/\*.*\*/\s*)?$)", re.DOTALL)
_NAMES = re.compile(r"(\w+)\s+as\s+(\w+)")


def all_assets() -> dict[str, str | bytes]:
    """Return the files by their name below `assets/`, without the scripts of live pages.

    Raises:
        UserError: when the format of a library has changed.
    """
    own = {path.name: path.read_bytes() for path in _STATIC.iterdir()}
    return own | {"table-library.js": _table_library(), "chart-library.js": _chart_library()}


@cache
def _chart_library() -> str:
    """Return Vega-Lite with its dependencies, from the package vl-convert, as a script that sets `window.vegaEmbed`."""
    return vl_convert.javascript_bundle("window.vegaEmbed=vegaEmbed;")


def _table_library() -> str:
    """Return DataTables, from the package itables, as a script that sets `window.tableLibrary`."""
    source = files("itables").joinpath("html", "dt_bundle.js").read_text(encoding="utf-8")
    found = _EXPORT.search(source)
    names = {public: private for private, public in _NAMES.findall(found[1])} if found else {}
    if found is None or "default" not in names:
        raise UserError("the package itables has an unknown format; expected the version in pyproject.toml")
    code, licences = source[: found.start()], source[found.end() :]
    return f"(()=>{{{code}\nwindow.tableLibrary={{DataTable:{names['default']}}};}})();\n{licences}"
