"""Documents of every format, written from their facts.

`stored_tournaments` are the tournaments of the stored text pages: every format must give the same facts. The HTML follows
the known structure of the site's pages: `<tr class="row_even">`, headings in `<th>`, flags as images named by the site's nation
codes, ids in links, and markup that is not well formed.
"""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path

from openpyxl import Workbook

from dippouch.documents import Appearance, ListedPlayer, RankingDocument, Result, TournamentDocument
from dippouch.errors import Location
from dippouch.ids import readable_id
from dippouch.importing.reader import read_documents
from dippouch.seeds.schema import TOURNAMENT_FACTS
from dippouch.settings import PROJECT

STORED_PAGES = PROJECT / "tests" / "fixtures" / "wdd_text"

_COUNTED = ("players", "rounds", "boards")
_NOWHERE = Location(Path("sample"))


@dataclass(frozen=True)
class Extras:
    """Facts that a page shows and its text lacks.

    Attributes:
        tournament_id, player_ids: the site's ids; the players' by listed name.
        flags: the site's nation code by listed name.
        directors: people listed without a rank.
    """

    tournament_id: int = 0
    player_ids: Mapping[str, int] = field(default_factory=dict)
    flags: Mapping[str, str] = field(default_factory=dict)
    directors: tuple[str, ...] = ()


def stored_pages() -> list[Path]:
    """Return the stored text pages, sorted by name."""
    return sorted(STORED_PAGES.glob("*.txt"))


def stored_tournaments() -> list[TournamentDocument]:
    """Return the tournaments that the stored text pages state."""
    documents = [document for path in stored_pages() for document in read_documents(path)]
    return [document for document in documents if isinstance(document, TournamentDocument)]


def source_number(source: str, ids: Iterable[str]) -> int:
    """Return a source's number from ids such as `wdd:1480`; 0 if it has none."""
    return next((int(stated.partition(":")[2]) for stated in ids if stated.startswith(f"{source}:")), 0)


def tournament_html(document: TournamentDocument, extras: Extras | None = None, *, well_formed: bool = False) -> str:
    """Return a tournament's page as saved by a browser; rows are not closed unless `well_formed`."""
    extras = extras or Extras()
    end = ("</td>", "</tr>") if well_formed else ("", "")
    rows = [*document.results, *(Result(ListedPlayer(name, "", name, _NOWHERE), None) for name in extras.directors)]
    number = extras.tournament_id or source_number("wdd", document.source_ids)
    title = "".join(f"<h2>{_e(text)}</h2>\n" for text in (document.name, document.subtitle) if text)
    coefficients = "".join(f"<th>{name}</th><td>{value}</td>" for name, value in _coefficients(document))
    return (
        "<!DOCTYPE html>\n"
        f"<!-- saved from url=(0099)http://www.world-diplomacy-database.com/php/ranking/ranking_tournament.php?id_ranking=3&id_tournament={number} -->\n"
        "<html><head><meta charset='utf-8'><title>WDD - Dip Pouch Tournament Rating</title></head><body>\n"
        "<p><a href='ranking_class.php?id_ranking=3'>International ranking</a></p>\n"
        f"{title}<table align='center'>\n"
        f"<tr><th>Date</th><td>{_e(span_in_words(document.started_on, document.ended_on))}</td>"
        f"<th>Place</th><td>{_e(document.place or '')}</td></tr>\n"
        "<tr>"
        + "".join(f"<th>Number of {name}</th><td>{getattr(document, name) or ''}</td>" for name in _COUNTED)
        + f"</tr>\n<tr>{coefficients}</tr>\n</table>\n"
        "<table width='80%' bgcolor='black' cellspacing='1' align='center'>\n"
        "<tr><th>Rank</th><th>FirstName LastName</th><th>Loc.</th><th>Nat.</th><th>Score</th></tr>\n"
        + "".join(
            _html_row(i, (str(row.placement or ""), row.player, _score(row)), extras, end) for i, row in enumerate(rows)
        )
        + "</table>\n</body></html>\n"
    )


def _coefficients(document: TournamentDocument) -> Iterator[tuple[str, str]]:
    for number, coefficient in enumerate(document.coefficients, start=1):
        yield f"Coeff {number}", "-" if coefficient is None else str(coefficient)


def _score(result: Result) -> str:
    return "" if result.published_score is None else f"{result.published_score:.2f}"


