"""One event in every format: built from the stored text pages, so that every format must give the facts of the text.

The HTML follows what is known of the site's pages: `<tr class="row_even">`, headings in `<th>`, flags as pictures named by
the site's nation codes, ids in links, and markup that is not well formed.
"""

from __future__ import annotations

import csv
import html
import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path

from openpyxl import Workbook

from dippouch.documents import Appearance, RankingDocument, TournamentDocument
from dippouch.ids import readable_id
from dippouch.importing.reader import read_documents
from dippouch.seeds.schema import TOURNAMENT_FACTS
from dippouch.settings import PROJECT

STORED_PAGES = PROJECT / "tests" / "fixtures" / "wdd_text"

_COUNTED = ("players", "rounds", "boards")


@dataclass(frozen=True)
class Extras:
    """What a page shows and its text leaves out.

    Attributes:
        tournament_id, player_ids: the site's ids; the players' by listed name.
        flags: the site's nation code by listed name.
        directors: people who are listed without a rank.
    """

    tournament_id: int = 0
    player_ids: Mapping[str, int] = field(default_factory=dict)
    flags: Mapping[str, str] = field(default_factory=dict)
    directors: tuple[str, ...] = ()


def stored_pages() -> list[Path]:
    """The stored text pages, in the order of their names."""
    return sorted(STORED_PAGES.glob("*.txt"))


def stored_tournaments() -> list[TournamentDocument]:
    """The stored tournaments, as their text states them."""
    documents = [document for path in stored_pages() for document in read_documents(path)]
    return [document for document in documents if isinstance(document, TournamentDocument)]


def tournament_html(document: TournamentDocument, extras: Extras | None = None, *, well_formed: bool = False) -> str:
    """The page of a tournament as a browser saved it; unless told otherwise with rows that nobody closed."""
    extras = extras or Extras()
    end = ("</td>", "</tr>") if well_formed else ("", "")
    rows = [
        (str(r.placement or ""), r.player.listed_name, "" if r.published_score is None else f"{r.published_score:.2f}")
        for r in document.results
    ]
    rows += [("", name, "") for name in extras.directors]
    title = "".join(f"<h2>{_e(text)}</h2>\n" for text in (document.name, document.subtitle) if text)
    coefficients = "".join(
        f"<th>Coeff {i}</th><td>{'-' if c is None else c}</td>" for i, c in enumerate(document.coefficients, start=1)
    )
    return (
        "<!DOCTYPE html>\n"
        f"<!-- saved from url=(0099)http://www.world-diplomacy-database.com/php/ranking/ranking_tournament.php?id_ranking=3&id_tournament={extras.tournament_id} -->\n"
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
        + "".join(_html_row(i, row, extras, end) for i, row in enumerate(rows))
        + "</table>\n</body></html>\n"
    )


def _html_row(position: int, row: tuple[str, str, str], extras: Extras, end: tuple[str, str]) -> str:
    number, name, score = row
    player_id = extras.player_ids.get(name)
    href = f"../results/player_fiche.php?id_player={player_id}" if player_id else "#"
    flag = f"<img src='../images/flags/{extras.flags.get(name, 'YYY')}.gif'>"
    cells = (number, f"<a href='{href}'>{_e(name)}</a>", "<img src='../images/flags/ZZZ.gif'>", flag, score)
    return (
        f"<tr class='row_{'odd' if position % 2 else 'even'}'>"
        + "".join(f"<td>{c}{end[0]}" for c in cells)
        + f"{end[1]}\n"
    )


def ranking_html(document: RankingDocument) -> str:
    """The page of a ranking as a browser saved it."""
    rows = [(str(r.rank), r.player.listed_name, f"{r.rating:.2f}") for r in document.ranks]
    return (
        "<html><head><title>WDD</title></head><body>\n"
        f"<h2>{_e(document.ranking_name)}</h2>\n"
        f"<p>Author {_e(document.author)} Last Update {document.last_update}</p>\n"
        "<table><tr><th>Rank</th><th>FirstName LastName</th><th>Nat.</th><th>Loc.</th><th>Score</th></tr>\n"
        + "".join(_html_row(i, row, Extras(), ("", "")) for i, row in enumerate(rows))
        + "</table></body></html>\n"
    )


def player_html(name: str, player_id: int, flag: str, appearances: list[Appearance]) -> str:
    """The page `player_fiche5.php` of a player: the tournaments they played."""
    rows = []
    for position, played in enumerate(appearances):
        tournament_id = (played.source_tournament_id or "wdd:0").removeprefix("wdd:")
        cells = (
            str(played.ended_on),
            "<img src='../images/flags/FRA.gif'>",
            f"<a href='tournament_class.php?id_tournament={tournament_id}'>{_e(played.name)}</a>",
            played.kind or "",
            f"{played.placement or ''} / {played.players or ''} players",
            "<a href='circuit_class.php?id_circuit=7'>A circuit</a>",
        )
        rows.append(f"<tr class='row_{'odd' if position % 2 else 'even'}'>" + "".join(f"<td>{c}" for c in cells))
    headings = ("Date", "Country", "Name of the tournament", "Type", "Rank", "Step of the following circuits")
    return (
        f"<html><head><title>WDD - {_e(name)}</title></head><body>\n"
        f"<p><a href='player_fiche.php?id_player={player_id}'>Individual prize list</a>"
        f" <a href='player_fiche5.php?id_player={player_id}'>Tournaments</a></p>\n"
        f"<table bgcolor='black'><tr><th><table><tr><td><img src='../images/flags/{flag}.gif'></td></tr></table></th></tr></table>\n"
        "<table><tr>"
        + "".join(f"<th>{h}</th>" for h in headings)
        + "</tr>\n"
        + "\n".join(rows)
        + "</table></body></html>\n"
    )


