"""The headings of tables: names of columns in many languages, and the recognition of the head of a table of results."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import islice, product

from rapidfuzz import fuzz, process

from dippouch.importing.formats.cells import Record, listed
from dippouch.importing.parsing.words import heading, words
from dippouch.names import shortened

# The columns of a table of results, by their names.
RESULT_COLUMNS: Mapping[str, str] = words("heading")


def _called(column: str) -> list[str]:
    return [word for word, meaning in RESULT_COLUMNS.items() if meaning == column]


# Headings of whole names in two words: `Vorname Nachname`, and `Cognome e nome`, which puts the last name first.
_FIRST_WORDS = (*_called("first_name"), "nome", "nombre", "name", "jmeno", "meno", "ime")
_LAST_WORDS = (*_called("last_name"), "nom", "name")
_BETWEEN = ("_", "_and_", "_und_", "_et_", "_e_", "_y_", "_i_", "_a_", "_en_", "_och_", "_og_")
_IN_TWO_WORDS = frozenset(f + b + n for f, b, n in product(_FIRST_WORDS, _BETWEEN, _LAST_WORDS))
_LAST_BEFORE_FIRST = frozenset(n + b + f for f, b, n in product(_FIRST_WORDS, _BETWEEN, _LAST_WORDS))
_WHOLE_NAMES = _IN_TWO_WORDS | _LAST_BEFORE_FIRST
# Hungarian names, too, have the last name first.
_HUNGARIAN = {"nev", "teljes_nev", "jatekos", "jatekos_neve", "versenyzo", "versenyzo_neve"}
LAST_NAME_FIRST = _LAST_BEFORE_FIRST | _HUNGARIAN

# Headings of the placement or of something else, such as a running number or a class of players: they count as the placement
# if there is no other heading for it.
NUMBERS = frozenset({"#", "no", "nr", "num", "pl", "class"})
TOURNAMENT = "tournament"
PEOPLE = ("first_name", "last_name", "name")
# Columns of words before and behind the last name: `van der` before `Ploeg`, `Zafón` behind `Ruiz`.
LAST_NAME_PARTS = ("particles", "second_last_name")
POINTS = frozenset({"score", "scores", "points", "pts", "total", "total_score", "total_points", "punkte"})

# Minimum likeness, of 100, of an unknown heading to a missing one: to take it for a slip, and to ask about it.
SLIP, ALIKE = 85, 75
# Short words are alike by chance.
_SHORTEST_COMPARED = 5
# The required columns are among the first ones.
_MOST_HEADINGS = 100


def column_of(text: str, known: Mapping[str, str]) -> str | None:
    """Return the column that a heading names, or None."""
    name = heading(text)
    return known.get(name) or ("name" if "placement" in known and name in _WHOLE_NAMES else None)


def column_like(text: str, known: Mapping[str, str], likeness: float = ALIKE) -> str | None:
    """Return the column whose names most resemble an unknown heading; None if none does.

    Args:
        text: the heading.
        known: the candidate columns, by their names.
        likeness: minimum likeness, of 100.
    """
    name = heading(text)
    if name[:1].isdigit():
        # A count and its label, such as `24 players`.
        return None
    names = [word for word, column in known.items() if len(word) >= _SHORTEST_COMPARED or word == column]
    alike = process.extractOne(name, names, scorer=fuzz.ratio, score_cutoff=likeness)
    return known[alike[0]] if alike else None


def is_result_head(texts: Iterable[str], *, strictly: bool = False) -> bool:
    """Return whether the cells of a row are the head of a table of results, with placements and people.

    Args:
        texts: the cells.
        strictly: whether a running number (`#`, `No`) does not count as a placement.
    """
    texts = list(islice(texts, _MOST_HEADINGS))
    first = next((text for text in texts if text), "")
    if first.startswith("#") and len(first) > 1:
        return False
    found = {column_of(text, RESULT_COLUMNS) for text in texts if not strictly or heading(text) not in NUMBERS}
    return "placement" in found and not found.isdisjoint(PEOPLE)


def near_head(records: Iterable[Record]) -> tuple[Record, str] | None:
    """Return the row that most resembles the head of a table of results, and its fault; None if none does."""
    found = []
    columns_of_table = {word: column for word, column in RESULT_COLUMNS.items() if column != TOURNAMENT}
    for record in records:
        texts = [cell.text for cell in record.filled if not cell.text.startswith("#")]
        meant = {text: column_of(text, columns_of_table) or column_like(text, columns_of_table) for text in texts}
        known = {text: column for text, column in meant.items() if column}
        columns = set(known.values())
        # A fact and its value are not headings: `name` and `WAC 6 2009`.
        if columns & {"placement", *PEOPLE} and (len(texts) > 2 or len(columns) > 1):
            found.append((len(columns), record, known))
    best = max(found, key=lambda near: near[0], default=None)
    return (best[1], _described(best[2])) if best else None


def _described(meant: Mapping[str, str]) -> str:
    """Describe the faults in the headings of a table, by what each seems to mean."""
    slips = [
        f"`{column}` by `{shortened(text)}`" for text, column in meant.items() if not column_of(text, RESULT_COLUMNS)
    ]
    missing = [] if "placement" in meant.values() else ["`placement`"]
    missing += [] if set(meant.values()) & set(PEOPLE) else ["`name` or `last_name`"]
    said = f"the headings {listed([f'`{shortened(text)}`' for text in meant], 20)}"
    said += f"; did you mean {' and '.join(slips)}?" if slips else ""
    return said + (f"; there is no heading {' and no '.join(missing)}" if missing else "")
