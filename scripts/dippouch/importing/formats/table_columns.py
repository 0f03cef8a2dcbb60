"""The columns of a table by name: the meaning of each heading, and skipped columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from dippouch.errors import DocumentError, Faults
from dippouch.ids import readable_id_or_empty
from dippouch.importing.formats.cells import Cell, Record, listed
from dippouch.importing.formats.headings import (
    LAST_NAME_FIRST,
    LAST_NAME_PARTS,
    NUMBERS,
    PEOPLE,
    POINTS,
    SLIP,
    TOURNAMENT,
    column_like,
    column_of,
)
from dippouch.importing.parsing.words import heading, words
from dippouch.names import shortened

# The expected content of a sheet, and advice on a second table in it.
ONE_TABLE = "one table with the standings of one tournament"
OTHER_TABLE = (
    "Another tournament needs a file of its own, or one table for all with a column `Tournament`,"
    " and `Date`, `Players` and `Rounds` beside it."
)
_FACTS = words("fact")
CALL_SO = "Give the column this name, or a quite different one."


@dataclass(frozen=True)
class Columns:
    """The columns of a table by the names that this project knows.

    Attributes:
        head: the row of headings.
        index: the position of each column.
        width: the number of columns.
        remarks: notes to the rating keeper on how the headings were read.
        guessed: the column of names that was taken for first or last names because the others have a column, and those others.
    """

    head: Record
    index: Mapping[str, int]
    width: int
    remarks: tuple[str, ...] = ()
    guessed: tuple[str, str] | None = None

    def cell(self, record: Record, name: str) -> Cell:
        """Return the cell of a record in a named column, a last name with all its parts; an empty one if there is no such column."""
        cell = record.cell(self.index.get(name))
        return cell._replace(text=self.text(record, name)) if self._is_divided(name) else cell

    def text(self, record: Record, name: str) -> str:
        """Return the text of that cell, for uses without its place."""
        i = self.index.get(name)
        text = record.texts[i] if i is not None and i < len(record.texts) else ""
        if text and self._is_divided(name):
            before, behind = (self.text(record, part) for part in LAST_NAME_PARTS)
            return f"{before} {text} {behind}".strip()
        return text

    def _is_divided(self, name: str) -> bool:
        """Return whether parts of a last name have columns of their own."""
        return name == "last_name" and not self.index.keys().isdisjoint(LAST_NAME_PARTS)

    @property
    def has_names(self) -> bool:
        """Return whether a column of names can be read."""
        return not self.index.keys().isdisjoint(PEOPLE)

    def without_names(self) -> Columns:
        """Return the other columns, if the names cannot be read."""
        return replace(self, index={name: i for name, i in self.index.items() if name not in PEOPLE}, guessed=None)

    def heading(self, name: str) -> str:
        """Return the document's heading of a named column."""
        return shortened(self.head.texts[self.index[name]])

    @cached_property
    def has_last_name_first(self) -> bool:
        """Return whether the heading of whole names puts the last name first."""
        return "name" in self.index and heading(self.head.texts[self.index["name"]]) in LAST_NAME_FIRST

    @property
    def read_as(self) -> tuple[tuple[str, str], ...]:
        """Return the recognised headings in order, each with the column that it was read as."""
        return tuple((self.heading(name), name) for name in sorted(self.index, key=self.index.__getitem__))

    @cached_property
    def unnamed(self) -> list[int]:
        """Return the columns between others that have no heading."""
        return [i for i, text in enumerate(self.head.texts[: self.width]) if not text]

    def check_width(self, record: Record) -> None:
        """Check that a record has a cell for every column, and no others."""
        beside = next((i for i in range(self.width, len(record.texts)) if record.texts[i]), None)
        if beside is not None and record.in_sheet:
            cell = record.cell(beside)
            raise cell.fault(
                f"`{shortened(cell.text)}` beside the table",
                "nothing right of the last heading",
                "Empty the cell, or give its column a heading.",
            )
        # A sheet does not store empty cells at the end of a row.
        if beside is not None or (len(record.texts) < self.width and not record.in_sheet):
            raise DocumentError(
                record.location,
                f"{len(record.texts)} cells",
                f"{self.width}, one for each heading",
                "A cell with the separator in it needs quotes around it; a remark begins with `#`.",
            )

    def check_names(self, record: Record) -> None:
        """Check that names are only in columns with headings of names, and each in its own."""
        for i in self.unnamed:
            cell = record.cell(i)
            if cell.text and i - 1 in {self.index.get(name) for name in PEOPLE}:
                raise cell.fault(
                    f"`{shortened(cell.text)}` in a column without a heading, beside `{shortened(self.head.texts[i - 1])}`",
                    "a heading for every column beside the names, such as `first_name` and `last_name`",
                )
        for name in PEOPLE:
            text = self.text(record, name)
            if text and not text[0].isalpha() and not any(c.isalpha() for c in text) and any(c.isdigit() for c in text):
                cell = self.cell(record, name)
                raise cell.fault(
                    f"`{shortened(cell.text)}` in `{self.heading(name)}`, which is read as `{name}`",
                    "names",
                    "Rename a column with other content; begin a row that is not a player with `#`.",
                )
        if self.guessed is None:
            return
        cell, other = (self.cell(record, name) for name in self.guessed)
        words, others = (set(readable_id_or_empty(c.text[:200]).split("-")) for c in (cell, other))
        if other.text and others < words:
            raise cell.fault(
                f"`{shortened(cell.text)}` with `{shortened(other.text)}` in it, which `{self.heading(self.guessed[1])}` has, too",
                f"in `{self.heading(self.guessed[0])}` only the {self.guessed[0].replace('_', ' ')}s",
                f"Delete the column `{self.heading(self.guessed[1])}` when the other has whole names; call them"
                " `first_name` and `last_name` when it has not.",
            )


