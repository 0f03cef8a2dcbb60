"""Documents as the importer gets them: what happened, told in every format, with what sources leave out or write otherwise."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from html import escape
from pathlib import Path
from random import Random

from openpyxl import Workbook

from dippouch.documents import Appearance, ListedPlayer, PublishedRank, RankingDocument, Source
from dippouch.errors import Location
from dippouch.ids import readable_id
from dippouch.rating.rules import percentile_score
from support.fuzzing.samples import player_html, ranking_html, span_in_words
from support.state_machine.world import Event, Person, World

_NOWHERE = Location(Path("told"))


@dataclass(frozen=True)
class File:
    """A document, or one of its files."""

    name: str
    content: bytes


@dataclass(frozen=True)
class Line:
    """One row of a table as a source tells it; ids are numbers of the source, 0 where it gives none."""

    first: str
    last: str
    nation: str
    flag: str
    wdd: int
    wdr: int
    placement: int | None

    @property
    def name(self) -> str:
        """First and last name in one."""
        return f"{self.first} {self.last}".strip()


@dataclass(frozen=True)
class Told:
    """An event as one source tells it."""

    name: str
    subtitle: str
    started_on: date
    ended_on: date
    place: str
    kind: str
    players: int | None
    rounds: int | None
    wdd: int
    wdr: int
    lines: tuple[Line, ...]


def tell(chance: Random, event: Event) -> Told:
    """An event as some source tells it: mostly as it was, sometimes with gaps, other spellings and slips."""
    # A source states nations and ids of everybody, or of nobody, with few exceptions.
    states = {"has_nations": chance.random() < 0.8, "has_ids": chance.random() < 0.5}
    lines = tuple(_line(chance, person, placement, **states) for person, placement in event.standings)
    told = Told(
        event.name,
        "Second line" if chance.random() < 0.1 else "",
        event.started_on,
        event.ended_on,
        chance.choice(["", "Genève", "Seattle"]),
        event.kind if chance.random() < 0.5 else "",
        event.players,
        event.rounds,
        event.number if chance.random() < 0.6 else 0,
        event.number if chance.random() < 0.6 else 0,
        lines,
    )
    for oddity in chance.sample(_ODDITIES, chance.choice([0, 0, 0, 0, 0, 1, 1, 2])):
        told = oddity(chance, told)
    return told


def _line(chance: Random, person: Person, placement: int | None, *, has_nations: bool, has_ids: bool) -> Line:
    first, last = person.plain if chance.random() < 0.3 else (person.first, person.last)
    has_nation, has_id = has_nations != (chance.random() < 0.1), has_ids != (chance.random() < 0.1)
    return Line(
        first,
        last,
        person.nation if has_nation else "",
        person.flag if has_nation else "YYY",
        person.number if has_id else 0,
        person.number if chance.random() < 0.8 else 0,
        placement,
    )


def _with_gaps(chance: Random, told: Told) -> Told:
    kept = [line for line in told.lines if chance.random() < 0.7]
    return replace(told, lines=tuple(kept) or told.lines)


def _with_stranger(chance: Random, told: Told) -> Told:
    stranger = Line("Zoë", chance.choice(["NEWMAN", "SMITH"]), "", "YYY", 0, 0, None)
    return replace(told, lines=(*told.lines, stranger))


def _without_placement(chance: Random, told: Told) -> Told:
    at = chance.randrange(len(told.lines))
    lines = (replace(line, placement=None) if i == at else line for i, line in enumerate(told.lines))
    return replace(told, lines=tuple(lines))


def _swapped(chance: Random, told: Told) -> Told:
    one, other = chance.choice(told.lines), chance.choice(told.lines)
    places = {one: other.placement, other: one.placement}
    return replace(told, lines=tuple(replace(line, placement=places.get(line, line.placement)) for line in told.lines))


def _on_other_days(chance: Random, told: Told) -> Told:
    shift = timedelta(days=chance.choice([-1, 1, 2, 7, 8, 200]))
    return replace(told, started_on=told.started_on + shift, ended_on=told.ended_on + shift)


def _with_year(chance: Random, told: Told) -> Told:
    del chance
    return replace(told, name=f"{told.name} {told.ended_on.year}")


def _renamed(chance: Random, told: Told) -> Told:
    return replace(told, name=chance.choice([told.name.upper(), f"{told.name} (final)", "Grand Prix"]))


def _of_odd_kind(chance: Random, told: Told) -> Told:
    return replace(told, kind=chance.choice(["cup", "Wdc", "edc", "LEAGUE"]))


def _of_other_size(chance: Random, told: Told) -> Told:
    return replace(told, players=chance.choice([None, 1, len(told.lines), 60]), rounds=chance.choice([None, 1, 3]))


def _in_the_future(chance: Random, told: Told) -> Told:
    day = date(chance.choice([2060, 2099]), 5, 5)
    return replace(told, started_on=day, ended_on=day)


def _of_other_id(chance: Random, told: Told) -> Told:
    return replace(told, wdd=chance.choice([201, 202, 299]), wdr=chance.choice([0, 203, 299]))


def _people_of_other_ids(chance: Random, told: Told) -> Told:
    at = chance.randrange(len(told.lines))
    number = chance.choice([101, 102, 103, 199])
    lines = (replace(line, wdd=number, wdr=number) if i == at else line for i, line in enumerate(told.lines))
    return replace(told, lines=tuple(lines))


def _of_other_nation(chance: Random, told: Told) -> Told:
    at = chance.randrange(len(told.lines))
    lines = (replace(line, nation="AUS", flag="AUS") if i == at else line for i, line in enumerate(told.lines))
    return replace(told, lines=tuple(lines))


_ODDITIES: tuple[Callable[[Random, Told], Told], ...] = (
    *(_with_gaps, _with_gaps, _with_stranger, _without_placement, _swapped, _on_other_days, _with_year, _renamed),
    *(_of_odd_kind, _of_other_size, _in_the_future, _of_other_id, _people_of_other_ids, _of_other_nation),
)

_HEAD = ("placement", "first_name", "last_name", "nation_code", "wdd_id")


def _facts(told: Told) -> dict[str, str]:
    facts = {
        "name": told.name,
        "subtitle": told.subtitle,
        "kind": told.kind,
        "date": f"{told.started_on} - {told.ended_on}",
        "place": told.place,
        "players": str(told.players or ""),
        "rounds": str(told.rounds or ""),
        "wdd_id": str(told.wdd or ""),
    }
    return {name: value for name, value in facts.items() if value}


def _ways_to_place(chance: Random, line: Line) -> str:
    if line.placement is None:
        return chance.choice(["", "DNF", "-", "TD"])
    return chance.choice([f"{line.placement}", f"{line.placement}", f"={line.placement}", f"{line.placement}."])


def _table(chance: Random, told: Told) -> list[tuple[str, ...]]:
    """The table of a hand-made document; every name in two cells, or in one."""
    in_one = chance.random() < 0.3
    head = ("placement", "name", "nation_code", "wdd_id") if in_one else _HEAD
    rows: list[tuple[str, ...]] = [head]
    for line in told.lines:
        names = (f"{line.last}, {line.first}" if line.first else line.last,) if in_one else (line.first, line.last)
        rows.append((_ways_to_place(chance, line), *names, line.nation, str(line.wdd or "")))
    return rows


def _encoded(chance: Random, text: str) -> bytes:
    encoding = chance.choice(["utf-8", "utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252"])
    try:
        return text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode("utf-8")


def _csv_text(rows: Sequence[Sequence[object]], separator: str = ",") -> str:
    text = io.StringIO()
    csv.writer(text, delimiter=separator, lineterminator="\n").writerows(rows)
    return text.getvalue()


def as_csv(chance: Random, told: Told) -> list[File]:
    """Standings as CSV."""
    facts = [(f"{name}: {value}",) for name, value in _facts(told).items()]
    text = _csv_text([*facts, (), *_table(chance, told)], chance.choice(",;\t"))
    return [File("standings.csv", _encoded(chance, text))]


def as_xlsx(chance: Random, told: Told) -> list[File]:
    """Standings as a workbook."""
    workbook = Workbook()
    sheet = workbook.worksheets[0]
    for fact in _facts(told).items():
        sheet.append(fact)
    sheet.append(())
    for row in _table(chance, told):
        # A spreadsheet takes what begins with `=` for a formula.
        sheet.append([int(cell) if cell.isdecimal() else cell.replace("=", "T") for cell in row])
    made = io.BytesIO()
    workbook.save(made)
    return [File("standings.xlsx", made.getvalue())]


def as_bulk(chance: Random, several: Sequence[Told]) -> list[File]:
    """Several events as the pair of the format `two-tables`."""
    head = ("tournament_id", "name", "kind", "started_on", "ended_on", "place", "players", "rounds", "wdd_id")
    tournaments: list[tuple[object, ...]] = [head]
    results: list[tuple[object, ...]] = [("tournament_id", *_HEAD)]
    for told in several:
        given = readable_id(f"{told.name} {told.ended_on.year}" if chance.random() < 0.8 else told.name)
        days = (told.started_on, told.ended_on)
        declared = (told.place, told.players, told.rounds, told.wdd or "")
        tournaments.append((given, told.name, told.kind, *days, *declared))
        for line in told.lines:
            row = (_ways_to_place(chance, line), line.first, line.last, line.nation, line.wdd or "")
            results.append((given, *row))
    return [
        File("tournaments.csv", _encoded(chance, _csv_text(tournaments))),
        File("results.csv", _encoded(chance, _csv_text(results))),
    ]


def _score(told: Told, line: Line) -> str:
    if line.placement is None or not told.players or line.placement > told.players:
        return ""
    return f"{float(percentile_score(told.players, line.placement)):.2f}"


def _page_head(told: Told, between: str) -> list[str]:
    """The lines of a page above its table, with what stands between two cells: nothing (cells run together), or a tab."""
    fields = between or " "
    counts = (("players", told.players), ("rounds", told.rounds), ("boards", None))
    return [
        told.name,
        *([told.subtitle] if told.subtitle else []),
        fields.join(("Date", span_in_words(told.started_on, told.ended_on), "Place", told.place)),
        fields.join(f"Number of {name}{between}{number or ''}" for name, number in counts),
        fields.join(f"Coeff {number}{between}-" for number in (1, 2, 3)),
        "",
    ]


def as_text(chance: Random, told: Told) -> list[File]:
    """The page of an event as text, cells run together."""
    rows = [f"{line.placement or ''}{line.name}{_score(told, line)}" for line in told.lines]
    text = "\n".join([*_page_head(told, ""), "RankFirstName LastNameLoc.Nat.Score", *rows, ""])
    return [File("page.txt", _encoded(chance, text))]


def as_tabs(chance: Random, told: Told) -> list[File]:
    """The page of an event as a browser's clipboard has it."""
    rows = [f"{line.placement or ''}\t{line.name}\t\t\t{_score(told, line)}" for line in told.lines]
    head = "Rank\tFirstName LastName\tLoc.\tNat.\tScore"
    return [File("clipboard.txt", _encoded(chance, "\n".join([*_page_head(told, "\t"), head, *rows, ""])))]


