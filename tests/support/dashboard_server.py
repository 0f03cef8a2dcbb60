"""The dashboard in a process of its own, and a client that speaks to it like a browser."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.util import calc_hash
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Subprotocol

from dippouch.settings import PROJECT
from support.programs import environment
from support.superset import free_port

ENTRY = PROJECT / "dashboard" / "app" / "dashboard.py"

_PATIENCE = 60.0


@dataclass(frozen=True)
class Server:
    """A running dashboard.

    Attributes:
        address: address of its first page, without a trailing slash.
        process: its process id.
    """

    address: str
    process: int


@contextmanager
def serving(warehouse: Path) -> Iterator[Server]:
    """Yield the dashboard of a warehouse, started like `make dashboard`."""
    port = free_port()
    command = [Path(sys.executable).with_name("streamlit"), "run", ENTRY, "--server.port", str(port)]
    settings = environment({"DPTR_WAREHOUSE": warehouse, "PYTHONPATH": PROJECT / "scripts"})
    process = subprocess.Popen(
        [str(word) for word in command], env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    try:
        server = Server(f"http://127.0.0.1:{port}", process.pid)
        _await(server, process)
        yield server
    finally:
        process.terminate()
        told, _ = process.communicate(timeout=_PATIENCE)
    assert "Traceback" not in told, told


def _await(server: Server, process: subprocess.Popen[str]) -> None:
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with urlopen(f"{server.address}/_stcore/health", timeout=5):  # noqa: S310 its own address
                return
        except OSError:
            time.sleep(0.1)
    process.kill()
    raise AssertionError(f"the dashboard did not start: {process.communicate()[0]}")


@dataclass(frozen=True)
class Shown:
    """The content of a completely loaded page.

    Attributes:
        texts: headings, paragraphs and figures, in order.
        faults: errors, including those no longer shown.
    """

    texts: list[str]
    faults: list[str]


class Client:
    """A visitor who keeps the page open."""

    def __init__(self, server: Server) -> None:
        self._stay = ExitStack()
        self._socket: ClientConnection = self._stay.enter_context(
            connect(
                f"{server.address.replace('http', 'ws')}/_stcore/stream",
                subprotocols=[Subprotocol("streamlit")],
                max_size=None,
            )
        )

    def close(self) -> None:
        """Close the connection."""
        self._stay.close()

    def show(self, page: str = "", query: str = "") -> Shown:
        """Request a page, and wait until it is complete.

        If another version is published meanwhile, the page is drawn again: earlier content disappears, and the rest of it may
        never come.
        """
        asked = BackMsg()
        asked.rerun_script.query_string = query
        asked.rerun_script.page_script_hash = calc_hash(page) if page else ""
        self._socket.send(asked.SerializeToString())
        texts: list[str] = []
        faults: list[str] = []
        while True:
            message = ForwardMsg()
            received: Any = self._socket.recv(timeout=_PATIENCE)
            message.ParseFromString(received)
            kind = message.WhichOneof("type")
            if kind == "new_session":
                texts.clear()
            elif kind == "delta" and message.delta.WhichOneof("type") == "new_element":
                _collect(message.delta.new_element, texts, faults)
            elif kind == "script_finished" and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
                return Shown(texts, faults)


def _collect(element: Element, texts: list[str], faults: list[str]) -> None:
    """Collect the visible texts and the faults of an element."""
    kind = element.WhichOneof("type")
    if kind == "exception":
        faults.append(element.exception.message)
    elif kind == "alert" and element.alert.format == element.alert.ERROR:
        faults.append(element.alert.body)
    elif kind in {"heading", "markdown", "metric"}:
        texts.append(getattr(element, kind).body)


def memory_of(process: int) -> int:
    """Return the resident memory of a process, in KiB."""
    status = Path(f"/proc/{process}/status").read_text(encoding="ascii", errors="replace")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:"))


def open_below(folder: Path, process: int) -> list[str]:
    """Return the files of a folder that a process has open, including deleted ones."""
    opened = (str(one.readlink()) for one in Path(f"/proc/{process}/fd").iterdir())
    return [path for path in opened if path.startswith(f"{folder}/")]
