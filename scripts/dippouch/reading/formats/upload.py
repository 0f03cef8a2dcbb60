"""The files that tournament directors upload to the World Diplomacy Database.

The standings have the headings FIRST NAME, NAME, HOMONYME, RANK and EXAEQUO: HOMONYME numbers people of one name from 1, EXAEQUO is the
number of people who share the placement, RANK 999 is no placement, and nations are the codes of the database (`SA` is South Africa).
A file of boards has ROUND, BOARD and COUNTRY, too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from dippouch.errors import DocumentError, Faults
from dippouch.reading.formats.table import Columns, Row
from dippouch.reading.parsing.nations import Nations
from dippouch.reading.parsing.words import heading

# The columns that only these files have.
NAMESAKE, TIE_SIZE = "namesake", "tie_size"

_BOARDS = {"round", "board", "country"}
_NO_PLACEMENT = "999"


def is_upload(columns: Columns) -> bool:
    """Return whether a table has the columns that only these files have."""
    return {NAMESAKE, TIE_SIZE} <= columns.index.keys()


def uploaded_rows(rows: Sequence[Row], columns: Columns, nations: Nations, faults: Faults) -> list[Row]:
    """Return the rows of standings with ISO codes, and `-` for no placement; gather unknown codes and wrong sizes of ties.

    Raises:
        DocumentError: for a file of boards.
    """
    if {heading(text) for text in columns.head.texts} >= _BOARDS:
        found = "the file of boards of the World Diplomacy Database"
        raise DocumentError(columns.head.location, found, "its file of standings, a row for each player")
    sizes = Counter(columns.text(row, "placement") for row in rows)
    read = []
    for row in rows:
        texts = list(row.texts)
        placement, tied = columns.cell(row, "placement"), columns.cell(row, TIE_SIZE)
        if placement.text == _NO_PLACEMENT:
            texts[columns.index["placement"]] = "-"
        elif placement.text.isdigit() and tied.text != str(sizes[placement.text]):
            found = f"EXAEQUO `{tied.text}` at placement {placement.text}"
            faults.add(tied.fault(found, f"{sizes[placement.text]}, the number of people there"))
        for name in ("nation_code", "location_code"):
            with faults.gathered():
                code = columns.cell(row, name).parsed("the nation", nations.of_flag)
                if name in columns.index and columns.index[name] < len(texts):
                    texts[columns.index[name]] = code or ""
        read.append(replace(row, texts=texts))
    return read
