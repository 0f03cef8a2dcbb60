"""Plan the change of a collection by a document: identify its tournament and people, and compare its statements."""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from datetime import date

from dippouch.documents import Document, PlayerDocument, RankingDocument, TournamentDocument
from dippouch.errors import DocumentError, Faults, Location
from dippouch.importing.change import Change, Difference
from dippouch.importing.context import Choices
from dippouch.importing.kinds import inferred_facts, kind_of, known_kind
from dippouch.importing.rows import (
    BY_PLAYER,
    BY_TOURNAMENT,
    further_row,
    player_row,
    ranking_row,
    result_row,
    source_cells,
    tournament_row,
)
from dippouch.importing.sources import keep, order_of, settled
from dippouch.matching.identities import Identity, as_listed, identify_tournament
from dippouch.matching.newcomers import identify_with_answers
from dippouch.matching.people import TOURNAMENT, is_of_another, is_player_id
from dippouch.rating.rules import RatingRules
from dippouch.seeds.decisions import WITHDRAWN, corrected_tournament, hint_on_lacking, people_behind
from dippouch.seeds.schema import (
    CORRECTIONS,
    FURTHER_STATEMENTS,
    PLAYERS,
    PUBLISHED_RANKINGS,
    RESULTS,
    SOURCE_COLUMNS,
    TOURNAMENT_KINDS,
    TOURNAMENTS,
    Row,
)
from dippouch.seeds.store import Collection

_SHOWN = 3

# The rule for the same tournament twice: within 7 days, at least three people and half of those of the smaller one are in both; in one
# file, any number of people. Only a document with ids of its own (`two-tables`) lists several tournaments.
_FEWEST = 3
_NEAR = f"""
    with near as (
        -- Days as stated have an index; corrected ones are few.
        select tournament_id from {TOURNAMENTS.name}
        where ended_on >= date(:started_on, '-7 days') and started_on <= date(:ended_on, '+7 days')
        union
        select tournament_id from {CORRECTIONS.name}
    )
    select tournament_id, name, started_on, ended_on, source_sha256
    from near join corrected_{TOURNAMENTS.name} using (tournament_id)
    where ended_on >= date(:started_on, '-7 days') and started_on <= date(:ended_on, '+7 days')
        and withdrawn != 'true' and (source_sha256 != :sha256 or :own_id = '')
"""


def plan_change(
    collection: Collection, document: Document, choices: Choices, rules: RatingRules, faults: Faults
) -> Change:
    """Find a document's changes in a collection, without applying them, and gather its faults.

    With a fault, the change only serves to check the other rows.

    Raises:
        DocumentError: when the tournament cannot be identified.
    """
    if isinstance(document, TournamentDocument):
        change = _plan_tournament(collection, document, choices, rules, faults)
    elif isinstance(document, PlayerDocument):
        change = _plan_player(collection, document, choices, rules, faults)
    else:
        change = _plan_ranking(collection, document, choices, faults)
    change.note_kept()
    return change


def _plan_tournament(
    collection: Collection, document: TournamentDocument, choices: Choices, rules: RatingRules, faults: Faults
) -> Change:
    with faults.gathered():
        _refuse_future(document.ended_on, document.location_of("started_on"), choices)
    if not document.results:
        raise document.source.fault("a tournament without results", "at least one listed player")
    tournament_id = identify_tournament(collection, document, is_another=choices.another_event)
    before, listed = collection.get(TOURNAMENTS, (tournament_id,)), collection.results_of(tournament_id)
    change = Change(collection, document, document.name, choices.replace, before is not None, tournament_id)
    change.notes += document.remarks
    kind = ""
    with faults.gathered():
        kind = kind_of(collection, document, rules, before)
    place = Location(document.source.path) if "name" in choices.options else document.location_of("name")
    change.replace |= before is not None and before["source_sha256"] in document.source.earlier
    # Players' pages do not bind the tournament's own table.
    is_first = all(row["listed_by"] == BY_PLAYER for row in listed.values())
    order = order_of(document.source.format, before["source_form"]) if before and not is_first else 0
    stated, applies = tournament_row(tournament_id, document, kind), tuple(TOURNAMENTS.columns)
    if not is_first:
        stated, applies = settled(change, TOURNAMENTS, stated, before, before, order, place)
    change.state(TOURNAMENTS, stated, place, applies=applies)
    players = [result.player for result in document.results]
    people = identify_with_answers(collection, tournament_id, players, choices.answers, faults)
    rows = [
        # A name in question contradicts nothing yet.
        listed[person.player_id] if person.is_asked else result_row(tournament_id, person, result, BY_TOURNAMENT)
        for person, result in zip(people, document.results, strict=True)
    ]
    # A lesser source adds nobody at the placement of somebody whom it lacks: under another name they would be listed twice.
    here = {person.player_id for person in people}
    held = {row["placement"] for row in listed.values() if row["player_id"] not in here} if order < 0 else set()
    for row, player, person in zip(rows, players, people, strict=True):
        # The listed name of somebody whom an answer identified lets later imports do without the answer.
        answered = ("listed_name",) if person.is_answered else ()
        known = listed.get(person.player_id)
        if known is None and row["placement"] and row["placement"] in held:
            kept = {column: row[column] for column in ("tournament_id", "player_id", "placement")}
            keep(change, kept | source_cells(document.source), player.location)
            continue
        used, applies = settled(change, RESULTS, row, known, before, order, player.location)
        change.state(RESULTS, used, player.location, applies=(*answered, *applies))
    if before is None:
        if not choices.another_event:
            with faults.gathered():
                _refuse_same_tournament(collection, document, people)
    elif order >= 0:
        _compare_omitted(change, document, rows, listed)
    if before and order >= 0 and change.differences and change.differences[0].table is not TOURNAMENTS:
        # The source of a tournament is the last document that changed it or one of its results.
        row = before | {column: stated[column] for column in SOURCE_COLUMNS}
        change.differences.append(Difference(TOURNAMENTS, (tournament_id,), before, row))
    change.state_ids(TOURNAMENT, tournament_id, document.source_ids, place)
    change.state_people(people, players)
    if before and corrected_tournament(collection, tournament_id)[WITHDRAWN] == "true":
        restore = collection.command("restore", tournament_id)
        change.notes.append(f"`{tournament_id}` is withdrawn and does not count; `{restore}` brings it back")
    return change


