"""Messages of the faults that macros/checks find, by their codes."""

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from dippouch.collection.files import iterate_rows
from dippouch.collection.schema import CORRECTIONS, RESULTS, SEEDS, Seed
from dippouch.messages import MOST_FAULTS, DocumentError, Location, UserError, counted, shortened
from dippouch.names import VALID_ID
from dippouch.settings import project_variable, suggested_command

_NAMED = "{column} `{value}`"
_TIES = "tied players with the best placement of the tie, and the next after all of them (1, 2, 2, 4)"
_RANKS = "ratings that do not rise down the ranking, and tied people with the best rank of the tie (1, 2, 2, 4)"
_SYSTEM = "a rating_system_id of ref_rating_systems; that of the published rules is `dptr`"

# Of each code the finding and the expectation. `{value}`, `{other}` and `{further}` are columns of the fault, `{escaped}` is the value in
# ASCII, `{tournament}` the first word of its key; `{fitting}` and `{reference}` come from the column's declaration.
_MESSAGES = {
    "empty": ("no {column}", "one in every row"),
    "unfit": (_NAMED, "{fitting}"),
    "too_long": (_NAMED, "at most {longest} characters"),
    "invisible": ("{column} `{escaped}`", "visible characters"),
    "reserved": (_NAMED, "another code, because `none` means no value"),
    "formula": (_NAMED, "a text that no spreadsheet runs as a formula"),
    "repeated": ("{column} `{value}` again", "{column} to be unique"),
    "unknown": ("{column} `{value}`{in_rows}", "{reference}"),
    "days_reversed": ("started_on `{value}` and ended_on `{other}`", "the days in order"),
    "days_apart": ("started_on `{value}` and ended_on `{other}`", "at most {longest_event} days between them"),
    "too_few_players": ("players `{value}` of {tournament}", "at least the {other} that are listed with a placement"),
    "beyond_players": ("placement `{value}` in {tournament}", "one from 1 to {other}, its declared number of players"),
    "tie_beyond_players": ("{further} players at placement {other}, the last of {tournament}", _TIES),
    "crowded_placement": ("placement `{value}` in {tournament} after {further} players at placement {other}", _TIES),
    "contradicted_value": ("the printed `Coeff 1` {value}", "{other}, the value of {further}"),
    "contradicted_score": ("the printed score {value} of {player}", "{other}, the percentile score of {further}"),
    "rank_with_two_ratings": ("rank `{value}` with two ratings", _RANKS),
    "rising_ratings": ("rank `{value}` with a higher rating, `{further}`, than rank {other}", _RANKS),
    "crowded_rank": ("rank `{value}` under a shared rank {other}", _RANKS),
    "nobody": ("the name `{value}`", "a person's name, not a word of ref_not_people"),
    "listed_twice": ("`{value}` beside `{other}`, who are one person by a decision (`{further}`)", "every person once"),
    "unknown_field": ("field `{value}`", "one of {fields}"),
    "unfit_withdrawal": ("withdrawn `{value}`", "`true` or `false`"),
    "no_effect": ("the decision `{further}={value}`, which changes nothing", "a decision that changes something"),
    "unlisted_player": ("player_id `{value}`", "a listed player of {further}"),
    "unlisted_id": (_NAMED, "an id that a result, a published ranking or ref_players lists"),
    "unlisted_there": (_NAMED, "an id that {further} lists"),
    "alias_of_itself": ("an alias of `{value}` to itself", "another person"),
    "circle_of_aliases": ("aliases from `{value}` in a circle, or more than 17 in a row", "a person at their end"),
    "merged_pair": ("`{value}` and `{other}`, who are one person by aliases (`{further}`)", "two people"),
    "disordered_pair": ("player_id `{value}` before `{other}`", "two people, in alphabetical order"),
    "unfit_address": (_NAMED, "the http(s) address of a folder, such as `https://ratings.example.org/`"),
    "unfit_contact": (_NAMED, "a mail or https address, such as `mailto:ratings@example.org`"),
    "unfit_years": (_NAMED, "a whole number from 1 to 100"),
    "unknown_system": ("rating_system `{value}`", _SYSTEM),
    "no_default_system": ("no rating_system, and no `{value}`, which is the default", _SYSTEM),
    "undecided": ("{column} `{value}` of {tournament}", "`{other}`, as the document `{further}` states"),
    "undecided_rating": ("{column} `{value}` of {player}", "`{other}`, as the document `{further}` states"),
    "rival": ("placement {value} in {tournament}", "`{other}` there, as the document `{further}` states"),
    "half_an_opening": ("opening_ranking `{other}` and opened_on `{value}`", "both, or neither"),
    "unknown_opening": ("opened_on `{value}`", "a last_update of the published ranking `{other}`"),
    "other_rule": ("{column} `{value}` in the published rules", "`{other}`; add other rules as a row with a new id"),
}
_REPLACE = "To decide: import the right document again with --replace"
_DECIDE = _REPLACE + ", or dptr correct {tournament} {fact}=VALUE --reason ...{seeds}"
# The ways out of some of them.
_WAYS_OUT = {
    "contradicted_value": "One of these is wrong",
    "contradicted_score": "One of these is wrong",
    "listed_twice": "If they are two: dptr distinct {other} {value} --take-back --reason ...{seeds}",
    "undecided": _DECIDE,
    "undecided_rating": _REPLACE,
    "rival": _DECIDE,
}
# The expectation of a cell, by the type of its column or the kind of its text.
_FITTING = {
    "integer": "a whole number from {from} to {to}",
    "decimal(9,2)": "a number from {from} to {to} with a point and at most 2 decimals, such as `12.34`",
    "double": "a number from {from} to {to}, with a point, such as `3.5`",
    "date": "a day as YYYY-MM-DD, from {from} to {to}",
    "boolean": "`true` or `false`",
    "sha256": "64 hexadecimal digits",
    "id": VALID_ID,
}


