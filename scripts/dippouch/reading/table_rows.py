"""Turn CSV, pasted text, numbered lists and workbooks into rows of cells; `markup` does the same with the tables of a web page."""

import csv
import io
import re
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from itertools import islice
from pathlib import Path

from dippouch.messages import DocumentError, Location, shortened
from dippouch.reading.documents import Source
from dippouch.reading.table import HEAD_WITHIN, MOST_ROWS, ONE_TABLE, TableRow, columns_in, only_table, skipped
from dippouch.reading.values import heading, words

_SEPARATORS = ",;\t|"
_MOST_COLUMNS = 100
# In bytes, of the parts of a workbook when unpacked.
_LARGEST_XML = 20_000_000

_LONGEST_LINE = 2_000
# A line of a numbered list: `1. Anna Archer`, `=2) Ben Baker`, `3-4. Cleo Cook`, `T5 Dan Dyer`, `6th Eva Ebert`;
# `- Fay Frost` is without a placement, and `12 players` is no such line.
_LISTED = re.compile(
    r"(?![0-9–-]*[0-9]\s)((?:=|T-?)?[0-9]+(?:\.?[–-][0-9]+|[a-zè]{1,3}|[ºª°])?=?|[–—-])[.)]?\s+(.+)", re.IGNORECASE
)
# A tie without a full stop, such as `T2 Ben Baker`, and places beside it: `1 Anna Archer`, `4-5 Dan Dyer`.
_TIED = re.compile(r"(?:(?:=|T-?)[0-9]+|[0-9]+=)\s", re.IGNORECASE)
_BESIDE_TIES = re.compile(r"([0-9]+(?:[–-][0-9]+)?)\s+(.+)")
# A nation after a name: ` (USA)`.
_OF_NATION = re.compile(r" \(([^()]+)\)$")
# A score after a name: `, 112.937 points.`, ` - 512`, ` (512 pts)`.
_SCORED = re.compile(r"[,:;]? (?:[–-] )?\(?(-?[0-9]+(?:[.,][0-9]+)*) ?([^\W\d_]*)\.?\)?$")
_WORKBOOK = "an Excel or OpenDocument workbook (.xlsx, .xls, .ods)"
_RESAVE = "Save a workbook again as .xlsx without a password; export the table of another document; unpack an archive."
_COPY = "Copy the table into a new workbook (paste only the values), and save that."


def csv_rows(lines: Iterable[str], separator: str, path: Path) -> Iterator[TableRow]:
    """Yield the rows of a CSV text, cells stripped."""
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=True)
    line = 1
    try:
        for texts in reader:
            yield TableRow(Location(path, line), [text.strip() for text in texts])
            line = reader.line_num + 1
    except csv.Error as error:
        found, expected = f"a line that is not CSV ({error})", "cells with quotes that match"
        raise DocumentError(Location(path, line), found, expected, 'Double a quote in a cell: "".') from None


def find_separator(text: str, known: Mapping[str, str]) -> str:
    """Return the separator that gives the row with most columns of results; empty if none gives two."""
    lines = [line[:_LONGEST_LINE] for line in text.split("\n", HEAD_WITHIN)[:HEAD_WITHIN]]
    found = {
        # Quotes are irrelevant to find a head, but not to read the table.
        separator: max(len(columns_in([text.strip(' "') for text in line.split(separator)], known)) for line in lines)
        for separator in _SEPARATORS
    }
    return max(found, key=found.__getitem__) if max(found.values()) > 1 else ""


def text_rows(text: str, source: Source, known: Mapping[str, str]) -> tuple[list[TableRow], list[str]]:
    """Return the rows of a CSV text, a text in columns or a numbered list, and no remark."""
    separator = find_separator(text, known)
    spaced = "" if separator else "\n".join(re.sub(" {2,}", "\t", line.strip()) for line in text.split("\n"))
    if find_separator(spaced, known):
        text, separator = spaced, "\t"
    read = [] if separator else _listed_rows(text, source.path)
    separator = separator or max(_SEPARATORS, key=text.count)
    rows = list(islice(read or csv_rows(io.StringIO(text), separator, source.path), MOST_ROWS + 1))
    if len(rows) > MOST_ROWS:
        raise DocumentError(rows[-1].location, f"more than {MOST_ROWS:,} rows", "the standings of one tournament")
    return rows, []


