"""A collection in memory: its seeds as tables of text, and the models that dbt builds, in one DuckDB.

In: the files of a collection, and rows that a program adds or removes. Out: answers to SQL on seeds and models, the faults of the rows, and
the files to write.

    with Collection.existing(seeds) as collection:
        collection.append(CORRECTIONS, [row])
        collection.query("select players from int_tournaments where tournament_id = 'wac-6-2009'")
        collection.write()
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import partial
from itertools import islice
from operator import attrgetter
from pathlib import Path
from typing import Any, Self

import duckdb

from dippouch.collection.faults import Fault, raise_faults
from dippouch.collection.files import LARGEST_SEED, Content, canonical_cells, iterate_rows, parquet_files, write_csv
from dippouch.collection.folder import check_is_collection, is_new, locked, write_files
from dippouch.collection.models import NEXT_RULE, prepared
from dippouch.collection.schema import CORRECTIONS, DEFAULT_REFERENCE, RAW_TABLES, SEEDS, Seed, SeedRow
from dippouch.db import literal, read_literal, rows_of
from dippouch.messages import UserError
from dippouch.settings import PROJECT, project_variable, suggested_command

Values = Sequence[object] | Mapping[str, object]

_CELL_FAULTS = "{{ cell_faults(declared, relations) }}"
# Number of rows that are inserted at once.
_CHUNK = 2_000


class Collection:
    """The seeds of a collection and the models on them; `write` saves what `append`, `remove` and `delete_of` changed.

    Attributes:
        folder: the folder of the collection.
        reference: the folder from which seeds are loaded; for a new collection the project's, of which it has only rules and nations.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.reference = PROJECT / "seeds" if is_new(folder) else folder
        self._changed: set[Seed] = set()
        self._computed: set[str] = set()
        # The tables of an import are small: a second thread would only take processor time.
        self._database = duckdb.connect(config={"threads": 1})
        self._database.execute("set enable_progress_bar = false")
        for seed in SEEDS.values():
            self._database.execute(f"create table {seed.name} ({' varchar, '.join(seed.columns)} varchar)")

    @classmethod
    @contextmanager
    def opened(cls, folder: Path) -> Iterator[Self]:
        """Open a collection from its files; a missing or empty folder is a new one. The caller holds its lock.

        Raises:
            UserError: when a seed file cannot be read, or models cannot be built on its rows.
        """
        with closing(cls(folder)) as collection:
            for seed in DEFAULT_REFERENCE if is_new(folder) else SEEDS.values():
                collection.load(seed)
            if is_new(folder):
                # As `first_seeds` writes it. The project's own rows need no check.
                default = project_variable("default_settings")["rating_system"]
                collection.query("delete from ref_rating_systems where rating_system_id != ?", [default])
            else:
                faults = collection.find_faults(_CELL_FAULTS)
                raise_faults(folder, [fault for fault in faults if fault.bars_models])
            yield collection

    @classmethod
    @contextmanager
    def existing(cls, folder: Path, *, changes: bool = True) -> Iterator[Self]:
        """Open an existing collection, and lock it for changes.

        Raises:
            UserError: when it does not exist, another program holds its lock, or it cannot be read.
        """
        check_is_collection(folder)
        with locked(folder) if changes else nullcontext(), cls.opened(folder) as collection:
            yield collection

    def close(self) -> None:
        """Close the database."""
        self._database.close()

    def load(self, seed: Seed) -> None:
        """Load the rows of a seed from its files, unchanged.

        Raises:
            UserError: when the file cannot be read, or its header or the length of a row is wrong.
        """
        if seed.is_absent(self.reference):
            return
        if files := parquet_files(self.reference, seed):
            cells = ", ".join(f"nullif(cast({column} as varchar), '')" for column in seed.columns)
            paths = ", ".join(map(read_literal, files))
            self._database.execute(f"insert into {seed.name} select {cells} from read_parquet([{paths}])")
            return
        path = self.reference / seed.path
        with suppress(OSError, UnicodeDecodeError, duckdb.Error), path.open(encoding="utf-8", newline="") as file:
            if file.readline() == ",".join(seed.columns) + "\n":
                self._database.execute(
                    f"copy {seed.name} from {read_literal(path)} (format csv, header true, auto_detect false,"
                    " delimiter ',', quote '\"', escape '\"', new_line '\\n', max_line_size 10000000)"
                )
                if not self.query(f"select 1 from {seed.name} where coalesce({', '.join(seed.columns)}) is null"):
                    return
        # Python also reads CSV as other programs write it, and names the faulty line.
        self._insert(seed, (cells for _, cells in iterate_rows(self.reference, seed)))

    def query(self, sql: str, values: Values = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a query on seeds and models. SQL may call the project's macros."""
        return self._execute(sql, values).fetchall()

    def rows(self, sql: str, values: Values = ()) -> list[dict[str, Any]]:
        """Return the rows of a query as dictionaries, by column."""
        return list(rows_of(self._execute(sql, values)))

    def stated(self, seed: Seed, condition: str = "true", values: Values = ()) -> list[SeedRow]:
        """Return the rows of a seed for which a condition holds, in the order of its file; an empty text for an empty cell."""
        return list(self._stated(seed, condition, values))

    def get(self, seed: Seed, key: Sequence[str]) -> SeedRow | None:
        """Return the row of a seed with a key, or None."""
        return next(self._stated(seed, _same_key(seed), [cell or None for cell in key]), None)

    def append(self, seed: Seed, rows: Iterable[SeedRow]) -> None:
        """Add rows to a seed."""
        if self._insert(seed, (canonical_cells(seed, (row[column] for column in seed.columns)) for row in rows)):
            self._note_change(seed)

    def remove(self, seed: Seed, key: Sequence[str]) -> None:
        """Remove the row of a seed with a key, if there is one."""
        self._database.execute(f"delete from {seed.name} where {_same_key(seed)}", [cell or None for cell in key])
        self._note_change(seed)

    def delete_of(self, seed: Seed, column: str, values: Sequence[str]) -> None:
        """Remove the rows of a seed with one of some values in a column."""
        if values:
            self._database.execute(f"delete from {seed.name} where {column} in (select unnest($1))", [values])
            self._note_change(seed)

    @contextmanager
    def all_or_nothing(self) -> Iterator[None]:
        """Take back every change of the block if it raises an exception."""
        changed = set(self._changed)
        self._database.execute("begin")
        try:
            yield
        except BaseException:
            self._database.execute("rollback")
            self._changed = changed
            self._computed.clear()
            raise
        self._database.execute("commit")

    def faults(self) -> list[Fault]:
        """Return the faults of cells, keys and references, and, if models can be built on these, the faults by all other rules."""
        of_cells = self.find_faults(_CELL_FAULTS)
        if any(fault.bars_models for fault in of_cells):
            return of_cells
        rules, _ = prepared("{{ model_checks(between=next_rule) }}")
        found = [fault for rule in rules.split(NEXT_RULE) for fault in self.find_faults(rule)]
        return of_cells + sorted(found, key=attrgetter("seed", "row_key", "column", "code"))

    def added_faults(self) -> list[Fault]:
        """Return the faults of the changed collection, without those that its files had before."""
        faults = self.faults()
        if not faults or is_new(self.folder):
            return faults
        with Collection.opened(self.folder) as before:
            known = set(before.faults())
        return [fault for fault in faults if fault not in known]

    def refuse_faulty(self, *, instead: Mapping[str, str] | None = None) -> None:
        """Refuse decisions that add a fault.

        Args:
            instead: hints by the code of the fault, in place of its own hint.

        Raises:
            UserError: with every fault, if there are any.
        """
        messages = []
        for fault in self.added_faults():
            correction = self.get(CORRECTIONS, (fault.row_key,)) if fault.seed == CORRECTIONS.name else None
            place = (correction["tournament_id"], correction["player_id"]) if correction else fault.owner
            found, expected, way_out = fault.explained(self.folder)
            if fault.column == "kind":
                expected += f": {', '.join(row['kind'] for row in self.stated(SEEDS['ref_tournament_kinds']))}"
            message = f"{', '.join(filter(None, place))}: found {found}; expected {expected}"
            otherwise = "" if correction else "Correct all faults in one call, or withdraw a result"
            way_out = (instead or {}).get(fault.code, way_out or otherwise)
            messages.append(f"{message}. {way_out}" if way_out else message)
        if messages:
            raise UserError("\n".join(dict.fromkeys(messages)))

    def find_faults(self, checks: str) -> list[Fault]:
        """Return the rows of checks on the models, given as SQL with macros."""
        # The limit keeps one mistake in every row from filling the memory.
        sql = f"select * from ({checks}) as faults order by seed, row_key, column_name, code, value limit 1000"
        return [Fault(*row) for row in self.query(sql)]

    def command(self, *words: str) -> str:
        """Return a command that records a decision, for a message; the reader fills in the reason."""
        return suggested_command(*words, "--reason", "...", seeds=self.folder)

    def write(self) -> None:
        """Save every changed seed at once, if there are any. The caller holds the collection's lock.

        Raises:
            UserError: when the disk refuses; then nothing is changed.
        """
        files: dict[str, Content] = {}
        for seed in self._changed:
            ((count,),) = self.query(f"select count(*) from {seed.name}")
            is_large = count > LARGEST_SEED and seed in RAW_TABLES
            files[seed.path] = partial(write_csv, seed, () if is_large else self._stated(seed))
            files[seed.parquet_path] = partial(self._write_parquet, seed) if is_large else None
        if files or is_new(self.folder):
            write_files(self.folder, files)

    def _execute(self, sql: str, values: Values) -> duckdb.DuckDBPyConnection:
        """Run a query; first compute the models that it needs, unless they are up to date."""
        sql, models = prepared(sql)
        for name, statement in models.items():
            if name not in self._computed:
                self._database.execute(statement)
                self._computed.add(name)
        return self._database.execute(sql, values)

    def _stated(self, seed: Seed, condition: str = "true", values: Values = ()) -> Iterator[SeedRow]:
        cells = ", ".join(f"coalesce({column}, '') as {column}" for column in seed.columns)
        sql = f"select {cells} from {seed.name} where {condition} {_file_order(seed)}"
        yield from rows_of(self._database.execute(sql, values))

    def _insert(self, seed: Seed, rows: Iterable[Sequence[str]]) -> bool:
        """Insert rows into the table of a seed; return whether there are any."""
        cells = ", ".join(["unnest(?::varchar[])"] * len(seed.columns))
        remaining, has_rows = iter(rows), False
        # Many at once as columns, because DuckDB is slow to insert single rows.
        while chunk := list(islice(remaining, _CHUNK)):
            columns = [[cell or None for cell in column] for column in zip(*chunk, strict=True)]
            self._database.execute(f"insert into {seed.name} select {cells}", columns)
            has_rows = True
        return has_rows

    def _write_parquet(self, seed: Seed, path: Path) -> None:
        """Write the rows of a seed as Parquet, with its types."""
        cells = ", ".join(f"cast({column} as {seed.sql_type(column)}) as {column}" for column in seed.columns)
        sql = f"select {cells} from {seed.name} {_file_order(seed)}"
        try:
            self._database.execute(f"copy ({sql}) to {literal(path)} (format parquet, compression zstd)")
        except duckdb.Error as error:
            raise UserError(f"{path}: could not be written ({error}); nothing was changed") from None

    def _note_change(self, seed: Seed) -> None:
        self._changed.add(seed)
        self._computed.clear()


def check_seeds(folder: Path) -> None:
    """Check every seed of a collection; check the rows only if all of them can be read.

    Raises:
        UserError: with the number of all faults, and file, line, finding and expectation of the first ones.
    """
    unreadable = []
    with closing(Collection(folder)) as collection:
        for seed in SEEDS.values():
            try:
                collection.load(seed)
            except UserError as error:
                unreadable.append(str(error))
        raise_faults(folder, [] if unreadable else collection.faults(), unreadable)


def _same_key(seed: Seed) -> str:
    return " and ".join(f"{column} is not distinct from ?" for column in seed.key)


def _file_order(seed: Seed) -> str:
    """Return the order of a seed's file for a query; empty cells are the last."""
    columns = {f"{seed.name}.{column}": seed.sql_type(column) for column in seed.order}
    order = (f"try_cast({name} as bigint)" if kind == "integer" else name for name, kind in columns.items())
    return f"order by {', '.join(order)}"
