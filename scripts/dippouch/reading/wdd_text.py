"""The formats `wdd-text` and `wdd-tabs`: a World Diplomacy Database page as text.

In `wdd-text` cells of the table have no separators, nor do the fields above it (`Number of players88`, `Coeff 120.00` is `Coeff 1`
20.00):

    RankFirstName LastNameLoc.Nat.Score
    2Leif BERGMAN98.30                                 placement, name, percentile score

In `wdd-tabs`, copied out of a browser, tabs separate the cells. Flags are images and leave empty cells, so neither format has nations:

    Rank	FirstName LastName	Loc.	Nat.	Score
    2	Leif BERGMAN			98.30

The page of a player of the rating has a table of tournaments. Without separators, the printed percentile score tells where the name of the
tournament, the rank, the number of players and the value end:

    DateCountryName of the tournamentRankCoeff1Score
    2019-09-01World DipCon XXIX 20196/3820.0085.53     day, tournament, 6th of 38 players, value, percentile score
"""

import re
from decimal import Decimal
from itertools import product

from dippouch.messages import DocumentError, Faults, Location, shortened
from dippouch.reading.context import Context
from dippouch.reading.documents import Document, Source
from dippouch.reading.table import Columns, TableRow, read_columns, skipped
from dippouch.reading.wdd_page import PLAYERS, RATED_TOURNAMENTS, Kind, Line, WddPage, kind_of

_TABLE_HEAD = re.compile(r"Rank\s*FirstName\s+LastName\s*(Loc\.\s*Nat\.|Nat\.\s*Loc\.)\s*Score", re.IGNORECASE)
_CAREER_HEAD = re.compile(r"Date\s*Country\s*Name of the tournament\s*Rank\s*Coeff\s?1\s*Score", re.IGNORECASE)
# Tables of others may have the same headings, but no such field.
_ONLY_ON_PAGES = re.compile("FirstName|Coeff ?1|Last Update", re.IGNORECASE)
# A score must start at the first digit: otherwise the time would be quadratic in the number of digits.
# A director who played is listed without a number, and without a score.
_TEXT_ROW = re.compile(r"(?P<number>[0-9]*)\s*(?P<name>[^0-9].*?)\s*(?P<score>(?<![0-9])[0-9]+\.[0-9]{2})?")
_CAREER_ROW = re.compile(r"(\d{4}-\d\d-\d\d)\s*(.*?)(\d{1,7})/(\d{1,9})\.(\d\d)(\d{1,3}\.\d\d)")
_ONE_TABLE = "one table headed `Rank`, `FirstName LastName`, ... `Score`, or `Date`, `Country`, ... `Coeff1`, `Score`"
_EXPECTED = "a row such as `8Emmanuel DU PONTAVICE90.00` or `8<tab>Emmanuel DU PONTAVICE`: number, name, score"
_CAREER = ("date", "tournament", "placement", "published_value", "published_score")
_EXPECTED_CAREER = (
    "a row such as `2019-09-01World DipCon XXIX 20196/3820.0085.53`: day, tournament, rank/players, value, and the percentile score of"
    " that rank; or with tabs between them"
)


def detect(text: str) -> str:
    """Return the format of a text, by the lines that are the head of a table; empty if it is no such page."""
    heads = [line for line in text.split("\n") if _kind(line)]
    if all("\t" in line for line in heads):
        return "wdd-tabs" if heads and _ONLY_ON_PAGES.search(text) else ""
    return "wdd-text"