def as_html(chance: Random, told: Told) -> list[File]:
    """The page of an event as a browser saves it, with links and flags."""
    counts = (("players", told.players), ("rounds", told.rounds), ("boards", None))
    rows = "".join(
        f"\n<tr><td>{line.placement or ''}<td><a href='player_fiche.php?id_player={line.wdd}'>{escape(line.name)}</a>"
        f"<td><img src='flags/ZZZ.gif'><td><img src='flags/{line.flag}.gif'><td>{_score(told, line)}"
        if line.wdd
        else f"\n<tr><td>{line.placement or ''}<td>{escape(line.name)}<td><td><img src='flags/{line.flag}.gif'><td>"
        f"{_score(told, line)}"
        for line in told.lines
    )
    address = f"http://w/ranking_tournament.php?id_ranking=3&id_tournament={told.wdd}"
    page = (
        (f"<!-- saved from url=(0099){address} -->\n" if told.wdd else "")
        + "<html><head><meta charset='utf-8'><title>WDD</title></head><body>\n"
        + "".join(f"<h2>{escape(title)}</h2>\n" for title in (told.name, told.subtitle) if title)
        + f"<table><tr><th>Date</th><td>{span_in_words(told.started_on, told.ended_on)}</td>"
        + f"<th>Place</th><td>{escape(told.place)}</td></tr>\n<tr>"
        + "".join(f"<th>Number of {name}</th><td>{number or ''}</td>" for name, number in counts)
        + "</tr>\n<tr>"
        + "".join(f"<th>Coeff {number}</th><td>-</td>" for number in (1, 2, 3))
        + "</tr></table>\n<table><tr><th>Rank</th><th>FirstName LastName</th><th>Loc.</th><th>Nat.</th><th>Score</th>"
        + f"</tr>{rows}</table></body></html>\n"
    )
    del chance
    return [File("page.html", page.encode())]


