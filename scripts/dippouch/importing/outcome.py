"""What an import changed: the facts that hold now and did not hold before, document by document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from dippouch.collection.memory import Collection
from dippouch.collection.schema import NONE, PUBLISHED_RANKINGS, RESULTS, TOURNAMENTS, Row, Seed
from dippouch.errors import DocumentError
from dippouch.importing.ask import VALUES_OF
from dippouch.importing.files import ImportedFile, Stated
from dippouch.people.index import People
from dippouch.people.questions import Newcomer
from dippouch.reading.documents import PlayerDocument
from dippouch.tournaments.decisions import hint_on_lacking

_SHOWN = 3

# The results of the collection that a document about their tournament lacks. The lesser of two sources may lack people.
_LACKING = """
    select
        stated.document_id,
        results.tournament_id,
        results.listed_name,
        -- A document that replaces gives the placement to somebody else.
        case when stated.replaces and results.placement in (
            select others.placement from stg_results as others
            where others.document_id = stated.document_id and others.tournament_id = stated.tournament_id
        ) then results.listed_player_id end as denied_id
    from int_tournament_statements as stated
    inner join int_results as results using (tournament_id)
    inner join stg_documents as listing on results.document_id = listing.document_id
    left join stg_results as own
        on
            stated.document_id = own.document_id
            and results.tournament_id = own.tournament_id
            and results.listed_player_id = own.listed_player_id
    where
        stated.document_id in (select unnest($1))
        and stated.about = 'tournament'
        and results.listed_by = 'tournament'
        and not results.is_result_withdrawn
        and own.document_id is null
        and not (stated.source_form like 'wdr%' and listing.source_form like 'wdd%')
    order by all
"""

# Corrections that override what a document states.
_OVERRIDDEN = """
    select
        other_document_id,
        tournament_id,
        concat_ws(' ', tournament_id, listed_player_id) || ': ' || fact || ' is ' || other_value
            || ' in the document, and stays ' || value || ' by a correction'
    from source_contradictions
    where reason = 'correction' and other_document_id in (select unnest($1))
    order by all
