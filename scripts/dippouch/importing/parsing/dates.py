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
# The time that spreadsheets append to a day, and the Polish `r.` (year).
_APPENDED = re.compile(r"[T ]0{1,2}:00(:00(\.0+)?)?$|(?<=[0-9]{4})\s*r(oku|\.)?$")
# No span is longer, and searching a long text for separators would be slow.
_LONGEST = 100
_BETWEEN = "to|through|and|till|until|bis|und|et|au|tot(?: en met)?|t/m|en?|al?|až|y|o(?:ch|g)|i|do"
_SEPARATOR = rf"\s*(?:[-–—/&+]|\b(?:{_BETWEEN})\b)\s*"
_N, _YEAR = "([0-9]{1,2})", "([0-9]{4})"
# Spans in numbers whose days share the month or the year, and the same with two whole days.
_SHARED = {
    # `3-5/6/2016` and `26.–28. 4. 2013`: only one month allows this order.
    rf"{_N}\.?\s*[-–—/&]\s*(?!\1\D){_N}\s*[./]\s*{_N}\s*[./]\s*{_YEAR}": r"\4-\3-\1 - \4-\3-\2",
    # `2011/03/05-06`
    rf"{_YEAR}([-./]){_N}\2{_N}\s*(?!\2)[-–—/&]\s*{_N}": r"\1-\3-\4 - \1-\3-\5",
    # `30.4.-1.5.2011` and `28/02 - 01/03/2015`
    rf"{_N}([./]) ?{_N}\.?{_SEPARATOR}{_N}\2 ?{_N}\2 ?{_YEAR}": r"\1\2\3\2\6 - \4\2\5\2\6",
}
# A word before a day, such as the weekday.
_BEFORE_DAY = re.compile(rf"(^|{_SEPARATOR})([^\W\d_]+)([.,]*) *(?=[0-9])")
# Words in a date besides its days, months and years.
_FILLERS = frozenset("of the de del di du le la den der dem am vom on from".split())


@cache
def _names(kind: str) -> dict[str, set[int]]:
    """Return the numbers of months or weekdays in all languages, by their names and short names."""
    from babel import Locale

    found: dict[str, set[int]] = {}
    for language in _LANGUAGES:
        locale = Locale(language)
        for context, width in product(("format", "stand-alone"), ("wide", "abbreviated")):
            for number, name in getattr(locale, kind)[context][width].items():
                found.setdefault(name.rstrip(".").casefold(), set()).add(number)
    return found


def _month(word: str) -> int | None:
    """Return the month of a name, if all languages agree on it."""
    numbers = _names("months").get(word.casefold(), set())
    return min(numbers) if len(numbers) == 1 else None


def _is_filler(word: str) -> bool:
    return _month(word) is None and word.casefold() in _FILLERS | _names("days").keys()


def _numeric_day(text: str, *, month_first: bool) -> date:
    parts = re.split(r"[./-]", text)
    first, second, third = (int(part) for part in parts)
    if len(parts[0]) == 4:
        return date(first, second, third)
    # A full stop means day, month, year; a slash or hyphen allows either order.
    return date(third, first, second) if month_first and "." not in text else date(third, second, first)


def _numeric_days(*texts: str) -> list[date]:
    """Parse `2013-08-23`, `23.08.2013`, `23/08/2013`, `08/23/2013`; refuse days that both orders allow."""
    try:
        month_first = [_numeric_day(text, month_first=True) for text in texts]
    except ValueError:
        return [_numeric_day(text, month_first=False) for text in texts]
    try:
        day_first = [_numeric_day(text, month_first=False) for text in texts]
    except ValueError:
        return month_first
    if day_first != month_first:
        either = " or ".join(" - ".join(map(str, days)) for days in (day_first, month_first))
        raise ValueError(f"the order of day and month is ambiguous: write {either}")
    return day_first


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
        elif not _is_filler(word):
            raise ValueError(f"`{word}` is not a month, day or year")
    if len(numbers) != 1 or month is None or year is None:
        raise ValueError("not one day, one month and a four-digit year")
    return date(year, month, numbers[0])


def _tidy(text: str) -> str:
    if len(text) > _LONGEST:
        raise ValueError(f"{len(text)} characters are not a day or a span of days")
    return _BEFORE_DAY.sub(_without_filler, _APPENDED.sub("", text.strip()))


def _without_filler(match: re.Match[str]) -> str:
    before, word, mark = match.groups()
    # German `Do.` is Thursday; Polish `do` means to.
    is_filler = _is_filler(word) and (mark or not re.fullmatch(_BETWEEN, word, re.IGNORECASE))
    return before if is_filler else match[0]


def parse_day(text: str) -> date:
    """Parse one day.

    Raises:
        ValueError: when the text names no real day, or is ambiguous; the message says what was expected.
    """
    try:
        text = _tidy(text)
        return _numeric_days(text)[0] if re.fullmatch(_NUMERIC_DAY, text) else _named_day(text)
    except ValueError as error:
        raise ValueError(f"a day such as `2013-08-23` ({error})") from None


def parse_date_span(text: str) -> tuple[date, date]:
    """Return first and last day of `August 23-25, 2013`, `June 1, 1996`, `17-18 June 2006`, `Dec 30, 2005 - Jan 1, 2006`.

    Days in numbers may be `2013-08-23`, `23.08.2013` and, if only one order is possible, `23/08/2013`; the first day may lack
    the month or year of the last.

    Raises:
        ValueError: when the text names no real day, is ambiguous, or ends before it starts; the message says what was expected.
    """
    try:
        return _span(_tidy(text))
    except ValueError as error:
        raise ValueError(f"a date such as `2013-08-23 - 2013-08-25` or `August 23-25, 2013` ({error})") from None


def is_date(text: str) -> bool:
    """Return whether a text is a day or a span of days."""
    try:
        return bool(parse_date_span(text))
    except ValueError:
        return False


def _span(text: str) -> tuple[date, date]:
    started_on, ended_on = _ends(text)
    if ended_on < started_on:
        raise ValueError(f"an end ({ended_on}) that is not before the start ({started_on})")
    return started_on, ended_on


def _ends(text: str) -> tuple[date, date]:
    for shared, whole in _SHARED.items():
        text = re.sub(f"^{shared}$", whole, text)
    if span := re.fullmatch(f"({_NUMERIC_DAY})(?:{_SEPARATOR}({_NUMERIC_DAY}))?", text):
        days = _numeric_days(*filter(None, span.groups()))
        return days[0], days[-1]
    sides = [side.strip(" ,") for side in re.split(_SEPARATOR, text)]
    if len(sides) > 2:
        raise ValueError("not one day or one span of days")
    # One side provides the month (23-25) or the year that the other lacks.
    months = [month for word in re.findall(r"[^\W\d_]+", text) if (month := _month(word)) is not None]
    years = [int(year) for year in re.findall(r"\b[0-9]{4}\b", text)]
    month, year = (months[0] if months else None), (years[-1] if years else None)
    return _named_day(sides[0], month, year), _named_day(sides[-1], month, year)
