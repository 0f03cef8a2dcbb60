"""Tables: rows of cells with their places, and the columns that a row of headings names."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from dippouch.messages import DocumentError, Faults, Location, UserError, listed, shortened
from dippouch.reading.documents import Source
from dippouch.reading.values import heading, words

T = TypeVar("T")

NAME_COLUMNS = ("first_name", "last_name", "name")

# The head of a table is among the first rows, and its required columns are among the first ones.
HEAD_WITHIN = 200
_MOST_HEADINGS = 100
# With empty rows.
MOST_ROWS = 20_000
ONE_TABLE = "one table with the standings of one tournament"


class Cell(NamedTuple):
    """A cell's text and place."""

    text: str
    location: Location

    def fault(self, found: str, expected: str, hint: str = "") -> DocumentError:
        """Return the error for a fault in this cell."""
        return DocumentError(self.location, found, expected, hint)

    def parsed(self, label: str, parse: Callable[[str], T], hint: str = "") -> T:
        """Parse the text; raise a parser's error as a fault of this cell."""
        try:
            return parse(self.text)
        except ValueError as error:
            raise self.fault(f"{label} `{shortened(self.text)}`", str(error), hint) from None

    def read(self, label: str, parse: Callable[[str], T | None], faults: Faults, hint: str = "") -> T | None:
        """Parse the text; gather a parser's error as a fault of this cell, and return None."""
        with faults.gathered():
            return self.parsed(label, parse, hint)
        return None


@dataclass(frozen=True, slots=True)
class TableRow:
    """A row of a table: its place and its cells, stripped; `in_sheet` for cells with names such as B3."""

    location: Location
    texts: Sequence[str]
    in_sheet: bool = False

    def cell(self, index: int | None) -> Cell:
        """Return the cell in a column; an empty one if the row has no such column."""
        text = self.texts[index] if index is not None and index < len(self.texts) else ""
        if index is None or not self.in_sheet:
            return Cell(text, self.location)
        return Cell(text, self.location._replace(place=f"cell {_letters(index)}{self.location.line}"))

    @property
    def filled(self) -> list[Cell]:
        """Return the cells with text."""
        return [self.cell(i) for i, text in enumerate(self.texts) if text]

    @property
    def is_remark(self) -> bool:
        """Return whether the row begins with `#`, which alone in its cell is the heading of a column."""
        filled = [text for text in self.texts if text]
        return bool(filled) and filled[0].startswith("#") and (filled[0] != "#" or len(filled) == 1)


def _letters(index: int) -> str:
    """Return the name of a sheet's column, counted from 0: A, B, ..., AA."""
    before, last = divmod(index, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)


def skipped(what: str, texts: Sequence[str]) -> list[str]:
    """Return the remark on skipped rows, columns or cells, with their number; none without any."""
    return [f"{what} skipped ({len(texts)}): {listed(texts)}"] if texts else []


def stated_columns(stated: Iterable[str]) -> dict[str, str]:
    """Parse options such as `Rang=placement` to columns by their normalized headings, empty for `Seed=-`.

    Raises:
        UserError: for another text, or an unknown column.
    """
    found = {}
    known = {*words("heading").values(), *words("label").values(), "player_id", "-"}
    for text in stated:
        label, _, column = text.rpartition("=")
        if not heading(label) or column not in known:
            expected = f"HEADING=COLUMN, with one of the columns {', '.join(sorted(known))}"
            raise UserError(f"option --column: found `{shortened(text)}`; expected {expected}")
        found[heading(label)] = "" if column == "-" else column
    return found


def columns_in(texts: Sequence[str], known: Mapping[str, str]) -> set[str]:
    """Return the columns that headings name."""
    return {column for text in texts[:_MOST_HEADINGS] if (column := known.get(heading(text)))}


def find_head(rows: Sequence[TableRow], known: Mapping[str, str]) -> int | None:
    """Return the index of the first row with headings of placements and people; None without one."""
    for i, row in enumerate(rows[:HEAD_WITHIN]):
        found = columns_in(row.texts, known)
        if "placement" in found and not found.isdisjoint(NAME_COLUMNS) and not row.is_remark:
            return i
    return None


def only_table(
    tables: Mapping[str, list[TableRow]], what: str, source: Source, known: Mapping[str, str]
) -> tuple[list[TableRow], list[str]]:
    """Return the rows of the only table of results, and the names of the others with text; without one, the rows of all."""
    for row in (row for rows in tables.values() for row in rows):
        if (longest := max(map(len, row.texts), default=0)) > csv.field_size_limit():
            found_cell = f"a cell of {longest:,} characters"
            raise DocumentError(row.location, found_cell, f"cells of at most {csv.field_size_limit():,}, as in CSV")
    found = [name for name, rows in tables.items() if find_head(rows, known) is not None]
    if len(found) > 1:
        raise source.fault(f"{len(found)} {what} with tables of results ({', '.join(found)})", ONE_TABLE)
    if not found:
        return [row for rows in tables.values() for row in rows], []
    others = [name for name, rows in tables.items() if name != found[0] and any(any(row.texts) for row in rows)]
    return tables[found[0]], others


