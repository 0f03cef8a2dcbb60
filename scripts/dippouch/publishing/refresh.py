"""The main job: build, verify, publish. It either succeeds as a whole or changes nothing, and only one runs at a time."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import duckdb
from filelock import FileLock, Timeout

import verify_ratings
from dippouch.collection.folder import check_is_collection, locked
from dippouch.collection.memory import check_seeds
from dippouch.console import in_columns, out, print_line, working_on
from dippouch.db import DatabaseRow, literal, reading
from dippouch.disk import fingerprint, hashes, refusal
from dippouch.messages import UserError, changes_made
from dippouch.publishing.build import OUTPUT, TEST_OF_SEEDS, run_dbt_build
from dippouch.publishing.moves import find_moves, moves_table
from dippouch.publishing.publication import BUILD, PUBLISHED, UNTOUCHED, kept_from_writers, move_stray_logs, publish

# The files and folders of a warehouse, beside the build and the published file.
_FAILED_BUILD = "failed_build.duckdb"
_LOCK = ".refresh.lock"
# The folder of the running build. Its path is always the same, because dbt would parse the whole project again for another path.
_BUILDING = ".building"
# dbt's files of the last build: logs, compiled SQL, and the outcome of each step.
_ARTEFACTS = "dbt"
# Long enough for another refresh of a large collection to finish.
_WAIT_SECONDS = 600.0
# The rest spills to the disk; without a limit DuckDB takes most of the machine's memory.
_MEMORY = "300MB"


def refresh(seeds: Path, warehouse: Path) -> None:
    """Build a collection into build.duckdb of a warehouse, verify it against the seeds, and publish it as rankings.duckdb there.

    A failed build is kept as `failed_build.duckdb` for inspection; the published database stays as it was. The steps, the findings and
    the moves in the ranking are printed.

    Raises:
        UserError: when a seed is wrong, a build, a test, the verification or the publication fails, or the disk refuses.
    """
    check_is_collection(seeds)
    try:
        _prepare(warehouse)
        with _only_refresh(warehouse) as held, locked(seeds, wait_seconds=_WAIT_SECONDS):
            # Fail before building.
            with kept_from_writers(warehouse / PUBLISHED):
                pass
            try:
                check_seeds(seeds)
            except UserError as error:
                raise UserError(f"{error}\nNothing was built; {UNTOUCHED}") from None
            moves = _build_and_publish(seeds, warehouse, held)
    except OSError as error:
        raise UserError(
            f"{warehouse}: could not be used ({refusal(error)}); expected a writable folder on a disk with enough space. Set"
            f" DPTR_WAREHOUSE to another one; {changes_made()}"
        ) from error
    if moves:
        out.print(moves_table(moves))


def verify(database: Path, seeds: Path) -> tuple[int, list[str]]:
    """Compare a published file with an exact recomputation from its seeds.

    Returns:
        The number of rows compared, and the lines of a table with the first differences.

    Raises:
        UserError: when the file or a seed cannot be read, or when the file has other seeds.
    """
    check_is_collection(seeds)
    with TemporaryDirectory(prefix="dip-pouch-verification-") as spill, reading(database) as connection:
        connection.execute(f"set memory_limit = '{_MEMORY}'; set temp_directory = {literal(spill)}")
        try:
            rows, differences = verify_ratings.verify(connection, seeds)
        except (ArithmeticError, ValueError, duckdb.ConversionException, duckdb.InvalidInputException) as error:
            # It reads seeds without checks.
            raise UserError(f"{seeds}: found {error}; expected seeds that pass the checks of `dptr refresh`") from None
        ((of,),) = connection.execute("select seeds_sha256 from published.marts.publication").fetchall()
    if differences and of not in (None, fingerprint(hashes(seeds))):
        raise UserError(f"{seeds}: found seeds newer than {database}, or others; expected its own. Run `dptr refresh`")
    cells = [("table", "wrong rows", "row", "column", "found", "expected")]
    for table, number, row, found, expected, wrong in differences:
        # A row that is missing, unexpected or there twice has another number of copies.
        shown = wrong[:1] if wrong[0] else filter(None, wrong)
        cells += [(table, f"{number:,}", row, name, str(found[name]), str(expected[name])) for name in shown]
    return rows, in_columns(cells) if differences else []


def _prepare(warehouse: Path) -> None:
    """Create the folder of the databases if it is missing, and check that its files can be written."""
    for sign in "?#\\":
        if sign in str(warehouse.resolve()):
            raise UserError(
                f"{warehouse.resolve()}: found `{sign}`, which dbt cannot read in the path of a database; expected a path without it. Set"
                " DPTR_WAREHOUSE to another one"
            )
    for name in ("", _ARTEFACTS, _BUILDING, PUBLISHED, BUILD, _FAILED_BUILD, _LOCK):
        path, expected = warehouse / name, "folder" if name in ("", _ARTEFACTS, _BUILDING) else "file"
        if path.exists() and (found := "folder" if path.is_dir() else "file") != expected:
            raise UserError(f"{path}: found a {found}; expected a {expected}, or nothing. Move it away")
    if (warehouse / PUBLISHED).is_symlink():
        raise UserError(
            f"{warehouse / PUBLISHED}: found a link; expected a file, because a refresh replaces it, and readers of the target would keep"
            f" the old rankings. Set DPTR_WAREHOUSE to the folder of the target, {(warehouse / PUBLISHED).resolve().parent}"
        )
    warehouse.mkdir(parents=True, exist_ok=True)


@contextmanager
def _only_refresh(warehouse: Path) -> Iterator[int]:
    """Lock the warehouse: a second refresh waits for the first, and for the dbt of a refresh that was killed.

    Yields:
        The open lock file: a dbt that inherits it holds the lock, too.
    """
    lock = FileLock(warehouse / _LOCK)
    try:
        try:
            lock.acquire(timeout=0)
        except Timeout:
            print_line("Waiting for another refresh of this warehouse ...")
            lock.acquire(timeout=_WAIT_SECONDS)
        held = lock._context.lock_file_fd  # noqa: SLF001 (no public access)
        assert held is not None
        yield held
    except Timeout:
        running = f"another refresh is still running after {_WAIT_SECONDS:.0f} s"
        raise UserError(f"{warehouse}: {running}; {UNTOUCHED}") from None
    finally:
        lock.release()


def _build_and_publish(seeds: Path, warehouse: Path, held: int) -> DatabaseRow | None:
    """Build in an empty folder, publish the build, keep it beside the published file, and return the moves, if any.

    A failed build moves into the warehouse, but not one that was stopped.
    """
    fresh = warehouse / _BUILDING
    # A killed refresh leaves its folder.
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir()
    try:
        _build(seeds, warehouse, fresh, held)
        moves = find_moves(warehouse / PUBLISHED, fresh / BUILD)
        print_line("Verifying every rating ...")
        for log in publish(fresh / BUILD, warehouse / PUBLISHED, partial(_check, seeds=seeds)):
            print_line(
                f"A program had opened the published file for writing. Its changes are discarded, and kept as {log}."
            )
        move_stray_logs(warehouse / BUILD)
        (fresh / BUILD).replace(warehouse / BUILD)
        (warehouse / _FAILED_BUILD).unlink(missing_ok=True)
    except UserError:
        with suppress(OSError):
            (fresh / BUILD).replace(warehouse / _FAILED_BUILD)
        raise
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
    return moves


def _build(seeds: Path, warehouse: Path, fresh: Path, held: int) -> None:
    """Build and test; name the places of the log and the database of a failed build."""
    artefacts = warehouse / _ARTEFACTS
    print_line("Building and testing ...")
    try:
        with working_on("dbt"):
            warning = run_dbt_build(seeds, fresh, target_path=artefacts, without=TEST_OF_SEEDS, held=[held])
    except UserError as error:
        log = f"the output of dbt is in {artefacts / OUTPUT}; " * (artefacts / OUTPUT).exists()
        build = f"the build is in {warehouse / _FAILED_BUILD}; " * (fresh / BUILD).exists()
        raise UserError(f"{error}\n{log}{build}{UNTOUCHED}") from error
    for line in warning:
        print_line(line)


def _check(candidate: Path, seeds: Path) -> None:
    """Check that the file to publish agrees with the exact recomputation."""
    with working_on("Verifying"):
        rows, differences = verify(candidate, seeds)
    if differences:
        raise UserError("\n".join([*differences, f"the verification failed; {UNTOUCHED}"]))
    print_line(f"All {rows:,} rows agree with the exact recomputation.")
