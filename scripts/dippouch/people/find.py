"""Find the person or the tournament that a text means, in a collection as in the published file."""

from collections.abc import Iterable, Sequence
from contextlib import suppress

import duckdb
import jinja2

from dippouch.collection.memory import Collection
from dippouch.collection.models import macros
from dippouch.db import Row, rows_of
from dippouch.errors import UserError
from dippouch.people.index import LISTINGS, People
from dippouch.printable import visible_line
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
    known = collection.query(
        "select tournament_id, tournament_name, cast(ended_on as varchar) from int_tournaments order by all"
    )
    return text if text in {row[0] for row in known} else _search(known, text, "tournament")


def find_person(people: People, text: str, *, is_listed: bool = False) -> str:
    """Return an id itself, or the person's id for a name, with `is_listed` the one before aliases; raise a UserError as `likeliest` does."""
    if people.is_known(text):
        return text
    found = {
        (listed_id if is_listed else people.person_of(listed_id), f"{first_name or ''} {last_name or ''}", nation or "")
        for listed_id, tournament_id, first_name, last_name, nation in people.collection.query(
            f"select listed_player_id, tournament_id, first_name, last_name, nation_code from ({LISTINGS})"
        )
        if not people.is_decided(listed_id, tournament_id)
    }
    return _search(sorted(found), text, "player")


def find_listed(people: People, text: str, tournament_id: str) -> str:
    """Return the id under which a tournament lists the person of an id or a name; of an unlisted person, their own."""
    if not people.is_known(text):
        listed = people.collection.query(
            "select listed_player_id, concat_ws(' ', first_name, last_name), coalesce(nation_code, '') from int_results"
            " where tournament_id = ? order by all",
            [tournament_id],
        )
        try:
            return _search(listed, text, "player")
        except UserError:
            # A name of other tournaments. If it means nobody or several people, the first message names fewer people.
            with suppress(UserError):
                return find_listed(people, find_person(people, text), tournament_id)
            raise
    return people.id_there(text, tournament_id, people.listed_in(tournament_id))


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
    model = jinja2.Template((PROJECT / "models" / "functions" / "find_player.sql").read_text(encoding="utf-8"))
    with duckdb.connect() as connection:
        connection.execute(_TABLES, [list(column) for column in zip(*known, strict=True)] or [[], [], []])
        sql = model.render(words_of=macros()["words_of"], mart="{}".format, asked_system="''".format)
        connection.execute(f"create macro find_player(text) as table {sql}")
        found = list(rows_of(connection.execute("from find_player(?)", [text])))
    return str(likeliest(found, text, what, ("similar words", "beginnings of words"))["player_id"])
