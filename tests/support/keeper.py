"""A rating keeper with their own collection, who runs the programs."""

from __future__ import annotations

import csv
from pathlib import Path

from support.programs import Done, run_here

# The default header of a table.
PLAYERS = "placement,first_name,last_name,wdd_id\n"


class Keeper:
    """A rating keeper with their own collection."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seeds = folder / "seeds"

    def imports(self, text: str | bytes, *options: str, name: str = "standings.csv") -> Done:
        path = self.folder / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return run_here("import", path, "--seeds", self.seeds, *options)

    def event(
        self, rows: str, name: str = "Club Cup", date: str = "2010-05-01", *options: str, head: str = PLAYERS
    ) -> Done:
        facts = ("--name", name, "--date", date, "--players", "20", "--rounds", "3")
        return self.imports(head + rows, *facts, *options)

    def decides(self, decision: str, *arguments: str) -> Done:
        return run_here(decision, *arguments, "--seeds", self.seeds)

    def rows(self, seed: str) -> list[dict[str, str]]:
        with (self.seeds / seed).open(encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def people(self) -> set[str]:
        return {row["player_id"] for row in self.rows("wdd/raw_results.csv")}


def done(result: Done) -> str:
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout + result.stderr
