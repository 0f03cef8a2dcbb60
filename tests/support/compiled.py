"""The project's own SQL, run in memory on any seeds: a build takes milliseconds, which allows property-based tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from graphlib import TopologicalSorter
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb

import verify_ratings
from dippouch.db import literal

SeedRows = Mapping[str, Sequence[Mapping[str, Any]]]

_SCHEMAS = ("seeds", "staging", "intermediate", "marts", "presentation")
# Number of tests in one query; more would be slow to plan.
_TOGETHER = 12


class CompiledProject:
    """The seeds, models and data tests of a `dbt compile`, in build order."""

    def __init__(self, manifest: Path) -> None:
        nodes = json.loads(manifest.read_text(encoding="utf-8"))["nodes"]
        parents = {key: node["depends_on"].get("nodes", []) for key, node in nodes.items()}
        order = [nodes[key] for key in TopologicalSorter(parents).static_order()]
        self.seeds = {node["name"]: node for node in order if node["resource_type"] == "seed"}
        self.models = [node for node in order if node["resource_type"] == "model"]
        # A refresh runs the test of the seeds before dbt, which does not compile it then.
        self.all_tests = [node for node in order if node["resource_type"] == "test" and "compiled_code" in node]
        # Tests of the presentation views, which only join marts, take as long as all others.
        self.tests = [test for test in self.all_tests if "presentation" not in test["fqn"]]
        # The names of the seeds that a node is made from.
        self.made_from = {node["unique_id"]: {name} for name, node in self.seeds.items()}
        for node in (*self.models, *self.all_tests):
            sources = (self.made_from[key] for key in parents[node["unique_id"]])
            self.made_from[node["unique_id"]] = set().union(*sources)

    def build(self, seeds: SeedRows) -> duckdb.DuckDBPyConnection:
        """Build every model from rows of the seeds; missing seeds are empty, missing cells null."""
        connection = empty_build(self)
        for name, node in self.seeds.items():
            columns = node["config"]["column_types"]
            rows = [[row.get(column) or None for column in columns] for row in seeds.get(name, [])]
            if rows:
                places = ", ".join([f"({', '.join('?' * len(columns))})"] * len(rows))
                cells = [cell for row in rows for cell in row]
                connection.execute(f"insert into build.seeds.{name} values {places}", cells)
        for model in self.models:
            build_model(connection, model)
        return connection

    def failing_tests(self, connection: duckdb.DuckDBPyConnection) -> set[str]:
        """Return the names of the data tests that find a fault in the build, without those of presentation views."""
        return failing(connection, self.tests)


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
        columns = ", ".join(f"{column} {type_}" for column, type_ in node["config"]["column_types"].items())
        connection.execute(f"create table build.seeds.{name} ({columns})")
    return connection


def build_model(connection: duckdb.DuckDBPyConnection, model: Mapping[str, Any]) -> None:
    """Build a model, replacing its earlier version."""
    kind, name = model["config"]["materialized"], model["relation_name"]
    if kind == "table_function":
        kind, name = "function", f"{name}({', '.join(model['config']['parameters'])})"
    of = "as table" if kind == "function" else "as"
    connection.execute(f"create or replace {kind} {name} {of} {model['compiled_code']}")


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
    return "fault" if test["name"].startswith("rows_of_") else literal(test["name"])


class Warehouse:
    """A warehouse in memory for many builds: each rebuilds and tests only nodes that are made from a changed seed.

    It loads seeds from their files as dbt does, and the verification reads its marts directly.
    """

    def __init__(self, project: CompiledProject) -> None:
        self._project = project
        self._connection = empty_build(project)
        self._connection.execute("attach ':memory:' as published")
        self._connection.execute("create schema published.marts")
        self._loaded: dict[str, str] = {}
        self._untested: set[str] = set()
        self._failing: set[str] = set()

    def build(self, folder: Path) -> None:
        """Build a collection.

        Raises:
            duckdb.Error: when a seed cannot be loaded or a model cannot be built.
        """
        contents = {name: _content(folder / node["path"]) for name, node in self._project.seeds.items()}
        changed = {name for name, content in contents.items() if self._loaded.get(name) != content}
        self._untested |= changed
        # If the build fails, the next one loads these seeds again.
        self._loaded = {name: content for name, content in contents.items() if name not in changed}
        for name in changed:
            self._connection.execute(f"truncate build.seeds.{name}")
            if contents[name]:
                path = literal(folder / self._project.seeds[name]["path"])
                options = "format csv, header true, delimiter ','"
                self._connection.execute(f"copy build.seeds.{name} from {path} ({options})")
        for model in self._project.models:
            if changed & self._project.made_from[model["unique_id"]]:
                build_model(self._connection, model)
                if model["schema"] == "marts" and model["config"]["materialized"] == "table":
                    mart = f"published.marts.{model['name']}"
                    self._connection.execute(f"create view if not exists {mart} as from {model['relation_name']}")
        self._loaded = contents

    def failing_tests(self) -> set[str]:
        """Return the names of the data tests that find a fault in the last build."""
        made_from = self._project.made_from
        untested = [test for test in self._project.tests if self._untested & made_from[test["unique_id"]]]
        self._failing = failing(self._connection, self._project.tests if self._failing else untested)
        self._untested.clear()
        return self._failing

    def discrepancies(self, folder: Path) -> list[tuple[Any, ...]]:
        """Return the verification's findings in the last build of a collection."""
        return verify_ratings.verify(self._connection, folder)[1]

    def save(self, build: Path) -> None:
        """Write the last build to a build database, which can be published."""
        save_build(self._connection, build)


def _content(path: Path) -> str:
    return sha256(path.read_bytes()).hexdigest() if path.exists() else ""
