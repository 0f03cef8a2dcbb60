"""The results and the facts of a tournament in rows of cells: facts above, results below a row of headings."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from dippouch.documents import ListedPlayer, Result, Source, TournamentDocument
from dippouch.errors import Faults
from dippouch.ids import LONGEST, fault_of_id, readable_id_or_empty
from dippouch.importing.context import Context
from dippouch.importing.formats.facts import NEEDED, make_tournament, read_facts
from dippouch.importing.formats.table import (
    AS_REMARK,
    PEOPLE,
    Cell,
    Columns,
    Row,
    listed,
    result_columns,
    skipped,
    split_table,
)
from dippouch.importing.parsing.numbers import meaning_of_no_placement, parse_decimal, parse_placement, parse_wdd_id
from dippouch.names import in_capitals, repair_text, shortened, split_name
from dippouch.seeds.not_people import TOTAL


def read_standings(
    rows: Sequence[Row], remarks: Sequence[str], source: Source, context: Context
) -> list[TournamentDocument]:
    """Read the tournament in rows of cells; its remarks name skipped input, after the given ones.

    Raises:
        DocumentError: with all faults.
    """
    faults = Faults()
    above, columns, under = split_table(rows, result_columns(context.columns), source, faults)
    facts, others = read_facts(above, faults)
    found = ResultRows()
    for row in under:
        with faults.gathered():
            _check_is_row(row, columns, context)
            found.add(row, columns, context, faults)
    if not faults and all(result.placement is None for result in found.results):
        what = "a table without placements" if found.results else "a table without rows"
        faults.add(columns.head.cell(0).fault(what, "at least one row with a placement"))
    with faults.gathered():
        _check_blanks([columns.cell(row, "placement") for row in under if len(row.filled) > 1])
    remarks = (*remarks, *others, *columns.remarks, *found.remarks())
    read_as = columns.read_as
    return [make_tournament(facts, found.results, source, context, faults, NEEDED, remarks=remarks, headings=read_as)]


def _check_is_row(row: Row, columns: Columns, context: Context) -> None:
    """Refuse a single text in a row, which may be a note, or a player without a placement."""
    if len(row.filled) == 1 and not row.is_remark and not _is_total(row, columns, context):
        expected = "a placement and a name; `-` is the placement of a player without one"
        raise row.filled[0].fault(f"`{shortened(row.filled[0].text)}` alone in a row of the table", expected, AS_REMARK)


def _check_blanks(stated: list[Cell]) -> None:
    """Refuse blank placements above others: often they mean a tie with the placement above, not a missing placement."""
    last = max((i for i, cell in enumerate(stated) if re.search("[0-9]", cell.text)), default=0)
    if blank := [cell for cell in stated[:last] if not cell.text]:
        places = listed([cell.location.in_file for cell in blank])
        raise blank[0].fault(
            f"no placement in {places}, above placement `{shortened(stated[last].text)}`",
            "a placement in every row above others",
            "Repeat the placement of a tie in each row, or write `-` for a player without a placement.",
        )


@dataclass
class ResultRows:
    """The content of a table's rows.

    Attributes:
        results: the players, in the order of the rows.
        without: players without a placement, each with the mark in its place.
        others: remarks and totals, which are skipped.
        beside: cells of columns without a heading, which are skipped.
    """

    results: list[Result] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    others: list[str] = field(default_factory=list)
    beside: list[str] = field(default_factory=list)

    def add(self, row: Row, columns: Columns, context: Context, faults: Faults) -> None:
        """Read a row; skip a remark, a total or an empty row. Gather the faults of cells beside the name."""
        if row.is_blank:
            return
        if row.is_remark or _is_total(row, columns, context):
            self.others.append(f"`{shortened(row.filled[0].text)}` ({row.location.in_file})")
            return
        columns.check_width(row)
        heads = columns.head.texts
        if "" in heads:
            beside = (text for text, head in zip(row.texts, heads, strict=False) if text and not head)
            self.beside += [f"`{shortened(text)}`" for text in beside]
        placement = score = None
        with faults.gathered():
            placement = columns.cell(row, "placement").parsed("the placement", parse_placement)
        with faults.gathered():
            score = columns.cell(row, "published_score").parsed("the score", parse_decimal)
        player = _read_player(row, columns, context, faults)
        self.results.append(Result(player, placement, score))
        if placement is None:
            mark = columns.text(row, "placement")
            shown = f"`{shortened(mark)}` {meaning_of_no_placement(mark) or ''}".rstrip() if mark else "blank"
            self.without.append(f"`{shortened(player.listed_name)}` ({shown}, {row.location.in_file})")

    def remarks(self) -> Iterator[str]:
        """Yield remarks on the rows for the rating keeper."""
        yield from skipped("rows", self.others)
        yield from skipped("cells of columns without a heading", self.beside)
        if self.without:
            yield f"listed without a placement: {listed(self.without)}"


def _is_total(row: Row, columns: Columns, context: Context) -> bool:
    """Return whether a row has a total instead of a player."""
    first, last, name = (columns.text(row, column) for column in PEOPLE)
    labels = () if first and last else (last, name, columns.text(row, "placement"), next(filter(None, row.texts)))
    return any(label and context.not_people.meaning_of(label) == TOTAL for label in labels)


def _read_player(row: Row, columns: Columns, context: Context, faults: Faults) -> ListedPlayer:
    first, last, full = (columns.cell(row, name) for name in PEOPLE)
    if last.text:
        listed_name = f"{first.text} {last.text}".strip()
        first_name, last_name = repair_text(first.text), in_capitals(repair_text(last.text))
    else:
        named = full if "name" in columns.index else last
        if first.text or not named.text:
            found = f"`{shortened(first.text)}` without a last name" if first.text else "no name"
            raise named.fault(found, "a last name in every row of the table", AS_REMARK)
        listed_name, last = full.text, full
        first_name, last_name = full.parsed("the name", lambda text: parse_name(text, last_first=context.last_first))
    wdd_id = columns.cell(row, "wdd_id")
    nations: dict[str, str | None] = {}
    for name, label in (("nation_code", "the nation"), ("location_code", "the location")):
        if name in columns.index:
            with faults.gathered():
                nations[name] = columns.cell(row, name).parsed(label, context.nations.of_text)
    return ListedPlayer(
        listed_name,
        first_name,
        last_name,
        last.location,
        source_ids=(wdd_id.parsed("the id", parse_wdd_id),) if wdd_id.text else (),
        player_id=_given_player_id(columns.cell(row, "player_id")) if "player_id" in columns.index else None,
        **nations,
    )


def parse_name(text: str, *, last_first: bool = False) -> tuple[str, str]:
    """Return first and last name of a whole name.

    Raises:
        ValueError: when it is not a name; the message says what was expected.
    """
    try:
        return split_name(text, last_first=last_first)
    except ValueError as error:
        raise ValueError(f"a name such as `Edi BIRSAN` or `Birsan, Edi`, not {error}") from None


def _given_player_id(cell: Cell) -> str:
    """Return the id that a row gives to a person. It must be a valid id as it is: normalizing it could give the id of another person."""
    made = readable_id_or_empty(cell.text) if len(cell.text) <= LONGEST else ""
    if not cell.text or made != cell.text:
        expected = "an id in every row: small letters, digits and single hyphens"
        raise cell.fault(f"the player_id `{shortened(cell.text)}`", f"{expected}, such as `{made or 'esp-12345'}`")
    if expected := fault_of_id(made):
        raise cell.fault(f"the player_id `{made}`", expected)
    return made
