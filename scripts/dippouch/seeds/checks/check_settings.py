"""Checks of the settings of a collection, beyond their names: each value is what its setting asks for."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from urllib.parse import urlsplit

from dippouch.names import LONGEST_REASON, fault_of_text, shortened
from dippouch.seeds.checks.findings import Findings, ReadSeeds
from dippouch.seeds.collection_settings import RATING_SYSTEM, default_settings
from dippouch.seeds.schema import RATING_SYSTEMS, SETTINGS
from dippouch.settings import PROJECT
from dippouch.suggested import did_you_mean

_SETTINGS, _SYSTEMS = (Path(name).stem for name in (SETTINGS, RATING_SYSTEMS))
_MOST_YEARS = 100
_ADDRESS = "the http(s) address of a folder, such as `https://ratings.example.org/`"


def check_settings(read: ReadSeeds, findings: Findings) -> None:
    """Check what the collection states of itself; what could not be read is left out."""
    if not read.are_known(_SETTINGS):
        return
    for line, row in read.rows[_SETTINGS]:
        setting, value = row["setting"].strip(), row["value"].strip()
        if value and (fault := _CHECKS.get(setting, _fault_of_words)(value)):
            findings.add(read.paths[_SETTINGS], line, f"found {shortened(setting)} `{shortened(value)}`{fault}")
    if read.are_known(_SYSTEMS):
        _check_rating_system(read, findings)


def _check_rating_system(read: ReadSeeds, findings: Findings) -> None:
    """The rating system that is shown first is one of the collection's."""
    stated = [
        (line, row["value"].strip())
        for line, row in read.rows[_SETTINGS]
        if row["setting"].strip() == RATING_SYSTEM and row["value"].strip()
    ]
    default = default_settings()[RATING_SYSTEM]
    known = [row["rating_system_id"].strip() for _, row in read.rows[_SYSTEMS]]
    for line, system in stated or [(None, default)]:
        if system in known:
            continue
        found = f"found {RATING_SYSTEM} `{shortened(system)}`"
        if not stated:
            found = f"found no {RATING_SYSTEM}, so that `{default}` is shown first, which the collection does not have"
        expected = f"a rating_system_id of {read.paths[_SYSTEMS]}"
        if known and not stated:
            expected += f", such as the row `{RATING_SYSTEM},{known[0]}`"
        if system == default and (row := _row_of_the_project(system)):
            expected += f", or there the row of the published rules: {row}"
        findings.add(read.paths[_SETTINGS], line, f"{found}; expected {expected}{did_you_mean(system, known)}")


def _row_of_the_project(system: str) -> str:
    """The row of a rating system in the project's own seed, as it stands there; empty when it has none."""
    lines = (PROJECT / "seeds" / RATING_SYSTEMS).read_text(encoding="utf-8").splitlines()
    return next((line for line in lines if line.startswith(f"{system},")), "")


def _fault_of_words(value: str) -> str:
    fault = fault_of_text(value)
    return f" with {fault[0]}; expected {fault[1]}" if fault else ""


def _fault_of_description(value: str) -> str:
    fault = fault_of_text(value, LONGEST_REASON)
    return f" with {fault[0]}; expected {fault[1]}" if fault else ""


def _fault_of_years(value: str) -> str:
    fits = re.fullmatch("[0-9]{1,3}", value) and 1 <= int(value) <= _MOST_YEARS
    return "" if fits else f"; expected a whole number from 1 to {_MOST_YEARS}"


def _fault_of_address(value: str) -> str:
    try:
        parts = urlsplit(value)
        host = parts.hostname
        _ = parts.port
    except ValueError:  # Brackets that do not close, a port that is no number.
        return f"; expected {_ADDRESS}"
    plain = re.fullmatch(r"https?://[!-~]+", value) and not re.search(r"[\"'<>`?#\\^{|}]|//.*//|@", value)
    if not plain or not host:
        return f"; expected {_ADDRESS}"
    return "" if parts.path.endswith("/") else f", which does not end in `/`; expected {_ADDRESS}"


def _nothing(value: str) -> str:
    """A rating system is looked up among those of the collection."""
    del value
    return ""


_CHECKS: Mapping[str, Callable[[str], str]] = {
    "description": _fault_of_description,
    "active_years": _fault_of_years,
    "address": _fault_of_address,
    RATING_SYSTEM: _nothing,
}
