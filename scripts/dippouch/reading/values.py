"""Values as people write them: words in many languages, placements, counts, printed figures, days, and spans of days."""

import csv
import re
from calendar import monthrange
from datetime import date
from decimal import Decimal
from functools import cache
from pathlib import Path

from dippouch.names import readable_id_or_empty

# The words of documents, each with its use and its meaning.
_WORDS = Path(__file__).with_name("words.csv")
_LONGEST_WORD = 60

# 3, 3rd, 3e, 3º, 3., 3.0 (a spreadsheet's whole number), and marks of a tie: =3, 3=, T3, joint 3rd, 3 ex aequo, 3-4.
_ENDING = r"(?:st|nd|rd|th|er|[eè]re|e|è?me|ème|de|ste|[ºª°.]|\.0+)?"
_PLACEMENT = re.compile(
    rf"(?:=|T-?|joint\s*)(?P<tied>[0-9]{{1,7}}){_ENDING}|(?P<first>[0-9]{{1,7}}){_ENDING}"
    rf"(?:\s?=|T|\s*\(?(?:ex[ -]?(?:ae|æ)quo|tied?|joint)\)?|\s*[-–/]\s*(?P<last>[0-9]{{1,7}}){_ENDING})?",
    re.IGNORECASE,
)
# Marks of a value that nobody knows. `NA` is none of them: it is Namibia.
_UNKNOWN = frozenset(("", "-", "–", "—", "?", "unknown", "n/a"))

# A percentile score or a rating, also in a spreadsheet's form: 87.5 for 87.50, 100 for 100.00; the decimal sign may be a comma.
_SCORE = re.compile(r"([0-9]{1,4})(?:[.,]([0-9]{1,2}))?")
_WHOLE_NUMBER = re.compile(r"([0-9]{1,7})(?:\.0+)?")
_WDD_ID = re.compile("0*[1-9][0-9]{0,8}")

# `2013-08-23`, `23.08.2013`, `28. 6. 2014`, `23/08/2013`.
_IN_NUMBERS = r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}(?:/[0-9]{1,2}/|-[0-9]{1,2}-|\. ?[0-9]{1,2}\. ?)[0-9]{4}"
_BETWEEN = "to|through|and|till|until|bis|und|et|au|tot|en?|al?|až|y|o(?:ch|g)|i|do"
_SEPARATOR = rf"\s*(?:[-–—/&+]|\b(?:{_BETWEEN})\b)\s*"
_ORDINAL = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th|er|º|ª)?", re.IGNORECASE)
# `the 3rd of May`, `17 de junho de 2006`.
_FILLERS = frozenset("of the de del di du den".split())
# Searching a long text for separators would be slow.
_LONGEST = 100


def heading(text: str) -> str:
    """Normalize a heading: `First Name` becomes `first_name`, `Prénom` `prenom`, `N°` `no`."""
    if len(text) > _LONGEST_WORD:
        return ""
    text = text.replace("(s)", "s")
    if text.isascii():
        plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    else:
        plain = readable_id_or_empty(text.replace("°", "o")).replace("-", "_")
    # `Player #` is a number, not a player.
    return f"{plain}_#".strip("_") if "#" in text else plain


@cache
def listed_words(use: str) -> list[tuple[str, str]]:
    """Return the words of one use with their meanings, as listed; in phrases of the use `title` `*` means any ending."""
    with _WORDS.open(encoding="utf-8", newline="") as file:
        return [(row["word"], row["meaning"]) for row in csv.DictReader(file) if row["use"] == use]


@cache
def words(use: str) -> dict[str, str]:
    """Return the meanings of the words of one use (`label`, `heading`, `no placement` or `month`), by normalized word."""
    return {heading(word): meaning for word, meaning in listed_words(use)}


def is_unknown(text: str) -> bool:
    """Return whether a cell states nothing: it is empty, or has a mark such as `-`, `?`, `unknown` or `n/a`."""
    return text.strip().casefold() in _UNKNOWN


def meaning_of_no_placement(text: str) -> str | None:
    """Return the meaning of a mark in place of a placement: `withdrew` for `Abandon`, empty for `-` and `?`; None for any other text."""
    if is_unknown(text):
        return ""
    return words("no placement").get(heading(text.split("(", 1)[0]))


