"""The project's own SQL, run in memory on any seeds: a build takes milliseconds, which allows property-based tests."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from graphlib import TopologicalSorter
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

import duckdb

from dippouch.db import literal
from dippouch.verification.compare import verify
from dippouch.verification.report import Discrepancy

SeedRows = Mapping[str, Sequence[Mapping[str, Any]]]

_SCHEMAS = ("seeds", "staging", "intermediate", "marts")
# Number of tests in one query; more would be slow to plan.
_TOGETHER = 12


class CompiledProject:
    """The models and data tests of a `dbt compile`, in build order."""

    def __init__(self, manifest: Path) -> None:
        self.manifest = manifest
        nodes = json.loads(manifest.read_text(encoding="utf-8"))["nodes"]
        self.seeds = {n["name"]: n for n in nodes.values() if n["resource_type"] == "seed"}
        models = {key: n for key, n in nodes.items() if n["resource_type"] == "model" and n["schema"] != "presentation"}
        # Most tests are about the marts, which these views only read.
        self.views = [n for n in nodes.values() if n["resource_type"] == "model" and n["schema"] == "presentation"]
        graph = {key: set(n["depends_on"]["nodes"]) & models.keys() for key, n in models.items()}
        self.models = [models[key] for key in TopologicalSorter(graph).static_order()]
        known = models.keys() | {key for key, n in nodes.items() if n["resource_type"] == "seed"}
        tests = [n for n in nodes.values() if n["resource_type"] == "test"]
        self.tests = [test for test in tests if known.issuperset(test["depends_on"]["nodes"])]
        self.tests_of_views = [test for test in tests if test not in self.tests]

    def build(self, seeds: SeedRows) -> duckdb.DuckDBPyConnection:
        """Build every model from rows of the seeds; missing seeds are empty, missing cells null."""
        connection = empty_build(self)
        self.load(connection, seeds)
        for model in self.models:
            build_model(connection, model)
        return connection

    def load(self, connection: duckdb.DuckDBPyConnection, seeds: SeedRows) -> None:
        """Fill the tables of the seeds."""
        for name, node in self.seeds.items():
            columns = node["config"]["column_types"]
            rows = [[row.get(column) or None for column in columns] for row in seeds.get(name, [])]
            if rows:
                places = ", ".join([f"({', '.join('?' * len(columns))})"] * len(rows))
                cells = [cell for row in rows for cell in row]
                connection.execute(f"insert into build.seeds.{name} values {places}", cells)

    def build_presentation(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Add the presentation views to a build."""
        connection.execute("create schema build.presentation")
        for view in self.views:
            build_model(connection, view)

    def failing_tests(self, connection: duckdb.DuckDBPyConnection, *, with_views: bool = False) -> set[str]:
        """Return the names of the data tests that find a fault in the build, and in the presentation views if asked."""
        return failing(connection, self.tests + (self.tests_of_views if with_views else []))


def empty_build(project: CompiledProject) -> duckdb.DuckDBPyConnection:
    """Return a database in memory with only the project's seeds, all empty."""
    # Tables are small: a second thread would only wait.
    connection = duckdb.connect(config={"threads": 1})
    # In a child process DuckDB acts like a shell, and would show progress.
    connection.execute("set enable_progress_bar = false")
    connection.execute("attach ':memory:' as build")
    # As for readers: functions name their tables without the database.
    connection.execute("use build")
    for schema in _SCHEMAS:
        connection.execute(f"create schema build.{schema}")
    for name, node in project.seeds.items():
        types = node["config"]["column_types"]
        columns = ", ".join(f"{column} {type_}" for column, type_ in types.items())
        connection.execute(f"create table build.seeds.{name} ({columns})")
    return connection


def build_model(connection: duckdb.DuckDBPyConnection, model: Mapping[str, Any]) -> None:
    """Build a model, replacing its earlier version."""
    kind = model["config"]["materialized"]
    if kind == "table_function":
        name = f"{model['relation_name']}({', '.join(model['config']['parameters'])})"
        connection.execute(f"create or replace function {name} as table {model['compiled_code']}")
    else:
        connection.execute(f"create or replace {kind} {model['relation_name']} as {model['compiled_code']}")


