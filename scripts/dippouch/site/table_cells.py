"""Tables as HTML: a column says what it holds and how it is shown; every table of the site is made here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from markupsafe import Markup, escape

from dippouch.db import Row

NOTHING = '<span class="quiet">–</span>'


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        heading: its heading; `{player}` stands for the word of the collection for a player, `{Players}` for several at the beginning.
        kind: how its cells are shown: a name of KINDS.
        key: the column of the row that it shows; some kinds read further ones beside it.
        wide: whether a phone leaves it out.
        first: how scripts sort it first: `asc` or `desc`.
    """

    heading: str
    kind: str
    key: str = ""
    wide: bool = False
    first: str = "asc"


# Columns that many tables have: who it was and where; what was expected of somebody and how much better they did; the rating before,
# by how much it changed, and after.
PERSON = Column("{Player}", "person")
WHO = (PERSON, Column("Nation", "nation", wide=True))
EVENT = Column("{Tournament}", "event-cell", "tournament_name")
EXPECTED = Column("Expected", "one", "expected_place", wide=True)
SCORE = Column("Percentile", "fixed", "percentile_score", wide=True)
BETTER = Column("Better by", "better", "places_better", wide=True)
RATED = (
    Column("Before", "fixed", "rating_before", wide=True),
    Column("Change", "change", "rating_change"),
    Column("After", "rating", "rating_after"),
)


@dataclass(frozen=True)
class Drawing:
    """What the cells of one page need to know.

    Attributes:
        root: where the root of the site is.
        scale: the least and the greatest rating in small pictures, and the initial one.
        words: what headings call players and tournaments.
    """

    root: str
    scale: tuple[float, float, float]
    words: Mapping[str, str]


def table(
    drawing: Drawing, columns: Sequence[Column], rows: Iterable[Row], *, caption: str = "", attributes: str = ""
) -> Markup:
    """A table as HTML.

    Args:
        drawing: where the table stands.
        columns: its columns.
        rows: its rows.
        caption: what it shows, for people who do not see it.
        attributes: further attributes of the element, as HTML.
    """
    classes = [f"{KINDS[column.kind][0]}{' w' if column.wide else ''}".strip() for column in columns]
    parts = ["<table", f" {attributes}" if attributes else "", ">"]
    if caption:
        parts.append(f'<caption class="vh">{escape(caption)}</caption>')
    parts.append("<thead><tr>")
    for column, style in zip(columns, classes, strict=True):
        heading = escape(column.heading.format_map(drawing.words)) or '<span class="vh">Change</span>'
        parts.append(
            f'<th scope="col"{_class(style)} data-kind="{_script_kind(column.kind)}" data-first="{column.first}">{heading}</th>'
        )
    parts.append("</tr></thead><tbody>")
    for row in rows:
        parts.append("<tr>")
        for column, style in zip(columns, classes, strict=True):
            tag, scope = ("th", ' scope="row"') if column.kind in _HEADS else ("td", "")
            cell = KINDS[column.kind][1](drawing, row, column.key)
            parts.append(f"<{tag}{scope}{_class(style)}>{cell}</{tag}>")
        parts.append("</tr>")
    parts.append("</tbody></table>")
    return Markup("".join(parts))  # noqa: S704 (every cell is escaped where it is made)


def person(drawing: Drawing, player_id: str, first_name: str | None, last_name: str | None) -> str:
    """A name that leads to its page."""
    return f'<a href="{drawing.root}players/{player_id}.html">{name(first_name, last_name)}</a>'


def name(first_name: str | None, last_name: str | None) -> str:
    """A name with the last name in bold."""
    last = f"<b>{escape(last_name)}</b>" if last_name else ""
    return " ".join(part for part in (str(escape(first_name)) if first_name else "", last) if part)


def nation(drawing: Drawing, code: str | None, nation_name: str | None = None) -> str:
    """The code of a nation that leads to its page."""
    if not code:
        return NOTHING
    title = f' title="{escape(nation_name)}"' if nation_name else ""
    return f'<a class="nation" href="{drawing.root}nations/{code.lower()}.html"{title}>{escape(code)}</a>'


def spark(drawing: Drawing, ratings: Sequence[float]) -> str:
    """A small picture of a rating's course; the line across is the initial rating."""
    low, high, initial = drawing.scale
    spread = (high - low) or 1.0

    def height(rating: float) -> str:
        return f"{21 - 18 * (rating - low) / spread:.1f}"

    step = 86 / max(1, len(ratings) - 1)
    points = " ".join(f"{3 + step * i:.1f},{height(rating)}" for i, rating in enumerate(ratings))
    base = height(initial)
    return (
        f'<svg class="spark" viewBox="0 0 92 24" aria-hidden="true"><line x1="0" x2="92" y1="{base}" y2="{base}"/>'
        f'<polyline points="{points}"/><circle cx="89" cy="{height(ratings[-1])}" r="2.2"/></svg>'
    )


def day(value: date | None, form: str = "%-d %b %Y") -> str:
    """A day as people write it."""
    return NOTHING if value is None else f'<time datetime="{value.isoformat()}">{written_day(value, form)}</time>'


def written_day(value: date, form: str = "%-d %b %Y") -> str:
    """A day as text, the same in every language of the machine."""
    month = _MONTHS[value.month - 1]
    return form.replace("%-d", str(value.day)).replace("%b", month).replace("%Y", f"{value.year:04d}")


def signed(value: float | None, digits: int = 2) -> str:
    """A change, green or red by its direction."""
    if value is None:
        return NOTHING
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0:
        return f'<span class="quiet">{text}</span>'
    return f'<span class="up">+{text}</span>' if value > 0 else f'<span class="down">−{text}</span>'


