"""What the formats with tables share: cells that know where they stand, headings, columns by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple, TypeVar

from openpyxl.cell.cell import ERROR_CODES
from openpyxl.utils import get_column_letter
from rapidfuzz import fuzz, process

from dippouch.errors import DocumentError, Faults, Location
from dippouch.ids import readable_id_or_empty
from dippouch.names import shortened

T = TypeVar("T")

# The columns of a table of results, and what else they are called.
RESULT_COLUMNS: Mapping[str, tuple[str, ...]] = {
    "placement": tuple(
        "rank position pos ranking place # no nr num final_rank final_ranking final_place final_position final_placement"
        " final_standing final_standings standing standings finish finishing_position overall_rank overall_place platz"
        " platzierung rang classement plaats posizione posicion posicao posto puesto lugar miejsce poradi placering"
        " plassering sija mesto".split()
    ),
    "first_name": tuple(
        "firstname first fname forename forenames given given_name given_names givenname christian_name vorname vornamen"
        " prenom prenoms prenome voornaam imie jmeno fornamn fornavn etunimi".split()
    ),
    "last_name": tuple(
        "lastname last lname surname surnames family family_name familyname nachname familienname nom_de_famille cognome"
        " apellido apellidos sobrenome achternaam nazwisko prijmeni efternamn efternavn etternavn sukunimi".split()
    ),
    "name": tuple(
        "full_name fullname player player_name player_full_name players_name participant competitor nom nome nombre"
        " nom_complet nome_completo nombre_completo naam joueur spieler giocatore jugador jogador speler spelare spiller"
        " gracz hrac igrac pelaaja teilnehmer".split()
    ),
    "nation_code": tuple(
        "nation nationality country nat country_code nation_of_player nationality_code land pays paese pais kraj staat"
        " nationalite nazione nazionalita nacionalidad nacionalidade nationalitat nationaliteit nationalitet nac"
        " narodowosc zeme".split()
    ),
    "location_code": ("location", "loc"),
    "wdd_id": ("wdd_player_id", "id_player"),
    "published_score": ("percentile", "percentile_score"),
}

# Headings of a running number as often as of the placement: taken for it where no other heading is.
_NUMBERS = frozenset({"#", "no", "nr", "num"})
_PEOPLE = frozenset({"first_name", "last_name", "name"})
_POINTS = frozenset({"score", "scores", "points", "pts", "total", "total_score", "total_points", "punkte"})

# How alike a strange heading must be to one that is missing, of 100, to be taken for a slip of the pen, and to be asked about.
_SLIP, _ALIKE = 85, 75
# Short words are alike by chance.
_SHORTEST_COMPARED, _LONGEST_HEADING = 5, 60
# What a table needs stands among its first columns.
_MOST_HEADINGS = 100

# More than that nobody mends before trying again.
MOST_FAULTS = 50

AS_REMARK = "Delete the row, or begin it with `#` when it is a remark."


class FirstFaults(Faults):
    """The first faults of a document, as many as somebody will read at once: the last of them ends it."""

    def add(self, error: DocumentError) -> None:
        """Keep a document error.

        Raises:
            DocumentError: the first one with the others, when there are enough of them.
        """
        super().add(error)
        if len(self._found) >= MOST_FAULTS:
            self.raise_any()


class Cell(NamedTuple):
    """A cell's text and where it stands."""

    text: str
    location: Location

    def fault(self, found: str, expected: str, hint: str = "") -> DocumentError:
        """The error of a document with something wrong in this cell."""
        return DocumentError(self.location, found, expected, hint)

    def parsed(self, label: str, parse: Callable[[str], T]) -> T:
        """What a parser makes of the text.

        Raises:
            DocumentError: for the parser's ValueError, whose message says what was expected.
        """
        try:
            return parse(self.text)
        except ValueError as error:
            raise self.fault(f"{label} `{shortened(self.text)}`", str(error)) from None


