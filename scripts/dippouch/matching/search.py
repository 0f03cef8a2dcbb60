"""Find the person or the tournament that a text means, in a collection as in the published file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress

import duckdb
import jinja2

from dippouch.db import Row, rows_of
from dippouch.errors import UserError
from dippouch.matching.people import is_player_id
from dippouch.printable import visible_line
from dippouch.seeds.checks import load_macros
from dippouch.seeds.decisions import id_in_tournament
from dippouch.seeds.schema import TOURNAMENTS
from dippouch.seeds.store import Collection
from dippouch.settings import PROJECT

# Number of people or tournaments that a message names.
_NAMED = 10
# The tables of the search; of people it needs an id, a name, and a fact that distinguishes namesakes.
_TABLES = """
    create table international_ranking (player_id varchar, rank integer, rating_system_id varchar);
    create table player_aliases (player_id varchar, listed_player_id varchar);
    create table players as select unnest(?::varchar[]) as player_id, trim(unnest(?::varchar[])) as player_name,
        unnest(?::varchar[]) as nation_code
"""


def find_tournament(collection: Collection, text: str) -> str:
    """Return the id of the tournament that an id or a name means; raise a UserError as `likeliest` does."""
    if collection.get(TOURNAMENTS, (text,)):
        return text
    rows = collection.rows(TOURNAMENTS, corrected=True)
    return _search(((row["tournament_id"], row["name"], row["ended_on"]) for row in rows), text, "tournament")


def find_person(collection: Collection, text: str, *, is_listed: bool = False) -> str:
    """Return an id itself, or the person's id for a name, with `is_listed` the one before aliases; raise a UserError as `likeliest` does."""
    if is_player_id(collection, text):
        return text
    known = "listings.player_id" if is_listed else "coalesce(persons.player_id, listings.player_id)"
    people = "from listings left join persons on listed_player_id = listings.player_id and tournament_id = ''"
    return _search(collection.query(f"select {known}, spelling, nation_code {people}"), text, "player")


def find_listed(collection: Collection, text: str, tournament_id: str) -> str:
    """Return the id under which a tournament lists the person of an id or a name; of an unlisted person, their own."""
    listed = collection.results_of(tournament_id, corrected=True)
    names = ((one, f"{row['first_name']} {row['last_name']}", row["nation_code"]) for one, row in listed.items())
    if not is_player_id(collection, text):
        try:
            return _search(names, text, "player")
        except UserError:
            # A name of other tournaments. If it means nobody or several people, the first message names fewer people.
            with suppress(UserError):
                return find_listed(collection, find_person(collection, text), tournament_id)
            raise
    return id_in_tournament(collection, text, tournament_id, listed)


def likeliest(found: Sequence[Row], text: str, what: str, guesses: Sequence[str]) -> Row:
    """Return the row of `marts.find_player` that a text matches best: an exact name excludes longer names.

    `what` is a player or a tournament; a match by one of `guesses` is not sure enough.

    Raises:
        UserError: when it matches none, several, or only by a guess; names them.
    """
    if not found:
        where = ", as `dptr tournaments` prints it" if what == "tournament" else ""
        raise UserError(f"found no {what} `{text}`; expected an id, or words of a name{where}")
    best = {row["player_id"]: row for row in found if row["matched_by"] == found[0]["matched_by"]}
    if found[0]["matched_by"] in guesses:
        raise UserError(f"found no {what} `{text}`; expected an id, such as one of these:{_listed([*best.values()])}")
    if len(best) > 1:
        several = f"found {len(best):,} {what}s for `{text}`"
        raise UserError(f"{several}; expected one of the ids:{_listed([*best.values()])}")
    return found[0]


def _listed(people: list[Row]) -> str:
    """Return a line for each of the first people: the id, the name, the nation and the rank."""
    lines = []
    for row in people[:_NAMED]:
        rank = f"rank {row['international_rank']:,}" if row["international_rank"] else ""
        facts = filter(None, (visible_line(row["player_name"]), row["nation_code"], rank))
        lines.append(f"\n  {row['player_id']}  {', '.join(facts)}")
    return "".join(lines) + (f"\n  and {len(people) - _NAMED:,} more" if len(people) > _NAMED else "")


def _search(known: Iterable[tuple[str, ...]], text: str, what: str) -> str:
    """Return the id that the model of `marts.find_player` finds among rows for `_TABLES`; decisions need whole words."""
    macros = load_macros()
    model = jinja2.Template((PROJECT / "models" / "functions" / "find_player.sql").read_text(encoding="utf-8"))
    with duckdb.connect() as connection:
        connection.execute(_TABLES, [list(column) for column in zip(*known, strict=True)] or [[], [], []])
        sql = model.render(words_of=macros.words_of, mart="{}".format, asked_system="''".format)
        connection.execute(f"create macro find_player(text) as table {sql}")
        found = list(rows_of(connection.execute("from find_player(?)", [text])))
    return str(likeliest(found, text, what, ("similar words", "beginnings of words"))["player_id"])