"""


class _Facts(NamedTuple):
    """The facts that hold: of which model, its key, and the part of the key that a document is about."""

    sql: str
    key: tuple[str, ...]
    about: tuple[str, ...]


# By the seed that states them; columns have its names.
_FACTS = {
    TOURNAMENTS: _Facts(
        """
        select
            tournament_id, tournament_name as name, subtitle, kind, started_on, ended_on, place, nation_code, players, rounds, boards
        from int_tournaments
        """,
        ("tournament_id",),
        ("tournament_id",),
    ),
    RESULTS: _Facts(
        """
        select
            tournament_id, listed_player_id as player_id, source_player_id as source_player_ids, placement, nation_code, location_code,
            published_score, game_score
        from int_results
        """,
        ("tournament_id", "player_id"),
        ("tournament_id",),
    ),
    PUBLISHED_RANKINGS: _Facts(
        """
        select ranking_name, last_update, listed_player_id as player_id, published_rank, published_rating, nation_code, location_code
        from int_published_ratings
        """,
        ("ranking_name", "last_update", "player_id"),
        ("ranking_name", "last_update"),
    ),
}


class ChangedFact(NamedTuple):
    """A row of a model that is new or has other facts: as it was (None for a new one), and as it is, as text by column."""

    before: dict[str, str | None] | None
    after: dict[str, str | None]


@dataclass(frozen=True)
class ReportedDocument:
    """One imported document.

    Attributes:
        file: the file.
        stated: what it states.
        status: `new`, `unchanged` or `changed`.
        rows: the rows that it adds (before: None) or whose facts it changes, each with its seed.
        notes: remarks on it.
        kind: the code of its tournament's kind; empty for none, and for other documents.
        value: the value of its tournament in percent, and the rule that gives it; None for other documents.
    """

    file: ImportedFile
    stated: Stated
    status: str
    rows: list[tuple[Seed, Row | None, Row]]
    notes: list[str]
    kind: str = ""
    value: tuple[float, str] | None = None


@dataclass
class Outcome:
    """The result of an import.

    Attributes:
        documents: the imported documents.
        new_people: the ids of all new people, without those identified by an answer.
        people: the ids of all listed people, after aliases.
        newcomers: the new people, with likely duplicates.
        suspicious: each reason for suspicious names of new people, with these names.
        changed_rows: the number of seed rows added or changed.
        rejections: the faults of rejected files, one or more per file.
        skipped: the remarks on files without anything to import, such as leagues.
        rejected_files: the number of rejected files.
        written: whether the collection was changed.
    """

    documents: list[ReportedDocument] = field(default_factory=list)
    new_people: set[str] = field(default_factory=set)
    people: set[str] = field(default_factory=set)
    newcomers: list[Newcomer] = field(default_factory=list)
    suspicious: list[tuple[str, list[str]]] = field(default_factory=list)
    changed_rows: int = 0
    rejections: list[DocumentError] = field(default_factory=list)
    skipped: list[DocumentError] = field(default_factory=list)
    rejected_files: int = 0
    written: bool = False

    def decisions(self) -> list[tuple[Seed, Row]]:
        """Return the rows that answers about new people add."""
        return [decision for one in self.newcomers for decision in one.decisions]


def remember_facts(collection: Collection) -> None:
    """Keep the facts that hold before an import, to compare them afterwards."""
    for seed, (facts, *_) in _FACTS.items():
        collection.query(
            f"create or replace table before_{seed.name} as select cast(columns(*) as varchar) from ({facts})"
        )


def describe_files(collection: Collection, files: Sequence[ImportedFile], people: People, outcome: Outcome) -> None:
    """Add what accepted files changed to an outcome, document by document, and their people."""
    changed = {seed: _changed_facts(collection, seed) for seed in _FACTS}
    known = {
        tournament_id for (tournament_id,) in collection.query(f"select tournament_id from before_{TOURNAMENTS.name}")
    }
    notes = _notes(collection, files)
    tournaments = [stated.tournament_id for file in files for stated in file.stated]
    values = {tournament_id: rest for tournament_id, *rest in collection.query(VALUES_OF, [tournaments])}
    for file in files:
        for stated in file.stated:
            rows = list(_rows(stated, changed))
            is_changed = rows or (isinstance(stated.document, PlayerDocument) and not _tournaments(stated) <= known)
            status = "new" if not stated.is_known else "changed" if is_changed else "unchanged"
            kind, value, rule = values.get(stated.tournament_id, ("", 0, ""))
            outcome.documents.append(
                ReportedDocument(
                    file,
                    stated,
                    status,
                    rows,
                    [*stated.notes, *notes.get((file.document_id, stated.tournament_id), ())],
                    kind or "",
                    (value, rule) if stated.tournament_id else None,
                )
            )
        outcome.newcomers += file.newcomers
        outcome.people |= {people.person_of(player_id) for player_id in file.people}
    # An answer of the rating keeper may assign a new name to a known person, also for one tournament.
    answered = {row["listed_player_id"]: row["player_id"] for one in outcome.newcomers for row in one.matches}
    outcome.people = {people.person_of(answered.get(player_id, player_id)) for player_id in outcome.people}
    outcome.new_people = {one.person.player_id for one in outcome.newcomers} - answered.keys()
    outcome.suspicious = _suspicious_names(collection, outcome.newcomers)


def _tournaments(stated: Stated) -> set[str]:
    return {row["tournament_id"] for row in stated.rows[TOURNAMENTS]}


def _changed_facts(collection: Collection, seed: Seed) -> dict[str, ChangedFact]:
    """Return the rows that are new or differ, by their key, of tournaments and rankings that the collection knew before."""
    facts, key, about = _FACTS[seed]
    found = collection.query(
        f"""
        with now as (select cast(columns(*) as varchar) from ({facts})),
        differing as (select * from now except select * from before_{seed.name})
        select before, after
        from differing as after
        semi join before_{seed.name} as known using ({", ".join(about)})
        left join before_{seed.name} as before using ({", ".join(key)})
        """
    )
    return {
        " ".join(after[column] for column in key): ChangedFact(before if before[key[0]] else None, after)
        for before, after in found
    }


def _rows(stated: Stated, changed: dict[Seed, dict[str, ChangedFact]]) -> Iterator[tuple[Seed, Row | None, Row]]:
    """Yield the rows of a document that changed something, and forget them: the first of several documents changed it."""
    for seed, rows in stated.rows.items():
        for row in rows if changed[seed] else ():
            fact = changed[seed].get(" ".join(row[column] for column in seed.key[1:]))
            if fact is None:
                continue
            if fact.before is None:
                del changed[seed][" ".join(row[column] for column in seed.key[1:])]
                yield seed, None, row
                continue
            own = [
                name
                for name, value in fact.after.items()
                if value != fact.before[name] and _is_stated(row[name], value)
            ]
            if own:
                before = {name: fact.before[name] or "" for name in own}
                fact.before.update({name: fact.after[name] for name in own})
                yield seed, before, row


def _is_stated(cell: str, value: str | None) -> bool:
    """Return whether a cell states the value of a fact; `none` states that there is none, and of several ids of sources the first counts."""
    if value is None:
        return cell == NONE
    return cell.upper() == value.upper() or cell.split(" ", maxsplit=1)[0] == value


def _notes(collection: Collection, files: Sequence[ImportedFile]) -> dict[tuple[str, str], list[str]]:
    """Return notes on documents about known tournaments, by document and tournament."""
    notes: dict[tuple[str, str], list[str]] = {}
    lacking: dict[tuple[str, str], list[tuple[str, str | None]]] = {}
    for document_id, tournament_id, name, denied_id in collection.query(
        _LACKING, [[file.document_id for file in files]]
    ):
        lacking.setdefault((document_id, tournament_id), []).append((name, denied_id))
    for (document_id, tournament_id), found in lacking.items():
        names = ", ".join(name for name, _ in found[:_SHOWN]) + (", ..." if len(found) > _SHOWN else "")
        note = f"lacks {len(found)} of the results of `{tournament_id}`, which stay ({names})"
        hint = hint_on_lacking(collection, tournament_id, [one for _, one in found if one])
        notes.setdefault((document_id, tournament_id), []).extend(filter(None, [note, hint]))
    withdrawn = {
        tournament_id
        for (tournament_id,) in collection.query("select tournament_id from int_tournaments where is_withdrawn")
    }
    for file in files:
        for stated in file.stated:
            of_document = notes.setdefault((file.document_id, stated.tournament_id), [])
            if stated.tournament_id in withdrawn:
                restore = collection.command("restore", stated.tournament_id)
                of_document.append(
                    f"`{stated.tournament_id}` is withdrawn and does not count; `{restore}` brings it back"
                )
    changed = [file.document_id for file in files if not file.is_unchanged]
    for document_id, tournament_id, note in collection.query(_OVERRIDDEN, [changed]):
        notes[document_id, tournament_id].append(f"{note}; `dptr history {tournament_id}` shows it")
    return notes


def _suspicious_names(collection: Collection, newcomers: Sequence[Newcomer]) -> list[tuple[str, list[str]]]:
    """Return each reason for suspicious names of new people, with these whole names, by the rule of the mart."""
    if not newcomers:
        return []
    names = [[one.person.first_name for one in newcomers], [one.person.last_name for one in newcomers]]
    return collection.query(
        """
        with listings as (select unnest($1::varchar[]) as first_name, unnest($2::varchar[]) as last_name),
        nations as (
            select unnest([name, nation_code]) as name from ref_nations
            union all
            select name from ref_nation_names
        ),
        suspicious as ({{ suspicious_names('listings', 'ref_not_people', 'nations') }})
        select reason, list_sort(list_distinct(list(name))) from suspicious group by reason order by reason
        """,
        names,
    )
