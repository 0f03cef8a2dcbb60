"""Reader of the form `wdd-text`: a World Diplomacy Database page as text, cells run together.

A page of a tournament, after sentences that explain the rules and a blank line:

    WDC VI 1996                                        name
    Origins & DipCon 29                                subtitle, on some pages
    Date June 1, 1996 Place Columbus
    Number of players88 Number of rounds3 Number of boards24
    Coeff 120.00 Coeff 2- Coeff 3-                     `Coeff 1` is 20.00

    RankFirstName LastNameLoc.Nat.Score
    2Leif BERGMAN98.30                                 placement, name, percentile score

A page of a ranking has `Author... Last Update...` under the ranking's name and the same kind of table.
"""

from __future__ import annotations

import re
from datetime import date
from decimal import Decimal

from dippouch.errors import DocumentError
from dippouch.importing.dates import parse_date_span
from dippouch.importing.documents import (
    Document,
    ListedPlayer,
    PublishedRank,
    RankingDocument,
    Result,
    Source,
    TournamentDocument,
)
from dippouch.importing.names import repair_text, split_listed_name

FORM = "wdd-text"

_TABLE_HEAD = re.compile(r"Rank\s*FirstName\s+LastName\s*(Loc\.\s*Nat\.|Nat\.\s*Loc\.)\s*Score", re.IGNORECASE)
_ROW = re.compile(r"(?P<number>\d+)\s*(?P<name>\D.*?)\s*(?P<score>\d+\.\d\d)")
_DATE_PLACE = re.compile(r"Date\s*(?P<date>.+?)\s*Place\s*(?P<place>.*)")
_NUMBERS = re.compile(
    r"Number of players\s*(?P<players>\S*?)\s*Number of rounds\s*(?P<rounds>\S*?)\s*Number of boards\s*(?P<boards>\S*)"
)
_COEFFICIENTS = re.compile(
    r"Coeff 1\s*(?P<one>-|\d+\.\d\d)\s*Coeff 2\s*(?P<two>-|\d+\.\d\d)\s*Coeff 3\s*(?P<three>-|\d+\.\d\d)"
)
_AUTHOR = re.compile(r"Author\s*(?P<author>.+?)\s*Last Update\s*(?P<last_update>.*)")


def recognises(text: str) -> bool:
    """Whether a text is of this form: it has the table's head on a line of its own."""
    return any(_TABLE_HEAD.fullmatch(line.strip()) for line in text.splitlines())


def read(text: str, source: Source) -> list[Document]:
    """The document that the text of one page holds.

    Raises:
        DocumentError: at the first line that cannot be read, or for a header field that is not there.
    """
    lines = [line.strip() for line in text.splitlines()]
    heads = [i for i, line in enumerate(lines) if _TABLE_HEAD.fullmatch(line)]
    if len(heads) != 1:
        raise DocumentError(
            source.path, None, f"{len(heads)} tables", "one table headed `RankFirstName LastName...Score`"
        )
    if any(_AUTHOR.fullmatch(line) for line in lines[: heads[0]]):
        return [_read_ranking(lines, heads[0], source)]
    return [_read_tournament(lines, heads[0], source)]


def _read_tournament(lines: list[str], head: int, source: Source) -> TournamentDocument:
    date_at, dated = _header_line(lines, head, _DATE_PLACE, "Date ... Place ...", "Date", source)
    numbers_at, numbers = _header_line(
        lines, head, _NUMBERS, "Number of players, Number of rounds, Number of boards", "Number of players", source
    )
    coefficients_at, coefficients = _header_line(
        lines, head, _COEFFICIENTS, "Coeff 1, Coeff 2, Coeff 3", "Coeff", source
    )

    title_at = date_at
    while title_at > 0 and lines[title_at - 1]:
        title_at -= 1
    title = lines[title_at:date_at]
    if not 1 <= len(title) <= 2:
        raise DocumentError(
            source.path,
            date_at + 1,
            f"{len(title)} lines of title above the date",
            "the name, and at most one line of subtitle, under a blank line",
        )
    try:
        started_on, ended_on = parse_date_span(dated["date"])
    except ValueError as error:
        raise DocumentError(
            source.path, date_at + 1, f"the date `{dated['date']}` ({error})", "a date such as `August 23-25, 2013`"
        ) from None

    return TournamentDocument(
        source=source,
        name=repair_text(title[0]),
        subtitle=repair_text(title[1]) if len(title) == 2 else None,
        kind=None,
        started_on=started_on,
        ended_on=ended_on,
        place=repair_text(dated["place"]),
        players=_whole_number(numbers["players"], "Number of players", numbers_at, source),
        rounds=_whole_number(numbers["rounds"], "Number of rounds", numbers_at, source),
        boards=_whole_number(numbers["boards"], "Number of boards", numbers_at, source),
        coefficients=(
            _coefficient(coefficients["one"]),
            _coefficient(coefficients["two"]),
            _coefficient(coefficients["three"]),
        ),
        results=[Result(player, number, score) for player, number, score in _rows(lines, head, source)],
        field_lines={
            "name": title_at + 1,
            "started_on": date_at + 1,
            "players": numbers_at + 1,
            "rounds": numbers_at + 1,
            "boards": numbers_at + 1,
            "coefficient_1": coefficients_at + 1,
        },
    )


