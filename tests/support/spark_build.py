"""Builds of a collection by Spark on a cluster, disturbed on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from dippouch.settings import PROJECT
from support.programs import environment
from support.spark_cluster import Cluster, end

_DBT = PROJECT / ".venv-spark" / "bin" / "dbt"

# Number of results to make; set DPTR_SPARK_RESULTS to fewer for a quick run.
RESULTS = int(os.environ.get("DPTR_SPARK_RESULTS", "1_000_000"))
# The systems that rate them: two with different rules.
SYSTEMS = ("dptr", "dptr-ten-years")

# Settings of Spark for a cluster of two cores: the tables are small, and tasks for the default of 200 partitions would only wait.
_DEFAULTS = """
spark.sql.shuffle.partitions 8
spark.executor.memory 1g
spark.driver.memory 1g
spark.eventLog.enabled true
spark.eventLog.compress false
spark.eventLog.rolling.enabled false
"""

# Processor seconds after which an executor counts as working.
_WORKED_SECONDS = 0.5
_STARTS_WORK_SECONDS = 120


# Costs of each model's tasks, repeated ones included, from Spark's event log: the constants behind the estimates in
# docs/scale.md. The stage that writes the rows is part of the one that makes the table.
_COSTS = r"""
    with events as (
        select regexp_extract(Event, '\w+$') as kind, *
        from read_json($log, format = 'newline_delimited', maximum_object_size = 100_000_000, columns = {
            Event: 'varchar', rootExecutionId: 'varchar', physicalPlanDescription: 'varchar', Properties: 'json',
            'Stage IDs': 'integer[]', 'Stage ID': 'integer', 'Task Metrics': 'json'
        })
    ),

    models as (
        select
            rootExecutionId as execution,
            max(regexp_extract(
                physicalPlanDescription, 'TableAsSelectCommand\s+Arguments: `spark_catalog`\.`\w+`\.`(\w+)`', 1
            )) as model
        from events
        where kind = 'SparkListenerSQLExecutionStart'
        group by all
    ),

    stages as (
        select distinct unnest("Stage IDs") as stage, Properties ->> '$."spark.sql.execution.root.id"' as execution
        from events
        where kind = 'SparkListenerJobStart'
    )

    select
        models.model,
        count(*) as tasks,
        round(sum(cast("Task Metrics" ->> '$."Executor CPU Time"' as bigint)) / 1e9, 1) as cpu_seconds,
        sum(cast("Task Metrics" ->> '$."Shuffle Write Metrics"."Shuffle Bytes Written"' as bigint)) as shuffled,
        sum(cast("Task Metrics" ->> '$."Disk Bytes Spilled"' as bigint)) as spilled,
        max(cast("Task Metrics" ->> '$."Peak Execution Memory"' as bigint)) as largest_task
    from events
    inner join stages on events."Stage ID" = stages.stage
    inner join models using (execution)
    where events.kind = 'SparkListenerTaskEnd' and events."Task Metrics" is not null and models.model != ''
    group by all
    order by min(stages.stage)
"""


@dataclass(frozen=True)
class Builds:
    """The builds of one collection by both engines.

    Attributes:
        duckdb: the build database.
        spark: the folder of Spark's tables.
        costs: the costs of each model on Spark, as in `_COSTS`.
        started: the number of executors, replacements included.
        said: dbt's output on Spark.
    """

    duckdb: Path
    spark: Path
    costs: list[dict[str, Any]]
    started: int
    said: str


def build_on(cluster: Cluster, seeds: Path, warehouse: Path, on_line: Callable[[str], None]) -> str:
    """Build and test the selection `--selector spark` on a cluster, into `spark/` of a new warehouse.

    Call `on_line` with each line of dbt's output as it comes; return the whole output.

    Raises:
        AssertionError: when dbt fails; with its output.
    """
    settings = warehouse / "conf"
    settings.mkdir(parents=True)
    (settings / "spark-defaults.conf").write_text(
        f"{_DEFAULTS}spark.eventLog.dir {settings.as_uri()}\n", encoding="utf-8"
    )
    places = {
        "project-dir": PROJECT,
        "profiles-dir": PROJECT,
        "target-path": warehouse / "dbt",
        "log-path": warehouse / "dbt" / "logs",
    }
    command = [str(_DBT), "--no-use-colors", "build", "--target", "spark", "--selector", "spark"]
    command += [word for name, place in places.items() for word in (f"--{name}", str(place))]
    process = subprocess.Popen(
        command,
        cwd=PROJECT,
        env=environment(
            {
                "DPTR_SEEDS": seeds,
                "DPTR_WAREHOUSE": warehouse,
                "SPARK_MASTER": cluster.address,
                "SPARK_LOCAL_IP": "127.0.0.1",
                "SPARK_CONF_DIR": settings,
            }
        ),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    )
    lines = []
    with process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                lines.append(line)
                on_line(line.rstrip())
            code = process.wait()
        finally:
            end(process)
    assert code == 0, "".join(lines)
    return "".join(lines)


def costs_of(warehouse: Path) -> list[dict[str, Any]]:
    """Return the costs of each model in a warehouse, in build order."""
    (event_log,) = (warehouse / "conf").glob("app-*")
    with duckdb.connect() as connection:
        costs = connection.execute(_COSTS, {"log": str(event_log)})
        names = [column[0] for column in costs.description or ()]
        return [dict(zip(names, row, strict=True)) for row in costs.fetchall()]


def kill_one_that_works(cluster: Cluster) -> int:
    """Kill the first executor that is seen working, as the kernel kills a process short of memory; return its process id.

    Raises:
        AssertionError: when none works.
    """
    before = {process: _computed(process) for process in cluster.executors()}
    ends = time.monotonic() + _STARTS_WORK_SECONDS
    while time.monotonic() < ends:
        for process in cluster.executors():
            if _computed(process) - before.setdefault(process, _computed(process)) >= _WORKED_SECONDS:
                os.kill(process, signal.SIGKILL)
                return process
        time.sleep(0.05)
    raise AssertionError(f"no executor computed anything: {before}")


def _computed(process: int) -> float:
    """Return the processor time of a process, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
