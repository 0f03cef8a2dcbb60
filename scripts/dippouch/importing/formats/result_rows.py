"""The rows of a table of results: people with their placements, and rows that are not players."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from dippouch.documents import ListedPlayer, Result
from dippouch.errors import Faults
from dippouch.ids import LONGEST, fault_of_id, readable_id_or_empty
from dippouch.importing.context import Context
from dippouch.importing.formats.cells import AS_REMARK, Cell, Record, listed
from dippouch.importing.formats.table_columns import ONE_TABLE, OTHER_TABLE, Columns
from dippouch.importing.parsing.numbers import meaning_of_no_placement, parse_placement, parse_score, parse_wdd_id
from dippouch.names import in_capitals, is_initial, repair_text, shortened, split_full_name
from dippouch.seeds.not_people import TOTAL

# The nations of the seven powers of the game, as words in a column of nations.
_POWERS = frozenset({"AUT", "GBR", "FRA", "DEU", "ITA", "RUS", "TUR"})
_LONGEST_CODE = 3
# So many different powers, each once or with these two, are hardly the nations of players.
_MOST_POWERS_BY_CHANCE = 5
_RARE_POWERS, _MOST_BESIDE_RARE = frozenset({"RUS", "TUR"}), 3
# States of the USA; half of their codes are also those of nations. Two among a column's codes may be chance.
_STATES = frozenset(
    "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC"
    " SD TN TX UT VT VA WA WV WI WY".split()
)
_MOST_STATES_BY_CHANCE = 2

_NUMBERED = re.compile("#[0-9]").match
_HAS_DIGIT = re.compile("[0-9]").search


@dataclass
class ResultRows:
    """The content of a table's rows.

    Attributes:
        results: the players, in the order of the rows.
        blank: those whose placement cell is blank.
        without: players with a word or a dash in place of a placement, with its meaning.
        aside: reasons and places of skipped rows.
    """

    results: list[Result] = field(default_factory=list)
    blank: list[Result] = field(default_factory=list)
    without: list[str] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)

    def add(self, record: Record, columns: Columns, context: Context, faults: Faults) -> None:
        """Read a row; skip a remark or a total.

        Args:
            record: the row.
            columns: the columns of the table.
            context: the reading context.
            faults: gathers the faults of cells beside the name, so that the name can be checked, too.
        """
        if why := _why_aside(record, columns, context):
            self.aside.append(f"{why} ({record.location.in_file})")
            return
        result = _read_result(record, columns, context, faults)
        if result is None:
            return
        self.results.append(result)
        if not (placement := columns.text(record, "placement")):
            self.blank.append(result)
        elif (meaning := meaning_of_no_placement(placement)) is not None:
            self.without.append(_described(result, f"`{shortened(placement)}`, {meaning}, " if meaning else "`-`, "))

    def remarks(self, columns: Columns) -> Iterator[str]:
        """Yield remarks on the rows for the rating keeper."""
        if self.aside:
            yield f"rows skipped: {listed(self.aside)}"
        if without := [r for r in self.results if not r.player.first_name]:
            yield f"no first name; read as a last name only: {listed([_described(result) for result in without])}"
        if "name" in columns.index and (
            by_order := [r for r in self.results if _is_split_by_order(r.player.listed_name)]
        ):
            split = [f"`{r.player.first_name} | {r.player.last_name}`" for r in by_order]
            yield f"the order of the words divides these names: {listed(split)}"
        if self.without:
            yield f"listed without a placement: {listed(self.without)}"
        if self.blank:
            blank = listed([_described(result) for result in self.blank])
            yield f"listed without a placement, because it is blank: {blank}"


def read_results(records: list[Record], columns: Columns, context: Context, faults: Faults) -> ResultRows:
    """Read the rows under a table's head; skip blank ones, and gather faults."""
    rows = ResultRows()
    records = _of_first_table(records, columns, context, faults)
    players: list[Record] = []
    after_blank = False
    misnamed = Faults()
    with misnamed.gathered():
        for record in records:
            if not _why_aside(record, columns, context):
                columns.check_names(record)
    if misnamed:
        # All names would be faulty, so read only the other cells.
        columns = columns.without_names()
        with faults.gathered():
            misnamed.raise_any()
    for record in records:
        if not record.is_blank:
            with faults.gathered():
                if not _why_aside(record, columns, context):
                    _check_is_row(record, columns, after_blank=after_blank)
                    players.append(record)
                rows.add(record, columns, context, faults)
        after_blank = record.is_blank
    if not players and (
        numbered := next((r.filled[0] for r in records if r.is_remark and _NUMBERED(r.filled[0].text)), None)
    ):
        # All placements are written so, and the table would be empty.
        faults.add(
            numbered.fault(f"the placement `{shortened(numbered.text)}`", "a number without `#`, which begins a remark")
        )
    with faults.gathered():
        _check_blanks([columns.cell(record, "placement") for record in players])
    with faults.gathered():
        _check_nations([columns.cell(record, "nation_code") for record in players], rows.results)
    return rows