def _listed_rows(text: str, path: Path) -> list[TableRow]:
    """Return a numbered list as a table with four columns, below the lines above its first place; no rows without a list.

    Raises:
        DocumentError: when its places rise and fall, because a numbered line may be a title or a day.
    """
    lines = [line.strip() for line in text.split("\n")]
    forms = (_LISTED, _BESIDE_TIES) if any(map(_TIED.match, lines)) else (_LISTED,)
    entries = (next(filter(None, (form.fullmatch(line) for form in forms)), None) for line in lines)
    cells = [_cells_of(entry) if entry else [line] for entry, line in zip(entries, lines, strict=True)]
    rows = [TableRow(Location(path, number), texts) for number, texts in enumerate(cells, start=1)]
    numbered = [i for i, (place, *name) in enumerate(cells) if name and re.search("[0-9]", place)]
    first = min(numbered, default=0)
    # Python converts thousands of digits to a float, but not to an integer.
    places = [float(re.findall("[0-9]+", cells[i][0])[0]) for i in numbered]
    if sorted(places) not in (places, places[::-1]):
        unsorted = f"places that rise and fall, from `{shortened(lines[first])}` on"
        hint = "Sort the list. Begin a title or a day above it with `#`, `name:` or `date:`."
        raise DocumentError(rows[first].location, unsorted, "a list in the order of its places", hint)
    head = ["placement", "name", "nation_code", "game_score"]
    return [*rows[:first], TableRow(rows[first].location, head), *rows[first:]] if numbered else []


def _cells_of(entry: re.Match[str]) -> list[str]:
    """Return the place, the name, the nation and the score of an entry; a score is a number alone, or with a word for points."""
    # `1st place: Anna Archer`.
    label, colon, named = entry[2].partition(":")
    is_place = colon and words("heading").get(heading(label)) == "placement"
    name, score = " ".join((named if is_place else entry[2]).split()), ""
    found = _SCORED.search(name)
    if found and (not found[2] or words("heading").get(heading(found[2])) == "game_score"):
        name, score = name[: found.start()], found[1]
    nation = _OF_NATION.search(name)
    return [entry[1], *((name[: nation.start()], nation[1]) if nation else (name, "")), score]


def workbook_rows(content: bytes, source: Source, known: Mapping[str, str]) -> tuple[list[TableRow], list[str]]:
    """Return the rows of the only visible sheet with a table of results, and a remark on other sheets."""
    _check_archive(content, source)
    try:
        sheets, hidden = _sheets(content, source)
    except (DocumentError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:  # noqa: BLE001 (a panic of the library is no Exception)
        raise source.fault(f"no workbook, or a damaged one ({shortened(str(error))})", _WORKBOOK, _RESAVE) from None
    rows, others = only_table(sheets, "sheets", source, known)
    return rows, skipped("sheets", [f"`{shortened(name)}`" for name in (*others, *hidden)])


def _sheets(content: bytes, source: Source) -> tuple[dict[str, list[TableRow]], list[str]]:
    """Return the rows of every visible sheet by its name, and the names of the hidden ones."""
    from python_calamine import CalamineWorkbook, SheetVisibleEnum

    sheets: dict[str, list[TableRow]] = {}
    hidden = []
    with CalamineWorkbook.from_filelike(io.BytesIO(content)) as workbook:
        for sheet in workbook.sheets_metadata:
            if sheet.visible != SheetVisibleEnum.Visible:
                hidden.append(sheet.name)
                continue
            found = workbook.get_sheet_by_name(sheet.name)
            if found.end and (found.end[0] >= MOST_ROWS or found.end[1] >= _MOST_COLUMNS):
                size = f"more than {MOST_ROWS:,} rows or {_MOST_COLUMNS} columns, with the empty ones"
                raise source.fault(size, ONE_TABLE, _COPY)
            cells = enumerate(found.to_python(skip_empty_area=False), start=1)
            sheets[sheet.name] = [
                TableRow(Location(source.path, n), [_text(v) for v in row], in_sheet=True) for n, row in cells
            ]
    return sheets, hidden


def _check_archive(content: bytes, source: Source) -> None:
    """Check that a workbook fits into memory when unpacked; old Excel files are not packed."""
    if not content.startswith(b"PK"):
        return
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = [file for file in archive.infolist() if file.filename.endswith((".xml", ".rels", ".bin"))]
            if (size := sum(file.file_size for file in files)) > _LARGEST_XML:
                raise source.fault(f"{size:,} bytes when unpacked", ONE_TABLE, _COPY)
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, NotImplementedError, OSError, RuntimeError):
        raise source.fault("no workbook inside", _WORKBOOK, _RESAVE) from None


def _text(value: object) -> str:
    """Return a cell's value as text: days as 2013-08-23, whole numbers without a decimal point."""
    if isinstance(value, datetime) and value.time() == datetime.min.time():
        value = value.date()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()
