"""Decisions of the rating keeper about people, as seed rows, and whom they name.

A match is a row `listed id -> person` of ref_player_aliases. It rewrites no other row, and taking it back removes this row alone. The
model int_player_aliases follows chains of matches. Two people are a row of ref_player_distinctions, with their ids in alphabetical order.
"""

from collections.abc import Sequence
from contextlib import suppress

import jinja2

from dippouch.collection.memory import Collection
from dippouch.collection.models import macros
from dippouch.collection.schema import ALIASES, DISTINCTIONS, RESULTS, SeedRow
from dippouch.db import DatabaseRow, literal
from dippouch.messages import UserError, visible_line
from dippouch.people.index import LISTINGS, People
from dippouch.settings import PROJECT, suggested_command

# Number of people or tournaments that a message names.
_NAMED = 10
# Who may be meant: an id, the words of a name, and a nation, which distinguishes namesakes.
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


def record_match(people: People, listed_id: str, player_id: str, reason: str) -> None:
    """Assign everything listed under one id to another person, whose id remains.

    Raises:
        UserError: as `check_match` does; when the two play in one tournament; or when the match makes a circle or too long a chain.
    """
    collection, target = people.collection, people.person_of(player_id)
    check_match(people, listed_id, player_id)
    collection.append(ALIASES, [ALIASES.row(listed_id, "", player_id, reason)])
    other_way = collection.command("merge", target, listed_id)
    hints = {
        "listed_twice": "One list has both; nothing was recorded",
        "circle_of_aliases": f"Nothing was recorded; merge the other way round: {other_way}",
    }
    collection.refuse_faulty(instead=hints)


def check_match(people: People, listed_id: str, player_id: str) -> None:
    """Check a match before it is recorded.

    Raises:
        UserError: when the two are one id, or the match repeats or contradicts another decision.
    """
    if listed_id == player_id:
        raise UserError(f"{listed_id}: found one id twice; expected two people")
    collection, target = people.collection, people.person_of(player_id)
    merged = listed_id if people.person_of(listed_id) != listed_id else player_id if target == listed_id else ""
    if merged and (row := collection.get(ALIASES, (merged, ""))):
        raise UserError(
            f"{merged}: is {row['player_id']} already ({row['reason']}); expected an id that is not merged yet."
            f" {taking_back(collection, row)}"
        )
    for row in collection.stated(DISTINCTIONS):
        two = (row["player_id"], row["other_player_id"])
        if {people.person_of(one) for one in two} == {listed_id, target}:
            raise UserError(
                f"{listed_id} and {player_id}: would make {two[0]} and {two[1]} one, but a decision keeps them apart"
                f" ({row['reason']}); expected decisions that agree. {taking_back(collection, row)}"
            )


def record_pair(people: People, one: str, other: str, reason: str, *, take_back: bool) -> None:
    """Record that two ids are two people; `take_back` removes an earlier match of the two.

    Raises:
        UserError: as `check_pair` does.
    """
    collection = people.collection
    if take_back:
        for key in ((one, ""), (other, "")):
            if (row := collection.get(ALIASES, key)) and row["player_id"] in (one, other):
                collection.remove(ALIASES, key)
        people = People(collection)
    check_pair(people, one, other)
    collection.append(DISTINCTIONS, [DISTINCTIONS.row(*sorted((one, other)), reason)])


def check_pair(people: People, one: str, other: str) -> None:
    """Check a decision that two ids are two people before it is recorded.

    Raises:
        UserError: when the two are one id, an earlier decision says the same, or others match the two.
    """
    collection = people.collection
    if row := collection.get(DISTINCTIONS, sorted((one, other))):
        raise UserError(f"{one} and {other}: are two people already ({row['reason']}); nothing was changed")
    if (person := people.person_of(one)) == people.person_of(other):
        row = collection.get(ALIASES, (other if one == person else one, ""))
        way_out = f". {taking_back(collection, row)}" if row else ""
        raise UserError(f"{one} and {other}: are both {person}; expected two people{way_out}")