def _read_result(record: Record, columns: Columns, context: Context, faults: Faults) -> Result | None:
    """Return the result in a row; None if the columns of names cannot be read."""
    columns.check_width(record)
    placement = score = None
    with faults.gathered():
        placement = columns.cell(record, "placement").parsed("the placement", parse_placement)
    with faults.gathered():
        score = columns.cell(record, "published_score").parsed("the score", parse_score)
    player = _read_player(record, columns, context, faults) if columns.has_names else None
    return Result(player, placement, score) if player else None


def _read_player(record: Record, columns: Columns, context: Context, faults: Faults) -> ListedPlayer:
    last, full = columns.cell(record, "last_name"), columns.cell(record, "name")
    if last.text:
        first = columns.cell(record, "first_name")
        listed_name = f"{first.text} {last.text}".strip()
        first_name, last_name = repair_text(first.text), in_capitals(repair_text(last.text))
        named = last
    else:
        named = full if "name" in columns.index else last
        if not named.text and columns.text(record, "first_name"):
            found = f"`{shortened(columns.text(record, 'first_name'))}` without a last name"
            raise named.fault(found, "a last name in every row of the table", "A name of one word counts as the last.")
        if not named.text:
            raise named.fault("no name", "a name in every row of the table", AS_REMARK)
        listed_name = full.text
        _refuse_remark(full)
        parse = _name_with_last_first if columns.has_last_name_first else parse_full_name
        first_name, last_name = full.parsed("the name", parse)
    wdd_id = columns.cell(record, "wdd_id")
    source_ids = (wdd_id.parsed("the id", parse_wdd_id),) if wdd_id.text else ()
    return ListedPlayer(
        listed_name,
        first_name,
        last_name,
        named.location,
        nation_code=_read_nation(columns.cell(record, "nation_code"), "the nation", context, faults),
        location_code=_read_nation(columns.cell(record, "location_code"), "the location", context, faults),
        source_ids=source_ids,
        player_id=_given_player_id(columns.cell(record, "player_id")) if "player_id" in columns.index else None,
    )


def _refuse_remark(name: Cell) -> None:
    """Refuse a name with a word in place of a placement behind it: `Ulrich Ganz withdrew`."""
    *others, last = name.text.split()
    if others and last[0].isalnum() and (meaning := meaning_of_no_placement(last)) is not None:
        raise name.fault(
            f"the name `{shortened(name.text)}`, which ends with `{last}` ({meaning})",
            "the name alone",
            f"`{last}` belongs in place of the placement. If it is a last name, write it in a column `last_name`.",
        )


def _read_nation(cell: Cell, label: str, context: Context, faults: Faults) -> str | None:
    with faults.gathered():
        return cell.parsed(label, context.nations.of_text)
    return None


def _given_player_id(cell: Cell) -> str:
    """Return the id that a row gives to a person. It must be a valid id as it is: normalizing it could give the id of another person."""
    made = readable_id_or_empty(cell.text) if len(cell.text) <= LONGEST else ""
    if not cell.text or made != cell.text:
        raise cell.fault(
            f"the player_id `{shortened(cell.text)}`" if cell.text else "no player_id",
            f"an id in every row: small letters, digits and single hyphens, such as `{made or 'esp-12345'}`, at most {LONGEST}",
        )
    if expected := fault_of_id(made):
        raise cell.fault(f"the player_id `{made}`", expected)
    return made


def parse_full_name(text: str) -> tuple[str, str]:
    """Return first and last name of a whole name.

    Raises:
        ValueError: when it is not a name; the message says what was expected.
    """
    try:
        return split_full_name(text)
    except ValueError as error:
        raise ValueError(f"a name such as `Edi BIRSAN` or `Birsan, Edi`, not {error}") from None