def _html_row(position: int, row: tuple[str, ListedPlayer, str], extras: Extras, end: tuple[str, str]) -> str:
    number, player, score = row
    name = player.listed_name
    player_id = extras.player_ids.get(name) or source_number("wdd", player.source_ids)
    href = f"../results/player_fiche.php?id_player={player_id}" if player_id else "#"
    flag = f"<img src='../images/flags/{extras.flags.get(name) or flag_of(player.nation_code)}.gif'>"
    cells = (number, f"<a href='{href}'>{_e(name)}</a>", "<img src='../images/flags/ZZZ.gif'>", flag, score)
    return (
        f"<tr class='row_{'odd' if position % 2 else 'even'}'>"
        + "".join(f"<td>{c}{end[0]}" for c in cells)
        + f"{end[1]}\n"
    )


def flag_of(nation_code: str | None) -> str:
    """Return the site's code of a nation; `YYY` if none is stated."""
    return _flags().get(nation_code or "", "YYY")


@cache
def _flags() -> dict[str, str]:
    with (PROJECT / "seeds" / "reference" / "ref_nations.csv").open(encoding="utf-8", newline="") as file:
        return {row["nation_code"]: row["wdd_code"] for row in csv.DictReader(file) if row["wdd_code"]}


def ranking_html(document: RankingDocument) -> str:
    """Return a ranking's page as saved by a browser."""
    rows = [(str(r.rank), r.player, f"{r.rating:.2f}") for r in document.ranks]
    return (
        "<html><head><title>WDD</title></head><body>\n"
        f"<h2>{_e(document.ranking_name)}</h2>\n"
        f"<p>Author {_e(document.author)} Last Update {document.last_update}</p>\n"
        "<table><tr><th>Rank</th><th>FirstName LastName</th><th>Nat.</th><th>Loc.</th><th>Score</th></tr>\n"
        + "".join(_html_row(i, row, Extras(), ("", "")) for i, row in enumerate(rows))
        + "</table></body></html>\n"
    )


def player_html(name: str, player_id: int, flag: str, appearances: Sequence[Appearance]) -> str:
    """Return a player's page `player_fiche5.php` with the tournaments they played."""
    rows = []
    for position, played in enumerate(appearances):
        cells = (
            str(played.ended_on),
            "<img src='../images/flags/FRA.gif'>",
            f"<a href='tournament_class.php?id_tournament={source_number('wdd', played.source_ids)}'>{_e(played.name)}</a>",
            played.kind or "",
            f"{played.placement or ''} / {played.players or ''} players",
            "<a href='circuit_class.php?id_circuit=7'>A circuit</a>",
        )
        rows.append(f"<tr class='row_{'odd' if position % 2 else 'even'}'>" + "".join(f"<td>{c}" for c in cells))
    headings = ("Date", "Country", "Name of the tournament", "Type", "Rank", "Step of the following circuits")
    return (
        f"<html><head><title>WDD - {_e(name)}</title></head><body>\n"
        f"<p><a href='player_fiche.php?id_player={player_id}'>Individual prize list</a>"
        f" <a href='player_fiche5.php?id_player={player_id}'>{_e(name)}</a></p>\n"
        f"<table bgcolor='black'><tr><th><table><tr><td><img src='../images/flags/{flag}.gif'></td></tr></table></th></tr></table>\n"
        "<table><tr>"
        + "".join(f"<th>{h}</th>" for h in headings)
        + "</tr>\n"
        + "\n".join(rows)
        + "</table></body></html>\n"
    )


def tournament_tabs(document: TournamentDocument) -> str:
    """Return a tournament's page as copied from a browser."""
    rows = (f"{r.placement or ''}\t{r.player.listed_name}\t\t\t{_score(r)}" for r in document.results)
    return _page_text(document, "\t", "Rank\tFirstName LastName\tLoc.\tNat.\tScore", rows)


def tournament_text(document: TournamentDocument) -> str:
    """Return a tournament's page as text without separators between cells."""
    rows = (f"{r.placement or ''}{r.player.listed_name}{_score(r)}" for r in document.results)
    return _page_text(document, "", "RankFirstName LastNameLoc.Nat.Score", rows)


