"""Index the people in documents, with the evidence about them; an import adds to the people of the collection, and may take that back."""

from collections import defaultdict
from collections.abc import Container, Iterable
from dataclasses import dataclass
from sys import intern
from typing import Any, NamedTuple, Self, TypeVar

from dippouch.collection.memory import Collection
from dippouch.collection.schema import DISTINCTIONS
from dippouch.messages import counted
from dippouch.names import readable_id_or_empty
from dippouch.reading.documents import ListedPlayer

Value = TypeVar("Value")

# Sets by key. Reading an unknown key adds an empty set, which means the same as no key.
Sets = defaultdict[str, set[Value]]

# Every listing with its tournament (empty for a published ranking or a decision), and the list that has it, with its document if that is a
# table of a tournament: two people in one list are two. In the order of imports, because an id of a source belongs to the first person who
# has it. A name applies as stated and as corrected.
LISTINGS = """
    select
        listed_player_id, tournament_id, tournament_id as list, first_name, last_name, listed_name, nation_code, source_player_ids,
        case when about = 'tournament' then document_id else '' end as listing_table, is_doubtful, document_id, import_number
    from int_result_statements
    union all
    select
        listed_player_id, '', ranking_name || ' ' || last_update, first_name, last_name, listed_name, nation_code, source_player_ids,
        '', false, document_id, import_number
    from stg_published_rankings
    inner join (select document_id, import_number from stg_documents) as documents using (document_id)
    union all
    select listed_player_id, tournament_id, '', first_name, last_name, listed_name, nation_code, null, '', false, '', null
    from int_results
    where tournament_id in (select tournament_id from stg_corrections)
    union all
    select player_id, '', '', first_name, last_name, '', nation_code, null, '', false, '', null
    from stg_players
    order by import_number nulls last, document_id, list, listed_player_id
"""

# Each listed id with its most frequent name and the number of its tournaments, without those that a decision gives to another person.
_PEOPLE = f"""
    with names as (
        select
            listed_player_id,
            coalesce(first_name, '') as first_name,
            coalesce(last_name, '') as last_name,
            list(distinct tournament_id) filter (tournament_id != '') as tournaments
        from ({LISTINGS})
        where list != '' and (listed_player_id, tournament_id) not in (
            select (listed_player_id, tournament_id) from stg_player_aliases where tournament_id is not null
        )
        group by all
    )
    select
        listed_player_id,
        first(first_name order by len(tournaments) desc nulls last, last_name, first_name),
        first(last_name order by len(tournaments) desc nulls last, last_name, first_name),
        len(list_distinct(flatten(list(tournaments))))
    from names
    group by listed_player_id
    order by listed_player_id
"""


@dataclass(frozen=True)
class ListedPerson:
    """A listed player id and the evidence about it.

    Attributes:
        player_id: the person, after aliases.
        first_name: the first names in most tournaments; may be empty.
        last_name: the last name in most tournaments.
        nations: every stated nation of the person.
        source_ids: every id of the person at a source.
        tournaments: number of tournaments that list the id.
    """

    player_id: str
    first_name: str
    last_name: str
    nations: frozenset[str]
    source_ids: frozenset[str]
    tournaments: int = 1

    @property
    def name(self) -> str:
        """Return the whole name."""
        return f"{self.first_name} {self.last_name}".strip()

    @property
    def evidence(self) -> str:
        """Return the name and the evidence, for people."""
        tournaments = counted(self.tournaments, "tournament", "tournaments") if self.tournaments else ""
        facts = (self.name, "/".join(sorted(self.nations)), " ".join(sorted(self.source_ids)), tournaments)
        return ", ".join(filter(None, facts))


class Listing(NamedTuple):
    """A person as one tournament lists them: the ids of the name and of the listed name, and the nation (empty for none)."""

    player_id: str
    name_id: str
    listed_as: str
    nation: str

    @classmethod
    def of(cls, player_id: str, names: tuple[str, str], nation: str | None) -> Self:
        """Return a listing of somebody with a whole name and a listed one."""
        # Thousands of lists have the same names.
        name_id, listed_as = (intern(readable_id_or_empty(name)) for name in names)
        return cls(player_id, name_id, listed_as, nation or "")


