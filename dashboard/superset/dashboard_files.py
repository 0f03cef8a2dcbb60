"""The files of the dashboard for Superset's import, with the path of the published database and the words of its collection."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import yaml

from dippouch.db import reading
from dippouch.messages import UserError

# The keys of displayed text. The `name` of a filter is displayed, the `name` of its column is not.
_SHOWN = frozenset({"slice_name", "sliceName", "verbose_name", "description", "label", "subtitle", "code"})
_FILTER = "filterType"

# The contents of a file, by its path below the folder of the dashboard.
Files = dict[str, dict[str, Any]]


def files_for(dashboard: Path, database: Path) -> Files:
    """Return the dashboard of a published database, with its title, its words, and the path of the file.

    Args:
        dashboard: the folder of the files.
        database: the published database; an absolute path.

    Raises:
        UserError: when the database cannot be read, or its path cannot be part of an address.
    """
    if "?" in str(database):
        raise UserError(f"{database}: found a `?` in the path, which ends it for Superset; expected another name")
    files = {
        path.relative_to(dashboard).as_posix(): yaml.safe_load(path.read_text(encoding="utf-8"))
        for path in sorted(dashboard.rglob("*.yaml"))
    }
    title, words = _settings(database)
    files = {path: in_words(content, words) for path, content in files.items()}
    files["databases/rankings.yaml"]["sqlalchemy_uri"] = f"duckdb:///{database}"
    files["dashboards/rankings.yaml"]["dashboard_title"] = title
    return files


def in_words(content: Any, words: Mapping[str, str]) -> Any:
    """Replace words in the displayed text of a file: `Players` becomes `Runners`, the column `players` stays.

    Args:
        content: mappings, lists and values.
        words: the replacement of each word, in lower case.
    """
    every = re.compile(rf"\b({'|'.join(sorted(words, key=len, reverse=True))})\b", re.IGNORECASE)

    def replaced(found: re.Match[str]) -> str:
        word = words[found[0].lower()]
        return word[:1].upper() + word[1:] if found[0][0].isupper() else word

    return _changed(content, lambda text: every.sub(replaced, text))


def _changed(content: Any, change: Callable[[str], str]) -> Any:
    if isinstance(content, list):
        return [_changed(one, change) for one in content]
    if not isinstance(content, dict):
        return content
    shown = _SHOWN | {"name"} if _FILTER in content else _SHOWN
    return {
        key: change(value) if key in shown and isinstance(value, str) else _changed(value, change)
        for key, value in content.items()
    }


def _settings(database: Path) -> tuple[str, dict[str, str]]:
    """Return the title of a collection, and its words for players and tournaments."""
    with reading(database) as connection:
        row = connection.execute(
            "select title, player_word, players_word, tournament_word, tournaments_word from published.main.settings"
        ).fetchone()
    assert row is not None
    title, *words = row
    return title, dict(zip(("player", "players", "tournament", "tournaments"), words, strict=True))
