"""Run the verification program on a published file, and explain its errors."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb

import verify_ratings
from dippouch.db import literal, reading
from dippouch.errors import UserError
from dippouch.seeds.folder import check_is_collection

# The rest spills to the disk; without a limit DuckDB takes most of the machine's memory.
_MEMORY = "300MB"


def verify(database: Path, seeds: Path) -> tuple[int, list[str]]:
    """Compare a published file with an exact recomputation from its seeds.

    Returns:
        The number of rows compared, and a line for each of the first differences of every table.

    Raises:
        UserError: when the file or a seed cannot be read.
    """
    check_is_collection(seeds)
    with TemporaryDirectory(prefix="dip-pouch-verification-") as spill, reading(database) as connection:
        connection.execute(f"set memory_limit = '{_MEMORY}'; set temp_directory = {literal(spill)}")
        try:
            return verify_ratings.verify(connection, seeds)
        except (ArithmeticError, ValueError, duckdb.ConversionException, duckdb.InvalidInputException) as error:
            raise UserError(f"{seeds}: found {error}; expected seeds that pass the checks of `dptr refresh`") from None
