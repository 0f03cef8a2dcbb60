"""Values of tournaments, and the check of figures printed in documents against the current facts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from fractions import Fraction

from dippouch.rating.rules import (
    EventFacts,
    RatingRules,
    agrees_with_printed,
    counted_from,
    percentile_score,
    tournament_value,
    value_rule,
)
from dippouch.seeds.corrections import WITHDRAWN, corrections_in_force
from dippouch.seeds.schema import TOURNAMENT_KINDS, TOURNAMENTS, Row
from dippouch.seeds.store import Collection

# The facts that determine a tournament's value.
FACTS_OF_VALUE = ("players", "rounds", "started_on", "ended_on", "kind")

_FACTS = f"""
    select
        tournament_id, upper(coalesce(kinds.kind, '')), coalesce(lower(trim(is_world_championship)) = 'true', false), ended_on,
        players, rounds, withdrawn = 'true', (select max(ended_on) from corrected_{TOURNAMENTS.name} where withdrawn != 'true')
    from corrected_{TOURNAMENTS.name} as tournaments
    left join {TOURNAMENT_KINDS.name} as kinds on upper(trim(tournaments.kind)) = upper(trim(kinds.kind))
    where tournament_id in (select value from json_each(?))
"""


@dataclass(frozen=True)
class Worth:
    """The value of a tournament: the code of its kind (empty for none), its value in percent, and the rule that gives it."""

    kind: str
    value: float
    rule: str


def worths(collection: Collection, rules: RatingRules, tournament_ids: Iterable[str]) -> dict[str, Worth]:
    """Return the values of tournaments, by id, with corrections in force applied."""
    found = {}
    for tournament_id, kind, is_championship, ended_on, players, rounds, is_withdrawn, last in collection.query(
        _FACTS, [json.dumps(list(tournament_ids))]
    ):
        facts = _event(bool(is_championship), ended_on, players, rounds)
        if is_withdrawn:
            found[tournament_id] = Worth(kind, 0.0, "withdrawn")
            continue
        of_today = replace(rules, first_counted_on=counted_from(rules, date.fromisoformat(last)))
        found[tournament_id] = Worth(kind, float(tournament_value(of_today, **facts)), value_rule(of_today, **facts))
    return found


def figure_of_other_facts(collection: Collection, rules: RatingRules, tournament_id: str) -> str:
    """Return the first printed figure of a tournament that contradicts its facts, for a message; empty if none does.

    Figures of corrected facts are not checked: they come from the facts before the correction.
    """
    row = collection.tournament(tournament_id)
    current = corrections_in_force(collection, tournament_id)
    of_tournament = current[""]
    if row is None or of_tournament.get(WITHDRAWN) == "true" or not row["players"]:
        return ""
    players = int(row["players"])
    for player_id, result in collection.results_of(tournament_id).items():
        corrected = current[player_id]
        # The rules about rows report a placement beyond the field size, not this check.
        fits = result["published_score"] and result["placement"] and int(result["placement"]) <= players
        if fits and "players" not in of_tournament and corrected.keys().isdisjoint((WITHDRAWN, "placement")):
            score = percentile_score(players, int(result["placement"]))
            if not agrees_with_printed(score, Decimal(result["published_score"])):
                return f"the score {result['published_score']} of placement {result['placement']} ({result['listed_name']})"
    printed = row["coefficient_1"]
    if not printed or not of_tournament.keys().isdisjoint(FACTS_OF_VALUE):
        return ""
    if not agrees_with_printed(_value(collection, rules, row), Decimal(printed)):
        return f"`Coeff 1` {printed}"
    return ""


def _value(collection: Collection, rules: RatingRules, row: Row) -> Fraction:
    kind = collection.get(TOURNAMENT_KINDS, (row["kind"],))
    is_championship = kind is not None and kind["is_world_championship"].strip().lower() == "true"
    return tournament_value(rules, **_event(is_championship, row["ended_on"], row["players"], row["rounds"]))


def _event(is_championship: bool, ended_on: str, players: str, rounds: str) -> EventFacts:
    """Return the facts that determine a tournament's value, from the cells of its row."""
    return EventFacts(
        is_world_championship=is_championship,
        ended_on=date.fromisoformat(ended_on),
        players=int(players) if players else None,
        rounds=int(rounds) if rounds else None,
    )
