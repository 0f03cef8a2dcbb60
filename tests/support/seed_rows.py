"""Collections as rows of seeds, for tests."""

from __future__ import annotations

import csv
import hashlib
import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from dippouch.seeds.files import write_csv
from dippouch.seeds.schema import SEEDS
from dippouch.settings import PROJECT

Rows = dict[str, list[dict[str, Any]]]
_SOURCE = {"source_document": "test", "source_sha256": "0" * 64, "source_form": "test"}


def read_collection(folder: Path = PROJECT / "seeds") -> Rows:
    """Return the rows of every seed of a collection, by the name of the seed."""
    rows: Rows = {}
    for path in sorted(folder.rglob("*.csv")):
        with path.open(encoding="utf-8", newline="") as file:
            rows[path.stem] = list(csv.DictReader(file))
    return rows


def write_collection(folder: Path, rows: Mapping[str, Sequence[Mapping[str, Any]]]) -> Path:
    """Write a collection in the layout of the project's seeds; a missing seed gets a header only."""
    for name, seed in SEEDS.items():
        (folder / seed.path).parent.mkdir(parents=True, exist_ok=True)
        cells = [{k: "" if v is None else str(v) for k, v in row.items()} for row in rows.get(name, [])]
        write_csv(seed, cells, folder / seed.path)
    return folder


def tournament(tournament_id: str, ended_on: str, players: int | None, **further: Any) -> dict[str, Any]:  # noqa: ANN401 (cells of any type)
    """Return a row of the seed `raw_tournaments` with the facts that a rating needs."""
    return {
        "tournament_id": tournament_id,
        "name": tournament_id,
        "started_on": ended_on,
        "ended_on": ended_on,
        "players": players,
        "rounds": 3,
        **_SOURCE,
    } | further


def result(tournament_id: str, player_id: str, placement: int | None, **further: Any) -> dict[str, Any]:  # noqa: ANN401 (cells of any type)
    """Return a row of the seed `raw_results`."""
    names = {"listed_name": player_id, "first_name": "", "last_name": player_id, "listed_by": "tournament"}
    return {"tournament_id": tournament_id, "player_id": player_id, "placement": placement} | names | further


def published_rank(
    ranking_name: str, author: str, last_update: str, rank: int, player_id: str, rating: float | str
) -> dict[str, Any]:
    """Return a row of the seed `raw_published_rankings`."""
    return {
        "ranking_name": ranking_name,
        "author": author,
        "last_update": last_update,
        "published_rank": rank,
        "player_id": player_id,
        "listed_name": player_id.upper(),
        "last_name": player_id.upper(),
        "published_rating": rating,
        **_SOURCE,
    }


def statement(
    tournament_id: str, player_id: str, placement: int | None, players: int, **further: str
) -> dict[str, Any]:
    """Return a row of the seed `raw_further_statements`: a line of the player's page of the last published ranking."""
    return {
        "tournament_id": tournament_id,
        "player_id": player_id,
        "placement": placement,
        "players": players,
        "ranking_name": "Rating" if player_id else None,
        "last_update": "2009-01-01",
        **_SOURCE,
    } | further


def correction(number: int, tournament_id: str, field: str, value: str, player_id: str = "") -> dict[str, Any]:
    """Return a row of the seed `ref_corrections`."""
    return {
        "correction_number": number,
        "tournament_id": tournament_id,
        "player_id": player_id,
        "field": field,
        "value": value,
        "reason": "as the director says",
        "decided_on": "2015-01-01",
    }


def reference_rows() -> Rows:
    """Return the project's rules, kinds and nations, without people and without systems that continue a ranking."""
    rows = read_collection(PROJECT / "seeds" / "reference")
    rows["ref_rating_systems"] = [row for row in rows["ref_rating_systems"] if not row["opening_ranking"]]
    return {name: rows[name] for name in ("ref_rating_systems", "ref_nations", "ref_tournament_kinds")}


def continued_ranking(hundredths: Mapping[str, int], day: str) -> Rows:
    """Return a ranking published on a day, with ratings in hundredths, and the rating systems with one that continues it."""
    systems = reference_rows()["ref_rating_systems"]
    best = sorted(hundredths.values(), reverse=True)
    listed = [
        published_rank("Ours", "Ada", day, 1 + best.index(rating), player_id, f"{rating / 100:.2f}")
        for player_id, rating in hundredths.items()
    ]
    continued = systems[0] | {"rating_system_id": "continued", "opening_ranking": "Ours", "opened_on": day}
    return {"raw_published_rankings": listed, "ref_rating_systems": [*systems, *([continued] if listed else [])]}


def contents(folder: Path) -> dict[str, str]:
    """Return the hash of every file in a folder."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def large_history() -> Rows:
    """Return 300 people in 90 tournaments of all sizes, over nine years."""
    chance = random.Random(7)  # noqa: S311 (not for security)
    people = [f"p{number}" for number in range(300)]
    tournaments, results = [], []
    for number in range(90):
        field = chance.sample(people, chance.choice([7, 25, 45, 100]))
        day = date(2000, 6, 1) + timedelta(days=chance.randrange(3300))
        kind = chance.choice(["", "CUP", "CUP", "WDC"])
        tournaments.append(
            tournament(f"t{number}", day.isoformat(), len(field), kind=kind, rounds=chance.choice([1, 3]))
        )
        nations = {player: ("FRA", "SWE", "NOR", "")[int(player[1:]) % 4] for player in field}
        results += [
            result(f"t{number}", player, chance.randint(1, len(field)), nation_code=nations[player]) for player in field
        ]
    listed = {person: chance.randrange(2000, 9000) for person in [*people[::3], "listed-only"]}
    return {"raw_tournaments": tournaments, "raw_results": results} | continued_ranking(listed, "2004-02-29")