class Index:
    """The base class of indices of people or tournaments; subclasses add values with `_add`.

    Attributes:
        source_ids: the ids of a person or a tournament at sources, such as `wdd:1480`.
    """

    def __init__(self) -> None:
        # The changed sets and, at the same place, the values added to them: a list of pairs would take four times the memory.
        self._changed: list[set[Any]] = []
        self._added: list[object] = []
        self.source_ids: Sets[str] = defaultdict(set)
        # An id of a source belongs to the first one who has it.
        self._owners: Sets[str] = defaultdict(set)

    def settle(self, *, keeps: bool = True) -> None:
        """Accept all additions since the last call, or take them back."""
        if not keeps:
            for values, value in zip(self._changed, self._added, strict=True):
                values.discard(value)
        self._changed.clear()
        self._added.clear()

    def owner_of(self, source_id: str) -> str | None:
        """Return the person or the tournament that has a source's id such as `wdd:1073`; None without one."""
        return next(iter(self._owners.get(source_id, ())), None)

    def is_of_another(self, known: str, source_ids: Iterable[str]) -> bool:
        """Return whether the source of one of some ids has other ids for a person or a tournament, but not this one."""
        theirs = self.source_ids.get(known, set())
        sources = {one.partition(":")[0] for one in theirs}
        return any(one not in theirs and one.partition(":")[0] in sources for one in source_ids)

    def _add(self, values: set[Value], value: Value) -> None:
        if value not in values:
            values.add(value)
            self._changed.append(values)
            self._added.append(value)

    def _add_source_ids(self, owner: str, source_ids: Iterable[str]) -> None:
        for source_id in source_ids:
            self._add(self.source_ids[owner], source_id)
            if not self._owners[source_id]:
                self._add(self._owners[source_id], owner)