def read(text: str, source: Source, context: Context) -> Document:
    """Read the document of a page's text, in either format."""
    lines = [TableRow(Location(source.path, number), [line]) for number, line in enumerate(text.split("\n"), start=1)]
    heads = [(i, kind) for i, line in enumerate(lines) if (kind := _kind(line.texts[0]))]
    if len(heads) != 1:
        raise source.fault(f"{len(heads)} tables", _ONE_TABLE)
    at, kind = heads[0]
    head = lines[at].texts[0]
    if "\t" in head:
        columns = read_columns(TableRow(lines[at].location, head.split("\t")), kind.columns)
    else:
        names = ("placement", "name", "published_score") if kind is PLAYERS else _CAREER
        columns = Columns(lines[at], {name: i for i, name in enumerate(names)}, len(names))
    above = [Line(line.location, " ".join(line.texts[0].split()), bool(line.texts[0].strip())) for line in lines[:at]]
    end = next((i for i in range(at + 1, len(lines)) if not lines[i].texts[0].strip()), len(lines))
    faults = Faults()
    rows = []
    for line in lines[at + 1 : end]:
        if row := _row(line, columns, kind):
            rows.append(row)
        else:
            expected = _EXPECTED if kind is PLAYERS else _EXPECTED_CAREER
            faults.add(DocumentError(line.location, f"`{shortened(line.texts[0])}`", expected))
    if end == at + 1:
        faults.add(DocumentError(lines[at].location, "a table without rows", "at least one row under the headings"))
    below = [line for line in lines[end:] if line.texts[0].strip()]
    for line in below:
        row = _row(line, columns, kind)
        if row and columns.text(row, "placement").isdigit() and columns.text(row, "published_score"):
            found = f"the row `{shortened(line.texts[0])}` after the end of the table"
            faults.add(DocumentError(line.location, found, "all rows in one table, without blank lines"))
    shown = [f"`{shortened(line.texts[0].strip())}` ({line.location.in_file})" for line in below]
    remarks = [*columns.remarks, *skipped("lines below the table", shown)]
    return kind.read(WddPage(source, context, above, columns, rows, remarks, faults))


def _kind(line: str) -> Kind | None:
    """Return the kind of page whose table has its head in a line; None for any other line."""
    if "\t" in line:
        return kind_of(line.split("\t"))
    if _CAREER_HEAD.fullmatch(line.strip()):
        return RATED_TOURNAMENTS
    return PLAYERS if _TABLE_HEAD.fullmatch(line.strip()) else None


def _row(line: TableRow, columns: Columns, kind: Kind) -> TableRow | None:
    """Return the cells of a line; None if it is no row of the table."""
    text = line.texts[0]
    if len(columns.head.texts) == 1 and kind is RATED_TOURNAMENTS:
        cells = _career_cells(text)
    elif len(columns.head.texts) == 1:
        # Several blanks equal one, but make the pattern slow.
        match = _TEXT_ROW.fullmatch(" ".join(text.split()))
        cells = list(match.groups(default="")) if match and bool(match["number"]) == bool(match["score"]) else []
    else:
        cells = [cell.strip() for cell in text.split("\t")]
    row = TableRow(line.location, cells)
    has_subject = any(columns.text(row, name) for name in kind.subjects)
    return row if has_subject and not any(cells[columns.width :]) else None


def _career_cells(text: str) -> list[str]:
    """Return the cells of a tournament of a player; none unless just one split fits the printed percentile score."""
    match = _CAREER_ROW.fullmatch(" ".join(text.split()))
    if match is None:
        return []
    day, name, digits, joined, decimals, score = match.groups()
    found = []
    for of_rank, of_players in product(range(1, len(digits) + 1), range(1, len(joined))):
        rank, players, value = digits[-of_rank:], joined[:of_players], joined[of_players:]
        is_written = not any(len(number) > 1 and number.startswith("0") for number in (rank, players, value))
        is_possible = is_written and 1 <= int(rank) <= int(players) and int(value) <= 100
        if is_possible and _is_percentile(Decimal(score), int(rank), int(players)):
            tournament = f"{name}{digits[:-of_rank]}".strip()
            found.append([day, tournament, f"{rank}/{players}", f"{value}.{decimals}", score])
    return found[0] if len(found) == 1 else []


def _is_percentile(score: Decimal, rank: int, players: int) -> bool:
    """Return whether a printed score is the percentile score of a rank, at two decimals, so that it tells where the rank ends."""
    return abs((players + Decimal("0.5") - rank) / players * 100 - score) <= Decimal("0.005")
