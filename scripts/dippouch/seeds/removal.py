"""Remove the statements of one document, with people whom no other document lists.

The seeds name the last document that stated a tournament or a published ranking. A tournament's table has every result known from
earlier tables, because the importer refuses a table that leaves any out. So the whole tournament is removed.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field

from dippouch.errors import UserError
from dippouch.names import shortened
from dippouch.printable import counted
from dippouch.seeds.files import iterate_rows
from dippouch.seeds.schema import (
    ALIASES,
    CORRECTIONS,
    DISTINCTIONS,
    PLAYERS,
    PUBLISHED_RANKINGS,
    RESULTS,
    SEEDS,
    SOURCE_IDS,
    TOURNAMENTS,
    Seed,
)
from dippouch.seeds.store import Collection
from dippouch.suggestions import did_you_mean, suggested_command

# Minimum length of a hash that names a document.
_SHORTEST_HASH = 8


@dataclass
class Removal:
    """The statements of one document.

    Attributes:
        document: its name.
        tournaments: the ids of the tournaments that it stated last.
        people: the ids listed nowhere else.
        names: further such ids, each assigned to a person by a decision.
        rows: the number of removed rows, by seed.
        decisions: decisions about it, one per line.
    """

    document: str
    tournaments: list[str] = field(default_factory=list)
    people: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    rows: dict[Seed, int] = field(default_factory=dict)
    decisions: list[str] = field(default_factory=list)


def remove_document(collection: Collection, document: str, *, with_decisions: bool) -> Removal:
    """Remove the statements of a document, and the sources' ids of its tournaments and of people listed only there.

    Args:
        collection: the collection; it is changed.
        document: the file name of the document, or the beginning of its SHA-256.
        with_decisions: whether to remove decisions about it, too.

    Raises:
        UserError: when no row names it, the seeds do not show which statements are its alone, or there are decisions about it.
    """
    name, sha256 = _found(collection, document)
    removal = Removal(name)
    # Parameters of the conditions below, added as they are found.
    parameters = {"sha256": sha256}
    of_document = "source_sha256 = :sha256"
    is_removed = "in (select value from json_each(:tournaments))"
    in_tournaments = f"tournament_id {is_removed}"
    is_gone = "in (select value from json_each(:people))"

    sql = f"select tournament_id from {TOURNAMENTS.name} where {of_document} order by 1"
    removal.tournaments = [found for (found,) in collection.query(sql, parameters)]
    parameters["tournaments"] = json.dumps(removal.tournaments)
    _refuse_shared(collection, removal.tournaments, in_tournaments, parameters)
    listed = (
        f"select player_id, {in_tournaments} as goes from {RESULTS.name}"
        f" union all select player_id, {of_document} from {PUBLISHED_RANKINGS.name}"
    )
    unlisted = f"select player_id from ({listed}) group by player_id having min(goes)"
    of_unlisted = f"({in_tournaments} or listed_player_id in ({unlisted}))"
    # The rating keeper's own statement keeps a person, and so does a split that stays.
    stays = (
        f"select player_id from {PLAYERS.name}"
        f" union all select player_id from {ALIASES.name} where tournament_id != '' and not {of_unlisted}"
    )
    sql = f"{unlisted} and player_id not in ({stays}) order by 1"
    ids = [found for (found,) in collection.query(sql, parameters)]
    removal.names = [known for known in ids if collection.get(ALIASES, (known, ""))]
    removal.people = [known for known in ids if known not in removal.names]
    parameters["people"] = json.dumps(ids)

    decided = {
        CORRECTIONS: in_tournaments,
        ALIASES: f"({of_unlisted} or player_id {is_gone})",
        DISTINCTIONS: f"(player_id {is_gone} or other_player_id {is_gone})",
    }
    for table, condition in decided.items():
        cells = " || ' ' || ".join(table.columns)
        sql = f"select {cells} from {table.name} where {condition} order by {', '.join(table.key)}"
        removal.decisions += [f"{table.path}: {' '.join(row.split())}" for (row,) in collection.query(sql, parameters)]
    if removal.decisions and not with_decisions:
        command = suggested_command("remove", document, "--with-decisions", seeds=collection.folder)
        what = [f"`{one}`" for one in removal.tournaments]
        if alone := len(removal.people):
            what.append(f"{counted(alone, 'person', 'people')} listed nowhere else")
        found = f"{name}: found decisions about its statements; expected a confirmation to remove them with {', '.join(what)}: {command}"
        raise UserError("\n".join([found, *removal.decisions]))
    removed = decided | {
        RESULTS: in_tournaments,
        TOURNAMENTS: in_tournaments,
        PUBLISHED_RANKINGS: of_document,
        SOURCE_IDS: f"(kind = 'player' and our_id {is_gone} or kind = 'tournament' and our_id {is_removed})",
    }
    for table, condition in removed.items():
        removal.rows[table] = collection.remove_where(table, condition, parameters)
    return removal


def _found(collection: Collection, document: str) -> tuple[str, str]:
    """Return the name and the hash of the document that `document` identifies."""
    known = list(
        collection.query(
            f"select source_document, source_sha256 from {TOURNAMENTS.name}"
            f" union select source_document, source_sha256 from {PUBLISHED_RANKINGS.name} order by 1, 2"
        )
    )
    is_hash = len(document) >= _SHORTEST_HASH
    found = [(name, sha) for name, sha in known if name == document or (is_hash and sha.startswith(document))]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UserError(
            f"{shortened(document)}: no tournament and no published ranking of {collection.folder} names this document; expected the"
            " last document of a tournament or ranking, because later documents replace earlier ones"
            f"{did_you_mean(document, sorted({name for name, _ in known}))}"
        )
    ways = "\n".join(suggested_command("remove", sha[:16], seeds=collection.folder) for _, sha in found)
    raise UserError(f"{shortened(document)}: found {len(found)} documents of this name; expected one of\n{ways}")


def _refuse_shared(collection: Collection, tournaments: list[str], where: str, parameters: dict[str, str]) -> None:
    """Refuse to remove rows that other documents may state, too."""
    sql = f"select tournament_id, player_id from {RESULTS.name} where {where} and listed_by = 'player' order by 1, 2"
    for tournament_id, player_id in collection.query(sql, parameters):
        withdraw = ("withdraw", tournament_id, "--player", player_id, "--reason", "...")
        raise UserError(
            f"{tournament_id}: found the result of {player_id} from a player's page, and the seeds do not say which page; expected results"
            f" of its own table alone. `dptr undo` takes back the last imports; or withdraw: "
            f"{suggested_command(*withdraw, seeds=collection.folder)}"
        )
    path = collection.reference / SEEDS["ref_circuit_tournaments"].path
    if steps := sorted({row["tournament_id"] for row in iterate_rows(path)} & set(tournaments)):
        raise UserError(
            f"{path}: found {', '.join(steps)}; expected no row about the removed statements. Delete these rows first"
        )
