"""Documents about the tournaments of a small world: mostly right, sometimes with the gaps, spellings and slips of real sources."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

from dippouch.documents import (
    Appearance,
    ListedPlayer,
    PublishedRank,
    RankingDocument,
    Result,
    Source,
    TournamentDocument,
)
from dippouch.errors import Location
from dippouch.ids import readable_id
from dippouch.rating.rules import percentile_score
from support.fuzzing import samples
from support.state_machine.world import Event, Person, World

_SOURCE = Source(Path("message"), "", "")
_NOWHERE = Location(_SOURCE.path)


@dataclass(frozen=True)
class File:
    """A document, or one of its files."""

    name: str
    content: bytes


def describe(chance: Random, event: Event) -> TournamentDocument:
    """Describe a tournament like some source would."""
    # A source states nations and ids of everybody or nobody, with few exceptions.
    nations, ids = chance.random() < 0.8, chance.random() < 0.5
    document = TournamentDocument(
        _SOURCE,
        event.name,
        event.started_on,
        event.ended_on,
        [Result(_listed(chance, person, nations=nations, ids=ids), place) for person, place in event.standings],
        subtitle="Second line" if chance.random() < 0.1 else None,
        place=chance.choice([None, "Genève", "Seattle"]),
        kind=event.kind if event.kind and chance.random() < 0.5 else None,
        players=event.players,
        rounds=event.rounds,
        source_ids=tuple(f"{source}:{event.number}" for source in ("wdd", "wdr") if chance.random() < 0.6),
    )
    for oddity in chance.sample(_ODDITIES, chance.choice([0, 0, 0, 0, 0, 1, 1, 2])):
        document = replace(document, **oddity(chance, document))
    return document


def _listed(chance: Random, person: Person, *, nations: bool, ids: bool) -> ListedPlayer:
    first, last = person.plain if chance.random() < 0.3 else (person.first, person.last)
    return ListedPlayer(
        f"{first} {last}".strip(),
        first,
        last,
        _NOWHERE,
        nation_code=person.nation or None if nations != (chance.random() < 0.1) else None,
        source_ids=(
            *((f"wdd:{person.number}",) if ids != (chance.random() < 0.1) else ()),
            *((f"wdr:{person.number}",) if chance.random() < 0.8 else ()),
        ),
    )


def _one_changed(
    chance: Random, document: TournamentDocument, change: Callable[[Result], Result]
) -> dict[str, list[Result]]:
    at = chance.randrange(len(document.results))
    return {"results": [change(result) if i == at else result for i, result in enumerate(document.results)]}


def _with_gaps(chance: Random, document: TournamentDocument) -> dict[str, Any]:
    return {"results": [result for result in document.results if chance.random() < 0.7] or document.results}


def _with_stranger(chance: Random, document: TournamentDocument) -> dict[str, Any]:
    last = chance.choice(["NEWMAN", "SMITH"])
    return {"results": [*document.results, Result(ListedPlayer(f"Zoë {last}", "Zoë", last, _NOWHERE), None)]}


def _without_placement(chance: Random, document: TournamentDocument) -> dict[str, Any]:
    return _one_changed(chance, document, lambda result: replace(result, placement=None))


def _swapped(chance: Random, document: TournamentDocument) -> dict[str, Any]:
    results = list(document.results)
    i, j = chance.randrange(len(results)), chance.randrange(len(results))
    places = results[i].placement, results[j].placement
    results[j], results[i] = replace(results[j], placement=places[0]), replace(results[i], placement=places[1])
    return {"results": results}


def _on_other_days(chance: Random, document: TournamentDocument) -> dict[str, Any]:
    shift = timedelta(days=chance.choice([-1, 1, 2, 7, 8, 200]))
    return {"started_on": document.started_on + shift, "ended_on": document.ended_on + shift}


def _renamed(chance: Random, document: TournamentDocument) -> dict[str, Any]:
    name = document.name
    others = [f"{name} {document.ended_on.year}"] * 3 + [name.upper(), f"{name} (final)", "Grand Prix"]
    return {"name": chance.choice(others)}


def _of_odd_kind(chance: Random, document: TournamentDocument) -> dict[str, Any]:
    del document
    return {"kind": chance.choice(["cup", "Wdc", "edc", "LEAGUE"])}


def _of_other_size(chance: Random, document: TournamentDocument) -> dict[str, Any]:
    return {"players": chance.choice([None, 1, len(document.results), 60]), "rounds": chance.choice([None, 1, 3])}


def _in_the_future(chance: Random, document: TournamentDocument) -> dict[str, Any]:
    del document
    return dict.fromkeys(("started_on", "ended_on"), date(chance.choice([2060, 2099]), 5, 5))


def _of_other_id(chance: Random, document: TournamentDocument) -> dict[str, Any]:
    del document
    further = chance.choice([(), ("wdr:203",), ("wdr:299",)])
    return {"source_ids": (f"wdd:{chance.choice([201, 202, 299])}", *further)}


def _player_of_other_id(chance: Random, document: TournamentDocument) -> dict[str, Any]:
    number = chance.choice([101, 102, 103, 199])
    ids = (f"wdd:{number}", f"wdr:{number}")
    return _one_changed(chance, document, lambda result: replace(result, player=replace(result.player, source_ids=ids)))


def _player_of_other_nation(chance: Random, document: TournamentDocument) -> dict[str, Any]:
    return _one_changed(
        chance, document, lambda result: replace(result, player=replace(result.player, nation_code="AUS"))
    )


_ODDITIES: tuple[Callable[[Random, TournamentDocument], dict[str, Any]], ...] = (
    *(_with_gaps, _with_gaps, _with_stranger, _without_placement, _swapped, _on_other_days, _renamed, _of_odd_kind),
    *(_of_other_size, _in_the_future, _of_other_id, _player_of_other_id, _player_of_other_nation),
)

# The file name of a tournament in every format, and the function that writes it.
FORMATS: Mapping[str, tuple[str, Callable[[TournamentDocument], str | bytes]]] = {
    "csv": ("standings.csv", samples.tournament_csv),
    "xlsx": ("standings.xlsx", samples.tournament_xlsx),
    "html": ("page.html", samples.tournament_html),
    "text": ("page.txt", samples.tournament_text),
    "tabs": ("clipboard.txt", samples.tournament_tabs),
    "json": ("event.json", lambda document: samples.tournament_json(document, invented_ids=False)),
}


def event_file(chance: Random, format_name: str, document: TournamentDocument) -> File:
    """Write a tournament in a format."""
    name, write = FORMATS[format_name]
    return File(name, _encoded(chance, name, write(_with_scores(document))))


def two_table_files(chance: Random, documents: Sequence[TournamentDocument]) -> tuple[File, ...]:
    """Write several tournaments as tournaments.csv and results.csv."""
    given = [
        replace(d, tournament_id=readable_id(f"{d.name} {d.ended_on.year}" if chance.random() < 0.8 else d.name))
        for d in documents
    ]
    return tuple(File(name, _encoded(chance, name, text)) for name, text in samples.two_tables(given).items())


def _with_scores(document: TournamentDocument) -> TournamentDocument:
    """Add the percentile scores that a page prints."""

    def scored(result: Result) -> Result:
        if result.placement is None or not document.players or result.placement > document.players:
            return result
        score = float(percentile_score(document.players, result.placement))
        return replace(result, published_score=Decimal(f"{score:.2f}"))

    return replace(document, results=[scored(result) for result in document.results])


def _encoded(chance: Random, name: str, text: str | bytes) -> bytes:
    if isinstance(text, bytes):
        return text
    # Pages and JSON declare their encoding, or allow only one.
    encodings = ["utf-8"] if name.endswith((".html", ".json")) else ["utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252"]
    try:
        return text.encode(chance.choice(encodings))
    except UnicodeEncodeError:
        return text.encode()


def player_file(chance: Random, world: World) -> File:
    """Write a player's page with some of their tournaments, in the form of the database or the reference."""
    person = chance.choice(world.people)
    player = _listed(chance, person, nations=True, ids=True)
    played = []
    for event in world.events:
        placements = dict(event.standings)
        if person in placements and chance.random() < 0.8:
            d = describe(chance, event)
            facts = placements[person], _NOWHERE, d.kind or None, d.source_ids, d.players
            played.append(Appearance(d.name, d.started_on, d.ended_on, *facts))
    if chance.random() < 0.5:
        return File("player.json", samples.player_json(player, played).encode())
    page = samples.player_html(player.name, person.number, samples.flag_of(person.nation), played)
    return File("player.html", page.encode())


def ranking_file(chance: Random, world: World) -> File:
    """Write a published ranking."""
    people = [_listed(chance, person, nations=False, ids=False) for person in world.people]
    ranks: list[PublishedRank] = []
    rating, rank = Decimal("85.29"), 1
    for position, player in enumerate(chance.sample(people, chance.randint(1, 6)), start=1):
        if position > 1 and chance.random() < 0.8:
            rating, rank = rating - Decimal("1.11"), position
        if player.name not in {known.player.name for known in ranks}:
            ranks.append(PublishedRank(player, rank, rating))
    day, author = chance.choice([date(2017, 8, 6), date(2018, 1, 1)]), chance.choice(["Matt Shields", "Ada LOVELACE"])
    document = RankingDocument(_SOURCE, "Dip Pouch Tournament Rating", author, day, ranks)
    return File("ranking.html", samples.ranking_html(document).encode())