def places(gained: int | None) -> str:
    """How many places somebody rose or fell."""
    if gained is None:
        return '<span class="quiet">new</span>'
    if gained == 0:
        return ""
    return (
        f'<span class="up">▲\N{NARROW NO-BREAK SPACE}{gained:,}</span>'
        if gained > 0
        else f'<span class="down">▼\N{NARROW NO-BREAK SPACE}{-gained:,}</span>'
    )


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")

Show = Callable[[Drawing, Row, str], str]


def _person(drawing: Drawing, row: Row, key: str) -> str:
    return person(drawing, row[key or "player_id"], row["first_name"], row["last_name"])


def _persons(drawing: Drawing, row: Row, key: str) -> str:
    people = row[key] or []
    return (
        ", ".join(person(drawing, one["player_id"], one["first_name"], one["last_name"]) for one in people) or NOTHING
    )


def _event(drawing: Drawing, row: Row, key: str) -> str:
    return f'<a href="{drawing.root}tournaments/{row["tournament_id"]}.html">{escape(row[key])}</a>'


def _event_with_place(drawing: Drawing, row: Row, key: str) -> str:
    place = f"<small>{escape(row['place'])}</small>" if row["place"] else ""
    return _event(drawing, row, key) + place


def _placement(_drawing: Drawing, row: Row, _key: str) -> str:
    if row["placement"] is None:
        return '<span class="quiet">not placed</span>'
    of = f' <span class="of">of {row["players"]:,}</span>' if row.get("players") else ""
    return f"<b>{row['placement']:,}</b>{of}"


def _number(digits: int, scale: float = 1, unit: str = "") -> Show:
    def show(_drawing: Drawing, row: Row, key: str) -> str:
        value = row[key]
        return NOTHING if value is None else f"{value * scale:,.{digits}f}{unit}".replace("-", "−")

    return show


def _text(_drawing: Drawing, row: Row, key: str) -> str:
    value = row[key]
    return NOTHING if value is None or value == "" else str(escape(value))


def _mark(_drawing: Drawing, row: Row, key: str) -> str:
    return NOTHING if row[key] is None else "yes" if row[key] else "no"


def _year(drawing: Drawing, row: Row, key: str) -> str:
    return f'<a href="{drawing.root}years/{row[key]}.html">{row[key]}</a>' if row[key] is not None else NOTHING


def _shown(function: Callable[[Any], str]) -> Show:
    return lambda drawing, row, key: function(row[key])


# How cells are shown, by kind: the class of the column, and what makes the HTML of a cell.
KINDS: dict[str, tuple[str, Show]] = {
    "rank": ("n rank", _number(0)),
    "move": ("n move", _shown(places)),
    "person": ("", _person),
    "persons": ("", _persons),
    "nation": ("", lambda drawing, row, key: nation(drawing, row[key or "nation_code"], row.get("nation_name"))),
    "nation-name": (
        "",
        lambda drawing, row, key: (
            f'<a href="{drawing.root}nations/{row["nation_code"].lower()}.html">{escape(row[key])}</a>'
        ),
    ),
    "event": ("", _event),
    "event-and-place": ("", _event_with_place),
    # One that does not name its row: a list of what people did in events.
    "event-cell": ("", _event),
    "placement": ("n", _placement),
    "rating": ("n rating", _number(2)),
    "fixed": ("n", _number(2)),
    "one": ("n", _number(1)),
    "percent": ("n", _number(1, 100, "\N{NARROW NO-BREAK SPACE}%")),
    "share": ("n", _number(3)),
    "count": ("n", _number(0)),
    "change": ("n", _shown(signed)),
    "better": ("n", _shown(lambda value: signed(value, 1))),
    "course": ("course", lambda drawing, row, key: spark(drawing, row[key])),
    "day": ("date", _shown(day)),
    "month": ("n date", _shown(lambda value: day(value, "%b %Y"))),
    "year": ("", _year),
    "number": ("", _text),
    "text": ("", _text),
    "mark": ("", _mark),
}
_HEADS = frozenset({"person", "event", "event-and-place", "nation-name"})
# The kinds that the scripts of tables know; the others are shown as they are.
_SCRIPTED = {"person", "persons", "nation", "move", "course", "month", "day", "event"}


def _script_kind(kind: str) -> str:
    return kind if kind in _SCRIPTED else "fixed" if kind in {"rating", "fixed"} else "plain"


def _class(style: str) -> str:
    return f' class="{style}"' if style else ""


def _names(person: Row) -> list[str]:
    return [person["player_id"], person["first_name"] or "", person["last_name"] or ""]


def _rounded(row: Row, key: str) -> float | None:
    return None if row[key] is None else round(row[key], 2)


# The values that scripts of tables have, by kind; others are those of the row.
_SCRIPT_VALUES: dict[str, Callable[[Row, str], object]] = {
    "person": lambda row, _: _names(row),
    "persons": lambda row, key: [_names(one) for one in row[key]],
    "event": lambda row, key: [row["tournament_id"], row[key]],
    "nation": lambda row, _: row["nation_code"] or "",
    "course": lambda row, key: [round(rating, 1) for rating in row[key]],
    "rating": _rounded,
    "fixed": _rounded,
    "day": lambda row, key: row[key].isoformat(),
    "month": lambda row, key: row[key].isoformat(),
    "text": lambda row, key: row[key] or "",
}


def script_rows(columns: Sequence[Column], rows: Iterable[Row]) -> list[list[object]]:
    """The rows of a table for its script: a list a row, in the order of the columns."""
    values = [(column.key, _SCRIPT_VALUES.get(column.kind, Row.__getitem__)) for column in columns]
    return [[value(row, key) for key, value in values] for row in rows]