def as_json(chance: Random, told: Told) -> list[File]:
    """An event as the World Diplomacy Reference gives it."""
    data = {
        "tournament_id": told.wdr or None,
        "tournament_wdd_id": told.wdd or -1,
        "tournament_name": told.name,
        "tournament_start_date": told.started_on.isoformat(),
        "tournament_end_date": told.ended_on.isoformat(),
        "tournament_kind": told.kind or None,
        "tournament_classifications": [
            {"player_id": line.wdr or None, "player_full_name": line.name, "player_rank": line.placement or -1}
            for line in told.lines
        ],
    }
    return [File("event.json", _json(chance, data))]


def _json(chance: Random, data: Mapping[str, object]) -> bytes:
    return json.dumps(data, ensure_ascii=chance.random() < 0.5, indent=1).encode()


# The formats of one event. JSON declares no players; the options that state them belong to the command.
OF_EVENTS: Mapping[str, Callable[[Random, Told], list[File]]] = {
    "csv": as_csv,
    "xlsx": as_xlsx,
    "html": as_html,
    "text": as_text,
    "tabs": as_tabs,
    "json": as_json,
}


def player_as_html(chance: Random, world: World) -> list[File]:
    """The page of somebody with some of their events."""
    person = chance.choice(world.people)
    first, last = person.plain if chance.random() < 0.3 else (person.first, person.last)
    played = [
        Appearance(
            told.name,
            told.started_on,
            told.ended_on,
            line.placement,
            _NOWHERE,
            told.kind or None,
            f"wdd:{told.wdd}" if told.wdd else None,
            players=told.players,
        )
        for told, line in _played(chance, world, person)
    ]
    page = player_html(f"{first} {last}", person.number, person.flag, played)
    return [File("player.html", page.encode())]