def forget_pair(people: People, one: str, other: str) -> None:
    """Take back that two ids are two people: they may be matched again.

    Raises:
        UserError: when there is no such decision.
    """
    if people.collection.get(DISTINCTIONS, sorted((one, other))) is None:
        raise UserError(f"{one} and {other}: nobody decided that they are two people; nothing was changed")
    people.collection.remove(DISTINCTIONS, sorted((one, other)))


def record_split(people: People, listed_id: str, tournament_id: str, player_id: str, reason: str) -> str:
    """Assign an id's listing in one tournament to another person, new or known; give the id itself to take a split back.

    Returns:
        A note if the person's id is new.

    Raises:
        UserError: when the tournament does not list the id, or that person is there already.
    """
    collection = people.collection
    listed = people.listed_in(tournament_id)
    if listed_id not in listed:
        raise UserError(f"{tournament_id}: does not list {listed_id}; expected a player_id of {RESULTS.path} there")
    before = collection.get(ALIASES, (listed_id, tournament_id))
    if before and before["player_id"] == player_id:
        raise UserError(
            f"{listed_id}: is {player_id} in {tournament_id} already ({before['reason']}); nothing was changed"
        )
    collection.remove(ALIASES, (listed_id, tournament_id))
    if player_id != listed_id or not before:
        there = people.id_there(player_id, tournament_id, listed)
        plays = "select 1 from int_results where tournament_id = ? and listed_player_id = ? and not is_result_withdrawn"
        if collection.query(plays, [tournament_id, there]):
            way_out = f". If {there} did not play: {collection.command('withdraw', tournament_id, '--player', there)}"
            expected = f"a player who is not in it{way_out if there != listed_id else ''}"
            raise UserError(f"{player_id}: plays in {tournament_id} already; expected {expected}")
        collection.append(ALIASES, [ALIASES.row(listed_id, tournament_id, player_id, reason)])
    collection.refuse_faulty()
    return "" if people.is_known(player_id) else ", a new person"


def taking_back(collection: Collection, decision: SeedRow) -> str:
    """Return the hint with the command that takes a match, a split of one tournament, or a distinction back."""
    if "other_player_id" in decision:
        one, other, _ = decision.values()
        return f"Take that back first: {suggested_command('forget', one, other, seeds=collection.folder)}"
    listed_id, tournament_id, player_id, _ = decision.values()
    of_one = ("split", listed_id, tournament_id, listed_id)
    words = of_one if tournament_id else ("distinct", listed_id, player_id, "--take-back")
    return f"Take that back first: {collection.command(*words)}"


def find_person(people: People, text: str, *, is_listed: bool = False) -> str:
    """Return an id itself, or the person's id for a name, with `is_listed` the one before aliases; raise a UserError as `likeliest` does."""
    if people.is_known(text):
        return text
    player_id = "listed_player_id" if is_listed else "coalesce(everywhere.player_id, listed_player_id)"
    return search_name(people.collection, _PEOPLE.format(player_id), text, "player")


def find_listed(people: People, text: str, tournament_id: str) -> str:
    """Return the id under which a tournament lists the person of an id or a name; of an unlisted person, their own."""
    if not people.is_known(text):
        try:
            listed = f"{_LISTED} where tournament_id = {literal(tournament_id)}"
            return search_name(people.collection, listed, text, "player")
        except UserError:
            # A name of other tournaments. If it means nobody or several people, the first message names fewer people.
            with suppress(UserError):
                return find_listed(people, find_person(people, text), tournament_id)
            raise
    return people.id_there(text, tournament_id, people.listed_in(tournament_id))


def likeliest(found: Sequence[DatabaseRow], text: str, what: str, guesses: Sequence[str]) -> DatabaseRow:
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


def _listed(people: list[DatabaseRow]) -> str:
    """Return a line for each of the first people: the id, the name, the nation and the rank."""
    lines = []
    for row in people[:_NAMED]:
        rank = f"rank {row['international_rank']:,}" if row["international_rank"] else ""
        facts = filter(None, (visible_line(row["player_name"]), row["nation_code"], rank))
        lines.append(f"\n  {row['player_id']}  {', '.join(facts)}")
    return "".join(lines) + (f"\n  and {len(people) - _NAMED:,} more" if len(people) > _NAMED else "")


def search_name(collection: Collection, known: str, text: str, what: str) -> str:
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
