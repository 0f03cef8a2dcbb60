"""Dates as documents write them: a day, or a first and a last day."""

from __future__ import annotations

import re
from datetime import date

from dippouch.reading.parsing.words import heading, words

# `2013-08-23`, `23.08.2013`, `28. 6. 2014`, `23/08/2013`.
_IN_NUMBERS = r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}(?:/[0-9]{1,2}/|-[0-9]{1,2}-|\. ?[0-9]{1,2}\. ?)[0-9]{4}"
_BETWEEN = "to|through|and|till|until|bis|und|et|au|tot|en?|al?|až|y|o(?:ch|g)|i|do"
_SEPARATOR = rf"\s*(?:[-–—/&+]|\b(?:{_BETWEEN})\b)\s*"
_ORDINAL = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|er|º|ª)?", re.IGNORECASE)
# `the 3rd of May`, `17 de junho de 2006`.
_FILLERS = frozenset("of the de del di du den".split())
# Searching a long text for separators would be slow.
_LONGEST = 100


def parse_day(text: str) -> date:
    """Parse one day.

    Raises:
        ValueError: when the text names no real day, or is ambiguous; the message says what was expected.
    """
    first, last = parse_date_span(text)
    if first != last:
        raise ValueError("one day such as `2013-08-23`")
    return first


def parse_date_span(text: str) -> tuple[date, date]:
    """Return first and last day of `2013-08-23`, `August 23-25, 2013`, `17-18 June 2006`, `Dec 30, 2005 - Jan 1, 2006`.

    Days in numbers are day, month, year (`23.08.2013`), with `/` or `-` only if one order is possible. Months have names in the
    languages of `words.csv`. The first day may lack the named month or the year of the last.

    Raises:
        ValueError: when the text names no real day, is ambiguous, or ends before it starts; the message says what was expected.
    """
    try:
        return _days(text.strip())
    except ValueError as error:
        raise ValueError(f"a date such as `2013-08-23 - 2013-08-25` or `August 23-25, 2013` ({error})") from None


def _days(text: str) -> tuple[date, date]:
    if len(text) > _LONGEST:
        raise ValueError(f"{len(text)} characters are not a date")
    if span := re.fullmatch(f"({_IN_NUMBERS})(?:{_SEPARATOR}({_IN_NUMBERS}))?", text):
        days = [_day_in_numbers(side) for side in span.groups() if side]
    else:
        sides = [side.strip(" ,") for side in re.split(_SEPARATOR, text)]
        if len(sides) > 2:
            raise ValueError("not one day or one span of days")
        # One side provides the month (23-25) or the year that the other lacks.
        months = [month for word in re.findall(r"[^\W\d_]+", text) if (month := _month(word)) is not None]
        years = [int(year) for year in re.findall(r"\b[0-9]{4}\b", text)]
        month, year = (months[0] if months else None), (years[-1] if years else None)
        days = [_named_day(side, month, year) for side in sides]
    if days[-1] < days[0]:
        raise ValueError(f"{days[-1]} is before {days[0]}")
    return days[0], days[-1]


def _day_in_numbers(text: str) -> date:
    """Parse a day in numbers; refuse one that both orders of day and month allow."""
    parts = re.split(r"[./-] ?", text)
    first, second, third = map(int, parts)
    if len(parts[0]) == 4:
        return date(first, second, third)
    # A full stop means day, month, year; a slash or hyphen allows either order.
    orders = [(second, first)] if "." in text else [(second, first), (first, second)]
    days = {date(third, month, day) for month, day in orders if month <= 12}
    if len(days) > 1:
        raise ValueError(f"the order of day and month is ambiguous: write {' or '.join(map(str, sorted(days)))}")
    return days.pop() if days else date(third, second, first)


def _named_day(text: str, month: int | None, year: int | None) -> date:
    """Parse `August 23, 2013` or `23rd Aug 2013`; use the given month or year for a missing one."""
    numbers = []
    for word in re.findall(r"\w+", text):
        if re.fullmatch("[0-9]{4}", word):
            year = int(word)
        elif figures := _ORDINAL.fullmatch(word):
            numbers.append(int(figures[1]))
        elif (named := _month(word)) is not None:
            month = named
        elif word.casefold() not in _FILLERS:
            raise ValueError(f"`{word}` is not a month, day or year")
    if len(numbers) != 1 or month is None or year is None:
        raise ValueError("not one day, one month and a four-digit year")
    return date(year, month, numbers[0])


def _month(word: str) -> int | None:
    found = words("month").get(heading(word))
    return int(found) if found else None
