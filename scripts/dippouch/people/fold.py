"""Identify listed people: once, at import, as a fold over documents in their order. Later decisions apply on top of it.

docs/identity.md has the rules. Among several namesakes the order is: a person who is in this tournament already
(of several, one listed with this name or nation), a person of the same stated nation, the lowest number. An answer goes before the last two.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace

from dippouch.messages import DocumentError, Faults, shortened
from dippouch.names import free_id, is_reserved, readable_id_or_empty
from dippouch.people.index import Listing, People
from dippouch.people.questions import Answers, check_repeated
from dippouch.reading.documents import ListedPlayer


@dataclass(frozen=True)
class Identity:
    """The identity of a listed person.

    Attributes:
        player_id: the id.
        note: an explanation of the decision for the rating keeper; empty if there was nothing to decide.
        is_new: whether the id was free before.
        is_doubtful: whether the listing is faulty, so that its result becomes no row.
        namesakes: the people among whom an answer may choose, because none of them is in this tournament.
    """

    player_id: str
    note: str = ""
    is_new: bool = False
    is_doubtful: bool = False
    namesakes: frozenset[str] = frozenset()


# The listings of one tournament by listed id: several documents may list somebody under several names.
Present = Mapping[str, list[Listing]]


def identify_players(
    people: People, players: list[ListedPlayer], answers: Answers, faults: Faults, *, sha256: str, tournament_id: str
) -> list[Identity]:
    """Identify the people that one document lists, each under their id in the collection's results of a tournament; no two are the same.

    By an answer, a new name may belong to a person of this tournament whom the table omits.

    Args:
        people: the known people; the ids of the new ones are added to those of this run.
        players: the people of one table, each once.
        answers: the rating keeper's answers about new people.
        faults: gathers people who are listed twice, last names without a letter, and answers about known people, unless they repeat what
            the collection has. Faulty people get a meaningless id.
        sha256: the hash of the document.
        tournament_id: the tournament; empty for a ranking or a player's page.
    """
    present: dict[str, list[Listing]] = {}
    for listing in sorted(people.there.get(tournament_id, ())):
        present.setdefault(listing.player_id, []).append(listing)
    found = _identify_all(people, players, faults, sha256, tournament_id, present)
    people.new.update(person.player_id for person in found if person.is_new)
    for number, (player, person) in enumerate(zip(players, found, strict=True)):
        if (answer := answers.of(people, person.player_id, player)) is not None:
            others = {other.player_id for other in found} - {person.player_id}
            if answer in person.namesakes - others:
                found[number] = Identity(answer)
            elif person.is_new:
                omitted = present.keys() - others
                there = people.id_there(answer, tournament_id, omitted) if answer else ""
                if there in omitted and not player.player_id:
                    # Most of these names are slips in the document.
                    command = people.collection.command("correct", tournament_id, f"{there}:last_name=NAME")
                    found[number] = Identity(there, f"is `{there}`, whose name stays; `{command}` changes it")
            elif person.player_id not in people.new:
                with faults.gathered():
                    check_repeated(people, tournament_id, player, person.player_id, answer)
    return found


def _identify_all(
    people: People, players: list[ListedPlayer], faults: Faults, sha256: str, tournament_id: str, present: Present
) -> list[Identity]:
    """Identify the people of a table by their names, nations and ids; gather the faults of names without a letter, and of people listed twice."""
    # The players by their ids and by the ids of their sources.
    taken: dict[str, ListedPlayer] = {}
    found: list[Identity] = []
    for number, player in enumerate(players, start=1):
        if not ((name_id := readable_id_or_empty(player.name)) and any(map(str.isalpha, player.last_name))):
            faults.add(DocumentError(player.location, f"the name {_described(player)}", "a last name with a letter"))
            found.append(Identity(str(number), is_doubtful=True))
            continue
        if same := people.of_same_bytes(sha256, tournament_id, player):
            person = Identity(same)
        else:
            person = _identify(people, player, name_id, present, taken)
            # By a decision, their id in this tournament may be a different one.
            person = replace(person, player_id=people.id_there(person.player_id, tournament_id, present))
        ids = (person.player_id, *player.source_ids)
        if earlier := next((taken[known] for known in ids if known in taken), None):
            again = f"{_described(player)}, who is {_described(earlier)} of {earlier.location.in_file}"
            way_out = "If they are one person, keep one row; if they are two, give each their nation or their id."
            faults.add(DocumentError(player.location, again, "every player once", way_out))
            person = Identity(str(number), is_doubtful=True)
        taken |= dict.fromkeys(ids, player)
        found.append(person)
    return found


def _identify(
    people: People, player: ListedPlayer, name_id: str, present: Present, taken: Mapping[str, ListedPlayer]
) -> Identity:
    namesakes = {player_id: people.nations_of(player_id) for player_id in people.names.get(name_id, ())}
    # A person split off in this tournament is listed there under the document's id, and one by an answer with another name.
    for listed_id, listings in present.items():
        if listed_id not in namesakes and _have_name(listings, name_id):
            namesakes[listed_id] = {listing.nation for listing in listings}
    if known := _known_by_id(people, player, namesakes):
        return known
    # If the document numbers a person 2 or more among namesakes, a known namesake is another person.
    is_further = any(name.startswith("namesake:") and not name.endswith("-1") for name in player.source_ids)
    possible = [
        player_id
        for player_id, theirs in namesakes.items()
        if not (is_further or people.is_of_another(player_id, player.source_ids))
        and not (player.nation_code and any(theirs) and player.nation_code not in theirs)
        and not _are_distinguished(player, taken.get(player_id))
    ]
    if possible:

        def preference(player_id: str) -> tuple[bool, bool, bool, bool, int, str]:
            listings = present.get(player_id, [])
            name_there = _have_name(listings, name_id)
            nation_there = (player.nation_code or "") in {listing.nation for listing in listings}
            nation = player.nation_code in namesakes[player_id]
            return not listings, not name_there, not nation_there, not nation, len(player_id), player_id

        chosen = min(possible, key=preference)
        if chosen in present:
            return Identity(chosen)
        note = ""
        if len(possible) > 1 and not player.nation_code:
            others = ", ".join(f"`{other}`" for other in sorted({*namesakes} - {chosen}))
            note = f"taken for `{chosen}`; may be {others}; if so, use `dptr split`"
        return Identity(chosen, note, namesakes=frozenset(possible))
    # The same name twice without a distinction is the same person: the caller reports it.
    player_id = free_id(name_id, lambda made: _are_distinguished(player, taken.get(made)) or people.is_person(made))
    why = "cannot be the name of a file" if is_reserved(name_id) else "is taken"
    note = "" if player_id == name_id else f"a new `{player_id}`, because `{name_id}` {why}"
    return Identity(player_id, note, is_new=True)


def _have_name(listings: list[Listing], name_id: str) -> bool:
    """Return whether a tournament lists somebody under a name, or an answer gave them another one there."""
    return any(name_id in (listing.name_id, listing.listed_as) for listing in listings)


def _known_by_id(people: People, player: ListedPlayer, namesakes: Container[str]) -> Identity | None:
    """Identify a person by the document's own id, or by a known id of a source."""
    if player.player_id and not people.is_known(player.player_id):
        return Identity(player.player_id, is_new=True)
    ids = {player.player_id: player.player_id} if player.player_id else {}
    ids = ids or {given: owner for given in player.source_ids if (owner := people.owner_of(given))}
    if not ids:
        return None
    given, player_id = next(iter(ids.items()))
    for other, owner in ids.items():
        if owner != player_id:
            way_out = f"if they are one: {people.collection.command('merge', owner, player_id)}"
            return Identity(player_id, f"{given} is `{player_id}`, but {other} is `{owner}`; {way_out}")
    return Identity(player_id, "" if player_id in namesakes else f"{given} is `{player_id}`, of another name elsewhere")


def _are_distinguished(one: ListedPlayer, other: ListedPlayer | None) -> bool:
    """Return whether a table itself distinguishes somebody from a namesake, if it has one, by ids of its source or by nations."""
    if other and one.source_ids and other.source_ids:
        return one.source_ids[0] != other.source_ids[0]
    return bool(other and one.nation_code and other.nation_code and one.nation_code != other.nation_code)


def _described(player: ListedPlayer) -> str:
    return f"`{shortened(player.listed_name)}`" + (f" ({player.source_ids[0]})" if player.source_ids else "")
