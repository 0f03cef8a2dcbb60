"""The real Superset, started like `make superset`, and queried over its API like its dashboard does."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from dippouch.settings import PROJECT
from support.programs import environment

_PYTHON = PROJECT / ".venv-superset" / "bin" / "python"
_STARTS_SECONDS = 300
_ANSWERS_SECONDS = 120

# The request of a dashboard for one chart; and the rows of the answer, one list per query.
Question = dict[str, Any]
Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Superset:
    """A running Superset.

    Attributes:
        address: its address.
        database: the published file that its dashboard shows.
        password: the password of the user `admin`.
        said: the program's output until it listened.
    """

    address: str
    database: Path
    password: str
    said: str

    @property
    def dashboard(self) -> str:
        """Return the address of the dashboard."""
        return f"{self.address}/superset/dashboard/rankings/"

    def token(self) -> str:
        """Return an access token, valid for a quarter of an hour."""
        body = {"username": "admin", "password": self.password, "provider": "db"}
        token: str = _ask(f"{self.address}/api/v1/security/login", body)["access_token"]
        return token


@contextmanager
def running(warehouse: Path) -> Iterator[Superset]:
    """Yield Superset with the dashboard of a warehouse.

    Raises:
        AssertionError: when it does not start.
    """
    port = free_port()
    with subprocess.Popen(
        [str(_PYTHON), str(PROJECT / "dashboard" / "superset" / "start_superset.py"), "--port", str(port)],
        cwd=PROJECT,
        env=environment({"PYTHONPATH": "scripts", "DPTR_WAREHOUSE": warehouse}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            said = _wait(process, f"http://127.0.0.1:{port}")
            password = (warehouse / "superset" / "admin_password").read_text(encoding="utf-8")
            yield Superset(f"http://127.0.0.1:{port}", warehouse / "rankings.duckdb", password, said)
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=60)


def in_superset(folder: Path, code: str, *arguments: str | Path) -> str:
    """Run Python code in Superset's environment, with the configuration in this folder; return its output."""
    paths = os.pathsep.join(str(PROJECT / name) for name in ("scripts", "dashboard/superset"))
    done = subprocess.run(
        [str(_PYTHON), "-c", code, *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": paths, "DPTR_SUPERSET": str(folder)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        port: int = trial.getsockname()[1]
    return port


def chart_rows(address: str, token: str, question: Question) -> Rows:
    """Return Superset's current answer to a chart, all queries one after the other.

    Raises:
        AssertionError: when it has no answer; the message says why.
    """
    try:
        answer = _ask(f"{address}/api/v1/chart/data", question, {"Authorization": f"Bearer {token}"})
    except HTTPError as error:
        raise AssertionError(error.read().decode(errors="replace")) from None
    results = answer["result"]
    for result in results:
        assert result["error"] is None, result["error"]
        assert not result["is_cached"], "an answer was kept"
    return [row for result in results for row in result["data"]]


def _ask(address: str, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> Any:  # noqa: ANN401 (JSON)
    sent = {"Content-Type": "application/json", **(headers or {})}
    with urlopen(Request(address, json.dumps(body).encode(), sent), timeout=_ANSWERS_SECONDS) as answer:  # noqa: S310
        return json.load(answer)


def _wait(process: subprocess.Popen[str], address: str) -> str:
    """Return the program's output until it listened."""
    assert process.stdout is not None
    said = []
    for line in process.stdout:
        said.append(line)
        if line.startswith("Ctrl-C"):
            break
    else:
        raise AssertionError("".join(said))
    ends = time.monotonic() + _STARTS_SECONDS
    while time.monotonic() < ends:
        assert process.poll() is None, "the web server ended"
        try:
            with urlopen(f"{address}/health", timeout=5) as answer:  # noqa: S310
                if answer.status == HTTPStatus.OK:
                    return "".join(said)
        except (URLError, TimeoutError, ConnectionError):
            time.sleep(0.5)
    raise AssertionError("Superset does not listen")
