"""Find what a user names on the command line: people, rating systems, nations and kinds of tournaments."""

from __future__ import annotations

from pathlib import Path

from dippouch.db import Row, published_default_system, query
from dippouch.errors import UserError
from dippouch.ids import readable_id_or_empty
from dippouch.people.find import likeliest
from dippouch.printable import visible_line


def find_player(database: Path, system: str, text: str) -> Row:
    """Return the person that a text matches best, by `marts.find_player`; raise a UserError as `likeliest` does."""
    text.encode()  # DuckDB raises an error of its own for bytes that are not UTF-8.
    found = query(database, "from marts.find_player(?, ?)", [text, system])
    return likeliest(found, text, "player", ("similar words",))


def find_system(database: Path, asked: str | None) -> Row:
    """Return the row of a rating system in `marts.rating_systems`; of the default one if none is given.

    Raises:
        UserError: when there is no such system.
    """
    system = published_default_system(database) if asked is None else asked
    return find_row(database, "rating system", "rating_systems", ("rating_system_id",), system)


def find_row(database: Path, what: str, mart: str, names: tuple[str, ...], asked: str) -> Row:
    """Return the row of a mart with a given value in one of the columns `names`, ignoring case and accents.

    Raises:
        UserError: when there is none; lists the values of the first column.
    """
    rows = query(database, f"from marts.{mart} order by {names[0]}")
    wanted = readable_id_or_empty(asked)
    for row in rows:
        if wanted and wanted in {readable_id_or_empty(row[name]) for name in names}:
            return row
    expected = ", ".join(row[names[0]] for row in rows)
    raise UserError(
        f"found no {what} `{asked}`; expected {f'one of {expected}' if rows else 'none, as in the collection'}"
    )


def words_of(database: Path) -> dict[str, str]:
    """Return the words of a published collection, as `words_in` does."""
    (facts,) = query(database, "from presentation.collection_card")
    return words_in(facts)


def words_in(facts: Row) -> dict[str, str]:
    """Return a collection's words by `player`, `players`, `tournament` and so on, from the row of `presentation.collection_card`."""
    return {name.removesuffix("_word"): visible_line(word) for name, word in facts.items() if name.endswith("_word")}