class People(Index):
    """Everybody whom a collection lists.

    Attributes:
        names: the listed ids of everybody with a name, by the id that the name makes.
        nations: the nations of a listed id; an empty text for a listing without one.
        lists: the tournaments and the published rankings that list an id, unless a decision gives that listing to another person; each with
            the document, if that is a table of the tournament.
        there: the listings of a tournament.
        distinct: the pairs of people whom a decision keeps apart.
        new: the ids of the new people of this run, also of rejected files.
    """

    def __init__(self, collection: Collection, hashes: Iterable[str] = ()) -> None:
        super().__init__()
        self.collection = collection
        # The ids by the listings in documents of the given hashes: the same bytes list the same people.
        self._same_bytes: dict[tuple[str, ...], set[str]] = defaultdict(set)
        same = "select document_id, source_sha256 from stg_documents where source_sha256 in (select unnest(?))"
        hash_of = dict(collection.query(same, [list(hashes)]))
        self.names: Sets[str] = defaultdict(set)
        self.nations: Sets[str] = defaultdict(set)
        self.lists: Sets[tuple[str, str]] = defaultdict(set)
        self.there: Sets[Listing] = defaultdict(set)
        self.new: set[str] = set()
        # The persons of listed ids in a tournament (empty: everywhere), the listed ids of persons, and the tournaments decided on.
        self._persons: dict[tuple[str, str], set[str]] = defaultdict(set)
        self._ids: Sets[str] = defaultdict(set)
        self._scopes: Sets[str] = defaultdict(set)
        aliases = "select listed_player_id, coalesce(tournament_id, ''), player_id from int_player_aliases"
        for listed_id, tournament_id, person in collection.query(aliases):
            self.assign(listed_id, tournament_id, person)
        pairs = collection.query(f"select trim(player_id), trim(other_player_id) from {DISTINCTIONS.name}")
        self.distinct = {frozenset(map(self.person_of, pair)) for pair in pairs}
        split_off: list[Listing] = []
        for row in collection.query(LISTINGS):
            listed_id, tournament_id, where, first, last, name, nation, ids, table, is_doubtful, document_id, _ = row
            for scope in {tournament_id, ""} if document_id in hash_of else ():
                self._same_bytes[hash_of[document_id], scope, name, nation or "", ids or ""].add(listed_id)
            if is_doubtful:
                continue
            listing = Listing.of(listed_id, (f"{first or ''} {last or ''}", name or ""), nation)
            self.add(listing, tournament_id, (where, table), (ids or "").split())
            persons = self._persons.get((listed_id, tournament_id), ()) if tournament_id else ()
            split_off += [listing._replace(player_id=person) for person in persons]
        # The only names of people whom decisions for one tournament made; anybody else keeps their own names.
        for listing in [one for one in split_off if one.player_id not in self.nations]:
            self._add(self.names[listing.name_id], listing.player_id)
            self._add(self.nations[listing.player_id], listing.nation)
        self.settle()

    def add(self, listing: Listing, tournament_id: str, listed_in: tuple[str, str], source_ids: Iterable[str]) -> None:
        """Add a listing of a tournament (empty for none), with ids at sources.

        `listed_in` is the tournament or the published ranking (empty for a decision), and a tournament's table (empty for a page).
        """
        player_id = listing.player_id
        if tournament_id:
            self._add(self.there[tournament_id], listing)
            if self._persons.get((player_id, tournament_id)):
                return  # A decision gives this listing to another person.
        self._add(self.names[listing.name_id], player_id)
        self._add(self.nations[player_id], listing.nation)
        if listed_in[0]:
            self._add(self.lists[player_id], listed_in)
        self._add_source_ids(player_id, source_ids)

    def assign(self, listed_id: str, tournament_id: str, person: str) -> None:
        """Add a decision: an id is a person in a tournament, or everywhere (an empty text)."""
        self._add(self._persons[listed_id, tournament_id], person)
        self._add(self._ids[person], listed_id)
        self._add(self._scopes[listed_id], tournament_id)
        if tournament_id and {where for where, _ in self.lists[listed_id]} <= self._scopes[listed_id]:
            # Decisions cover all tournaments of the id, so its names mean nobody.
            for listing in (one for one in self.there[tournament_id] if one.player_id == listed_id):
                self.names[listing.name_id].discard(listed_id)
            self.nations[listed_id].clear()
            self.lists[listed_id].clear()

    def person_of(self, listed_id: str, tournament_id: str = "") -> str:
        """Return the person of an id in a tournament; without one, everywhere. A decision about the tournament goes first."""
        persons = self._persons.get((listed_id, tournament_id)) or self._persons.get((listed_id, ""))
        return next(iter(persons or ()), listed_id)

    def listed_in(self, tournament_id: str) -> set[str]:
        """Return the ids that a tournament lists."""
        return {listing.player_id for listing in self.there.get(tournament_id, ())}

    def id_there(self, player_id: str, tournament_id: str, listed: Container[str]) -> str:
        """Return the one of the ids listed in a tournament that belongs to a person there; the given id if none does."""
        if player_id in listed:
            return player_id
        person = self.person_of(player_id, tournament_id)
        theirs = (one for one in self.ids_of(person, tournament_id) if one in listed)
        return next((one for one in theirs if self.person_of(one, tournament_id) == person), player_id)

    def of_same_bytes(self, sha256: str, tournament_id: str, player: ListedPlayer) -> str | None:
        """Return the id that a document of the same bytes gave to somebody; None for another document, or for namesakes."""
        key = (sha256, tournament_id, player.listed_name, player.nation_code or "", " ".join(player.source_ids))
        known = self._same_bytes.get(key, set())
        return next(iter(known)) if len(known) == 1 else None

    def ids_of(self, person: str, tournament_id: str = "") -> list[str]:
        """Return a person's own id, and every other id that is this person in a tournament; without one, everywhere."""
        others = sorted(one for one in self._ids.get(person, ()) if self.person_of(one, tournament_id) == person)
        return [person, *others]

    def nations_of(self, listed_id: str) -> set[str]:
        """Return the nations of the person of an id, under any of the person's ids; an empty text for a listing without one."""
        return set().union(*(self.nations.get(one, ()) for one in self.ids_of(self.person_of(listed_id))))

    def is_known(self, player_id: str) -> bool:
        """Return whether an id is in use, before or after decisions."""
        return bool(self._scopes.get(player_id)) or self.is_person(player_id)

    def is_person(self, player_id: str) -> bool:
        """Return whether an id means a person; not if decisions give all its tournaments to other people."""
        return bool(self.nations.get(player_id) or self._ids.get(player_id)) or "" in self._scopes.get(player_id, ())

    def are_listed_together(self, one: str, other: str) -> bool:
        """Return whether one table of a tournament or of a published ranking lists two ids, so that they are two people."""
        return not self.lists.get(one, set()).isdisjoint(self.lists.get(other, ()))


def listed_people(people: People) -> list[ListedPerson]:
    """Return everybody listed in the collection, each listed id with its most frequent name, sorted by it."""
    found = []
    for listed_id, first_name, last_name, tournaments in people.collection.query(_PEOPLE):
        nations, ids = frozenset(people.nations_of(listed_id) - {""}), frozenset(people.source_ids[listed_id])
        found.append(ListedPerson(people.person_of(listed_id), first_name, last_name, nations, ids, tournaments))
    return found
