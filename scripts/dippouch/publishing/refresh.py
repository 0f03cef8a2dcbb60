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
from dippouch.publishing import places
from dippouch.publishing.build import OUTPUT, bring_parsed, run_dbt_build
from dippouch.publishing.moves import Moves, find_moves
from dippouch.publishing.places import UNTOUCHED
from dippouch.publishing.publication import publish
from dippouch.publishing.replacing import kept_from_writers, move_stray_logs
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
    places.prepare_warehouse(warehouse)
    with _only_refresh(warehouse, on_step, wait_seconds) as held, locked(seeds, wait_seconds=wait_seconds):
        # Fail before building.
        with kept_from_writers(warehouse / places.PUBLISHED):
            pass
        _check_seeds(seeds)
        with _fresh_folder(warehouse) as fresh:
            on_step("Building and testing ...")
            with _with_places(warehouse, fresh), working_on("dbt") as say:
                run_dbt_build(seeds, fresh, target_path=fresh / places.ARTEFACTS, held=[held], on_progress=say)
            found: list[Moves] = []

            def check(candidate: Path) -> None:
                with working_on("Verifying"):
                    rows, differences = verify(candidate, seeds)
                if differences:
                    raise UserError("\n".join([*differences, f"the verification failed; {UNTOUCHED}"]))
                on_step(f"All {rows:,} rows agree with the exact recomputation.")
                found.extend(_moves(warehouse / places.PUBLISHED, candidate))

            on_step("Verifying every figure ...")
            for log in publish(fresh / places.BUILD, warehouse / places.PUBLISHED, check):
                on_step(
                    f"A program had opened the published file for writing. Its changes are discarded, and kept as {log}."
                )
            then = ". The new rankings are published; only the build beside them is still the old one"
            with explained(f"{warehouse}: could not be used", then):
                move_stray_logs(warehouse / places.BUILD)
                (fresh / places.BUILD).replace(warehouse / places.BUILD)
                (warehouse / places.FAILED_BUILD).unlink(missing_ok=True)
            for moves in found:
                on_moves(moves)


@contextmanager
def _fresh_folder(warehouse: Path) -> Iterator[Path]:
    """Yield an empty folder for one build; the caller holds the lock.

    At the end dbt's artefacts move into the warehouse, and so does a failed build.
    """
    fresh = warehouse / places.BUILDING
    with places.in_use(warehouse):
        _remove_leftovers(warehouse)
        fresh.mkdir()
        bring_parsed(warehouse / places.ARTEFACTS, fresh / places.ARTEFACTS)
    try:
        yield fresh
    finally:
        # An error here must not hide why a refresh failed.
        with suppress(OSError):
            if (fresh / places.BUILD).exists():
                move_stray_logs(warehouse / places.FAILED_BUILD)
                (fresh / places.BUILD).replace(warehouse / places.FAILED_BUILD)
        with suppress(OSError):
            if (fresh / places.ARTEFACTS).exists():
                shutil.rmtree(warehouse / places.ARTEFACTS, ignore_errors=True)
                (fresh / places.ARTEFACTS).replace(warehouse / places.ARTEFACTS)
        _remove_leftovers(warehouse)


@contextmanager
def _with_places(warehouse: Path, fresh: Path) -> Iterator[None]:
    """Add the paths of logs and database to the message of a failed build."""
    try:
        with places.in_use(warehouse):
            yield
    except UserError as error:
        further = []
        if (fresh / places.ARTEFACTS / OUTPUT).exists():
            further.append(f"the output of dbt is in {warehouse / places.ARTEFACTS / OUTPUT}")
        if (fresh / places.BUILD).exists():
            further.append(f"the build is in {warehouse / places.FAILED_BUILD}")
        raise UserError("\n".join([str(error), "; ".join([*further, UNTOUCHED])])) from error


def _check_seeds(seeds: Path) -> None:
    """Refuse seeds that would fail a build; unlike dbt, name file and line."""
    try:
        check_seeds(seeds)
    except UserError as error:
        raise UserError(f"{error}\nNothing was built; {UNTOUCHED}") from None


def _remove_leftovers(warehouse: Path) -> None:
    """Remove the folders of refreshes that were killed."""
    for folder in warehouse.glob(f"{places.BUILDING}*"):
        shutil.rmtree(folder, ignore_errors=True)


def _moves(published: Path, candidate: Path) -> list[Moves]:
    """Return the moves from the published file to the candidate; empty if there are none."""
    if not published.exists():
        return []
    try:
        moves = find_moves(published, candidate, published_default_system(candidate))
    except duckdb.Error:
        return []  # Another version wrote the published file.
    return [moves] if moves.entered or moves.left or moves.changed else []


@contextmanager
def _only_refresh(warehouse: Path, on_step: Callable[[str], None], wait_seconds: float) -> Iterator[int]:
    """Lock the warehouse: a second refresh waits for the first, and for the dbt of a refresh that was killed.

    Yields:
        The open lock file: a dbt that inherits it holds the lock, too.
    """
    lock = FileLock(warehouse / places.LOCK)
    with places.in_use(warehouse):
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