def _page_text(document: TournamentDocument, between: str, head: str, rows: Iterable[str]) -> str:
    """Return the lines of a page, with `between` between the cells of a line."""
    fields = between or " "
    span = span_in_words(document.started_on, document.ended_on)
    return "\n".join(
        [
            document.name,
            *([document.subtitle] if document.subtitle else []),
            fields.join(("Date", span, "Place", document.place or "")),
            fields.join(f"Number of {name}{between}{getattr(document, name) or ''}" for name in _COUNTED),
            fields.join(f"{name}{between}{value}" for name, value in _coefficients(document)),
            *("", head, *rows, ""),
        ]
    )


def _fact_rows(document: TournamentDocument) -> Iterator[tuple[str, str]]:
    facts = {
        "name": document.name,
        "subtitle": document.subtitle,
        "kind": document.kind,
        "date": f"{document.started_on} - {document.ended_on}",
        "place": document.place,
        **{name: getattr(document, name) for name in _COUNTED},
        **{f"coefficient_{i}": c for i, c in enumerate(document.coefficients, start=1)},
        "wdd_id": source_number("wdd", document.source_ids) or None,
    }
    return ((name, str(value)) for name, value in facts.items() if value is not None)


def _result_rows(document: TournamentDocument) -> Iterator[tuple[str, ...]]:
    yield "placement", "first_name", "last_name", "nation_code", "published_score", "wdd_id"
    for r in document.results:
        number = source_number("wdd", r.player.source_ids)
        names = (r.player.first_name, r.player.last_name, r.player.nation_code or "")
        yield str(r.placement or ""), *names, _score(r), str(number or "")