def no_head(rows: Sequence[TableRow], known: Mapping[str, str], source: Source) -> DocumentError:
    """Return the error for rows without the head of a table of results, at the row most like one."""
    expected = "a row of headings with `placement`, and `name` or `last_name`"
    hint = 'State what a heading means: --column "HEADING=placement" --column "HEADING=name".'
    near, most = None, 0
    for row in rows[:HEAD_WITHIN]:
        count, filled = len(columns_in(row.texts, known)), row.filled
        # A fact and its value are not headings: `name` and `WAC 6 2009`.
        is_like = count > most and count + len(filled) - (heading(filled[0].text) in words("label")) > 2
        if is_like and not row.is_remark:
            near, most = row, count
    if near:
        absent = known.keys() - words("heading").keys() - set(map(heading, near.texts))
        headings = listed([f"`{shortened(cell.text)}`" for cell in near.filled], 20)
        headings += f", but not `{'`, `'.join(sorted(absent))}`" if absent else ""
        if "tournament_id" in map(heading, near.texts):
            hint = "A row for each tournament belongs in tournaments.csv, its results in results.csv beside it."
        return DocumentError(near.location, f"the headings {headings}", expected, hint)
    first = next((text for row in rows for text in row.texts if text), "")
    separated = "with a comma, a tab or two blanks between columns, or a list: `1. Ann Lee`"
    hint = f"Write headings above the rows, {separated}. `dptr template empty.csv` writes a table to fill in."
    return source.fault(f"no headings of a table (it begins with `{shortened(first)}`)", expected, hint)


@dataclass(frozen=True)
class Columns:
    """The columns of a table by the names that this project knows.

    Attributes:
        head: the row of headings.
        index: the position of each column.
        width: the number of columns.
    """

    head: TableRow
    index: Mapping[str, int]
    width: int

    def cell(self, row: TableRow, name: str) -> Cell:
        """Return the cell of a row in a named column; an empty one if there is no such column."""
        return row.cell(self.index.get(name))

    def text(self, row: TableRow, name: str) -> str:
        """Return the text of that cell, for uses without its place."""
        return self.cell(row, name).text

    @property
    def read_as(self) -> tuple[tuple[str, str], ...]:
        """Return the known headings in order, each with the column that it was read as."""
        named = sorted(self.index.items(), key=lambda item: item[1])
        return tuple((shortened(self.head.texts[i]), name) for name, i in named)

    @property
    def remarks(self) -> list[str]:
        """Return the remark on columns that are not read."""
        unknown = (text for i, text in enumerate(self.head.texts) if text and i not in self.index.values())
        return skipped("columns", [f"`{shortened(text)}`" for text in unknown])

    def check_width(self, row: TableRow) -> None:
        """Check that a row has a cell for every column, and no others."""
        beside = next((i for i in range(self.width, len(row.texts)) if row.texts[i]), None)
        # A sheet does not store empty cells at the end of a row.
        if beside is not None or (len(row.texts) < self.width and not row.in_sheet):
            expected = f"{self.width}, one for each heading"
            hint = "Give each column a heading. A cell with the separator in it needs quotes; a remark begins with `#`."
            if beside is None:
                hint = "Every row needs all cells: blanks cannot mark an empty one. A remark begins with `#`."
            if not row.location.line:
                hint = "Merged cells of a page are not read. Copy its table into a workbook, and fill in every cell."
            raise row.cell(beside).fault(f"{len(row.texts)} cells", expected, hint)


def read_columns(head: TableRow, known: Mapping[str, str]) -> Columns:
    """Return the columns that a row of headings names.

    With a column of first names, `Name` means last names, and with a column of last names it means first names.

    Raises:
        DocumentError: for two headings of one column, and for first names without last names or the other way round.
    """
    faults = Faults()
    index: dict[str, int] = {}
    for position, text in enumerate(head.texts):
        column = known.get(heading(text))
        if column and column in index:
            found = f"the heading `{shortened(text)}` after `{shortened(head.texts[index[column]])}`"
            hint = f'Remove one, or ignore it: --column "{shortened(text)}=-".'
            faults.add(head.cell(position).fault(found, f"one column for `{column}`", hint))
        elif column:
            index[column] = position
    for there, absent in (("first_name", "last_name"), ("last_name", "first_name")):
        if there in index and absent not in index and "name" in index:
            index[absent] = index.pop("name")
        elif there in index and absent not in index:
            hint = f'State which column has them: --column "HEADING={absent}". A column `name` has whole names.'
            found = f"`{shortened(head.texts[index[there]])}` without `{absent}`"
            faults.add(head.cell(index[there]).fault(found, "both, or `name`", hint))
    faults.raise_any()
    return Columns(head, index, max((i + 1 for i, text in enumerate(head.texts) if text), default=0))


def split_table(
    rows: Sequence[TableRow], known: Mapping[str, str], source: Source, faults: Faults
) -> tuple[Sequence[TableRow], Columns, Sequence[TableRow]]:
    """Return the rows above the head of the only table, its columns, and the rows under it.

    Faults are gathered, such as a second table.

    Raises:
        DocumentError: without a head, or with faults in it.
    """
    at = find_head(rows, known)
    if at is None:
        raise no_head(rows, known, source)
    columns, under = read_columns(rows[at], known), rows[at + 1 :]
    hint = "Other tournaments need files of their own, or tournaments.csv and results.csv in one folder."
    if (second := find_head(under, known)) is not None:
        faults.add(under[second].filled[0].fault("a second table under the first", ONE_TABLE, hint))
        under = under[:second]
    if len(names := {text for row in under if (text := columns.text(row, "tournament"))}) > 1:
        faults.add(columns.cell(rows[at], "tournament").fault(f"{len(names)} tournaments", ONE_TABLE, hint))
    return rows[:at], columns, under
