"""Further input to reading a document: facts of the collection, and options of the rating keeper."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from dippouch.collection.files import read_rows
from dippouch.collection.schema import NATION_NAMES, NATIONS, NOT_PEOPLE
from dippouch.names import readable_id_or_empty
from dippouch.reading.values import is_unknown

# Facts of one tournament that the command line may state, as text: `date` is a day or a span of days, as for
# `parse_date_span`, `nation` the nation of the venue, as an ISO code or an English name.
OPTIONS = ("name", "subtitle", "kind", "date", "place", "nation", "players", "rounds", "boards")

# The two files of the format `two-tables`.
TOURNAMENTS_FILE, RESULTS_FILE = "tournaments.csv", "results.csv"

# The World Diplomacy Database's flags that name no nation: a blank one and the unknown one.
_FLAGS_OF_NOBODY = frozenset({"", "YYY", "ZZZ"})


@dataclass(frozen=True)
class ReadingChoices:
    """The rating keeper's choices for reading documents.

    Attributes:
        options: facts of the single tournament by OPTIONS, which override those of the document.
        format_name: the format of the files; detected when None.
        encoding: the encoding of files that are not Unicode; None refuses them.
        columns: the columns of a table by further headings that the rating keeper states; empty for one to skip.
        ranking: the name of the published ranking that a table has instead of a tournament; empty for a tournament.
        last_first: whether names without a comma begin with the last name.
    """

    options: Mapping[str, str] = field(default_factory=dict)
    format_name: str | None = None
    encoding: str | None = None
    columns: Mapping[str, str] = field(default_factory=dict)
    ranking: str = ""
    last_first: bool = False


@dataclass(frozen=True)
class Nations:
    """The nations of a collection: nation code by each spelling; `names` has every name with its nation."""

    by_iso: dict[str, str]
    by_wdd_code: dict[str, str]
    names: list[tuple[str, str]]

    @cached_property
    def by_name(self) -> dict[str, str]:
        """Return the nation codes by names as readable ids (`etats-unis`), empty for a name of two nations. Thousands of ids take a moment."""
        found = dict[str, str]()
        for name, nation in ((readable_id_or_empty(name), nation) for name, nation in self.names):
            found[name] = nation if found.get(name, nation) == nation else ""
        return found

    def of_flag(self, wdd_code: str) -> str | None:
        """Return the nation of a flag's file name without extension; None for the blank flag and the unknown one.

        Raises:
            ValueError: for an unknown code; the message says what was expected.
        """
        wdd_code = wdd_code.upper()
        if wdd_code in _FLAGS_OF_NOBODY:
            return None
        if wdd_code not in self.by_wdd_code:
            raise ValueError(f"a `wdd_code` of {NATIONS.path}")
        return self.by_wdd_code[wdd_code]

    def of_text(self, text: str) -> str | None:
        """Return the nation of an ISO code (alpha-3 or alpha-2) or of any name that the collection lists; None for a blank or a `?`.

        Raises:
            ValueError: for anything else; the message says what was expected.
        """
        if is_unknown(text):
            return None
        text = text.strip().upper()
        nation = self.by_iso.get(text) or self.by_name.get(readable_id_or_empty(text))
        if not nation:
            found = self.by_wdd_code.get(text)
            other = f"; the World Diplomacy Database's `{text}` is `{found}`" if found else ""
            names = f"a name of {NATIONS.path} or {NATION_NAMES.path}"
            raise ValueError(f"an ISO code such as `FRA`, {names}, or nothing{other}")
        return nation


@dataclass(frozen=True)
class Context:
    """The input to reading a document besides its text; `totals` are the collection's words for a total, case-folded."""

    nations: Nations
    totals: frozenset[str]
    choices: ReadingChoices


def read_context(folder: Path, choices: ReadingChoices) -> Context:
    """Return the context for a collection, or for a new one with the project's seeds.

    Raises:
        UserError: when a seed cannot be read.
    """
    words = read_rows(folder / NOT_PEOPLE.path)
    totals = frozenset(row["listed_as"].strip().casefold() for row in words if row["meaning"].strip() == "total")
    nations = read_rows(folder / NATIONS.path)
    by_iso = {row[code]: row["nation_code"] for row in nations for code in ("nation_code", "iso_alpha2")}
    by_wdd_code = {row["wdd_code"]: row["nation_code"] for row in nations}
    names = [(row["name"], row["nation_code"]) for row in (*nations, *read_rows(folder / NATION_NAMES.path))]
    return Context(Nations(by_iso, by_wdd_code, names), totals, choices)