def tournament_tabs(document: TournamentDocument) -> str:
    """The page of a tournament as it comes out of a browser's clipboard."""
    lines = [document.name, *([document.subtitle] if document.subtitle else [])]
    lines.append(f"Date\t{span_in_words(document.started_on, document.ended_on)}\tPlace\t{document.place or ''}")
    lines.append("\t".join(f"Number of {name}\t{getattr(document, name) or ''}" for name in _COUNTED))
    lines.append(
        "\t".join(f"Coeff {i}\t{'-' if c is None else c}" for i, c in enumerate(document.coefficients, start=1))
    )
    lines += ["", "Rank\tFirstName LastName\tLoc.\tNat.\tScore"]
    for r in document.results:
        score = "" if r.published_score is None else f"{r.published_score:.2f}"
        lines.append(f"{r.placement or ''}\t{r.player.listed_name}\t\t\t{score}")
    return "\n".join(lines) + "\n"


def _fact_rows(document: TournamentDocument) -> Iterator[tuple[str, str]]:
    facts = {
        "name": document.name,
        "subtitle": document.subtitle,
        "date": f"{document.started_on} - {document.ended_on}",
        "place": document.place,
        **{name: getattr(document, name) for name in _COUNTED},
        **{f"coefficient_{i}": c for i, c in enumerate(document.coefficients, start=1)},
    }
    return ((name, str(value)) for name, value in facts.items() if value is not None)


def _result_rows(document: TournamentDocument) -> Iterator[tuple[str, ...]]:
    yield "placement", "first_name", "last_name", "nation_code", "published_score"
    for r in document.results:
        score = "" if r.published_score is None else f"{r.published_score:.2f}"
        yield str(r.placement or ""), r.player.first_name, r.player.last_name, r.player.nation_code or "", score


def tournament_csv(document: TournamentDocument, separator: str = ",") -> str:
    """The standings of a tournament as CSV, the facts above the table."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerows((f"{name}: {value}",) for name, value in _fact_rows(document))
    writer.writerow(())
    writer.writerows(_result_rows(document))
    return text.getvalue()


def tournament_xlsx(document: TournamentDocument) -> bytes:
    """The standings of a tournament as an Excel workbook."""
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


def tournament_json(document: TournamentDocument) -> str:
    """A tournament as the World Diplomacy Reference gives it."""
    data = {
        "tournament_id": 7,
        "tournament_wdd_id": -1,
        "tournament_name": document.name,
        "tournament_start_date": document.started_on.isoformat(),
        "tournament_end_date": document.ended_on.isoformat(),
        "tournament_kind": "WDC" if document.coefficients[0] == 20 else "CUP",
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


def player_json() -> str:
    """A player as the World Diplomacy Reference gives them."""
    played = [
        {
            "tournament_id": 70 + i,
            "tournament_wdd_id": wdd_id,
            "tournament_name": name,
            "tournament_start_date": start,
            "tournament_end_date": end,
            "tournament_kind": kind,
            "tournament_player_rank": rank,
        }
        for i, (wdd_id, name, start, end, kind, rank) in enumerate(
            (
                (1480, "World DipCon XXIII 2013", "2013-08-23", "2013-08-25", "WDC", 1),
                (-1, "Open de Paris 2015", "2015-03-07", None, "CUP", -1),
                (None, "EuroDipCon 2016", "2016-05-13", "2016-05-15", "EDC", None),
            )
        )
    ]
    return json.dumps(
        {
            "player_id": 12,
            "player_wdd_id": 1073,
            "player_first_name": "Cyrille",
            "player_last_name": "Sevin",
            "player_nationality": "FR",
            "player_location": None,
            "player_boards_played": [],
            "player_tournaments_played": played,
        },
        indent=1,
    )


def write_two_tables(folder: Path, documents: list[TournamentDocument]) -> Path:
    """Write tournaments as the pair of the format `two-tables`, under the ids that the collection gives them.

    Returns:
        The path of its tournaments.csv.
    """
    path = folder / "tournaments.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("tournament_id", *TOURNAMENT_FACTS))
        for d in documents:
            days = (d.started_on, d.ended_on)
            writer.writerow(
                (readable_id(d.name), d.name, d.subtitle, "", *days, d.place, "", d.players, d.rounds, d.boards)
            )
    with (folder / "results.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("tournament_id", "placement", "first_name", "last_name", "nation_code"))
        for d in documents:
            tournament_id = readable_id(d.name)
            writer.writerows(
                (tournament_id, r.placement, r.player.first_name, r.player.last_name, "") for r in d.results
            )
    return path


def span_in_words(started_on: date, ended_on: date) -> str:
    """A span as the pages write it: `August 23-25, 2013`, `June 1, 1996`."""
    if started_on == ended_on:
        return f"{started_on:%B} {started_on.day}, {started_on.year}"
    if (started_on.year, started_on.month) == (ended_on.year, ended_on.month):
        return f"{started_on:%B} {started_on.day}-{ended_on.day}, {started_on.year}"
    return f"{started_on:%B} {started_on.day}, {started_on.year} - {ended_on:%B} {ended_on.day}, {ended_on.year}"


def _e(text: str) -> str:
    return html.escape(text)
