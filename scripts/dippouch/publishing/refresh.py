"""The main job: build, verify, publish. All or nothing, one at a time."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb
from filelock import FileLock, Timeout

from dippouch.errors import UserError
from dippouch.publishing.build import run_dbt_build
from dippouch.publishing.moves import Moves, find_moves
from dippouch.publishing.publication import publish
from dippouch.rating.systems import PUBLISHED_SYSTEM
from dippouch.seeds.checks.check import check_seeds
from dippouch.seeds.folder import check_is_collection, locked
from dippouch.verification.compare import TableReport, verify

# Long enough for another refresh of a large collection to finish.
WAIT_SECONDS = 600.0

_BUILDING = ".building-"


def refresh(
    seeds: Path,
    warehouse: Path,
    *,
    on_step: Callable[[str], None],
    on_report: Callable[[list[TableReport]], None],
    on_moves: Callable[[Moves], None] = lambda moves: None,
    wait_seconds: float = WAIT_SECONDS,
) -> None:
    """Build a collection into a fresh database, verify it against the seeds, and publish it.

    A build that fails is kept as `failed_build.duckdb` for looking into it; the published database stays as it was.

    Args:
        seeds: the collection.
        warehouse: the folder of build.duckdb and rankings.duckdb.
        on_step: called with what is done next, for people.
        on_report: called with the report of the verification, whether it passed or not.
        on_moves: called with who moved, where a ranking was published before and anybody did.
        wait_seconds: how long to wait for another refresh or import.

    Raises:
        UserError: when a seed is wrong, or a build, a test, the verification or the publication fails.
    """
    check_is_collection(seeds)
    warehouse.mkdir(parents=True, exist_ok=True)
    with _only_refresh(warehouse, on_step, wait_seconds), locked(seeds, wait_seconds=wait_seconds):
        _check_seeds(seeds)
        _remove_leftovers(warehouse)
        # A folder of its own: whoever was killed may have left a dbt behind that still writes.
        fresh = Path(tempfile.mkdtemp(prefix=_BUILDING, dir=warehouse))
        try:
            on_step("Building and testing")
            run_dbt_build(seeds, fresh, target_path=warehouse / "dbt")

            found: list[Moves] = []

            def check(candidate: Path) -> None:
                reports = verify(candidate, seeds, on_table=lambda table: None)
                on_report(reports)
                if any(report.discrepancies for report in reports):
                    raise UserError("the verification failed; the last publication is untouched")  # noqa: TRY301 (the check refuses)
                found.extend(_moves(warehouse / "rankings.duckdb", candidate))

            on_step("Verifying every figure")
            publish(fresh / "build.duckdb", warehouse / "rankings.duckdb", check)
            (fresh / "build.duckdb").replace(warehouse / "build.duckdb")
            for moves in found:
                on_moves(moves)
        except BaseException:
            if (fresh / "build.duckdb").exists():
                (fresh / "build.duckdb").replace(warehouse / "failed_build.duckdb")
            raise
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
        (warehouse / "failed_build.duckdb").unlink(missing_ok=True)


def _check_seeds(seeds: Path) -> None:
    """Refuse seeds that a build would fail on, with file and line, which dbt does not tell."""
    try:
        check_seeds(seeds)
    except UserError as error:
        raise UserError(f"{error}\nNothing was built; the last publication is untouched") from None


def _remove_leftovers(warehouse: Path) -> None:
    """Remove what refreshes that were killed left behind."""
    for folder in warehouse.glob(f"{_BUILDING}*"):
        shutil.rmtree(folder, ignore_errors=True)


def _moves(published: Path, candidate: Path) -> list[Moves]:
    """Who moves when the candidate takes the place of what is published; nothing when there is nothing to say."""
    if not published.exists():
        return []
    try:
        moves = find_moves(published, candidate, PUBLISHED_SYSTEM)
    except duckdb.Error:
        return []  # What is published there cannot be compared: another version wrote it.
    return [moves] if moves.largest else []


@contextmanager
def _only_refresh(warehouse: Path, on_step: Callable[[str], None], wait_seconds: float) -> Iterator[None]:
    """Hold the warehouse: a second refresh waits for the first."""
    lock = FileLock(warehouse / ".refresh.lock")
    try:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            on_step("Waiting for another refresh of this warehouse")
            lock.acquire(timeout=wait_seconds)
    except Timeout:
        raise UserError(
            f"{warehouse}: another refresh is still running after {wait_seconds:.0f} s; the last publication is untouched"
        ) from None
    try:
        yield
    finally:
        lock.release()