def _compare_omitted(change: Change, document: TournamentDocument, rows: list[Row], listed: Mapping[str, Row]) -> None:
    """Report results of the collection that a table lacks, and new people of the table at their placements as conflicts."""
    theirs = listed.keys() - {row["player_id"] for row in rows}
    corrected = change.collection.results_of(change.tournament_id, corrected=True)
    omitted = [listed[player_id] for player_id in sorted(theirs) if corrected[player_id][WITHDRAWN] != "true"]
    if lacking := [row["listed_name"] for row in omitted if row["listed_by"] == BY_TOURNAMENT]:
        names = ", ".join(lacking[:_SHOWN]) + (", ..." if len(lacking) > _SHOWN else "")
        change.notes.append(f"lacks {len(lacking)} of the results of `{change.tournament_id}`, which stay ({names})")
    by_placement = defaultdict(list)
    for row in omitted:
        if row["placement"]:
            by_placement[row["placement"]].append(row)
    denied = set[str]()
    for row, result in zip(rows, document.results, strict=True):
        if row["player_id"] not in listed:
            for other in by_placement[row["placement"]]:
                found = f"{row['listed_name']} at placement {row['placement']}"
                change.contradict(RESULTS, other, "placement", result.player.location, found, f"`{other['player_id']}`")
                denied.add(other["player_id"])
    if change.replace and denied:
        change.notes.append(hint_on_lacking(change.collection, change.tournament_id, denied))


def _refuse_same_tournament(collection: Collection, document: TournamentDocument, people: list[Identity]) -> None:
    """Ask whether a new tournament is a known one under another name, unless the source's ids distinguish them."""
    behind, ids = people_behind(collection), [person.answer or person.player_id for person in people]
    given = {behind.get(one, one) for one in ids}
    about = {
        "started_on": document.started_on.isoformat(),
        "ended_on": document.ended_on.isoformat(),
        "sha256": document.source.sha256,
        "own_id": document.tournament_id or "",
    }
    found = []
    for known_id, name, started_on, ended_on, sha256 in list(collection.query(_NEAR, about)):
        there = people_behind(collection, known_id)
        listed = {there.get(one, one) for one in collection.results_of(known_id)}
        both = len(given & listed)
        is_enough = both >= _FEWEST or sha256 == document.source.sha256
        is_other = is_of_another(collection, TOURNAMENT, known_id, document.source_ids)
        if is_enough and 2 * both >= min(len(given), len(listed)) and not is_other:
            found.append((-both, known_id, name, " - ".join(dict.fromkeys((started_on, ended_on)))))
    if found:
        both, known_id, name, days = min(found)
        as_known = shlex.join(["--name", name, "--date", days])
        if document.tournament_id is not None:
            as_known = f"give it the id `{known_id}`"
        raise DocumentError(
            document.location_of("name"),
            f"the new tournament `{document.name}` ({document.ended_on}) with {-both} of the people of `{known_id}`"
            f" (`{name}`, {days})",
            "other people, or other days",
            f"Another tournament: --another-event. The same one: {as_known}",
        )


