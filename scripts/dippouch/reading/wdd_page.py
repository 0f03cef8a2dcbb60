"""From a page of the World Diplomacy Database to its document: the kinds of pages, and the reader of each.

`wdd_html` and `wdd_text` take a page apart; `kind_of` has the reader of its kind.

The page of a tournament has a table of players, and fields above it:

    WDC VI 1996                                        name
    Origins & DipCon 29                                subtitle, on some pages
    Date June 1, 1996 Place Columbus
    Number of players 88 Number of rounds 3 Number of boards 24
    Coeff 1 20.00 Coeff 2 - Coeff 3 -

The page of a ranking has `Author ... Last Update ...` under the ranking's name and the same kind of table. The page of a player has a
table of tournaments: all that they played (`player_fiche5.php`), or those behind their rating (`ranking_player.php`), then with

    Dip Pouch Tournament Rating
    Author Matt Shields Last Update 2017-08-06
    Edi BIRSAN                                                              name
    International ranking (National ranking) 4 (2) Score 51.44              ranks and rating
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import pairwise, takewhile

from dippouch.messages import DocumentError, Faults, Location, shortened
from dippouch.names import has_capitals, split_name, tidy_text
from dippouch.reading import values
from dippouch.reading.context import Context
from dippouch.reading.documents import (
    Document,
    ListedPlayer,
    PlayerDocument,
    RankingDocument,
    Result,
    Source,
    TournamentDocument,
)
from dippouch.reading.markup import id_in
from dippouch.reading.standings import WITHOUT_DAY, Facts, checked_rank, make_tournament, read_results, without_leagues
from dippouch.reading.table import NAME_COLUMNS, Cell, Columns, TableRow, columns_in, skipped

# The column of the ids in the links of rows, which the table of the page does not show.
ID = "wdd_id"

# The fields above the table in groups: each group is on one line, or its labels and values are on lines of their own.
_DATE, _NUMBERS = "Date ... Place ...", "Number of players, Number of rounds, Number of boards"
_COEFFICIENTS, _AUTHOR = "Coeff 1, Coeff 2, Coeff 3", "Author ... Last Update ..."
_RATED = "International ranking (National ranking) ... Score ..."
_GROUPS = {
    _DATE: re.compile(r"Date[\s:]*(?P<date>.+?)\s*Place[\s:]*(?P<place>.*)"),
    _NUMBERS: re.compile(
        r"Number of players[\s:]*(?P<players>\S*?)\s*Number of rounds[\s:]*(?P<rounds>\S*?)\s*Number of boards[\s:]*(?P<boards>\S*)"
    ),
    _COEFFICIENTS: re.compile(
        r"Coeff 1[\s:]*(?P<coefficient_1>-|\d{1,4}\.\d\d)\s*Coeff 2[\s:]*(?P<coefficient_2>-|\d{1,4}\.\d\d)"
        r"\s*Coeff 3[\s:]*(?P<coefficient_3>-|\d{1,4}\.\d\d)(?!\S)"
    ),
    _AUTHOR: re.compile(r"Author[\s:]*(?P<author>.+?)\s*Last Update[\s:]*(?P<last_update>\S*)"),
    _RATED: re.compile(
        r"International ranking \(National ranking\)[\s:]*(?P<rank>\d+)?\s*(?:\((?P<national_rank>\d+)?-?\))?"
        r"\s*Score[\s:]*(?P<rating>\d{1,3}\.\d\d)?"
    ),
}
_FIRST_LABELS = ("Date", "Number of players", "Coeff 1", "Author", "International ranking (National ranking)")

# On a player's page: `3 / 75 players`, `3/75`.
_RANK_AND_TOTAL = re.compile(r"(?P<rank>[^/]*?)\s*(?:/\s*(?P<players>[0-9]*)\s*(?:players?)?)?", re.IGNORECASE)


@dataclass(frozen=True)
class Line:
    """A line above the table, and whether it may be a title."""

    location: Location
    text: str
    is_heading: bool


@dataclass(frozen=True)
class WddPage:
    """A page with its only table of results.

    Attributes:
        source: the document.
        context: the reading context.
        above: the lines above the table.
        columns: the columns of the table.
        rows: the rows of the table; nations are ISO codes.
        remarks: the skipped input, for the report.
        faults: the faults of the page so far.
        title: the title of the window.
        nation_code: the nation of the subject of the page.
        addresses: addresses of the page, with an empty text, and those of its links, with the text of each.
    """

    source: Source
    context: Context
    above: Sequence[Line]
    columns: Columns
    rows: Sequence[TableRow]
    remarks: Sequence[str]
    faults: Faults
    title: str = ""
    nation_code: str | None = None
    addresses: Sequence[tuple[str, str]] = field(default=())

    def own_ids(self, parameter: str, name: str) -> tuple[str, ...]:
        """Return the id of the page's subject, of a name, from the page's own address or a link with the name; empty without one."""
        linked = (address for text, address in self.addresses if not text or text.casefold() == name.casefold())
        numbers = (id_in(address, parameter) for address in (self.source.address, *linked))
        return tuple(f"wdd:{number}" for number in numbers if number)[:1]


def read_players_table(page: WddPage) -> TournamentDocument | RankingDocument:
    """Read the tournament or the ranking of a page.

    Raises:
        DocumentError: with all faults of the page.
    """
    faults = page.faults
    results, further, unknown = read_results(page.rows, page.columns, page.context, faults)
    remarks = (*page.remarks, *further)
    if _found(page.above, _AUTHOR) and not _found(page.above, _DATE):
        return _ranking(page, faults.each(results, checked_rank), remarks)
    facts: Facts = {}
    with faults.gathered():
        at, facts = _fields(page, _DATE)
        title = _title_above(page.above, at)
        if not 1 <= len(title) <= 2:
            expected = "the name, and at most one line of subtitle, under a blank line"
            faults.add(DocumentError(page.above[at].location, f"{len(title)} lines of title above the date", expected))
            title = [page.above[at]]
        facts |= {name: Cell(line.text, line.location) for name, line in zip(("name", "subtitle"), title, strict=False)}
    for group in (_NUMBERS, _COEFFICIENTS):
        with faults.gathered():
            facts |= _fields(page, group)[1]
    for at, match in _found(page.above, _AUTHOR):
        facts["last_update"] = Cell(match["last_update"], page.above[at].location)
    # Without the line of the date, that fault is the only one to show.
    needed = ("name", "date") if "date" in facts else ()
    document = make_tournament(
        facts, results, page.source, page.context, faults, needed, remarks=remarks, unknown=unknown
    )
    ids = page.own_ids("id_tournament", document.name)
    return replace(document, nation_code=document.nation_code or page.nation_code, source_ids=ids)


def _ranking(page: WddPage, ranks: list[Result], remarks: tuple[str, ...]) -> RankingDocument:
    """Return the ranking whose name, author and day are above the table."""
    faults = page.faults
    at, stated = _fields(page, _AUTHOR)
    title, missing = _title_above(page.above, at), Cell("", page.above[at].location)
    if not title:
        faults.add(missing.fault("no line above the author", "the name of the ranking"))
    if "author" not in stated:
        faults.add(missing.fault("no author", "the author of the ranking"))
    last_update = stated.get("last_update", missing).read("`Last Update`", values.parse_day, faults)
    faults.raise_any()
    assert last_update
    # Above the name the site may have a heading of its own.
    names = tidy_text(title[-1].text), tidy_text(stated["author"].text)
    return RankingDocument(page.source, *names, last_update, ranks, remarks)


def _title_above(lines: Sequence[Line], at: int) -> list[Line]:
    """Return the title above a line of fields: the headings directly above it, or, without any, the one line above it."""
    for author, match in _found(lines[:at], _AUTHOR):
        # The author may be between the title and the date.
        if author + match[0].count("\n") + 1 == at:
            at = author
    headings = list(takewhile(lambda line: line.is_heading, reversed(lines[:at])))
    return headings[::-1] or [line for line in lines[max(at - 1, 0) : at] if line.text]


def _found(lines: Sequence[Line], group: str) -> list[tuple[int, re.Match[str]]]:
    """Return the indexes of the lines at which a group of fields begins, with the fields."""
    starts = [i for i, line in enumerate(lines) if line.text.startswith(_FIRST_LABELS)]
    blocks = [(i, "\n".join(line.text for line in lines[i:end])) for i, end in pairwise([*starts, len(lines)])]
    return [(i, match) for i, block in blocks if (match := _GROUPS[group].match(block))]


def _fields(page: WddPage, group: str) -> tuple[int, Facts]:
    """Return the index of the first line of a group of fields, and the facts in it; a blank or `-` states none."""
    found = _found(page.above, group)
    if len(found) != 1:
        begins = re.split(",| \\.| 1", group)[0]
        near = [line for line in page.above if line.text.startswith(begins)]
        what = f"`{group}` {len(found)} times" if found or not near else f"`{shortened(near[-1].text)}`"
        place = near[-1].location if near else Location(page.source.path)
        raise DocumentError(place, f"{what} above the table", f"the header fields `{group}` once")
    at, match = found[0]
    stated = {name: Cell(text, page.above[at].location) for name, text in match.groupdict("").items()}
    return at, {name: cell for name, cell in stated.items() if not values.is_unknown(cell.text)}


def read_player(page: WddPage) -> PlayerDocument:
    """Read a player with the tournaments they played, and their published rank and rating, if the page is of the rating.

    Raises:
        DocumentError: with all faults of the page.
    """
    rated = _found(page.above, _RATED)
    # The name is in the page's title after `WDD - `, or else in a heading; on a page of the rating in the line above the ranks.
    named = [page.title.rpartition(" - ")[2], *(line.text for line in page.above if line.is_heading)]
    if rated:
        named = [line.text for line in page.above[: rated[0][0]] if line.text][-1:]
    name = next(filter(has_capitals, named), None)
    if name is None:
        expected = "a heading or a title such as `WDD - Edi BIRSAN`"
        raise page.source.fault("no name of a player above the table", expected)
    text = page.columns.text
    undated = [f"`{shortened(text(row, 'tournament'))}`" for row in page.rows if values.is_unknown(text(row, "date"))]
    dated = [row for row in page.rows if not values.is_unknown(text(row, "date"))]
    rows, leagues = without_leagues(dated, lambda row: (text(row, "tournament"), text(row, "kind")))
    above, ids = Location(page.source.path, place="above the table"), page.own_ids("id_player", name)
    first_and_last = Cell(name, above).parsed("the name", split_name)
    player = ListedPlayer(name, *first_and_last, above, page.nation_code, source_ids=ids)
    appearances = page.faults.each(rows, lambda row: _appearance(row, page, player))
    page.faults.raise_any()
    remarks = (*page.remarks, *leagues, *skipped(WITHOUT_DAY, undated))
    ranking = _published(page, player, len(page.rows)) if rated else None
    if not (appearances or ranking):
        raise page.source.unknown("a page of a player without a tournament that has a day", "at least one")
    if rated and ranking is None:
        lacking = "because the page lacks the rank, the rating, or the day of its update"
        remarks += (f"the published rating skipped, {lacking}",)
    return PlayerDocument(page.source, player, appearances, remarks, ranking)


def _published(page: WddPage, player: ListedPlayer, tournaments: int) -> RankingDocument | None:
    """Return the ranking with the row of the player of a page; None if the page states none."""
    stated = _fields(page, _RATED)[1] | (_fields(page, _AUTHOR)[1] if _found(page.above, _AUTHOR) else {})
    if not stated.keys() >= {"rank", "rating", "author", "last_update"}:
        return None
    rank = Result(player, int(stated["rank"].text), Decimal(stated["rating"].text))
    national_rank = int(stated["national_rank"].text) if "national_rank" in stated else None
    return replace(_ranking(page, [rank], ()), national_rank=national_rank, tournaments=tournaments)


def _appearance(row: TableRow, page: WddPage, player: ListedPlayer) -> TournamentDocument:
    """Read one tournament of a player."""
    faults, columns = Faults(), page.columns
    rank = columns.cell(row, "placement")
    ranked = _RANK_AND_TOTAL.fullmatch(rank.text)
    placed, players = ranked.group("rank", "players") if ranked else (rank.text, None)
    days = columns.cell(row, "date").read("the date", values.parse_date_span, faults)
    placement = rank._replace(text=placed).read("the rank", values.parse_placement, faults)
    total = rank._replace(text=players).read("the number of players", values.parse_count, faults) if players else None
    value = columns.cell(row, "published_value").read("the value", values.parse_decimal, faults)
    score = columns.cell(row, "published_score").read("the score", values.parse_decimal, faults)
    faults.raise_any()
    assert days
    number = columns.text(row, ID)
    return TournamentDocument(
        page.source,
        tidy_text(columns.text(row, "tournament")),
        *days,
        [Result(replace(player, location=row.location), placement, score)],
        kind=columns.text(row, "kind") or None,
        source_ids=(f"wdd:{number}",) if number else (),
        nation_code=columns.text(row, "nation_code") or None,
        players=total,
        coefficients=(value, None, None),
        locations={"name": row.location},
    )


@dataclass(frozen=True)
class Kind:
    """A kind of page.

    Attributes:
        columns: the columns of its table by their normalized headings; the report names any other as skipped.
        required: the columns that its table always has, beside one with a subject.
        subjects: the columns with the subject of a row: a person or a tournament.
        parameter: the parameter with the id in a link of a subject.
        read: makes the document of such a page.
    """

    columns: Mapping[str, str]
    required: frozenset[str]
    subjects: Sequence[str]
    parameter: str
    read: Callable[[WddPage], Document]


# `Rank, FirstName LastName, Loc., Nat., Score`: the page of a tournament or a ranking. `Score` is a percentile score or a rating.
PLAYERS = Kind(
    columns={**values.words("heading"), "score": "published_score"},
    required=frozenset({"placement"}),
    subjects=NAME_COLUMNS,
    parameter="id_player",
    read=read_players_table,
)
_OF_PLAYER = {
    "date": "date",
    "country": "nation_code",
    "name_of_the_tournament": "tournament",
    "type": "kind",
    "rank": "placement",
}
# `Date, Country, Name of the tournament, Rank, Coeff1, Score`: the page of a player of the rating. `Score` is a percentile score.
RATED_TOURNAMENTS = Kind(
    columns={**_OF_PLAYER, "coeff1": "published_value", "coeff_1": "published_value", "score": "published_score"},
    required=frozenset({"placement", "date", "published_value", "published_score"}),
    subjects=("tournament",),
    parameter="id_tournament",
    read=read_player,
)
# `Date, Country, Name of the tournament, Type, Rank, ...`: the page of a player. A `Score` is in points there.
TOURNAMENTS = replace(RATED_TOURNAMENTS, columns=_OF_PLAYER, required=frozenset({"placement", "date"}))


def kind_of(headings: Sequence[str]) -> Kind | None:
    """Return the kind of page whose table has these headings; None if they are no such headings."""
    for kind in (PLAYERS, RATED_TOURNAMENTS, TOURNAMENTS):
        found = columns_in(headings, kind.columns)
        if kind.required <= found and not found.isdisjoint(kind.subjects):
            return kind
    return None
