"""Who or what is meant: players, rating systems and kinds of tournaments as people type them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rapidfuzz import fuzz, process, utils
from slugify import slugify

from dippouch.errors import UserError
from dippouch.query.run import run_query

_SUGGESTIONS = 5
_LEAST_SIMILARITY = 70


@dataclass(frozen=True)
class Player:
    """A person of the published database."""

    player_id: str
    name: str


def find_player(database: Path, asked: str) -> Player:
    """The person with an id, or the only one of a name, whatever its capitals and accents.

    Raises:
        UserError: when nobody, or more than one, is called so; names those who are meant perhaps.
    """
    players = [
        Player(player_id, " ".join(part for part in (first_name, last_name) if part))
        for player_id, first_name, last_name in run_query(
            database, "select player_id, first_name, last_name from marts.players order by player_id"
        ).rows
    ]
    wanted = slugify(asked)
    for player in players:
        if wanted == player.player_id:
            return player
    namesakes = [player for player in players if wanted == slugify(player.name)]
    if len(namesakes) == 1:
        return namesakes[0]
    if namesakes:
        ids = ", ".join(player.player_id for player in namesakes)
        raise UserError(f"found {len(namesakes)} players called `{asked}`; expected one of the ids {ids}")
    raise UserError(
        f"found no player `{asked}`" + _near(asked, {p.player_id: f"{p.name} {p.player_id}" for p in players})
    )


def find_system(database: Path, asked: str) -> str:
    """The id of a rating system.

    Raises:
        UserError: when there is no such system; names those there are.
    """
    return _one_of(database, asked, "select rating_system_id from marts.rating_systems order by 1", "rating system")


def find_kind(database: Path, asked: str) -> tuple[str, bool]:
    """The code of a kind of tournaments, and whether it is the World Championship.

    Raises:
        UserError: when there is no such kind; names those there are.
    """
    kind = _one_of(database, asked.upper(), "select kind from marts.tournament_kinds order by 1", "kind of tournament")
    query = "select is_world_championship from marts.tournament_kinds where kind = ?"
    return kind, bool(run_query(database, query, [kind]).rows[0][0])


def find_day(database: Path, system: str, asked: date | None) -> date:
    """The day a question is about: the one asked for, or that of the last rated event.

    Raises:
        UserError: when nobody was ranked by then.
    """
    first, last = run_query(
        database,
        "select min(valid_from) filter (where tournaments_counted > 0), max(valid_from)"
        " from marts.rating_periods where rating_system_id = ?",
        [system],
    ).rows[0]
    if first is None:
        raise UserError(f"nobody is ranked: the rating system `{system}` counts no event of this collection")
    assert isinstance(first, date)
    assert isinstance(last, date)
    if asked is not None and asked < first:
        raise UserError(
            f"found {asked}, when nobody was ranked yet; expected a day from {first} on, when the first event that `{system}` counts ended"
        )
    return asked or last


def _one_of(database: Path, asked: str, query: str, what: str) -> str:
    known = [row[0] for row in run_query(database, query).rows]
    if asked in known:
        return asked
    raise UserError(f"found no {what} `{asked}`; expected one of {', '.join(known)}")


def _near(asked: str, known: dict[str, str]) -> str:
    """The ending of an error: what is similar to what was asked for, best first.

    Args:
        asked: what was typed.
        known: what there is, as text to compare with, by id.
    """
    near: Iterable[tuple[str, float, str]] = process.extract(
        asked,
        known,
        scorer=fuzz.WRatio,
        processor=utils.default_process,
        limit=_SUGGESTIONS,
        score_cutoff=_LEAST_SIMILARITY,
    )
    ids = [player_id for _, _, player_id in near]
    return f"; did you mean {', '.join(ids)}?" if ids else ", and none with a similar name"