def player_as_json(chance: Random, world: World) -> list[File]:
    """Somebody with some of their events, as the World Diplomacy Reference gives them."""
    person = chance.choice(world.people)
    first, last = person.plain if chance.random() < 0.3 else (person.first, person.last)
    data = {
        "player_id": person.number if chance.random() < 0.8 else None,
        "player_wdd_id": person.number if chance.random() < 0.5 else -1,
        "player_first_name": first,
        "player_last_name": last,
        "player_nationality": person.nation or None,
        "player_location": chance.choice([None, "FR"]),
        "player_tournaments_played": [
            {
                "tournament_id": told.wdr or None,
                "tournament_wdd_id": told.wdd or -1,
                "tournament_name": told.name,
                "tournament_start_date": told.started_on.isoformat(),
                "tournament_end_date": told.ended_on.isoformat(),
                "tournament_kind": told.kind or None,
                "tournament_player_rank": line.placement or -1,
            }
            for told, line in _played(chance, world, person)
        ],
    }
    return [File("player.json", _json(chance, data))]


def _played(chance: Random, world: World, person: Person) -> list[tuple[Told, Line]]:
    """The events of a person as a source tells them, each with the person's line."""
    played = []
    for event in world.events:
        placements = dict(event.standings)
        if person in placements and chance.random() < 0.8:
            told = tell(chance, event)
            line = _line(chance, person, placements[person], has_nations=True, has_ids=True)
            played.append((replace(told, lines=()), line))
    return played


def ranking(chance: Random, world: World) -> list[File]:
    """A published ranking, as a page or as text."""
    people = chance.sample(world.people, chance.randint(1, 6))
    names = {" ".join(person.plain if chance.random() < 0.3 else (person.first, person.last)) for person in people}
    ranks = []
    rating = Decimal("85.29")
    rank = 0
    for position, name in enumerate(sorted(names), start=1):
        if position == 1 or chance.random() < 0.8:
            rating -= Decimal("1.11")
            rank = position
        first, _, last = name.rpartition(" ")
        ranks.append(PublishedRank(ListedPlayer(name, first, last, _NOWHERE), rank, rating))
    source = Source(Path("ranking"), "", "")
    day = chance.choice([date(2017, 8, 6), date(2018, 1, 1)])
    author = chance.choice(["Matt Shields", "Ada LOVELACE"])
    document = RankingDocument(source, "Dip Pouch Tournament Rating", author, day, ranks)
    if chance.random() < 0.5:
        return [File("ranking.html", ranking_html(document).encode())]
    lines = [document.ranking_name, f"Author{author} Last Update{day}", "", "Rank FirstName LastName Nat. Loc. Score"]
    rows = [f"{row.rank}{row.player.listed_name}{row.rating:.2f}" for row in ranks]
    return [File("ranking.txt", _encoded(chance, "\n".join([*lines, *rows, ""])))]
