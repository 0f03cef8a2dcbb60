#!/usr/bin/env python3
"""What would move me: rating and rank after each placement in an imagined event, or what it takes to pass a rival."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

import json
from dataclasses import asdict
from datetime import datetime
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from dippouch.asking.lookup import Player, find_day, find_kind, find_player, find_system
from dippouch.asking.what_if import Crossing, Event, Outcome, crossings, outcomes
from dippouch.collection.reference import PUBLISHED_SYSTEM
from dippouch.console import out, run_for_keeper
from dippouch.errors import KeeperError
from dippouch.settings import published_database


@click.command()
@click.option("--players", required=True, type=click.IntRange(1, 10_000), help="How many players the event declares.")
@click.option("--rounds", type=click.IntRange(min=1), help="How many rounds it has.  [default: not declared]")
@click.option("--kind", help="Its kind, such as WDC for a World Championship.  [default: none in particular]")
@click.option("--placement", type=click.IntRange(min=1), help="Show this placement only.")
@click.option("--rival", metavar="PLAYER", help="Show what it takes to pass this player, and the other way round.")
@click.option(
    "--on",
    "--date",
    "on_day",
    type=click.DateTime(["%Y-%m-%d"]),
    help="Ask on an earlier day.  [default: the last rated]",
)
@click.option("--system", default=PUBLISHED_SYSTEM, show_default=True, help="The rating system.")
@click.option(
    "--database",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The database to ask.  [default: rankings.duckdb in $DPTR_WAREHOUSE or warehouse]",
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.argument("player")
def main(
    player: str,
    players: int,
    rounds: int | None,
    kind: str | None,
    placement: int | None,
    rival: str | None,
    on_day: datetime | None,
    system: str,
    database: Path | None,
    as_json: bool,
) -> None:
    """Say what an event would do to PLAYER, a name or an id.

    \b
    scripts/what_if.py "Toby Harris" --players 65 --rounds 4
    scripts/what_if.py toby-harris --players 75 --kind WDC --placement 3
    scripts/what_if.py toby-harris --players 65 --rounds 4 --rival cyrille-sevin

    Everybody else is taken to stay where they are.
    """
    if placement and rival:
        raise click.UsageError("--placement and --rival are two questions; ask one at a time.")

    def answer() -> None:
        source = database or published_database()
        rating_system = find_system(source, system)
        code, is_world_championship = find_kind(source, kind) if kind else (None, False)
        day = find_day(source, rating_system, on_day.date() if on_day else None)
        event = Event(players, rounds, is_world_championship, day)
        asking = find_player(source, player)
        found = outcomes(source, rating_system, asking.player_id, event, placement)
        head: dict[str, object] = {
            "rating_system_id": rating_system,
            "on": day.isoformat(),
            "event": {"players": players, "rounds": rounds, "kind": code}
            | {"tournament_value": found[0].tournament_value, "value_rule": found[0].value_rule},
            "player_id": asking.player_id,
        }
        if rival is None:
            _answer(head, asking, found, as_json=as_json)
            return
        other = find_player(source, rival)
        if other == asking:
            raise KeeperError(f"found the rival `{rival}`, the same person as `{player}`; expected somebody else")
        there = crossings(source, rating_system, asking.player_id, other.player_id, event)
        back = crossings(source, rating_system, other.player_id, asking.player_id, event)
        _answer_rivals(head, (asking, other), (there, back), as_json=as_json)

    run_for_keeper(answer)


def _answer(head: dict[str, object], player: Player, found: list[Outcome], *, as_json: bool) -> None:
    before = found[0]
    if as_json:
        shown = ("placement", "percentile_score", "rating_change", "rating_after", "rank_after")
        rows = [{column: asdict(outcome)[column] for column in shown} for outcome in found]
        standing = {"rating_before": before.rating_before, "rank_before": before.rank_before}
        out.print_json(json.dumps(head | standing | {"placements": rows}))
        return
    rank = f"rank {before.rank_before}" if before.rank_before else "not ranked"
    out.print(f"{escape(player.name)}: rating {before.rating_before:.4f}, {rank}, {_of(head)}\n")
    table = Table(box=None, pad_edge=False)
    for heading in ("placement", "percentile", "rating", "change", "rank"):
        table.add_column(heading, justify="right")
    for outcome in found:
        table.add_row(
            str(outcome.placement),
            f"{outcome.percentile_score:.2f}",
            f"{outcome.rating_after:.4f}",
            f"{outcome.rating_change:+.4f}",
            str(outcome.rank_after or "-"),
        )
    out.print(table)


def _answer_rivals(
    head: dict[str, object], two: tuple[Player, Player], both: tuple[list[Crossing], list[Crossing]], *, as_json: bool
) -> None:
    if as_json:
        passing = {
            player.player_id: [asdict(crossing) for crossing in found] for player, found in zip(two, both, strict=True)
        }
        out.print_json(json.dumps(head | {"rival_id": two[1].player_id, "passing": passing}))
        return
    out.print(f"{escape(two[0].name)} and {escape(two[1].name)}, {_of(head)}\n")
    table = Table(box=None, pad_edge=False, caption="The worst placement that is enough.", caption_justify="left")
    table.add_column("if the other is")
    for player in two:
        table.add_column(f"{escape(player.name)} needs", justify="right")
    for there, back in zip(*both, strict=True):
        where = "at home" if there.rival_placement is None else str(there.rival_placement)
        table.add_row(where, *(str(c.placement_needed or "not even 1") for c in (there, back)))
    out.print(table)


def _of(head: dict[str, object]) -> str:
    """The event of a question in words."""
    event = head["event"]
    assert isinstance(event, dict)
    return (
        f"before an event of {event['players']} players on {head['on']},"
        f" worth {event['tournament_value']:.4f} by the rule `{event['value_rule']}` of `{head['rating_system_id']}`"
    )


if __name__ == "__main__":
    main()
