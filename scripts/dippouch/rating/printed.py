"""Values of tournaments, and the check of figures printed in documents against the current facts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import date
from decimal import Decimal

from dippouch.printable import counted
from dippouch.rating.rules import EventFacts, RatingRules, agrees_with_printed, counted_from, value_rule
from dippouch.seeds.decisions import WITHDRAWN, corrections_in_force
from dippouch.seeds.schema import RESULTS, TOURNAMENT_KINDS, TOURNAMENTS
from dippouch.seeds.store import Collection
from verify_ratings import percentile_score, tournament_value

# The facts that determine a tournament's value.
_FACTS_OF_VALUE = ("players", "rounds", "started_on", "ended_on", "kind")

_FACTS = f"""
    select
        tournament_id, upper(coalesce(kinds.kind, '')), ended_on, cast(nullif(players, '') as integer),
        cast(nullif(rounds, '') as integer), coalesce(lower(is_world_championship) = 'true', false), withdrawn = 'true'
    from corrected_{TOURNAMENTS.name} as tournaments
    left join {TOURNAMENT_KINDS.name} as kinds on upper(tournaments.kind) = upper(kinds.kind)
    where tournament_id in (select value from json_each(?))
"""


def values_of(
    collection: Collection, rules: RatingRules, tournament_ids: Iterable[str]
) -> dict[str, tuple[str, float, str]]:
    """Return by id the kind of each tournament (empty for none), its value in percent, and the rule that gives it, after corrections."""
    last_day_of = f"select max(ended_on) from corrected_{TOURNAMENTS.name} where withdrawn != 'true'"
    ((last_day,),) = collection.query(last_day_of)
    if last_day:
        rules = {**rules, "counted_from": counted_from(rules, date.fromisoformat(last_day))}
    return {
        tournament_id: (kind, float(tournament_value(rules, facts)), value_rule(rules, facts))
        for tournament_id, kind, facts in _facts(collection, tournament_ids)
    }


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
                among = counted(players, "player", "players")
                right = f"{float(score):.2f}, the percentile score of placement {placement} among {among}"
                yield result["player_id"], f"the printed score {printed} of {result['listed_name']}", right
    printed = row["coefficient_1"]
    if printed and rules["is_printed"] and of_tournament.keys().isdisjoint(_FACTS_OF_VALUE):
        for _, kind, facts in _facts(collection, [tournament_id]):
            value = tournament_value(rules, facts)
            if not agrees_with_printed(value, Decimal(printed)):
                rule = value_rule(rules, facts)
                right = f"{float(value):.2f}, the value of {kind or 'an ordinary tournament'} with these players and days ({rule})"
                yield "", f"the printed `Coeff 1` {printed}", right


def _facts(collection: Collection, tournament_ids: Iterable[str]) -> Iterator[tuple[str, str, EventFacts]]:
    """Yield tournaments after corrections: id, code of the kind, the facts that determine the value."""
    found = collection.query(_FACTS, [json.dumps(list(tournament_ids))])
    for tournament_id, kind, ended_on, players, rounds, is_championship, is_withdrawn in found:
        facts = {"players": players, "rounds": rounds, "ended_on": date.fromisoformat(ended_on)}
        yield tournament_id, kind, {**facts, "is_world_championship": is_championship, "is_withdrawn": is_withdrawn}
