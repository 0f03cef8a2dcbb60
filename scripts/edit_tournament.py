#!/usr/bin/env python3
"""Correct or withdraw what a document states of a tournament; the statement and the reason stay on record."""

from dippouch.environment import continue_in_project_environment

continue_in_project_environment()

from datetime import date, datetime
from pathlib import Path

import click
from rich.markup import escape
from rich.table import Table

from dippouch.collection.corrections import WITHDRAWN, Decision, decide
from dippouch.collection.seeds import is_new
from dippouch.collection.storage import locked
from dippouch.collection.working import Collection
from dippouch.console import out, run_for_keeper
from dippouch.errors import KeeperError
from dippouch.settings import seeds_folder

_SEEDS = click.option(
    "--seeds",
    type=click.Path(path_type=Path, file_okay=False),
    help="The collection.  [default: $DPTR_SEEDS or seeds]",
)
_PLAYER = click.option("--player", default="", metavar="ID", help="One listed player's result, not the tournament.")
_REASON = click.option("--reason", required=True, help="Why; it stays on record.")
_ON = click.option("--on", "day", required=True, type=click.DateTime(["%Y-%m-%d"]), help="The day of the decision.")


@click.group(epilog="Then `make rankings` rates everybody again and says who moved.")
def main() -> None:
    """Correct, withdraw or restore a tournament or one of its results.

    \b
    scripts/edit_tournament.py correct wac-6-2009 players=46 --reason "director's list" --on 2026-03-01
    scripts/edit_tournament.py correct wac-6-2009 placement=4 --player edi-birsan --reason "..." --on 2026-03-01
    scripts/edit_tournament.py withdraw wac-6-2009 --player edi-birsan --reason "did not play" --on 2026-03-01
    scripts/edit_tournament.py withdraw wac-6-2009 --reason "was a league, not an event" --on 2026-03-01
    scripts/edit_tournament.py history wac-6-2009

    What the document states stays in the seeds as it is; a row of reference/corrections.csv goes before it.
    """


@main.command()
@click.argument("tournament_id")
@click.argument("facts", nargs=-1, required=True, metavar="FIELD=VALUE...")
@_PLAYER
@_REASON
@_ON
@_SEEDS
def correct(
    tournament_id: str, facts: tuple[str, ...], player: str, reason: str, day: datetime, seeds: Path | None
) -> None:
    """Let FIELD be VALUE, whatever the document states."""
    pairs = [fact.partition("=") for fact in facts]
    if any(not equals for _, equals, _ in pairs):
        raise click.UsageError("a fact without `=`; expected FIELD=VALUE, such as players=46")
    if any(name == WITHDRAWN for name, _, _ in pairs):
        raise click.UsageError("`withdrawn` is no fact to correct; see `withdraw` and `restore`")
    _record(seeds, [Decision(tournament_id, player, name, value, reason, _day(day)) for name, _, value in pairs])


@main.command()
@click.argument("tournament_id")
@_PLAYER
@_REASON
@_ON
@_SEEDS
def withdraw(tournament_id: str, player: str, reason: str, day: datetime, seeds: Path | None) -> None:
    """Let a tournament, or one result, move no rating."""
    _record(seeds, [Decision(tournament_id, player, WITHDRAWN, "true", reason, _day(day))])


@main.command()
@click.argument("tournament_id")
@_PLAYER
@_REASON
@_ON
@_SEEDS
def restore(tournament_id: str, player: str, reason: str, day: datetime, seeds: Path | None) -> None:
    """Take a withdrawal back."""
    _record(seeds, [Decision(tournament_id, player, WITHDRAWN, "false", reason, _day(day))])


@main.command()
@click.argument("tournament_id")
@_SEEDS
def history(tournament_id: str, seeds: Path | None) -> None:
    """Print every decision on a tournament, the latest last."""

    def show() -> None:
        folder = _existing(seeds)
        table = Table(box=None, pad_edge=False)
        for heading in ("number", "day", "player", "field", "value", "reason"):
            table.add_column(heading)
        with locked(folder), Collection.opened(folder) as collection:
            for row in collection.corrections_of(tournament_id):
                cells = ("correction_number", "decided_on", "player_id", "field", "value", "reason")
                table.add_row(*(escape(row[cell]) for cell in cells))
        out.print(table if table.row_count else f"No correction of {escape(tournament_id)}.")

    run_for_keeper(show)


def _record(seeds: Path | None, decisions: list[Decision]) -> None:
    def record() -> None:
        folder = _existing(seeds)
        with locked(folder), Collection.opened(folder) as collection:
            decide(collection, decisions)
            collection.write()
        for decision in decisions:
            about = " ".join(part for part in (decision.tournament_id, decision.player_id) if part)
            out.print(f"{escape(about)}: {decision.field} is {escape(decision.value)} ({escape(decision.reason)})")

    run_for_keeper(record)


def _existing(seeds: Path | None) -> Path:
    folder = seeds or seeds_folder()
    if is_new(folder):
        raise KeeperError(f"{folder}: no collection of seeds here; scripts/import_results.py --seeds makes one")
    return folder


def _day(moment: datetime) -> date:
    return moment.date()


if __name__ == "__main__":
    main()
