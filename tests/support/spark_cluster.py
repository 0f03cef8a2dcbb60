"""A standalone Spark cluster on this machine: a master and workers, each in a JVM of its own, all ended afterwards."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from dippouch.settings import PROJECT
from support.superset import free_port

# Spark's own starter, from the environment that `make test-spark` installs.
_SPARK_CLASS = next((PROJECT / ".venv-spark" / "lib").glob("python3.*/site-packages/pyspark/bin/spark-class"), Path())

_HOST = "127.0.0.1"
_WORKERS = 2
_STARTS_SECONDS = 120
_EXECUTOR = b"CoarseGrainedExecutorBackend"


@dataclass(frozen=True)
class Cluster:
    """A running cluster.

    Attributes:
        address: the value of SPARK_MASTER that selects it.
        folder: the folder of its processes: a log each, and the workers' own folders.
        workers: the processes of the workers; their children are in their process groups.
    """

    address: str
    folder: Path
    workers: tuple[subprocess.Popen[bytes], ...]

    def executors(self) -> list[int]:
        """Return the process ids of the executors: one per worker, during a build."""
        groups = {worker.pid for worker in self.workers}
        return [process for process, command in _processes() if _EXECUTOR in command and _group(process) in groups]

    def executors_started(self) -> int:
        """Return the number of executors that the workers have started so far; each has a folder of its own."""
        return sum(1 for _ in self.folder.glob("worker-*/app-*/*/"))


@contextmanager
def running(folder: Path) -> Iterator[Cluster]:
    """Yield a cluster of a master and two workers on the loopback interface, whose processes write into a folder.

    Raises:
        AssertionError: when a process does not start; with the end of its log.
    """
    assert shutil.which("java") or "JAVA_HOME" in os.environ, "install Java 17 or later, or set JAVA_HOME"
    folder.mkdir(parents=True, exist_ok=True)
    port, page = free_port(), free_port()
    address = f"spark://{_HOST}:{port}"
    with ExitStack() as stack:

        def start(name: str, is_ready: Callable[[], bool], *arguments: str) -> subprocess.Popen[bytes]:
            command = [str(_SPARK_CLASS), *arguments]
            process = stack.enter_context(_started(command, folder / f"{name}.log"))
            _wait(name, process, folder / f"{name}.log", is_ready)
            return process

        master = "org.apache.spark.deploy.master.Master"
        worker = "org.apache.spark.deploy.worker.Worker"
        listens = ("--host", _HOST, "--port", str(port), "--webui-port", str(page))
        start("master", partial(_has_workers, page, 0), master, *listens)
        workers = []
        for number in range(1, _WORKERS + 1):
            place = ("--host", _HOST, "--webui-port", str(free_port()), "--work-dir", str(folder / f"worker-{number}"))
            size = ("--cores", "1", "--memory", "1536m")
            joined = partial(_has_workers, page, number)
            workers.append(start(f"worker-{number}", joined, worker, *place, *size, address))
        yield Cluster(address, folder, tuple(workers))


@contextmanager
def _started(command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Yield a process in a group of its own; at the end the whole group is killed."""
    # Otherwise a process whose port is taken would try another.
    environment = os.environ | {
        "SPARK_HOME": str(Path(command[0]).parents[1]),
        "SPARK_LOCAL_IP": _HOST,
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": "-Dspark.port.maxRetries=0",
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        end(process)


def end(process: subprocess.Popen[Any]) -> None:
    """Kill the group that a process leads."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _processes() -> Iterator[tuple[int, bytes]]:
    """Yield this machine's processes with their command lines, without processes that have ended."""
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if command:
            yield int(entry.name), command


def _group(process: int) -> int | None:
    try:
        return os.getpgid(process)
    except ProcessLookupError:
        return None


def _wait(name: str, process: subprocess.Popen[bytes], log: Path, is_ready: Callable[[], bool]) -> None:
    ends = time.monotonic() + _STARTS_SECONDS
    while not is_ready():
        if process.poll() is not None or time.monotonic() > ends:
            how = "does not answer" if process.poll() is None else f"ended with exit code {process.returncode}"
            raise AssertionError(f"the {name} {how}:\n{log.read_text(encoding='utf-8', errors='replace')[-1000:]}")
        time.sleep(0.2)


def _has_workers(page: int, number: int) -> bool:
    """Return whether the master listens and has this number of workers."""
    try:
        with urlopen(f"http://{_HOST}:{page}/json/", timeout=5) as answer:
            workers = json.load(answer)["workers"]
    except (URLError, TimeoutError, ConnectionError):
        return False
    alive: int = sum(worker["state"] == "ALIVE" for worker in workers)
    return alive == number