def _read_ranking(lines: list[str], head: int, source: Source) -> RankingDocument:
    author_at, author = _header_line(lines, head, _AUTHOR, "Author ... Last Update ...", "Author", source)
    name = lines[author_at - 1] if author_at else ""
    if not name:
        raise DocumentError(source.path, author_at + 1, "no line above the author", "the name of the ranking")
    try:
        last_update = date.fromisoformat(author["last_update"])
    except ValueError:
        raise DocumentError(
            source.path, author_at + 1, f"`Last Update` `{author['last_update']}`", "a date such as `2017-08-06`"
        ) from None
    return RankingDocument(
        source=source,
        ranking_name=name,
        author=repair_text(author["author"]),
        last_update=last_update,
        ranks=[PublishedRank(player, number, rating) for player, number, rating in _rows(lines, head, source)],
    )


def _header_line(
    lines: list[str], head: int, pattern: re.Pattern[str], shown: str, start: str, source: Source
) -> tuple[int, dict[str, str]]:
    """The one line above the table that a pattern fits, as (index, named groups)."""
    found = [(i, match.groupdict()) for i, line in enumerate(lines[:head]) if (match := pattern.fullmatch(line))]
    if len(found) == 1:
        return found[0]
    if len(found) > 1:
        raise DocumentError(source.path, found[1][0] + 1, f"a second line of `{shown}`", "one tournament a page")
    near = [i for i, line in enumerate(lines[:head]) if line.startswith(start)]
    if near:
        raise DocumentError(source.path, near[-1] + 1, f"`{lines[near[-1]]}`", f"the header fields `{shown}`")
    raise DocumentError(source.path, None, "no such line above the table", f"the header fields `{shown}`")


def _whole_number(text: str, label: str, index: int, source: Source) -> int:
    if not re.fullmatch(r"\d{1,7}", text) or int(text) == 0:
        raise DocumentError(source.path, index + 1, f"`{label}` `{text}`", "a whole number above 0")
    return int(text)


def _coefficient(text: str) -> Decimal | None:
    return None if text == "-" else Decimal(text)


def _rows(lines: list[str], head: int, source: Source) -> list[tuple[ListedPlayer, int, Decimal]]:
    """The rows of the table: it ends at a blank line, and nothing that looks like a row may come after it."""
    rows = []
    index = head + 1
    while index < len(lines) and lines[index]:
        match = _ROW.fullmatch(lines[index])
        if not match:
            raise DocumentError(
                source.path,
                index + 1,
                f"`{lines[index]}`",
                "a row such as `8Emmanuel DU PONTAVICE90.00` (number, name, score at two decimals)",
            )
        try:
            first_name, last_name = split_listed_name(match["name"])
        except ValueError as error:
            raise DocumentError(
                source.path, index + 1, f"the name `{match['name']}` with {error}", "a name such as `Edi BIRSAN`"
            ) from None
        player = ListedPlayer(match["name"], first_name, last_name, line=index + 1)
        rows.append((player, int(match["number"]), Decimal(match["score"])))
        index += 1
    for later, line in enumerate(lines[index:], start=index):
        if _ROW.fullmatch(line):
            raise DocumentError(
                source.path,
                later + 1,
                f"the row `{line}` after the end of the table",
                "all rows in one table, without blank lines",
            )
    if not rows:
        raise DocumentError(source.path, head + 1, "a table without rows", "at least one row under the table's head")
    return rows
