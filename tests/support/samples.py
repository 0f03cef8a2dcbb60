"""Documents of every format, written from their facts: those of the stored text pages, so that every format must give the same.

The HTML follows the known structure of the site's pages: `<tr class="row_even">`, headings in `<th>`, flags as images named by the
site's nation codes, ids in links, and rows that are not closed.
"""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from openpyxl import Workbook

from dippouch.collection.schema import TOURNAMENTS
from dippouch.names import readable_id_or_empty
from dippouch.reading.context import ReadingChoices, read_context
from dippouch.reading.documents import ListedPlayer, RankingDocument, Result, TournamentDocument
from dippouch.reading.reader import read_documents
from dippouch.settings import PROJECT

# The project's nations and words, and no choices.
CONTEXT = read_context(PROJECT / "seeds", ReadingChoices())
STORED_PAGES = PROJECT / "tests" / "fixtures" / "wdd_text"
# The pages of a player at both sites.
PLAYER_HTML, PLAYER_JSON = (
    PROJECT / "tests" / "fixtures" / "documents" / f"player.{kind}" for kind in ("html", "json")
)
# A small pair of the format two-tables, written by hand.
PAIR = {
    "tournaments.csv": "tournament_id;name;kind;started_on;ended_on;place;nation_code;players;rounds;boards\n"
    "wdc-1;First Cup;WDC;2010-05-01;2010-05-02;Nice;FRA;40;3;5\ncup-2;Second Cup;;2011-05-01;;;;;;\n",
    "results.csv": "tournament_id,placement,first_name,last_name,nation_code\n"
    "cup-2,1,Ben,BAKER,\nwdc-1,2,Ben,BAKER,USA\nwdc-1,1,Anna,ARCHER,FR\ncup-2,DNF,Anna,ARCHER,\n",
}
_COUNTED = ("players", "rounds", "boards")


@cache
def stored_tournaments() -> list[TournamentDocument]:
    """Return the tournaments that the stored text pages state."""
    documents = [document for path in sorted(STORED_PAGES.glob("*.txt")) for document in read_documents(path, CONTEXT)]
    return [document for document in documents if isinstance(document, TournamentDocument)]


def stored_ranking() -> RankingDocument:
    """Return the ranking that a stored text page states."""
    (document,) = read_documents(STORED_PAGES / "international-ranking-2017-08-06.txt", CONTEXT)
    assert isinstance(document, RankingDocument)
    return document


def tournament_html(document: TournamentDocument) -> str:
    """Return a tournament's page as saved by a browser."""
    title = "".join(f"<h2>{_e(text)}</h2>\n" for text in (document.name, document.subtitle) if text)
    coefficients = "".join(f"<th>{name}</th><td>{value}</td>" for name, value in _coefficients(document))
    return (
        "<!DOCTYPE html>\n"
        "<!-- saved from url=(0099)http://www.world-diplomacy-database.com/php/ranking/ranking_tournament.php?id_ranking=3&id_tournament=0 -->\n"
        "<html><head><meta charset='utf-8'><title>WDD - Dip Pouch Tournament Rating</title></head><body>\n"
        "<p><a href='ranking_class.php?id_ranking=3'>International ranking</a></p>\n"
        f"{title}<table align='center'>\n"
        f"<tr><th>Date</th><td>{_e(_days(document))}</td>"
        f"<th>Place</th><td>{_e(document.place or '')}</td></tr>\n"
        "<tr>"
        + "".join(f"<th>Number of {name}</th><td>{getattr(document, name) or ''}</td>" for name in _COUNTED)
        + f"</tr>\n<tr>{coefficients}</tr>\n</table>\n"
        "<table width='80%' bgcolor='black' cellspacing='1' align='center'>\n"
        "<tr><th>Rank</th><th>FirstName LastName</th><th>Loc.</th><th>Nat.</th><th>Score</th></tr>\n"
        + "".join(_html_row(i, str(r.placement or ""), r.player, _score(r)) for i, r in enumerate(document.results))
        + "</table>\n</body></html>\n"
    )


def _coefficients(document: TournamentDocument) -> Iterator[tuple[str, str]]:
    for number, coefficient in enumerate(document.coefficients, start=1):
        yield f"Coeff {number}", "-" if coefficient is None else str(coefficient)


def _score(result: Result) -> str:
    return "" if result.published_score is None else f"{result.published_score:.2f}"


def _html_row(position: int, number: str, player: ListedPlayer, score: str) -> str:
    flags = ("<img src='../images/flags/ZZZ.gif'>", "<img src='../images/flags/YYY.gif'>")
    cells = (number, f"<a href='#'>{_e(player.listed_name)}</a>", *flags, score)
    return f"<tr class='row_{'odd' if position % 2 else 'even'}'>" + "".join(f"<td>{cell}" for cell in cells) + "\n"