def _name_with_last_first(text: str) -> tuple[str, str]:
    """Split a name under a heading such as `Cognome e nome`; a comma or capitals show where the last name ends."""
    words = text.split()
    if "," in text or any(word.isupper() and not is_initial(word) for word in words):
        return parse_full_name(text)
    if len(words) != 2:
        raise ValueError("a comma behind the last name (`De Luca, Marco`), because nobody can tell where it ends")
    return parse_full_name(f"{words[0]}, {words[1]}")


def _is_split_by_order(listed_name: str) -> bool:
    """Return whether neither capitals nor a comma show where the last name begins in a name of more than two words."""
    name = repair_text(listed_name)
    words = name.split()
    shows_last_name = any(word.isupper() for word in words[:-1]) or (words[-1].isupper() and not is_initial(words[-1]))
    return len(words) > 2 and "," not in name and not shows_last_name


def _name(record: Record, columns: Columns) -> str:
    """Return the whole name in a row, unchanged."""
    apart = f"{columns.text(record, 'first_name')} {columns.text(record, 'last_name')}".strip()
    return apart or columns.text(record, "name")


def _why_aside(record: Record, columns: Columns, context: Context) -> str | None:
    """Return why a row is not a player and can be skipped; None if it may be one."""
    if record.is_remark:
        return f"the remark `{shortened(record.filled[0].text)}`"
    if columns.text(record, "first_name") and columns.text(record, "last_name"):
        return None
    meaning, name = context.not_people.meaning_of, _name(record, columns)
    if any(c.isalpha() for c in name) and meaning(name) != TOTAL:
        return None
    first = next((text for text in record.texts if text), "")
    labels = (name, columns.text(record, "placement"), first)
    label = next((text for text in labels if text and meaning(text) == TOTAL), None)
    return f"the total `{shortened(label)}`" if label else None


def _of_first_table(records: list[Record], columns: Columns, context: Context, faults: Faults) -> list[Record]:
    """Return the rows above another table, whose head is a row of words after an empty row and before numbers."""
    for i, (above, head, under) in enumerate(zip(records, records[1:], records[2:], strict=False), start=1):
        is_head = above.is_blank and len(head.filled) > 1 and not any(map(_HAS_DIGIT, head.texts))
        if is_head and any(map(_HAS_DIGIT, under.texts)) and not _why_aside(head, columns, context):
            try:
                parse_placement(columns.text(head, "placement"))
            except ValueError:
                faults.add(head.filled[0].fault("a second table under the first", ONE_TABLE, OTHER_TABLE))
                return records[:i]
    return records


def _check_is_row(record: Record, columns: Columns, *, after_blank: bool) -> None:
    """Refuse a single text in a row, which cannot be a player."""
    lone = record.filled[0] if len(record.filled) == 1 else None
    if lone is None:
        return
    names = {columns.text(record, name) for name in ("name", "first_name", "last_name")}
    if after_blank and lone.text in names:
        raise lone.fault(
            f"`{shortened(lone.text)}` alone under an empty row",
            "the row of a player, or a remark that begins with `#`",
            "When it is a player without a placement, write `-` for the placement.",
        )
    if lone.text not in names:
        expected = "a placement and a name, or a remark that begins with `#`"
        raise lone.fault(f"`{shortened(lone.text)}` alone in a row of the table", expected, AS_REMARK)


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


def _check_nations(stated: list[Cell], results: list[Result]) -> None:
    """Refuse a column of nations with powers of the game alone, which the players rather played, or with states of the USA."""
    named = [cell for cell in stated if len(cell.text) > _LONGEST_CODE]
    nations = [result.player.nation_code for result in results if result.player.nation_code]
    are_once = len(set(nations)) == len(nations) >= _MOST_POWERS_BY_CHANCE
    are_rare = set(nations) >= _RARE_POWERS and len(set(nations)) > _MOST_BESIDE_RARE
    if named and set(nations) <= _POWERS and (are_once or are_rare):
        raise named[0].fault(
            "only powers of the game as the players' nations",
            "the nations of the players",
            "Call a column of the powers that they played `power`; write nations as ISO codes.",
        )
    codes = {cell.text.upper(): cell for cell in stated if 0 < len(cell.text) < _LONGEST_CODE}
    if len(codes) > _MOST_STATES_BY_CHANCE and codes.keys() <= _STATES:
        raise next(iter(codes.values())).fault(
            f"the nations {listed([f'`{code}`' for code in codes])}, which are states of the USA",
            "the nations of the players",
            "Write nations as ISO codes of three letters (`USA`, `CAN`).",
        )


def _described(result: Result, placement: str = "") -> str:
    return f"`{shortened(result.player.listed_name)}` ({placement}{result.player.location.in_file})"
