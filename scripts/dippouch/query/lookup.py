"""Find the players, rating systems and kinds of tournaments that users type."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from datetime import date
from pathlib import Path
from typing import Any

from dippouch.db import Row, query
from dippouch.errors import UserError
from dippouch.ids import readable_id_or_empty
from dippouch.printable import visible_line
from dippouch.rating.systems import published_default_system
from dippouch.suggestions import did_you_mean

# Number of matching ids that a message names.
_MEANT = 10


def find_player(database: Path, system: str, asked: str) -> Row:
    """Return the one person that an id or any part of a name means, as in `find_players`.

    Raises:
        UserError: when nobody or several people match; names possible matches.
    """
    meant = find_players(database, system, asked)
    if len(meant) == 1:
        return meant[0]
    ids = ", ".join(player["player_id"] for player in meant[:_MEANT])
    more = f" or {len(meant) - _MEANT:,} more" if len(meant) > _MEANT else ""
    raise UserError(f"found {len(meant):,} players for `{asked}`; expected one of the ids {ids}{more}")


def find_players(database: Path, system: str, asked: str) -> list[Row]:
    """Return everybody who matches an id or any part of a name, ignoring case and accents, sorted by rating.

    An exact name excludes names that only contain it: `ann lee` is Ann LEE, not Joann LEEDS.

    Raises:
        UserError: when nobody matches; suggests similar spellings.
    """
    wanted = readable_id_or_empty(asked)
    if not wanted:
        raise UserError(f"found `{asked}`, which has no letter or digit; expected a part of a name, or an id")
    everybody = query(
        database,
        "select player_id, player_name, nation_code, rank, aliases from presentation.player_card"
        " where rating_system_id = $system order by rank nulls last, player_id",
        {"system": system},
    )
    # The name as an id, the id, and every id under which documents list the person.
    texts = [[readable_id_or_empty(row["player_name"]), row["player_id"], *row["aliases"]] for row in everybody]
    words = [frozenset("-".join(of_one).split("-")) for of_one in texts]
    asked_words = sorted(wanted.split("-"), key=len, reverse=True)
    ways: tuple[Callable[[int], bool], ...] = (
        # An id must come first: the id of one of two namesakes may be their common name in small letters.
        lambda i: asked.strip() == everybody[i]["player_id"],
        lambda i: wanted == texts[i][0],
        lambda i: wanted in texts[i],
        lambda i: words[i].issuperset(asked_words),
        lambda i: _each_in_its_own(asked_words, words[i], str.startswith),
        lambda i: _each_in_its_own(asked_words, words[i], str.__contains__),
    )
    for is_meant in ways:
        if meant := [row for i, row in enumerate(everybody) if is_meant(i)]:
            return meant
    spellings = {row["player_id"] for row in everybody}.union(*words)
    suggestion = did_you_mean(wanted, spellings) or "; expected a part of a name, as `dptr ranking` shows it, or an id"
    raise UserError(f"found no player `{asked}`{suggestion}")


def _each_in_its_own(asked: Iterable[str], words: Iterable[str], holds: Callable[[str, str], bool]) -> bool:
    """Return whether each given word is part of a different word of a name: `alex a` is Alex AMANN, not Alex COLLINS."""
    left = sorted(words)
    for wanted in asked:
        holding = next((word for word in left if holds(word, wanted)), None)
        if holding is None:
            return False
        left.remove(holding)
    return True


def words_of(database: Path) -> dict[str, str]:
    """Return the collection's words for players and tournaments, by `player`, `players`, `tournament`, `tournaments`."""
    (words,) = query(
        database, "select player_word, players_word, tournament_word, tournaments_word from marts.settings"
    )
    return {name.removesuffix("_word"): visible_line(word) for name, word in words.items()}


def find_system(database: Path, asked: str | None) -> str:
    """Return the id of a rating system; the default one if none is given.

    Raises:
        UserError: when there is no such system; lists the existing ones.
    """
    system = published_default_system(database) if asked is None else asked
    known = query(database, "select rating_system_id from marts.rating_systems order by 1")
    return _one_of(system, [row["rating_system_id"] for row in known], "rating system")


def find_kind(database: Path, asked: str) -> tuple[str, bool]:
    """Return the code of a kind of tournament, and whether it is the World Championship.

    Raises:
        UserError: when there is no such kind; lists the existing ones.
    """
    known = query(database, "select kind, is_world_championship from marts.tournament_kinds order by 1")
    is_world_championship = {row["kind"]: bool(row["is_world_championship"]) for row in known}
    kind = _one_of(asked.upper(), is_world_championship, "kind of tournament")
    return kind, is_world_championship[kind]


def find_day(database: Path, system: str, asked: date | None) -> date:
    """Return the day of a question: the given one, or the end of the last rated tournament.

    Raises:
        UserError: when nobody was ranked by then.
    """
    first, last = _range_of(
        database,
        system,
        "min(valid_from) filter (where tournaments_counted > 0) as first, max(valid_from) as last from marts.rating_periods",
    )
    if asked is not None and asked < first:
        raise UserError(
            f"found {asked}, when nobody was ranked yet; expected {first} or later: the first tournament that `{system}` counts ended then"
        )
    return asked or last


def check_year(database: Path, system: str, year: int) -> None:
    """Check that there is a ranking at the end of a year.

    Raises:
        UserError: when nobody was ranked then; lists the years with a ranking.
    """
    first, last = _range_of(database, system, "min(year) as first, max(year) as last from marts.yearly_ranking")
    if not first <= year <= last:
        raise UserError(f"found no ranking of the year {year}; expected one from {first} to {last}")


def _range_of(database: Path, system: str, bounds: str) -> tuple[Any, Any]:
    (found,) = query(database, f"select {bounds} where rating_system_id = ?", [system])
    if found["first"] is None:
        raise UserError(f"nobody is ranked: the rating system `{system}` counts no tournament of this collection")
    return found["first"], found["last"]


def _one_of(asked: str, known: Collection[str], what: str) -> str:
    if asked in known:
        return asked
    raise UserError(f"found no {what} `{asked}`; expected one of {', '.join(known)}")
