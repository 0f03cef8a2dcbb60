"""The main job: build, verify, publish. It either succeeds as a whole or changes nothing, and only one runs at a time."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb
from filelock import FileLock, Timeout

from dippouch.console import working_on
from dippouch.disk import explained
from dippouch.errors import UserError
from dippouch.publishing.build import OUTPUT, TEST_OF_SEEDS, bring_parsed, run_dbt_build
from dippouch.publishing.moves import Moves, find_moves
from dippouch.publishing.publication import (
    ARTEFACTS,
    BUILD,
    BUILDING,
    FAILED_BUILD,
    LOCK,
    PUBLISHED,
    UNTOUCHED,
    in_use,
    kept_from_writers,
    move_stray_logs,
    prepare_warehouse,
    publish,
)
from dippouch.publishing.verification import verify
from dippouch.rating.systems import published_default_system
from dippouch.seeds.checks import check_seeds
from dippouch.seeds.folder import check_is_collection, locked

# Long enough for another refresh of a large collection to finish.
WAIT_SECONDS = 600.0


def refresh(
    seeds: Path,
    warehouse: Path,
    *,
    on_step: Callable[[str], None],
    on_moves: Callable[[Moves], None] = lambda moves: None,
    wait_seconds: float = WAIT_SECONDS,
) -> None:
    """Build a collection into a fresh database, verify it against the seeds, and publish it.

    A failed build is kept as `failed_build.duckdb` for inspection; the published database stays as it was.

    Args:
        seeds: the collection.
        warehouse: the folder of build.duckdb and rankings.duckdb.
        on_step: called with a sentence for people: the next step, or a finding.
        on_moves: called with the moves if a ranking was published before and a player moved.
        wait_seconds: timeout of the wait for another refresh or import.

    Raises:
        UserError: when a seed is wrong, or a build, a test, the verification or the publication fails.
    """
    check_is_collection(seeds)
    prepare_warehouse(warehouse)
    with _only_refresh(warehouse, on_step, wait_seconds) as held, locked(seeds, wait_seconds=wait_seconds):
        # Fail before building.
        with kept_from_writers(warehouse / PUBLISHED):
            pass
        try:
            check_seeds(seeds)
        except UserError as error:
            raise UserError(f"{error}\nNothing was built; {UNTOUCHED}") from None
        with _fresh_folder(warehouse) as fresh:
            on_step("Building and testing ...")
            try:
                with in_use(warehouse), working_on("dbt") as say:
                    run_dbt_build(
                        seeds, fresh, target_path=fresh / ARTEFACTS, without=TEST_OF_SEEDS, held=[held], on_progress=say
                    )
            except UserError as error:
                raise UserError(f"{error}\n{_places(warehouse, fresh)}{UNTOUCHED}") from error
            found: list[Moves] = []

            def check(candidate: Path) -> None:
                with working_on("Verifying"):
                    rows, differences = verify(candidate, seeds)
                if differences:
                    raise UserError("\n".join([*differences, f"the verification failed; {UNTOUCHED}"]))
                on_step(f"All {rows:,} rows agree with the exact recomputation.")
                found.extend(_moves(warehouse / PUBLISHED, candidate))

            on_step("Verifying every figure ...")
            for log in publish(fresh / BUILD, warehouse / PUBLISHED, check):
                on_step(
                    f"A program had opened the published file for writing. Its changes are discarded, and kept as {log}."
                )
            then = ". The new rankings are published; only the build beside them is still the old one"
            with explained(f"{warehouse}: could not be used", then):
                move_stray_logs(warehouse / BUILD)
                (fresh / BUILD).replace(warehouse / BUILD)
                (warehouse / FAILED_BUILD).unlink(missing_ok=True)
            for moves in found:
                on_moves(moves)


@contextmanager
def _only_refresh(warehouse: Path, on_step: Callable[[str], None], wait_seconds: float) -> Iterator[int]:
    """Lock the warehouse: a second refresh waits for the first, and for the dbt of a refresh that was killed.

    Yields:
        The open lock file: a dbt that inherits it holds the lock, too.
    """
    lock = FileLock(warehouse / LOCK)
    with in_use(warehouse):
        try:
            lock.acquire(timeout=0)
        except Timeout:
            on_step("Waiting for another refresh of this warehouse ...")
            try:
                lock.acquire(timeout=wait_seconds)
            except Timeout:
                raise UserError(
                    f"{warehouse}: another refresh is still running after {wait_seconds:.0f} s; {UNTOUCHED}"
                ) from None
    held = lock._context.lock_file_fd  # noqa: SLF001 (no public access)
    assert held is not None
    try:
        yield held
    finally:
        lock.release()


@contextmanager
def _fresh_folder(warehouse: Path) -> Iterator[Path]:
    """Yield an empty folder for one build; the caller holds the lock.

    At the end dbt's artefacts move into the warehouse, and so does a failed build.
    """
    fresh = warehouse / BUILDING
    with in_use(warehouse):
        # A killed refresh leaves its folder.
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir()
        bring_parsed(warehouse / ARTEFACTS, fresh / ARTEFACTS)
    try:
        yield fresh
    finally:
        # An error here must not hide why a refresh failed.
        with suppress(OSError):
            if (fresh / BUILD).exists():
                move_stray_logs(warehouse / FAILED_BUILD)
                (fresh / BUILD).replace(warehouse / FAILED_BUILD)
        with suppress(OSError):
            if (fresh / ARTEFACTS).exists():
                shutil.rmtree(warehouse / ARTEFACTS, ignore_errors=True)
                (fresh / ARTEFACTS).replace(warehouse / ARTEFACTS)
        shutil.rmtree(fresh, ignore_errors=True)


def _places(warehouse: Path, fresh: Path) -> str:
    """Return the places of the log and the database of a failed build, for a message."""
    log = f"the output of dbt is in {warehouse / ARTEFACTS / OUTPUT}; "
    build = f"the build is in {warehouse / FAILED_BUILD}; "
    return log * (fresh / ARTEFACTS / OUTPUT).exists() + build * (fresh / BUILD).exists()


def _moves(published: Path, candidate: Path) -> list[Moves]:
    """Return the moves from the published file to the candidate; empty if there are none."""
    if not published.exists():
        return []
    try:
        moves = find_moves(published, candidate, published_default_system(candidate))
    except duckdb.Error:
        return []  # Another version wrote the published file.
    return [moves] if moves.entered or moves.left or moves.changed else []
