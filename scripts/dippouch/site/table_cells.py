"""Columns of the site's tables, and numbers and days formatted for people; `templates/cells.html` renders the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from markupsafe import Markup

from dippouch.db import Row

NOTHING = Markup('<span class="quiet">–</span>')
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        heading: its heading; `{player}` stands for the collection's word for a player, `{Players}` for the capitalized plural.
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


# Columns of many tables: the person and the tournament; the expected result and the difference from it; the rating before, its change,
# and the rating after.
PERSON = Column("{Player}", "person")
WHO = (PERSON, Column("Nation", "nation", wide=True))
EVENT = Column("{Tournament}", "event_cell", "tournament_name")
EXPECTED = Column("Expected", "one", "expected_place", wide=True)
SCORE = Column("Percentile", "fixed", "percentile_score", wide=True)
BETTER = Column("Better by", "better", "places_better", wide=True)
RATED = (
    Column("Before", "fixed", "rating_before", wide=True),
    Column("Change", "change", "rating_change"),
    Column("After", "rating", "rating_after"),
)


def day(value: date | None, form: str = "%-d %b %Y") -> str:
    """Format a day as HTML."""
    return NOTHING if value is None else f'<time datetime="{value.isoformat()}">{written_day(value, form)}</time>'


def written_day(value: date, form: str = "%-d %b %Y") -> str:
    """Format a day as text, independently of the machine's language."""
    month = _MONTHS[value.month - 1]
    return form.replace("%-d", str(value.day)).replace("%b", month).replace("%Y", f"{value.year:04d}")


def signed(value: float | None, digits: int = 2) -> str:
    """Format a change, green or red by its sign."""
    if value is None:
        return NOTHING
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0:
        return f'<span class="quiet">{text}</span>'
    return f'<span class="up">+{text}</span>' if value > 0 else f'<span class="down">−{text}</span>'


def places(gained: int | None) -> str:
    """Format the number of ranks gained or lost."""
    if gained is None:
        return '<span class="quiet">new</span>'
    if gained == 0:
        return ""
    style, arrow = ("up", "▲") if gained > 0 else ("down", "▼")
    return f'<span class="{style}">{arrow}\N{NARROW NO-BREAK SPACE}{abs(gained):,}</span>'


def number(value: float | None, digits: int) -> str:
    """Format a number with thousands separators."""
    return NOTHING if value is None else f"{value:,.{digits}f}".replace("-", "−")


def _names(person: Row) -> list[str]:
    return [person["player_id"], person["first_name"] or "", person["last_name"] or ""]


def _rounded(row: Row, key: str) -> float | None:
    return None if row[key] is None else round(row[key], 2)


# Values for the tables' scripts, by kind; other kinds use the value of the row.
_SCRIPT_VALUES: dict[str, Callable[[Row, str], object]] = {
    "person": lambda row, _: _names(row),
    "persons": lambda row, key: [_names(one) for one in row[key]],
    "event": lambda row, key: [row["tournament_id"], row[key]],
    "nation": lambda row, _: row["nation_code"] or "",
    "course": lambda row, key: [round(rating, 1) for rating in row[key]],
    "rating": _rounded,
    "standing": lambda row, key: [_rounded(row, key), row["is_provisional"]],
    "fixed": _rounded,
    "day": lambda row, key: row[key].isoformat(),
    "month": lambda row, key: row[key].isoformat(),
    "text": lambda row, key: row[key] or "",
}


def script_rows(columns: Sequence[Column], rows: Iterable[Row]) -> list[list[object]]:
    """Return the rows of a table for its script: one list per row, in the order of the columns."""
    values = [(column.key, _SCRIPT_VALUES.get(column.kind, Row.__getitem__)) for column in columns]
    return [[value(row, key) for key, value in values] for row in rows]
