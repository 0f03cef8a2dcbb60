"""Dates as documents write them: one day or a span, with the month as a name or number."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from itertools import product

# The languages in which tournament directors write.
_LANGUAGES = "en de fr es it pt nl sv da nb fi cs sk pl hu hr".split()
_NUMERIC_DAY = "|".join(
    f"[0-9]{{4}}{mark}[0-9]{{1,2}}{mark}[0-9]{{1,2}}|[0-9]{{1,2}}{mark}[0-9]{{1,2}}{mark}[0-9]{{4}}"
    for mark in ("-", "/", r"\. ?")
)
# A time that spreadsheets append to a day.
_MIDNIGHT = re.compile(r"[T ]0{1,2}:00(:00(\.0+)?)?$")
# No span is longer, and searching a long text for separators would be slow.
_LONGEST = 100
_SEPARATOR = r"\s*(?:[-–—/&+]|\b(?:to|through|and|till|until|bis|und|et|au|en?|al?|až|y|o(?:ch|g)|i|do)\b)\s*"
# `3-5/6/2016` and `26.–28. 4. 2013`: two days of one month in numbers, in an order that only one month allows.
_TWO_DAYS = re.compile(r"([0-9]{1,2})\.?\s*[-–—/&]\s*([0-9]{1,2})\s*[./]\s*([0-9]{1,2})\s*[./]\s*([0-9]{4})")
# Words in a date besides its days, months and years.
_FILLERS = frozenset("of the de del di du le la den der dem am vom on from".split())


@cache
def _names(kind: str) -> dict[str, int]:
    """Return the numbers of months or weekdays by their names and short names, if all languages agree on the number."""
    from babel import Locale

    found: dict[str, set[int]] = {}
    for language in _LANGUAGES:
        locale = Locale(language)
        for context, width in product(("format", "stand-alone"), ("wide", "abbreviated")):
            for number, name in getattr(locale, kind)[context][width].items():
                found.setdefault(name.rstrip(".").casefold(), set()).add(number)
    return {name: numbers.pop() for name, numbers in found.items() if len(numbers) == 1}


def _month(word: str) -> int | None:
    return _names("months").get(word.casefold())


def _numeric_day(text: str) -> date:
    """Parse `2013-08-23`, `23.08.2013`, `23/08/2013`, `08/23/2013`; refuse an ambiguous order."""
    parts = re.split(r"[./-]", text)
    first, second, year = (int(part) for part in parts)
    if len(parts[0]) == 4:
        return date(first, second, year)
    # A full stop means day, month, year; a slash or hyphen allows either order.
    if "." in text or first > 12 or first == second:
        return date(year, second, first)
    if second > 12:
        return date(year, first, second)
    raise ValueError(
        f"the order of day and month is ambiguous: write {date(year, second, first)} or {date(year, first, second)}"
    )


def _named_day(text: str, month: int | None = None, year: int | None = None) -> date:
    """Parse `August 23, 2013`, `23rd Aug 2013`; use the given month or year for a missing one."""
    numbers = []
    for word in re.findall(r"\w+", text):
        if re.fullmatch(r"[0-9]{4}", word):
            year = int(word)
        elif figures := re.fullmatch(r"([0-9]{1,2})(?:st|nd|rd|th|er|º|ª)?", word, re.IGNORECASE):
            numbers.append(int(figures[1]))
        elif (named := _month(word)) is not None:
            month = named
        elif word.casefold() not in _FILLERS | _names("days").keys():
            raise ValueError(f"`{word}` is not a month, day or year")
    if len(numbers) != 1 or month is None or year is None:
        raise ValueError("not one day, one month and a four-digit year")
    return date(year, month, numbers[0])


def _tidy(text: str) -> str:
    if len(text) > _LONGEST:
        raise ValueError(f"{len(text)} characters are not a day or a span of days")
    return _MIDNIGHT.sub("", text.strip())


def parse_day(text: str) -> date:
    """Parse one day.

    Raises:
        ValueError: when the text names no real day, or is ambiguous; the message says what was expected.
    """
    try:
        text = _tidy(text)
        return _numeric_day(text) if re.fullmatch(_NUMERIC_DAY, text) else _named_day(text)
    except ValueError as error:
        raise ValueError(f"a day such as `2013-08-23` ({error})") from None


def parse_date_span(text: str) -> tuple[date, date]:
    """Return first and last day of `August 23-25, 2013`, `June 1, 1996`, `17-18 June 2006`, `Dec 30, 2005 - Jan 1, 2006`.

    Days in numbers may be `2013-08-23`, `23.08.2013` and, if only one order is possible, `23/08/2013`.

    Raises:
        ValueError: when the text names no real day, is ambiguous, or ends before it starts; the message says what was expected.
    """
    try:
        return _span(_tidy(text))
    except ValueError as error:
        raise ValueError(f"a date such as `2013-08-23 - 2013-08-25` or `August 23-25, 2013` ({error})") from None


def _span(text: str) -> tuple[date, date]:
    started_on, ended_on = _ends(text)
    if ended_on < started_on:
        raise ValueError(f"an end ({ended_on}) that is not before the start ({started_on})")
    return started_on, ended_on


def _ends(text: str) -> tuple[date, date]:
    if span := re.fullmatch(f"(?P<first>{_NUMERIC_DAY}){_SEPARATOR}(?P<last>{_NUMERIC_DAY})", text):
        return _numeric_day(span["first"]), _numeric_day(span["last"])
    if (days := _TWO_DAYS.fullmatch(text)) and int(days[1]) < int(days[2]):
        first, last, month_number, year_number = (int(figures) for figures in days.groups())
        return date(year_number, month_number, first), date(year_number, month_number, last)
    if re.fullmatch(_NUMERIC_DAY, text):
        return _numeric_day(text), _numeric_day(text)
    sides = [side.strip(" ,") for side in re.split(_SEPARATOR, text)]
    if len(sides) > 2:
        raise ValueError("not one day or one span of days")
    # One side provides the month (23-25) or the year that the other lacks.
    months = [month for word in re.findall(r"[^\W\d_]+", text) if (month := _month(word)) is not None]
    years = [int(year) for year in re.findall(r"\b[0-9]{4}\b", text)]
    month, year = (months[0] if months else None), (years[-1] if years else None)
    return _named_day(sides[0], month, year), _named_day(sides[-1], month, year)
