"""A standalone cluster of Spark on this machine: a master and workers, each a JVM of its own, all gone at the end."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import urlopen

from dippouch.errors import UserError
from dippouch.settings import PROJECT
from support.superset import free_port

# What Spark 4 needs.
OLDEST_JAVA = 17

# Of the environment `make test-spark` makes: what Spark itself starts its processes with.
SPARK_CLASS = next((PROJECT / ".venv-spark" / "lib").glob("python3.*/site-packages/pyspark/bin/spark-class"), None)

_HOST = "127.0.0.1"
_WORKERS = 2
_WORKER_MEMORY = "1536m"
_STARTS_SECONDS = 120
_ENDS_SECONDS = 30
_LAST_LINES = 8

_EXECUTOR = b"CoarseGrainedExecutorBackend"


@dataclass(frozen=True)
class Cluster:
    """A cluster that runs.

    Attributes:
        address: what SPARK_MASTER says to use it.
        folder: where its processes write: a log each, and the workers' own folders.
        workers: the processes of the workers; what they start is in their process groups.
    """

    address: str
    folder: Path
    workers: tuple[subprocess.Popen[bytes], ...]

    def executors(self) -> list[int]:
        """The processes that compute, by their ids: one for each worker, while something is built."""
        groups = {worker.pid for worker in self.workers}
        return [process for process, command in _processes() if _EXECUTOR in command and _group(process) in groups]

    def executors_started(self) -> int:
        """How many executors the workers have started so far; each has a folder of its own."""
        return sum(1 for _ in self.folder.glob("worker-*/app-*/*/"))


def java_version(environment: Mapping[str, str] = os.environ) -> int:
    """The version of the Java that Spark would start, such as 17.

    Args:
        environment: where it is looked for, as Spark does: JAVA_HOME, then PATH.

    Raises:
        UserError: when there is none, or one that is too old.
    """
    home = environment.get("JAVA_HOME")
    program = str(Path(home, "bin", "java")) if home else shutil.which("java", path=environment.get("PATH", ""))
    way_out = f"install Java {OLDEST_JAVA} or later (Debian: apt-get install default-jre-headless), or set JAVA_HOME"
    try:
        done = subprocess.run([program or "/", "-version"], capture_output=True, text=True, check=False)
    except OSError:
        place = f"JAVA_HOME={home}" if home else "PATH"
        raise UserError(f"{place}: found no Java; expected the one that Spark runs in: {way_out}") from None
    found = re.search(r'version "(?:1\.)?(\d+)', done.stderr + done.stdout)
    if found is None or int(found[1]) < OLDEST_JAVA:
        said = (done.stderr + done.stdout).strip().partition("\n")[0] or f"exit code {done.returncode}"
        raise UserError(f"{program}: found {said}; expected Java {OLDEST_JAVA} or later: {way_out}")
    return int(found[1])


@contextmanager
def running(
    folder: Path,
    *,
    port: int | None = None,
    spark_class: Path | None = SPARK_CLASS,
    seconds: float = _STARTS_SECONDS,
    say: Callable[[str], None] = lambda text: None,
) -> Iterator[Cluster]:
    """A cluster of a master and two workers on the loopback, until the end of the block.

    Args:
        folder: where its processes write; made when missing.
        port: the master's; any that is free when not given.
        spark_class: the program of Spark that starts each of them.
        seconds: how long each may take to start.
        say: told what is done.

    Raises:
        UserError: when there is no Spark, a port is taken, or a process does not start; with what it said last.
    """
    if spark_class is None:
        raise UserError(".venv-spark: found no Spark; `make .venv-spark/spark.lock` installs it")
    folder.mkdir(parents=True, exist_ok=True)
    port, page = port or free_port(), free_port()
    with ExitStack() as stack:

        def start(name: str, *arguments: str) -> subprocess.Popen[bytes]:
            say(f"starting the {name.replace('-', ' ')}")
            return stack.enter_context(_started([str(spark_class), *arguments], folder / f"{name}.log"))

        master = start(
            "master",
            *("org.apache.spark.deploy.master.Master", "--host", _HOST, "--port", str(port), "--webui-port", str(page)),
        )
        _wait("master", master, folder, lambda: _state(page) is not None, seconds, f"port {port} of {_HOST}")
        address = f"spark://{_HOST}:{port}"
        workers = []
        for number in range(1, _WORKERS + 1):
            name = f"worker-{number}"
            worker = start(
                name,
                *("org.apache.spark.deploy.worker.Worker", "--host", _HOST, "--webui-port", str(free_port())),
                *("--cores", "1", "--memory", _WORKER_MEMORY, "--work-dir", str(folder / name), address),
            )
            workers.append(worker)
            _wait(name, worker, folder, lambda: _alive(page) == len(workers), seconds, f"the master at {address}")
        yield Cluster(address, folder, tuple(workers))


@contextmanager
def _started(command: list[str], log: Path) -> Iterator[subprocess.Popen[bytes]]:
    """A process in a group of its own, with all that it starts; the group is gone at the end, however this process ends."""
    # Without this, one that takes a port that is taken would look for another.
    environment = os.environ | {
        "SPARK_HOME": str(Path(command[0]).parents[1]),
        "SPARK_LOCAL_IP": _HOST,
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_DAEMON_JAVA_OPTS": "-Dspark.port.maxRetries=0",
    }
    with log.open("wb") as output:
        process = subprocess.Popen(
            [*_dies_with_us(), *command],
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
    """End a process that leads a group, and all of its group."""
    for how in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, how)
        except ProcessLookupError:
            break
        ends = time.monotonic() + _ENDS_SECONDS
        while time.monotonic() < ends and _group_lives(process):
            time.sleep(0.1)
    process.wait()


def _dies_with_us() -> list[str]:
    """What goes before a command so that it ends when this process is killed; Linux has it."""
    program = shutil.which("setpriv")
    return [program, "--pdeathsig", "TERM", "--"] if program else []


def _group_lives(process: subprocess.Popen[Any]) -> bool:
    process.poll()
    return any(_group(number) == process.pid for number, _ in _processes())


def processes_of(folder: Path) -> list[int]:
    """The processes whose command line names a folder, or what is in it."""
    return [process for process, command in _processes() if os.fsencode(folder) in command]


def _processes() -> Iterator[tuple[int, bytes]]:
    """The processes of this machine that have a command line, with it; one that has ended has none."""
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


def _wait(
    name: str,
    process: subprocess.Popen[bytes],
    folder: Path,
    is_ready: Callable[[], bool],
    seconds: float,
    expected: str,
) -> None:
    """Wait until a process is ready.

    Raises:
        UserError: when it ends before, or takes too long; with the last lines of its log.
    """
    what = name.replace("-", " ")
    log = folder / f"{name}.log"
    ends = time.monotonic() + seconds
    while not is_ready():
        if process.poll() is not None:
            said = log.read_text(encoding="utf-8", errors="replace")
            taken = "Address already in use" in said
            found = (
                "it taken by another program" if taken else f"that the {what} ended with exit code {process.returncode}"
            )
            raise UserError(f"{expected}: found {found}; expected the {what} there. {_last_words(log)}")
        if time.monotonic() > ends:
            raise UserError(f"{expected}: found no {what} there after {seconds:g} seconds. {_last_words(log)}")
        time.sleep(0.2)


def _last_words(log: Path) -> str:
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    return "\n  ".join([f"The end of {log}:", *lines[-_LAST_LINES:]]) if lines else f"{log} is empty"


def _alive(page: int) -> int:
    """How many workers the master has."""
    state = _state(page) or {}
    return sum(worker["state"] == "ALIVE" for worker in state.get("workers", ()))


def _state(page: int) -> dict[str, Any] | None:
    """What the master says of itself; None while it does not listen."""
    try:
        with urlopen(f"http://{_HOST}:{page}/json/", timeout=5) as answer:
            state: dict[str, Any] = json.load(answer)
    except (URLError, TimeoutError, ConnectionError):
        return None
    return state
