"""Messages of the faults that macros/checks find, by their codes."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import duckdb

from dippouch.names import shortened
from dippouch.seeds.schema import CODES, CORRECTIONS, RESULTS, SEEDS, correctable
from dippouch.settings import project_variable
from dippouch.suggestions import did_you_mean

_TIES = "(tied players share the best placement: 1, 2, 2, 4)"
_EFFECT = "a decision that changes something"
_SYSTEM = "a rating_system_id of ref_rating_systems"
_PUBLISHED_SYSTEM = "The rating system `dptr` with the published rules is a row of the same seed of the project"
_NAMED = "{column} `{value}`"

# The finding, the expectation and the way out of each code. `{value}`, `{other}` and `{further}` are those of the fault, and
# `{tournament}` is the first word of its key; `{fitting}` and `{reference}` come from the declaration of the column.
_MESSAGES: dict[str, tuple[str, ...]] = {
    "empty": ("no {column}", "one in every row"),
    "unfit": (_NAMED, "{fitting}"),
    "too_long": (_NAMED, "at most {longest} characters"),
    "invisible": (_NAMED, "visible characters"),
    "formula": (_NAMED, "a text that no spreadsheet runs as a formula"),
    "repeated": ("{column} `{value}` again{in_line}", "{column} to be unique"),
    "unknown": (_NAMED + "{in_rows}", "{reference}"),
    "unknown_kind": (
        "kind `{value}` of {tournament}",
        "a kind of ref_tournament_kinds",
        "A further kind is a row of ref_tournament_kinds; another kind here: `dptr correct {tournament} kind=KIND --reason ...`",
    ),
    "days_reversed": ("started_on `{value}` and ended_on `{other}`{corrected}", "the days in order"),
    "days_apart": (
        "started_on `{value}` and ended_on `{other}`{corrected}",
        "at most {longest_event} days from the one to the other",
    ),
    "too_few_players": ("players `{value}` of {tournament}", "at least the {other} that are listed with a placement"),
    "beyond_players": ("placement `{value}` in {tournament}", "one from 1 to {other}, its declared number of players"),
    "tie_beyond_players": (
        "{further} players at placement {other} in {tournament}, which declares {players}",
        f"at least {{next_but_one}} players {_TIES}",
    ),
    "crowded_placement": (
        "placement `{value}` in {tournament} after {further} players at placement {other}",
        f"placement {{next}} or later {_TIES}",
    ),
    "rank_with_two_ratings": ("rank `{value}` with two ratings", "the same rating for the same rank"),
    "rising_ratings": (
        "rank `{value}` with a higher rating, `{further}`, than rank {other}",
        "ratings that do not rise down the ranking",
    ),
    "crowded_rank": ("rank `{value}` under a shared rank {other}", "rank {further} or later (1, 2, 2, 4)"),
    "nobody": (
        "the name `{value}`",
        "a person's first and last name, not a word of ref_not_people",
        "Delete the row, or name the person",
    ),
    "listed_twice": (
        "`{value}` beside `{other}`, who are one person by a decision (`{further}`)",
        "every person once",
        "If they are two: `dptr distinct {other} {value} --take-back --reason ...`",
    ),
    "unknown_field": ("field `{value}`", "one of {fields}"),
    "unknown_value": (_NAMED, "{reference}"),
    "unfit_withdrawal": ("withdrawn `{value}`", "`true` or `false`"),
    "no_correction": ("no correction of {further} to take back", _EFFECT),
    "same_correction": ("{further} `{value}` again{in_line}", _EFFECT),
    "not_withdrawn": ("withdrawn `false` without a withdrawal before it", _EFFECT),
    "unlisted_player": ("player_id `{value}`", "a listed player of {further}"),
    "unlisted_id": ("listed_player_id `{value}`", "an id that a result, a published ranking or ref_players lists"),
    "unlisted_there": ("listed_player_id `{value}`", "an id that {further} lists"),
    "alias_of_itself": ("an alias of `{value}` to itself", "another person"),
    "circle_of_aliases": (
        "aliases from `{value}` in a circle, or more than 16 in a row",
        "aliases that lead to a person",
    ),
    "merged_pair": (
        "`{value}` and `{other}`, who are one person by aliases (`{further}`)",
        "two people, or no such pair",
    ),
    "disordered_pair": ("player_id `{value}` before `{other}`", "two people, in alphabetical order"),
    "unfit_address": (
        _NAMED,
        "the http(s) address of a folder, which ends in `/`, such as `https://ratings.example.org/`",
    ),
    "unfit_contact": (
        _NAMED,
        "a mail or https address, such as `mailto:ratings@example.org` or `https://example.org/errors`",
    ),
    "unfit_years": (_NAMED, "a whole number from 1 to 100"),
    "unknown_system": ("rating_system `{value}`", _SYSTEM, _PUBLISHED_SYSTEM),
    "no_default_system": (
        "no rating_system, so that `{value}` is the default, which the collection does not have",
        _SYSTEM,
        _PUBLISHED_SYSTEM,
    ),
    "other_rule": (
        "{column} {value_or_nothing} in the published rules",
        "{other_or_nothing}",
        "A variant of the rules is a row with an id of its own",
    ),
}
# The seed and column of values to suggest; those of declared references need no entry.
_CANDIDATES = {
    "unknown_kind": "ref_tournament_kinds.kind",
    "unlisted_player": "raw_results.player_id",
    "unlisted_id": "raw_results.player_id",
    "unlisted_there": "raw_results.player_id",
    "unknown_system": "ref_rating_systems.rating_system_id",
}
# In a code of three letters, one may be a slip.
_ALIKE_CODES = 60


class Fault(NamedTuple):
    """A row that breaks a rule; the macro `fault` describes the columns.

    Attributes:
        suggestion: likely spellings, as the end of a sentence; empty without any.
    """

    code: str
    seed: str
    row_key: str
    line: int | None
    column: str
    value: str | None
    other: str | None
    further: str | None
    suggestion: str = ""

    @property
    def found(self) -> str:
        """Return the finding."""
        return self._text(0)

    @property
    def expected(self) -> str:
        """Return the expectation, with likely spellings."""
        return self._text(1) + self.suggestion

    @property
    def way_out(self) -> str:
        """Return the way out, if the code has one."""
        return self._text(2)

    def declared(self) -> dict[str, Any]:
        """Return the declaration of the column; for a correction, that of the corrected column."""
        if self.seed == CORRECTIONS.name and self.further in SEEDS:
            return SEEDS[self.further].columns.get(self.column, {})
        return SEEDS[self.seed].columns.get(self.column, {})

    def _text(self, part: int) -> str:
        message = _MESSAGES[self.code]
        if part >= len(message):
            return ""
        value, other, further = (shortened(text or "") for text in (self.value, self.other, self.further))
        declared = self.declared()
        or_none = " or `none`" if self.seed == CORRECTIONS.name and declared.get("or_none") else ""
        values: dict[str, Any] = {
            "column": self.column,
            "value": value,
            "other": other,
            "further": further,
            "tournament": self.row_key.partition(" ")[0],
            "value_or_nothing": f"`{value}`" if value else "nothing",
            "other_or_nothing": f"`{other}`" if other else "nothing",
            "in_line": f", as in line {other}" if other else "",
            "in_rows": f" in {other} rows, first here" if other != "1" else "",
            "corrected": f", as corrections leave {further}" if further else "",
            "longest": other or declared.get("longest", 10_000),
            "longest_event": project_variable("longest_event_days"),
            "fields": ", ".join(self._fields_of_correction()),
            "reference": "a {2} of {0}".format(*declared.get("reference", "").partition(".")) + or_none,
            "fitting": _fitting_text(declared, self.value or "") + or_none,
        }
        if self.code in ("crowded_placement", "tie_beyond_players"):
            following = int(other) + int(further)
            values |= {"next": following, "next_but_one": following - 1, "players": int(value) - 1}
        return message[part].format_map(values)

    def _fields_of_correction(self) -> list[str]:
        return [*correctable(SEEDS.get(self.further or "", RESULTS)), "withdrawn"]

    def suggested(self, connection: duckdb.DuckDBPyConnection) -> str:
        """Return likely spellings of the value among those in a database of seeds, as the end of a sentence."""
        cell, declared = (self.value or "").strip(), self.declared()
        if self.code == "unknown_field":
            return did_you_mean(cell, self._fields_of_correction())
        if self.code == "unfit":
            return did_you_mean(cell, declared.get("accepted", ()))
        reference = declared.get("reference", "") if self.code.startswith("unknown") else ""
        if not (source := _CANDIDATES.get(self.code, reference)):
            return ""
        seed, column = source.split(".")
        if column == "nation_code":
            # Sources have codes of their own, and people write names.
            sql = "select name, nation_code from ref_nation_names union all select name, nation_code from ref_nations"
            codes = connection.execute(f"select nation_code from ({sql}) where upper(trim(name)) = upper($1)", [cell])
            if code := codes.fetchone():
                return f"; did you mean `{code[0]}`?"
        there = self.further if self.code in ("unlisted_player", "unlisted_there") else None
        sql = f"select distinct trim({column}) from {seed} where {column} != ''{' and tournament_id = $1' * bool(there)} order by 1"
        known = [row[0] for row in connection.execute(sql, [there] if there else None).fetchall()]
        return did_you_mean(cell, known, **({"alike": _ALIKE_CODES} if column in CODES else {}))


def _fitting_text(declared: dict[str, Any], cell: str) -> str:
    """Return the expectation of a cell by the declaration of its column."""
    bounds = f"from {declared.get('from')} to {declared.get('to')}"
    of_type = {
        "integer": f"a whole number {bounds}",
        "decimal(9,2)": f"a number {bounds} with a point and at most 2 decimals, such as `12.34`",
        "double": f"a number {bounds}, with a point, such as `3.5`",
        "date": f"a day as YYYY-MM-DD, {bounds}",
        "boolean": "`true` or `false`",
    }
    ids = project_variable("ids")
    if declared.get("type") in of_type:
        text = of_type[declared["type"]]
    elif "accepted" in declared:
        text = f"one of {', '.join(declared['accepted'])}"
    elif declared.get("text") == "sha256":
        text = "64 hexadecimal digits"
    elif re.fullmatch(ids["taken"], cell.strip()):
        text = f"another id, because `{cell.strip()}` is a reserved file name"
    else:
        text = (
            f"an id of small letters and digits, with hyphens between words, and at most {ids['longest']} characters,"
            " such as `john-smith-2`"
        )
    return text
