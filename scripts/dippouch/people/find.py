"""Find the person or the tournament that a text means, in a collection as in the published file."""

from collections.abc import Sequence
from contextlib import suppress

import jinja2

from dippouch.collection.memory import Collection
from dippouch.collection.models import macros
from dippouch.db import Row, literal
from dippouch.errors import UserError
from dippouch.people.index import LISTINGS, People
from dippouch.printable import visible_line
from dippouch.settings import PROJECT

# Number of people or tournaments that a message names.
_NAMED = 10
# What may be meant: an id, the words of its name, and a fact that distinguishes namesakes.
_TOURNAMENTS = "select tournament_id, tournament_name, cast(ended_on as varchar) from int_tournaments"
_LISTED = "select listed_player_id, concat_ws(' ', first_name, last_name), nation_code from int_results"
# Where a decision gives a listing to another person, its name says nothing about the listed id.
_PEOPLE = f"""
    select {{}}, concat_ws(' ', first_name, last_name), nation_code
    from ({LISTINGS}) as listings
    left join (from int_player_aliases where tournament_id is null) as everywhere using (listed_player_id)
    where not is_doubtful and (listed_player_id, listings.tournament_id) not in (
        select (listed_player_id, tournament_id) from int_player_aliases where tournament_id is not null
    )
"""


def find_tournament(collection: Collection, text: str) -> str:
    """Return the id of the tournament that an id or a name means; raise a UserError as `likeliest` does."""
    is_id = collection.query("select 1 from int_tournaments where tournament_id = ?", [text])
    return text if is_id else _search(collection, _TOURNAMENTS, text, "tournament")


def find_person(people: People, text: str, *, is_listed: bool = False) -> str:
    """Return an id itself, or the person's id for a name, with `is_listed` the one before aliases; raise a UserError as `likeliest` does."""
    if people.is_known(text):
        return text
    player_id = "listed_player_id" if is_listed else "coalesce(everywhere.player_id, listed_player_id)"
    return _search(people.collection, _PEOPLE.format(player_id), text, "player")


def find_listed(people: People, text: str, tournament_id: str) -> str:
    """Return the id under which a tournament lists the person of an id or a name; of an unlisted person, their own."""
    if not people.is_known(text):
        try:
            listed = f"{_LISTED} where tournament_id = {literal(tournament_id)}"
            return _search(people.collection, listed, text, "player")
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


def _search(collection: Collection, known: str, text: str, what: str) -> str:
    """Return the id that the model of `marts.find_player` finds among the rows of a query; decisions need whole words."""
    model = jinja2.Template((PROJECT / "models" / "functions" / "find_player.sql").read_text(encoding="utf-8"))
    tables = {
        "players": f"""(
            select player_id, trim(name) as player_name, max(nation) as nation_code
            from ({known}) as known (player_id, name, nation)
            group by all
        )""",
        "player_aliases": "(select null as player_id, null as listed_player_id)",
        "international_ranking": "(select null as player_id, null as rank, null as rating_system_id)",
    }
    sql = model.render(macros(), mart=tables.get, asked_system="''".format)
    collection.query(f"create or replace macro find_player(text) as table {sql}")
    found = collection.rows("from find_player(?)", [text])
    return str(likeliest(found, text, what, ("similar words", "beginnings of words"))["player_id"])