def ranking_html(document: RankingDocument) -> str:
    """Return a ranking's page as saved by a browser."""
    return (
        "<html><head><title>WDD</title></head><body>\n"
        f"<h2>{_e(document.ranking_name)}</h2>\n"
        f"<p>Author {_e(document.author)} Last Update {document.last_update}</p>\n"
        "<table><tr><th>Rank</th><th>FirstName LastName</th><th>Nat.</th><th>Loc.</th><th>Score</th></tr>\n"
        + "".join(
            _html_row(i, str(r.placement), r.player, f"{r.published_score:.2f}") for i, r in enumerate(document.ranks)
        )
        + "</table></body></html>\n"
    )


def tournament_tabs(document: TournamentDocument) -> str:
    """Return a tournament's page as copied from a browser."""
    lines = [
        document.name,
        *([document.subtitle] if document.subtitle else []),
        "\t".join(("Date", _days(document), "Place", document.place or "")),
        "\t".join(f"Number of {name}\t{getattr(document, name) or ''}" for name in _COUNTED),
        "\t".join(f"{name}\t{value}" for name, value in _coefficients(document)),
        *("", "Rank\tFirstName LastName\tLoc.\tNat.\tScore"),
        *(f"{r.placement or ''}\t{r.player.listed_name}\t\t\t{_score(r)}" for r in document.results),
    ]
    return "\n".join([*lines, ""])


def _fact_rows(document: TournamentDocument) -> Iterator[tuple[str, str]]:
    facts = {
        "name": document.name,
        "subtitle": document.subtitle,
        "kind": document.kind,
        "date": f"{document.started_on} - {document.ended_on}",
        "place": document.place,
        **{name: getattr(document, name) for name in _COUNTED},
        **{f"coefficient_{i}": c for i, c in enumerate(document.coefficients, start=1)},
    }
    return ((name, str(value)) for name, value in facts.items() if value is not None)


def _result_rows(document: TournamentDocument) -> Iterator[tuple[str, ...]]:
    yield "placement", "first_name", "last_name", "published_score"
    for r in document.results:
        yield str(r.placement or ""), r.player.first_name, r.player.last_name, _score(r)


def _csv_text(rows: Iterable[tuple[object, ...]], separator: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue()


def tournament_csv(document: TournamentDocument, separator: str = ",") -> str:
    """Return the standings of a tournament as CSV, with the facts above the table."""
    facts = ((f"{name}: {value}",) for name, value in _fact_rows(document))
    return _csv_text(facts, separator) + "\n" + _csv_text(_result_rows(document), separator)


def table_html(document: TournamentDocument) -> str:
    """Return the standings of a tournament as the table of a club's page."""
    rows = [*_fact_rows(document), *_result_rows(document)]
    cells = ("".join(f"<td>{_e(cell)}</td>" for cell in row) for row in rows)
    return "<html><body><table>" + "\n".join(f"<tr>{row}</tr>" for row in cells) + "</table></body></html>"


def tournament_xlsx(document: TournamentDocument) -> bytes:
    """Return the standings of a tournament as an Excel workbook."""
    workbook = Workbook()
    sheet = workbook.worksheets[0]
    for row in (*_fact_rows(document), (), *_result_rows(document)):
        sheet.append([int(cell) if cell.isdigit() else cell or None for cell in row])
    made = io.BytesIO()
    workbook.save(made)
    return made.getvalue()


def tournament_json(document: TournamentDocument) -> str:
    """Return a tournament in the JSON of the World Diplomacy Reference, with invented ids."""
    data = {
        "tournament_id": 7,
        "tournament_wdd_id": -1,
        "tournament_name": document.name,
        "tournament_start_date": document.started_on.isoformat(),
        "tournament_end_date": document.ended_on.isoformat(),
        "tournament_kind": document.kind or ("WDC" if document.coefficients[0] == 20 else "CUP"),
        "tournament_something_new": {"nested": [1, 2.5, None]},
        "tournament_classifications": [
            {
                "player_id": i,
                "player_full_name": r.player.listed_name,
                "player_rank": r.placement or -1,
                "player_score": 12.5,
            }
            for i, r in enumerate(document.results, start=1)
        ],
    }
    return json.dumps(data, ensure_ascii=False, indent=1)


def two_tables(documents: Sequence[TournamentDocument]) -> dict[str, str]:
    """Return tournaments as the two files of the format `two-tables`, by name."""
    tournaments: list[tuple[object, ...]] = [("tournament_id", *TOURNAMENTS.correctable)]
    results: list[tuple[object, ...]] = [("tournament_id", "placement", "first_name", "last_name")]
    for document in documents:
        given = readable_id_or_empty(document.name)
        tournaments.append((given, *(getattr(document, name) for name in TOURNAMENTS.correctable)))
        results += [(given, r.placement, r.player.first_name, r.player.last_name) for r in document.results]
    return {"tournaments.csv": _csv_text(tournaments), "results.csv": _csv_text(results)}


def _days(document: TournamentDocument) -> str:
    """Return the days of a tournament in the pages' form: `August 23-25, 2013`, `June 1, 1996`; no stored one is in two months."""
    first, last = document.started_on, document.ended_on
    return f"{first:%B} {first.day}{f'-{last.day}' if first != last else ''}, {first.year}"


def _e(text: str) -> str:
    return html.escape(text)
