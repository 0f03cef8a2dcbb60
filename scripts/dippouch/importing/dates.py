"""Dates as tournament pages write them: one day or a span, the month named."""

from __future__ import annotations

import re
from datetime import date, datetime

from dateutil import parser

_MONTH = re.compile(r"[A-Za-zÀ-ÿ]{3,}")
_YEAR = re.compile(r"\b\d{4}\b")
_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


def _one_day(text: str) -> date:
    """The day that a text with day, month and year names."""
    # Parsed on two different default days: where they disagree, the text left something open.
    defaults = (datetime(2000, 1, 1), datetime(2004, 3, 3))  # noqa: DTZ001 (days without a time have no zone)
    readings = {parser.parse(text, default=default).date() for default in defaults}
    if len(readings) != 1:
        raise ValueError("a day, a month and a year")
    return readings.pop()


def parse_date_span(text: str) -> tuple[date, date]:
    """First and last day of `August 23-25, 2013`, `June 1, 1996`, `17-18 June 2006`, `Dec 30, 2005 - Jan 1, 2006`.

    Raises:
        ValueError: when the text names no real day, or ends before it starts.
    """
    text = text.strip()
    if iso := _ISO.findall(text):
        sides = [iso[0], iso[-1]]
    else:
        sides = [side.strip(" ,") for side in re.split(r"\s*[-–—]\s*|\s+to\s+", text)]
    if len(sides) == 1:
        sides *= 2
    if len(sides) != 2:
        raise ValueError("one day or one span of days")
    first, last = sides
    if not iso:
        # What one side leaves out stands on the other: the month (23-25) or the year.
        if not _MONTH.search(last) and (month := _MONTH.search(first)):
            last = f"{month[0]} {last}"
        if not _MONTH.search(first) and (month := _MONTH.search(last)):
            first = f"{month[0]} {first}"
        if not _YEAR.search(first) and (year := _YEAR.search(last)):
            first = f"{first}, {year[0]}"
    try:
        started_on, ended_on = _one_day(first), _one_day(last)
    except (parser.ParserError, OverflowError) as error:
        raise ValueError(str(error)) from error
    if ended_on < started_on:
        raise ValueError(f"an end ({ended_on}) that is not before the start ({started_on})")
    return started_on, ended_on