def read_columns(record: Record, known: Mapping[str, str], faults: Faults, under: Sequence[Record] = ()) -> Columns:
    """Return the columns that a row of headings names. Unknown headings are skipped with a remark.

    Faults of the headings are gathered; then the columns only serve to find faults in the rows.

    Args:
        record: the row of headings.
        known: the columns, by their names.
        faults: gathers the faults.
        under: the rows below, which tell names from numbers of players: `Teilnehmer` means both.
    """
    found = [column_of(text, known) for text in record.texts]
    if found.count("name") > 1 or "players" in known.values():
        found = [
            ("players" if "players" in known.values() else None)
            if column == "name" and _is_of_counts(record, i, under)
            else column
            for i, column in enumerate(found)
        ]
    if any(column == "placement" and heading(record.texts[i]) not in NUMBERS for i, column in enumerate(found)):
        found = [None if heading(text) in NUMBERS else column for text, column in zip(record.texts, found, strict=True)]
    index: dict[str, int] = {}
    twice = {column: position for position, column in enumerate(found) if column and column in found[:position]}
    between = {column: record.texts[found.index(column) : position] for column, position in twice.items()}
    if ("placement" in twice and not twice.keys().isdisjoint(PEOPLE)) or any("" in texts for texts in between.values()):
        faults.add(record.cell(min(twice.values())).fault("a second table beside the first", ONE_TABLE, OTHER_TABLE))
        twice = {}
    for position, column in enumerate(found):
        if column is not None:
            index.setdefault(column, position)
    for column, position in twice.items():
        faults.add(
            record.cell(position).fault(
                f"the heading `{shortened(record.texts[position])}` after `{record.texts[index[column]]}`",
                f"one column for `{column}`",
                "Remove one.",
            )
        )
    strange = [record.cell(i) for i, column in enumerate(found) if column is None and record.texts[i]]
    missing = {word: column for word, column in known.items() if column not in {*index, TOURNAMENT}}
    for position, column in enumerate(found):
        cell = record.cell(position)
        if column is None and cell.text and (slip := column_like(cell.text, missing, SLIP)):
            faults.add(cell.fault(f"the heading `{shortened(cell.text)}`", f"`{slip}`", CALL_SO))
            index.setdefault(slip, position)
    width = max((i + 1 for i, text in enumerate(record.texts) if text), default=0)
    columns = Columns(record, index, width)
    columns = replace(columns, remarks=tuple(_remarks_on_headings(columns, strange, missing)))
    with faults.gathered():
        return _with_names_told_apart(columns, strange) if "first_name" in known else columns
    return columns.without_names()


def _is_of_counts(head: Record, position: int, under: Sequence[Record]) -> bool:
    """Return whether a heading that means names or the number of players has only numbers below it."""
    cells = [record.texts[position] for record in under if len(record.texts) > position and record.texts[position]]
    return _FACTS.get(heading(head.texts[position])) == "players" and bool(cells) and all(map(str.isdecimal, cells))


def _remarks_on_headings(columns: Columns, strange: list[Cell], missing: Mapping[str, str]) -> Iterator[str]:
    if "placement" in columns.index and heading(columns.head.texts[columns.index["placement"]]) in NUMBERS:
        yield f"`{columns.heading('placement')}` is read as the placement"
    if columns.has_last_name_first and columns.index.keys().isdisjoint(PEOPLE[:2]):
        yield f"`{columns.heading('name')}` has the last name first"
    aside = []
    for cell in strange:
        why = ""
        if heading(cell.text) in POINTS:
            why = " (no percentile score; such a column is headed `published_score`)"
        elif meant := column_like(cell.text, missing):
            why = f" (did you mean `{meant}`?)"
        aside.append(f"`{shortened(cell.text)}`{why}")
    if aside:
        yield f"columns skipped: {listed(aside, 20)}"
    if columns.unnamed:
        yield f"skipped without a heading: column {', '.join(str(i + 1) for i in columns.unnamed)}"


def _with_names_told_apart(columns: Columns, strange: list[Cell]) -> Columns:
    """Resolve ambiguous columns of names: beside first names, `Name` holds the last ones (Name, Vorname), and vice versa."""
    index = dict(columns.index)
    there = next((name for name in ("first_name", "last_name", *LAST_NAME_PARTS) if name in index), None)
    absent = next((name for name in ("last_name", "first_name") if name not in index), None)
    if not (there and absent):
        if "name" not in index or "last_name" not in index:
            return columns
        remark = f"`{columns.heading('name')}` is used only where `{columns.heading('last_name')}` is blank"
        return replace(columns, remarks=(*columns.remarks, remark))
    words = absent.replace("_", " ")
    if "name" not in index or there not in PEOPLE:
        among = f"; among {listed([f'`{shortened(cell.text)}`' for cell in strange], 20)}?" if strange else ""
        raise columns.cell(columns.head, there).fault(
            f"the heading `{columns.heading(there)}` and none of the {words}s{among}",
            f"a column `{absent}` beside it",
            f"Call the column of the {words}s `{absent}`; a column with whole names is called `name`.",
        )
    index[absent] = index.pop("name")
    remark = f"`{shortened(columns.head.texts[index[absent]])}` is read as the {words}, because `{columns.heading(there)}` is there"
    return replace(columns, index=index, guessed=(absent, there), remarks=(*columns.remarks, remark))
