"""A standalone Spark cluster on this machine, and a build of a collection on it that loses an executor on the way."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from dippouch.settings import PROJECT
from support.programs import started

# From the environment that `make test-spark` installs; the first is Spark's own starter.
_SPARK_CLASS = next((PROJECT / ".venv-spark" / "lib").glob("python3.*/site-packages/pyspark/bin/spark-class"), Path())
_DBT = PROJECT / ".venv-spark" / "bin" / "dbt"

_HOST = "127.0.0.1"
_WORKERS = 2
_WAIT_SECONDS = 120
# Processor seconds after which an executor counts as working.
_WORKED_SECONDS = 0.5
# Settings of Spark for a cluster of two cores: the tables are small, and tasks for the default of 200 partitions would only wait.
_DEFAULTS = """
spark.sql.shuffle.partitions 8
spark.executor.memory 1g
spark.driver.memory 1g
"""


@dataclass(frozen=True)
class Cluster:
    """A running cluster.

    Attributes:
        address: the value of SPARK_MASTER that selects it.
        folder: the folder of its processes: a log each, and the workers' own folders.
    """

    address: str
    folder: Path

    def executors(self) -> list[int]:
        """Return the process ids of the executors started so far, in any order: each log names its own."""
        logs = [path.read_text(encoding="utf-8") for path in self.folder.glob("worker-*/app-*/*/stderr")]
        return [int(process) for log in logs for process in re.findall(r"process name: (\d+)@", log)]


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """Yield a cluster of a master and workers on the loopback interface, whose processes write into a folder.

    Raises:
        AssertionError: when the master does not start; with its log.
    """
    assert shutil.which("java") or "JAVA_HOME" in os.environ, "install Java 17 or later, or set JAVA_HOME"
    folder.mkdir(parents=True)
    settings = {"SPARK_HOME": str(_SPARK_CLASS.parents[1]), "SPARK_LOCAL_IP": _HOST, "SPARK_DAEMON_MEMORY": "256m"}
    with ExitStack() as stack:

        def start(name: str, of: str, *arguments: str) -> Path:
            """Start a process of the cluster, with its page at any free port, and return its log."""
            log = folder / f"{name}.log"
            place = ("--host", _HOST, "--webui-port", "0")
            command = (str(_SPARK_CLASS), f"org.apache.spark.deploy.{of}", *place, *arguments)
            stack.enter_context(started(command, settings, stack.enter_context(log.open("wb"))))
            return log

        address = _address_of(start("master", "master.Master", "--port", "0"))
        for number in range(1, _WORKERS + 1):
            place = ("--work-dir", str(folder / f"worker-{number}"))
            start(f"worker-{number}", "worker.Worker", *place, "--cores", "1", "--memory", "1536m", address)
        yield Cluster(address, folder)


def _address_of(log: Path) -> str:
    """Wait until a master serves, and return its address from its log."""
    ends = time.monotonic() + _WAIT_SECONDS
    while "New state: ALIVE" not in (said := log.read_text(encoding="utf-8")):
        assert time.monotonic() < ends, f"the master does not serve:\n{said}"
        time.sleep(0.2)
    (address,) = set(re.findall(r"spark://\S+:\d+", said))
    return str(address)


def build_on(cluster: Cluster, seeds: Path, warehouse: Path) -> str:
    """Build and test the selection `--selector spark` into `spark/` of a new warehouse; kill an executor during the ledger.

    Return dbt's output.

    Raises:
        AssertionError: when dbt fails, with its output; when no executor works.
    """
    warehouse.mkdir(parents=True)
    (warehouse / "spark-defaults.conf").write_text(_DEFAULTS, encoding="utf-8")
    command = (_DBT, "--no-use-colors", "build", "--target", "spark", "--selector", "spark")
    paths = ("--target-path", warehouse / "dbt", "--log-path", warehouse / "dbt" / "logs")
    settings: dict[str, str | Path] = {
        "DPTR_SEEDS": seeds,
        "DPTR_WAREHOUSE": warehouse,
        "SPARK_MASTER": cluster.address,
        "SPARK_LOCAL_IP": _HOST,
        "SPARK_CONF_DIR": warehouse,
    }
    said = ""
    with started((*command, *paths), settings, subprocess.PIPE) as process:
        assert process.stdout is not None
        for line in process.stdout:
            said += line.decode(errors="replace")
            if b"START sql table model intermediate.int_rating_ledger" in line:
                _kill_one_that_works(cluster)
        assert process.wait() == 0, said
    return said


def _kill_one_that_works(cluster: Cluster) -> None:
    """Kill the first executor that is seen working, as the kernel kills a process short of memory."""
    before: dict[int, float] = {}
    ends = time.monotonic() + _WAIT_SECONDS
    while time.monotonic() < ends:
        for process in cluster.executors():
            computed = _computed(process)
            if computed - before.setdefault(process, computed) >= _WORKED_SECONDS:
                os.kill(process, signal.SIGKILL)
                return
        time.sleep(0.05)
    raise AssertionError(f"no executor computed anything: {before}")


def _computed(process: int) -> float:
    """Return the processor time of a process, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
