"""Builds of a collection by Spark on a cluster, disturbed on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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
"""

# Processor seconds after which an executor counts as working.
_WORKED_SECONDS = 0.5
_STARTS_WORK_SECONDS = 120


@dataclass(frozen=True)
class Builds:
    """The builds of one collection by both engines.

    Attributes:
        duckdb: the build database.
        spark: the folder of Spark's tables.
        started: the number of executors, replacements included.
        said: dbt's output on Spark.
    """

    duckdb: Path
    spark: Path
    started: int
    said: str


def build_on(cluster: Cluster, seeds: Path, warehouse: Path, on_line: Callable[[str], None]) -> str:
    """Build and test the selection `--selector spark` on a cluster, into `spark/` of a new warehouse.

    Call `on_line` with each line of dbt's output as it comes; return the whole output.

    Raises:
        AssertionError: when dbt fails; with its output.
    """
    warehouse.mkdir(parents=True)
    (warehouse / "spark-defaults.conf").write_text(_DEFAULTS, encoding="utf-8")
    command: list[str | Path] = [_DBT, "--no-use-colors", "build", "--target", "spark", "--selector", "spark"]
    command += ["--target-path", warehouse / "dbt", "--log-path", warehouse / "dbt" / "logs"]
    variables: dict[str, str | Path] = {
        "DPTR_SEEDS": seeds,
        "DPTR_WAREHOUSE": warehouse,
        "SPARK_MASTER": cluster.address,
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_CONF_DIR": warehouse,
    }
    lines = []
    with subprocess.Popen(
        command,
        cwd=PROJECT,
        env=environment(variables),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        start_new_session=True,
    ) as process:
        assert process.stdout is not None
        try:
            for line in process.stdout:
                lines.append(line)
                on_line(line)
            code = process.wait()
        finally:
            end(process)
    assert code == 0, "".join(lines)
    return "".join(lines)


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
