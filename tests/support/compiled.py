"""The project's own SQL, run in memory on any seeds: milliseconds a build, so that property-based tests can use it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

import duckdb

SeedRows = Mapping[str, Sequence[Mapping[str, Any]]]


class CompiledProject:
    """The models and data tests of a `dbt compile`, in the order in which they build."""

    def __init__(self, manifest: Path) -> None:
        nodes = json.loads(manifest.read_text(encoding="utf-8"))["nodes"]
        self.seeds = {n["name"]: n for n in nodes.values() if n["resource_type"] == "seed"}
        models = {key: n for key, n in nodes.items() if n["resource_type"] == "model"}
        graph = {key: set(n["depends_on"]["nodes"]) & models.keys() for key, n in models.items()}
        self.models = [models[key] for key in TopologicalSorter(graph).static_order()]
        self.tests = [n for n in nodes.values() if n["resource_type"] == "test"]

    def build(self, seeds: SeedRows) -> duckdb.DuckDBPyConnection:
        """Build every model from rows of the seeds; a seed that is not given is empty, a missing cell is null."""
        connection = duckdb.connect()
        connection.execute("attach ':memory:' as build")
        # As readers have it: functions name their tables without the database.
        connection.execute("use build")
        for schema in ("seeds", "staging", "intermediate", "marts"):
            connection.execute(f"create schema build.{schema}")
        for name, node in self.seeds.items():
            types = node["config"]["column_types"]
            columns = ", ".join(f"{column} {type_}" for column, type_ in types.items())
            connection.execute(f"create table build.seeds.{name} ({columns})")
            rows = [[row.get(column) or None for column in types] for row in seeds.get(name, [])]
            if rows:
                connection.executemany(f"insert into build.seeds.{name} values ({', '.join('?' * len(types))})", rows)
        for model in self.models:
            kind = model["config"]["materialized"]
            if kind == "table_function":
                name = f"{model['relation_name']}({', '.join(model['config']['parameters'])})"
                connection.execute(f"create function {name} as table {model['compiled_code']}")
            else:
                connection.execute(f"create {kind} {model['relation_name']} as {model['compiled_code']}")
        return connection

    def failing_tests(self, connection: duckdb.DuckDBPyConnection) -> set[str]:
        """The names of the data tests that find a fault in what was built."""
        return {
            test["name"]
            for test in self.tests
            if connection.execute(f"select count(*) from ({test['compiled_code']}) as faults").fetchone() != (0,)
        }
