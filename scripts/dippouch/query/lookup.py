"""Who or what is meant: players, rating systems and kinds of tournaments as people type them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from rapidfuzz import fuzz, process, utils

from dippouch.db import query
from dippouch.errors import UserError
from dippouch.ids import readable_id_or_empty

_SUGGESTIONS = 5
_LEAST_SIMILARITY = 70
# How many ids a message names of those who are meant, and how much of a longer text is compared with names.
_MEANT = 10
_COMPARED = 100


@dataclass(frozen=True)
class Player:
    """A person of the published database."""

    player_id: str
    name: str


@dataclass(frozen=True)
class _Known:
    """A person with everything that somebody may type, as readable ids.

    Attributes:
        player: the person.
        name: the name.
        ids: the id, and every id under which documents list the person.
        words: the words of all of these.
    """

    player: Player
    name: str
    ids: frozenset[str]
    words: frozenset[str]


def find_player(database: Path, asked: str) -> Player:
    """The one person that is meant by an id or any part of a name.

    Raises:
        UserError: when that is nobody, or more than one; names those who are meant perhaps.
    """
    meant = find_players(database, asked)
    if len(meant) == 1:
        return meant[0]
    ids = ", ".join(player.player_id for player in meant[:_MEANT])
    more = f" or {len(meant) - _MEANT:,} more" if len(meant) > _MEANT else ""
    raise UserError(f"found {len(meant):,} players for `{asked}`; expected one of the ids {ids}{more}")


def find_players(database: Path, asked: str) -> list[Player]:
    """Everybody who can be meant by an id or any part of a name, whatever its capitals and accents, in the order of their ids.

    Who is called so goes before whose name only holds it: `ann lee` is Ann LEE, not Joann LEEDS, too.

    Raises:
        UserError: when nobody can be meant; names those whose names are alike.
    """
    wanted = readable_id_or_empty(asked)
    if not wanted:
        raise UserError(f"found `{asked}`, which has no letter or digit; expected a part of a name, or an id")
    words = wanted.split("-")
    known = _everybody(database)
    # An id is asked for by writing it exactly: of two of one name, the first one's is that name in small letters.
    ways: tuple[Callable[[_Known], bool], ...] = (
        lambda one: asked.strip() == one.player.player_id,
        lambda one: wanted == one.name,
        lambda one: wanted in one.ids,
        lambda one: one.words.issuperset(words),
        lambda one: _each_in_its_own(words, one.words, str.startswith),
        lambda one: _each_in_its_own(words, one.words, str.__contains__),
    )
    for is_meant in ways:
        if meant := [one.player for one in known if is_meant(one)]:
            return meant
    names = {one.player.player_id: f"{one.player.name} {one.player.player_id}" for one in known}
    raise UserError(f"found no player `{asked}`{_near(asked, names)}")


def _everybody(database: Path) -> list[_Known]:
    everybody = query(
        database,
        "select player_id, player_name, aliases from presentation.player_card"
        " where rating_system_id = (select rating_system_id from marts.settings) order by player_id",
    )
    known = []
    for person in everybody:
        player = Player(person["player_id"], person["player_name"])
        name, ids = readable_id_or_empty(player.name), frozenset([player.player_id, *person["aliases"]])
        words = frozenset(word for text in (name, *ids) for word in text.split("-"))
        known.append(_Known(player, name, ids, words))
    return known


def _each_in_its_own(asked: list[str], words: Iterable[str], holds: Callable[[str, str], bool]) -> bool:
    """Whether every word that was asked for is held by another word of a name: `alex a` is Alex AMANN, not Alex COLLINS."""
    left = sorted(words)
    for wanted in sorted(asked, key=len, reverse=True):
        holding = next((word for word in left if holds(word, wanted)), None)
        if holding is None:
            return False
        left.remove(holding)
    return True


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
    (found,) = query(database, "select is_world_championship from marts.tournament_kinds where kind = ?", [kind])
    return kind, bool(found["is_world_championship"])


def find_day(database: Path, system: str, asked: date | None) -> date:
    """The day a question is about: the one asked for, or that of the last rated event.

    Raises:
        UserError: when nobody was ranked by then.
    """
    (days,) = query(
        database,
        "select min(valid_from) filter (where tournaments_counted > 0) as first_day, max(valid_from) as last_day"
        " from marts.rating_periods where rating_system_id = ?",
        [system],
    )
    first, last = days["first_day"], days["last_day"]
    if first is None:
        raise _nobody_ranked(system)
    assert isinstance(first, date)
    assert isinstance(last, date)
    if asked is not None and asked < first:
        raise UserError(
            f"found {asked}, when nobody was ranked yet; expected a day from {first} on, when the first event that `{system}` counts ended"
        )
    return asked or last


def check_year(database: Path, system: str, year: int) -> None:
    """Check that there is a ranking of the end of a year.

    Raises:
        UserError: when nobody was ranked then; names the years that there are.
    """
    years = (
        "select min(year) as first_year, max(year) as last_year from marts.yearly_ranking where rating_system_id = ?"
    )
    (found,) = query(database, years, [system])
    first, last = found["first_year"], found["last_year"]
    if first is None:
        raise _nobody_ranked(system)
    if not first <= year <= last:
        raise UserError(f"found no ranking of the year {year}; expected one from {first} to {last}")


def _nobody_ranked(system: str) -> UserError:
    return UserError(f"nobody is ranked: the rating system `{system}` counts no event of this collection")


def _one_of(database: Path, asked: str, ids: str, what: str) -> str:
    known = [known_id for row in query(database, ids) for known_id in row.values()]
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
        asked[:_COMPARED],
        known,
        scorer=fuzz.WRatio,
        processor=utils.default_process,
        limit=_SUGGESTIONS,
        score_cutoff=_LEAST_SIMILARITY,
    )
    ids = [player_id for _, _, player_id in near]
    return f"; did you mean {', '.join(ids)}?" if ids else ", and none with a similar name"
