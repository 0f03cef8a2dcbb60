"""Values of tournaments, and the check of figures printed in documents against the current facts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from dippouch.rating.rules import (
    EventFacts,
    RatingRules,
    agrees_with_printed,
    counted_from,
    percentile_score,
    tournament_value,
    value_rule,
)
from dippouch.seeds.decisions import WITHDRAWN, corrections_in_force
from dippouch.seeds.schema import RESULTS, TOURNAMENT_KINDS, TOURNAMENTS
from dippouch.seeds.store import Collection

# The facts that determine a tournament's value.
FACTS_OF_VALUE = ("players", "rounds", "started_on", "ended_on", "kind")

_FACTS = f"""
    select
        tournament_id, upper(coalesce(kinds.kind, '')), coalesce(lower(is_world_championship) = 'true', false), ended_on,
        players, rounds, withdrawn = 'true'
    from corrected_{TOURNAMENTS.name} as tournaments
    left join {TOURNAMENT_KINDS.name} as kinds on upper(tournaments.kind) = upper(kinds.kind)
    where tournament_id in (select value from json_each(?))
"""


@dataclass(frozen=True)
class Worth:
    """The value of a tournament: the code of its kind (empty for none), its value in percent, and the rule that gives it."""

    kind: str
    value: float
    rule: str


def values_of(collection: Collection, rules: RatingRules, tournament_ids: Iterable[str]) -> dict[str, Worth]:
    """Return the values of tournaments, by id, with corrections in force applied."""
    found = {}
    rules = _with_first_day(collection, rules)
    for tournament_id, kind, facts, is_withdrawn in _facts(collection, tournament_ids):
        if is_withdrawn:
            found[tournament_id] = Worth(kind, 0, "withdrawn")
        elif rules.opened_on and facts["ended_on"] <= rules.opened_on:
            found[tournament_id] = Worth(kind, 0, "before the opening")
        else:
            found[tournament_id] = Worth(kind, float(tournament_value(rules, **facts)), value_rule(rules, **facts))
    return found


def contradicted_figures(
    collection: Collection, rules: RatingRules, tournament_id: str
) -> Iterator[tuple[str, str, str]]:
    """Yield the printed figures of a tournament that its facts contradict: the listed player (empty for none), figure, and right figure.

    Figures of corrected facts are not checked: they come from the facts before the correction.
    """
    row = collection.get(TOURNAMENTS, (tournament_id,))
    current = corrections_in_force(collection, tournament_id)
    of_tournament = current[""]
    if row is None or of_tournament.get(WITHDRAWN) == "true" or not row["players"]:
        return
    players = int(row["players"])
    scored = "where tournament_id = ? and published_score != '' and placement != '' order by player_id"
    for result in () if "players" in of_tournament else collection.rows(RESULTS, scored, (tournament_id,)):
        placement, printed = int(result["placement"]), result["published_score"]
        # The rules about rows report a placement beyond the field size, not this check.
        if 1 <= placement <= players and current[result["player_id"]].keys().isdisjoint((WITHDRAWN, "placement")):
            score = percentile_score(players, placement)
            if not agrees_with_printed(score, Decimal(printed)):
                right = f"{float(score):.2f}, the percentile score of placement {placement} among {players} players"
                yield result["player_id"], f"the printed score {printed} of {result['listed_name']}", right
    printed = row["coefficient_1"]
    if printed and of_tournament.keys().isdisjoint(FACTS_OF_VALUE):
        rules = _with_first_day(collection, rules)
        for _, kind, facts, _ in _facts(collection, [tournament_id]):
            value = tournament_value(rules, **facts)
            if not agrees_with_printed(value, Decimal(printed)):
                rule = value_rule(rules, **facts)
                right = f"{float(value):.2f}, the value of {kind or 'an ordinary tournament'} with these players and days ({rule})"
                yield "", f"the printed `Coeff 1` {printed}", right


def _with_first_day(collection: Collection, rules: RatingRules) -> RatingRules:
    """Return the rules with the first day that they count in this collection, which may follow from its last tournament."""
    last_day_of = f"select max(ended_on) from corrected_{TOURNAMENTS.name} where withdrawn != 'true'"
    ((last_day,),) = collection.query(last_day_of)
    return replace(rules, first_counted_on=counted_from(rules, date.fromisoformat(last_day))) if last_day else rules


def _facts(collection: Collection, tournament_ids: Iterable[str]) -> Iterator[tuple[str, str, EventFacts, bool]]:
    """Yield tournaments after corrections: id, code of the kind, the facts that determine the value, whether it is withdrawn."""
    for tournament_id, kind, is_championship, ended_on, players, rounds, is_withdrawn in collection.query(
        _FACTS, [json.dumps(list(tournament_ids))]
    ):
        facts = EventFacts(
            is_world_championship=bool(is_championship),
            ended_on=date.fromisoformat(ended_on),
            players=int(players) if players else None,
            rounds=int(rounds) if rounds else None,
        )
        yield tournament_id, kind, facts, bool(is_withdrawn)
