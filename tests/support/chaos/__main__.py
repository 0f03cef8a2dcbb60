"""Refresh, import and decide under faults, round after round, and count the outcomes."""

import tempfile
from pathlib import Path

import click
from rich.progress import track

from dippouch.command_line import Command
from dippouch.console import err, out, plain_table
from dippouch.errors import UserError
from support.chaos.rounds import Chaos
from support.chaos.watched import Watched
from support.promises import BrokenPromise


@click.command(cls=Command)
@click.option("--rounds", default=200, show_default=True, type=click.IntRange(1), help="How many rounds.")
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same rounds.")
def main(rounds: int, seed: int) -> None:
    """Disturb refreshes, imports and decisions in every known way, while readers query.

    Data must never be lost, readers never disturbed, incomplete or wrong data never published, and no program may end without
    a message. The same seed gives the same choices, but not the same timing. The first fault ends the program and keeps its folder.
    """
    folder = Path(tempfile.mkdtemp(prefix="chaos_"))
    chaos = Chaos(folder, seed, Watched(folder / "warehouse" / "rankings.duckdb"))
    try:
        chaos.begin()
        with chaos.readers:
            for number in track(range(rounds), "Rounds", console=err, disable=not err.is_terminal):
                try:
                    chaos.round(number)
                except BrokenPromise as broken:
                    raise BrokenPromise(f"round {number}: {broken}") from None
            chaos.end()
    except BrokenPromise as broken:
        raise UserError(f"{folder}: {broken}") from None
    table = plain_table("what", ">times")
    for what, times in sorted(chaos.counts.items()):
        table.add_row(what, str(times))
    out.print(table)
    readers = chaos.readers
    out.print(
        f"{rounds} rounds of seed {seed}: {readers.answered:,} answers of {len(chaos.published)} publications, none disturbed"
        f" ({readers.spoiled} while a stray log lay beside the file); every promise was kept."
    )


if __name__ == "__main__":
    main()