def parse_placement(text: str) -> int | None:
    """Parse a placement: `3`, `3rd`, `3.`, `=3`, `T3`, or `3-4` for a tie; None for `DNF`, `-`, `?`, blank and the like.

    Raises:
        ValueError: for anything else, such as 0, -1, 2.5 or NaN; the message says what was expected.
    """
    text = text.strip()
    if meaning_of_no_placement(text) is not None:
        return None
    match = _PLACEMENT.fullmatch(text)
    number = int(match["tied"] or match["first"]) if match else 0
    # A tie for placements 3 to 4 means third.
    if number < 1 or (match and match["last"] and int(match["last"]) <= number):
        raise ValueError("a whole number from 1 (also `3rd`, `=3`, `3-4`), or `DNF`, `-` or nothing for no placement")
    return number


def parse_count(text: str) -> int:
    """Parse a number of players, rounds or boards.

    Raises:
        ValueError: when it is not a whole number above 0; the message says what was expected.
    """
    match = _WHOLE_NUMBER.fullmatch(text.strip())
    if not match or int(match[1]) < 1:
        raise ValueError("a whole number above 0, or `?` if nobody knows it")
    return int(match[1])


def parse_decimal(text: str) -> Decimal | None:
    """Parse a figure with up to two decimals: `98.30`, a spreadsheet's `98.3` or `100`, or with a comma; None for `-`, `?` and blank.

    Raises:
        ValueError: when it is not such a figure; the message says what was expected.
    """
    if is_unknown(text):
        return None
    match = _SCORE.fullmatch(text)
    if not match:
        raise ValueError("a number at two decimals, such as `98.30`")
    return Decimal(f"{match[1]}.{match[2] or '':0<2}")


def parse_wdd_id(text: str) -> str:
    """Parse the World Diplomacy Database's number of a person or a tournament: `1073` gives `wdd:1073`.

    Raises:
        ValueError: when it is not a number; the message says what was expected.
    """
    if not _WDD_ID.fullmatch(text):
        raise ValueError("a number, such as `1073`")
    return f"wdd:{int(text)}"


def parse_day(text: str) -> date:
    """Parse one day.

    Raises:
        ValueError: when the text names no real day, or is ambiguous; the message says what was expected.
    """
    first, last = parse_date_span(text)
    if first != last:
        raise ValueError("one day such as `2013-08-23`")
    return first


def parse_day_or_period(text: str) -> tuple[date, date]:
    """Return a day twice, or the first and the last day of a month or a year: `2013-08-23`, `August 2013`, `2013-08`, `2013`.

    Raises:
        ValueError: for anything else; the message says what was expected.
    """
    first, last = parse_date_span(text)
    if first != last and not _period(text.strip()):
        raise ValueError("one day such as `2013-08-23`, or a month or a year: `2013-08`, `2013`")
    return first, last


def parse_date_span(text: str) -> tuple[date, date]:
    """Return first and last day of `2013-08-23`, `August 23-25, 2013`, `17-18 June 2006`, `Dec 30, 2005 - Jan 1, 2006`.

    Days in numbers are day, month, year (`23.08.2013`), with `/` or `-` only if one order is possible. Months have names in the
    languages of `words.csv`. The first day may lack the named month or the year of the last. A month or a year alone (`August 2013`,
    `2013-08`, `2013`) means all its days.

    Raises:
        ValueError: when the text names no real day, is ambiguous, or ends before it starts; the message says what was expected.
    """
    try:
        return _period(text.strip()) or _days(text.strip())
    except ValueError as error:
        raise ValueError(
            f"a date such as `2013-08-23 - 2013-08-25`, `August 23-25, 2013`, `August 2013` or `2013` ({error})"
        ) from None


def shown_days(first: date, last: date) -> str:
    """Return days as a person would state them to `parse_date_span`: a day, a year, a month, or a span."""
    periods = (text for text in (f"{first:%Y}", f"{first:%Y-%m}") if _period(text) == (first, last))
    return next(periods, f"{first}" if first == last else f"{first} - {last}")


def _period(text: str) -> tuple[date, date] | None:
    """Return the first and the last day of a year or a month; None for another text."""
    if numbers := re.fullmatch("([0-9]{4})(?:-([0-9]{1,2}))?", text):
        year, month = int(numbers[1]), int(numbers[2]) if numbers[2] else None
    else:
        words = [word for word in re.findall(r"\w+", text[:_LONGEST]) if word.casefold() not in _FILLERS]
        years = [int(word) for word in words if re.fullmatch("[0-9]{4}", word)]
        months = [found for word in words if (found := _month(word)) is not None]
        if not (len(words) == 2 and len(years) == len(months) == 1):
            return None
        year, month = years[0], months[0]
    first = date(year, month or 1, 1)
    return first, date(year, month or 12, monthrange(year, month or 12)[1])


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