def _csv_text(rows: Iterable[tuple[object, ...]], separator: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue()


def tournament_csv(document: TournamentDocument, separator: str = ",") -> str:
    """Return the standings of a tournament as CSV, with the facts above the table."""
    facts = ((f"{name}: {value}",) for name, value in _fact_rows(document))
    return _csv_text(facts, separator) + "\n" + _csv_text(_result_rows(document), separator)


def tournament_list(document: TournamentDocument) -> str:
    """Return the standings of a tournament as a numbered list, with the facts above it."""
    facts = "".join(f"{name}: {value}\n" for name, value in _fact_rows(document))
    rows = (f"{f'{r.placement}.' if r.placement else 'DNF'} {r.player.listed_name}\n" for r in document.results)
    return f"{facts}\n{''.join(rows)}"


def table_html(document: TournamentDocument) -> str:
    """Return the standings of a tournament as the table of a club's page."""
    facts = (f"<tr><td>{_e(name)}</td><td>{_e(value)}</td></tr>" for name, value in _fact_rows(document))
    rows = ("".join(f"<td>{_e(cell)}</td>" for cell in row) for row in _result_rows(document))
    table = "\n".join([*facts, *(f"<tr>{row}</tr>" for row in rows)])
    return f"<html><body><table>{table}</table></body></html>"


def tournament_xlsx(document: TournamentDocument) -> bytes:
    """Return the standings of a tournament as an Excel workbook."""
    workbook = Workbook()
    sheet = workbook.create_sheet("Standings", 0)
    for fact in _fact_rows(document):
        sheet.append(fact)
    sheet.append(())
    for row in _result_rows(document):
        sheet.append([int(cell) if cell.isdigit() else cell or None for cell in row])
    made = io.BytesIO()
    workbook.save(made)
    return made.getvalue()


def tournament_json(document: TournamentDocument, *, invented_ids: bool = True) -> str:
    """Return a tournament in the JSON of the World Diplomacy Reference.

    Args:
        document: the tournament.
        invented_ids: whether to invent missing ids.
    """
    data = {
        "tournament_id": source_number("wdr", document.source_ids) or (7 if invented_ids else None),
        "tournament_wdd_id": source_number("wdd", document.source_ids) or -1,
        "tournament_name": document.name,
        "tournament_start_date": document.started_on.isoformat(),
        "tournament_end_date": document.ended_on.isoformat(),
        "tournament_kind": document.kind or ("WDC" if document.coefficients[0] == 20 else "CUP"),
        "tournament_something_new": {"nested": [1, 2.5, None]},
        "tournament_classifications": [
            {
                "player_id": source_number("wdr", r.player.source_ids) or (i if invented_ids else None),
                "player_full_name": r.player.listed_name,
                "player_rank": r.placement or -1,
                "player_score": 12.5,
            }
            for i, r in enumerate(document.results, start=1)
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=1)


SEVIN = ListedPlayer("Cyrille Sevin", "Cyrille", "Sevin", _NOWHERE, "FR", None, ("wdd:1073", "wdr:12"))
_PLAYED_BY_SEVIN = [
    Appearance(name, date.fromisoformat(first), date.fromisoformat(last), placement, _NOWHERE, kind, ids)
    for name, first, last, placement, kind, ids in (
        ("World DipCon XXIII 2013", "2013-08-23", "2013-08-25", 1, "WDC", ("wdd:1480", "wdr:70")),
        ("Open de Paris 2015", "2015-03-07", "2015-03-07", None, "CUP", ("wdr:71",)),
        ("EuroDipCon 2016", "2016-05-13", "2016-05-15", None, "EDC", ("wdr:72",)),
    )
]


def player_json(player: ListedPlayer = SEVIN, appearances: Sequence[Appearance] = _PLAYED_BY_SEVIN) -> str:
    """Return a player in the JSON of the World Diplomacy Reference; by default Cyrille Sevin with three appearances."""
    return json.dumps(
        {
            "player_id": source_number("wdr", player.source_ids) or None,
            "player_wdd_id": source_number("wdd", player.source_ids) or -1,
            "player_first_name": player.first_name,
            "player_last_name": player.last_name,
            "player_nationality": player.nation_code,
            "player_location": player.location_code,
            "player_boards_played": [],
            "player_tournaments_played": [
                {
                    "tournament_id": source_number("wdr", a.source_ids) or None,
                    "tournament_wdd_id": source_number("wdd", a.source_ids) or -1,
                    "tournament_name": a.name,
                    "tournament_start_date": a.started_on.isoformat(),
                    "tournament_end_date": a.ended_on.isoformat(),
                    "tournament_kind": a.kind,
                    "tournament_player_rank": a.placement or -1,
                }
                for a in appearances
            ],
        },
        indent=1,
    )


def two_tables(documents: Sequence[TournamentDocument]) -> dict[str, str]:
    """Return tournaments as the two files of the format `two-tables`, by name; missing ids come from the names."""
    tournaments: list[tuple[object, ...]] = [("tournament_id", *TOURNAMENT_FACTS, "wdd_id")]
    results: list[tuple[object, ...]] = [
        ("tournament_id", "placement", "first_name", "last_name", "nation_code", "wdd_id")
    ]
    for document in documents:
        given = document.tournament_id or readable_id(document.name)
        number = source_number("wdd", document.source_ids)
        tournaments.append((given, *(getattr(document, name) for name in TOURNAMENT_FACTS), number or ""))
        for placement, player in ((r.placement, r.player) for r in document.results):
            names = (player.first_name, player.last_name, player.nation_code)
            results.append((given, placement, *names, source_number("wdd", player.source_ids) or ""))
    return {"tournaments.csv": _csv_text(tournaments), "results.csv": _csv_text(results)}


# A small pair, written by hand.
PAIR = {
    "tournaments.csv": "tournament_id;name;kind;started_on;ended_on;place;nation_code;players;rounds;boards\n"
    "wdc-1;First Cup;WDC;2010-05-01;2010-05-02;Nice;FRA;40;3;5\ncup-2;Second Cup;;2011-05-01;;;;;;\n",
    "results.csv": "tournament_id,placement,first_name,last_name,nation_code\n"
    "cup-2,1,Ben,BAKER,\nwdc-1,2,Ben,BAKER,USA\nwdc-1,1,Anna,ARCHER,FR\ncup-2,DNF,Anna,ARCHER,\n",
}


def write_two_tables(folder: Path, documents: Sequence[TournamentDocument]) -> Path:
    """Write tournaments as the two files of the format `two-tables`.

    Returns:
        The path of its tournaments.csv.
    """
    for name, text in two_tables(documents).items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder / "tournaments.csv"


def span_in_words(started_on: date, ended_on: date) -> str:
    """Return a span of days in the pages' form: `August 23-25, 2013`, `June 1, 1996`."""
    if started_on == ended_on:
        return f"{started_on:%B} {started_on.day}, {started_on.year}"
    if (started_on.year, started_on.month) == (ended_on.year, ended_on.month):
        return f"{started_on:%B} {started_on.day}-{ended_on.day}, {started_on.year}"
    return f"{started_on:%B} {started_on.day}, {started_on.year} - {ended_on:%B} {ended_on.day}, {ended_on.year}"


def _e(text: str) -> str:
    return html.escape(text)
