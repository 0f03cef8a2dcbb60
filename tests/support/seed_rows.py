"""Collections as rows of seeds, for tests."""

from __future__ import annotations

import csv
import hashlib
import random
from collections.abc import Mapping, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from dippouch.collection.files import write_csv
from dippouch.collection.schema import SEEDS
from dippouch.settings import PROJECT

Rows = dict[str, list[dict[str, Any]]]


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


def document(document_id: str, about: str = "tournament", **further: Any) -> dict[str, Any]:  # noqa: ANN401 (cells of any type)
    """Return a row of the seed `raw_documents`, of the first import."""
    return {
        "document_id": document_id,
        "about": about,
        "source_document": document_id,
        "source_sha256": "0" * 64,
        "source_form": "test",
        "import_number": 1,
        "replaces": "false",
    } | further


def tournament(tournament_id: str, ended_on: str, players: int | None, **further: Any) -> dict[str, Any]:  # noqa: ANN401 (cells of any type)
    """Return a row of the seed `raw_tournaments` with the facts that a rating needs, of the document `test`."""
    return {
        "document_id": "test",
        "tournament_id": tournament_id,
        "name": tournament_id,
        "started_on": ended_on,
        "ended_on": ended_on,
        "players": players,
        "rounds": 3,
    } | further


def result(tournament_id: str, player_id: str, placement: int | None, **further: Any) -> dict[str, Any]:  # noqa: ANN401 (cells of any type)
    """Return a row of the seed `raw_results`, of the document `test`."""
    names = {"document_id": "test", "listed_name": player_id, "first_name": "", "last_name": player_id}
    return {"tournament_id": tournament_id, "player_id": player_id, "placement": placement} | names | further


def published_rank(
    ranking_name: str, author: str, last_update: str, rank: int, player_id: str, rating: float | str
) -> dict[str, Any]:
    """Return a row of the seed `raw_published_rankings`, of the document `ranking`."""
    return {
        "document_id": "ranking",
        "ranking_name": ranking_name,
        "author": author,
        "last_update": last_update,
        "published_rank": rank,
        "player_id": player_id,
        "listed_name": player_id.upper(),
        "last_name": player_id.upper(),
        "published_rating": rating,
    }


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
    """Return the project's rules, kinds and nations, without systems that continue a ranking, and the documents of other rows here."""
    rows = read_collection(PROJECT / "seeds" / "reference")
    rows["ref_rating_systems"] = [row for row in rows["ref_rating_systems"] if not row["opening_ranking"]]
    documents = [document("test"), document("ranking", "ranking")]
    return {name: rows[name] for name in ("ref_rating_systems", "ref_nations", "ref_tournament_kinds")} | {
        "raw_documents": documents
    }


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
        facts = {"kind": chance.choice(["", "CUP", "CUP", "WDC"]), "rounds": chance.choice([1, 3])}
        tournaments.append(tournament(f"t{number}", day.isoformat(), len(field), **facts))
        nations = {player: ("FRA", "SWE", "NOR", "")[int(player[1:]) % 4] for player in field}
        results += [
            result(f"t{number}", player, chance.randint(1, len(field)), nation_code=nations[player]) for player in field
        ]
    listed = {person: chance.randrange(2000, 9000) for person in [*people[::3], "listed-only"]}
    return {"raw_tournaments": tournaments, "raw_results": results} | continued_ranking(listed, "2004-02-29")