def _plan_player(
    collection: Collection, document: PlayerDocument, choices: Choices, rules: RatingRules, faults: Faults
) -> Change:
    people = identify_with_answers(collection, "", [document.player], choices.answers, faults)
    (person,) = people
    is_known = is_player_id(collection, person.player_id)
    change = Change(collection, document, document.player.name, choices.replace, is_known)
    change.notes += document.remarks
    kinds = list(collection.all(TOURNAMENT_KINDS))
    taken: set[str] = set()
    for appearance in document.appearances:
        with faults.gathered():
            place = appearance.location_of("name")
            _refuse_future(appearance.ended_on, place, choices)
            tournament_id = identify_tournament(collection, appearance, taken)
            if not taken.isdisjoint((tournament_id, *appearance.source_ids)):
                raise DocumentError(place, f"`{appearance.name}` twice, or its id", "every tournament once")
            taken.update((tournament_id, *appearance.source_ids))
            _plan_appearance(change, document, person, appearance, tournament_id, rules, kinds)
    if document.ranking:
        _state_ranks(change, document.ranking, people)
    change.state_people(people, [document.player])
    if row := player_row(document, person.player_id):
        change.state(PLAYERS, row, document.player.location)
    return change


def _plan_appearance(
    change: Change,
    document: PlayerDocument,
    person: Identity,
    played: TournamentDocument,
    tournament_id: str,
    rules: RatingRules,
    kinds: list[Row],
) -> None:
    """Add one line of a player's page: its statement, the result, and the tournament with the facts that no other document states.

    A tournament whose number of players no page states does not count until its own page is imported.
    """
    collection, place, (result,) = change.collection, played.location_of("name"), played.results
    if result.placement is not None and played.players is not None and result.placement > played.players:
        raise DocumentError(place, f"placement {result.placement}", f"a placement from 1 to {played.players}")
    before, listed = collection.get(TOURNAMENTS, (tournament_id,)), collection.results_of(tournament_id)
    person = as_listed(collection, person, listed)
    proved, rounds = inferred_facts(kinds, played, rules)
    kind = known_kind(kinds, played.kind, place) or proved
    # The figures that the page prints are further statements only.
    facts = replace(played, rounds=rounds, coefficients=(None, None, None))
    further = further_row(document, played, tournament_id, person.player_id)
    own = collection.get(FURTHER_STATEMENTS, tuple(further[column] for column in FURTHER_STATEMENTS.key))
    # The page of an archive that changed replaces what only it stated before.
    own = own if own and own["source_sha256"] in document.source.earlier else None
    keep(change, further, place)

    stated, known = tournament_row(tournament_id, facts, kind), listed.get(person.player_id)
    has_table = any(row["listed_by"] == BY_TOURNAMENT for row in listed.values())
    row = stated
    if before:
        # What is missing is filled; a table without a kind is not of the kind that a player's page states.
        filled = ("players", "rounds") if has_table else ("players", "rounds", "kind", "nation_code")
        row = before | {column: before[column] or stated[column] for column in filled}
        row["source_tournament_id"] = stated["source_tournament_id"]
        if own and not has_table and before["players"] == own["players"]:
            row["players"] = stated["players"]
    change.state(TOURNAMENTS, row, place, applies=("players",))

    row = result_row(tournament_id, person, replace(result, published_score=None), BY_PLAYER)
    is_own = own and known and known["listed_by"] == BY_PLAYER and known["placement"] == own["placement"]
    if known and known["placement"] and not change.replace and not is_own:
        row["placement"] = known["placement"]
    change.state(RESULTS, row, place, applies=("placement",) if is_own else ())
    change.state_ids(TOURNAMENT, tournament_id, played.source_ids, place)


def _plan_ranking(collection: Collection, document: RankingDocument, choices: Choices, faults: Faults) -> Change:
    with faults.gathered():
        _refuse_future(document.last_update, Location(document.source.path), choices)
    players = [rank.player for rank in document.ranks]
    people = identify_with_answers(collection, "", players, choices.answers, faults)
    title = f"{document.ranking_name}, {document.last_update}"
    change = Change(collection, document, title, choices.replace)
    change.notes += document.remarks
    _state_ranks(change, document, people)
    change.state_people(people, players)
    return change


def _state_ranks(change: Change, ranking: RankingDocument, people: list[Identity]) -> None:
    """Add the rows of a published ranking, which is known if the collection has any of them."""
    for person, rank in zip(people, ranking.ranks, strict=True):
        row = ranking_row(ranking, person, rank)
        key = tuple(row[column] for column in PUBLISHED_RANKINGS.key)
        change.known |= change.collection.get(PUBLISHED_RANKINGS, key) is not None
        change.state(PUBLISHED_RANKINGS, row, rank.player.location)


def _refuse_future(day: date, location: Location, choices: Choices) -> None:
    if choices.last_day is not None and day > choices.last_day:
        found, expected = f"the date {day}, which is in the future", f"a day up to {choices.last_day}"
        hint = "Is the year mistyped? If it is right, import the document with --future."
        raise DocumentError(location, found, expected, hint)