class Fault(NamedTuple):
    """A row that breaks a rule; the macro `fault` describes the columns."""

    code: str
    seed: str
    row_key: str
    column: str
    value: str | None
    other: str | None
    further: str | None

    @property
    def bars_models(self) -> bool:
        """Return whether models cannot be built with it, or would lose rows: an unfit cell, two rows with one key, a statement of nothing."""
        is_lost = self.code == "empty" or (self.code == "unknown" and self.column in ("document_id", "tournament_id"))
        return self.code in ("unfit", "repeated") or (is_lost and self.seed.startswith("raw_"))

    @property
    def document_id(self) -> str:
        """Return the document that states the row; empty for a decision."""
        return self.row_key.partition(" ")[0] if self.seed.startswith("raw_") else ""

    @property
    def statement(self) -> str:
        """Return the key without the document: of a tournament, of a result, of a published rating, or of a decision."""
        return self.row_key.partition(" ")[2] if self.seed.startswith("raw_") else self.row_key

    @property
    def owner(self) -> list[str]:
        """Return the words of `statement`."""
        return self.statement.split(" ")

    def explained(self, folder: Path) -> tuple[str, str, str]:
        """Return the finding, the expectation, and the way out with commands for the collection of a folder; empty if there is none."""
        # The declaration of the column; for a correction, that of the corrected column.
        seed = SEEDS[self.further if self.seed == CORRECTIONS.name and self.further in SEEDS else self.seed]
        declared = seed.columns.get(self.column, {})
        or_none = " or `none`" if self.seed == CORRECTIONS.name and declared.get("or_none") else ""
        example = ", such as `GBR`" if declared.get("reference") == "ref_nations.nation_code" else ""
        fitting = _FITTING.get(declared.get("type", declared.get("text", "")), "one of {accepted}")
        values = {
            "column": self.column,
            "value": shortened(self.value or ""),
            "escaped": shortened((self.value or "").encode("unicode_escape").decode()),
            "other": shortened(self.other or ""),
            "further": shortened(self.further or "", 200),
            "seeds": suggested_command(seeds=folder).removeprefix("dptr"),
            "tournament": self.owner[0],
            "player": self.owner[-1],
            "fact": f"{self.owner[-1]}:{self.column}"
            if self.seed == RESULTS.name
            else self.column.replace("days", "started_on"),
            "in_rows": f" in {self.other} rows, first here" if self.other not in ("", "1") else "",
            "longest": self.other or declared.get("longest", 10_000),
            "longest_event": project_variable("longest_event_days"),
            "fields": ", ".join([*seed.correctable, "withdrawn"]),
            "reference": "a {2} of {0}".format(*declared.get("reference", "").partition(".")) + or_none + example,
            "fitting": fitting.format_map({**declared, "accepted": ", ".join(declared.get("accepted", ()))}) + or_none,
        }
        found, *others = (text.format_map(values) for text in (*_MESSAGES[self.code], _WAYS_OUT.get(self.code, "")))
        # Name the files of seeds.
        paths = partial(re.compile("|".join(SEEDS)).sub, lambda name: str(folder / SEEDS[name[0]].path))
        expected, way_out = map(paths, others)
        return found, expected, way_out


def raise_faults(folder: Path, faults: Sequence[Fault], unreadable: Sequence[str] = ()) -> None:
    """Raise the faults of a collection, in the order of files and lines, after messages on unreadable files; if there are any.

    Raises:
        UserError: with the number of all faults, and file, line, finding and expectation of the first ones.
    """
    described = []
    places = {name: _places(folder, SEEDS[name]) for name in {fault.seed for fault in faults}}
    for fault in faults:
        seed, numbers = SEEDS[fault.seed], places[fault.seed][fault.row_key.casefold()] or [0]
        # Of two rows with one key, the second one is the fault.
        number = numbers[min(fault.code == "repeated", len(numbers) - 1)]
        at = Location(folder / seed.path, number or None)
        if (parquet := folder / seed.parquet_path).exists():
            at = Location(parquet, None, f"row {number}")
        described.append((seed.name, number, str(DocumentError(at, *fault.explained(folder)))))
    if messages := [*unreadable, *(message for *_, message in sorted(described))]:
        shown = f", of which {MOST_FAULTS} follow" if len(messages) > MOST_FAULTS else ""
        found = f"{folder}: found {counted(len(messages), 'fault', 'faults')} in the seeds{shown}"
        raise UserError("\n".join([found, *messages[:MOST_FAULTS]]))


def _places(folder: Path, seed: Seed) -> dict[str, list[int]]:
    """Return the lines of the rows of a seed by their key, whatever the case of its codes; of Parquet, their numbers."""
    places: dict[str, list[int]] = defaultdict(list)
    at = [list(seed.columns).index(column) for column in seed.key]
    for number, cells in iterate_rows(folder, seed):
        places[" ".join(cells[i].strip() for i in at).casefold()].append(number)
    return places
