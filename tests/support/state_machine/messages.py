"""Documents about the tournaments of a small world: mostly right, sometimes with the gaps, spellings and slips of real sources."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random

from dippouch.ids import readable_id
from support.state_machine.world import Event, Person, World


@dataclass(frozen=True)
class File:
    """A document, or one of its files."""

    name: str
    content: bytes


def described(chance: Random, event: Event) -> Event:
    """Return a tournament as some source describes it: often as it was, sometimes with gaps or slips."""
    oddity = chance.choice(["", "", "", "gaps", "swapped", "other days", "renamed", "other size", "stranger"])
    standings = list(event.standings)
    if oddity == "gaps":
        standings = [line for line in standings if chance.random() < 0.7] or standings
    elif oddity == "swapped":
        (one, place), (other, other_place) = standings[0], standings[-1]
        standings[0], standings[-1] = (one, other_place), (other, place)
    elif oddity == "stranger":
        last = chance.choice(["NEWMAN", "SMITH"])
        standings.append((Person("Zoë", last, ("Zoe", last), "", 199), None))
    elif oddity == "other days":
        shift = timedelta(days=chance.choice([-1, 1, 7, 8, 200]))
        event = replace(event, started_on=event.started_on + shift, ended_on=event.ended_on + shift)
    elif oddity == "renamed":
        event = replace(event, name=chance.choice([event.name.upper(), f"{event.name} (final)", "Grand Prix"]))
    elif oddity == "other size":
        event = replace(event, players=chance.choice([1, len(standings), 60]), rounds=chance.choice([1, 3]))
    return replace(event, standings=tuple(standings), kind=event.kind if chance.random() < 0.5 else "")


def _rows(chance: Random, event: Event) -> list[list[str]]:
    """Return the lines of a table: placement, names, nation and id. A source states nations and ids of everybody or nobody."""
    nations, ids = chance.random() < 0.8, chance.random() < 0.5
    rows = []
    for person, place in event.standings:
        first, last = person.plain if chance.random() < 0.3 else (person.first, person.last)
        nation = person.nation if nations else ""
        rows.append([str(place or ""), first, last, nation, str(person.number) if ids else ""])
    return rows


_COLUMNS = ("placement", "first_name", "last_name", "nation_code", "wdd_id")


def event_file(chance: Random, event: Event) -> File:
    """Write a tournament as a table with its facts above."""
    facts = {
        "name": event.name,
        "date": f"{event.started_on} - {event.ended_on}",
        "players": event.players,
        "rounds": event.rounds,
        "kind": event.kind,
        "place": chance.choice(["", "Genève", "Seattle"]),
        "wdd_id": event.number if chance.random() < 0.5 else "",
    }
    lines = [f"{name}: {value}" for name, value in facts.items() if value]
    table = [",".join(row) for row in (_COLUMNS, *_rows(chance, event))]
    return File("standings.csv", "\n".join([*lines, "", *table, ""]).encode())


def two_table_files(chance: Random, events: Sequence[Event]) -> tuple[File, ...]:
    """Write several tournaments as tournaments.csv and results.csv."""
    tournaments = ["tournament_id,name,started_on,ended_on,kind,players,rounds"]
    results = [",".join(("tournament_id", *_COLUMNS))]
    for event in events:
        given = readable_id(f"{event.name} {event.ended_on.year}" if chance.random() < 0.8 else event.name)
        facts = (given, event.name, event.started_on, event.ended_on, event.kind, event.players, event.rounds)
        tournaments.append(",".join(map(str, facts)))
        results += [",".join((given, *row)) for row in _rows(chance, event)]
    files = {"tournaments.csv": tournaments, "results.csv": results}
    return tuple(File(name, "\n".join([*lines, ""]).encode()) for name, lines in files.items())


def player_file(chance: Random, world: World) -> File:
    """Write a player's page with some of their tournaments, in the form of the World Diplomacy Reference."""
    person = chance.choice(world.people)
    events = [described(chance, event) for event in world.events if person in dict(event.standings)]
    played = [
        {
            "tournament_wdd_id": event.number,
            "tournament_name": event.name,
            "tournament_start_date": str(event.started_on),
            "tournament_end_date": str(event.ended_on),
            "tournament_kind": event.kind,
            "tournament_player_rank": dict(event.standings).get(person),
        }
        for event in events
    ]
    page = {
        "player_wdd_id": person.number,
        "player_first_name": person.first,
        "player_last_name": person.last,
        "player_tournaments_played": played,
    }
    return File("player.json", json.dumps(page).encode())