def save_build(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Write a build to a database on the disk."""
    connection.execute(f"attach {literal(path)} as on_disk")
    connection.execute("copy from database build to on_disk")
    connection.execute("detach on_disk")


def failing(connection: duckdb.DuckDBPyConnection, tests: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the names of those data tests that find a fault in the build; of tests of rows, the model and its faults."""
    found: set[str] = set()
    for first in range(0, len(tests), _TOGETHER):
        faults = " union all ".join(
            f"select distinct {_fault(test)} from ({test['compiled_code']}\n) as faults"
            for test in tests[first : first + _TOGETHER]
        )
        found.update(name for (name,) in connection.execute(faults).fetchall())
    return found


def _fault(test: Mapping[str, Any]) -> str:
    if (test.get("test_metadata") or {}).get("name") != "rows_are_valid":
        return literal(test["name"])
    return f"{literal(test['attached_node'].split('.')[-1])} || ': ' || fault"


class Warehouse:
    """A warehouse in memory for many builds: each rebuilds and tests only nodes that depend on a changed seed.

    It loads seeds from their files as dbt does, and the verification reads its marts directly.
    """

    def __init__(self, project: CompiledProject) -> None:
        self._project = project
        self._connection = empty_build(project)
        self._connection.execute("attach ':memory:' as published")
        self._connection.execute("create schema published.marts")
        self._loaded: dict[str, str] = {}
        self._stale = {model["unique_id"] for model in project.models}
        self._untested = {test["unique_id"]: test for test in project.tests}
        self._failing: set[str] = set()

    def build(self, folder: Path) -> None:
        """Build a collection.

        Raises:
            duckdb.Error: when a seed cannot be loaded, a model cannot be built, or a required cell is null.
        """
        self._mark_stale(folder)
        for name, node in self._project.seeds.items():
            if name not in self._loaded:
                self._load(name, folder / node["path"])
                self._loaded[name] = _content(folder / node["path"])
        stale = [model for model in self._project.models if model["unique_id"] in self._stale]
        for model in stale:
            build_model(self._connection, model)
            if model["schema"] == "marts" and model["config"]["materialized"] == "table":
                mart = f"published.marts.{model['name']}"
                self._connection.execute(f"create view if not exists {mart} as select * from {model['relation_name']}")
        self._check_contracts(stale)
        self._stale.clear()

    def failing_tests(self) -> set[str]:
        """Return the names of the data tests that find a fault in the last build."""
        tests = list(self._untested.values())
        self._failing -= {test["name"] for test in tests}
        self._failing |= failing(self._connection, tests)
        self._untested.clear()
        return set(self._failing)

    def discrepancies(self, folder: Path) -> list[Discrepancy]:
        """Return the verification's findings in the last build of a collection."""

        @contextmanager
        def in_memory(database: Path) -> Iterator[duckdb.DuckDBPyConnection]:
            del database
            yield self._connection

        with patch("dippouch.verification.compare.reading", in_memory):
            reports = verify(folder, folder)
        return [discrepancy for report in reports for discrepancy in report.discrepancies]

    def save(self, build: Path) -> None:
        """Write the last build to a build database, which can be published."""
        save_build(self._connection, build)

    def _mark_stale(self, folder: Path) -> None:
        """Find the changed seeds and the nodes that depend on them."""
        changed = set()
        for name, node in self._project.seeds.items():
            if self._loaded.get(name) != _content(folder / node["path"]):
                changed.add(node["unique_id"])
                self._loaded.pop(name, None)
        for model in self._project.models:
            if (changed | self._stale).intersection(model["depends_on"]["nodes"]):
                self._stale.add(model["unique_id"])
        changed |= self._stale
        for test in self._project.tests:
            if changed.intersection(test["depends_on"]["nodes"]):
                self._untested[test["unique_id"]] = test

    def _load(self, name: str, path: Path) -> None:
        self._connection.execute(f"truncate build.seeds.{name}")
        if not path.exists():
            return
        self._connection.execute(
            f"copy build.seeds.{name} from {literal(path)} (format csv, header true, delimiter ',')"
        )

    def _check_contracts(self, built: Sequence[Mapping[str, Any]]) -> None:
        """Check the constraints that dbt gives to the database: columns whose contract forbids nulls."""
        counts = [
            f"select '{model['name']}', count(*) from {model['relation_name']} where {' or '.join(never_null)}"
            for model in built
            if model["config"]["contract"]["enforced"] and (never_null := _null_conditions(model))
        ]
        for name, count in self._connection.execute(" union all ".join(counts)).fetchall() if counts else ():
            if count:
                raise duckdb.ConstraintException(f"{name}: found {count} rows with a null where the contract has none")


def _null_conditions(model: Mapping[str, Any]) -> list[str]:
    """Return the conditions that no row of a model may meet."""
    return [
        f"{name} is null"
        for name, column in model["columns"].items()
        if any(constraint["type"] == "not_null" for constraint in column["constraints"])
    ]


def _content(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest() if path.exists() else ""
