"""People of a known tournament whom a document lists under another name than the collection."""

from __future__ import annotations

from collections.abc import Mapping

from dippouch.documents import ListedPlayer
from dippouch.errors import Faults
from dippouch.ids import readable_id_or_empty
from dippouch.matching.candidates import KnownPeople, Undecided
from dippouch.matching.likeness import LIKELIEST
from dippouch.matching.newcomers import Answers, listed_person, question
from dippouch.matching.players import Identity, as_listed, differs
from dippouch.seeds.persons import people_behind
from dippouch.seeds.schema import Row
from dippouch.seeds.store import Collection
from dippouch.suggestions import suggested_command


def with_answers(
    collection: Collection,
    listed: Mapping[str, Row],
    people: list[tuple[ListedPlayer, Identity]],
    answers: Answers,
    faults: Faults,
) -> list[Identity]:
    """Return the people of a table, each under their listed id in the collection's results of this tournament, whatever the name.

    An answer, an earlier import or an earlier match identifies them; then the known name stays. Any other new name that resembles a person whom the table omits is a fault,
    and counts as that person's name in further checks.

    Args:
        collection: the known people.
        listed: the collection's results of the tournament, by id.
        people: the people of the table.
        answers: the rating keeper's answers about new people.
        faults: gathers likely duplicates without an answer.
    """
    left_out = {**listed}
    for _, person in people:
        left_out.pop(person.player_id, None)
    found = []
    matched = people_behind(collection)
    for player, named in people:
        person = named
        name_id = readable_id_or_empty(player.name)
        if name_id in matched and named.player_id in listed and name_id != named.player_id:
            person = _with_known_name(collection, listed[named.player_id], player)
        if left_out and named.player_id not in listed and not player.player_id:
            person = _known(collection, left_out, player, named, answers, faults)
            left_out.pop(person.player_id, None)
        found.append(person)
    return found


def _known(
    collection: Collection,
    left_out: Mapping[str, Row],
    player: ListedPlayer,
    person: Identity,
    answers: Answers,
    faults: Faults,
) -> Identity:
    same, is_new = answers.of(person.player_id, player)
    if same:
        player_id = as_listed(collection, Identity(same), left_out).player_id
        return _with_known_name(collection, left_out[player_id], player) if player_id in left_out else person
    if not person.is_new or is_new:
        return person
    name_id = readable_id_or_empty(player.listed_name)
    for player_id, row in left_out.items():
        has_name = name_id in (player_id, readable_id_or_empty(row["listed_name"]))
        if has_name and not differs(collection, player, player_id, {row["nation_code"]}):
            return Identity(player_id, f"taken for `{player_id}`, as before")
    if answers.asks and (player_id := likeliest(collection, left_out, person.player_id, player)):
        known = f"`{player_id}` ({left_out[player_id]['listed_name']}), whom this tournament lists"
        faults.add(question(player, known, player_id))
        return Identity(player_id)
    return person


def likeliest(collection: Collection, left_out: Mapping[str, Row], player_id: str, player: ListedPlayer) -> str:
    """Return the id of the result with the most similar name, if it may be a listed player's; else empty."""
    known = KnownPeople(
        listed_person(known_id, ListedPlayer(row["listed_name"], row["first_name"], row["last_name"], player.location))
        for known_id, row in left_out.items()
        if not differs(collection, player, known_id, ())
    )
    alike = [(LIKELIEST.index(how), one.player_id) for one, how in known.alike(listed_person(player_id, player))]
    undecided = Undecided(collection) if alike else None
    return next((known_id for _, known_id in sorted(alike) if undecided and undecided(player_id, known_id)), "")


def _with_known_name(collection: Collection, row: Row, player: ListedPlayer) -> Identity:
    """Return a person known by an answer, with the collection's name: most answers are about slips in the document."""
    names = {"first_name": player.first_name, "last_name": player.last_name}
    facts = [f"{column}={name}" for column, name in names.items() if name and name != row[column]]
    if not facts:
        return Identity(row["player_id"])
    words = ("correct", row["tournament_id"], "--player", row["player_id"], *facts, "--reason", "...")
    command = suggested_command(*words, seeds=collection.folder)
    return Identity(row["player_id"], f"is `{row['player_id']}`, whose name stays; {command} changes it")