@dataclass(frozen=True)
class Record:
    """A row of a table: its location and its cells, stripped; `in_sheet` when cells have names such as B3."""

    location: Location
    texts: list[str]
    in_sheet: bool = False

    def cell(self, index: int | None) -> Cell:
        """The cell in a column; an empty one in a column that there is not."""
        if index is None:
            return Cell("", self.location)
        text = self.texts[index] if index < len(self.texts) else ""
        if not self.in_sheet:
            return Cell(text, self.location)
        place = f"cell {get_column_letter(index + 1)}{self.location.line}"
        return Cell(text, self.location._replace(place=place))

    @property
    def filled(self) -> list[Cell]:
        """The cells with text."""
        return [self.cell(i) for i, text in enumerate(self.texts) if text]

    @property
    def is_blank(self) -> bool:
        """Whether no cell has text."""
        return not any(self.texts)

    @property
    def is_remark(self) -> bool:
        """Whether it begins with `#`, and not with a number (`#3`) or with what a spreadsheet writes for an error."""
        first = next((text for text in self.texts if text), "")
        return first.startswith("#") and first not in ERROR_CODES and not first[1:].isdecimal()


@dataclass(frozen=True)
class Columns:
    """The columns of a table by the names that this project knows.

    Attributes:
        head: the row of headings.
        index: where each column is.
        width: how many columns there are.
        remarks: what the rating keeper should know of how the headings were read.
        guessed: the column of names that was taken for first or last names because the other ones are there, and those.
    """

    head: Record
    index: Mapping[str, int]
    width: int
    remarks: tuple[str, ...] = ()
    guessed: tuple[str, str] | None = None

    def cell(self, record: Record, name: str) -> Cell:
        """The cell of a record in a named column; an empty one when the table has no such column."""
        return record.cell(self.index.get(name))

    def text(self, record: Record, name: str) -> str:
        """The text of that cell, where no message needs its place."""
        i = self.index.get(name)
        return record.texts[i] if i is not None and i < len(record.texts) else ""

    def heading(self, name: str) -> str:
        """The heading of a named column as the document has it."""
        return shortened(self.head.texts[self.index[name]])

    @property
    def unnamed(self) -> list[int]:
        """The columns between others that have no heading."""
        return [i for i, text in enumerate(self.head.texts[: self.width]) if not text]

    def check_width(self, record: Record) -> None:
        """Check that a record has a cell for every column, and nothing beside them.

        Raises:
            DocumentError: when it has not.
        """
        beside = next((i for i in range(self.width, len(record.texts)) if record.texts[i]), None)
        if beside is not None and record.in_sheet:
            cell = record.cell(beside)
            raise cell.fault(
                f"`{shortened(cell.text)}` beside the table",
                "nothing right of the last heading",
                "Empty the cell, or give its column a heading.",
            )
        # A sheet does not store the empty cells at the end of a row.
        if beside is not None or (len(record.texts) < self.width and not record.in_sheet):
            raise DocumentError(
                record.location,
                f"{len(record.texts)} cells",
                f"{self.width}, one for each heading",
                "A cell with the separator in it needs quotes around it; a remark begins with `#`.",
            )

    def check_names(self, record: Record) -> None:
        """Check that the names stand where the headings say: in no column without one, and each in its own.

        Raises:
            DocumentError: for what holds of the whole table, and need not be said of every row.
        """
        for i in self.unnamed:
            cell = record.cell(i)
            if cell.text and i - 1 in {self.index.get(name) for name in _PEOPLE}:
                raise cell.fault(
                    f"`{shortened(cell.text)}` in a column without a heading, beside `{shortened(self.head.texts[i - 1])}`",
                    "a heading for every column beside the names, such as `first_name` and `last_name`",
                )
        for name in _PEOPLE:
            text = self.text(record, name)
            if text and not any(c.isalpha() for c in text) and any(c.isdigit() for c in text):
                cell = self.cell(record, name)
                raise cell.fault(
                    f"`{shortened(cell.text)}` in `{self.heading(name)}`, which is read as `{name}`",
                    "names",
                    "Call a column of something else differently; when the row is no player's, begin it with `#`.",
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


def heading(text: str) -> str:
    """A heading without what varies: `First Name` is `first_name`, `Prénom` is `prenom`, `N°` is `no`."""
    if len(text) > _LONGEST_HEADING:
        return ""
    text = text.replace("(s)", "s")
    if text.isascii():
        plain = re.sub(r"[^a-z0-9]+", "_", text.lower()).strip("_")
    else:
        plain = readable_id_or_empty(text.replace("°", "o")).replace("-", "_")
    # `Player #` is a number and no player.
    return f"{plain}_#".strip("_") if "#" in text else plain


def column_of(text: str, known: Mapping[str, tuple[str, ...]]) -> str | None:
    """The known name of a heading, or None."""
    name = heading(text)
    if name in known:
        return name
    return next((column for column, others in known.items() if name in others), None)


def column_like(text: str, known: Mapping[str, tuple[str, ...]], likeness: float = _ALIKE) -> str | None:
    """The column whose name, or what else it is called, is most like a strange heading; None when none is.

    Args:
        text: the heading.
        known: the columns that may be meant, with what else they are called.
        likeness: how alike they must be, of 100.
    """
    names = {name: column for column in known for name in known[column] if len(name) >= _SHORTEST_COMPARED}
    names |= {column: column for column in known}
    alike = process.extractOne(heading(text), names.keys(), scorer=fuzz.ratio, score_cutoff=likeness)
    return names[alike[0]] if alike else None


def read_columns(record: Record, known: Mapping[str, tuple[str, ...]]) -> Columns:
    """The columns that a row of headings names. Headings that nobody knows are left aside, and said in the remarks.

    Raises:
        DocumentError: when a column is there twice, a strange heading looks like a slip for one that is missing, or
            there are last names without first names.
    """
    found = [column_of(text, known) for text in record.texts]
    if any(column == "placement" and heading(record.texts[i]) not in _NUMBERS for i, column in enumerate(found)):
        found = [
            None if heading(text) in _NUMBERS else column for text, column in zip(record.texts, found, strict=True)
        ]
    index: dict[str, int] = {}
    for position, column in enumerate(found):
        if column in index:
            raise record.cell(position).fault(
                f"the heading `{shortened(record.texts[position])}` after `{record.texts[index[column]]}`",
                f"one column for `{column}`",
                "Remove one.",
            )
        if column is not None:
            index[column] = position
    strange = [record.cell(i) for i, column in enumerate(found) if column is None and record.texts[i]]
    missing = {column: others for column, others in known.items() if column not in index}
    for cell in strange:
        if slip := column_like(cell.text, missing, _SLIP):
            raise cell.fault(
                f"the heading `{shortened(cell.text)}`", f"`{slip}`", "Call the column so, or quite differently."
            )
    width = max((i + 1 for i, text in enumerate(record.texts) if text), default=0)
    columns = Columns(record, index, width, tuple(_remarks_on_headings(record, index, strange, missing)))
    return _with_names_told_apart(columns, strange) if "first_name" in known else columns


def _remarks_on_headings(
    record: Record, index: Mapping[str, int], strange: list[Cell], missing: Mapping[str, tuple[str, ...]]
) -> Iterator[str]:
    if "placement" in index and heading(record.texts[index["placement"]]) in _NUMBERS:
        yield f"`{record.texts[index['placement']]}` is read as the placement"
    aside = []
    for cell in strange:
        why = ""
        if heading(cell.text) in _POINTS:
            why = " (no percentile score; such a column is headed `published_score`)"
        elif meant := column_like(cell.text, missing):
            why = f" (did you mean `{meant}`?)"
        aside.append(f"`{shortened(cell.text)}`{why}")
    if aside:
        yield f"columns left aside: {listed(aside, 20)}"


def _with_names_told_apart(columns: Columns, strange: list[Cell]) -> Columns:
    """Columns whose names are understood: with first names, `Name` holds the last ones (Name, Vorname), and vice versa.

    Raises:
        DocumentError: when only first or only last names are there.
    """
    index = dict(columns.index)
    if len(index.keys() & {"first_name", "last_name"}) != 1:
        if "name" not in index or "last_name" not in index:
            return columns
        remark = f"`{columns.heading('name')}` is used only where `{columns.heading('last_name')}` is blank"
        return replace(columns, remarks=(*columns.remarks, remark))
    there, absent = sorted(("first_name", "last_name"), key=lambda name: name not in index)
    words = absent.replace("_", " ")
    if "name" not in index:
        among = f"; among {listed([f'`{shortened(cell.text)}`' for cell in strange], 20)}?" if strange else ""
        raise columns.cell(columns.head, there).fault(
            f"the heading `{columns.heading(there)}` and none of the {words}s{among}",
            f"a column `{absent}` beside it",
            f"Call the column of the {words}s `{absent}`; a column with whole names is called `name`.",
        )
    index[absent] = index.pop("name")
    remark = f"`{shortened(columns.head.texts[index[absent]])}` is read as the {words}, because `{columns.heading(there)}` is there"
    return replace(columns, index=index, guessed=(absent, there), remarks=(*columns.remarks, remark))


def is_result_head(texts: Iterable[str], *, strictly: bool = False) -> bool:
    """Whether the cells of a row are the head of a table of results: they name placements and people.

    Args:
        texts: the cells.
        strictly: whether a running number (`#`, `No`) does not count as a placement.
    """
    texts = list(islice(texts, _MOST_HEADINGS))
    first = next((text for text in texts if text), "")
    if first.startswith("#") and len(first) > 1:
        return False
    found = {column_of(text, RESULT_COLUMNS) for text in texts if not strictly or heading(text) not in _NUMBERS}
    return "placement" in found and bool(found & _PEOPLE)


def near_head(records: Iterable[Record]) -> tuple[Record, str] | None:
    """The row that looks most like the head of a table of results, and what is wrong with it; None when none does."""
    best: tuple[int, Record, str] | None = None
    for record in records:
        cells = [cell for cell in record.filled if not cell.text.startswith("#")]
        meant = {
            cell.text: column_of(cell.text, RESULT_COLUMNS) or column_like(cell.text, RESULT_COLUMNS) for cell in cells
        }
        columns = {column for column in meant.values() if column}
        # A fact and its value are no headings: `name` and `WAC 6 2009`.
        if not columns & {"placement", *_PEOPLE} or len(cells) < 2 or (len(cells) == 2 and len(columns) == 1):
            continue
        if best is None or len(columns) > best[0]:
            best = len(columns), record, _described({text: column for text, column in meant.items() if column})
    return best and best[1:]


def _described(meant: Mapping[str, str]) -> str:
    """What is wrong with the headings of a table, by what each seems to mean."""
    slips = [
        f"`{column}` by `{shortened(text)}`" for text, column in meant.items() if not column_of(text, RESULT_COLUMNS)
    ]
    missing = [] if "placement" in meant.values() else ["`placement`"]
    missing += [] if _PEOPLE & set(meant.values()) else ["`name` or `last_name`"]
    said = f"the headings {listed([f'`{shortened(text)}`' for text in meant], 20)}"
    said += f"; did you mean {' and '.join(slips)}?" if slips else ""
    return said + (f"; there is no heading {' and no '.join(missing)}" if missing else "")


def listed(texts: list[str], most: int = 8) -> str:
    """Texts in a row for a message, the rest of a long list as a number."""
    rest = len(texts) - most
    return ", ".join(texts[:most]) + (f" and {rest} more" if rest > 0 else "")
